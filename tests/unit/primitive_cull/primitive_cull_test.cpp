// The proof of primitive culling: no triangle that covers a pixel centre is rejected, wherever a device snaps its
// vertices; nearly all that plainly cover none are; and the proof notices mistakes.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "exact.h"
#include "mutants.h"
#include "shader.h"
#include "triangles.h"

namespace sublet::test {
namespace {

constexpr uint32_t kWindings[] = {kWindingCounterClockwise, kWindingClockwise, kWindingBoth};

// Window coordinates.
glm::vec2 to_float(const Point& point) {
    return glm::vec2(static_cast<float>(point.x), static_cast<float>(point.y)) + kWindowOrigin;
}

std::string describe(const Triangle& t) {
    std::string text;
    for (const Point& p : t) text += "(" + std::to_string(p.x) + ", " + std::to_string(p.y) + ") ";
    return text;
}

// For one winding or family.
struct Tally {
    uint64_t cases = 0;
    uint64_t covering = 0;        // cover a sample in some variant
    uint64_t wrongly_culled = 0;  // of those
    uint64_t boxless = 0;         // the box of all variants holds no sample
    uint64_t boxless_culled = 0;
    uint64_t away = 0;  // face away, or have no area, in every variant
    uint64_t away_culled = 0;
    uint64_t plain = 0;  // either of the two
    uint64_t plain_culled = 0;
    uint64_t empty = 0;  // cover nothing in any variant (where the reference knows)
    uint64_t empty_culled = 0;
};

double percent(uint64_t part, uint64_t whole) {
    return whole == 0 ? 100.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

void print(const char* name, const Tally& t) {
    std::printf(
        "%-20s %9llu cases, %9llu covering, culled: %6.2f %% of %8llu without a sample in the box, "
        "%6.2f %% of %8llu facing away, %6.2f %% of %8llu that cover nothing\n",
        name, static_cast<unsigned long long>(t.cases), static_cast<unsigned long long>(t.covering),
        percent(t.boxless_culled, t.boxless), static_cast<unsigned long long>(t.boxless),
        percent(t.away_culled, t.away), static_cast<unsigned long long>(t.away), percent(t.empty_culled, t.empty),
        static_cast<unsigned long long>(t.empty));
}

void add(Tally& tally, const Variants& variants, uint32_t winding, bool visible) {
    const auto count = [](uint64_t& all, uint64_t& culled, bool counts, bool is_culled) {
        all += static_cast<uint64_t>(counts);
        culled += static_cast<uint64_t>(counts && is_culled);
    };
    const bool away = !variants.faces[winding];
    const bool covering = variants.covers[winding];
    ++tally.cases;
    // Too large for the reference to search: taken to cover, unless it faces away. No such triangle may be culled.
    count(tally.covering, tally.wrongly_culled, covering, !visible);
    count(tally.boxless, tally.boxless_culled, variants.box_is_empty, !visible);
    count(tally.away, tally.away_culled, away, !visible);
    count(tally.plain, tally.plain_culled, away || variants.box_is_empty, !visible);
    count(tally.empty, tally.empty_culled, !covering && (variants.exact || away), !visible);
}

using Verdict = std::function<bool(const glm::vec2&, const glm::vec2&, const glm::vec2&, uint32_t)>;

struct Proof {
    std::array<Tally, kFamilies> families{};
    std::array<Tally, 3> windings{};
    std::string first_failure;
};

Proof prove(const std::vector<Triangle>& triangles, const std::vector<Variants>& variants, const Verdict& visible) {
    Proof proof;
    for (std::size_t i = 0; i < triangles.size(); ++i) {
        const Triangle& t = triangles[i];
        for (const uint32_t winding : kWindings) {
            const bool verdict = visible(to_float(t[0]), to_float(t[1]), to_float(t[2]), winding);
            add(proof.families[i % kFamilies], variants[i], winding, verdict);
            add(proof.windings[winding], variants[i], winding, verdict);
            if (proof.windings[winding].wrongly_culled == 1 && proof.first_failure.empty()) {
                proof.first_failure = describe(t) + "winding " + std::to_string(winding);
            }
        }
    }
    return proof;
}

uint64_t wrongly_culled(const Proof& proof) {
    uint64_t sum = 0;
    for (const Tally& tally : proof.windings) sum += tally.wrongly_culled;
    return sum;
}

std::vector<Variants> examine_all(const std::vector<Triangle>& triangles, const CullViewport& viewport,
                                  int64_t steps = 1) {
    std::vector<Variants> variants;
    variants.reserve(triangles.size());
    for (const Triangle& t : triangles) {
        variants.push_back(
            examine(t, static_cast<int64_t>(viewport.subpixels), static_cast<int64_t>(viewport.margin), steps));
    }
    return variants;
}

struct Case {
    uint32_t width;
    uint32_t height;
    uint32_t bits;
    float margin;          // what make_cull_viewport() must ask for
    std::size_t count;     // triangles
    int64_t steps;         // of examine()
    double least_percent;  // of what plainly covers nothing, to be culled
};

// What GoogleTest shows of it.
std::ostream& operator<<(std::ostream& out, const Case& c) {
    return out << c.count << " triangles, " << c.width << "x" << c.height << " at " << c.bits << " bits";
}

class PrimitiveCull : public testing::TestWithParam<Case> {};

TEST_P(PrimitiveCull, LosesNothingAndRejectsWhatIsPlain) {
    const Case setup = GetParam();
    const CullViewport viewport = make_cull_viewport(setup.width, setup.height, setup.bits);
    ASSERT_EQ(viewport.margin, setup.margin);
    const std::vector<Triangle> triangles =
        make_triangles(setup.count / kSanitizerDivisor, setup.width, setup.height,
                       static_cast<int64_t>(viewport.subpixels), static_cast<int64_t>(viewport.margin), 1);
    const std::vector<Variants> variants = examine_all(triangles, viewport, setup.steps);
    const auto visible = [&](const glm::vec2& a, const glm::vec2& b, const glm::vec2& c, uint32_t winding) {
        return window_triangle_visible(a, b, c, winding, viewport);
    };
    const Proof proof = prove(triangles, variants, visible);
    EXPECT_EQ(wrongly_culled(proof), 0U) << "first: " << proof.first_failure;
    static constexpr const char* kNames[] = {"counter-clockwise", "clockwise", "double-sided"};
    for (const uint32_t winding : kWindings) {
        const Tally& tally = proof.windings[winding];
        print(kNames[winding], tally);
        EXPECT_GE(percent(tally.plain_culled, tally.plain), setup.least_percent) << kNames[winding];
        // The test means something only where it has enough of each kind.
        EXPECT_GE(tally.covering, tally.cases / 20) << kNames[winding];
        EXPECT_GE(tally.boxless, tally.cases / 20) << kNames[winding];
        EXPECT_GE(tally.empty, tally.cases / 20) << kNames[winding];
        EXPECT_TRUE(winding == kWindingBoth || tally.away >= tally.cases / 20) << kNames[winding];
    }
    for (std::size_t i = 0; i < kFamilies; ++i) print(family_name(static_cast<Family>(i)), proof.families[i]);
}

// At 16,384 pixels the areas of the large slivers, made to be in doubt, are beyond float.
INSTANTIATE_TEST_SUITE_P(Viewports, PrimitiveCull,
                         testing::Values(Case{1920, 1080, 8, 1.0F, 1000000, 1, 99.0},
                                         Case{1920, 1080, 4, 1.0F, 500000, 1, 99.0},
                                         Case{3840, 2160, 8, 2.0F, 40000, 2, 99.0},
                                         Case{16384, 16384, 8, 4.0F, 40000, 2, 98.5}),
                         [](const testing::TestParamInfo<Case>& info) {
                             return std::to_string(info.param.width) + "x" + std::to_string(info.param.height) + "At" +
                                    std::to_string(info.param.bits) + "Bits";
                         });

// The slack of first order is enough, for all edges and triangles of a few subpixels, where moves weigh most.
TEST(PrimitiveCullProof, SlackIsEnoughForAllThatIsSmall) {
    constexpr int64_t kReach = 10;
    for (const int64_t margin : {1, 2, 3}) {
        uint64_t culled = 0;
        for (int64_t code = 0; code < (2 * kReach + 1) * (2 * kReach + 1) * (2 * kReach + 1) * (2 * kReach + 1);
             ++code) {
            int64_t rest = code;
            std::array<int64_t, 4> v{};
            for (int64_t& value : v) {
                value = rest % (2 * kReach + 1) - kReach;
                rest /= 2 * kReach + 1;
            }
            const Triangle t{Point{0, 0}, Point{v[0], v[1]}, Point{v[2], v[3]}};
            const glm::vec2 a = to_float(t[0]);
            const glm::vec2 b = to_float(t[1]);
            const glm::vec2 c = to_float(t[2]);
            const auto m = static_cast<float>(margin);
            // The edge from b to c, the sample at a: the functions are linear in each coordinate, greatest at a corner.
            const bool excluded = cross2(c - b, a - b) < -edge_slack(b, c, a, m);
            const glm::vec2 size = glm::max(glm::max(a, b), c) - glm::min(glm::min(a, b), c);
            const bool away = faces_away(a, b, c, size, kWindingClockwise, m);
            for (uint32_t corner = 0; (excluded || away) && corner < 64; ++corner) {
                Triangle moved = t;
                for (uint32_t i = 0; i < 3; ++i) {
                    moved[i].x += (corner >> (2 * i) & 1) != 0 ? margin : -margin;
                    moved[i].y += (corner >> (2 * i + 1) & 1) != 0 ? margin : -margin;
                }
                ASSERT_FALSE(away && twice_area(moved) > 0) << describe(t);
                moved[0] = t[0];
                ASSERT_FALSE(excluded && twice_area(moved) >= 0) << describe(t);
            }
            culled += static_cast<uint64_t>(excluded) + static_cast<uint64_t>(away);
        }
        EXPECT_GT(culled, 1000U);
    }
}

TEST(PrimitiveCullProof, SeesEveryMistake) {
    const CullViewport viewport = make_cull_viewport(1920, 1080, 8);
    const std::vector<Triangle> triangles = make_triangles(100000, 1920, 1080, 256, 1, 2);
    const std::vector<Variants> variants = examine_all(triangles, viewport);
    for (const Mistake mistake : kMistakes) {
        const auto mistaken = [&](const glm::vec2& a, const glm::vec2& b, const glm::vec2& c, uint32_t winding) {
            return mistaken_window_visible(a, b, c, winding, viewport, mistake);
        };
        const uint64_t lost = wrongly_culled(prove(triangles, variants, mistaken));
        std::printf("%-36s loses %llu\n", mistake_name(mistake), static_cast<unsigned long long>(lost));
        EXPECT_GT(lost, 0U) << mistake_name(mistake);
    }
    // What the mistakes were made in is the same as the original.
    for (const Triangle& t : triangles) {
        for (const uint32_t winding : kWindings) {
            ASSERT_EQ(mistaken_window_visible(to_float(t[0]), to_float(t[1]), to_float(t[2]), winding, viewport,
                                              Mistake::None),
                      window_triangle_visible(to_float(t[0]), to_float(t[1]), to_float(t[2]), winding, viewport))
                << describe(t) << winding;
        }
    }
}

// Clip space.

constexpr int kClipSize = 16;  // pixels each way

std::array<glm::vec4, 3> to_float(const ClipTriangle& t) {
    std::array<glm::vec4, 3> clip{};
    for (std::size_t i = 0; i < 3; ++i) {
        clip[i] = {static_cast<float>(t[i].x), static_cast<float>(t[i].y), static_cast<float>(t[i].z),
                   static_cast<float>(t[i].w)};
    }
    return clip;
}

// What is known of a triangle in clip space.
struct ClipCase {
    ClipTriangle triangle;
    std::array<glm::vec4, 3> clip;
    double area;  // pixels, of what remains
    bool covers;  // a pixel centre
    int facing;
};

std::vector<ClipCase> make_clip_cases(std::size_t count, uint64_t seed) {
    std::vector<ClipCase> cases;
    cases.reserve(count);
    for (const ClipTriangle& t : make_clip_triangles(count, seed)) {
        const ClippedPolygon polygon = clip(t, kClipSize, kClipSize);
        cases.push_back({t, to_float(t), polygon.area(), polygon.covers_pixel(kClipSize, kClipSize), facing(t)});
    }
    return cases;
}

// Triangles culled by `visible` although their visible part faces the right way and covers a pixel.
uint64_t clip_losses(const std::vector<ClipCase>& cases,
                     const std::function<bool(const std::array<glm::vec4, 3>&, uint32_t)>& visible) {
    uint64_t lost = 0;
    for (const ClipCase& c : cases) {
        for (const uint32_t winding : kWindings) {
            const bool front = winding == kWindingBoth || (c.facing > 0) == (winding == kWindingClockwise);
            if (c.covers && c.facing != 0 && front && !visible(c.clip, winding)) ++lost;
        }
    }
    return lost;
}

TEST(PrimitiveCullClip, CodesRejectNothingThatClippingLeaves) {
    const std::vector<ClipCase> cases = make_clip_cases(400000 / kSanitizerDivisor, 3);
    std::array<uint64_t, kClipFamilies> remaining{};
    std::array<uint64_t, kClipFamilies> gone{};
    std::array<uint64_t, kClipFamilies> gone_rejected{};
    uint64_t wrong = 0;
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const ClipCase& c = cases[i];
        const bool rejected = (clip_code(c.clip[0]) & clip_code(c.clip[1]) & clip_code(c.clip[2]) & kClipOutside) != 0;
        // Below a billionth of a pixel the reference can't tell.
        if (c.area > 1e-9) {
            ++remaining[i % kClipFamilies];
            if (rejected && ++wrong == 1) ADD_FAILURE() << "rejected with " << c.area << " pixels left, case " << i;
        } else {
            ++gone[i % kClipFamilies];
            if (rejected) ++gone_rejected[i % kClipFamilies];
        }
    }
    EXPECT_EQ(wrong, 0U);
    for (std::size_t i = 0; i < kClipFamilies; ++i) {
        std::printf("%-9s %7llu remain, %7llu are clipped away: codes reject %.1f %%\n",
                    clip_family_name(static_cast<ClipFamily>(i)), static_cast<unsigned long long>(remaining[i]),
                    static_cast<unsigned long long>(gone[i]), percent(gone_rejected[i], gone[i]));
        EXPECT_GE(remaining[i], cases.size() / 100);
        EXPECT_GE(gone[i], cases.size() / 100);
        EXPECT_GE(percent(gone_rejected[i], gone[i]), 50.0);
    }
}

TEST(PrimitiveCullClip, LosesNothingVisibleAndSeesMistakes) {
    const CullViewport viewport = make_cull_viewport(kClipSize, kClipSize, 8);
    const std::vector<ClipCase> cases = make_clip_cases(400000 / kSanitizerDivisor, 4);
    EXPECT_EQ(clip_losses(cases,
                          [&](const std::array<glm::vec4, 3>& clip, uint32_t winding) {
                              std::array<glm::vec2, 3> window{};
                              std::array<uint32_t, 3> codes{};
                              for (std::size_t i = 0; i < 3; ++i) {
                                  codes[i] = clip_code(clip[i]);
                                  window[i] = window_position(clip[i], viewport);
                              }
                              return primitive_visible(window.data(), codes.data(), winding, viewport);
                          }),
              0U);
    for (const ClipMistake mistake : kClipMistakes) {
        const uint64_t lost = clip_losses(cases, [&](const std::array<glm::vec4, 3>& clip, uint32_t winding) {
            return mistaken_clip_visible(clip, winding, viewport, mistake);
        });
        std::printf("%-36s loses %llu\n", clip_mistake_name(mistake), static_cast<unsigned long long>(lost));
        EXPECT_GT(lost, 0U) << clip_mistake_name(mistake);
    }
    for (const ClipCase& c : cases) {
        for (const uint32_t winding : kWindings) {
            const bool front = winding == kWindingBoth || (c.facing > 0) == (winding == kWindingClockwise);
            if (c.covers && c.facing != 0 && front) {
                ASSERT_TRUE(mistaken_clip_visible(c.clip, winding, viewport, ClipMistake::None));
            }
        }
    }
}

// window_position() stays within half the allowance, plus its rounding, of the exact position.
TEST(PrimitiveCullViewport, PositionsAreWithinTheErrorAssumed) {
    const std::vector<ClipTriangle> triangles = make_clip_triangles(200000 / kSanitizerDivisor, 5);
    for (const uint32_t size : {1U, 7U, 641U, 1920U, 3840U, 16384U, 32768U}) {
        const CullViewport viewport = make_cull_viewport(size, size, 8);
        const double allowed = 5.0 * 0x1p-23 * viewport.scale.x + 0.5;
        double worst = 0.0;
        for (const ClipTriangle& t : triangles) {
            for (const ClipPoint& p : t) {
                const glm::vec4 clip = to_float(ClipTriangle{p, p, p})[0];
                if ((clip_code(clip) & (kClipBehind | kClipInaccurate)) != 0) continue;
                const glm::vec2 window = window_position(clip, viewport);
                const double exact = (static_cast<double>(p.x) / static_cast<double>(p.w) + 1.0) * 0.5 * size *
                                         static_cast<double>(viewport.subpixels) -
                                     0.5 * static_cast<double>(viewport.subpixels) + static_cast<double>(kWindowOrigin);
                worst = std::max(worst, std::abs(exact - static_cast<double>(window.x)));
                ASSERT_EQ(window.x, std::floor(window.x));
                ASSERT_GE(window.x - viewport.margin - 1.0F, 0x1p23F);
                ASSERT_LT(window.x + viewport.margin, 0x1p24F);
            }
        }
        EXPECT_LE(worst, allowed) << size;
    }
}

TEST(PrimitiveCullViewport, IsExactAndFitsFloat) {
    for (const uint32_t bits : {4U, 5U, 8U, 10U, 12U}) {
        for (uint32_t size = 1; size <= 32768; size = size < 64 ? size + 1 : size * 5 / 4) {
            const uint32_t height = size / 2 + 1;
            const CullViewport v = make_cull_viewport(size, height, bits);
            EXPECT_TRUE(std::has_single_bit(v.subpixels));
            EXPECT_LE(v.subpixels, 1U << std::min(bits, 8U));
            const auto subpixels = static_cast<float>(v.subpixels);
            // From 2^23 to 2^24, where a float is an integer, -1/4 to 5/4 of the window and the margin.
            EXPECT_GE(v.bias.x - 1.5F * v.scale.x - v.margin - 1.0F, 0x1p23F);
            EXPECT_LT(v.bias.x + 1.5F * v.scale.x + v.margin, 0x1p24F);
            // The centre of pixel (i, j) is at (i, j) * subpixels from the origin, a multiple of subpixels by its bits.
            const double size_x = 2.0 * static_cast<double>(v.scale.x) / static_cast<double>(v.subpixels);
            EXPECT_EQ(size_x, static_cast<double>(size));
            EXPECT_EQ(v.scale.x - (v.bias.x - kWindowOrigin), 0.5F * subpixels);
            EXPECT_EQ(v.scale.y - (v.bias.y - kWindowOrigin), 0.5F * subpixels);
            EXPECT_EQ(v.scale.y, 0.5F * static_cast<float>(height) * subpixels);
            EXPECT_EQ(std::bit_cast<uint32_t>(kWindowOrigin) % v.subpixels, 0U);
            EXPECT_GE(v.margin, 1.0F);
            EXPECT_LE(v.margin, 5.0F);
            EXPECT_EQ(v.margin, std::floor(v.margin));
        }
    }
    EXPECT_EQ(make_cull_viewport(3276, 1, 8).margin, 1.0F);
    EXPECT_EQ(make_cull_viewport(1, 3277, 8).margin, 2.0F);
    EXPECT_EQ(make_cull_viewport(9830, 1, 8).margin, 2.0F);
    EXPECT_EQ(make_cull_viewport(16384, 16384, 8).margin, 4.0F);
    EXPECT_EQ(make_cull_viewport(16384, 16384, 8).subpixels, 256U);
    EXPECT_EQ(make_cull_viewport(1920, 1080, 12).margin, 1.0F);
}

// The reference itself: with the top-left rule, triangles that tile a square cover each sample exactly once.
TEST(ExactRasterizer, TilesWithoutGapsOrOverlaps) {
    const std::vector<Triangle> random = make_triangles(2000, 8, 8, 16, 1, 6);
    for (const Triangle& t : random) {
        // A fan around one vertex, brought into the square.
        const Point inner{((t[0].x % 64) + 64) % 64 + 32, ((t[0].y % 64) + 64) % 64 + 32};
        const std::array<Point, 4> corners{Point{0, 0}, Point{128, 0}, Point{128, 128}, Point{0, 128}};
        for (int64_t y = -1; y <= 9; ++y) {
            for (int64_t x = -1; x <= 9; ++x) {
                int covered = 0;
                int touched = 0;
                for (std::size_t i = 0; i < 4; ++i) {
                    const Triangle piece{corners[i], corners[(i + 1) % 4], inner};
                    covered += static_cast<int>(covers(piece, {x * 16, y * 16}, EdgeRule::TopLeft));
                    touched += static_cast<int>(covers(piece, {x * 16, y * 16}, EdgeRule::Inclusive));
                }
                ASSERT_EQ(covered, static_cast<int>(x >= 0 && x < 8 && y >= 0 && y < 8)) << x << " " << y;
                ASSERT_EQ(touched > 0, x >= 0 && x <= 8 && y >= 0 && y <= 8);
            }
        }
    }
}

// examine() finds by masks what rasterising each of the 729 variants finds.
TEST(ExactRasterizer, ExaminesAllVariants) {
    std::vector<Triangle> triangles = make_triangles(4000 / kSanitizerDivisor, 64, 64, 16, 1, 7);
    std::size_t compared = 0;
    for (const Triangle& t : triangles) {
        const Variants variants = examine(t, 16, 1, 1);
        if (!variants.exact) continue;
        ++compared;
        std::array<bool, 3> faces{false, false, true};
        std::array<bool, 3> covering{};
        bool degenerate = false;
        for (int variant = 0; variant < 729; ++variant) {
            Triangle moved = t;
            int rest = variant;
            for (Point& p : moved) {
                p.x += rest % 3 - 1;
                rest /= 3;
                p.y += rest % 3 - 1;
                rest /= 3;
            }
            const int64_t area = twice_area(moved);
            const std::size_t winding = area > 0 ? 1 : 0;
            if (area != 0) faces[winding] = true;
            const auto [left, right] = std::minmax({moved[0].x, moved[1].x, moved[2].x});
            const auto [top, bottom] = std::minmax({moved[0].y, moved[1].y, moved[2].y});
            for (int64_t y = top / 16 - 1; y <= bottom / 16 + 1; ++y) {
                for (int64_t x = left / 16 - 1; x <= right / 16 + 1; ++x) {
                    const bool inclusive = covers(moved, {x * 16, y * 16}, EdgeRule::Inclusive);
                    ASSERT_TRUE(inclusive || !covers(moved, {x * 16, y * 16}, EdgeRule::TopLeft));
                    if (inclusive && area != 0) covering[winding] = covering[2] = true;
                    degenerate = degenerate || inclusive;
                }
            }
        }
        EXPECT_EQ(variants.faces, faces) << describe(t);
        EXPECT_EQ(variants.covers[0], covering[0]) << describe(t);
        EXPECT_EQ(variants.covers[1], covering[1]) << describe(t);
        // Samples on the line of a variant without area count, even a little beyond its ends.
        EXPECT_TRUE(variants.covers[2] || !degenerate) << describe(t);
        EXPECT_FALSE(variants.box_is_empty && degenerate) << describe(t);
    }
    EXPECT_GE(compared, triangles.size() / 2);
}

}  // namespace
}  // namespace sublet::test
