// Drawing with one mistake at a time: what the proof must be able to see.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "exact.h"
#include "shader.h"

namespace sublet::test {

enum class Mistake {
    None,               // the copy that the mistakes are made in: it must agree with the original
    RuleTurned,         // bottom and right edges instead of top and left ones
    RuleInclusive,      // all edges
    RuleExclusive,      // none
    RuleWithoutTop,     // left edges alone
    BoxWithoutLowEnd,   // pixels' centres just at the box's low side forgotten (no triangle has those at its high side)
    WidthTooSmall,      // edge functions of all triangles in 32 bits
    DepthsNotTurned,    // depths left where they were as the triangle is turned to be clockwise
    DepthWithoutSlope,  // one of the two dropped
    DepthOfRuledEdges,  // edge functions taken with the fill rule in them
    DepthNotHeld,       // to the range of the corners' depths
    DepthInOneRounding,  // calculated in double: what another order of operations could make of it
};
inline constexpr std::array kMistakes{Mistake::RuleTurned,      Mistake::RuleInclusive,     Mistake::RuleExclusive,
                                      Mistake::RuleWithoutTop,  Mistake::BoxWithoutLowEnd,  Mistake::WidthTooSmall,
                                      Mistake::DepthsNotTurned, Mistake::DepthWithoutSlope, Mistake::DepthOfRuledEdges,
                                      Mistake::DepthNotHeld,    Mistake::DepthInOneRounding};
inline const char* mistake_name(Mistake mistake) {
    static constexpr const char* kNames[] = {"none",
                                             "rule turned",
                                             "rule inclusive",
                                             "rule exclusive",
                                             "rule without top edges",
                                             "box without its low end",
                                             "width too small",
                                             "depths not turned",
                                             "depth without a slope",
                                             "depth of ruled edges",
                                             "depth not held to its range",
                                             "depth in one rounding"};
    return kNames[static_cast<std::size_t>(mistake)];
}

// What make_raster_triangle(), make_raster_depth() and the walks come to, with the mistake: every pixel of the box
// by itself. `draw(pixel, depth)`.
template <class Draw>
void draw_mistaken(const Triangle& triangle, const std::array<float, 3>& corner_depths, const glsl::ivec2& size,
                   Mistake mistake, const Draw& draw) {
    using glsl::fused::fma;
    Triangle t = triangle;
    std::array<float, 3> depths = corner_depths;
    if (exact_area(t) == 0) return;
    if (exact_area(t) < 0) {
        std::swap(t[1], t[2]);
        if (mistake != Mistake::DepthsNotTurned) std::swap(depths[1], depths[2]);
    }
    const auto [left, right] = std::minmax({t[0].x, t[1].x, t[2].x});
    const auto [top, bottom] = std::minmax({t[0].y, t[1].y, t[2].y});
    const int64_t before = mistake == Mistake::BoxWithoutLowEnd ? 256 : 255;
    const auto area = static_cast<float>(exact_area(t));
    const float k1 = mistake == Mistake::DepthWithoutSlope ? 0.0F : (depths[1] - depths[0]) / area;
    const float k2 = (depths[2] - depths[0]) / area;
    for (int64_t y = std::max<int64_t>((top + before) >> 8, 0); y <= std::min<int64_t>(bottom >> 8, size.y - 1); ++y) {
        for (int64_t x = std::max<int64_t>((left + before) >> 8, 0); x <= std::min<int64_t>(right >> 8, size.x - 1);
             ++x) {
            std::array<int64_t, 3> ruled{};
            std::array<int64_t, 3> plain{};
            bool inside = true;
            for (std::size_t i = 0; i < 3; ++i) {
                const Point& a = t[(i + 1) % 3];
                const Point& b = t[(i + 2) % 3];
                plain[i] = exact_area({a, b, Point{x * 256, y * 256}});
                if (mistake == Mistake::WidthTooSmall) {
                    plain[i] = static_cast<int32_t>(static_cast<uint32_t>(plain[i]));
                }
                const bool is_left = b.y < a.y;
                const bool is_top = b.y == a.y && b.x > a.x;
                bool counts = is_left || is_top;
                if (mistake == Mistake::RuleTurned) counts = !counts;
                if (mistake == Mistake::RuleInclusive) counts = true;
                if (mistake == Mistake::RuleExclusive) counts = false;
                if (mistake == Mistake::RuleWithoutTop) counts = is_left;
                ruled[i] = plain[i] - (counts ? 0 : 1);
                inside = inside && ruled[i] >= 0;
            }
            if (!inside) continue;
            const std::array<int64_t, 3>& edges = mistake == Mistake::DepthOfRuledEdges ? ruled : plain;
            const auto e1 = static_cast<float>(edges[1]);
            const auto e2 = static_cast<float>(edges[2]);
            float depth = fma(e1, k1, fma(e2, k2, depths[0]));
            if (mistake == Mistake::DepthInOneRounding) {
                depth = static_cast<float>(double{e1} * double{k1} + (double{e2} * double{k2} + double{depths[0]}));
            }
            const auto [least, most] = std::minmax({depths[0], depths[1], depths[2]});
            if (mistake != Mistake::DepthNotHeld) depth = std::clamp(depth, least, most);
            draw(glsl::ivec2(x, y), depth);
        }
    }
}

}  // namespace sublet::test
