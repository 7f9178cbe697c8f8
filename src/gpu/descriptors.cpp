#include "gpu/descriptors.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "gpu/barriers.h"
#include "gpu/frame.h"

namespace sublet::gpu {

namespace {

// Sets in one pool of an arena, and what it holds for them: a dozen storage buffers each, fewer of the others. A set
// that is too large for what is left goes to the next pool.
constexpr uint32_t kSetsPerPool = 128;
constexpr std::array kPoolSizes{
    VkDescriptorPoolSize{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, kSetsPerPool * 12},
    VkDescriptorPoolSize{VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, kSetsPerPool * 2},
    VkDescriptorPoolSize{VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, kSetsPerPool * 2},
    VkDescriptorPoolSize{VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, kSetsPerPool},
    VkDescriptorPoolSize{VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, kSetsPerPool * 4},
    VkDescriptorPoolSize{VK_DESCRIPTOR_TYPE_SAMPLER, kSetsPerPool},
};

VkDescriptorPool make_arena_pool(const Device& device, const std::string& name) {
    auto info = make_struct<VkDescriptorPoolCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO);
    info.maxSets = kSetsPerPool;
    info.poolSizeCount = static_cast<uint32_t>(kPoolSizes.size());
    info.pPoolSizes = kPoolSizes.data();
    VkDescriptorPool pool = VK_NULL_HANDLE;
    check(vkCreateDescriptorPool(device.handle(), &info, nullptr, &pool), "creating a descriptor pool");
    device.set_name(VK_OBJECT_TYPE_DESCRIPTOR_POOL, pool, name);
    return pool;
}

bool is_buffer(VkDescriptorType type) {
    return type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER || type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
}

std::string where(const Pipeline& pipeline, const Binding& binding) {
    return "pipeline '" + pipeline.name() + "', set " + std::to_string(binding.set) + ", binding " +
           std::to_string(binding.binding) + ": ";
}

void check_buffer(const Device& device, const Pipeline& pipeline, const Binding& binding,
                  const VkDescriptorBufferInfo& buffer) {
    const VkPhysicalDeviceLimits& limits = device.capabilities().limits;
    const bool storage = binding.type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    const VkDeviceSize most = storage ? limits.maxStorageBufferRange : limits.maxUniformBufferRange;
    const VkDeviceSize alignment =
        storage ? limits.minStorageBufferOffsetAlignment : limits.minUniformBufferOffsetAlignment;
    if (buffer.buffer == VK_NULL_HANDLE || buffer.range == 0)
        throw Error(where(pipeline, binding) + "no buffer, or no bytes of it");
    if (buffer.range > most) {
        throw Error(where(pipeline, binding) + std::to_string(buffer.range) + " bytes are more than " +
                    device.capabilities().name + " can bind at once (" + std::to_string(most) + ")");
    }
    if (buffer.offset % alignment != 0) {
        throw Error(where(pipeline, binding) + "offset " + std::to_string(buffer.offset) + " is not a multiple of " +
                    std::to_string(alignment));
    }
}

// That of `descriptors` which is for an element of a binding.
VkWriteDescriptorSet write_of(const Device& device, const Pipeline& pipeline, const Binding& binding, uint32_t element,
                              std::span<const Descriptor> descriptors) {
    const Descriptor* found = nullptr;
    for (const Descriptor& descriptor : descriptors) {
        if (descriptor.binding != binding.binding || descriptor.element != element) continue;
        if (found != nullptr) throw Error(where(pipeline, binding) + "it is given twice");
        found = &descriptor;
    }
    if (found == nullptr) throw Error(where(pipeline, binding) + "nothing is given for it");
    if (is_buffer(binding.type)) {
        check_buffer(device, pipeline, binding, found->buffer);
    } else if (found->buffer.buffer != VK_NULL_HANDLE) {
        throw Error(where(pipeline, binding) + "a buffer is given where an image is wanted");
    }
    auto write = make_struct<VkWriteDescriptorSet>(VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET);
    write.dstBinding = binding.binding;
    write.dstArrayElement = element;
    write.descriptorCount = 1;
    write.descriptorType = binding.type;
    write.pBufferInfo = &found->buffer;
    write.pImageInfo = &found->image;
    return write;
}

}  // namespace

Descriptor buffer_at(uint32_t binding, const Buffer& buffer, VkDeviceSize offset, VkDeviceSize size) {
    const VkDeviceSize left = buffer.size() > offset ? buffer.size() - offset : 0;
    Descriptor descriptor;
    descriptor.binding = binding;
    descriptor.buffer = {buffer.handle(), offset, size == VK_WHOLE_SIZE ? left : (size <= left ? size : 0)};
    return descriptor;
}

Descriptor texture_at(uint32_t binding, VkImageView view, VkSampler sampler, VkImageLayout layout) {
    Descriptor descriptor;
    descriptor.binding = binding;
    descriptor.image = {sampler, view, layout};
    return descriptor;
}

Descriptor sampled_image_at(uint32_t binding, VkImageView view, VkImageLayout layout) {
    return texture_at(binding, view, VK_NULL_HANDLE, layout);
}

Descriptor storage_image_at(uint32_t binding, VkImageView view, uint32_t element) {
    Descriptor descriptor = texture_at(binding, view, VK_NULL_HANDLE, VK_IMAGE_LAYOUT_GENERAL);
    descriptor.element = element;
    return descriptor;
}

DescriptorArena::DescriptorArena(Device& device, std::string_view name) : device_(device), name_(name) {}

DescriptorArena::~DescriptorArena() {
    for (const VkDescriptorPool pool : pools_) vkDestroyDescriptorPool(device_.handle(), pool, nullptr);
}

VkDescriptorSet DescriptorArena::allocate(const Pipeline& pipeline, uint32_t set) {
    const VkDescriptorSetLayout layout = pipeline.set_layout(set);
    auto info = make_struct<VkDescriptorSetAllocateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO);
    info.descriptorSetCount = 1;
    info.pSetLayouts = &layout;
    for (;; ++current_) {
        const bool fresh = current_ == pools_.size();
        if (fresh) pools_.push_back(make_arena_pool(device_, name_));
        info.descriptorPool = pools_[current_];
        VkDescriptorSet made = VK_NULL_HANDLE;
        const VkResult result = vkAllocateDescriptorSets(device_.handle(), &info, &made);
        if (result == VK_SUCCESS) return made;
        const bool full = result == VK_ERROR_OUT_OF_POOL_MEMORY || result == VK_ERROR_FRAGMENTED_POOL;
        if (!full || fresh) check(result, "allocating descriptors of pipeline '" + pipeline.name() + "'");
    }
}

void DescriptorArena::bind(Commands commands, const Pipeline& pipeline, std::span<const Descriptor> descriptors,
                           uint32_t set) {
    pipeline.bind(commands);
    writes_.clear();
    for (const Binding& binding : pipeline.bindings()) {
        if (binding.set != set) continue;
        for (uint32_t element = 0; element < binding.count; ++element) {
            writes_.push_back(write_of(device_, pipeline, binding, element, descriptors));
        }
    }
    if (writes_.empty()) return;
    const VkDescriptorSet made = allocate(pipeline, set);
    for (VkWriteDescriptorSet& write : writes_) write.dstSet = made;
    vkUpdateDescriptorSets(device_.handle(), static_cast<uint32_t>(writes_.size()), writes_.data(), 0, nullptr);
    commands.record([point = pipeline.bind_point(), layout = pipeline.layout(), set, made](VkCommandBuffer c) {
        vkCmdBindDescriptorSets(c, point, layout, set, 1, &made, 0, nullptr);
    });
}

void DescriptorArena::reset() {
    const size_t used = std::min(current_ + 1, pools_.size());
    for (size_t i = 0; i < used; ++i)
        check(vkResetDescriptorPool(device_.handle(), pools_[i], 0), "resetting descriptors");
    current_ = 0;
}

BindlessTextures::BindlessTextures(Device& device, uint32_t capacity) : device_(device), capacity_(capacity) {
    const Capabilities& c = device.capabilities();
    if (capacity > c.max_bindless_textures) {
        throw Error("the scene has " + std::to_string(capacity) + " textures, and " + c.name + " can bind " +
                    std::to_string(c.max_bindless_textures) + ": use fewer images");
    }
    try {
        create();
    } catch (...) {
        destroy();
        throw;
    }
}

void BindlessTextures::create() {
    // The layout is the same for every table, whatever its capacity, so that pipelines fit them all.
    const bool indexing = device_.capabilities().descriptor_indexing;
    VkDescriptorSetLayoutBinding binding{};
    binding.binding = 0;
    binding.descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
    binding.descriptorCount = indexing ? std::max(device_.capabilities().max_bindless_textures, 1U) : kFewTextures;
    binding.stageFlags = VK_SHADER_STAGE_FRAGMENT_BIT | VK_SHADER_STAGE_COMPUTE_BIT;
    constexpr VkDescriptorBindingFlags kFlags =
        VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT | VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT;
    auto flags = make_struct<VkDescriptorSetLayoutBindingFlagsCreateInfo>(
        VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO);
    flags.bindingCount = 1;
    flags.pBindingFlags = &kFlags;
    auto layout = make_struct<VkDescriptorSetLayoutCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO);
    if (indexing) layout.pNext = &flags;
    layout.bindingCount = 1;
    layout.pBindings = &binding;
    check(vkCreateDescriptorSetLayout(device_.handle(), &layout, nullptr, &layout_),
          "creating the layout of the texture table");
    device_.set_name(VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT, layout_, "textures");

    const uint32_t count = indexing ? std::max(capacity_, 1U) : kFewTextures;
    const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, count};
    auto pool = make_struct<VkDescriptorPoolCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO);
    pool.maxSets = 1;
    pool.poolSizeCount = 1;
    pool.pPoolSizes = &size;
    check(vkCreateDescriptorPool(device_.handle(), &pool, nullptr, &pool_), "creating the pool of the texture table");
    device_.set_name(VK_OBJECT_TYPE_DESCRIPTOR_POOL, pool_, "textures");

    auto variable = make_struct<VkDescriptorSetVariableDescriptorCountAllocateInfo>(
        VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_ALLOCATE_INFO);
    variable.descriptorSetCount = 1;
    variable.pDescriptorCounts = &count;
    auto allocate = make_struct<VkDescriptorSetAllocateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO);
    if (indexing) allocate.pNext = &variable;
    allocate.descriptorPool = pool_;
    allocate.descriptorSetCount = 1;
    allocate.pSetLayouts = &layout_;
    check(vkAllocateDescriptorSets(device_.handle(), &allocate, &set_), "allocating the texture table");
    device_.set_name(VK_OBJECT_TYPE_DESCRIPTOR_SET, set_, "textures");
    if (!indexing) fill_with_white();
}

// Without partially bound descriptors every element of the array must be valid, used or not.
void BindlessTextures::fill_with_white() {
    white_ = Image(device_, {.extent = {1, 1},
                             .format = VK_FORMAT_R8G8B8A8_UNORM,
                             .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
                             .name = "white"});
    white_sampler_ = Sampler(device_, {.name = "white"});
    submit_and_wait(device_, "clearing the white texel", [&](Commands commands, DescriptorArena&) {
        image_barrier(commands, white_, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, kNothing,
                      kTransferWrite);
        const VkClearColorValue white{{1.0F, 1.0F, 1.0F, 1.0F}};
        const VkImageSubresourceRange range{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
        vkCmdClearColorImage(commands, white_.handle(), VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &white, 1, &range);
        image_barrier(commands, white_, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
                      kTransferWrite, kEverything);
    });
    for (uint32_t i = 0; i < kFewTextures; ++i) write(i, white_.view(), white_sampler_.handle());
}

void BindlessTextures::destroy() noexcept {
    vkDestroyDescriptorPool(device_.handle(), pool_, nullptr);
    vkDestroyDescriptorSetLayout(device_.handle(), layout_, nullptr);
}

BindlessTextures::~BindlessTextures() {
    destroy();
}

void BindlessTextures::set(uint32_t index, VkImageView view, VkSampler sampler) {
    if (index >= capacity_) {
        throw Error("texture " + std::to_string(index) + " is not in a table of " + std::to_string(capacity_));
    }
    write(index, view, sampler);
}

void BindlessTextures::write(uint32_t index, VkImageView view, VkSampler sampler) {
    const VkDescriptorImageInfo image{sampler, view, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    auto write = make_struct<VkWriteDescriptorSet>(VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET);
    write.dstSet = set_;
    write.dstArrayElement = index;
    write.descriptorCount = 1;
    write.descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
    write.pImageInfo = &image;
    vkUpdateDescriptorSets(device_.handle(), 1, &write, 0, nullptr);
}

void BindlessTextures::bind(Commands commands, const Pipeline& pipeline) const {
    commands.record([point = pipeline.bind_point(), layout = pipeline.layout(), set = set_](VkCommandBuffer c) {
        vkCmdBindDescriptorSets(c, point, layout, kTextureSet, 1, &set, 0, nullptr);
    });
}

}  // namespace sublet::gpu
