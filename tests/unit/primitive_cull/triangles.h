// Random triangles for the tests of primitive culling, the same on every machine: made with integers alone.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/unit/sanitizer.h"

namespace sublet::test {

// Subpixels, pixel centres on multiples of the subpixels per pixel, y down.
struct Point {
    int64_t x = 0;
    int64_t y = 0;
};
using Triangle = std::array<Point, 3>;

enum class Family : uint32_t {
    Speck,          // within a few subpixels of a pixel centre
    Hugging,        // pixel-sized, each coordinate likely within 3 subpixels of a pixel centre's
    OnePixel,       // anywhere in two by two pixels
    FewPixels,      // anywhere in five by five pixels
    EdgeThrough,    // an edge passes a pixel centre within 2 subpixels
    Sliver,         // two edges nearly in line
    Degenerate,     // coincident or collinear vertices
    Large,          // up to four times the viewport
    LargeSliver,    // as large, its area near the doubt about its sign: products far beyond 2^24
    FacingInDoubt,  // pixel-sized, its area near the doubt about its sign
};
inline constexpr std::size_t kFamilies = 10;
const char* family_name(Family family);

// `count` triangles of every family in turn (triangle i is of family i % kFamilies), half of them wound either way, for
// a viewport of width x height pixels and a margin that the families near a doubt are made for.
std::vector<Triangle> make_triangles(std::size_t count, uint32_t width, uint32_t height, int64_t subpixels,
                                     int64_t margin, uint64_t seed);

// Clip-space coordinates: whole numbers, so that their signed volumes are exact.
struct ClipPoint {
    int64_t x = 0;
    int64_t y = 0;
    int64_t z = 0;
    int64_t w = 0;
};
using ClipTriangle = std::array<ClipPoint, 3>;

enum class ClipFamily : uint32_t {
    InFront,  // w > 0, within and around the frustum
    MixedW,   // w of either sign
    Near,     // across the near plane, w > 0
    Ties,     // small numbers: on planes, zeros
};
inline constexpr std::size_t kClipFamilies = 4;
const char* clip_family_name(ClipFamily family);

// Triangle i is of family i % kClipFamilies. Coordinates below 2^16, exact in float.
std::vector<ClipTriangle> make_clip_triangles(std::size_t count, uint64_t seed);

}  // namespace sublet::test
