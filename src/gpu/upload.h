#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "gpu/frame.h"
#include "gpu/resources.h"

namespace sublet {
class Progress;
}

namespace sublet::gpu {

// Tightly packed texels or blocks of one mip of one layer.
struct ImageLevel {
    uint32_t mip = 0;
    uint32_t layer = 0;
    std::span<const std::byte> texels;
};

// Where copying levels of an image has come to.
struct ImagePlace {
    size_t level = 0;  // of those given
    uint32_t row = 0;  // of texels, or of blocks
};

// Streams data from CPU memory to the GPU through a bounded ring of staging memory, so that a file larger than that
// passes through. The data is copied before a call returns. Copies are submitted whenever a quarter of the ring is
// full, and by flush(); each batch starts after all earlier work on the queue and everything submitted later sees it,
// so that no barrier is needed on either side.
class Uploader {
  public:
    static constexpr VkDeviceSize kDefaultRingBytes = VkDeviceSize{64} << 20;

    // `ring_bytes` at least 4 MiB (a quarter holds a row of any image); smaller ones are raised to that.
    explicit Uploader(Device& device, VkDeviceSize ring_bytes = kDefaultRingBytes);
    // Flushes and waits; an error there is lost, so call finish() yourself.
    ~Uploader();
    Uploader(const Uploader&) = delete;
    Uploader& operator=(const Uploader&) = delete;

    // Copies `data` to `offset` (bytes) in `buffer`. Throws Error when it does not fit there.
    void buffer(const Buffer& buffer, VkDeviceSize offset, std::span<const std::byte> data);
    template <class T>
    void buffer(const Buffer& target, VkDeviceSize offset, std::span<const T> data) {
        static_assert(std::is_trivially_copyable_v<T>);
        buffer(target, offset, std::as_bytes(data));
    }
    template <class T>
    void buffer(const Buffer& target, VkDeviceSize offset, const std::vector<T>& data) {
        buffer(target, offset, std::span<const T>(data));
    }

    // Fills an image: `levels` (mip 0 of each layer, and any number of the next mips) are copied. What the image held
    // before is lost; every mip ends in SHADER_READ_ONLY_OPTIMAL (those not given with undefined contents). The image
    // needs transfer-destination usage. Throws Error when a level is not of its mip's size in bytes.
    void image(const Image& image, std::span<const ImageLevel> levels);
    // The same in parts: copies some `most` bytes, a row at least, from `place` on, and moves it. True once all is
    // copied; until then nobody may use the image.
    bool image_part(const Image& image, std::span<const ImageLevel> levels, ImagePlace& place, VkDeviceSize most);
    // Fills an image with the last mips of another one, which stays as it is, in SHADER_READ_ONLY_OPTIMAL, as both are
    // then: transfer source and destination. Throws Error when their sizes don't match.
    void last_mips(const Image& from, const Image& to);

    // What is copied from now on advances it, in bytes; it must live as long as copies are made. Copying then throws
    // Cancelled too.
    void set_progress(Progress* progress) { progress_ = progress; }

    // Submits what is pending; returns the number of the last submission with uploads (0: none yet). Does not wait.
    uint64_t flush();
    // flush() and wait for it.
    void finish();

    // Bytes copied so far.
    [[nodiscard]] uint64_t uploaded_bytes() const { return uploaded_bytes_; }

  private:
    struct Block {
        std::unique_ptr<CommandPool> pool;
        VkCommandBuffer commands = VK_NULL_HANDLE;  // while it is being recorded
        VkDeviceSize used = 0;
        uint64_t submission = 0;
    };
    static constexpr size_t kBlocks = 4;

    // Staging memory for at least `minimum` and at most `wanted` bytes in the current block, advancing to the next when
    // it is full.
    std::span<std::byte> reserve(VkDeviceSize minimum, VkDeviceSize wanted, VkDeviceSize& staging_offset);
    VkCommandBuffer commands();
    void submit_block();
    void count(uint64_t bytes);

    Device& device_;
    Buffer staging_;
    VkDeviceSize block_bytes_ = 0;
    std::array<Block, kBlocks> blocks_;
    size_t current_ = 0;
    uint64_t last_submission_ = 0;
    uint64_t uploaded_bytes_ = 0;
    Progress* progress_ = nullptr;
};

// The bytes [offset, offset + size) of a buffer, after all earlier work; submits, waits and copies. For tools and
// tests, not for frames. Throws Error when the range does not lie in the buffer.
std::vector<std::byte> read_buffer(Device& device, const Buffer& buffer, VkDeviceSize offset, VkDeviceSize size);
template <class T>
std::vector<T> read_buffer_as(Device& device, const Buffer& buffer, VkDeviceSize offset, size_t count);

// The texels of one mip of one layer, rows packed tightly, top row first, texel_bytes() each; submits, waits and
// copies. `layout` is the image's current one and is restored. The image needs transfer-source usage.
std::vector<std::byte> read_image(Device& device, const Image& image, VkImageLayout layout, uint32_t mip = 0,
                                  uint32_t layer = 0);

template <class T>
std::vector<T> read_buffer_as(Device& device, const Buffer& buffer, VkDeviceSize offset, size_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    const std::vector<std::byte> bytes = read_buffer(device, buffer, offset, count * sizeof(T));
    std::vector<T> values(count);
    if (count > 0) {
        std::copy(bytes.begin(), bytes.end(), std::as_writable_bytes(std::span(values)).begin());
    }
    return values;
}

}  // namespace sublet::gpu
