// The proof of the compute rasteriser's pixels: both of its walks cover what the definition says, with depths of the
// same bits, as near to the plane as they claim; and the proof notices mistakes.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "exact.h"
#include "mutants.h"
#include "shader.h"
#include "shapes.h"
#include "tests/unit/sanitizer.h"
#include "walks.h"

namespace sublet::test {
namespace {

using namespace glsl::fused;

std::string describe(const Triangle& t) {
    std::string text;
    for (const Point& p : t) text += "(" + std::to_string(p.x) + ", " + std::to_string(p.y) + ") ";
    return text;
}

struct Tally {
    uint64_t triangles = 0;  // that have pixels to look at
    uint64_t pixels = 0;     // covered
    uint64_t uncovered = 0;  // in boxes
    uint64_t wrong = 0;      // missed, drawn twice, or beside the triangle
    uint64_t far = 0;        // whose depth is off by more than its bound, or out of the corners' range
    double worst = 0.0;      // error of a depth, in bounds
    std::string first;

    void add(const Tally& other) {
        triangles += other.triangles;
        pixels += other.pixels;
        uncovered += other.uncovered;
        wrong += other.wrong;
        far += other.far;
        worst = std::max(worst, other.worst);
        if (first.empty()) first = other.first;
    }
};

// Rows of a triangle as they were drawn, against the definition.
void check(const Triangle& triangle, const std::array<float, 3>& depths, const Drawn& drawn, Tally& tally) {
    const auto bound = static_cast<long double>(raster_depth_error(depths[0], depths[1], depths[2]));
    const auto [least, most] = std::minmax({depths[0], depths[1], depths[2]});
    const uint64_t before = tally.wrong + tally.far;
    ++tally.triangles;
    tally.wrong += static_cast<uint64_t>(drawn.outside());
    for (int y = 0; y < drawn.size().y; ++y) {
        const Span span = covered(triangle, drawn.low().y + y);
        for (int x = 0; x < drawn.size().x; ++x) {
            const int64_t pixel = drawn.low().x + x;
            const bool is_covered = pixel >= span.first && pixel <= span.last;
            tally.wrong += drawn.times(x, y) == (is_covered ? 1 : 0) ? 0 : 1;
            ++(is_covered ? tally.pixels : tally.uncovered);
            if (drawn.times(x, y) == 0 || !is_covered) continue;
            const float depth = drawn.depth(x, y);
            const long double error = std::abs(depth - exact_depth(triangle, depths, pixel, drawn.low().y + y));
            tally.far += error <= bound && depth >= least && depth <= most ? 0 : 1;
            if (bound > 0.0L) tally.worst = std::max(tally.worst, static_cast<double>(error / bound));
        }
    }
    if (before == 0 && tally.wrong + tally.far != 0) tally.first = describe(triangle);
}

bool same(const Drawn& a, const Drawn& b) {
    bool equal = a.outside() == b.outside();
    for (int y = 0; y < a.size().y; ++y) {
        for (int x = 0; x < a.size().x; ++x) {
            equal = equal && a.times(x, y) == b.times(x, y) &&
                    std::bit_cast<uint32_t>(a.depth(x, y)) == std::bit_cast<uint32_t>(b.depth(x, y));
        }
    }
    return equal;
}

// A triangle by the shader's functions; of one that is not narrow, a few bands of rows.
void prove(const Triangle& triangle, const std::array<float, 3>& depths, const ivec2& size, Random& random,
           Tally& tally) {
    RasterTriangle t;
    const int64_t area = exact_area(triangle);
    const bool there = make(triangle, depths, kWindingBoth, size, t);
    RasterTriangle faced;
    ASSERT_EQ(make(triangle, depths, kWindingClockwise, size, faced), there && area > 0) << describe(triangle);
    ASSERT_EQ(make(triangle, depths, kWindingCounterClockwise, size, faced), there && area < 0) << describe(triangle);
    if (!there) {
        // No pixel is lost by that.
        const auto [top, bottom] = std::minmax({triangle[0].y, triangle[1].y, triangle[2].y});
        for (int64_t y = std::max<int64_t>(top / 256 - 1, 0); y <= std::min<int64_t>(bottom / 256 + 1, size.y - 1);
             ++y) {
            const Span span = covered(triangle, y);
            ASSERT_TRUE(area == 0 || std::max<int64_t>(span.first, 0) > std::min<int64_t>(span.last, size.x - 1))
                << describe(triangle);
        }
        return;
    }
    ASSERT_EQ(raster_area(t), std::abs(area));
    const bool narrow = is_narrow(t);
    const RasterDepth depth = make_raster_depth(t, float_of(raster_area(t)));
    for (int turn = 0; turn < (narrow ? 1 : 3); ++turn) {
        const int first = narrow ? 0 : static_cast<int>(random.between(t.first_pixel.y, t.last_pixel.y));
        const int last = narrow ? size.y - 1 : first + 2;
        Drawn wide(t, first, last);
        walk_wide(t, first, last,
                  [&](const ivec2& pixel, float e1, float e2) { wide.draw(pixel, depth_at(depth, e1, e2)); });
        check(triangle, depths, wide, tally);
        if (!narrow) continue;
        Drawn drawn(t, first, last);
        const int narrow_area = narrow_edge_function(t.corners[0], t.corners[1], t.corners[2]);
        const RasterDepth by_lane = make_raster_depth(t, float_of(narrow_area));
        walk_narrow(t, [&](const ivec2& pixel, float e1, float e2) { drawn.draw(pixel, depth_at(by_lane, e1, e2)); });
        ASSERT_TRUE(same(wide, drawn)) << describe(triangle);
    }
}

void print(const char* name, const Tally& tally) {
    std::printf("%-16s %8llu triangles, %10llu pixels covered, %10llu not; depth at worst %.3f of its bound\n", name,
                static_cast<unsigned long long>(tally.triangles), static_cast<unsigned long long>(tally.pixels),
                static_cast<unsigned long long>(tally.uncovered), tally.worst);
}

void expect_right(const Tally& tally) {
    EXPECT_EQ(tally.wrong, 0U) << "first: " << tally.first;
    EXPECT_EQ(tally.far, 0U) << "first: " << tally.first;
    // The test means something only where it has enough of each.
    EXPECT_GE(tally.triangles, 30U);
    EXPECT_GE(tally.pixels, tally.triangles / 50);
    EXPECT_GE(tally.uncovered, tally.triangles / 50);
}

// Pixel-sized triangles of every kind.
TEST(RasterCoverage, OfSmallTrianglesIsExact) {
    for (const ivec2& size : {ivec2(1920, 1080), ivec2(16384, 16384), ivec2(7, 5)}) {
        Random random(1);
        std::array<Tally, kFamilies> tallies{};
        const std::vector<Triangle> triangles = make_triangles(
            700000 / kSanitizerDivisor, static_cast<uint32_t>(size.x), static_cast<uint32_t>(size.y), 256, 1, 1);
        for (std::size_t i = 0; i < triangles.size(); ++i) {
            const auto family = static_cast<Family>(i % kFamilies);
            if (family == Family::Large || family == Family::LargeSliver) continue;
            if (!drawable(triangles[i], size.x, size.y)) continue;
            prove(triangles[i], make_depths(random), size, random, tallies[i % kFamilies]);
            if (HasFatalFailure()) return;
        }
        Tally all;
        for (std::size_t i = 0; i < kFamilies; ++i) {
            if (tallies[i].triangles != 0) print(family_name(static_cast<Family>(i)), tallies[i]);
            all.add(tallies[i]);
        }
        expect_right(all);
    }
}

class RasterCoverageOf : public testing::TestWithParam<Shape> {};

TEST_P(RasterCoverageOf, IsExact) {
    // A huge triangle has a hundred thousand pixels in a few rows.
    static constexpr std::size_t kCounts[kShapes] = {300000, 1500, 1500, 400, 400};
    for (const ivec2& size : {ivec2(1920, 1080), ivec2(16384, 16384)}) {
        Random random(2);
        Tally tally;
        for (std::size_t i = 0; i < kCounts[static_cast<std::size_t>(GetParam())] / kSanitizerDivisor; ++i) {
            prove(make_triangle(random, GetParam(), size.x, size.y), make_depths(random), size, random, tally);
            if (HasFatalFailure()) return;
        }
        print(shape_name(GetParam()), tally);
        expect_right(tally);
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, RasterCoverageOf,
                         testing::Values(Shape::OnCentres, Shape::Narrow, Shape::Wide, Shape::Huge, Shape::HugeSliver),
                         [](const testing::TestParamInfo<Shape>& info) { return std::string(shape_name(info.param)); });

// By hand: a square of two pixels by two, its vertices on pixels' centres. It has its top and left sides alone.
TEST(RasterCoverage, OfASquareOnCentres) {
    const std::array<Point, 4> corners{Point{0, 0}, {512, 0}, {512, 512}, {0, 512}};
    std::array<int, 9> times{};
    for (const Triangle& triangle :
         {Triangle{corners[0], corners[1], corners[2]}, {corners[0], corners[2], corners[3]}}) {
        RasterTriangle t;
        ASSERT_TRUE(make(triangle, {1.0F, 1.0F, 1.0F}, kWindingClockwise, ivec2(8, 8), t));
        walk_narrow(t, [&](const ivec2& pixel, float, float) { ++times.at(pixel.y * 3 + pixel.x); });
    }
    EXPECT_EQ(times, (std::array<int, 9>{1, 1, 0, 1, 1, 0, 0, 0, 0}));
}

// Edge functions are linear in every coordinate, and so is each factor of theirs: their extremes are where all
// coordinates are at an end of their range.
TEST(RasterWidths, HoldTheExtremes) {
    const Range band = guard_band(16384);
    const auto for_ends = [](int64_t low, int64_t high, const auto& visit) {
        for (uint32_t ends = 0; ends < 64; ++ends) {
            std::array<ivec2, 3> p{};
            for (uint32_t i = 0; i < 6; ++i)
                p[i / 2][static_cast<int>(i % 2)] = static_cast<int>(ends >> i & 1 ? high : low);
            visit(p);
        }
    };
    int64_t most = 0;
    for_ends(band.low, band.high, [&](const std::array<ivec2, 3>& p) {
        const Triangle t{Point{p[0].x, p[0].y}, Point{p[1].x, p[1].y}, Point{p[2].x, p[2].y}};
        most = std::max(most, std::abs(edge_function(p[0], p[1], p[2])));
        ASSERT_EQ(edge_function(p[0], p[1], p[2]), exact_area(t));
    });
    EXPECT_LT(band.high - band.low, int64_t{1} << 23);
    EXPECT_LT(most, int64_t{1} << 47);
    EXPECT_GE(most, int64_t{1} << 45) << "32 bits would not do";
    EXPECT_LT((band.high - band.low) * 256, int64_t{1} << 31) << "steps from a pixel to the next";

    const int64_t side = kRasterNarrow - 1;
    int64_t product = 0;
    int64_t edge = 0;
    for_ends(0, side, [&](const std::array<ivec2, 3>& p) {
        const ivec2 ab = p[1] - p[0];
        const ivec2 ap = p[2] - p[0];
        product = std::max({product, std::abs(int64_t{ab.x} * ap.y), std::abs(int64_t{ab.y} * ap.x)});
        edge = std::max(edge, std::abs(edge_function(p[0], p[1], p[2])));
        ASSERT_EQ(narrow_edge_function(p[0], p[1], p[2]), edge_function(p[0], p[1], p[2]));
    });
    EXPECT_LT(product, int64_t{1} << 30);
    // The walk looks one pixel beyond the box.
    EXPECT_LT(edge + side * 256 + 1, int64_t{1} << 31);
    EXPECT_GE(4 * edge, int64_t{1} << 31) << "a width of twice as much would not do";
}

// Where vertices lie that no clip code forbids, up to the last float.
TEST(RasterWidths, PositionsAreWithinTheGuardBand) {
    Random random(3);
    const CullViewport viewport = raster_viewport(glm::uvec2(16384, 16384));
    const Range band = guard_band(16384);
    int lowest = 0;
    int highest = 0;
    for (std::size_t i = 0; i < 1000000 / kSanitizerDivisor; ++i) {
        const auto w = static_cast<float>(random.log_uniform(1e-6, 1e6));
        const float most = std::nextafter(1.5F * w, 0.0F);
        const auto anywhere = static_cast<float>(random.uniform(-1.5, 1.5)) * w;
        const glsl::vec4 clip(random.one_in(2) ? most : std::clamp(anywhere, -most, most), -most, 0.0F, w);
        ASSERT_EQ(clip_code(clip) & kClipInaccurate, 0U);
        ASSERT_NE(clip_code({1.5F * w, 0.0F, 0.0F, w}) & kClipInaccurate, 0U);
        for (const ivec2& at : {raster_position(window_position(clip, viewport)),
                                glsl::unfused::raster_position(glsl::unfused::window_position(
                                    clip, glsl::unfused::raster_viewport(glm::uvec2(16384, 16384))))}) {
            const long double exact = ((long double){clip.x} / w + 1.0L) * 8192.0L * 256.0L - 128.0L;
            ASSERT_LE(std::abs(at.x - exact), 2.0L);
            lowest = std::min({lowest, at.x, at.y});
            highest = std::max({highest, at.x, at.y});
        }
    }
    EXPECT_GE(lowest, band.low);
    EXPECT_LE(highest, band.high);
    EXPECT_LE(lowest, band.low + 2 * kPositionDoubt);
    EXPECT_GE(highest, band.high - 2 * kPositionDoubt);
}

// As the processor rounds, and it rounds to nearest.
TEST(RasterDepths, EdgeFunctionsAreRoundedOnce) {
    Random random(4);
    for (std::size_t i = 0; i < 2000000 / kSanitizerDivisor; ++i) {
        const int64_t top = int64_t{1} << random.between(0, 47);
        // About where floats change their step, or halfway between two, or anything.
        const int64_t value = random.one_in(2) ? random.between(-top, top)
                                               : std::min(top + random.between(-3, 3), (int64_t{1} << 47) - 1);
        ASSERT_EQ(float_of(value), static_cast<float>(value)) << value;
        ASSERT_EQ(glsl::unfused::float_of(value), static_cast<float>(value)) << value;
        const auto half = static_cast<int>(value & 0x7fffffff) - (random.one_in(2) ? 0x7fffffff : 0);
        ASSERT_EQ(float_of(half), static_cast<float>(half)) << half;
        ASSERT_EQ(glsl::unfused::float_of(half), static_cast<float>(half)) << half;
    }
}

float ulps_away(float value, int ulps) {
    for (int i = 0; i < std::abs(ulps); ++i) value = std::nextafter(value, ulps < 0 ? -INFINITY : INFINITY);
    return value;
}

// The bound of depths holds for all that Vulkan allows: divisions that are off by 2.5 units in the last place, whether
// sums are fused or not. And it does not promise much less than there is.
TEST(RasterDepths, AreWithinTheirBoundOnEveryDevice) {
    Random random(5);
    double worst = 0.0;
    for (std::size_t i = 0; i < 1000000 / kSanitizerDivisor; ++i) {
        const auto shape = static_cast<Shape>(random.between(0, static_cast<int64_t>(kShapes) - 1));
        Triangle triangle = make_triangle(random, shape, 16384, 16384);
        if (exact_area(triangle) == 0) continue;
        if (exact_area(triangle) < 0) std::swap(triangle[1], triangle[2]);
        const std::array<float, 3> depths = make_depths(random);
        const auto bound = static_cast<long double>(raster_depth_error(depths[0], depths[1], depths[2]));
        // Any point of the triangle that has integer edge functions: as good as a pixel's centre.
        const int64_t area = exact_area(triangle);
        const int64_t e1 = random.one_in(3) ? area : random.between(0, area);
        const int64_t e2 = random.one_in(3) ? area - e1 : random.between(0, area - e1);
        const long double exact =
            depths[0] + static_cast<long double>(e1) / area * (static_cast<long double>(depths[1]) - depths[0]) +
            static_cast<long double>(e2) / area * (static_cast<long double>(depths[2]) - depths[0]);
        RasterTriangle t{};
        std::copy(depths.begin(), depths.end(), t.depths);
        const RasterDepth made = make_raster_depth(t, float_of(area));
        for (const int off1 : {-2, 0, 2}) {
            for (const int off2 : {-2, 0, 2}) {
                RasterDepth d = made;
                d.k1 = ulps_away(d.k1, off1);
                d.k2 = ulps_away(d.k2, off2);
                const glsl::unfused::RasterDepth unfused{d.origin, d.k1, d.k2, d.least, d.most};
                for (const float depth : {depth_at(d, float_of(e1), float_of(e2)),
                                          glsl::unfused::depth_at(unfused, float_of(e1), float_of(e2))}) {
                    const long double error = std::abs(depth - exact);
                    ASSERT_LE(error, bound)
                        << depths[0] << " " << depths[1] << " " << depths[2] << " " << e1 << " " << e2 << " " << area;
                    if (bound > 0.0L) worst = std::max(worst, static_cast<double>(error / bound));
                }
            }
        }
    }
    std::printf("at worst %.3f of the bound\n", worst);
    EXPECT_GE(worst, 0.4);
}

TEST(RasterProof, SeesEveryMistake) {
    const ivec2 size(1920, 1080);
    const auto run = [&](Mistake mistake) {
        Random random(6);
        Tally tally;
        bool same_bits = true;
        for (std::size_t i = 0; i < 30000 / kSanitizerDivisor; ++i) {
            const Triangle triangle =
                make_triangle(random, i % 300 == 0 ? Shape::Wide : Shape::OnCentres, size.x, size.y);
            const std::array<float, 3> depths = make_depths(random);
            RasterTriangle t;
            if (!make(triangle, depths, kWindingBoth, size, t)) continue;
            Drawn original(t, 0, size.y - 1);
            const RasterDepth depth = make_raster_depth(t, float_of(raster_area(t)));
            walk_wide(t, 0, size.y - 1,
                      [&](const ivec2& pixel, float e1, float e2) { original.draw(pixel, depth_at(depth, e1, e2)); });
            Drawn drawn(t, 0, size.y - 1);
            draw_mistaken(triangle, depths, size, mistake,
                          [&](const ivec2& pixel, float at) { drawn.draw(pixel, at); });
            same_bits = same_bits && same(original, drawn);
            check(triangle, depths, drawn, tally);
        }
        std::printf("%-28s %8llu pixels wrong, %8llu depths far, %s bits\n", mistake_name(mistake),
                    static_cast<unsigned long long>(tally.wrong), static_cast<unsigned long long>(tally.far),
                    same_bits ? "same" : "other");
        EXPECT_EQ(same_bits, mistake == Mistake::None) << mistake_name(mistake);
        return tally;
    };
    // What the mistakes are made in is the same as the original.
    EXPECT_EQ(run(Mistake::None).wrong, 0U);
    for (const Mistake mistake : kMistakes) {
        const Tally tally = run(mistake);
        // One that stays within the bound of depths shows in their bits alone.
        if (mistake == Mistake::DepthInOneRounding) continue;
        EXPECT_GT(tally.wrong + tally.far, 0U) << mistake_name(mistake);
    }
}

}  // namespace
}  // namespace sublet::test
