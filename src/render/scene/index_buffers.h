// The index buffers of a scene. All views share them, and all backends that draw by indices of that width.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "gpu/resources.h"
#include "render/passes/frame_context.h"

namespace sublet::render {

struct GpuScene;

class IndexBuffers {
  public:
    // Indices of 8, 16 or 32 bits, as record_decode_indices() writes them. The first frame that asks for a width
    // decodes it, in a pass "decode". Throws Error when the device can't bind the buffer.
    const gpu::Buffer& get(const FrameContext& context, const GpuScene& scene, std::uint32_t bits);
    // Retires those of that width, or all.
    void forget(gpu::Device& device, std::uint32_t bits);
    void forget(gpu::Device& device) { device.retire(std::exchange(by_bits_, {})); }
    // By width; some may not be made.
    [[nodiscard]] const std::map<std::uint32_t, gpu::Buffer>& all() const { return by_bits_; }
    // VRAM.
    [[nodiscard]] std::uint64_t bytes() const;

  private:
    std::map<std::uint32_t, gpu::Buffer> by_bits_;
};

}  // namespace sublet::render
