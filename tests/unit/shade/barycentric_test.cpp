// The proof of the shading pass's barycentric coordinates: within what rounding can do of the exact ones, for triangles
// of every kind, whether a device fuses multiply-adds or not.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <ostream>
#include <utility>

#include "exact.h"
#include "shader.h"
#include "tests/unit/sanitizer.h"
#include "triangles.h"

namespace sublet::test {
namespace {

using glsl::fused::Barycentrics;
using Function = std::function<Barycentrics(const Question&)>;

Barycentrics shader(Question question) {
    return glsl::fused::barycentrics(question.corners.data(), question.pixel, question.step);
}

Barycentrics shader_unfused(Question question) {
    const glsl::unfused::Barycentrics at =
        glsl::unfused::barycentrics(question.corners.data(), question.pixel, question.step);
    return {at.weights, at.dx, at.dy, at.area};
}

struct Tally {
    std::size_t cases = 0;
    std::size_t compared = 0;  // those whose error is bounded
    std::size_t wrong_weights = 0, wrong_gradients = 0;
    std::size_t faced = 0, wrong_facing = 0;
    std::size_t senseless = 0;  // no weights at all
    std::size_t plain = 0;      // before the eye, higher than a pixel, shorter than a thousand
    double worst_plain = 0.0;   // error of a weight of those
    double worst = 0.0;         // of all that were compared, in bounds
};

bool sensible(const Barycentrics& at) {
    bool good = std::abs(at.weights.x + at.weights.y + at.weights.z - 1.0F) <= 1e-6F;
    for (int i = 0; i < 3; ++i) {
        good = good && at.weights[i] >= 0.0F && at.weights[i] <= 1.0F && std::isfinite(at.dx[i]) &&
               std::isfinite(at.dy[i]);
    }
    return good;
}

void add(Tally& tally, const Exact& exact, const Barycentrics& at) {
    ++tally.cases;
    tally.senseless += sensible(at) ? 0 : 1;
    if (!exact.known) return;
    if (exact.before_eye && exact.doubt < 1.0 / 8.0) {
        ++tally.faced;
        tally.wrong_facing += (at.area > 0.0F) == exact.clockwise ? 0 : 1;
    }
    if (!(exact.doubt < 1.0 / 64.0)) return;
    ++tally.compared;
    double weights = 0.0;
    double gradients = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
        const int component = static_cast<int>(i);
        const double off = std::abs(at.weights[component] - exact.clamped[i]);
        weights = std::max(weights, off);
        gradients = std::max({gradients, std::abs(at.dx[component] - exact.dx[i]) / exact.dx_error,
                              std::abs(at.dy[component] - exact.dy[i]) / exact.dy_error});
    }
    tally.wrong_weights += weights <= exact.weight_error ? 0 : 1;
    tally.wrong_gradients += gradients <= 1.0 ? 0 : 1;
    tally.worst = std::max({tally.worst, weights / exact.weight_error, gradients});
    if (exact.height >= 1.0 && exact.length <= 1000.0) {
        ++tally.plain;
        tally.worst_plain = std::max(tally.worst_plain, weights);
    }
}

Tally run(Family family, std::size_t count, bool fused, const Function& function) {
    TriangleMaker maker(static_cast<std::uint64_t>(family) + 1);
    Tally tally;
    for (std::size_t i = 0; i < count; ++i) {
        const Question question = maker.make(family);
        add(tally, solve(question, fused), function(question));
    }
    return tally;
}

// Parts of 100 whose error is bounded, and whose facing is certain: few of those that are seen edge-on.
struct Case {
    Family family;
    std::size_t least_compared, least_faced;
};

// What GoogleTest shows of it.
std::ostream& operator<<(std::ostream& out, const Case& c) {
    return out << family_name(c.family);
}

class BarycentricsOf : public testing::TestWithParam<Case> {};

TEST_P(BarycentricsOf, AreWithinRounding) {
    constexpr std::size_t kCount = 100000 / kSanitizerDivisor;
    for (const bool fused : {true, false}) {
        SCOPED_TRACE(fused ? "fused" : "not fused");
        const Tally tally = run(GetParam().family, kCount, fused, fused ? shader : shader_unfused);
        EXPECT_EQ(tally.wrong_weights, 0U);
        EXPECT_EQ(tally.wrong_gradients, 0U);
        EXPECT_EQ(tally.wrong_facing, 0U);
        EXPECT_EQ(tally.senseless, 0U);
        // Near a far edge of a triangle with a corner close to the eye a weight can't be known so well.
        if (GetParam().family == Family::kOrdinary) {
            EXPECT_GE(tally.plain * 2, kCount);
            EXPECT_LT(tally.worst_plain, fused ? 1e-4 : 1e-3);
        }
        if (fused) {
            EXPECT_GE(tally.compared * 100, GetParam().least_compared * kCount);
            EXPECT_GE(tally.faced * 100, GetParam().least_faced * kCount);
        }
        std::printf("%-13s %-9s %6zu compared, %6zu faced, worst %.3f of its bound; %6zu plain, worst %.2g\n",
                    family_name(GetParam().family), fused ? "fused" : "not fused", tally.compared, tally.faced,
                    tally.worst, tally.plain, tally.worst_plain);
    }
}

INSTANTIATE_TEST_SUITE_P(All, BarycentricsOf,
                         testing::Values(Case{Family::kOrdinary, 99, 99}, Case{Family::kNear, 99, 99},
                                         Case{Family::kSliver, 90, 90}, Case{Family::kTiny, 99, 99},
                                         Case{Family::kHuge, 99, 99}, Case{Family::kJustOutside, 99, 98},
                                         Case{Family::kEdgeOn, 0, 0}));

// A screen's triangle by hand: no perspective, y down.
TEST(Barycentric, OfATriangleInTheWindow) {
    const Question question{
        {glm::vec3(-1.0F, -1.0F, 1.0F), {1.0F, -1.0F, 1.0F}, {-1.0F, 1.0F, 1.0F}}, {-0.5F, -0.75F}, {0.01F, 0.02F}};
    const Barycentrics at = shader(question);
    EXPECT_EQ(at.weights, glm::vec3(0.625F, 0.25F, 0.125F));
    EXPECT_LT(glm::abs(at.dx - glm::vec3(-0.005F, 0.005F, 0.0F)).x, 1e-9F);
    EXPECT_EQ(at.dx.z, 0.0F);
    EXPECT_EQ(at.dy.y, 0.0F);
    EXPECT_NEAR(at.dy.z, 0.01F, 1e-9F);
    EXPECT_GT(at.area, 0.0F) << "clockwise as seen";
}

// Halfway between the corners of an edge in the window, the nearer corner weighs more.
TEST(Barycentric, OfATriangleInPerspective) {
    const Question question{
        {glm::vec3(-1.0F, 0.0F, 1.0F), {3.0F, 0.0F, 3.0F}, {0.0F, 4.0F, 1.0F}}, {0.0F, 0.0F}, {0.01F, 0.01F}};
    const Barycentrics at = shader(question);
    EXPECT_FLOAT_EQ(at.weights.x, 0.75F);
    EXPECT_FLOAT_EQ(at.weights.y, 0.25F);
    EXPECT_EQ(at.weights.z, 0.0F);
    EXPECT_GT(at.dx.y, 0.0F);
}

// Whatever the corners are, infinite or no numbers, weights are weights.
TEST(Barycentric, OfAnyFloats) {
    TriangleMaker maker(77);
    std::size_t senseless = 0;
    std::size_t corners = 0;
    constexpr std::size_t kCount = 300000 / kSanitizerDivisor;
    for (std::size_t i = 0; i < kCount; ++i) {
        const Question question = maker.make_wild();
        const Barycentrics at = shader(question);
        senseless += sensible(at) && sensible(shader_unfused(question)) ? 0 : 1;
        corners += at.weights == glm::vec3(1.0F, 0.0F, 0.0F) && at.dx == glm::vec3(0.0F) ? 1 : 0;
    }
    EXPECT_EQ(senseless, 0U);
    EXPECT_GE(corners * 10, kCount) << "few that have no area or overflow";
    EXPECT_LE(corners * 10, kCount * 9);
}

// The proof notices mistakes, in most triangles of a kind.
TEST(Barycentric, MistakesAreNoticed) {
    constexpr std::size_t kCount = 5000 / kSanitizerDivisor;
    const auto wrong = [](Family family, const Function& function) { return run(family, kCount, true, function); };
    for (const Family family : {Family::kOrdinary, Family::kNear, Family::kTiny, Family::kHuge}) {
        SCOPED_TRACE(family_name(family));
        const Tally order = wrong(family, [](Question question) {
            std::swap(question.corners[1], question.corners[2]);
            return shader(question);
        });
        EXPECT_GE(order.wrong_weights * 100, kCount * 98);
        EXPECT_GE(order.wrong_facing * 100, kCount * 98);
        const Tally start = wrong(family, [](Question question) {
            std::swap(question.corners[0], question.corners[1]);
            std::swap(question.corners[1], question.corners[2]);
            return shader(question);
        });
        EXPECT_GE(start.wrong_weights * 100, kCount * 98);
        EXPECT_EQ(start.wrong_facing, 0U);
        const Tally gradients = wrong(family, [](const Question& question) {
            Barycentrics at = shader(question);
            std::swap(at.dx, at.dy);
            return at;
        });
        EXPECT_GE(gradients.wrong_gradients * 100, kCount * 97);
        EXPECT_EQ(gradients.wrong_weights, 0U);
        const Tally facing = wrong(family, [](const Question& question) {
            Barycentrics at = shader(question);
            at.area = -at.area;
            return at;
        });
        EXPECT_EQ(facing.wrong_facing, facing.faced);
        const Tally half_a_step = wrong(family, [](Question question) {
            question.step *= 0.5F;
            return shader(question);
        });
        EXPECT_GE(half_a_step.wrong_gradients * 100, kCount * 95);
        const Tally corner_of_pixel = wrong(family, [](Question question) {
            question.pixel += 0.5F * question.step;
            return shader(question);
        });
        EXPECT_GE(corner_of_pixel.wrong_weights * 100, kCount * (family == Family::kHuge ? 50 : 95));
        const Tally no_perspective = wrong(family, [](Question question) {
            for (glm::vec3& corner : question.corners) corner = glm::vec3(glm::vec2(corner) / corner.z, 1.0F);
            return shader(question);
        });
        EXPECT_GE(no_perspective.wrong_weights * 100, kCount * 90);
    }
}

}  // namespace
}  // namespace sublet::test
