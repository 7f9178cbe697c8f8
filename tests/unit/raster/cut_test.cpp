// The proof of the compute rasteriser's cutting: triangles that share an edge share the points where it is cut, what is
// left of a triangle is what of it can be seen, and the proof notices mistakes.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "cut_mutants.h"
#include "exact.h"
#include "shader.h"
#include "shapes.h"
#include "tests/unit/sanitizer.h"
#include "walks.h"

namespace sublet::test {
namespace {

using namespace glsl::fused;
using glsl::vec4;

constexpr int kWidth = 64;
constexpr int kHeight = 48;
constexpr uint32_t kLargest = 16384;

using ClipCorners = std::array<vec4, 3>;
using Polygon = std::vector<vec4>;
using Cut = std::function<Polygon(const ClipCorners&)>;

// One whose fma() rounds once, and one whose does not.
struct Device {
    const char* name;
    Polygon (*cut)(const ClipCorners&);
    float (*cut_distance)(vec4, uint32_t);
    vec4 (*cut_edge)(const vec4&, const vec4&, uint32_t);
    ivec2 (*position)(const vec4&, glm::uvec2);
};

// The shader's own, in either namespace.
#define SUBLET_DEVICE(space)                                                                             \
    Device {                                                                                             \
#space,                                                                                                \
            [](const ClipCorners& corners) {                                                                   \
                std::copy(corners.begin(), corners.end(), glsl::space::polygon[0]);                            \
                const uint32_t count = glsl::space::cut_polygon();                                             \
                return Polygon(glsl::space::polygon[0], glsl::space::polygon[0] + count);                      \
            },                                                                                                 \
            glsl::space::cut_distance,                                                                         \
            [](const vec4& inside, const vec4& outside, uint32_t plane) {                                      \
                return glsl::space::cut_edge(inside, outside, glsl::space::cut_distance(inside, plane),        \
                                             glsl::space::cut_distance(outside, plane), plane);                       \
            },                                                                                                 \
            [](const vec4& clip, glm::uvec2 size) {                                                            \
                return glsl::space::raster_position(                                                           \
                    glsl::space::window_position(clip, glsl::space::raster_viewport(size)));                   \
            }, \
    }
const Device kDevices[] = {SUBLET_DEVICE(fused), SUBLET_DEVICE(unfused)};
#undef SUBLET_DEVICE

std::ostream& operator<<(std::ostream& out, const Device& device) {
    return out << device.name;
}

ClipCorners make_corners(Random& random, ClipShape shape) {
    return {make_clip_point(random, shape), make_clip_point(random, shape), make_clip_point(random, shape)};
}

std::string describe(const ClipCorners& corners) {
    char text[256];
    std::string all;
    for (const vec4& p : corners) {
        std::snprintf(text, sizeof text, "(%a %a %a %a) ", p.x, p.y, p.z, p.w);
        all += text;
    }
    return all;
}

// The polygon of what raster_large.comp draws of a triangle.
Polygon visible(const ClipCorners& corners, const Cut& cut) {
    const uint32_t all = clip_code(corners[0]) & clip_code(corners[1]) & clip_code(corners[2]);
    const uint32_t any = clip_code(corners[0]) | clip_code(corners[1]) | clip_code(corners[2]);
    if ((all & kClipOutside) != 0) return {};
    return (any & kClipMayClip) != 0 ? cut(corners) : Polygon(corners.begin(), corners.end());
}

// How often the parts of a polygon that wind clockwise cover each pixel, and less how often the others do.
struct Hits {
    std::vector<int> clockwise = std::vector<int>(kWidth * kHeight);
    std::vector<int> sum = std::vector<int>(kWidth * kHeight);
};

void draw(const Polygon& polygon, const Device& device, Hits& hits) {
    for (std::size_t i = 2; i < polygon.size(); ++i) {
        std::array<ivec2, 3> positions{};
        const std::array<float, 3> depths{};
        const ClipCorners corners{polygon[0], polygon[i - 1], polygon[i]};
        for (std::size_t k = 0; k < 3; ++k) positions[k] = device.position(corners[k], {kWidth, kHeight});
        for (const uint32_t winding : {kWindingClockwise, kWindingCounterClockwise}) {
            RasterTriangle t;
            if (!make_raster_triangle(positions.data(), depths.data(), winding, {kWidth, kHeight}, t)) continue;
            const int step = winding == kWindingClockwise ? 1 : -1;
            walk_wide(t, 0, kHeight - 1, [&](const ivec2& pixel, float, float) {
                hits.clockwise[pixel.y * kWidth + pixel.x] += winding == kWindingClockwise ? 1 : 0;
                hits.sum[pixel.y * kWidth + pixel.x] += step;
            });
        }
    }
}

// Where an edge is left by all planes. Two points, or none.
Polygon cut_segment(const vec4& a, const vec4& b, const Device& device) {
    Polygon segment{a, b};
    for (uint32_t plane = 0; plane < kCutPlanes; ++plane) {
        const bool first = device.cut_distance(segment[0], plane) >= 0.0F;
        const bool second = device.cut_distance(segment[1], plane) >= 0.0F;
        if (!first && !second) return {};
        if (first == second) continue;
        const vec4 point = device.cut_edge(segment[first ? 0 : 1], segment[first ? 1 : 0], plane);
        segment[first ? 1 : 0] = point;
    }
    return segment;
}

bool has_edge(const Polygon& polygon, const vec4& a, const vec4& b) {
    for (std::size_t i = 0; i < polygon.size(); ++i) {
        if (polygon[i] == a && (a == b || polygon[(i + 1) % polygon.size()] == b)) return true;
    }
    return false;
}

struct EdgeTally {
    uint64_t edges = 0;    // cut, and not away
    uint64_t unequal = 0;  // that the two triangles do not both have
};

EdgeTally count_edges(const Device& device, const Cut& cut, ClipShape shape, std::size_t count, std::string& first) {
    Random random(11);
    EdgeTally tally;
    for (std::size_t i = 0; i < count; ++i) {
        const ClipCorners one = make_corners(random, shape);
        const Polygon segment = cut_segment(one[0], one[1], device);
        if (segment.empty() || (segment[0] == one[0] && segment[1] == one[1])) continue;
        ClipCorners other{one[1], one[0], make_clip_point(random, shape)};
        ++tally.edges;
        const auto turned = [&random](ClipCorners corners) {
            std::rotate(corners.begin(), corners.begin() + random.between(0, 2), corners.end());
            return corners;
        };
        if (has_edge(cut(turned(one)), segment[0], segment[1]) &&
            has_edge(cut(turned(other)), segment[1], segment[0])) {
            continue;
        }
        if (tally.unequal++ == 0) first = describe(one) + describe(other);
    }
    return tally;
}

class RasterCut : public testing::TestWithParam<Device> {};

TEST_P(RasterCut, TrianglesThatShareAnEdgeShareItsCutPoints) {
    for (std::size_t shape = 0; shape < kClipShapes; ++shape) {
        std::string first;
        const EdgeTally tally =
            count_edges(GetParam(), GetParam().cut, static_cast<ClipShape>(shape), 100000 / kSanitizerDivisor, first);
        std::printf("%-10s %7llu edges\n", clip_shape_name(static_cast<ClipShape>(shape)),
                    static_cast<unsigned long long>(tally.edges));
        EXPECT_EQ(tally.unequal, 0U) << first;
        EXPECT_GE(tally.edges, 10000U / kSanitizerDivisor);
    }
}

// Subpixels that pixels may be off an edge: half of one each way for both ends, and what cutting rounds.
constexpr long double kDoubt = 1.0L;

struct PixelTally {
    uint64_t triangles = 0;             // of which something is seen
    std::array<uint64_t, 9> corners{};  // by how many their polygons have
    uint64_t covered = 0, outside = 0;  // without doubt
    uint64_t wrong = 0;
    long double worst = 0.0L;  // how far inside or outside a wrong pixel's centre was, in subpixels
};

void check_triangle(const ClipCorners& corners, const Polygon& polygon, const Device& device, PixelTally& tally) {
    const ClipSpaceTriangle exact(corners, kWidth, kHeight);
    if (exact.facing() == 0) return;
    Hits hits;
    draw(polygon, device, hits);
    ++tally.corners.at(polygon.size());
    const uint64_t covered_before = tally.covered;
    for (int y = 0; y < kHeight; ++y) {
        for (int x = 0; x < kWidth; ++x) {
            const long double inside = exact.inside(x, y);
            const int expected = inside > 0.0L ? exact.facing() : 0;
            const bool right = hits.sum[y * kWidth + x] == expected;
            if (!right) tally.worst = std::max(tally.worst, std::abs(inside));
            if (std::abs(inside) <= kDoubt) continue;
            ++(inside > 0.0L ? tally.covered : tally.outside);
            tally.wrong += right ? 0 : 1;
        }
    }
    tally.triangles += tally.covered > covered_before ? 1 : 0;
}

PixelTally check_triangles(const Device& device, const Cut& cut, ClipShape shape, std::size_t count) {
    Random random(12);
    PixelTally tally;
    for (std::size_t i = 0; i < count; ++i) {
        const ClipCorners corners = make_corners(random, shape);
        const Polygon polygon = visible(corners, cut);
        check_triangle(corners, polygon, device, tally);
    }
    return tally;
}

TEST_P(RasterCut, WhatIsLeftIsWhatIsSeen) {
    for (const ClipShape shape : {ClipShape::Near, ClipShape::Aside, ClipShape::Anywhere}) {
        const PixelTally tally = check_triangles(GetParam(), GetParam().cut, shape, 5000 / kSanitizerDivisor);
        std::printf("%-10s %6llu triangles, %9llu pixels covered, doubts up to %.2f subpixels; of 4 to 8 corners",
                    clip_shape_name(shape), static_cast<unsigned long long>(tally.triangles),
                    static_cast<unsigned long long>(tally.covered), static_cast<double>(tally.worst));
        for (std::size_t i = 4; i <= 8; ++i) std::printf(" %llu", static_cast<unsigned long long>(tally.corners[i]));
        std::printf("\n");
        EXPECT_EQ(tally.wrong, 0U) << clip_shape_name(shape);
        EXPECT_GE(tally.triangles, 1000U / kSanitizerDivisor);
    }
}

PixelTally check_octagons(const Device& device, const Cut& cut) {
    Random random(14);
    PixelTally tally;
    for (std::size_t i = 0; i < 150000 / kSanitizerDivisor; ++i) {
        const ClipCorners corners = make_corners(random, ClipShape::Near);
        if (device.cut(corners).size() >= 8) check_triangle(corners, cut(corners), device, tally);
    }
    return tally;
}

// Five planes can leave eight corners, and all of them count.
TEST_P(RasterCut, OctagonsKeepAllCorners) {
    const PixelTally tally = check_octagons(GetParam(), GetParam().cut);
    EXPECT_EQ(tally.wrong, 0U);
    EXPECT_GE(tally.corners[8], 20U / kSanitizerDivisor);
    EXPECT_GE(tally.triangles, 20U / kSanitizerDivisor);
}

struct BandTally {
    uint64_t points = 0, beyond = 0;  // beyond: or without a depth
    std::string first;
};

BandTally check_band(const Device& device, const Cut& cut, ClipShape shape) {
    const Range band = guard_band(kLargest);
    Random random(13);
    BandTally tally;
    for (std::size_t i = 0; i < 100000 / kSanitizerDivisor; ++i) {
        const ClipCorners corners = make_corners(random, shape);
        for (const vec4& point : cut(corners)) {
            const ivec2 at = device.position(point, {kLargest, kLargest});
            const float depth = raster_depth(point);
            ++tally.points;
            if (std::min(at.x, at.y) >= band.low && std::max(at.x, at.y) <= band.high && depth > 0.0F &&
                depth <= 1.0F) {
                continue;
            }
            if (tally.beyond++ == 0) tally.first = describe(corners);
        }
    }
    return tally;
}

// Cut points are vertices like others: they have depths, and window positions whose differences have the width that
// they may.
TEST_P(RasterCut, CutPointsAreWithinTheGuardBand) {
    for (std::size_t shape = 0; shape < kClipShapes; ++shape) {
        const BandTally tally = check_band(GetParam(), GetParam().cut, static_cast<ClipShape>(shape));
        EXPECT_EQ(tally.beyond, 0U) << clip_shape_name(static_cast<ClipShape>(shape)) << " " << tally.first;
        EXPECT_GE(tally.points, 40000U / kSanitizerDivisor);
    }
}

// A planar mesh that is cut has no crack, and no pixel is hit twice: a triangle, subdivided, its inner vertices moved.
TEST_P(RasterCut, MeshesAreCoveredOnce) {
    constexpr int kParts = 8;
    for (const ClipShape shape : {ClipShape::Near, ClipShape::Aside, ClipShape::Anywhere}) {
        Random random(15);
        uint64_t cut = 0;
        uint64_t covered = 0;
        for (std::size_t i = 0; i < 500 / kSanitizerDivisor; ++i) {
            const ClipCorners corners = make_corners(random, shape);
            const ClipSpaceTriangle exact(corners, kWidth, kHeight);
            std::array<std::array<vec4, kParts + 1>, kParts + 1> vertices{};
            for (int y = 0; y <= kParts; ++y) {
                for (int x = 0; x <= kParts - y; ++x) {
                    const bool inner = x > 0 && y > 0 && x + y < kParts;
                    const double v = (x + (inner ? random.uniform(-0.2, 0.2) : 0.0)) / kParts;
                    const double w = (y + (inner ? random.uniform(-0.2, 0.2) : 0.0)) / kParts;
                    for (int k = 0; k < 4; ++k) {
                        vertices[y][x][k] = static_cast<float>(corners[0][k] + v * (corners[1][k] - corners[0][k]) +
                                                               w * (corners[2][k] - corners[0][k]));
                    }
                }
            }
            Hits hits;
            const auto add = [&](const vec4& a, const vec4& b, const vec4& c) {
                const Polygon polygon = visible({a, b, c}, GetParam().cut);
                cut += polygon.size() > 3 ? 1 : 0;
                draw(polygon, GetParam(), hits);
            };
            for (int y = 0; y < kParts; ++y) {
                for (int x = 0; x < kParts - y; ++x) {
                    add(vertices[y][x], vertices[y][x + 1], vertices[y + 1][x]);
                    if (x + y + 1 < kParts) add(vertices[y + 1][x + 1], vertices[y + 1][x], vertices[y][x + 1]);
                }
            }
            for (int y = 0; y < kHeight; ++y) {
                for (int x = 0; x < kWidth; ++x) {
                    const long double inside = exact.inside(x, y);
                    if (std::abs(inside) <= 2.0L * kDoubt) continue;
                    const int expected = inside > 0.0L ? exact.facing() : 0;
                    ASSERT_EQ(hits.sum[y * kWidth + x], expected) << describe(corners) << x << " " << y;
                    ASSERT_EQ(hits.clockwise[y * kWidth + x], std::max(expected, 0)) << "hit twice";
                    covered += inside > 0.0L ? 1 : 0;
                }
            }
        }
        std::printf("%-10s %6llu triangles cut, %7llu pixels\n", clip_shape_name(shape),
                    static_cast<unsigned long long>(cut), static_cast<unsigned long long>(covered));
        EXPECT_GE(cut, 500U / kSanitizerDivisor);
        EXPECT_GE(covered, 10000U / kSanitizerDivisor);
    }
}

INSTANTIATE_TEST_SUITE_P(Devices, RasterCut, testing::ValuesIn(kDevices),
                         [](const testing::TestParamInfo<Device>& info) { return std::string(info.param.name); });

// Worst errors of cut points, in roundings of a float: of all components, to those of the nearer end and of the point;
// and of w, to itself, where the guard band cuts an edge.
struct Accuracy {
    double all = 0.0;
    double w = 0.0;
};

Accuracy measure(const std::function<vec4(const vec4&, const vec4&, uint32_t)>& edge) {
    Random random(16);
    Accuracy worst;
    for (std::size_t i = 0; i < 300000 / kSanitizerDivisor; ++i) {
        const auto plane = static_cast<uint32_t>(random.between(0, kCutPlanes - 1));
        const ClipShape shape = random.one_in(2) ? ClipShape::Far : ClipShape::Anywhere;
        const vec4 a = make_clip_point(random, shape);
        const vec4 b = make_clip_point(random, shape);
        if ((cut_distance(a, plane) >= 0.0F) == (cut_distance(b, plane) >= 0.0F)) continue;
        // What is left by the near plane lies before the eye.
        if (plane != 0 && std::min(a.w, b.w) <= 0.0F) continue;
        const auto distance = [plane](const vec4& p) {
            const long double aside = plane < 3 ? p.x : p.y;
            if (plane == 0) return static_cast<long double>(p.w) - p.z;
            return 1.5L * p.w + (plane % 2 == 1 ? aside : -aside);
        };
        const bool a_is_nearer = std::abs(distance(a)) < std::abs(distance(b));
        const vec4& near_end = a_is_nearer ? a : b;
        const vec4& far_end = a_is_nearer ? b : a;
        const long double t = distance(near_end) / (distance(near_end) - distance(far_end));
        const vec4 point = edge(a, b, plane);
        for (int k = 0; k < 4; ++k) {
            const long double exact = near_end[k] + t * (static_cast<long double>(far_end[k]) - near_end[k]);
            const auto error = static_cast<double>(std::abs(point[k] - exact) / 0x1p-24L);
            const auto size = static_cast<double>(std::abs(exact) + std::abs(near_end[k]));
            if (k != 2) worst.all = std::max(worst.all, error / size);
            if (k == 3 && plane != 0) {
                worst.w = std::max(worst.w, error / static_cast<double>(exact));
            }
        }
    }
    return worst;
}

// Seven roundings lead to a point: of two distances, of their difference and quotient, twice of its relation to the
// ends, and of the sum. On the CPU, where a quotient rounds once.
constexpr double kPointRoundings = 8.0;

TEST(RasterCutProof, CutPointsAreAsAccurateAsTheirNearerEnd) {
    const Accuracy worst = measure([](const vec4& a, const vec4& b, uint32_t plane) {
        const float distance_a = cut_distance(a, plane);
        const float distance_b = cut_distance(b, plane);
        return distance_a >= 0.0F ? cut_edge(a, b, distance_a, distance_b, plane)
                                  : cut_edge(b, a, distance_b, distance_a, plane);
    });
    std::printf("at worst %.2f roundings, of w %.2f\n", worst.all, worst.w);
    EXPECT_LE(worst.all, kPointRoundings);
    EXPECT_LE(worst.w, 2.0 * kPointRoundings);
}

TEST(RasterCutProof, SeesEveryMistake) {
    const Device& device = kDevices[0];
    Random random(17);
    // What the mistakes are made in is the same as the original.
    for (std::size_t i = 0; i < 100000 / kSanitizerDivisor; ++i) {
        const ClipCorners corners = make_corners(random, static_cast<ClipShape>(i % kClipShapes));
        ASSERT_EQ(mistaken_cut(corners, CutMistake::None), device.cut(corners)) << describe(corners);
    }
    for (const CutMistake mistake : kCutMistakes) {
        const Cut cut = [mistake](const ClipCorners& corners) { return mistaken_cut(corners, mistake); };
        std::string first;
        const uint64_t edges = count_edges(device, cut, ClipShape::Near, 5000, first).unequal;
        const uint64_t pixels =
            check_triangles(device, cut, ClipShape::Near, 200).wrong + check_octagons(device, cut).wrong;
        const uint64_t beyond = check_band(device, cut, ClipShape::Far).beyond;
        const Accuracy worst = measure(
            [mistake](const vec4& a, const vec4& b, uint32_t plane) { return mistaken_edge(a, b, plane, mistake); });
        std::printf("%-24s %5llu edges unequal, %6llu pixels wrong, %6llu points beyond, w off by %.3g roundings\n",
                    cut_mistake_name(mistake), static_cast<unsigned long long>(edges),
                    static_cast<unsigned long long>(pixels), static_cast<unsigned long long>(beyond), worst.w);
        switch (mistake) {
            case CutMistake::FromFirstCorner:
                EXPECT_GT(edges, 0U);
                break;
            case CutMistake::FromFartherEnd:
                EXPECT_GT(worst.w, 20.0 * kPointRoundings);
                break;
            case CutMistake::NotOnPlane:
            case CutMistake::WithoutGuardBand:
                EXPECT_GT(beyond, 0U);
                break;
            default:
                EXPECT_GT(pixels, 0U);
        }
    }
}

}  // namespace
}  // namespace sublet::test
