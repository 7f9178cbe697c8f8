// Random triangles for the tests of the compute rasteriser, the same on every machine.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <glm/vec4.hpp>
#include <ostream>
#include <random>

#include "tests/unit/primitive_cull/triangles.h"

namespace sublet::test {

// The standard's distributions differ between libraries.
class Random {
  public:
    explicit Random(uint64_t seed) : engine_(seed) {}
    // From low to high, both included.
    int64_t between(int64_t low, int64_t high) {
        return low + static_cast<int64_t>(engine_() % static_cast<uint64_t>(high - low + 1));
    }
    bool one_in(int64_t n) { return between(1, n) == 1; }
    double uniform(double low, double high);
    double log_uniform(double low, double high);

  private:
    std::mt19937_64 engine_;
};

// Where vertices that are drawn lie, at most, in a window of so many pixels: 1.5 times the view, and a few subpixels
// that window_position() may be off.
inline constexpr int64_t kPositionDoubt = 4;
struct Range {
    int64_t low;
    int64_t high;
};
inline Range guard_band(int64_t size) {
    return {-64 * size - 128 - kPositionDoubt, 320 * size - 128 + kPositionDoubt};
}
bool drawable(const Triangle& triangle, int64_t width, int64_t height);

enum class Shape : uint32_t {
    OnCentres,   // a few pixels, vertices on pixels' centres or halfway between: edges along the axes
    Narrow,      // up to the width that 32 bits hold, and just at it
    Wide,        // up to twice that width, and just above it
    Huge,        // anywhere in the guard band, and at its corners
    HugeSliver,  // the same, nearly without area
};
inline constexpr std::size_t kShapes = 5;
const char* shape_name(Shape shape);
// What GoogleTest shows of it.
inline std::ostream& operator<<(std::ostream& out, Shape shape) {
    return out << shape_name(shape);
}
// Either winding, within the guard band of the window.
Triangle make_triangle(Random& random, Shape shape, int64_t width, int64_t height);

// Depths of a triangle's corners: above 0, up to 1; near each other or not.
std::array<float, 3> make_depths(Random& random);

// Triangles in clip space, z the near plane's distance as a camera in perspective has it.
enum class ClipShape : uint32_t {
    Near,      // some corners behind the near plane
    Aside,     // before it, some corners outside the guard band
    Anywhere,  // any of both
    Far,       // any of both, over many orders of magnitude
};
inline constexpr std::size_t kClipShapes = 4;
const char* clip_shape_name(ClipShape shape);
glm::vec4 make_clip_point(Random& random, ClipShape shape);

}  // namespace sublet::test
