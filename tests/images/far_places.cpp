// Scenes of all sizes, and far from the origin: every way of drawing gives the picture of direct draws without culling.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/mat4x4.hpp>

#include "base/error.h"
#include "harness.h"
#include "render/scene/gpu_scene.h"
#include "render/scene/scene_size.h"
#include "render/settings/backend_info.h"
#include "shapes.h"

namespace sublet::test::far_places_test {
namespace {

constexpr std::uint32_t kWidth = 256;
constexpr std::uint32_t kHeight = 192;

// A closed sphere: far from the origin its vertices lie where floats are.
scene::SourceMesh make_sphere(const glm::dvec3& center, double radius) {
    constexpr int kColumns = 96;
    constexpr int kRows = 64;
    scene::SourceMesh mesh;
    for (int row = 0; row <= kRows; ++row) {
        const double down = std::numbers::pi * row / kRows;
        for (int column = 0; column <= kColumns; ++column) {
            const double around = 2.0 * std::numbers::pi * (column % kColumns) / kColumns;
            const glm::dvec3 direction(std::sin(down) * std::cos(around), std::cos(down),
                                       std::sin(down) * std::sin(around));
            const glm::vec3 position(center + radius * direction);
            mesh.positions.push_back({position.x, position.y, position.z});
        }
    }
    for (std::uint32_t row = 0; row < kRows; ++row) {
        for (std::uint32_t column = 0; column < kColumns; ++column) {
            const std::uint32_t a = row * (kColumns + 1) + column;
            const std::uint32_t b = a + kColumns + 1;
            if (row != 0) mesh.indices.insert(mesh.indices.end(), {a, a + 1, b});
            if (row + 1 != kRows) mesh.indices.insert(mesh.indices.end(), {a + 1, b + 1, b});
        }
    }
    return mesh;
}

enum class By { kVertices, kNode, kScale, kTurnedBack };

struct Place {
    std::string name;
    double radius;
    double away;  // from the origin, along each axis about that far
    By by;
};

std::vector<Place> places() {
    std::vector<Place> out;
    for (const double radius : {1e-15, 1e-6, 1.0, 1e15}) {
        out.push_back({"radius " + std::to_string(radius), radius, 0.0, By::kVertices});
        out.push_back({"radius " + std::to_string(radius) + " by its node's scale", radius, 0.0, By::kScale});
    }
    for (const double away : {1e5, 3e6, 1e7, 1e8}) {
        const std::string far = std::to_string(static_cast<long>(away)) + " away, ";
        out.push_back({far + "by vertices", 50.0, away, By::kVertices});
        out.push_back({far + "by its node", 50.0, away, By::kNode});
    }
    // Vertices far away that a node turns, and takes back to the origin.
    out.push_back({"taken back", 50.0, 1e7, By::kTurnedBack});
    return out;
}

// A scene of one sphere; where its centre lies.
glm::dvec3 make_scene(const Place& place, scene::ImportedScene& out) {
    const glm::dvec3 center = place.away * glm::dvec3(1.0, 0.7, -0.4);
    out.scene.materials.emplace_back();
    const bool by_node = place.by == By::kNode;
    const double radius = place.by == By::kScale ? 1.0 : place.radius;
    const int mesh = add_mesh(out, make_sphere(by_node ? glm::dvec3(0.0) : center, radius), 0);
    glm::dmat4 transform(1.0);
    if (place.by == By::kScale) transform = glm::scale(transform, glm::dvec3(place.radius));
    if (by_node) transform[3] = glm::dvec4(center, 1.0);
    if (place.by == By::kTurnedBack) {
        const double c = std::cos(0.7);
        const double s = std::sin(0.7);
        transform[0] = {c, 0.0, s, 0.0};
        transform[2] = {-s, 0.0, c, 0.0};
        transform[3] = glm::dvec4(-glm::dvec3(transform * glm::dvec4(center, 0.0)), 1.0);
    }
    test::place(out, mesh, glm::mat4(transform));
    return place.by == By::kTurnedBack ? glm::dvec3(0.0) : center;
}

// Holds every way of drawing to direct draws without culling, from some sides, one of them near.
void try_place(Bench& bench, const Place& place) {
    scene::ImportedScene imported;
    const glm::dvec3 center = make_scene(place, imported);
    bench.set_scene(encode(std::move(imported)));
    for (const int pose : {0, 2, 3}) {
        const double angle = 0.9 * pose;
        const double distance = place.radius * (pose == 2 ? 1.3 : 3.0);
        const glm::dvec3 direction(std::cos(angle) * 0.9, 0.43 * std::sin(2.0 * angle + 0.3), std::sin(angle) * 0.9);
        const render::CameraPose camera{.eye = glm::vec3(center + distance * glm::normalize(direction)),
                                        .target = glm::vec3(center)};
        const auto near_plane = static_cast<float>(1e-3 * place.radius);
        const Bench::Shot reference = bench.reference(camera, near_plane, kWidth, kHeight);
        ASSERT_GT(coverage(reference.picture), 0.1) << place.name;
        const render::AmbiguousPixels ambiguous = bench.ambiguous(camera, near_plane, kWidth, kHeight);
        for (const render::Backend backend : {render::Backend::kMdi, render::Backend::kCompact,
                                              render::Backend::kMeshSublets, render::Backend::kRaster}) {
            if (render::backend_unavailable(backend, bench.device().capabilities())) continue;
            const std::string what =
                place.name + ", pose " + std::to_string(pose) + ", " + std::string(render::backend_name(backend));
            render::FrameSettings settings;
            settings.backend = backend;
            const Bench::Shot shot = bench.shoot(settings, camera, near_plane, kWidth, kHeight, 2);
            const bool raster = backend == render::Backend::kRaster;
            const Bench::Shot same =
                raster ? bench.reference(camera, near_plane, kWidth, kHeight, render::Projection::kPerspective, backend)
                       : reference;
            const Difference difference = compare(same.picture, shot.picture, ambiguous);
            EXPECT_EQ(difference.depth, 0U) << what;
            EXPECT_EQ(difference.color, 0U) << what;
        }
    }
}

TEST(FarPlaces, EveryWayGivesThePictureOfDirectDraws) {
    Bench bench;
    for (const Place& place : places()) try_place(bench, place);
    EXPECT_EQ(bench.validation_messages(), 0U);
}

scene::EncodedScene sphere_of(double radius, By by = By::kVertices) {
    scene::ImportedScene imported;
    make_scene({"", radius, 0.0, by}, imported);
    return encode(std::move(imported));
}

// The default camera sees a scene as it sees any other that is larger or smaller by a power of two: to the bit. Shading
// alone overflows where a node scales normals by so much.
TEST(FarPlaces, EverySizeIsFramedAlike) {
    Bench bench;
    for (const By by : {By::kVertices, By::kScale}) {
        std::optional<render::Picture> of_one;
        for (const int exponent : {0, -49, -27, -10, 9, 30, 49, 56}) {
            bench.set_scene(sphere_of(std::ldexp(1.0, exponent), by));
            const float aspect = static_cast<float>(kWidth) / static_cast<float>(kHeight);
            const render::DefaultView view = render::default_view(bench.scene(), {}, {}, aspect);
            const render::Picture picture = bench.shoot({}, view.pose, view.near_plane, kWidth, kHeight, 2).picture;
            if (!of_one) of_one = picture;
            EXPECT_GT(coverage(picture), 0.1) << exponent;
            EXPECT_EQ(picture.depth, of_one->depth) << exponent;
            if (by == By::kVertices || exponent <= 30) {
                EXPECT_EQ(picture.rgba, of_one->rgba) << exponent;
            }
        }
    }
    EXPECT_EQ(bench.validation_messages(), 0U);
}

TEST(FarPlaces, WhatIsTooSmallOrTooLargeIsRefused) {
    Bench bench;
    const auto refusal = [&](double radius, By by) -> std::string {
        try {
            static_cast<void>(render::upload_scene(bench.device(), sphere_of(radius, by), {}));
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    };
    for (const By by : {By::kVertices, By::kScale}) {
        for (const double radius : {0.9e-15, 1e-25, 1e-30}) {
            EXPECT_TRUE(refusal(radius, by).starts_with("scene: size: nothing in it has a radius of more than "))
                << refusal(radius, by);
        }
        for (const double radius : {1.1e17, 1e20, 1e30}) {
            EXPECT_TRUE(refusal(radius, by).starts_with("scene: size: it reaches ")) << refusal(radius, by);
        }
    }
}

}  // namespace
}  // namespace sublet::test::far_places_test
