#include "render/view/camera.h"

#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/gtc/quaternion.hpp>
#include <limits>
#include <random>
#include <vector>

#include "base/error.h"
#include "render/shade/average.h"

namespace sublet::render {
namespace {

const CameraPose kPose{{3.0F, 2.0F, 5.0F}, {0.5F, 0.25F, -1.0F}, 50.0F};

glm::vec3 window_point(const View& view, const glm::vec3& point) {
    const glm::vec4 clip = view.view_projection * glm::vec4(point, 1.0F);
    return glm::vec3(clip) / clip.w;
}

// A camera's own axes: right, up, forward.
struct Axes {
    glm::vec3 right, up, forward;
};

Axes axes_of(const CameraPose& pose) {
    Axes axes{};
    axes.forward = glm::normalize(pose.target - pose.eye);
    axes.right = glm::normalize(glm::cross(axes.forward, glm::vec3(0.0F, 1.0F, 0.0F)));
    axes.up = glm::cross(axes.right, axes.forward);
    return axes;
}

// A mesh of two boxes' worth of bounds, twice in the scene, one of them far off and scaled.
struct TestScene {
    scene::EncodedScene scene;
    std::vector<mesh::MeshHeader> headers;

    TestScene() {
        headers.resize(1);
        headers[0].triangle_count = 12;
        headers[0].aabb_min = {-1.0F, -2.0F, -3.0F, 1.0F};
        headers[0].aabb_max = {1.0F, 2.0F, 3.0F, 1.0F};
        scene.geometry.meshes = headers;
        scene.scene.mesh_groups.push_back({});
        scene.scene.mesh_groups[0].mesh_count = 1;
        scene.scene.materials.push_back({});
        scene.scene.mesh_materials = {0};
        scene.scene.nodes.resize(2);
        scene.scene.nodes[0].mesh_group = 0;
        scene.scene.nodes[1].mesh_group = 0;
        scene.scene.nodes[1].translation = {10.0F, 0.0F, 0.0F};
        scene.scene.nodes[1].scale = {1.0F, 3.0F, -1.0F};
    }

    std::vector<glm::vec3> corners() const {
        std::vector<glm::vec3> points;
        for (unsigned i = 0; i < 8; ++i) {
            const glm::vec3 corner{(i & 1U) != 0 ? 1.0F : -1.0F, (i & 2U) != 0 ? 2.0F : -2.0F,
                                   (i & 4U) != 0 ? 3.0F : -3.0F};
            points.push_back(corner);
            points.push_back(corner * glm::vec3(1.0F, 3.0F, -1.0F) + glm::vec3(10.0F, 0.0F, 0.0F));
        }
        return points;
    }

    void add_camera(scene::Camera camera = {}) {
        camera.vertical_fov = glm::radians(30.0F);
        camera.near_plane = 0.75F;
        add_node(camera);
    }

    scene::Node& add_node(const scene::Camera& camera) {
        scene::Node node;
        node.camera = static_cast<int>(scene.scene.cameras.size());
        scene.scene.cameras.push_back(camera);
        node.translation = {5.0F, 1.0F, 40.0F};
        return scene.scene.nodes.emplace_back(node);
    }
};

TEST(Camera, DepthIsOneAtTheNearPlaneAndFallsToZero) {
    const View view = make_view(kPose, 0.25F, Projection::kPerspective, 1.5F);
    const glm::vec3 forward = axes_of(kPose).forward;
    EXPECT_NEAR(window_point(view, kPose.eye + 0.25F * forward).z, 1.0F, 1e-5F);
    EXPECT_NEAR(window_point(view, kPose.eye + 0.5F * forward).z, 0.5F, 1e-5F);
    EXPECT_NEAR(window_point(view, kPose.eye + 25.0F * forward).z, 0.01F, 1e-6F);
    const float far_away = window_point(view, kPose.eye + 1e7F * forward).z;
    EXPECT_GT(far_away, 0.0F);
    EXPECT_LT(far_away, 1e-7F);
}

TEST(Camera, TheFieldOfViewIsVerticalAndYPointsDown) {
    for (const float aspect : {0.5F, 1.0F, 16.0F / 9.0F}) {
        const View view = make_view(kPose, 0.1F, Projection::kPerspective, aspect);
        const Axes axes = axes_of(kPose);
        const float half = std::tan(glm::radians(25.0F));
        const glm::vec3 centre = kPose.eye + 7.0F * axes.forward;
        const glm::vec3 top = window_point(view, centre + 7.0F * half * axes.up);
        EXPECT_NEAR(top.y, -1.0F, 1e-5F);
        EXPECT_NEAR(top.x, 0.0F, 1e-5F);
        const glm::vec3 right = window_point(view, centre + 7.0F * half * aspect * axes.right);
        EXPECT_NEAR(right.x, 1.0F, 1e-5F);
        EXPECT_NEAR(right.y, 0.0F, 1e-5F);
    }
}

TEST(Camera, OrthographicShowsTheSameAtTheTarget) {
    const View perspective = make_view(kPose, 0.1F, Projection::kPerspective, 1.25F);
    const View orthographic = make_view(kPose, 0.1F, Projection::kOrthographic, 1.25F);
    EXPECT_TRUE(orthographic.orthographic);
    EXPECT_FALSE(perspective.orthographic);
    const Axes axes = axes_of(kPose);
    for (const glm::vec2 offset : {glm::vec2(1.0F, 0.5F), glm::vec2(-2.0F, 1.5F)}) {
        const glm::vec3 point = kPose.target + offset.x * axes.right + offset.y * axes.up;
        EXPECT_NEAR(window_point(perspective, point).x, window_point(orthographic, point).x, 1e-5F);
        EXPECT_NEAR(window_point(perspective, point).y, window_point(orthographic, point).y, 1e-5F);
    }
    const float distance = glm::distance(kPose.eye, kPose.target);
    EXPECT_NEAR(window_point(orthographic, kPose.eye + 0.1F * axes.forward).z, 1.0F, 1e-6F);
    EXPECT_GT(window_point(orthographic, kPose.eye + 250.0F * distance * axes.forward).z, 0.0F);
    EXPECT_GT(window_point(orthographic, kPose.eye + 1.0F * axes.forward).z,
              window_point(orthographic, kPose.eye + 1.01F * axes.forward).z);
}

TEST(Camera, ADepthLeadsBackToItsSurface) {
    CameraPose pose = kPose;
    pose.roll_degrees = 25.0F;
    const Axes axes = axes_of(pose);
    for (const Projection projection : {Projection::kPerspective, Projection::kOrthographic}) {
        const View view = make_view(pose, 0.1F, projection, 1.25F, {0.03F, -0.02F});
        for (const float distance : {0.2F, 3.0F, 60.0F}) {
            const glm::vec3 point = pose.eye + distance * axes.forward + 0.05F * distance * (axes.right - axes.up);
            const glm::vec3 seen = window_point(view, point);
            const auto back = surface_distance(view, seen.z);
            ASSERT_TRUE(back);
            EXPECT_NEAR(*back, distance, 2e-4F * distance + 1e-3F);
            const auto found = surface_point(view, 0.5F * (glm::vec2(seen) + 1.0F), seen.z);
            ASSERT_TRUE(found);
            EXPECT_LT(glm::distance(*found, point), 2e-4F * distance + 1e-3F);
        }
        EXPECT_FALSE(surface_distance(view, 0.0F)) << "there is nothing";
        EXPECT_FALSE(surface_point(view, {0.5F, 0.5F}, 0.0F));
    }
}

TEST(Camera, PlanesHoldExactlyWhatTheClipVolumeHolds) {
    std::mt19937 random(5);
    std::uniform_real_distribution<float> coordinate(-20.0F, 20.0F);
    for (const Projection projection : {Projection::kPerspective, Projection::kOrthographic}) {
        const View view = make_view(kPose, 0.5F, projection, 1.7F, {-0.3F, 0.2F});
        int inside = 0;
        for (int i = 0; i < 20000; ++i) {
            const glm::vec4 point(coordinate(random), coordinate(random), coordinate(random), 1.0F);
            const glm::vec4 clip = view.view_projection * point;
            // Left, right, bottom, top, near, as Vulkan clips; y points down.
            const std::array<float, 5> margins{clip.w + clip.x, clip.w - clip.x, clip.w - clip.y, clip.w + clip.y,
                                               clip.w - clip.z};
            bool all = true;
            for (std::size_t p = 0; p < 5; ++p) {
                const float distance = glm::dot(view.planes[p], point);
                if (std::abs(distance) > 1e-3F) {
                    EXPECT_EQ(distance > 0.0F, margins[p] > 0.0F) << "plane " << p;
                }
                all = all && distance > 0.0F;
            }
            inside += all ? 1 : 0;
        }
        EXPECT_GT(inside, 100);
        EXPECT_LT(inside, 19000);
        for (const glm::vec4& plane : view.planes) EXPECT_NEAR(glm::length(glm::vec3(plane)), 1.0F, 1e-6F);
        EXPECT_NEAR(glm::dot(view.planes[4], glm::vec4(kPose.eye, 1.0F)), -0.5F, 1e-5F);
    }
}

TEST(Camera, AShiftMovesThePictureAndTurnsNothing) {
    const glm::vec2 shift{0.25F, -0.125F};
    const glm::vec3 point{1.0F, 0.5F, -0.5F};
    for (const Projection projection : {Projection::kPerspective, Projection::kOrthographic}) {
        const View still = make_view(kPose, 0.1F, projection, 1.5F);
        const View view = make_view(kPose, 0.1F, projection, 1.5F, shift);
        const glm::vec3 moved = window_point(view, point) - window_point(still, point);
        EXPECT_NEAR(moved.x, shift.x, 1e-5F);
        EXPECT_NEAR(moved.y, shift.y, 1e-5F);
        EXPECT_EQ(moved.z, 0.0F);
        EXPECT_EQ(view.view, still.view);
        if (projection == Projection::kOrthographic) continue;
        // Where the point is seen, the pixel looks at it.
        const glm::vec3 seen = window_point(view, point);
        const std::array<glm::vec3, 3> rays = pixel_rays(view);
        const glm::vec3 ray = glm::normalize(rays[0] * seen.x + rays[1] * seen.y + rays[2]);
        EXPECT_LT(glm::distance(ray, glm::normalize(point - kPose.eye)), 1e-5F);
    }
}

// The first sample is the middle; the first N lie apart, and around it.
TEST(SampleOffsets, AreSpreadOverThePixel) {
    EXPECT_EQ(sample_offset(0), glm::dvec2(0.0));
    std::vector<glm::dvec2> offsets;
    for (std::uint32_t i = 0; i < 256; ++i) {
        const glm::dvec2 offset = sample_offset(i);
        EXPECT_LE(std::abs(offset.x), 0.5);
        EXPECT_LE(std::abs(offset.y), 0.5);
        for (const glm::dvec2& other : offsets) {
            EXPECT_GT(glm::distance(offset, other), 0.4 / std::sqrt(static_cast<double>(i + 1))) << i;
        }
        offsets.push_back(offset);
    }
    for (const std::size_t count : {16U, 64U, 256U}) {
        glm::dvec2 mean{0.0};
        for (std::size_t i = 0; i < count; ++i) mean += offsets[i] / static_cast<double>(count);
        EXPECT_LT(glm::length(mean), 2.0 / static_cast<double>(count));
    }
}

TEST(Camera, LooksStraightUpAndDown) {
    for (const float side : {-1.0F, 1.0F}) {
        const CameraPose pose{{1.0F, 2.0F, 3.0F}, {1.0F, 2.0F + 4.0F * side, 3.0F}, 45.0F};
        const View view = make_view(pose, 0.1F, Projection::kPerspective, 1.0F);
        const glm::vec3 target = window_point(view, pose.target);
        EXPECT_NEAR(target.x, 0.0F, 1e-6F);
        EXPECT_NEAR(target.y, 0.0F, 1e-6F);
        EXPECT_NEAR(glm::determinant(glm::mat3(view.view)), 1.0F, 1e-5F);
    }
}

TEST(Camera, RollTurnsTheCameraCounterClockwise) {
    CameraPose pose = kPose;
    const Axes axes = axes_of(pose);
    const glm::vec3 above = pose.target + 0.1F * axes.up;
    pose.roll_degrees = 30.0F;
    for (const Projection projection : {Projection::kPerspective, Projection::kOrthographic}) {
        const View view = make_view(pose, 0.1F, projection, 1.0F);
        const glm::vec3 point = window_point(view, above);  // y down
        EXPECT_NEAR(glm::degrees(std::atan2(point.x, -point.y)), 30.0F, 1e-3F) << "the picture turns clockwise";
        EXPECT_NEAR(glm::determinant(glm::mat3(view.view)), 1.0F, 1e-5F);
        EXPECT_NEAR(window_point(view, pose.target).x, 0.0F, 1e-6F);
    }
    pose.roll_degrees = std::numeric_limits<float>::infinity();
    EXPECT_THROW(static_cast<void>(make_view(pose, 0.1F, Projection::kPerspective, 1.0F)), Error);
}

TEST(Camera, RejectsDegeneratePoses) {
    const auto make = [](CameraPose pose, float near_plane, float aspect) {
        static_cast<void>(make_view(pose, near_plane, Projection::kPerspective, aspect));
    };
    const float nan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_THROW(make({{1, 2, 3}, {1, 2, 3}, 45.0F}, 0.1F, 1.0F), Error);
    EXPECT_THROW(make({{nan, 2, 3}, {1, 2, 3}, 45.0F}, 0.1F, 1.0F), Error);
    for (const float fov : {0.0F, 180.0F, -10.0F, nan})
        EXPECT_THROW(make({{0, 0, 1}, {0, 0, 0}, fov}, 0.1F, 1.0F), Error);
    for (const float near_plane : {0.0F, -1.0F, nan}) EXPECT_THROW(make(kPose, near_plane, 1.0F), Error);
    EXPECT_THROW(make(kPose, 0.1F, 0.0F), Error);
    EXPECT_NO_THROW(make(kPose, 0.1F, 1.0F));
}

TEST(SceneBounds, HoldsEveryInstance) {
    const TestScene test;
    const glm::vec4 bounds = scene_bounds(test.scene, {});
    float farthest = 0.0F;
    for (const glm::vec3& corner : test.corners())
        farthest = std::max(farthest, glm::distance(corner, glm::vec3(bounds)));
    EXPECT_NEAR(farthest, bounds.w, 1e-4F);
    EXPECT_NEAR(bounds.x, 5.0F, 1e-5F);  // from -1 to 11
}

TEST(SceneBounds, AGridIsCentredOnTheOrigin) {
    const TestScene test;
    const glm::vec4 bounds = scene_bounds(test.scene, {{5, 1, 3}, 10.0F});
    EXPECT_NEAR(glm::length(glm::vec3(bounds)), 0.0F, 1e-5F);
    // Origins reach from -20 to 20 and from -10 to 10, the mesh 1, 2 and 3 beyond.
    EXPECT_NEAR(bounds.w, glm::length(glm::vec3(21.0F, 2.0F, 13.0F)), 1e-4F);
}

TEST(SceneBounds, AnEmptySceneHasNone) {
    const scene::EncodedScene empty;
    EXPECT_EQ(scene_bounds(empty, {}).w, 0.0F);
    const DefaultView view = default_view(empty, {}, {}, 1.0F);
    EXPECT_NO_THROW(static_cast<void>(make_view(view.pose, view.near_plane, Projection::kPerspective, 1.0F)));
}

TEST(DefaultView, FramesTheSceneWithoutWaste) {
    const TestScene test;
    for (const float aspect : {0.4F, 1.0F, 2.5F}) {
        const DefaultView chosen = default_view(test.scene, {}, {}, aspect);
        const View view = make_view(chosen.pose, chosen.near_plane, Projection::kPerspective, aspect);
        float widest = 0.0F;
        for (const glm::vec3& corner : test.corners()) {
            const glm::vec3 point = window_point(view, corner);
            EXPECT_LT(point.z, 1.0F);
            EXPECT_GT(point.z, 0.0F);
            widest = std::max({widest, std::abs(point.x), std::abs(point.y)});
        }
        EXPECT_LE(widest, 1.0F) << "aspect " << aspect;
        EXPECT_GT(widest, 0.6F) << "aspect " << aspect;
        EXPECT_NEAR(chosen.near_plane, scene_bounds(test.scene, {}).w / 1000.0F, 1e-6F);
    }
}

TEST(DefaultView, PrefersTheScenesCameraButNotForAGrid) {
    TestScene test;
    test.add_camera();
    const DefaultView chosen = default_view(test.scene, {}, {}, 1.0F);
    EXPECT_EQ(chosen.pose.eye, glm::vec3(5.0F, 1.0F, 40.0F));
    EXPECT_NEAR(chosen.pose.fov_degrees, 30.0F, 1e-4F);
    EXPECT_EQ(chosen.near_plane, 0.75F);
    const glm::vec3 forward = glm::normalize(chosen.pose.target - chosen.pose.eye);
    EXPECT_NEAR(forward.z, -1.0F, 1e-5F);

    EXPECT_NE(default_view(test.scene, {glm::uvec3(2)}, {}, 1.0F).pose.eye, chosen.pose.eye);
}

// A point that a node's camera has at the given place of its own space.
glm::vec3 seen_at(const TestScene& test, const glm::vec3& point) {
    return glm::vec3(scene::world_transforms(test.scene.scene).back() * glm::vec4(point, 1.0F));
}

TEST(DefaultView, TheScenesCameraKeepsItsRoll) {
    const glm::quat turns[] = {glm::angleAxis(glm::radians(30.0F), glm::vec3(0.0F, 0.0F, 1.0F)),
                               glm::angleAxis(2.5F, glm::normalize(glm::vec3(1.0F, 2.0F, 3.0F))),
                               glm::angleAxis(glm::radians(90.0F), glm::vec3(1.0F, 0.0F, 0.0F)),
                               glm::angleAxis(glm::radians(-90.0F), glm::vec3(1.0F, 0.0F, 0.0F)) *
                                   glm::angleAxis(1.0F, glm::vec3(0.0F, 0.0F, 1.0F)),
                               {1.0F, 0.0F, 0.0F, 0.0F}};
    for (const glm::quat& turn : turns) {
        TestScene test;
        test.add_node({}).rotation = turn;
        const DefaultView chosen = default_view(test.scene, {}, {}, 1.0F);
        const View view = make_view(chosen.pose, chosen.near_plane, chosen.projection, 1.0F);
        const glm::vec3 right = window_point(view, seen_at(test, {1.0F, 0.0F, -10.0F}));
        const glm::vec3 above = window_point(view, seen_at(test, {0.0F, 1.0F, -10.0F}));
        EXPECT_NEAR(right.y, 0.0F, 1e-4F) << chosen.pose.roll_degrees;
        EXPECT_GT(right.x, 0.1F) << chosen.pose.roll_degrees;
        EXPECT_NEAR(above.x, 0.0F, 1e-4F) << chosen.pose.roll_degrees;
        EXPECT_LT(above.y, -0.1F) << chosen.pose.roll_degrees;
    }
    TestScene test;
    test.add_node({}).rotation = turns[0];
    EXPECT_NEAR(default_view(test.scene, {}, {}, 1.0F).pose.roll_degrees, 30.0F, 1e-4F);
    test.scene.scene.nodes.back().rotation = glm::angleAxis(0.4F, glm::vec3(0.0F, 1.0F, 0.0F));
    EXPECT_EQ(default_view(test.scene, {}, {}, 1.0F).pose.roll_degrees, 0.0F) << "rounding is no roll";
}

TEST(DefaultView, AnOrthographicCameraShowsTwiceItsHalfHeight) {
    for (const float half_height : {0.01F, 3.0F, 5000.0F}) {
        TestScene test;
        scene::Camera camera;
        camera.orthographic = true;
        camera.half_height = half_height;
        camera.near_plane = 0.0F;
        test.add_node(camera);
        FrameSettings settings;
        const DefaultView chosen = default_view(test.scene, {}, settings, 2.0F);
        EXPECT_EQ(chosen.projection, Projection::kOrthographic);
        const View view = make_view(chosen.pose, chosen.near_plane, chosen.projection, 2.0F);
        const glm::vec3 top = window_point(view, seen_at(test, {0.0F, half_height, -40.0F}));
        EXPECT_NEAR(top.y, -1.0F, 1e-4F);
        EXPECT_NEAR(window_point(view, seen_at(test, {2.0F * half_height, 0.0F, -40.0F})).x, 1.0F, 1e-4F);
        EXPECT_LT(top.z, 1.0F);
        EXPECT_GT(top.z, 0.0F);
        EXPECT_LE(window_point(view, seen_at(test, {0.0F, 0.0F, -0.01F * half_height})).z, 1.0F) << "from the eye on";
        settings.projection = Projection::kPerspective;
        EXPECT_EQ(default_view(test.scene, {}, settings, 2.0F).projection, Projection::kPerspective);
        settings.projection.reset();
        settings.camera = kPose;
        EXPECT_EQ(default_view(test.scene, {}, settings, 2.0F).projection, Projection::kPerspective);
    }
}

TEST(DefaultView, PassesOverACameraWithoutADirection) {
    TestScene test;
    test.add_node({}).scale = {1.0F, 1.0F, 0.0F};
    EXPECT_EQ(default_view(test.scene, {}, {}, 1.0F).pose.eye, default_view(TestScene().scene, {}, {}, 1.0F).pose.eye);
    test.add_camera();
    EXPECT_NEAR(default_view(test.scene, {}, {}, 1.0F).pose.fov_degrees, 30.0F, 1e-4F) << "the next one is used";
}

TEST(SceneCameras, AreListedByNameWithWhatTheyShow) {
    TestScene test;
    EXPECT_TRUE(scene_cameras(test.scene).empty());
    EXPECT_TRUE(default_view(test.scene, {}, {}, 1.0F).framed);
    test.add_camera();
    EXPECT_FALSE(default_view(test.scene, {}, {}, 1.0F).framed);
    scene::Camera flat;
    flat.orthographic = true;
    flat.name = "flat";
    test.add_node(flat).name = "holder";
    test.add_node({}).name = "aerial";
    test.add_node({}).scale = {1.0F, 1.0F, 0.0F};  // shows nothing
    const std::vector<SceneCamera> cameras = scene_cameras(test.scene);
    ASSERT_EQ(cameras.size(), 3U);
    EXPECT_EQ(cameras[0].name, "camera 1");
    EXPECT_EQ(cameras[1].name, "flat");
    EXPECT_EQ(cameras[2].name, "aerial");
    EXPECT_EQ(cameras[0].view.pose, default_view(test.scene, {}, {}, 1.0F).pose);
    EXPECT_EQ(cameras[0].view.near_plane, 0.75F);
    EXPECT_EQ(cameras[1].view.projection, Projection::kOrthographic);
}

TEST(DefaultView, ANearPlaneThatIsLeftOpenFitsTheScene) {
    for (const float near_plane : {0.0F, -1.0F, std::numeric_limits<float>::infinity()}) {
        TestScene test;
        scene::Camera camera;
        camera.near_plane = near_plane;
        test.add_node(camera);
        EXPECT_NEAR(default_view(test.scene, {}, {}, 1.0F).near_plane, scene_bounds(test.scene, {}).w / 1000.0F, 1e-6F);
    }
}

TEST(DefaultView, WhatTheSettingsNameComesFirst) {
    TestScene test;
    test.add_camera();
    FrameSettings settings;
    settings.camera = kPose;
    const DefaultView posed = default_view(test.scene, {}, settings, 1.0F);
    EXPECT_EQ(posed.pose.eye, kPose.eye);
    EXPECT_EQ(posed.pose.target, kPose.target);
    EXPECT_EQ(posed.pose.fov_degrees, kPose.fov_degrees);
    settings.near_plane = 2.5F;
    EXPECT_EQ(default_view(test.scene, {}, settings, 1.0F).near_plane, 2.5F);
    settings.camera.reset();
    EXPECT_EQ(default_view(test.scene, {}, settings, 1.0F).near_plane, 2.5F);
}

}  // namespace
}  // namespace sublet::render
