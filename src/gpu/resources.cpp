#include "gpu/resources.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <utility>

#include "base/error.h"
#include "gpu/memory_allocator.h"

namespace sublet::gpu {

namespace {

struct FormatInfo {
    VkFormat format;
    const char* name;
    uint32_t bytes;
};

constexpr std::array kFormats{
    FormatInfo{VK_FORMAT_R8_UNORM, "R8_UNORM", 1},
    FormatInfo{VK_FORMAT_R8_UINT, "R8_UINT", 1},
    FormatInfo{VK_FORMAT_R8G8_UNORM, "R8G8_UNORM", 2},
    FormatInfo{VK_FORMAT_R8G8B8A8_UNORM, "R8G8B8A8_UNORM", 4},
    FormatInfo{VK_FORMAT_R8G8B8A8_SRGB, "R8G8B8A8_SRGB", 4},
    FormatInfo{VK_FORMAT_R8G8B8A8_UINT, "R8G8B8A8_UINT", 4},
    FormatInfo{VK_FORMAT_B8G8R8A8_UNORM, "B8G8R8A8_UNORM", 4},
    FormatInfo{VK_FORMAT_B8G8R8A8_SRGB, "B8G8R8A8_SRGB", 4},
    FormatInfo{VK_FORMAT_A2B10G10R10_UNORM_PACK32, "A2B10G10R10_UNORM", 4},
    FormatInfo{VK_FORMAT_B10G11R11_UFLOAT_PACK32, "B10G11R11_UFLOAT", 4},
    FormatInfo{VK_FORMAT_R16_UINT, "R16_UINT", 2},
    FormatInfo{VK_FORMAT_R16_SFLOAT, "R16_SFLOAT", 2},
    FormatInfo{VK_FORMAT_R16G16_SFLOAT, "R16G16_SFLOAT", 4},
    FormatInfo{VK_FORMAT_R16G16B16A16_UNORM, "R16G16B16A16_UNORM", 8},
    FormatInfo{VK_FORMAT_R16G16B16A16_SFLOAT, "R16G16B16A16_SFLOAT", 8},
    FormatInfo{VK_FORMAT_R32_UINT, "R32_UINT", 4},
    FormatInfo{VK_FORMAT_R32_SFLOAT, "R32_SFLOAT", 4},
    FormatInfo{VK_FORMAT_R32G32_UINT, "R32G32_UINT", 8},
    FormatInfo{VK_FORMAT_R32G32_SFLOAT, "R32G32_SFLOAT", 8},
    FormatInfo{VK_FORMAT_R32G32B32A32_UINT, "R32G32B32A32_UINT", 16},
    FormatInfo{VK_FORMAT_R32G32B32A32_SFLOAT, "R32G32B32A32_SFLOAT", 16},
    FormatInfo{VK_FORMAT_R64_UINT, "R64_UINT", 8},
    FormatInfo{VK_FORMAT_D16_UNORM, "D16_UNORM", 2},
    FormatInfo{VK_FORMAT_D32_SFLOAT, "D32_SFLOAT", 4},
};

const FormatInfo* find_format(VkFormat format) {
    const auto found =
        std::find_if(kFormats.begin(), kFormats.end(), [&](const FormatInfo& f) { return f.format == format; });
    return found == kFormats.end() ? nullptr : &*found;
}

std::string format_text(VkFormat format) {
    const FormatInfo* info = find_format(format);
    return info != nullptr ? info->name : "VkFormat " + std::to_string(static_cast<int>(format));
}

std::string mib(VkDeviceSize bytes) {
    std::array<char, 48> text{};
    std::snprintf(text.data(), text.size(), "%.1f MiB", static_cast<double>(bytes) / (1024.0 * 1024.0));
    return text.data();
}

// What to say when memory runs out.
std::string out_of_memory(const Device& device, const std::string& what) {
    const MemoryUsage usage = device.memory_usage();
    return what + ": not enough memory on " + device.capabilities().name + " (" + mib(usage.used) + " of " +
           mib(usage.budget) + " in use): close other programs or use a smaller scene or picture";
}

// Whether so many more bytes of this memory type are in the budget of its heap.
bool in_budget(const Device& device, uint32_t memory_type, VkDeviceSize size) {
    const VkPhysicalDeviceMemoryProperties* memory = nullptr;
    vmaGetMemoryProperties(device.allocator(), &memory);
    std::array<VmaBudget, VK_MAX_MEMORY_HEAPS> budgets{};
    vmaGetHeapBudgets(device.allocator(), budgets.data());
    const VmaBudget& heap = budgets[memory->memoryTypes[memory_type].heapIndex];
    // Free room in blocks that are there already can be used. The driver's figure may leave out memory that was never
    // touched.
    const VkDeviceSize room = heap.statistics.blockBytes - heap.statistics.allocationBytes;
    const VkDeviceSize used = std::max(heap.usage > room ? heap.usage - room : 0, heap.statistics.allocationBytes);
    return used <= heap.budget && size <= heap.budget - used;
}

// Drivers page beyond the budget, or, in software, take the whole machine's memory; and the allocator would quietly
// fall back to slower memory.
void check_budget(const Device& device, uint32_t memory_type, VkDeviceSize size, const std::string& what) {
    if (!in_budget(device, memory_type, size)) throw Error(out_of_memory(device, what));
}

// But for its format, usage, size and mips.
VkImageCreateInfo flat_image() {
    auto info = make_struct<VkImageCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO);
    info.imageType = VK_IMAGE_TYPE_2D;
    info.extent = {1, 1, 1};
    info.mipLevels = 1;
    info.arrayLayers = 1;
    info.samples = VK_SAMPLE_COUNT_1_BIT;
    info.tiling = VK_IMAGE_TILING_OPTIMAL;
    return info;
}

constexpr VkImageUsageFlags kViewUsages =
    VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
    VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT;

}  // namespace

Buffer::Buffer(Device& device, const BufferDesc& desc) : device_(&device), name_(desc.name) {
    const std::string what = "buffer '" + desc.name + "' of " + mib(desc.size);
    if (desc.size > device.capabilities().max_buffer_size) {
        throw Error(what + ": " + device.capabilities().name + " allows at most " +
                    mib(device.capabilities().max_buffer_size) + " in a buffer");
    }
    size_ = std::max<VkDeviceSize>((desc.size + 3) & ~VkDeviceSize{3}, 4);

    auto info = make_struct<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
    info.size = size_;
    info.usage = desc.usage | VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    if (device.capabilities().generated_commands && (desc.usage & VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT) != 0) {
        info.usage |= VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    }
    VmaAllocationCreateInfo allocation{};
    auto preprocess =
        make_struct<VkBufferUsageFlags2CreateInfoKHR>(VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO_KHR);
    if (desc.preprocess_types != 0) {
        preprocess.usage =
            VK_BUFFER_USAGE_2_PREPROCESS_BUFFER_BIT_EXT | VK_BUFFER_USAGE_2_SHADER_DEVICE_ADDRESS_BIT_KHR;
        info.pNext = &preprocess;
        info.usage |= VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;  // the allocator looks for it here
        allocation.memoryTypeBits = desc.preprocess_types;
    }
    switch (desc.memory) {
        case Memory::kDevice:
            allocation.usage = VMA_MEMORY_USAGE_AUTO_PREFER_DEVICE;
            break;
        case Memory::kUpload:
            allocation.usage = VMA_MEMORY_USAGE_AUTO;
            allocation.flags |=
                VMA_ALLOCATION_CREATE_HOST_ACCESS_SEQUENTIAL_WRITE_BIT | VMA_ALLOCATION_CREATE_MAPPED_BIT;
            allocation.requiredFlags = VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
            break;
        case Memory::kReadback:
            allocation.usage = VMA_MEMORY_USAGE_AUTO_PREFER_HOST;
            allocation.flags |= VMA_ALLOCATION_CREATE_HOST_ACCESS_RANDOM_BIT | VMA_ALLOCATION_CREATE_MAPPED_BIT;
            allocation.requiredFlags = VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
            allocation.preferredFlags = VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
            break;
    }
    uint32_t memory_type = 0;
    check(vmaFindMemoryTypeIndexForBufferInfo(device.allocator(), &info, &allocation, &memory_type), "placing " + what);
    check_budget(device, memory_type, size_, what);
    VmaAllocationInfo placed{};
    const VkResult result = vmaCreateBuffer(device.allocator(), &info, &allocation, &buffer_, &allocation_, &placed);
    if (result == VK_ERROR_OUT_OF_DEVICE_MEMORY || result == VK_ERROR_OUT_OF_HOST_MEMORY)
        throw Error(out_of_memory(device, what));
    check(result, "creating " + what);
    mapped_ = desc.memory == Memory::kDevice ? nullptr : placed.pMappedData;
    vmaSetAllocationName(device.allocator(), allocation_, name_.c_str());
    device.set_name(VK_OBJECT_TYPE_BUFFER, buffer_, name_);
}

VkDeviceAddress Buffer::address() const {
    auto info = make_struct<VkBufferDeviceAddressInfo>(VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO);
    info.buffer = buffer_;
    return vkGetBufferDeviceAddress(device_->handle(), &info);
}

void Buffer::destroy() noexcept {
    if (buffer_ != VK_NULL_HANDLE) vmaDestroyBuffer(device_->allocator(), buffer_, allocation_);
    buffer_ = VK_NULL_HANDLE;
}

Buffer::~Buffer() {
    destroy();
}

Buffer::Buffer(Buffer&& other) noexcept {
    *this = std::move(other);
}

Buffer& Buffer::operator=(Buffer&& other) noexcept {
    if (this == &other) return *this;
    destroy();
    device_ = std::exchange(other.device_, nullptr);
    buffer_ = std::exchange(other.buffer_, VK_NULL_HANDLE);
    allocation_ = std::exchange(other.allocation_, nullptr);
    size_ = std::exchange(other.size_, 0);
    mapped_ = std::exchange(other.mapped_, nullptr);
    name_ = std::move(other.name_);
    return *this;
}

ImageMemory::ImageMemory(Device& device, VkFormat format, VkImageUsageFlags usage, VkDeviceSize bytes)
    : device_(device) {
    // Every device grants so much at once.
    constexpr VkDeviceSize kMostInBlock = VkDeviceSize{1} << 30U;
    VkImageCreateInfo info = flat_image();
    info.format = format;
    info.usage = usage;
    VmaAllocationCreateInfo allocation{};
    allocation.usage = VMA_MEMORY_USAGE_AUTO_PREFER_DEVICE;
    check(vmaFindMemoryTypeIndexForImageInfo(device.allocator(), &info, &allocation, &memory_type_),
          "placing the memory of images");
    if (bytes == 0 || !in_budget(device, memory_type_, bytes)) return;
    VmaPoolCreateInfo pool{};
    pool.memoryTypeIndex = memory_type_;
    pool.minBlockCount = static_cast<size_t>((bytes + kMostInBlock - 1) / kMostInBlock);
    pool.maxBlockCount = pool.minBlockCount;
    pool.blockSize = bytes / pool.minBlockCount;
    if (vmaCreatePool(device.allocator(), &pool, &pool_) != VK_SUCCESS) pool_ = nullptr;
}

ImageMemory::~ImageMemory() {
    if (pool_ != nullptr) vmaDestroyPool(device_.allocator(), pool_);
}

VkDeviceSize ImageMemory::used() const {
    if (pool_ == nullptr) return 0;
    VmaStatistics statistics{};
    vmaGetPoolStatistics(device_.allocator(), pool_, &statistics);
    return statistics.allocationBytes;
}

Image::Image(Device& device, const ImageDesc& desc)
    : device_(&device),
      extent_(desc.extent),
      format_(desc.format),
      mips_(desc.mips),
      layers_(desc.layers),
      cube_(desc.cube),
      name_(desc.name) {
    const std::string what = "image '" + desc.name + "' of " + std::to_string(extent_.width) + "x" +
                             std::to_string(extent_.height) + " " + format_text(format_);
    if (extent_.width == 0 || extent_.height == 0 || mips_ == 0 || layers_ == 0 || mips_ > full_mip_count(extent_)) {
        throw Error(what + ": " + std::to_string(mips_) + " mips and " + std::to_string(layers_) +
                    " layers of that size make no image");
    }
    VkImageCreateInfo info = flat_image();
    info.format = format_;
    info.extent = {extent_.width, extent_.height, 1};
    info.mipLevels = mips_;
    info.arrayLayers = layers_;
    info.usage = desc.usage;
    info.flags = cube_ ? VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT : 0;

    auto format_info =
        make_struct<VkPhysicalDeviceImageFormatInfo2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2);
    format_info.format = format_;
    format_info.type = info.imageType;
    format_info.tiling = info.tiling;
    format_info.usage = info.usage;
    format_info.flags = info.flags;
    auto possible = make_struct<VkImageFormatProperties2>(VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2);
    const VkResult supported = vkGetPhysicalDeviceImageFormatProperties2(device.physical(), &format_info, &possible);
    if (supported == VK_ERROR_FORMAT_NOT_SUPPORTED)
        throw Error(what + ": " + device.capabilities().name + " has no such images");
    check(supported, "asking for " + what);
    const VkImageFormatProperties& most = possible.imageFormatProperties;
    if (extent_.width > most.maxExtent.width || extent_.height > most.maxExtent.height ||
        layers_ > most.maxArrayLayers) {
        throw Error(what + ": " + device.capabilities().name + " allows at most " +
                    std::to_string(most.maxExtent.width) + "x" + std::to_string(most.maxExtent.height) + " and " +
                    std::to_string(most.maxArrayLayers) + " layers");
    }

    auto asked = make_struct<VkDeviceImageMemoryRequirements>(VK_STRUCTURE_TYPE_DEVICE_IMAGE_MEMORY_REQUIREMENTS);
    asked.pCreateInfo = &info;
    auto dedicated = make_struct<VkMemoryDedicatedRequirements>(VK_STRUCTURE_TYPE_MEMORY_DEDICATED_REQUIREMENTS);
    auto needed = make_struct<VkMemoryRequirements2>(VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2);
    needed.pNext = &dedicated;
    vkGetDeviceImageMemoryRequirements(device.handle(), &asked, &needed);
    if (desc.memory && dedicated.requiresDedicatedAllocation == VK_FALSE) {
        allocate_in(desc.memory, info, needed.memoryRequirements.memoryTypeBits);
    }
    if (image_ == VK_NULL_HANDLE) allocate(info, needed.memoryRequirements.size, what);
    try {
        vmaSetAllocationName(device.allocator(), allocation_, name_.c_str());
        device.set_name(VK_OBJECT_TYPE_IMAGE, image_, name_);
        if ((desc.usage & kViewUsages) != 0) create_views(what, desc.components);
    } catch (...) {
        destroy();
        throw;
    }
}

// Leaves it empty where it finds no room there.
void Image::allocate_in(const std::shared_ptr<const ImageMemory>& memory, const VkImageCreateInfo& info,
                        uint32_t memory_types) {
    if (memory->pool() == nullptr || (memory_types >> memory->memory_type() & 1U) == 0) return;
    VmaAllocationCreateInfo allocation{};
    allocation.pool = memory->pool();
    if (vmaCreateImage(device_->allocator(), &info, &allocation, &image_, &allocation_, nullptr) != VK_SUCCESS) {
        image_ = VK_NULL_HANDLE;
        return;
    }
    memory_ = memory;
}

void Image::allocate(const VkImageCreateInfo& info, VkDeviceSize size, const std::string& what) {
    VmaAllocationCreateInfo allocation{};
    allocation.usage = VMA_MEMORY_USAGE_AUTO_PREFER_DEVICE;
    uint32_t memory_type = 0;
    check(vmaFindMemoryTypeIndexForImageInfo(device_->allocator(), &info, &allocation, &memory_type),
          "placing " + what);
    check_budget(*device_, memory_type, size, what);
    const VkResult result = vmaCreateImage(device_->allocator(), &info, &allocation, &image_, &allocation_, nullptr);
    if (result == VK_ERROR_OUT_OF_DEVICE_MEMORY || result == VK_ERROR_OUT_OF_HOST_MEMORY)
        throw Error(out_of_memory(*device_, what));
    check(result, "creating " + what);
}

void Image::create_views(const std::string& what, const VkComponentMapping& components) {
    auto info = make_struct<VkImageViewCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO);
    info.image = image_;
    const VkImageViewType flat = layers_ > 1 ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D;
    info.viewType = cube_ ? VK_IMAGE_VIEW_TYPE_CUBE : flat;
    info.format = format_;
    info.subresourceRange = {aspect(), 0, mips_, 0, layers_};
    info.components = components;
    check(vkCreateImageView(device_->handle(), &info, nullptr, &view_), "creating the view of " + what);
    info.components = {};
    device_->set_name(VK_OBJECT_TYPE_IMAGE_VIEW, view_, name_);
    mip_views_.assign(mips_, VK_NULL_HANDLE);
    info.viewType = flat;
    for (uint32_t mip = 0; mip < mips_; ++mip) {
        info.subresourceRange = {aspect(), mip, 1, 0, layers_};
        check(vkCreateImageView(device_->handle(), &info, nullptr, &mip_views_[mip]),
              "creating a mip's view of " + what);
        device_->set_name(VK_OBJECT_TYPE_IMAGE_VIEW, mip_views_[mip], name_ + " mip " + std::to_string(mip));
    }
}

void Image::destroy() noexcept {
    if (image_ == VK_NULL_HANDLE) return;
    for (const VkImageView view : mip_views_) vkDestroyImageView(device_->handle(), view, nullptr);
    vkDestroyImageView(device_->handle(), view_, nullptr);
    vmaDestroyImage(device_->allocator(), image_, allocation_);
    memory_.reset();
    mip_views_.clear();
    image_ = VK_NULL_HANDLE;
}

Image::~Image() {
    destroy();
}

Image::Image(Image&& other) noexcept {
    *this = std::move(other);
}

Image& Image::operator=(Image&& other) noexcept {
    if (this == &other) return *this;
    destroy();
    device_ = std::exchange(other.device_, nullptr);
    image_ = std::exchange(other.image_, VK_NULL_HANDLE);
    allocation_ = std::exchange(other.allocation_, nullptr);
    memory_ = std::move(other.memory_);
    view_ = std::exchange(other.view_, VK_NULL_HANDLE);
    mip_views_ = std::exchange(other.mip_views_, {});
    extent_ = std::exchange(other.extent_, {});
    format_ = std::exchange(other.format_, VK_FORMAT_UNDEFINED);
    mips_ = std::exchange(other.mips_, 0);
    layers_ = std::exchange(other.layers_, 0);
    cube_ = std::exchange(other.cube_, false);
    name_ = std::move(other.name_);
    return *this;
}

VkExtent2D Image::mip_extent(uint32_t mip) const {
    return {std::max(extent_.width >> mip, 1U), std::max(extent_.height >> mip, 1U)};
}

VkImageAspectFlags Image::aspect() const {
    const bool depth =
        format_ == VK_FORMAT_D16_UNORM || format_ == VK_FORMAT_D32_SFLOAT || format_ == VK_FORMAT_X8_D24_UNORM_PACK32;
    return depth ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT;
}

Sampler::Sampler(Device& device, const SamplerDesc& desc) : device_(&device) {
    const Capabilities& c = device.capabilities();
    auto reduction =
        make_struct<VkSamplerReductionModeCreateInfo>(VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO);
    reduction.reductionMode = desc.reduction;
    auto info = make_struct<VkSamplerCreateInfo>(VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO);
    if (desc.reduction != VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE) {
        if (!c.sampler_minmax)
            throw Error("sampler '" + desc.name + "': " + c.name +
                        " has no minimum and maximum samplers (sampler-minmax)");
        info.pNext = &reduction;
    }
    info.magFilter = desc.filter;
    info.minFilter = desc.min_filter;
    info.mipmapMode = desc.mipmap_mode;
    info.addressModeU = desc.address_u;
    info.addressModeV = desc.address_v;
    info.addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
    info.maxAnisotropy = std::min(desc.max_anisotropy, c.limits.maxSamplerAnisotropy);
    info.anisotropyEnable = c.sampler_anisotropy && info.maxAnisotropy > 1.0F ? VK_TRUE : VK_FALSE;
    // Above 0, since the level tells magnification from minification too.
    info.maxLod = desc.mips ? VK_LOD_CLAMP_NONE : 0.25F;
    check(vkCreateSampler(device.handle(), &info, nullptr, &sampler_), "creating the sampler '" + desc.name + "'");
    device.set_name(VK_OBJECT_TYPE_SAMPLER, sampler_, desc.name);
}

Sampler::~Sampler() {
    if (sampler_ != VK_NULL_HANDLE) vkDestroySampler(device_->handle(), sampler_, nullptr);
}

Sampler::Sampler(Sampler&& other) noexcept {
    *this = std::move(other);
}

Sampler& Sampler::operator=(Sampler&& other) noexcept {
    if (this != &other) {
        std::swap(device_, other.device_);
        std::swap(sampler_, other.sampler_);
    }
    return *this;
}

uint32_t full_mip_count(VkExtent2D extent) {
    return static_cast<uint32_t>(std::bit_width(std::max({extent.width, extent.height, 1U})));
}

uint32_t texel_bytes(VkFormat format) {
    const FormatInfo* info = find_format(format);
    if (info == nullptr) throw Error("texel size: unknown format " + format_text(format));
    return info->bytes;
}

uint64_t image_bytes(const Image& image) {
    uint64_t texels = 0;
    for (uint32_t mip = 0; image && mip < image.mips(); ++mip) {
        texels += uint64_t{image.mip_extent(mip).width} * image.mip_extent(mip).height * image.layers();
    }
    return texels == 0 ? 0 : texels * texel_bytes(image.format());
}

SamplerDesc texel_sampler(std::string name) {
    return {.filter = VK_FILTER_NEAREST,
            .min_filter = VK_FILTER_NEAREST,
            .mipmap_mode = VK_SAMPLER_MIPMAP_MODE_NEAREST,
            .address_u = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
            .address_v = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
            .name = std::move(name)};
}

FormatBlock format_block(VkFormat format) {
    // Vulkan numbers them in this order: BC1 (four formats), BC2, BC3, BC4, BC5, BC6H and BC7 (two each).
    if (format < VK_FORMAT_BC1_RGB_UNORM_BLOCK || format > VK_FORMAT_BC7_SRGB_BLOCK) return {1, texel_bytes(format)};
    const bool small = format <= VK_FORMAT_BC1_RGBA_SRGB_BLOCK || format == VK_FORMAT_BC4_UNORM_BLOCK ||
                       format == VK_FORMAT_BC4_SNORM_BLOCK;
    return {4, small ? 8U : 16U};
}

}  // namespace sublet::gpu
