// No triangle that is seen is ever culled by a cone, wherever it lies: the shaders' own test, at triangles that are
// nearly edge-on; and a proof that the test would find one.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>

#include "random_bounds.h"
#include "shader.h"
#include "shaders/shared/scene.h"
#include "vertex.h"

SUBLET_GLSL_BEGIN
namespace sublet::glsl::cone {

using glm::dot;
using glm::length;
using shared::ViewData;

namespace {

#include "shaders/cull/cone.glsl"

}  // namespace
}  // namespace sublet::glsl::cone
SUBLET_GLSL_END

namespace sublet::test {
namespace {

using glsl::cone::cone_faces_away;
using glsl::occlusion::world_sphere;

constexpr std::size_t kConeTriangles = 400000 / kSanitizerDivisor;

// A triangle of an instance, its bound as the encoder makes them, and a view of its back.
struct ConeCase {
    std::array<glm::vec3, 3> corners{};  // object space
    Rows transform{};
    glm::vec4 sphere{0.0F};  // object space
    float scale = 1.0F;
    glm::vec3 axis{0.0F};  // world
    float cutoff = 0.0F;
    render::View view;
    shared::ViewData data{};
};

// `away`: how far from the origin, at most, in sizes of the triangle. False where floats leave no triangle of use.
bool make_case(Random& random, double away, ConeCase& out) {
    const double size = log_uniform(random, 1e-6, 1e6);
    const bool by_vertices = random() % 2 == 0;
    const glm::dvec3 place = size * log_uniform(random, 0.1, away) * random_direction(random);
    const glm::dvec3 u = random_direction(random);
    const glm::dvec3 v = glm::normalize(glm::cross(u, random_direction(random)));
    const glm::dvec3 origin = by_vertices ? place : 0.3 * size * random_direction(random);
    const std::array<double, 3> angles{uniform(random, 0.0, 1.2), uniform(random, 2.1, 3.3), uniform(random, 4.2, 5.4)};
    for (std::size_t i = 0; i < 3; ++i) {
        out.corners[i] = glm::vec3(origin + size * (std::cos(angles[i]) * u + std::sin(angles[i]) * v));
    }
    // A rotation half of the time, that takes vertices back to where they are seen now and then.
    glm::dmat3 linear(1.0);
    if (random() % 2 == 0) linear = {u, v, glm::cross(u, v)};
    const glm::dvec3 translation = !by_vertices ? place : random() % 4 == 0 ? -(linear * place) : glm::dvec3(0.0);
    const glm::mat3 rounded(linear);
    for (int i = 0; i < 3; ++i) {
        out.transform[static_cast<std::size_t>(i)] = {rounded[0][i], rounded[1][i], rounded[2][i],
                                                      static_cast<float>(translation[i])};
    }
    out.scale = 1.000002F;

    // The bound: of the vertices as they are.
    const std::array<glm::dvec3, 3> p{glm::dvec3(out.corners[0]), glm::dvec3(out.corners[1]),
                                      glm::dvec3(out.corners[2])};
    const glm::dvec3 cross = glm::cross(p[1] - p[0], p[2] - p[0]);
    const double perimeter = glm::distance(p[0], p[1]) + glm::distance(p[1], p[2]) + glm::distance(p[2], p[0]);
    const glm::vec3 center((p[0] + p[1] + p[2]) / 3.0);
    double radius = 0.0;
    for (const glm::dvec3& corner : p) radius = std::max(radius, glm::distance(corner, glm::dvec3(center)));
    if (!(glm::length(cross) / perimeter >= 0.1 * radius) || !(radius > 0.0)) return false;
    out.sphere = glm::vec4(center, static_cast<float>(radius * 1.000001));
    const glm::dvec3 normal = glm::dmat3(rounded) * glm::normalize(cross);
    out.axis = glm::vec3(normal);
    out.cutoff = 4e-6F;

    // Seen from behind, by as little as may be.
    const double sine = log_uniform(random, 1e-6, 1.0);
    const glm::dvec3 aside = glm::normalize(glm::cross(normal, random_direction(random)));
    const glm::dvec3 world = glm::dmat3(rounded) * glm::dvec3(center) + translation;
    const double distance = radius * log_uniform(random, 1.0, 1e4);
    const glm::dvec3 eye = world + distance * (std::sqrt(1.0 - sine * sine) * aside - sine * normal);
    const glm::dvec3 target = world + 0.3 * distance * random_direction(random);
    if (glm::vec3(eye) == glm::vec3(target)) return false;
    const bool orthographic = random() % 4 == 0;
    out.view = render::make_view({.eye = glm::vec3(eye),
                                  .target = glm::vec3(target),
                                  .fov_degrees = static_cast<float>(uniform(random, 5.0, 120.0))},
                                 static_cast<float>(1e-3 * radius),
                                 orthographic ? render::Projection::kOrthographic : render::Projection::kPerspective,
                                 static_cast<float>(uniform(random, 0.5, 2.0)));
    const glm::vec3& from = out.view.eye;
    out.data.eye = {from.x, from.y, from.z, orthographic ? 1.0F : 0.0F};
    out.data.forward = {out.view.forward.x, out.view.forward.y, out.view.forward.z,
                        std::abs(from.x) + std::abs(from.y) + std::abs(from.z)};
    return true;
}

// Whether the device finds its front, of the vertices as they are drawn.
bool is_seen(const ConeCase& c) {
    std::array<glm::dvec3, 3> p;
    for (std::size_t i = 0; i < 3; ++i) {
        const glm::dvec4 clip(clip_position(c.view, c.transform, c.corners[i]));
        if (!(clip.w > 0.0)) return false;
        p[i] = {clip.x, clip.y, clip.w};
    }
    return glm::dot(p[0], glm::cross(p[1] - p[0], p[2] - p[0])) < 0.0;
}

struct ConeTally {
    std::size_t cases = 0, seen = 0, culled = 0, wrong = 0, wrong_without_slack = 0;
};

ConeTally run_cones(unsigned seed, double away) {
    Random random(seed);
    ConeTally tally;
    while (tally.cases < kConeTriangles) {
        ConeCase c;
        if (!make_case(random, away, c)) {
            ++tally.cases;
            continue;
        }
        ++tally.cases;
        const glm::vec4 sphere = world_sphere(c.transform.data(), c.scale, c.sphere);
        const float radius = c.sphere.w * c.scale;
        const bool culled = cone_faces_away(c.data, sphere, radius, c.axis, c.cutoff);
        // Of a sphere and an eye that are exact there is no slack.
        shared::ViewData exact = c.data;
        exact.forward.w = -(std::abs(sphere.x) + std::abs(sphere.y) + std::abs(sphere.z) + radius);
        const bool mutant = cone_faces_away(exact, glm::vec4(glm::vec3(sphere), radius), radius, c.axis, c.cutoff);
        const bool seen = is_seen(c);
        tally.seen += seen ? 1 : 0;
        tally.culled += culled ? 1 : 0;
        tally.wrong += culled && seen ? 1 : 0;
        tally.wrong_without_slack += mutant && seen ? 1 : 0;
    }
    std::printf("up to %g sizes away: %zu triangles, %zu seen, %zu culled, %zu of them seen; without slack %zu\n", away,
                tally.cases, tally.seen, tally.culled, tally.wrong, tally.wrong_without_slack);
    return tally;
}

TEST(Cone, CullsNothingThatIsSeenFarFromTheOrigin) {
    for (const double away : {1e2, 1e4, 1e6, 1e8}) {
        const ConeTally tally = run_cones(static_cast<unsigned>(away), away);
        EXPECT_EQ(tally.wrong, 0U);
        EXPECT_GT(tally.seen, 0U);
        EXPECT_GT(tally.culled, tally.cases / 20);
        if (away >= 1e4) {
            EXPECT_GT(tally.wrong_without_slack, 0U) << "a test without slack must be noticed";
        }
    }
}

}  // namespace
}  // namespace sublet::test
