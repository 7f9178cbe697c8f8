// Pictures that are the average of several frames, each of which looks through another part of the pixels.
#pragma once

#include <cstdint>
#include <glm/vec2.hpp>

#include "gpu/device.h"
#include "gpu/resources.h"
#include "render/passes/frame_context.h"

namespace sublet::render {

// Where in a pixel sample `index` looks: pixels from its middle, -0.5 to 0.5, to the right and down. Sample 0 looks
// through the middle. However many of the first ones are taken, they are spread evenly: the sequence R2 of M. Roberts,
// "The Unreasonable Effectiveness of Quasirandom Sequences", 2018.
[[nodiscard]] glm::dvec2 sample_offset(std::uint32_t index);
// The View::shift that looks there, in a picture of this size in pixels.
[[nodiscard]] glm::vec2 sample_shift(std::uint32_t index, const glm::uvec2& size);

// Keeps the sum of one view's frames.
class AveragePass {
  public:
    explicit AveragePass(gpu::Device& device) : device_(device) {}

    // Pass "average": adds `picture` to the sum and makes it the average of that. `frames`: in the sum, this one
    // included; 1 starts anew, as it must where the picture has another size. `repeated`: the picture adds nothing, and
    // becomes the average that there is. It stays ready to be copied from.
    void record(const FrameContext& context, const gpu::Image& picture, std::uint32_t frames, bool repeated = false);
    // VRAM of the sum.
    [[nodiscard]] std::uint64_t bytes() const;

  private:
    gpu::Device& device_;
    gpu::Image sum_;  // rgb: linear light
};

}  // namespace sublet::render
