// Reads back what geometry left of each pixel.
#pragma once

#include <cstdint>
#include <vector>

#include "gpu/device.h"
#include "render/view/output.h"

namespace sublet::render {

// Of each pixel, row by row: Picture::depth and Picture::ids.
struct SeenPixels {
    std::vector<float> depth;
    std::vector<std::uint32_t> ids;     // one or two words a pixel, or none
    std::vector<std::uint64_t> layers;  // all words of a pixel (shaders/view/layers.glsl); none where nothing blends
};

// Depth, and with `ids` ids, of what is seen (shaders/shade/seen.glsl), of targets that were shaded. Waits for nothing:
// the caller has.
[[nodiscard]] SeenPixels read_seen(gpu::Device& device, const Targets& targets, bool ids);

}  // namespace sublet::render
