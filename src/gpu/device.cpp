#include "gpu/device.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/files.h"
#include "base/log.h"
#include "base/open_file.h"
#include "gpu/barriers.h"
#include "gpu/feature_chain.h"
#include "gpu/frame.h"
#include "gpu/memory_allocator.h"
#include "gpu/resources.h"

namespace sublet::gpu {

namespace {

// A GPU that has done nothing for this long hangs; a device in software may just be slow.
constexpr uint64_t kHangSeconds = 60;
constexpr uint64_t kHangSecondsCpu = 600;

// The pipeline cache's file: this header, then the driver's data. Drivers need not survive damaged data, so it is
// checked here first.
struct CacheHeader {
    char magic[8];
    uint64_t size;
    uint64_t hash;
};
constexpr char kCacheMagic[8] = {'S', 'U', 'B', 'L', 'E', 'T', 'P', 'C'};
constexpr uint64_t kMostCacheBytes = uint64_t{1} << 28;

// FNV-1a, 64 bits.
uint64_t hash_bytes(std::span<const char> bytes) {
    uint64_t hash = 0xcbf29ce484222325U;
    for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3U;
    return hash;
}

// The driver's data in the file, or nothing when it is missing, damaged or another device's.
std::vector<char> read_cache(const std::filesystem::path& path, VkPhysicalDevice physical) {
    std::vector<char> data;
    try {
        const OpenFile file(path);
        CacheHeader header{};
        if (file.size() < sizeof header) return {};
        file.read(std::as_writable_bytes(std::span(&header, 1)), 0);
        if (std::memcmp(header.magic, kCacheMagic, sizeof kCacheMagic) != 0 || header.size > kMostCacheBytes) return {};
        if (file.size() != sizeof header + header.size) return {};
        data.resize(header.size);
        file.read(std::as_writable_bytes(std::span(data)), sizeof header);
        if (hash_bytes(data) != header.hash) return {};
    } catch (const Error&) {
        return {};
    }

    VkPipelineCacheHeaderVersionOne driver{};
    if (data.size() < sizeof driver) return {};
    std::memcpy(&driver, data.data(), sizeof driver);
    VkPhysicalDeviceProperties properties{};
    vkGetPhysicalDeviceProperties(physical, &properties);
    const bool ours = driver.headerVersion == VK_PIPELINE_CACHE_HEADER_VERSION_ONE &&
                      driver.vendorID == properties.vendorID && driver.deviceID == properties.deviceID &&
                      std::memcmp(driver.pipelineCacheUUID, properties.pipelineCacheUUID, VK_UUID_SIZE) == 0;
    return ours ? data : std::vector<char>{};
}

}  // namespace

Device::Device(Instance& instance, const DeviceOptions& options, VkSurfaceKHR surface)
    : instance_(instance), pipeline_cache_path_(options.pipeline_cache), shader_statistics_(options.shader_statistics) {
    const DeviceInfo& chosen = instance.select(options.selector, surface);
    physical_ = chosen.physical;
    capabilities_ = chosen.capabilities;
    queue_family_ = find_queue_family(physical_);
    try {
        create_device(surface != VK_NULL_HANDLE);
        create_allocator(options.most_memory);
        load_pipeline_cache();
    } catch (...) {
        destroy();
        throw;
    }
}

Device::~Device() {
    try {
        wait_idle();
    } catch (const std::exception& error) {
        warn(error.what());
    }
    save_pipeline_cache();
    destroy();
}

void Device::create_device(bool present) {
    const std::vector<std::string> available = device_extensions(physical_);
    const Capabilities& c = capabilities_;
    std::vector<const char*> extensions;
    if (present) extensions.push_back(VK_KHR_SWAPCHAIN_EXTENSION_NAME);
    if (c.mesh_shader) extensions.push_back(VK_EXT_MESH_SHADER_EXTENSION_NAME);
    if (c.index_uint8) extensions.push_back(index_uint8_extension(available));
    if (c.barycentric) extensions.push_back(VK_KHR_FRAGMENT_SHADER_BARYCENTRIC_EXTENSION_NAME);
    if (c.memory_budget) extensions.push_back(VK_EXT_MEMORY_BUDGET_EXTENSION_NAME);
    if (c.generated_commands) extensions.push_back(VK_EXT_DEVICE_GENERATED_COMMANDS_EXTENSION_NAME);
    if (c.execution_graphs) {
        extensions.push_back(VK_AMDX_SHADER_ENQUEUE_EXTENSION_NAME);
        extensions.push_back(VK_KHR_PIPELINE_LIBRARY_EXTENSION_NAME);
    }
    if (c.generated_commands || c.execution_graphs) extensions.push_back(VK_KHR_MAINTENANCE_5_EXTENSION_NAME);

    if (shader_statistics_) {
        constexpr const char* kExtension = VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME;
        if (std::find(available.begin(), available.end(), kExtension) == available.end()) {
            throw Error(c.name, "shader statistics",
                        "its driver tells nothing of its shaders (" + std::string(kExtension) + "): leave them off");
        }
        extensions.push_back(kExtension);
    }

    FeatureChain chain({.mesh = c.mesh_shader,
                        .index_uint8 = c.index_uint8,
                        .barycentric = c.barycentric,
                        .generated = c.generated_commands,
                        .graphs = c.execution_graphs});
    for_each_optional(c, chain, [](bool flag, VkBool32& field) {
        if (flag) field = VK_TRUE;  // others may want it, too
    });
    for_each_required(chain, [](const char*, VkBool32& field) { field = VK_TRUE; });

    auto executables = make_struct<VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR);
    executables.pipelineExecutableInfo = VK_TRUE;
    if (shader_statistics_) executables.pNext = std::exchange(chain.core.pNext, &executables);

    constexpr float kPriority = 1.0F;
    auto queue = make_struct<VkDeviceQueueCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO);
    queue.queueFamilyIndex = queue_family_;
    queue.queueCount = 1;
    queue.pQueuePriorities = &kPriority;
    auto info = make_struct<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO);
    info.pNext = &chain.core;
    info.queueCreateInfoCount = 1;
    info.pQueueCreateInfos = &queue;
    info.enabledExtensionCount = static_cast<uint32_t>(extensions.size());
    info.ppEnabledExtensionNames = extensions.data();
    check(vkCreateDevice(physical_, &info, nullptr, &device_), "creating the Vulkan device on " + c.name);
    // Loaders have commands that the driver lacks.
    for (const char* command : {"vkCreateExecutionGraphPipelinesAMDX", "vkGetExecutionGraphPipelineScratchSizeAMDX",
                                "vkGetExecutionGraphPipelineNodeIndexAMDX", "vkCmdInitializeGraphScratchMemoryAMDX",
                                "vkCmdDispatchGraphAMDX"}) {
        if (vkGetDeviceProcAddr(device_, command) == nullptr) capabilities_.execution_graphs = false;
    }
    vkGetDeviceQueue(device_, queue_family_, 0, &queue_);
    set_name(VK_OBJECT_TYPE_DEVICE, device_, c.name);
    set_name(VK_OBJECT_TYPE_QUEUE, queue_, "queue");

    auto type = make_struct<VkSemaphoreTypeCreateInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO);
    type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
    auto semaphore = make_struct<VkSemaphoreCreateInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO);
    semaphore.pNext = &type;
    check(vkCreateSemaphore(device_, &semaphore, nullptr, &timeline_), "creating the timeline semaphore");
    set_name(VK_OBJECT_TYPE_SEMAPHORE, timeline_, "submissions");
}

void Device::create_allocator(uint64_t most_memory) {
    VmaVulkanFunctions functions{};
    functions.vkGetInstanceProcAddr = vkGetInstanceProcAddr;
    functions.vkGetDeviceProcAddr = vkGetDeviceProcAddr;
    VmaAllocatorCreateInfo info{};
    info.instance = instance_.handle();
    info.physicalDevice = physical_;
    info.device = device_;
    info.vulkanApiVersion = VK_API_VERSION_1_3;
    info.pVulkanFunctions = &functions;
    // Its usage is that of all processes; a limit of tests is of this device alone.
    if (capabilities_.memory_budget && most_memory == 0) info.flags |= VMA_ALLOCATOR_CREATE_EXT_MEMORY_BUDGET_BIT;
    if (capabilities_.generated_commands || capabilities_.execution_graphs)
        info.flags |= VMA_ALLOCATOR_CREATE_BUFFER_DEVICE_ADDRESS_BIT;
    std::array<VkDeviceSize, VK_MAX_MEMORY_HEAPS> most{};
    most.fill(most_memory != 0 ? most_memory : VK_WHOLE_SIZE);
    info.pHeapSizeLimit = most.data();
    check(vmaCreateAllocator(&info, &allocator_), "creating the memory allocator");
}

void Device::load_pipeline_cache() {
    const std::vector<char> data =
        pipeline_cache_path_.empty() ? std::vector<char>{} : read_cache(pipeline_cache_path_, physical_);
    auto info = make_struct<VkPipelineCacheCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO);
    info.initialDataSize = data.size();
    info.pInitialData = data.data();
    check(vkCreatePipelineCache(device_, &info, nullptr, &pipeline_cache_), "creating the pipeline cache");
    set_name(VK_OBJECT_TYPE_PIPELINE_CACHE, pipeline_cache_, "compiled pipelines");
    loaded_cache_hash_ = hash_bytes(data);
}

void Device::save_pipeline_cache() const noexcept {
    if (pipeline_cache_path_.empty() || pipeline_cache_ == VK_NULL_HANDLE) return;
    try {
        size_t size = 0;
        check(vkGetPipelineCacheData(device_, pipeline_cache_, &size, nullptr), "reading the pipeline cache");
        std::vector<char> data(size);
        check(vkGetPipelineCacheData(device_, pipeline_cache_, &size, data.data()), "reading the pipeline cache");
        data.resize(size);
        CacheHeader header{};
        std::memcpy(header.magic, kCacheMagic, sizeof kCacheMagic);
        header.size = data.size();
        header.hash = hash_bytes(data);
        if (header.hash == loaded_cache_hash_) return;
        if (pipeline_cache_path_.has_parent_path())
            static_cast<void>(create_folders(pipeline_cache_path_.parent_path()));  // writing says what is wrong
        AtomicFile file(pipeline_cache_path_);
        file.write(std::as_bytes(std::span(&header, 1)));
        file.write(std::as_bytes(std::span(data)));
        file.commit();
    } catch (const std::exception& error) {
        try {
            note(std::string("the pipeline cache was not kept: ") + error.what());
        } catch (...) {  // NOLINT(bugprone-empty-catch): nothing is left to say it with
        }
    }
}

void Device::destroy() noexcept {
    if (device_ == VK_NULL_HANDLE || hung_)
        return;  // a hung device cannot be destroyed: whatever it does, it does with its objects
    retired_.clear();
    if (pipeline_cache_ != VK_NULL_HANDLE) vkDestroyPipelineCache(device_, pipeline_cache_, nullptr);
    if (allocator_ != nullptr) vmaDestroyAllocator(allocator_);
    if (timeline_ != VK_NULL_HANDLE) vkDestroySemaphore(device_, timeline_, nullptr);
    vkDestroyDevice(device_, nullptr);
    device_ = VK_NULL_HANDLE;
}

MemoryUsage Device::memory_usage() const {
    std::array<VmaBudget, VK_MAX_MEMORY_HEAPS> budgets{};
    vmaGetHeapBudgets(allocator_, budgets.data());
    const VkPhysicalDeviceMemoryProperties* memory = nullptr;
    vmaGetMemoryProperties(allocator_, &memory);
    MemoryUsage usage;
    for (uint32_t i = 0; i < memory->memoryHeapCount; ++i) {
        if ((memory->memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) == 0) continue;
        usage.allocated += budgets[i].statistics.blockBytes;
        usage.used += budgets[i].statistics.allocationBytes;
        usage.budget += budgets[i].budget;
    }
    return usage;
}

void Device::set_name(VkObjectType type, uint64_t object, std::string_view name) const {
    if (!instance_.debug_utils() || name.empty() || object == 0) return;
    const std::string text(name);
    auto info = make_struct<VkDebugUtilsObjectNameInfoEXT>(VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT);
    info.objectType = type;
    info.objectHandle = object;
    info.pObjectName = text.c_str();
    check(vkSetDebugUtilsObjectNameEXT(device_, &info), "naming '" + text + "'");
}

void Device::label_queue(const char* name) {
    if (!instance_.debug_utils()) return;
    auto label = make_struct<VkDebugUtilsLabelEXT>(VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT);
    label.pLabelName = name;
    const std::lock_guard lock(queue_mutex_);
    vkQueueInsertDebugUtilsLabelEXT(queue_, &label);
}

uint64_t Device::submit(VkCommandBuffer commands, const SubmitSync& sync, std::string_view doing) {
    const std::lock_guard lock(queue_mutex_);
    auto command_info = make_struct<VkCommandBufferSubmitInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO);
    command_info.commandBuffer = commands;
    auto wait = make_struct<VkSemaphoreSubmitInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO);
    wait.semaphore = sync.wait;
    wait.stageMask = sync.wait_stage;
    std::array<VkSemaphoreSubmitInfo, 2> signals{};
    signals[0].sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO;
    signals[0].semaphore = timeline_;
    signals[0].value = last_submission_ + 1;
    signals[0].stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    signals[1].sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO;
    signals[1].semaphore = sync.signal;
    signals[1].stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    auto info = make_struct<VkSubmitInfo2>(VK_STRUCTURE_TYPE_SUBMIT_INFO_2);
    info.waitSemaphoreInfoCount = sync.wait == VK_NULL_HANDLE ? 0 : 1;
    info.pWaitSemaphoreInfos = &wait;
    info.commandBufferInfoCount = 1;
    info.pCommandBufferInfos = &command_info;
    info.signalSemaphoreInfoCount = sync.signal == VK_NULL_HANDLE ? 1 : 2;
    info.pSignalSemaphoreInfos = signals.data();
    check(vkQueueSubmit2(queue_, 1, &info, VK_NULL_HANDLE), doing);
    return ++last_submission_;
}

VkResult Device::present(const VkPresentInfoKHR& info) {
    const std::lock_guard lock(queue_mutex_);
    return vkQueuePresentKHR(queue_, &info);
}

void Device::wait(uint64_t submission, std::string_view doing) const {
    if (submission == 0) return;
    const uint64_t seconds = capabilities_.type == VK_PHYSICAL_DEVICE_TYPE_CPU ? kHangSecondsCpu : kHangSeconds;
    auto info = make_struct<VkSemaphoreWaitInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO);
    info.semaphoreCount = 1;
    info.pSemaphores = &timeline_;
    info.pValues = &submission;
    const VkResult result = hung_ ? VK_TIMEOUT : vkWaitSemaphores(device_, &info, seconds * 1'000'000'000U);
    if (result == VK_TIMEOUT) {
        hung_ = true;
        throw Error(std::string(doing) + " failed: " + capabilities_.name + " made no progress for " +
                    std::to_string(seconds) + " s (it hangs; try another --backend or a newer driver)");
    }
    check(result, doing);
}

uint64_t Device::completed_submission() const {
    uint64_t value = 0;
    check(vkGetSemaphoreCounterValue(device_, timeline_, &value), "asking how far the GPU is");
    return value;
}

void Device::wait_idle() {
    wait(last_submission_, "waiting for the GPU");
    if (!hung_) {
        const std::lock_guard lock(queue_mutex_);
        check(vkDeviceWaitIdle(device_), "waiting for the GPU");
    }
    collect_retired();
}

void Device::retire_erased(std::shared_ptr<void> resource) {
    const std::lock_guard lock(retired_mutex_);
    retired_.push_back({frame_open_ ? kOpenFrame : last_submission_.load(), std::move(resource)});
}

void Device::frame_opened() {
    const std::lock_guard lock(retired_mutex_);
    frame_open_ = true;
}

void Device::frame_submitted(uint64_t submission) {
    const std::lock_guard lock(retired_mutex_);
    frame_open_ = false;
    for (Retired& retired : retired_) {
        if (retired.submission == kOpenFrame) retired.submission = submission;
    }
}

void Device::collect_retired() {
    const uint64_t completed = completed_submission();
    std::vector<Retired> over;  // destroyed after the lock is gone: a resource may retire others
    {
        const std::lock_guard lock(retired_mutex_);
        const auto first_over = std::stable_partition(retired_.begin(), retired_.end(),
                                                      [&](const Retired& r) { return r.submission > completed; });
        over.assign(std::make_move_iterator(first_over), std::make_move_iterator(retired_.end()));
        retired_.erase(first_over, retired_.end());
    }
}

void Device::provoke_validation_message() {
    const Buffer buffer(*this, {.size = 256, .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, .name = "provoked hazard"});
    submit_and_wait(*this, "provoking a validation message", [&](VkCommandBuffer commands, DescriptorArena&) {
        vkCmdFillBuffer(commands, buffer.handle(), 0, 256, 1);
        vkCmdFillBuffer(commands, buffer.handle(), 0, 256, 2);  // no barrier between: write after write
    });
}

}  // namespace sublet::gpu
