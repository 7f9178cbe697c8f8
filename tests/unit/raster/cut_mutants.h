// Cutting with one mistake at a time: what the proof must be able to see.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "shader.h"

namespace sublet::test {

enum class CutMistake {
    None,              // the copy that the mistakes are made in: it must agree with the original
    FromFirstCorner,   // an edge cut from where a triangle's own order begins it
    FromFartherEnd,    // from the end that is further from the plane
    NotOnPlane,        // a point left where its roundings carried it
    SevenCorners,      // no room for the eighth
    WithoutNearPlane,  // planes forgotten
    WithoutGuardBand,
};
inline constexpr std::array kCutMistakes{CutMistake::FromFirstCorner,  CutMistake::FromFartherEnd,
                                         CutMistake::NotOnPlane,       CutMistake::SevenCorners,
                                         CutMistake::WithoutNearPlane, CutMistake::WithoutGuardBand};
inline const char* cut_mistake_name(CutMistake mistake) {
    static constexpr const char* kNames[] = {
        "none",          "from the first corner",  "from the farther end", "not on plane",
        "seven corners", "without the near plane", "without a guard band"};
    return kNames[static_cast<std::size_t>(mistake)];
}

// From the end that is nearer to the plane, or from the other one.
inline glsl::vec4 mistaken_edge(glsl::vec4 from, glsl::vec4 to, uint32_t plane, CutMistake mistake) {
    using glsl::fused::cut_distance;
    float distance_from = cut_distance(from, plane);
    float distance_to = cut_distance(to, plane);
    const bool nearer = std::abs(distance_from) < std::abs(distance_to) ||
                        (std::abs(distance_from) == std::abs(distance_to) && distance_from < 0.0F);
    if (mistake != CutMistake::FromFirstCorner && nearer == (mistake == CutMistake::FromFartherEnd)) {
        std::swap(from, to);
        std::swap(distance_from, distance_to);
    }
    const float t = std::abs(distance_from) / (std::abs(distance_from) + std::abs(distance_to));
    glsl::vec4 point = glsl::fused::fma(to - from, glsl::vec4(t), from);
    if (mistake == CutMistake::NotOnPlane) return point;
    if (plane == 0) point.w = point.z;
    if (plane == 1) point.x = -1.5F * point.w;
    if (plane == 2) point.x = 1.5F * point.w;
    if (plane == 3) point.y = -1.5F * point.w;
    if (plane == 4) point.y = 1.5F * point.w;
    return point;
}

inline std::vector<glsl::vec4> mistaken_cut(const std::array<glsl::vec4, 3>& corners, CutMistake mistake) {
    std::vector<glsl::vec4> polygon(corners.begin(), corners.end());
    for (uint32_t plane = 0; plane < glsl::fused::kCutPlanes; ++plane) {
        if (plane == 0 ? mistake == CutMistake::WithoutNearPlane : mistake == CutMistake::WithoutGuardBand) continue;
        std::vector<glsl::vec4> made;
        for (std::size_t i = 0; i < polygon.size(); ++i) {
            const glsl::vec4& a = polygon[i];
            const glsl::vec4& b = polygon[(i + 1) % polygon.size()];
            const bool inside_a = glsl::fused::cut_distance(a, plane) >= 0.0F;
            const bool inside_b = glsl::fused::cut_distance(b, plane) >= 0.0F;
            if (inside_a) made.push_back(a);
            if (inside_a != inside_b) made.push_back(mistaken_edge(a, b, plane, mistake));
        }
        polygon = made;
        if (mistake == CutMistake::SevenCorners && polygon.size() > 7) polygon.resize(7);
    }
    return polygon;
}

}  // namespace sublet::test
