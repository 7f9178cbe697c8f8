// Primitive culling with one mistake at a time: what the proof must be able to see.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <glm/common.hpp>
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>
#include <glm/vector_relational.hpp>

#include "shader.h"

namespace sublet::test {

using namespace glsl::primitive_cull;

enum class Mistake {
    None,                    // the copy that the mistakes are made in: it must agree with the original
    BoxNotWidened,           // pixel centres looked for between the vertices where we rounded them to
    BoxOneSided,             // widened on the low side alone
    BoxWithoutLowEnd,        // a pixel centre just at the low side forgotten
    BoxWithoutHighEnd,       // or just at the high one
    EdgesWithoutSlack,       // coverage tested for the vertices where we rounded them to
    EdgesHalfSlack,          // half the slack that an edge needs
    EdgesSlackOfOneEnd,      // one vertex of an edge taken as fixed
    CoverageIgnoresWinding,  // coverage tested as if every triangle were clockwise
    CoverageOfFirstSample,   // the other pixel centres of the box forgotten
    AreaWithoutSlack,        // facing decided by the sign of the area alone
    AreaHalfSlack,           // half the slack that the area needs
    AreaTakenAsExact,        // without the roundings of large products
    AreaOfBothSides,         // a double-sided triangle tested for facing
};
inline constexpr std::array kMistakes{Mistake::BoxNotWidened,         Mistake::BoxOneSided,
                                      Mistake::BoxWithoutLowEnd,      Mistake::BoxWithoutHighEnd,
                                      Mistake::EdgesWithoutSlack,     Mistake::EdgesHalfSlack,
                                      Mistake::EdgesSlackOfOneEnd,    Mistake::CoverageIgnoresWinding,
                                      Mistake::CoverageOfFirstSample, Mistake::AreaWithoutSlack,
                                      Mistake::AreaHalfSlack,         Mistake::AreaTakenAsExact,
                                      Mistake::AreaOfBothSides};
inline const char* mistake_name(Mistake mistake) {
    static constexpr const char* kNames[] = {"none",
                                             "box not widened",
                                             "box widened on one side",
                                             "box without its low end",
                                             "box without its high end",
                                             "edges without slack",
                                             "edges with half the slack",
                                             "edges with slack of one end",
                                             "coverage ignores winding",
                                             "coverage of the first sample alone",
                                             "area without slack",
                                             "area with half the slack",
                                             "area taken as exact",
                                             "double-sided tested for facing"};
    return kNames[static_cast<std::size_t>(mistake)];
}

inline bool mistaken_may_cover(const std::array<glm::vec2, 3>& t, const glm::vec2& s, uint32_t winding, float margin,
                               Mistake mistake) {
    bool clockwise = winding != kWindingCounterClockwise || mistake == Mistake::CoverageIgnoresWinding;
    bool counter_clockwise = winding != kWindingClockwise && mistake != Mistake::CoverageIgnoresWinding;
    for (std::size_t i = 0; i < 3; ++i) {
        const glm::vec2& a = t[i];
        const glm::vec2& b = t[(i + 1) % 3];
        const float edge = cross2(b - a, s - a);
        float slack = edge_slack(a, b, s, margin);
        if (mistake == Mistake::EdgesWithoutSlack) slack = 0.0F;
        if (mistake == Mistake::EdgesHalfSlack) slack *= 0.5F;
        if (mistake == Mistake::EdgesSlackOfOneEnd) slack = margin * (std::abs(a.x - s.x) + std::abs(a.y - s.y));
        clockwise = clockwise && edge >= -slack;
        counter_clockwise = counter_clockwise && edge <= slack;
    }
    return clockwise || counter_clockwise;
}

inline bool mistaken_faces_away(const std::array<glm::vec2, 3>& t, const glm::vec2& size, uint32_t winding,
                                float margin, Mistake mistake) {
    const glm::vec2 ab = t[1] - t[0];
    const glm::vec2 ac = t[2] - t[0];
    const float area = cross2(ab, ac);
    const float larger = std::max(std::abs(ab.x * ac.y), std::abs(ab.y * ac.x));
    float slack = 2.0F * margin * (size.x + size.y);
    if (mistake == Mistake::AreaWithoutSlack) slack = 0.0F;
    if (mistake == Mistake::AreaHalfSlack) slack *= 0.5F;
    if (mistake != Mistake::AreaTakenAsExact && larger >= 8388608.0F) {
        slack += larger * (1.0F / 4194304.0F) + slack * (1.0F / 2097152.0F);
    }
    return (winding == kWindingClockwise ? area : -area) < -slack;
}

// window_triangle_visible() with the mistake. In coordinates from the first pixel centre on, and by divisions: what the
// original does by bits must be the same.
inline bool mistaken_window_visible(const glm::vec2& a, const glm::vec2& b, const glm::vec2& c, uint32_t winding,
                                    const CullViewport& viewport, Mistake mistake) {
    const std::array<glm::vec2, 3> t{a - kWindowOrigin, b - kWindowOrigin, c - kWindowOrigin};
    const glm::vec2 low = glm::min(glm::min(t[0], t[1]), t[2]);
    const glm::vec2 high = glm::max(glm::max(t[0], t[1]), t[2]);
    const auto subpixels = static_cast<float>(viewport.subpixels);
    const float margin = viewport.margin;
    const float low_margin = mistake == Mistake::BoxNotWidened ? 0.0F : margin;
    const float high_margin = mistake == Mistake::BoxOneSided ? 0.0F : low_margin;
    glm::vec2 first = glm::ceil((low - low_margin) / subpixels);
    glm::vec2 last = glm::floor((high + high_margin) / subpixels);
    if (mistake == Mistake::BoxWithoutLowEnd) first = glm::floor((low - low_margin) / subpixels) + 1.0F;
    if (mistake == Mistake::BoxWithoutHighEnd) last = glm::ceil((high + high_margin) / subpixels) - 1.0F;
    if (glm::any(glm::lessThan(last, first))) return false;
    if ((winding != kWindingBoth || mistake == Mistake::AreaOfBothSides) &&
        mistaken_faces_away(t, high - low, winding, margin, mistake)) {
        return false;
    }
    const glm::vec2 count = last - first + 1.0F;
    if (count.x * count.y > kMaxSamplesTested) return true;
    for (float y = first.y; y <= last.y; y += 1.0F) {
        for (float x = first.x; x <= last.x; x += 1.0F) {
            if (mistaken_may_cover(t, glm::vec2(x, y) * subpixels, winding, margin, mistake)) return true;
            if (mistake == Mistake::CoverageOfFirstSample) return false;
        }
    }
    return false;
}

enum class ClipMistake {
    None,
    CodesAfterDivision,  // planes tested in normalised device coordinates
    AnyCodeRejects,      // one vertex outside a plane is enough
    NearRejects,         // one vertex nearer than the near plane is enough
    BehindIgnored,       // window positions of vertices behind the eye taken seriously
    NearReversed,        // the near plane taken for the far one
};
inline constexpr std::array kClipMistakes{ClipMistake::CodesAfterDivision, ClipMistake::AnyCodeRejects,
                                          ClipMistake::NearRejects, ClipMistake::BehindIgnored,
                                          ClipMistake::NearReversed};
inline const char* clip_mistake_name(ClipMistake mistake) {
    static constexpr const char* kNames[] = {"none",         "codes after division", "any code rejects",
                                             "near rejects", "behind ignored",       "near plane reversed"};
    return kNames[static_cast<std::size_t>(mistake)];
}

// clip_code(), window_position() and primitive_visible() with the mistake.
inline bool mistaken_clip_visible(const std::array<glm::vec4, 3>& clip, uint32_t winding, const CullViewport& viewport,
                                  ClipMistake mistake) {
    std::array<uint32_t, 3> codes{};
    std::array<glm::vec2, 3> window{};
    for (std::size_t i = 0; i < 3; ++i) {
        const glm::vec4& p = clip[i];
        codes[i] = clip_code(p);
        if (mistake == ClipMistake::CodesAfterDivision && p.w != 0.0F) {
            codes[i] &= ~(kClipLeft | kClipRight | kClipTop | kClipBottom | kClipBehind);
            codes[i] |= clip_code({p.x / p.w, p.y / p.w, 0.0F, 1.0F}) & kClipOutside;
        }
        if (mistake == ClipMistake::BehindIgnored) codes[i] &= ~(kClipBehind | (p.w < 0.0F ? kClipInaccurate : 0U));
        if (mistake == ClipMistake::NearReversed) {
            codes[i] = (codes[i] & ~kClipNear) | (p.z < p.w ? kClipNear : 0U);
        }
        window[i] = window_position(p, viewport);
    }
    const uint32_t any_codes = codes[0] | codes[1] | codes[2];
    if (mistake == ClipMistake::AnyCodeRejects && (any_codes & kClipOutside) != 0) return false;
    if (mistake == ClipMistake::NearRejects && (any_codes & kClipNear) != 0) return false;
    return primitive_visible(window.data(), codes.data(), winding, viewport);
}

}  // namespace sublet::test
