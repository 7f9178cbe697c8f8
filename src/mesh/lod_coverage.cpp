#include "mesh/lod_coverage.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "mesh/count_ones.h"
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
    static const std::array<View, kCoverageViews> all = make_views();
    return all;
}

using Flat = std::array<float, 2>;
constexpr int kPixels = 64;

// The first row or column with its centre at x or beyond.
std::int32_t pixel_of(float x) {
    // No call and no branch: compilers make vectors of it.
    const float from = std::min(std::max(x - 0.5F, -1.0F), static_cast<float>(kPixels)) + 1.0F;
    const auto down = static_cast<std::int32_t>(from);
    const std::int32_t up = down - 1 + static_cast<std::int32_t>(from > static_cast<float>(down));
    return std::max(up, 0);
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
        const std::int32_t first = std::min({corners[0].row, corners[1].row, corners[2].row});
        const std::int32_t last = std::max({corners[0].row, corners[1].row, corners[2].row});
        for (std::int32_t row = first; row < last; ++row) {
            // One corner is alone on its side of the line through the centres: the edges to it and from it cross that.
            constexpr std::array<std::uint8_t, 8> kAlone{0, 0, 1, 2, 2, 1, 0, 0};
            const std::size_t sides = static_cast<std::size_t>(corners[0].row <= row) |
                                      static_cast<std::size_t>(corners[1].row <= row) << 1U |
                                      static_cast<std::size_t>(corners[2].row <= row) << 2U;
            constexpr std::array<std::uint8_t, 5> kAround{2, 0, 1, 2, 0};
            const std::uint8_t* around = kAround.data() + kAlone[sides];  // the one before it, it, the one after it
            for (std::size_t i = 0; i < 3; ++i) {
                waiting_.x[i][count_] = corners[around[i]].x;
                waiting_.y[i][count_] = corners[around[i]].y;
            }
            waiting_.row[count_] = row;
            if (++count_ == kBatch) flush();
        }
    }
    [[nodiscard]] double covered() {
        flush();
        std::uint32_t sum = 0;
        for (const std::uint64_t row : rows_) sum += count_ones(row);
        return sum;
    }

  private:
    static constexpr std::size_t kBatch = 64;
    // Rows of triangles, side by side for vectors of them: a corner, and those before and after it, to which the edges
    // cross the row's line.
    struct Rows {
        std::array<std::array<float, kBatch>, 3> x{}, y{};
        std::array<std::int32_t, kBatch> row{};
    };

    void flush() {
        std::array<std::int32_t, kBatch> begin;
        std::array<std::int32_t, kBatch> end;
        const auto& [before_x, x, after_x] = waiting_.x;
        const auto& [before_y, y, after_y] = waiting_.y;
        for (std::size_t i = 0; i < count_; ++i) {
            const float line = static_cast<float>(waiting_.row[i]) + 0.5F;
            const float in = before_x[i] + (line - before_y[i]) * ((x[i] - before_x[i]) / (y[i] - before_y[i]));
            const float out = x[i] + (line - y[i]) * ((after_x[i] - x[i]) / (after_y[i] - y[i]));
            begin[i] = pixel_of(std::min(in, out));
            end[i] = pixel_of(std::max(in, out));
        }
        for (std::size_t i = 0; i < count_; ++i) {
            const std::int32_t pixels = end[i] - begin[i];
            const std::uint64_t ones = pixels > 0 ? ~std::uint64_t{0} >> ((kPixels - pixels) & 63) : 0;
            rows_[static_cast<std::size_t>(waiting_.row[i])] |= ones << (begin[i] & 63);
        }
        count_ = 0;
    }

    Rows waiting_;
    std::size_t count_ = 0;
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
    const std::int32_t* column = x_.pixel.data();
    const std::int32_t* row = y_.pixel.data();
    // Most triangles of groups are smaller than a pixel: between the same centres. The others are listed first, without
    // branches.
    drawn_.resize(faces.faces.size());
    std::size_t count = 0;
    for (std::uint32_t f = 0; f < faces.faces.size(); ++f) {
        const auto& [a, b, c] = faces.faces[f];
        drawn_[count] = f;
        count += static_cast<std::size_t>(((row[a] ^ row[b]) | (row[b] ^ row[c])) != 0) &
                 static_cast<std::size_t>(((column[a] ^ column[b]) | (column[b] ^ column[c])) != 0);
    }
    Mask mask;
    for (std::size_t i = 0; i < count; ++i) {
        const auto corner = [&](std::uint32_t p) { return Mask::Corner{x_.at[p], y_.at[p], row[p]}; };
        const auto& [a, b, c] = faces.faces[drawn_[i]];
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
