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
    // Where a triangle covers the centres of pixels, whichever way it faces.
    void draw(const std::array<Flat, 3>& t) {
        const auto [low, high] = std::minmax({t[0][1], t[1][1], t[2][1]});
        const int first = std::max(static_cast<int>(std::ceil(low - 0.5F)), 0);
        const int last = std::min(static_cast<int>(std::ceil(high - 0.5F)), kPixels);
        for (int row = first; row < last; ++row) {
            const float y = static_cast<float>(row) + 0.5F;
            float left = std::numeric_limits<float>::infinity();
            float right = -left;
            for (std::size_t i = 0; i < 3; ++i) {
                const Flat& a = t[i];
                const Flat& b = t[(i + 1) % 3];
                if ((a[1] <= y) == (b[1] <= y)) continue;
                const float x = a[0] + (b[0] - a[0]) * ((y - a[1]) / (b[1] - a[1]));
                left = std::min(left, x);
                right = std::max(right, x);
            }
            const int begin = std::clamp(static_cast<int>(std::ceil(left - 0.5F)), 0, kPixels);
            const int end = std::clamp(static_cast<int>(std::ceil(right - 0.5F)), begin, kPixels);
            if (begin == end) continue;
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
    std::array<std::uint64_t, kPixels> rows_{};
};

}  // namespace

Coverage projected_areas(std::span<const Corners> triangles) {
    std::array<float, kCoverageViews> sums{};
    for (const Corners& t : triangles) {
        const Point a = minus(t[1], t[0]);
        const Point b = minus(t[2], t[0]);
        const Point n = cross(a, b);
        for (std::size_t i = 0; i < kCoverageViews; ++i) sums[i] += std::abs(dot(n, views()[i].ahead));
    }
    Coverage out{};
    for (std::size_t i = 0; i < kCoverageViews; ++i) out[i] = 0.5 * static_cast<double>(sums[i]);
    return out;
}

CoverageRatio covered_ratio(std::span<const Corners> triangles, std::span<const Corners> of) {
    CoverageRatio out;
    for (std::size_t i = 0; i < kCoverageViews; ++i) {
        const View& view = views()[i];
        Flat least{std::numeric_limits<float>::infinity(), std::numeric_limits<float>::infinity()};
        Flat most{-least[0], -least[1]};
        for (const Corners& t : of) {
            for (const Point& p : t) {
                const Flat q{dot(p, view.right), dot(p, view.up)};
                for (std::size_t k = 0; k < 2; ++k) {
                    least[k] = std::min(least[k], q[k]);
                    most[k] = std::max(most[k], q[k]);
                }
            }
        }
        const float extent = std::max({most[0] - least[0], most[1] - least[1], std::numeric_limits<float>::min()});
        const float scale = static_cast<float>(kPixels) / extent;
        const auto covered = [&](std::span<const Corners> drawn) {
            Mask mask;
            for (const Corners& t : drawn) {
                std::array<Flat, 3> f{};
                for (std::size_t c = 0; c < 3; ++c) {
                    f[c] = {(dot(t[c], view.right) - least[0]) * scale, (dot(t[c], view.up) - least[1]) * scale};
                }
                mask.draw(f);
            }
            return mask.covered();
        };
        const double before = covered(of);
        out.ratio[i] = before > 0.0 ? covered(triangles) / before : 1.0;
        out.area[i] = before / static_cast<double>(scale) / static_cast<double>(scale);
    }
    return out;
}

}  // namespace sublet::mesh
