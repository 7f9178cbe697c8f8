// Where a picture differs from another one of the same frame. Reads: both. Writes: the differences over the first.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "gpu/device.h"
#include "gpu/resources.h"
#include "render/passes/frame_context.h"

namespace sublet::render {

class DifferencePass {
  public:
    explicit DifferencePass(gpu::Device& device);

    // First in a frame: takes what the frame that used this slot before has found.
    void begin(const gpu::Frame& frame);
    // Pass "difference": both pictures are in TRANSFER_SRC_OPTIMAL, of one size, and stay so.
    void record(const FrameContext& context, const gpu::Image& picture, const gpu::Image& reference);
    // All frames are over.
    void finish();

    // Pixels that differ, in the newest frame that asked and is over; nothing before the first.
    [[nodiscard]] std::optional<std::uint64_t> pixels() const { return pixels_; }

  private:
    struct Slot {
        gpu::Buffer count;
        std::uint64_t frame = 0;
        bool pending = false;
    };
    void take(Slot& slot);

    std::array<Slot, gpu::kFramesInFlight> slots_;
    std::optional<std::uint64_t> pixels_;
    std::uint64_t newest_ = 0;
};

}  // namespace sublet::render
