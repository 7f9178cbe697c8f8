#include "mesh/lod_coverage.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "mesh/vec3.h"

namespace sublet::mesh {
namespace {

// Right, up and ahead of a view, at right angles to one another.
struct View {
    Point right, up, ahead;
};

// Directions spread over half of a sphere along a spiral.
std::array<View, kCoverageViews> make_views() {
    std::array<View, kCoverageViews> out{};
    for (std::size_t i = 0; i < kCoverageViews; ++i) {
        const double z = (static_cast<double>(i) + 0.5) / static_cast<double>(kCoverageViews);
        const double r = std::sqrt(1.0 - z * z);
        const double angle = 2.39996 * static_cast<double>(i) + 0.3;
        const Vec3 a{r * std::cos(angle), r * std::sin(angle), z};
        const double length = std::hypot(a[0], a[1]);
        const Vec3 right{-a[1] / length, a[0] / length, 0.0};
        const Vec3 up = cross(a, right);
        const auto to_float = [](const Vec3& v) {
            return Point{static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2])};
        };
        out[i] = {to_float(right), to_float(up), to_float(a)};
    }
    return out;
}

const std::array<View, kCoverageViews>& views() {
    static const std::array<View, kCoverageViews> kViews = make_views();
    return kViews;
}

using Flat = std::array<float, 2>;
constexpr int kPixels = 64;

// A picture of one bit a pixel.
class Mask {
  public:
    // Where a triangle covers the centres of pixels, whichever way it faces: `y` of its corners, and `x` as a function
    // of a corner, which most triangles of groups, smaller than a pixel, never ask for.
    template <class X>
    void draw(const std::array<float, 3>& y, const X& x) {
        const std::array<int, 3> row_at{row_of(y[0]), row_of(y[1]), row_of(y[2])};
        const int first = std::min({row_at[0], row_at[1], row_at[2]});
        const int last = std::max({row_at[0], row_at[1], row_at[2]});
        if (first == last) return;
        const std::array<float, 3> xs{x(0), x(1), x(2)};
        if (row_of(std::min({xs[0], xs[1], xs[2]})) == row_of(std::max({xs[0], xs[1], xs[2]}))) return;
        std::array<float, 3> slope;
        for (std::size_t i = 0; i < 3; ++i) {
            const std::size_t k = i == 2 ? 0 : i + 1;
            slope[i] = (xs[k] - xs[i]) / (y[k] - y[i]);
        }
        for (int row = first; row < last; ++row) {
            float left = kPixels;
            float right = 0.0F;
            for (std::size_t i = 0; i < 3; ++i) {
                if ((row_at[i] <= row) == (row_at[i == 2 ? 0 : i + 1] <= row)) continue;
                const float at = xs[i] + (static_cast<float>(row) + 0.5F - y[i]) * slope[i];
                left = std::min(left, at);
                right = std::max(right, at);
            }
            const int begin = row_of(left);
            const int end = row_of(right);
            if (begin >= end) continue;
            const std::uint64_t ones =
                end - begin == kPixels ? ~std::uint64_t{0} : (std::uint64_t{1} << (end - begin)) - 1U;
            rows_[static_cast<std::size_t>(row)] |= ones << begin;
        }
    }
    [[nodiscard]] double covered() const {
        int sum = 0;
        for (const std::uint64_t row : rows_) sum += std::popcount(row);
        return sum;
    }

  private:
    // The first row or column with its centre at x or beyond.
    static int row_of(float x) {
        // No call: x is more than -1 where it is less than the picture's side.
        const float from = std::clamp(x - 0.5F, -1.0F, static_cast<float>(kPixels)) + 1.0F;
        const int down = static_cast<int>(from);
        return std::clamp(down - 1 + (from > static_cast<float>(down) ? 1 : 0), 0, kPixels);
    }

    std::array<std::uint64_t, kPixels> rows_{};
};

double covered(std::span<const Corners> triangles, const View& view, const Flat& begin, float scale) {
    Mask mask;
    for (const Corners& t : triangles) {
        const auto y = [&](std::size_t c) { return (dot(t[c], view.up) - begin[1]) * scale; };
        mask.draw({y(0), y(1), y(2)}, [&](std::size_t c) { return (dot(t[c], view.right) - begin[0]) * scale; });
    }
    return mask.covered();
}

}  // namespace

Coverage projected_areas(std::span<const Corners> triangles) {
    // Axes side by side: the loop over views becomes one over vectors.
    std::array<std::array<float, kCoverageViews>, 3> ahead{};
    for (std::size_t i = 0; i < kCoverageViews; ++i) {
        for (std::size_t k = 0; k < 3; ++k) ahead[k][i] = views()[i].ahead[k];
    }
    std::array<float, kCoverageViews> sums{};
    for (const Corners& t : triangles) {
        const Point n = cross(minus(t[1], t[0]), minus(t[2], t[0]));
        for (std::size_t i = 0; i < kCoverageViews; ++i) {
            sums[i] += std::abs(n[0] * ahead[0][i] + n[1] * ahead[1][i] + n[2] * ahead[2][i]);
        }
    }
    Coverage out{};
    for (std::size_t i = 0; i < kCoverageViews; ++i) out[i] = 0.5 * static_cast<double>(sums[i]);
    return out;
}

const CoveredArea::Picture& CoveredArea::picture(std::size_t view) {
    std::optional<Picture>& out = pictures_[view];
    if (out) return *out;
    const auto& [right, up, ahead] = views()[view];
    Flat least{std::numeric_limits<float>::infinity(), std::numeric_limits<float>::infinity()};
    Flat most{-least[0], -least[1]};
    for (const Corners& t : triangles_) {
        for (const Point& p : t) {
            const Flat q{dot(p, right), dot(p, up)};
            for (std::size_t k = 0; k < 2; ++k) {
                least[k] = std::min(least[k], q[k]);
                most[k] = std::max(most[k], q[k]);
            }
        }
    }
    const float extent = std::max({most[0] - least[0], most[1] - least[1], std::numeric_limits<float>::min()});
    const float scale = static_cast<float>(kPixels) / extent;
    out = Picture{least, scale, covered(triangles_, views()[view], least, scale)};
    return *out;
}

double CoveredArea::ratio(std::size_t view, std::span<const Corners> others) {
    const Picture& own = picture(view);
    return own.covered > 0.0 ? covered(others, views()[view], own.begin, own.scale) / own.covered : 1.0;
}

Coverage CoveredArea::ratio(std::span<const Corners> others) {
    Coverage out{};
    for (std::size_t view = 0; view < kCoverageViews; ++view) out[view] = ratio(view, others);
    return out;
}

double CoveredArea::area(std::size_t view) {
    const Picture& own = picture(view);
    return own.covered / static_cast<double>(own.scale) / static_cast<double>(own.scale);
}

}  // namespace sublet::mesh
