#include "app/view/camera_rules.h"

#include <gtest/gtest.h>

#include <array>

#include "app/session.h"
#include "base/thread_pool.h"
#include "render/settings/camera_text.h"

namespace sublet::app {
namespace {

constexpr float kFrame = 1.0F / 60.0F;

TEST(StartMode, LooksAboutWithinASceneAndTurnsAroundAnObject) {
    const render::Box room{{-5.0F, 0.0F, -8.0F}, {5.0F, 3.0F, 8.0F}};
    const render::CameraPose inside{{1.0F, 1.6F, 4.0F}, {0.0F, 1.0F, 0.0F}};
    EXPECT_EQ(start_mode(inside, room, false), CameraMode::kFirstPerson);
    for (const glm::vec3 eye : {glm::vec3(9.0F, 1.6F, 4.0F), glm::vec3(1.0F, 3.5F, 0.0F), glm::vec3(1.0F, 1.0F, 9.0F),
                                glm::vec3(-4.99F, 1.0F, 0.0F), glm::vec3(0.0F, -1.0F, 0.0F)}) {
        EXPECT_EQ(start_mode({eye, {0.0F, 1.0F, 0.0F}}, room, false), CameraMode::kOrbit);
    }
    EXPECT_EQ(start_mode(inside, room, true), CameraMode::kOrbit) << "that frames the scene: it is looked at";
    EXPECT_EQ(start_mode(inside, {}, false), CameraMode::kOrbit) << "an empty scene";
}

TEST(AxisView, LooksAtThePivotAlongAnAxisFromAsFar) {
    const render::CameraPose pose{{3.0F, 4.0F, 1.0F}, {5.0F, 5.0F, 5.0F}, 30.0F, 20.0F};
    const glm::vec3 pivot{3.0F, 4.0F, -4.0F};
    const std::array<glm::vec3, 6> eyes{glm::vec3(3, 4, 1),  glm::vec3(8, 4, -4),  glm::vec3(3, 9, -4),
                                        glm::vec3(3, 4, -9), glm::vec3(-2, 4, -4), glm::vec3(3, -1, -4)};
    for (std::size_t i = 0; i < eyes.size(); ++i) {
        const render::CameraPose view = axis_pose(pose, pivot, static_cast<AxisView>(i));
        EXPECT_EQ(view.eye, eyes.at(i)) << i;
        EXPECT_EQ(view.target, pivot);
        EXPECT_EQ(view.fov_degrees, 30.0F);
        EXPECT_EQ(view.roll_degrees, 0.0F);
        EXPECT_FALSE(render::pose_fault(view)) << i;
    }
}

TEST(StartMode, TheBuiltInRoomsAreWalkedThrough) {
    ThreadPool pool;
    const scene::EncodedScene scene = load_scene({}, 1, pool);
    const auto mode = [&](const scene::Grid& grid) {
        const render::DefaultView view = render::default_view(scene, grid, {}, 1.6F);
        return start_mode(view.pose, render::scene_box(scene, grid), view.framed);
    };
    EXPECT_EQ(mode({}), CameraMode::kFirstPerson);
    EXPECT_EQ(mode({glm::uvec3(3), 30.0F}), CameraMode::kOrbit);
}

TEST(NearPlane, StaysWellBeforeWhatIsNearest) {
    EXPECT_EQ(near_plane(100.0F, 0.1F, 10.0F, 0.1F, kFrame), 0.1F) << "never beyond the camera's own";
    EXPECT_LE(near_plane(0.2F, 0.1F, 10.0F, 0.1F, kFrame), 0.05F) << "at once";
    EXPECT_GT(near_plane(0.2F, 0.1F, 10.0F, 0.1F, kFrame), 0.001F);
    EXPECT_GT(near_plane(0.0F, 0.1F, 10.0F, 0.1F, kFrame), 1e-6F) << "never at the eye";
    EXPECT_EQ(near_plane(0.2F, 0.1F, 10.0F, 0.020001F, kFrame), 0.020001F) << "what is settled stays";
    EXPECT_EQ(near_plane({}, 0.1F, 10.0F, 0.02F, kFrame), 0.02F) << "a picture of nothing says nothing";
    EXPECT_LE(near_plane(0.0F, 1e-9F, 10.0F, 1e-9F, kFrame), 1e-9F);
}

TEST(NearPlane, GrowsSlowly) {
    float now = 0.001F;
    now = near_plane(50.0F, 0.1F, 10.0F, now, kFrame);
    EXPECT_LT(now, 0.0011F);
    int frames = 1;
    for (; now < 0.1F && frames < 1000; ++frames) now = near_plane(50.0F, 0.1F, 10.0F, now, kFrame);
    EXPECT_GT(frames, 60);
    EXPECT_LT(frames, 600);
    EXPECT_EQ(now, 0.1F);
}

}  // namespace
}  // namespace sublet::app
