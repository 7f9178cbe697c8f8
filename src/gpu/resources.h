#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gpu/device.h"
#include "gpu/vulkan.h"

namespace sublet::gpu {

// Where a buffer lives and who touches it.
enum class Memory {
    kDevice,    // the GPU alone; filled by Uploader, read by read_buffer()
    kUpload,    // mapped, coherent; the CPU writes (in order, never reads), the GPU reads
    kReadback,  // mapped, coherent, cached; the GPU writes, the CPU reads after the submission is over
};

struct BufferDesc {
    VkDeviceSize size = 0;         // bytes; rounded up to a multiple of 4, at least 4
    VkBufferUsageFlags usage = 0;  // transfer source and destination are added to every buffer
    Memory memory = Memory::kDevice;
    std::string name = {};  // for captures and messages
    // Memory types, a bit each, of what a driver makes generated commands of, for nothing else; 0: it is none.
    uint32_t preprocess_types = 0;
};

// A buffer with its memory. Move-only; an empty one (default-constructed or moved from) is false.
class Buffer {
  public:
    Buffer() = default;
    // Throws Error naming the buffer and its size in MiB when it is larger than the device allows or memory runs out.
    Buffer(Device& device, const BufferDesc& desc);
    ~Buffer();
    Buffer(Buffer&& other) noexcept;
    Buffer& operator=(Buffer&& other) noexcept;

    explicit operator bool() const { return buffer_ != VK_NULL_HANDLE; }
    [[nodiscard]] VkBuffer handle() const { return buffer_; }
    // Bytes, after rounding.
    [[nodiscard]] VkDeviceSize size() const { return size_; }
    // Where it lies, of one with indirect commands or for preprocessing; takes Capabilities::generated_commands.
    [[nodiscard]] VkDeviceAddress address() const;
    // The whole buffer as mapped memory; nullptr for Memory::kDevice.
    [[nodiscard]] void* mapped() const { return mapped_; }
    template <class T>
    [[nodiscard]] std::span<T> mapped_as() const {
        return {static_cast<T*>(mapped_), mapped_ == nullptr ? 0 : static_cast<size_t>(size_ / sizeof(T))};
    }
    [[nodiscard]] const std::string& name() const { return name_; }

  private:
    void destroy() noexcept;

    Device* device_ = nullptr;
    VkBuffer buffer_ = VK_NULL_HANDLE;
    VmaAllocation allocation_ = nullptr;
    VkDeviceSize size_ = 0;
    void* mapped_ = nullptr;
    std::string name_;
};

// Memory on the device that images are made in, taken at once: a driver that grants more holds up what another thread
// submits. Neither copied nor moved.
class ImageMemory {
  public:
    // For images of this format and usage. Where the device has not so many bytes left, it is none, and no image finds
    // room there.
    ImageMemory(Device& device, VkFormat format, VkImageUsageFlags usage, VkDeviceSize bytes);
    ~ImageMemory();
    ImageMemory(const ImageMemory&) = delete;
    ImageMemory& operator=(const ImageMemory&) = delete;

    // nullptr: none.
    [[nodiscard]] VmaPool pool() const { return pool_; }
    [[nodiscard]] uint32_t memory_type() const { return memory_type_; }
    // In images, now.
    [[nodiscard]] VkDeviceSize used() const;

  private:
    Device& device_;
    VmaPool pool_ = nullptr;
    uint32_t memory_type_ = 0;
};

struct ImageDesc {
    VkExtent2D extent{};  // texels
    VkFormat format = VK_FORMAT_UNDEFINED;
    VkImageUsageFlags usage = 0;  // as given; nothing is added
    uint32_t mips = 1;            // see full_mip_count()
    uint32_t layers = 1;
    bool cube = false;                   // its 6 layers are faces: view() is a cube
    VkComponentMapping components = {};  // how view() is read
    std::string name = {};
    std::shared_ptr<const ImageMemory> memory = {};  // where it lies if it finds room there
};

// A 2D image, or a cube of them, with its memory and views; contents and layout start undefined and are the caller's to
// track. Move-only.
class Image {
  public:
    Image() = default;
    // Throws Error naming the image, its size and format when the device has no such image or memory runs out.
    Image(Device& device, const ImageDesc& desc);
    ~Image();
    Image(Image&& other) noexcept;
    Image& operator=(Image&& other) noexcept;

    explicit operator bool() const { return image_ != VK_NULL_HANDLE; }
    [[nodiscard]] VkImage handle() const { return image_; }
    // All mips and layers: a 2D view, or a 2D array when there are several layers, or a cube.
    [[nodiscard]] VkImageView view() const { return view_; }
    // One mip, all layers, those of a cube as a 2D array. `mip` < mips().
    [[nodiscard]] VkImageView mip_view(uint32_t mip) const { return mip_views_[mip]; }
    [[nodiscard]] VkExtent2D extent() const { return extent_; }
    // The size of a mip, at least 1x1.
    [[nodiscard]] VkExtent2D mip_extent(uint32_t mip) const;
    [[nodiscard]] VkFormat format() const { return format_; }
    [[nodiscard]] uint32_t mips() const { return mips_; }
    [[nodiscard]] uint32_t layers() const { return layers_; }
    // Depth or colour, by the format.
    [[nodiscard]] VkImageAspectFlags aspect() const;
    [[nodiscard]] const std::string& name() const { return name_; }

  private:
    void allocate_in(const std::shared_ptr<const ImageMemory>& memory, const VkImageCreateInfo& info,
                     uint32_t memory_types);
    void allocate(const VkImageCreateInfo& info, VkDeviceSize size, const std::string& what);
    void create_views(const std::string& what, const VkComponentMapping& components);
    void destroy() noexcept;

    Device* device_ = nullptr;
    VkImage image_ = VK_NULL_HANDLE;
    VmaAllocation allocation_ = nullptr;
    std::shared_ptr<const ImageMemory> memory_;  // that it lies in
    VkImageView view_ = VK_NULL_HANDLE;
    std::vector<VkImageView> mip_views_;
    VkExtent2D extent_{};
    VkFormat format_ = VK_FORMAT_UNDEFINED;
    uint32_t mips_ = 0;
    uint32_t layers_ = 0;
    bool cube_ = false;
    std::string name_;
};

struct SamplerDesc {
    VkFilter filter = VK_FILTER_LINEAR;      // magnification
    VkFilter min_filter = VK_FILTER_LINEAR;  // minification
    VkSamplerMipmapMode mipmap_mode = VK_SAMPLER_MIPMAP_MODE_LINEAR;
    VkSamplerAddressMode address_u = VK_SAMPLER_ADDRESS_MODE_REPEAT;
    VkSamplerAddressMode address_v = VK_SAMPLER_ADDRESS_MODE_REPEAT;
    bool mips = true;             // else level 0 alone is read
    float max_anisotropy = 1.0F;  // clamped to the device's limit; 1 where there is no sampler_anisotropy
    // Min or max need Capabilities::sampler_minmax, else Error.
    VkSamplerReductionMode reduction = VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE;
    std::string name = {};
};

// Move-only.
class Sampler {
  public:
    Sampler() = default;
    Sampler(Device& device, const SamplerDesc& desc);
    ~Sampler();
    Sampler(Sampler&& other) noexcept;
    Sampler& operator=(Sampler&& other) noexcept;

    explicit operator bool() const { return sampler_ != VK_NULL_HANDLE; }
    [[nodiscard]] VkSampler handle() const { return sampler_; }

  private:
    Device* device_ = nullptr;
    VkSampler sampler_ = VK_NULL_HANDLE;
};

// floor(log2(max(width, height))) + 1: the mips down to 1x1.
uint32_t full_mip_count(VkExtent2D extent);

// Of a sampler for images that are read texel by texel.
SamplerDesc texel_sampler(std::string name);

// Bytes of one texel of an uncompressed single-plane colour format or of D16, D32 (depth alone). Throws Error for a
// format it does not know.
uint32_t texel_bytes(VkFormat format);

// Bytes of an image of such a format, all its levels and layers; 0 of none.
uint64_t image_bytes(const Image& image);

// A format's texels as they lie in memory: one, or the 4x4 of a block.
struct FormatBlock {
    uint32_t side = 1;
    uint32_t bytes = 0;

    // How many an image of so many texels has along a side.
    [[nodiscard]] uint32_t count(uint32_t texels) const { return (texels + side - 1) / side; }
};

// Of the formats that texel_bytes() knows, and of BC1 to BC7. Throws Error for any other.
FormatBlock format_block(VkFormat format);

}  // namespace sublet::gpu
