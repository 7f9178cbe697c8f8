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

// The first row or column with its centre at x or beyond.
inline std::int32_t pixel_of(float x) {
    // Comparisons that compilers make vectors of, and no call: rounded up where it is within the picture.
    const float low = x - 0.5F > -1.0F ? x - 0.5F : -1.0F;
    const float from = (low < static_cast<float>(kPixels) ? low : static_cast<float>(kPixels)) + 1.0F;
    const auto down = static_cast<std::int32_t>(from);
    const std::int32_t up = down - 1 + static_cast<std::int32_t>(from > static_cast<float>(down));
    return up > 0 ? up : 0;
}

// A picture of one bit a pixel.
class Mask {
  public:
    // A corner: where it is, and pixel_of() its y.
    struct Corner {
        float x, y;
        std::int32_t row;
    };

    // Where a triangle covers the centres of pixels, whichever way it faces.
    void draw(const std::array<Corner, 3>& corners) {
        const auto [first, last] = std::minmax({corners[0].row, corners[1].row, corners[2].row});
        std::array<float, 3> slope{};
        for (std::size_t i = 0; i < 3; ++i) {
            const Corner& a = corners[i];
            const Corner& b = corners[i == 2 ? 0 : i + 1];
            if (a.row != b.row) slope[i] = (b.x - a.x) / (b.y - a.y);
        }
        for (int row = first; row < last; ++row) {
            float left = kPixels;
            float right = 0.0F;
            for (std::size_t i = 0; i < 3; ++i) {
                const Corner& a = corners[i];
                if ((a.row <= row) == (corners[i == 2 ? 0 : i + 1].row <= row)) continue;
                const float at = a.x + (static_cast<float>(row) + 0.5F - a.y) * slope[i];
                left = std::min(left, at);
                right = std::max(right, at);
            }
            const int begin = pixel_of(left);
            const int end = pixel_of(right);
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
    std::array<std::uint64_t, kPixels> rows_{};
};

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

double CoveredArea::covered(const IndexedFaces& faces, std::size_t view, const Picture& picture) {
    const auto place = [&](Side& side, const Point& axis, float begin) {
        side.at.resize(faces.points.size());
        side.pixel.resize(faces.points.size());
        for (std::size_t i = 0; i < faces.points.size(); ++i) {
            side.at[i] = (dot(faces.points[i], axis) - begin) * picture.scale;
        }
        for (std::size_t i = 0; i < faces.points.size(); ++i) side.pixel[i] = pixel_of(side.at[i]);
    };
    place(x_, views()[view].right, picture.begin[0]);
    place(y_, views()[view].up, picture.begin[1]);
    Mask mask;
    for (const auto& [a, b, c] : faces.faces) {
        // Most triangles of groups are smaller than a pixel: between the same centres.
        const std::int32_t* row = y_.pixel.data();
        if (row[a] == row[b] && row[b] == row[c]) continue;
        const std::int32_t* column = x_.pixel.data();
        if (column[a] == column[b] && column[b] == column[c]) continue;
        const auto corner = [&](std::uint32_t p) { return Mask::Corner{x_.at[p], y_.at[p], row[p]}; };
        mask.draw({corner(a), corner(b), corner(c)});
    }
    return mask.covered();
}

const CoveredArea::Picture& CoveredArea::picture(std::size_t view) {
    std::optional<Picture>& out = pictures_[view];
    if (out) return *out;
    Flat least{std::numeric_limits<float>::infinity(), std::numeric_limits<float>::infinity()};
    Flat most{-least[0], -least[1]};
    for (const Point& p : faces_.points) {
        const Flat q{dot(p, views()[view].right), dot(p, views()[view].up)};
        for (std::size_t k = 0; k < 2; ++k) {
            least[k] = std::min(least[k], q[k]);
            most[k] = std::max(most[k], q[k]);
        }
    }
    const float extent = std::max({most[0] - least[0], most[1] - least[1], std::numeric_limits<float>::min()});
    out = Picture{least, static_cast<float>(kPixels) / extent, 0.0};
    out->covered = covered(faces_, view, *out);
    return *out;
}

double CoveredArea::ratio(std::size_t view, const IndexedFaces& others) {
    const Picture& own = picture(view);
    return own.covered > 0.0 ? covered(others, view, own) / own.covered : 1.0;
}

Coverage CoveredArea::ratio(const IndexedFaces& others) {
    Coverage out{};
    for (std::size_t view = 0; view < kCoverageViews; ++view) out[view] = ratio(view, others);
    return out;
}

double CoveredArea::area(std::size_t view) {
    const Picture& own = picture(view);
    return own.covered / static_cast<double>(own.scale) / static_cast<double>(own.scale);
}

}  // namespace sublet::mesh
