// The loops over pixels of raster.comp and raster_large.comp, around the same functions.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "shader.h"
#include "tests/unit/primitive_cull/triangles.h"

namespace sublet::test {

using glsl::ivec2;
using glsl::ivec3;
using glsl::fused::edge_function;
using glsl::fused::float_of;
using glsl::fused::RasterTriangle;

// make_raster_triangle() of a triangle on the grid.
inline bool make(const Triangle& triangle, const std::array<float, 3>& depths, uint32_t winding, const ivec2& size,
                 RasterTriangle& t) {
    std::array<ivec2, 3> positions{};
    for (std::size_t i = 0; i < 3; ++i) positions[i] = ivec2(triangle[i].x, triangle[i].y);
    return make_raster_triangle(positions.data(), depths.data(), winding, size, t);
}

// draw_small(): of a narrow triangle. `draw(pixel, e1, e2)` gets what depth_at() takes.
template <class Draw>
void walk_narrow(const RasterTriangle& t, const Draw& draw) {
    const ivec3 rule = fill_rules(t);
    const ivec3 right = edges_right(t);
    const ivec3 down = edges_down(t);
    ivec3 row = narrow_edges(t, t.first_pixel);
    ivec3 at = row;
    ivec2 pixel = t.first_pixel;
    while (pixel.y <= t.last_pixel.y) {
        const ivec3 inside = at + rule;
        if ((inside.x | inside.y | inside.z) >= 0) draw(pixel, float_of(at.y), float_of(at.z));
        const bool next_row = pixel.x == t.last_pixel.x;
        row += next_row ? down : ivec3(0);
        at = next_row ? row : at + right;
        pixel = next_row ? ivec2(t.first_pixel.x, pixel.y + 1) : ivec2(pixel.x + 1, pixel.y);
    }
}

// draw_rows(): the rows `first` to `last` of any triangle, by all lanes of a workgroup.
template <class Draw>
void walk_wide(const RasterTriangle& t, int first, int last, const Draw& draw) {
    const ivec2 tile(16, 8);
    const ivec2 low(t.first_pixel.x, std::max(t.first_pixel.y, first));
    const ivec2 high(t.last_pixel.x, std::min(t.last_pixel.y, last));
    const ivec3 rule = fill_rules(t);
    const ivec3 right = edges_right(t);
    const std::array<int64_t, 3> steps{int64_t{right.x} * tile.x, int64_t{right.y} * tile.x, int64_t{right.z} * tile.x};
    for (int lane = 0; lane < tile.x * tile.y; ++lane) {
        for (int y = low.y + lane / tile.x; y <= high.y; y += tile.y) {
            ivec2 pixel(low.x + lane % tile.x, y);
            const ivec2 center = pixel * glsl::fused::kRasterSubpixels;
            int64_t e0 = edge_function(t.corners[1], t.corners[2], center) + rule.x;
            int64_t e1 = edge_function(t.corners[2], t.corners[0], center) + rule.y;
            int64_t e2 = edge_function(t.corners[0], t.corners[1], center) + rule.z;
            while (pixel.x <= high.x) {
                if (e0 >= 0 && e1 >= 0 && e2 >= 0) {
                    draw(pixel, float_of(e1 - rule.y), float_of(e2 - rule.z));
                }
                e0 += steps[0];
                e1 += steps[1];
                e2 += steps[2];
                pixel.x += tile.x;
            }
        }
    }
}

// What was drawn of a triangle: how often each pixel of a box, and how deep.
class Drawn {
  public:
    // Some rows of a triangle's box.
    Drawn(const RasterTriangle& t, int first, int last)
        : low_(t.first_pixel.x, std::max(t.first_pixel.y, first)),
          size_(t.last_pixel.x - low_.x + 1, std::min(t.last_pixel.y, last) - low_.y + 1),
          times_(count()),
          depths_(count()) {}

    void draw(const ivec2& pixel, float depth) {
        const ivec2 at = pixel - low_;
        if (at.x < 0 || at.y < 0 || at.x >= size_.x || at.y >= size_.y) {
            ++outside_;
            return;
        }
        ++times_[index(at)];
        depths_[index(at)] = depth;
    }
    [[nodiscard]] const ivec2& low() const { return low_; }
    [[nodiscard]] const ivec2& size() const { return size_; }
    [[nodiscard]] int outside() const { return outside_; }
    // From the box's first pixel.
    [[nodiscard]] int times(int x, int y) const { return times_[index({x, y})]; }
    [[nodiscard]] float depth(int x, int y) const { return depths_[index({x, y})]; }

  private:
    [[nodiscard]] std::size_t count() const { return static_cast<std::size_t>(size_.x) * std::max(size_.y, 0); }
    [[nodiscard]] std::size_t index(const ivec2& at) const {
        return static_cast<std::size_t>(at.y) * size_.x + static_cast<std::size_t>(at.x);
    }

    ivec2 low_, size_;
    int outside_ = 0;
    std::vector<uint8_t> times_;
    std::vector<float> depths_;
};

}  // namespace sublet::test
