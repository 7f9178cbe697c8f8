// Lobes of materials: what they must add up to, and what floats make of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <numbers>
#include <random>
#include <vector>

#include "base/glsl.h"

SUBLET_GLSL_BEGIN
namespace sublet::glsl::brdf {
namespace {
#include "shaders/shade/brdf.glsl"
}  // namespace
}  // namespace sublet::glsl::brdf

// The same in double precision.
#pragma GCC diagnostic ignored "-Wdouble-promotion"
namespace sublet::test::brdf {
using vec2 = glm::dvec2;
using vec3 = glm::dvec3;
using std::pow;
using std::sqrt;
inline double max(double a, double b) {
    return std::max(a, b);
}
inline double clamp(double x, double low, double high) {
    return std::clamp(x, low, high);
}
namespace {
#define float double
#include "shaders/shade/brdf.glsl"
#undef float
}  // namespace
}  // namespace sublet::test::brdf
SUBLET_GLSL_END

namespace sublet::test {
namespace {

constexpr double kPiExact = std::numbers::pi;
const std::vector<double> kRoughnesses{0.0, 0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 0.85, 1.0};
const std::vector<double> kCosines{0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 1.0};

// Calls add(l, v_h, weight) for half vectors that are spread as the facets are, in polar coordinates: light from `l`
// that they reflect to a viewer at n_v, at a reflectance of 1. The weights are those of a mean over all half vectors.
template <class Add>
void for_each_reflection(double n_v, double roughness, const Add& add) {
    constexpr int kRings = 400;
    constexpr int kSpokes = 200;
    const double alpha = brdf::ggx_alpha(roughness);
    const glm::dvec3 v(std::sqrt(1.0 - n_v * n_v), 0.0, n_v);
    for (int ring = 0; ring < kRings; ++ring) {
        const double part = (ring + 0.5) / kRings;
        const double cosine = std::sqrt((1.0 - part) / (1.0 + (alpha * alpha - 1.0) * part));
        const double sine = std::sqrt(1.0 - cosine * cosine);
        for (int spoke = 0; spoke < kSpokes; ++spoke) {
            const double turn = 2.0 * kPiExact * (spoke + 0.5) / kSpokes;
            const glm::dvec3 h(sine * std::cos(turn), sine * std::sin(turn), cosine);
            const double v_h = glm::dot(v, h);
            const glm::dvec3 l = 2.0 * v_h * h - v;
            if (l.z <= 0.0 || v_h <= 0.0) continue;
            add(l, v_h, 4.0 * brdf::visibility_ggx(l.z, n_v, alpha) * l.z * v_h / h.z / double(kRings * kSpokes));
        }
    }
}

// What microfacets reflect of white light from all around, f0's part and f90's.
glm::dvec2 sums(double n_v, double roughness) {
    glm::dvec2 out(0.0);
    for_each_reflection(n_v, roughness, [&](const glm::dvec3& /*l*/, double v_h, double weight) {
        const double along = std::pow(1.0 - v_h, 5.0);
        out += glm::dvec2(1.0 - along, along) * weight;
    });
    return out;
}

// The mean direction that it comes from.
glm::dvec3 mean_direction(double n_v, double roughness) {
    glm::dvec3 out(0.0);
    for_each_reflection(n_v, roughness, [&](const glm::dvec3& l, double /*v_h*/, double weight) { out += l * weight; });
    return glm::normalize(out);
}

// Seen at a slant, rough lobes lie nearer to the normal than the mirrored direction does.
TEST(Brdf, LobesLieWhereTheirMeanIs) {
    const glm::dvec3 normal(0.0, 0.0, 1.0);
    const auto degrees = [](const glm::dvec3& a, const glm::dvec3& b) {
        return std::acos(std::clamp(glm::dot(glm::normalize(a), glm::normalize(b)), -1.0, 1.0)) * 180.0 / kPiExact;
    };
    double most_mirrored = 0.0;
    for (const double roughness : kRoughnesses) {
        for (const double n_v : {0.2, 0.4, 0.7, 0.95, 1.0}) {
            const glm::dvec3 v(std::sqrt(1.0 - n_v * n_v), 0.0, n_v);
            const glm::dvec3 mean = mean_direction(n_v, roughness);
            EXPECT_LE(degrees(brdf::lobe_direction(v, normal, roughness), mean), 14.0) << roughness << " at " << n_v;
            most_mirrored = std::max(most_mirrored, degrees({-v.x, 0.0, v.z}, mean));
        }
        EXPECT_LE(degrees(brdf::lobe_direction(normal, normal, roughness), normal), 1e-6);
    }
    EXPECT_GT(most_mirrored, 70.0) << "which the mirrored direction is not";
}

// Facets of all directions, seen from above, cover the surface once.
TEST(Brdf, FacetsCoverTheSurfaceOnce) {
    for (const double roughness : kRoughnesses) {
        const double alpha = brdf::ggx_alpha(roughness);
        double sum = 0.0;
        constexpr int kSteps = 200000;
        for (int i = 0; i < kSteps; ++i) {
            // Denser towards the normal, where narrow lobes lie.
            const double x = (i + 0.5) / kSteps;
            const double angle = 0.5 * kPiExact * x * x * x;
            const double width = 0.5 * kPiExact * 3.0 * x * x / kSteps;
            sum += brdf::distribution_ggx(std::cos(angle), alpha) * std::cos(angle) * 2.0 * kPiExact * std::sin(angle) *
                   width;
        }
        EXPECT_NEAR(sum, 1.0, 1e-3) << roughness;
    }
}

// What the shading pass adds up in white light: nothing is lost and nothing is made.
TEST(Brdf, WhiteFurnace) {
    for (const double roughness : kRoughnesses) {
        for (const double n_v : kCosines) {
            SCOPED_TRACE(testing::Message() << "roughness " << roughness << ", cosine " << n_v);
            const glm::dvec2 table = sums(n_v, roughness);
            EXPECT_LE(table.x + table.y, 1.001);
            EXPECT_GT(table.x + table.y, 0.3);
            // A mirror of no colour, and a white wall under a clear coat.
            for (const double f0 : {1.0, 0.5, 0.04, 0.0}) {
                const glm::dvec3 reflected = brdf::single_scattering(glm::dvec3(f0), glm::dvec3(1.0), table) *
                                             brdf::multiple_scattering(glm::dvec3(f0), table);
                EXPECT_LE(reflected.x, 1.005);
                const double entered = 1.0 - reflected.x;
                if (f0 == 1.0) {
                    EXPECT_NEAR(entered, 0.0, 0.005);
                } else {
                    EXPECT_GE(entered, -0.005);
                }
            }
        }
    }
}

// Fibres of all directions, seen from above, cover the surface once too.
TEST(Brdf, FibresCoverTheSurfaceOnce) {
    for (const double roughness : {0.1, 0.3, 0.5, 0.8, 1.0}) {
        constexpr int kSteps = 20000;
        double sum = 0.0;
        for (int i = 0; i < kSteps; ++i) {
            const double cosine = (i + 0.5) / kSteps;
            sum += brdf::distribution_charlie(cosine, roughness) * cosine * 2.0 * kPiExact / kSteps;
        }
        EXPECT_NEAR(sum, 1.0, 1e-3) << roughness;
        for (const double n_v : kCosines) {
            const glm::dvec3 v(std::sqrt(1.0 - n_v * n_v), 0.0, n_v);
            double reflected = 0.0;
            constexpr int kSide = 300;
            for (int i = 0; i < kSide * kSide; ++i) {
                const double n_l = (i / kSide + 0.5) / kSide;
                const double turn = 2.0 * kPiExact * (i % kSide + 0.5) / kSide;
                const double sine = std::sqrt(1.0 - n_l * n_l);
                const glm::dvec3 h = glm::normalize(v + glm::dvec3(sine * std::cos(turn), sine * std::sin(turn), n_l));
                reflected += brdf::distribution_charlie(h.z, roughness) * brdf::visibility_charlie(n_l, n_v) * n_l;
            }
            reflected *= 2.0 * kPiExact / (kSide * kSide);
            EXPECT_GT(reflected, 0.0);
            // Along the surface the visibility term makes light: the table is held to 1.
            if (n_v >= 0.3) {
                EXPECT_LE(reflected, 1.0) << roughness << ' ' << n_v;
            }
        }
    }
}

// Light and viewer change places without a difference.
TEST(Brdf, IsReciprocal) {
    std::mt19937 random(5);
    std::uniform_real_distribution<double> part(0.01, 1.0);
    for (int i = 0; i < 1000; ++i) {
        const double l = part(random);
        const double v = part(random);
        const double alpha = brdf::ggx_alpha(part(random));
        EXPECT_DOUBLE_EQ(brdf::visibility_ggx(l, v, alpha), brdf::visibility_ggx(v, l, alpha));
    }
}

TEST(Brdf, GrazingLightReflectsAll) {
    const glm::dvec3 along = brdf::fresnel(glm::dvec3(0.04, 0.2, 0.9), glm::dvec3(1.0), 0.0);
    const glm::dvec3 straight = brdf::fresnel(glm::dvec3(0.04, 0.2, 0.9), glm::dvec3(1.0), 1.0);
    EXPECT_DOUBLE_EQ(along.x, 1.0);
    EXPECT_DOUBLE_EQ(straight.y, 0.2);
}

// Within a thousandth of the exact lobe, for random materials and directions.
TEST(Brdf, FloatsAreNearEnough) {
    std::mt19937 random(11);
    std::uniform_real_distribution<double> part(0.001, 1.0);
    double worst = 0.0;
    for (int i = 0; i < 200000; ++i) {
        const double n_l = part(random);
        const double n_v = part(random);
        const double v_h = part(random);
        const double roughness = part(random);
        const auto n_h = static_cast<float>(part(random));
        const float alpha = glsl::brdf::ggx_alpha(static_cast<float>(roughness));
        const float lobe = glsl::brdf::distribution_ggx(n_h, alpha) *
                           glsl::brdf::visibility_ggx(static_cast<float>(n_l), static_cast<float>(n_v), alpha);
        const double exact = brdf::distribution_ggx(n_h, alpha) *
                             brdf::visibility_ggx(static_cast<float>(n_l), static_cast<float>(n_v), alpha);
        worst = std::max(worst, std::abs(lobe - exact) / exact);
        const glm::vec3 f = glsl::brdf::fresnel(glm::vec3(0.04F, 0.5F, 1.0F), glm::vec3(1.0F), static_cast<float>(v_h));
        const glm::dvec3 g =
            brdf::fresnel(glm::dvec3(glm::vec3(0.04F, 0.5F, 1.0F)), glm::dvec3(1.0), static_cast<float>(v_h));
        worst = std::max(worst, glm::length(glm::dvec3(f) - g));
    }
    EXPECT_LT(worst, 1e-3);
}

}  // namespace
}  // namespace sublet::test
