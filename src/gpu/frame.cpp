#include "gpu/frame.h"

#include "base/error.h"
#include "base/log.h"

namespace sublet::gpu {

namespace {

VkCommandPool make_pool(const Device& device) {
    auto info = make_struct<VkCommandPoolCreateInfo>(VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO);
    info.flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT;
    info.queueFamilyIndex = device.queue_family();
    VkCommandPool pool = VK_NULL_HANDLE;
    check(vkCreateCommandPool(device.handle(), &info, nullptr, &pool), "creating a command pool");
    return pool;
}

VkCommandBuffer make_commands(const Device& device, VkCommandPool pool) {
    auto info = make_struct<VkCommandBufferAllocateInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO);
    info.commandPool = pool;
    info.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
    info.commandBufferCount = 1;
    VkCommandBuffer commands = VK_NULL_HANDLE;
    check(vkAllocateCommandBuffers(device.handle(), &info, &commands), "allocating a command buffer");
    return commands;
}

void begin_commands(VkCommandBuffer commands) {
    auto info = make_struct<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
    info.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
    check(vkBeginCommandBuffer(commands, &info), "beginning a command buffer");
}

}  // namespace

CommandPool::CommandPool(Device& device, std::string_view name) : device_(&device), pool_(make_pool(device)) {
    try {
        device.set_name(VK_OBJECT_TYPE_COMMAND_POOL, pool_, name);
        commands_ = make_commands(device, pool_);
        device.set_name(VK_OBJECT_TYPE_COMMAND_BUFFER, commands_, name);
    } catch (...) {
        vkDestroyCommandPool(device.handle(), pool_, nullptr);
        throw;
    }
}

CommandPool::~CommandPool() {
    if (pool_ != VK_NULL_HANDLE) vkDestroyCommandPool(device_->handle(), pool_, nullptr);
}

VkCommandBuffer CommandPool::begin() {
    check(vkResetCommandPool(device_->handle(), pool_, 0), "resetting a command pool");
    begin_commands(commands_);
    return commands_;
}

FrameRing::FrameRing(Device& device) : device_(device) {
    for (std::size_t i = 0; i < slots_.size(); ++i) {
        const std::string name = "frames, slot " + std::to_string(i);
        slots_[i].pool = std::make_unique<CommandPool>(device, name);
        slots_[i].descriptors = std::make_unique<DescriptorArena>(device, name);
    }
}

FrameRing::~FrameRing() {
    try {
        abandon();
        for (const Slot& slot : slots_) device_.wait(slot.submission, "waiting for the last frames");
    } catch (const std::exception& error) {
        warn(error.what());
    }
}

Frame& FrameRing::begin() {
    if (open_) throw Error("a frame was begun before the previous one was submitted");
    const auto index = static_cast<uint32_t>(next_number_ % kFramesInFlight);
    Slot& slot = slots_[index];
    device_.wait(slot.submission, "waiting for the GPU to finish frame " +
                                      std::to_string(next_number_ - (slot.submission == 0 ? 0 : kFramesInFlight)));
    device_.collect_retired();
    slot.descriptors->reset();
    frame_ = {slot.pool->begin(), slot.descriptors.get(), index, next_number_++};
    slot.label.emplace(device_, frame_.commands, ("frame " + std::to_string(frame_.number)).c_str());
    open_ = true;
    device_.frame_opened();
    return frame_;
}

uint64_t FrameRing::submit(const SubmitSync& sync) {
    if (!open_) throw Error("a frame was submitted that was not begun");
    slots_[frame_.slot].label.reset();
    check(vkEndCommandBuffer(frame_.commands), "recording frame " + std::to_string(frame_.number));
    // Presenting ends a frame for every tool. AMD's know one that is not presented by these labels.
    const bool presented = sync.signal != VK_NULL_HANDLE;
    if (!presented) device_.label_queue("AmdFrameBegin");
    const uint64_t submission =
        device_.submit(frame_.commands, sync, "submitting frame " + std::to_string(frame_.number));
    if (!presented) device_.label_queue("AmdFrameEnd");
    slots_[frame_.slot].submission = submission;
    open_ = false;
    device_.frame_submitted(submission);
    return submission;
}

void FrameRing::abandon() {
    if (!open_) return;
    slots_[frame_.slot].label.reset();
    open_ = false;
    device_.frame_submitted(device_.last_submission());
}

void submit_and_wait(Device& device, std::string_view doing,
                     const std::function<void(VkCommandBuffer, DescriptorArena&)>& record) {
    CommandPool pool(device, doing);
    DescriptorArena descriptors(device, doing);
    const VkCommandBuffer commands = pool.begin();
    {
        const DebugLabel label(device, commands, std::string(doing).c_str());
        record(commands, descriptors);
    }
    check(vkEndCommandBuffer(commands), doing);
    device.wait(device.submit(commands, {}, doing), doing);
}

}  // namespace sublet::gpu
