// Primitive culling on the CPU: rejects triangles that cannot leave a fragment. The twin of
// shaders/primitive_cull.glsl, the same names and the same float arithmetic, there to be proven: what is tested and why
// it is safe is said there.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <glm/common.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <glm/vector_relational.hpp>
#include <span>

namespace sublet::render::primitive_cull {

inline constexpr uint32_t kClipLeft = 1;
inline constexpr uint32_t kClipRight = 2;
inline constexpr uint32_t kClipTop = 4;
inline constexpr uint32_t kClipBottom = 8;
inline constexpr uint32_t kClipNear = 16;
inline constexpr uint32_t kClipBehind = 32;
inline constexpr uint32_t kClipInaccurate = 64;
inline constexpr uint32_t kClipOutside = 63;
inline constexpr uint32_t kClipMayClip = kClipNear | kClipBehind | kClipInaccurate;

// As shared::kClassCounterClockwise, kClassClockwise and kClassDoubleSided.
inline constexpr uint32_t kWindingCounterClockwise = 0;
inline constexpr uint32_t kWindingClockwise = 1;
inline constexpr uint32_t kWindingBoth = 2;

inline constexpr float kMaxSamplesTested = 4.0F;

// Where window coordinates count from: the centre of pixel (i, j) is at kWindowOrigin + (i, j) * subpixels.
inline constexpr float kWindowOrigin = 0x1p23F + 0x1p21F;

// As in the shader, and laid out as std430 does.
struct CullViewport {
    glm::vec2 scale{0.0F};    // 0.5 * size * subpixels
    glm::vec2 bias{0.0F};     // 0.5 * size * subpixels - 0.5 * subpixels + kWindowOrigin
    uint32_t subpixels = 16;  // per pixel: a power of two, at most 256
    float margin = 1.0F;      // subpixels, an integer, at least 1
};
static_assert(sizeof(CullViewport) == 24 && offsetof(CullViewport, bias) == 8 &&
              offsetof(CullViewport, subpixels) == 16 && offsetof(CullViewport, margin) == 20);

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
            .bias = glm::vec2(scale - 0.5 * subpixels + static_cast<double>(kWindowOrigin)),
            .subpixels = 1U << bits,
            .margin = static_cast<float>(bits == sub_pixel_precision_bits ? std::floor(reach) : std::ceil(reach))};
}

inline uint32_t clip_code(const glm::vec4& clip) {
    uint32_t code = 0;
    code |= clip.x <= -clip.w ? kClipLeft : 0;
    code |= clip.x >= clip.w ? kClipRight : 0;
    code |= clip.y <= -clip.w ? kClipTop : 0;
    code |= clip.y >= clip.w ? kClipBottom : 0;
    code |= clip.z > clip.w ? kClipNear : 0;
    code |= clip.w <= 0.0F ? kClipBehind : 0;
    const float limit = 1.5F * clip.w;
    code |= std::abs(clip.x) < limit && std::abs(clip.y) < limit ? 0 : kClipInaccurate;
    return code;
}

// The vertex on the subpixel grid: integers from 2^23 to 2^24, in float. Meaningless under kClipBehind and
// kClipInaccurate.
inline glm::vec2 window_position(const glm::vec4& clip, const CullViewport& viewport) {
    const float reciprocal = 1.0F / clip.w;
    const glm::vec2 ndc = glm::vec2(clip) * reciprocal;
    return {std::fma(ndc.x, viewport.scale.x, viewport.bias.x), std::fma(ndc.y, viewport.scale.y, viewport.bias.y)};
}

// Twice the signed area of the triangle (0, u, v).
inline float cross2(const glm::vec2& u, const glm::vec2& v) {
    return u.x * v.y - u.y * v.x;
}

// What cross2(b - a, s - a) can grow by when a and b move by up to `margin` in x and in y, if it is more negative than
// that.
inline float edge_slack(const glm::vec2& a, const glm::vec2& b, const glm::vec2& s, float margin) {
    const glm::vec2 arms = glm::abs(a - s) + glm::abs(b - s);
    return margin * (arms.x + arms.y);
}

// False only when the triangle, wound as a visible one is, misses the sample for every allowed position of its
// vertices. Exact for triangles a few pixels across.
inline bool may_cover(const glm::vec2& a, const glm::vec2& b, const glm::vec2& c, const glm::vec2& s, uint32_t winding,
                      float margin) {
    const glm::vec3 edges(cross2(b - a, s - a), cross2(c - b, s - b), cross2(a - c, s - c));
    const glm::vec3 slack(edge_slack(a, b, s, margin), edge_slack(b, c, s, margin), edge_slack(c, a, s, margin));
    const bool clockwise = winding != kWindingCounterClockwise && glm::all(glm::greaterThanEqual(edges, -slack));
    const bool counter_clockwise = winding != kWindingClockwise && glm::all(glm::lessThanEqual(edges, slack));
    return clockwise || counter_clockwise;
}

// True only when the triangle's area is zero or of the wrong sign for every allowed position of its vertices. `size` is
// that of its bounding box.
inline bool faces_away(const glm::vec2& a, const glm::vec2& b, const glm::vec2& c, const glm::vec2& size,
                       uint32_t winding, float margin) {
    const glm::vec2 ab = b - a;
    const glm::vec2 ac = c - a;
    const float area = cross2(ab, ac);
    const float slack = 2.0F * margin * (size.x + size.y);
    const float larger = std::max(std::abs(ab.x * ac.y), std::abs(ab.y * ac.x));
    const float rounding = larger < 8388608.0F ? 0.0F : larger * (1.0F / 4194304.0F) + slack * (1.0F / 2097152.0F);
    const float total = slack + rounding;
    return (winding == kWindingClockwise ? area : -area) < -total;
}

// The tests in window coordinates: integers of subpixels from 2^23 to 2^24, whose differences are exact in float.
inline bool window_triangle_visible(const glm::vec2& a, const glm::vec2& b, const glm::vec2& c, uint32_t winding,
                                    const CullViewport& viewport) {
    const float margin = viewport.margin;
    const glm::vec2 low = glm::min(glm::min(a, b), c);
    const glm::vec2 high = glm::max(glm::max(a, b), c);

    const glm::uvec2 before = glm::floatBitsToUint(low - (margin + 1.0F));
    const glm::uvec2 end = glm::floatBitsToUint(high + margin);
    if (glm::any(glm::lessThan(before ^ end, glm::uvec2(viewport.subpixels)))) return false;
    if (winding != kWindingBoth && faces_away(a, b, c, high - low, winding, margin)) return false;

    const uint32_t pixel = ~(viewport.subpixels - 1U);
    const auto step = static_cast<float>(viewport.subpixels);
    const glm::vec2 first = glm::uintBitsToFloat((before & pixel) + viewport.subpixels);
    const glm::vec2 last = glm::uintBitsToFloat(end & pixel);
    const glm::vec2 span = last - first + step;
    if (span.x * span.y > kMaxSamplesTested * step * step) return true;
    glm::vec2 center = first;
    while (center.y <= last.y) {
        if (may_cover(a, b, c, center, winding, margin)) return true;
        center = center.x < last.x ? glm::vec2(center.x + step, center.y) : glm::vec2(first.x, center.y + step);
    }
    return false;
}

// False only when the triangle leaves no fragment. Window positions are read only when no code of kClipMayClip is set.
inline bool primitive_visible(std::span<const glm::vec2, 3> window, std::span<const uint32_t, 3> codes,
                              uint32_t winding, const CullViewport& viewport) {
    const uint32_t all_codes = codes[0] & codes[1] & codes[2];
    const uint32_t any_codes = codes[0] | codes[1] | codes[2];
    if ((all_codes & kClipOutside) != 0) return false;
    if ((any_codes & kClipMayClip) != 0) return true;
    return window_triangle_visible(window[0], window[1], window[2], winding, viewport);
}

}  // namespace sublet::render::primitive_cull
