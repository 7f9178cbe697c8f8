#include "exact.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace sublet::test {
namespace {

using Vector = std::array<long double, 3>;

Vector cross(const Vector& a, const Vector& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

long double dot(const Vector& a, const Vector& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

int64_t ceil_divide(int64_t value, int64_t divisor) {
    const int64_t quotient = value / divisor;
    return quotient * divisor < value ? quotient + 1 : quotient;
}

}  // namespace

int64_t exact_area(const Triangle& t) {
    return (t[1].x - t[0].x) * (t[2].y - t[0].y) - (t[1].y - t[0].y) * (t[2].x - t[0].x);
}

bool crossing(const Point& a, const Point& b, int64_t row, int64_t& pixel) {
    const Point& top = a.y < b.y ? a : b;
    const Point& bottom = a.y < b.y ? b : a;
    const int64_t y = row * kSubpixels;
    if (y < top.y || y >= bottom.y) return false;
    const int64_t height = bottom.y - top.y;
    pixel = ceil_divide(top.x * height + (y - top.y) * (bottom.x - top.x), height * kSubpixels);
    return true;
}

Span covered(const Triangle& t, int64_t row) {
    std::array<int64_t, 3> pixels{};
    std::size_t count = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        if (crossing(t[i], t[(i + 1) % 3], row, pixels[count])) ++count;
    }
    if (count != 2) return {};
    return {std::min(pixels[0], pixels[1]), std::max(pixels[0], pixels[1]) - 1};
}

long double exact_depth(const Triangle& t, const std::array<float, 3>& depths, int64_t x, int64_t y) {
    const Point s{x * kSubpixels, y * kSubpixels};
    const auto area = static_cast<long double>(exact_area(t));
    const long double d0 = depths[0];
    return d0 + static_cast<long double>(exact_area({t[0], s, t[2]})) / area * (depths[1] - d0) +
           static_cast<long double>(exact_area({t[0], t[1], s})) / area * (depths[2] - d0);
}

void Windings::add(const Point& a, const Point& b) {
    const int64_t first = std::max<int64_t>(ceil_divide(std::min(a.y, b.y), kSubpixels), 0);
    const int64_t last = std::min(ceil_divide(std::max(a.y, b.y), kSubpixels), height_ - 1);
    for (int64_t row = first; row <= last; ++row) {
        int64_t pixel = 0;
        if (!crossing(a, b, row, pixel)) continue;
        // What runs up has the inside of a clockwise line to its right.
        steps_[row * (width_ + 1) + std::clamp<int64_t>(pixel, 0, width_)] += b.y < a.y ? 1 : -1;
    }
}

std::vector<int> Windings::count() const {
    std::vector<int> counts(width_ * height_);
    for (int64_t row = 0; row < height_; ++row) {
        int sum = 0;
        for (int64_t x = 0; x < width_; ++x) {
            sum += steps_[row * (width_ + 1) + x];
            counts[row * width_ + x] = sum;
        }
    }
    return counts;
}

ClipSpaceTriangle::ClipSpaceTriangle(const std::array<glm::vec4, 3>& corners, int64_t width, int64_t height) {
    std::array<Vector, 3> v{};
    for (std::size_t i = 0; i < 3; ++i) v[i] = {corners[i].x, corners[i].y, corners[i].w};
    const long double determinant = dot(v[0], cross(v[1], v[2]));
    facing_ = determinant > 0.0L ? 1 : determinant < 0.0L ? -1 : 0;
    if (facing_ == 0) return;
    // The corners' weights for the ray through a point (x, y, 1) of the view: all positive where it hits the triangle
    // before the eye. As the point moves they are linear, and so is what they make of w - z.
    std::array<Vector, 4> functions{};
    for (std::size_t i = 0; i < 3; ++i) {
        functions[i] = cross(v[(i + 1) % 3], v[(i + 2) % 3]);
        for (std::size_t k = 0; k < 3; ++k) {
            functions[i][k] /= determinant;
            functions[3][k] += functions[i][k] * (static_cast<long double>(corners[i].w) - corners[i].z);
        }
    }
    for (std::size_t i = 0; i < 4; ++i) {
        const Vector& f = functions[i];
        const long double across = 2.0L * f[0] / static_cast<long double>(width);
        const long double down = 2.0L * f[1] / static_cast<long double>(height);
        const long double at_first = f[2] - f[0] - f[1] + 0.5L * (across + down);
        const long double slope = std::hypot(across, down);
        // One that is the same all over the window: its sign counts, at any distance.
        const long double scale = slope > 0.0L ? kSubpixels / slope : std::numeric_limits<float>::max();
        planes_[i] = {across * scale, down * scale, at_first * scale};
    }
}

long double ClipSpaceTriangle::inside(int64_t x, int64_t y) const {
    long double least = std::numeric_limits<long double>::max();
    for (const auto& plane : planes_) {
        least =
            std::min(least, plane[0] * static_cast<long double>(x) + plane[1] * static_cast<long double>(y) + plane[2]);
    }
    return least;
}

}  // namespace sublet::test
