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
        const int first = row_of(low);
        const int last = row_of(high);
        if (first >= last) return;
        std::array<float, kPixels> left;
        std::array<float, kPixels> right;
        std::fill(left.begin() + first, left.begin() + last, static_cast<float>(kPixels));
        std::fill(right.begin() + first, right.begin() + last, 0.0F);
        for (std::size_t i = 0; i < 3; ++i) {
            const Flat& a = t[i];
            const Flat& b = t[(i + 1) % 3];
            const int begin = row_of(std::min(a[1], b[1]));
            const int end = row_of(std::max(a[1], b[1]));
            if (begin >= end) continue;
            const float slope = (b[0] - a[0]) / (b[1] - a[1]);
            for (int row = begin; row < end; ++row) {
                const float x = a[0] + (static_cast<float>(row) + 0.5F - a[1]) * slope;
                const auto r = static_cast<std::size_t>(row);
                left[r] = std::min(left[r], x);
                right[r] = std::max(right[r], x);
            }
        }
        for (int row = first; row < last; ++row) {
            const auto r = static_cast<std::size_t>(row);
            const int begin = row_of(left[r]);
            const int end = row_of(right[r]);
            if (begin >= end) continue;
            const std::uint64_t ones =
                end - begin == kPixels ? ~std::uint64_t{0} : (std::uint64_t{1} << (end - begin)) - 1U;
            rows_[r] |= ones << begin;
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
        std::array<Flat, 3> f{};
        for (std::size_t c = 0; c < 3; ++c) {
            f[c] = {(dot(t[c], view.right) - begin[0]) * scale, (dot(t[c], view.up) - begin[1]) * scale};
        }
        mask.draw(f);
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

CoveredArea::CoveredArea(std::span<const Corners> triangles) {
    for (std::size_t i = 0; i < kCoverageViews; ++i) {
        const View& view = views()[i];
        Flat least{std::numeric_limits<float>::infinity(), std::numeric_limits<float>::infinity()};
        Flat most{-least[0], -least[1]};
        for (const Corners& t : triangles) {
            for (const Point& p : t) {
                const Flat q{dot(p, view.right), dot(p, view.up)};
                for (std::size_t k = 0; k < 2; ++k) {
                    least[k] = std::min(least[k], q[k]);
                    most[k] = std::max(most[k], q[k]);
                }
            }
        }
        const float extent = std::max({most[0] - least[0], most[1] - least[1], std::numeric_limits<float>::min()});
        Picture& picture = pictures_[i];
        picture.begin = least;
        picture.scale = static_cast<float>(kPixels) / extent;
        picture.covered = covered(triangles, view, picture.begin, picture.scale);
        area_[i] = picture.covered / static_cast<double>(picture.scale) / static_cast<double>(picture.scale);
    }
}

Coverage CoveredArea::ratio(std::span<const Corners> others) const {
    Coverage out{};
    for (std::size_t i = 0; i < kCoverageViews; ++i) {
        const Picture& picture = pictures_[i];
        out[i] =
            picture.covered > 0.0 ? covered(others, views()[i], picture.begin, picture.scale) / picture.covered : 1.0;
    }
    return out;
}

}  // namespace sublet::mesh
