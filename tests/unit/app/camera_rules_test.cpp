#include "app/view/camera_rules.h"

#include <gtest/gtest.h>

#include "app/session.h"
#include "base/thread_pool.h"

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
