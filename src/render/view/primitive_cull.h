// The viewport in which shaders/cull/primitive_cull.glsl tests triangles.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <glm/vec2.hpp>

#include "shaders/shared/primitives.h"

namespace sublet::render::primitive_cull {

// As in the shader.
struct CullViewport {
    glm::vec2 scale{0.0F};    // 0.5 * size * subpixels
    glm::vec2 bias{0.0F};     // 0.5 * size * subpixels - 0.5 * subpixels + kWindowOrigin
    uint32_t subpixels = 16;  // per pixel: a power of two, at most 256
    float margin = 1.0F;      // subpixels, an integer, at least 1
};

// The viewport that covers a framebuffer of width x height pixels from its origin, on a device with this
// VkPhysicalDeviceLimits::subPixelPrecisionBits (at least 4, by the specification).
//
// The grid is the device's up to 2^22 subpixels, 16384 pixels at 8 bits, with at most 8 bits (so that the products in
// the edge functions of small triangles are exact). Else it is coarser than the device's, which the margin makes good.
// Where window coordinates are not flagged as inaccurate, |ndc| < 1.5, they then lie from -1/4 to 5/4 of the window:
// from 2^23 + 2^20 - 128 to 2^24 - 2^20 - 128 with kWindowOrigin, far enough from 2^23 and 2^24 for rounding and for
// the margin. Pixel centres fall on multiples of `subpixels` because kWindowOrigin is one of 256. A grid has 2
// subpixels per pixel at least, up to 2^21 pixels, so that `bias` is an integer.
//
// The margin bounds how far, in x or in y, a vertex of the device's can lie from window_position(). Neither side is
// exact. Of ours, up to |ndc| < 1.5 and with `scale` in subpixels,
//   - Vulkan allows the reciprocal 2.5 ULP, a relative 2.5 * 2^-23: 3.75 * 2^-23 * scale;
//   - ndc is rounded to half an ULP, 2^-24 there: 0.5 * 2^-23 * scale;
//   - its product with scale, if not fused with the sum, to a relative 2^-24: 0.75 * 2^-23 * scale;
// 5 * 2^-23 * scale in all, or e. The fixed-function divide and viewport transform have no stated precision: they are
// taken to be no worse than a shader's may be, a quotient to 2.5 ULP, 2.5 * 2^-23 * scale, a product as above, and a
// sum below 2.5 * scale to 1.25 * 2^-23 * scale, at most another e. Then our sum is rounded to nearest, by at most 1/2,
// and the device snaps, by less than one step of its grid however it rounds. Two points of one grid are a whole number
// of subpixels apart, so that floor(2 e + 3/2) bounds the distance: 1 up to 3,276 pixels at 8 bits, 2 up to 9,830, 4 at
// 16,384. On a coarser grid than the device's, the sum is rounded up.
inline CullViewport make_cull_viewport(uint32_t width, uint32_t height, uint32_t sub_pixel_precision_bits) {
    const double larger = std::max(width, height);
    uint32_t bits = std::min(sub_pixel_precision_bits, 8U);
    while (bits > 0 && larger * (1U << bits) > 0x1p22) --bits;
    const double subpixels = 1U << bits;
    const double error = 5.0 * 0x1p-23 * 0.5 * larger * subpixels;
    const double device_step = std::exp2(static_cast<double>(bits) - static_cast<double>(sub_pixel_precision_bits));
    const double reach = 2.0 * error + 0.5 + device_step;
    const glm::dvec2 scale = 0.5 * subpixels * glm::dvec2(width, height);
    return {.scale = glm::vec2(scale),
            .bias = glm::vec2(scale - 0.5 * subpixels + static_cast<double>(shared::kWindowOrigin)),
            .subpixels = 1U << bits,
            .margin = static_cast<float>(bits == sub_pixel_precision_bits ? std::floor(reach) : std::ceil(reach))};
}

}  // namespace sublet::render::primitive_cull
