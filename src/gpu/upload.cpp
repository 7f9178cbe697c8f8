#include "gpu/upload.h"

#include <cstring>

#include "base/error.h"
#include "base/log.h"
#include "base/progress.h"
#include "gpu/barriers.h"

namespace sublet::gpu {

namespace {

constexpr VkDeviceSize kLeastRingBytes = VkDeviceSize{4} << 20;
// A multiple of every texel size and of the 4 bytes that copies to images ask for.
constexpr VkDeviceSize kStagingAlignment = 16;
// Readbacks go through a buffer of at most this size.
constexpr VkDeviceSize kReadbackBytes = VkDeviceSize{64} << 20;

// Fails unless [offset, offset + size) lies in the buffer.
void check_range(const Buffer& buffer, VkDeviceSize offset, VkDeviceSize size, const char* doing) {
    if (offset > buffer.size() || size > buffer.size() - offset) {
        throw Error(std::string(doing) + " buffer '" + buffer.name() + "': bytes " + std::to_string(offset) + " to " +
                    std::to_string(offset + size) + " are not in its " + std::to_string(buffer.size()));
    }
}

// Fails unless they are the first mips, each layer once, and of the right sizes.
void check_levels(const Image& image, std::span<const ImageLevel> levels) {
    const std::string what = "uploading image '" + image.name() + "': ";
    std::vector<uint32_t> given(image.mips(), 0);
    std::vector<bool> seen(size_t{image.mips()} * image.layers(), false);
    uint32_t mips = 0;
    for (const ImageLevel& level : levels) {
        if (level.mip >= image.mips() || level.layer >= image.layers()) {
            throw Error(what + "it has no mip " + std::to_string(level.mip) + " of layer " +
                        std::to_string(level.layer));
        }
        const VkExtent2D extent = image.mip_extent(level.mip);
        const FormatBlock block = format_block(image.format());
        const size_t bytes = size_t{block.count(extent.width)} * block.count(extent.height) * block.bytes;
        if (level.texels.size() != bytes) {
            throw Error(what + "mip " + std::to_string(level.mip) + " has " + std::to_string(level.texels.size()) +
                        " bytes instead of " + std::to_string(bytes));
        }
        const size_t index = (size_t{level.mip} * image.layers()) + level.layer;
        if (seen[index])
            throw Error(what + "mip " + std::to_string(level.mip) + " of layer " + std::to_string(level.layer) +
                        " is given twice");
        seen[index] = true;
        ++given[level.mip];
        mips = std::max(mips, level.mip + 1);
    }
    for (uint32_t mip = 0; mip < std::max(mips, 1U); ++mip) {
        if (given[mip] != image.layers())
            throw Error(what + "mip " + std::to_string(mip) + " is not given for every layer");
    }
}

}  // namespace

Uploader::Uploader(Device& device, VkDeviceSize ring_bytes)
    : device_(device),
      staging_(device,
               {.size = std::max(ring_bytes, kLeastRingBytes), .memory = Memory::kUpload, .name = "staging ring"}),
      block_bytes_(staging_.size() / kBlocks / kStagingAlignment * kStagingAlignment) {
    for (size_t i = 0; i < blocks_.size(); ++i) {
        blocks_[i].pool = std::make_unique<CommandPool>(device, "uploads, block " + std::to_string(i));
    }
}

Uploader::~Uploader() {
    try {
        finish();
    } catch (const std::exception& error) {
        warn(error.what());
    }
}

VkCommandBuffer Uploader::commands() {
    Block& block = blocks_[current_];
    if (block.commands == VK_NULL_HANDLE) {
        device_.wait(block.submission, "uploading");
        block.commands = block.pool->begin();
        block.used = 0;
        memory_barrier(block.commands, kEverything, kTransferWrite | kTransferRead);
    }
    return block.commands;
}

void Uploader::submit_block() {
    Block& block = blocks_[current_];
    if (block.commands == VK_NULL_HANDLE) return;
    memory_barrier(block.commands, kTransferWrite, kEverything);
    const VkCommandBuffer commands = std::exchange(block.commands, VK_NULL_HANDLE);
    check(vkEndCommandBuffer(commands), "recording uploads");
    block.submission = device_.submit(commands, {}, "uploading");
    last_submission_ = block.submission;
    current_ = (current_ + 1) % kBlocks;
}

std::span<std::byte> Uploader::reserve(VkDeviceSize minimum, VkDeviceSize wanted, VkDeviceSize& staging_offset) {
    commands();
    if (block_bytes_ - blocks_[current_].used < minimum) {
        submit_block();
        commands();
    }
    Block& block = blocks_[current_];
    const VkDeviceSize size = std::min(wanted, block_bytes_ - block.used);
    staging_offset = (current_ * block_bytes_) + block.used;
    block.used =
        std::min(block_bytes_, (block.used + size + kStagingAlignment - 1) / kStagingAlignment * kStagingAlignment);
    return staging_.mapped_as<std::byte>().subspan(static_cast<size_t>(staging_offset), static_cast<size_t>(size));
}

void Uploader::count(uint64_t bytes) {
    uploaded_bytes_ += bytes;
    if (progress_ == nullptr) return;
    try {
        progress_->advance(bytes);
    } catch (...) {
        finish();  // what was recorded names a resource that goes now
        throw;
    }
}

void Uploader::buffer(const Buffer& buffer, VkDeviceSize offset, std::span<const std::byte> data) {
    check_range(buffer, offset, data.size(), "uploading to");
    while (!data.empty()) {
        VkDeviceSize staging_offset = 0;
        const std::span<std::byte> staging = reserve(1, data.size(), staging_offset);
        std::memcpy(staging.data(), data.data(), staging.size());
        const VkBufferCopy region{staging_offset, offset, staging.size()};
        vkCmdCopyBuffer(commands(), staging_.handle(), buffer.handle(), 1, &region);
        data = data.subspan(staging.size());
        offset += staging.size();
        count(staging.size());
    }
}

void Uploader::image(const Image& image, std::span<const ImageLevel> levels) {
    ImagePlace place;
    while (!image_part(image, levels, place, VK_WHOLE_SIZE)) {
    }
}

bool Uploader::image_part(const Image& image, std::span<const ImageLevel> levels, ImagePlace& place,
                          VkDeviceSize most) {
    if (place.level == 0 && place.row == 0) {
        check_levels(image, levels);
        image_barrier(commands(), image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, kEverything,
                      kTransferWrite);
    }
    const FormatBlock block = format_block(image.format());
    for (VkDeviceSize copied = 0; place.level < levels.size(); place = {place.level + 1, 0}) {
        const ImageLevel& level = levels[place.level];
        const VkExtent2D extent = image.mip_extent(level.mip);
        const size_t row_bytes = size_t{block.count(extent.width)} * block.bytes;
        const uint32_t all_rows = block.count(extent.height);
        while (place.row < all_rows) {
            if (copied > 0 && copied >= most) return false;
            const VkDeviceSize wanted = std::min<VkDeviceSize>(
                row_bytes * (all_rows - place.row), std::max<VkDeviceSize>(most - std::min(copied, most), row_bytes));
            VkDeviceSize staging_offset = 0;
            const std::span<std::byte> staging = reserve(row_bytes, wanted, staging_offset);
            const auto rows = static_cast<uint32_t>(staging.size() / row_bytes);
            std::memcpy(staging.data(), level.texels.data() + (place.row * row_bytes), rows * row_bytes);
            VkBufferImageCopy region{};
            region.bufferOffset = staging_offset;
            region.imageSubresource = {image.aspect(), level.mip, level.layer, 1};
            const uint32_t top = place.row * block.side;
            region.imageOffset = {0, static_cast<int32_t>(top), 0};
            region.imageExtent = {extent.width, std::min(rows * block.side, extent.height - top), 1};
            vkCmdCopyBufferToImage(commands(), staging_.handle(), image.handle(), VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                                   1, &region);
            place.row += rows;
            copied += rows * row_bytes;
            count(rows * row_bytes);
        }
    }
    image_barrier(commands(), image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
                  kTransferWrite, kEverything);
    return true;
}

void Uploader::last_mips(const Image& from, const Image& to) {
    const uint32_t first = from.mips() - std::min(from.mips(), to.mips());
    const VkExtent2D size = from.mip_extent(first);
    if (to.mips() > from.mips() || size.width != to.extent().width || size.height != to.extent().height) {
        throw Error("image '" + to.name() + "': its levels are not the last ones of image '" + from.name() + "'");
    }
    const VkCommandBuffer into = commands();
    image_barrier(into, from, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                  kEverything, kTransferRead);
    image_barrier(into, to, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, kEverything,
                  kTransferWrite);
    for (uint32_t mip = 0; mip < to.mips(); ++mip) {
        const VkExtent2D extent = to.mip_extent(mip);
        VkImageCopy region{};
        region.srcSubresource = {from.aspect(), first + mip, 0, from.layers()};
        region.dstSubresource = {to.aspect(), mip, 0, to.layers()};
        region.extent = {extent.width, extent.height, 1};
        vkCmdCopyImage(into, from.handle(), VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, to.handle(),
                       VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region);
    }
    image_barrier(into, from, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
                  kTransferRead, kEverything);
    image_barrier(into, to, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
                  kTransferWrite, kEverything);
}

uint64_t Uploader::flush() {
    submit_block();
    return last_submission_;
}

void Uploader::finish() {
    device_.wait(flush(), "uploading");
}

std::vector<std::byte> read_buffer(Device& device, const Buffer& buffer, VkDeviceSize offset, VkDeviceSize size) {
    check_range(buffer, offset, size, "reading");
    std::vector<std::byte> bytes(static_cast<size_t>(size));
    if (size == 0) return bytes;
    const Buffer readback(device,
                          {.size = std::min(size, kReadbackBytes), .memory = Memory::kReadback, .name = "readback"});
    for (VkDeviceSize done = 0; done < size;) {
        const VkDeviceSize piece = std::min(size - done, kReadbackBytes);
        submit_and_wait(device, "reading buffer '" + buffer.name() + "'",
                        [&](VkCommandBuffer commands, DescriptorArena&) {
                            memory_barrier(commands, kEverything, kTransferRead | kTransferWrite);
                            const VkBufferCopy region{offset + done, 0, piece};
                            vkCmdCopyBuffer(commands, buffer.handle(), readback.handle(), 1, &region);
                            memory_barrier(commands, kTransferWrite, kHostRead);
                        });
        std::memcpy(bytes.data() + done, readback.mapped(), static_cast<size_t>(piece));
        done += piece;
    }
    return bytes;
}

std::vector<std::byte> read_image(Device& device, const Image& image, VkImageLayout layout, uint32_t mip,
                                  uint32_t layer) {
    if (mip >= image.mips() || layer >= image.layers()) {
        throw Error("reading image '" + image.name() + "': it has no mip " + std::to_string(mip) + " of layer " +
                    std::to_string(layer));
    }
    const VkExtent2D extent = image.mip_extent(mip);
    const VkDeviceSize size = VkDeviceSize{extent.width} * extent.height * texel_bytes(image.format());
    const Buffer readback(device, {.size = size, .memory = Memory::kReadback, .name = "readback"});
    submit_and_wait(device, "reading image '" + image.name() + "'", [&](VkCommandBuffer commands, DescriptorArena&) {
        image_barrier(commands, image, mip, 1, layout, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, kEverything,
                      kTransferRead);
        VkBufferImageCopy region{};
        region.imageSubresource = {image.aspect(), mip, layer, 1};
        region.imageExtent = {extent.width, extent.height, 1};
        vkCmdCopyImageToBuffer(commands, image.handle(), VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, readback.handle(), 1,
                               &region);
        image_barrier(commands, image, mip, 1, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, layout, kTransferRead,
                      kEverything);
        memory_barrier(commands, kTransferWrite, kHostRead);
    });
    const std::span<const std::byte> bytes = readback.mapped_as<const std::byte>().first(static_cast<size_t>(size));
    return {bytes.begin(), bytes.end()};
}

}  // namespace sublet::gpu
