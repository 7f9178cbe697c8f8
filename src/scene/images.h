// Images as texels, within bounds that their headers give before anything is decoded.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "scene/mips.h"
#include "scene/scene.h"

namespace sublet::scene {

// What an image says of itself before it is decoded.
struct ImageHeader {
    std::uint32_t width = 0, height = 0;
    std::uint64_t decode_bytes = 0;            // the most that decoding it takes at a time, texels and mips included
    TexelFormat format = TexelFormat::kRgba8;  // of the levels that decode_image() gives
    Swizzle swizzle = kNoSwizzle;              // how they are to be read
    bool has_mips = false;                     // all of its own: none are made
};

// Throws Error with the reason when the image is none that can be decoded, or when it has too few bytes for its size.
// `blocks`: whether block-compressed images stay so. Else all are decoded to RGBA8.
[[nodiscard]] ImageHeader read_image_header(const Image& image, bool blocks = false);

// Decodes an image of this header and makes its mips, where it has none of its own: the levels from `halvings` on, the
// last one where there are fewer. Takes no more than header.decode_bytes at a time: throws Error when the data are
// corrupt, and where they would take more.
[[nodiscard]] std::vector<TexelLevel> decode_image(const Image& image, const ImageHeader& header,
                                                   const MipFilter& filter, unsigned halvings = 0);

struct ImageLimits {
    std::uint64_t textures = 0;   // bytes of all textures together
    std::uint64_t decoding = 0;   // bytes that decoding one image takes
    std::uint32_t most_side = 0;  // of a texture
};

struct ImagePlan {
    bool left_out = false;  // decoding it alone would take too much
    unsigned halvings = 0;
};

// How often an image is halved until no side has more than `most_side` texels, which is 1 at least.
[[nodiscard]] unsigned halvings_to_side(const ImageHeader& image, std::uint32_t most_side);

// Which image is drawn at which size. Those too wide for a texture are halved until they are not. Then, as long as all
// textures take too much together, the one that takes most is halved (of equal ones the first).
[[nodiscard]] std::vector<ImagePlan> plan_images(std::span<const ImageHeader> images, const ImageLimits& limits);

}  // namespace sublet::scene
