#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "gpu/pipeline.h"
#include "gpu/resources.h"

namespace sublet::gpu {

// What goes to one element of one binding of a set. Made by the functions below; the descriptor type is the pipeline's.
struct Descriptor {
    uint32_t binding = 0;
    uint32_t element = 0;
    VkDescriptorBufferInfo buffer{};  // for buffer types
    VkDescriptorImageInfo image{};    // for image and sampler types
};

// A storage or uniform buffer, or `size` bytes of it from `offset` (a multiple of the device's
// minStorageBufferOffsetAlignment).
Descriptor buffer_at(uint32_t binding, const Buffer& buffer, VkDeviceSize offset = 0,
                     VkDeviceSize size = VK_WHOLE_SIZE);
// A combined image sampler; the image is in SHADER_READ_ONLY_OPTIMAL unless said otherwise.
Descriptor texture_at(uint32_t binding, VkImageView view, VkSampler sampler,
                      VkImageLayout layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
// A sampled image without a sampler.
Descriptor sampled_image_at(uint32_t binding, VkImageView view,
                            VkImageLayout layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
// A storage image, in GENERAL. `element` for an array of them (one mip each, say).
Descriptor storage_image_at(uint32_t binding, VkImageView view, uint32_t element = 0);

// Descriptor sets that live as long as one frame: allocated linearly from pools, given back all at once.
class DescriptorArena {
  public:
    // Captures know its pools by `name`.
    DescriptorArena(Device& device, std::string_view name);
    ~DescriptorArena();
    DescriptorArena(const DescriptorArena&) = delete;
    DescriptorArena& operator=(const DescriptorArena&) = delete;

    // Binds the pipeline, and a new set `set` with these descriptors. Every element of every binding that its shaders
    // declare there must be given; what they don't declare is passed over, so that variants of a pass are given the
    // same list. Throws Error naming pipeline and binding: missing, given twice, or a buffer range beyond the device's
    // maxStorageBufferRange (bind it in pieces).
    void bind(Commands commands, const Pipeline& pipeline, std::span<const Descriptor> descriptors, uint32_t set = 0);
    void bind(Commands commands, const Pipeline& pipeline, std::initializer_list<Descriptor> descriptors,
              uint32_t set = 0) {
        bind(commands, pipeline, std::span<const Descriptor>(descriptors.begin(), descriptors.size()), set);
    }

    // Takes all sets back. The GPU must be done with them: FrameRing sees to that.
    void reset();

  private:
    VkDescriptorSet allocate(const Pipeline& pipeline, uint32_t set);

    Device& device_;
    std::string name_;
    std::vector<VkDescriptorPool> pools_;
    size_t current_ = 0;
    std::vector<VkWriteDescriptorSet> writes_;  // kept for its capacity
};

// Set kTextureSet: an array of combined image samplers at binding 0. With Capabilities::descriptor_indexing the shader
// declares layout(set = 1, binding = 0) uniform sampler2D textures[]; and indexes it with nonuniformEXT. Without, it
// declares textures[kFewTextures] and may only use constant indices. Elements never set hold a white texel where the
// device asks for all to be there.
class BindlessTextures {
  public:
    // `capacity` textures (0 is allowed); Error beyond Capabilities::max_bindless_textures. All tables of a device have
    // interchangeable layouts: a pipeline made with one works with another of any capacity.
    BindlessTextures(Device& device, uint32_t capacity);
    ~BindlessTextures();
    BindlessTextures(const BindlessTextures&) = delete;
    BindlessTextures& operator=(const BindlessTextures&) = delete;

    [[nodiscard]] VkDescriptorSetLayout layout() const { return layout_; }
    [[nodiscard]] uint32_t capacity() const { return capacity_; }

    // Writes one element; the view must be in SHADER_READ_ONLY_OPTIMAL when used. Not while the GPU uses the table.
    // Throws Error when the index is not below capacity().
    void set(uint32_t index, VkImageView view, VkSampler sampler);
    // Binds the table as set kTextureSet.
    void bind(Commands commands, const Pipeline& pipeline) const;

  private:
    void create();
    void fill_with_white();
    void write(uint32_t index, VkImageView view, VkSampler sampler);
    void destroy() noexcept;

    Device& device_;
    VkDescriptorSetLayout layout_ = VK_NULL_HANDLE;
    VkDescriptorPool pool_ = VK_NULL_HANDLE;
    VkDescriptorSet set_ = VK_NULL_HANDLE;
    uint32_t capacity_ = 0;
    Image white_;  // without descriptor indexing, in every element that is not set
    Sampler white_sampler_;
};

}  // namespace sublet::gpu
