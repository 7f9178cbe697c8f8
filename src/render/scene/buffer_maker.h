#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gpu/device.h"
#include "gpu/resources.h"
#include "gpu/upload.h"
#include "render/passes/storage_buffer.h"

namespace sublet::render {

// Creates storage buffers, held to the device's limit, and counts their bytes.
class BufferMaker {
  public:
    BufferMaker(gpu::Device& device, gpu::Uploader& uploader) : device_(device), uploader_(uploader) {}

    gpu::Buffer make(const char* name, std::uint64_t bytes, std::uint64_t& total, VkBufferUsageFlags usage = 0) {
        gpu::Buffer buffer = make_storage_buffer(device_, name, bytes, usage);
        total += bytes;
        return buffer;
    }

    // A part of a buffer, from byte `offset` on.
    template <class T>
    void fill(const gpu::Buffer& buffer, std::span<const T> data, std::uint64_t offset = 0) {
        if (!data.empty()) uploader_.buffer(buffer, offset, data);
    }

    // `behind`: elements that the GPU writes after these.
    template <class T>
    gpu::Buffer filled(const char* name, std::span<const T> data, std::uint64_t& total, std::uint64_t behind = 0) {
        gpu::Buffer buffer = make(name, data.size_bytes() + behind * sizeof(T), total);
        fill(buffer, data);
        return buffer;
    }

    // From two lists, one behind the other.
    template <class T>
    gpu::Buffer filled(const char* name, std::span<const T> data, std::span<const T> behind, std::uint64_t& total) {
        gpu::Buffer buffer = filled(name, data, total, behind.size());
        if (!behind.empty()) uploader_.buffer(buffer, data.size_bytes(), behind);
        return buffer;
    }

    template <class T>
    gpu::Buffer filled(const char* name, const std::vector<T>& data, std::uint64_t& total) {
        return filled(name, std::span<const T>(data), total);
    }

  private:
    gpu::Device& device_;
    gpu::Uploader& uploader_;
};

}  // namespace sublet::render
