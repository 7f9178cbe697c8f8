// What the compute rasteriser is held against, from the definitions: coverage by where edges cross the rows of pixels'
// centres, depth as the plane through three corners, triangles in clip space without cutting them.
#pragma once

#include <array>
#include <cstdint>
#include <glm/vec4.hpp>
#include <vector>

#include "tests/unit/primitive_cull/triangles.h"

namespace sublet::test {

inline constexpr int64_t kSubpixels = 256;

// Twice the signed area, positive when clockwise as seen (y down).
int64_t exact_area(const Triangle& triangle);

// The first pixel of a row whose centre lies on an edge or to the right of it. False where the edge does not cross the
// row: it has its upper end, and not its lower one.
bool crossing(const Point& a, const Point& b, int64_t row, int64_t& pixel);

// The pixels of a row that a triangle covers, whichever way it winds: from where one edge crosses it to before where
// the other one does. So centres on left edges and on top ones are inside, by the ends that edges have.
struct Span {
    int64_t first = 0;
    int64_t last = -1;  // none where it is less
};
Span covered(const Triangle& triangle, int64_t row);

// Of the plane through the corners' depths, at a pixel's centre. The triangle has an area.
long double exact_depth(const Triangle& triangle, const std::array<float, 3>& depths, int64_t x, int64_t y);

// How often closed lines wind around the centres of a window's pixels, clockwise counted positive.
class Windings {
  public:
    Windings(int64_t width, int64_t height) : width_(width), height_(height), steps_((width + 1) * height) {}
    void add(const Point& a, const Point& b);
    // Pixels, row by row.
    [[nodiscard]] std::vector<int> count() const;

  private:
    int64_t width_, height_;
    std::vector<int> steps_;
};

// A triangle in clip space as a device without limits would see it: nothing is cut, nothing is snapped.
class ClipSpaceTriangle {
  public:
    ClipSpaceTriangle(const std::array<glm::vec4, 3>& corners, int64_t width, int64_t height);
    // How far a pixel's centre lies inside of it and behind the near plane, in subpixels; negative outside.
    [[nodiscard]] long double inside(int64_t x, int64_t y) const;
    // Positive when clockwise as seen; 0 without area.
    [[nodiscard]] int facing() const { return facing_; }

  private:
    // a x + b y + c, of pixels' indices: in subpixels from the three edges and from the near plane.
    std::array<std::array<long double, 3>, 4> planes_{};
    int facing_ = 0;
};

}  // namespace sublet::test
