// What primitive culling is held against: coverage of triangles in exact integer arithmetic, and clipping in clip
// space.
#pragma once

#include <array>
#include <cstdint>

#include "triangles.h"

namespace sublet::test {

// Which samples exactly on an edge belong to a triangle. Vulkan leaves it open; a culling test must allow for all.
enum class EdgeRule {
    TopLeft,    // those on top and left edges
    Inclusive,  // all, those of triangles without area among them
};

// Whether the triangle, wound either way, covers the sample. A triangle without area covers nothing under TopLeft.
bool covers(const Triangle& triangle, const Point& sample, EdgeRule rule);

// Twice the signed area; positive when clockwise as seen (y down).
int64_t twice_area(const Triangle& triangle);

// All the triangles that come of moving each vertex to each point of a square grid around it.
struct Variants {
    // For each winding of a visible triangle (counter-clockwise, clockwise, both):
    std::array<bool, 3> faces{};   // a variant is wound so; always for both
    std::array<bool, 3> covers{};  // a variant so wound covers a pixel centre, edges included
    bool box_is_empty = false;     // the bounding box of all holds no pixel centre
    // False: the box holds so many pixel centres (over 64) that only faces was found out, and covers is the same.
    bool exact = true;
};

// Moves of -margin, 0 and +margin in x and y for `steps` 1 (729 variants); with half steps as well for 2 (15,625).
Variants examine(const Triangle& triangle, int64_t subpixels, int64_t margin, int64_t steps);

// What is left of a triangle in clip space within -w <= x, y <= w and z <= w, w > 0, in pixels of a viewport of width x
// height: a convex polygon of at most 8 vertices, pixel centres at whole numbers plus a half, y down.
struct ClippedPolygon {
    struct Vertex {
        double x = 0.0;
        double y = 0.0;
    };
    std::array<Vertex, 10> vertices{};
    int count = 0;

    // Pixels; not negative.
    [[nodiscard]] double area() const;
    // Whether a pixel centre lies inside, beyond the roundings of this reference.
    [[nodiscard]] bool covers_pixel(int width, int height) const;
};
ClippedPolygon clip(const ClipTriangle& triangle, int width, int height);

// The sign of its visible part's area as seen, in exact arithmetic, whatever the signs of w: 1 clockwise, -1 counter-
// clockwise, 0 without area.
int facing(const ClipTriangle& triangle);

}  // namespace sublet::test
