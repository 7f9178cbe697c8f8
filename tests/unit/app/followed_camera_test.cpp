#include "app/followed_camera.h"

#include <gtest/gtest.h>

#include "app/placed_scene.h"
#include "base/error.h"

namespace sublet::app {
namespace {

// A camera on a cart that slides along x and shrinks in its third second, and one that stands still.
scene::EncodedScene scene_with_cart() {
    scene::EncodedScene out;
    out.scene.nodes.resize(3);
    out.scene.nodes[1].parent = 0;
    out.scene.nodes[1].translation = {0.0F, 1.0F, 5.0F};
    out.scene.nodes[1].camera = 0;
    out.scene.nodes[2].camera = 0;
    out.scene.cameras.resize(1);
    out.scene.animations.resize(1);
    out.scene.animations[0].channels.push_back(
        {.node = 0, .times = {0.0F, 2.0F}, .values = {0.0F, 0.0F, 0.0F, 4.0F, 0.0F, 0.0F}});
    out.scene.animations[0].channels.push_back({.node = 0,
                                                .path = scene::AnimationPath::kScale,
                                                .times = {0.0F, 2.0F, 3.0F},
                                                .values = {1.0F, 1.0F, 1.0F, 1.0F, 1.0F, 1.0F, 0.0F, 0.0F, 0.0F}});
    return out;
}

TEST(FollowedCamera, IsWhereTheSceneHasIt) {
    const scene::EncodedScene scene = scene_with_cart();
    const render::SceneSettings settings;
    const glm::vec4 bounds{0.0F, 0.0F, 0.0F, 2.0F};
    const FollowedCamera camera(scene, settings, 1, bounds);
    EXPECT_TRUE(camera.moves());
    for (const double time : {0.0, 0.7, 1.5, -0.5, 33.3}) {
        const auto placed = placed_scene(scene, settings, time);
        const auto world = scene::world_transforms(placed->scene);
        const auto expected = render::camera_view(scene.scene.cameras[0], world[1], bounds);
        const auto view = camera.at(time);
        ASSERT_EQ(view.has_value(), expected.has_value()) << time;
        if (view) {
            EXPECT_EQ(view->pose, expected->pose) << time;
        }
    }
    EXPECT_EQ(camera.at(1.0)->pose.eye, glm::vec3(2.0F, 1.0F, 5.0F));
}

TEST(FollowedCamera, StandsStillWhereNothingMovesIt) {
    const scene::EncodedScene scene = scene_with_cart();
    render::SceneSettings settings;
    EXPECT_FALSE(FollowedCamera(scene, settings, 2, {}).moves());
    settings.animation = "none";
    EXPECT_FALSE(FollowedCamera(scene, settings, 1, {}).moves());
    settings.animation = "7";
    EXPECT_THROW(FollowedCamera(scene, settings, 1, {}), Error);
    settings.animation = "all";
    settings.grid.count = glm::uvec3(2);
    EXPECT_FALSE(FollowedCamera(scene, settings, 1, {}).moves()) << "a grid has none of the scene's cameras";
}

TEST(FollowedCamera, DefaultViewsNameTheNode) {
    const scene::EncodedScene scene = scene_with_cart();
    EXPECT_EQ(render::default_view(scene, {}, {}, 1.0F).node, 1U);
    render::FrameSettings settings;
    settings.camera = render::CameraPose{};
    EXPECT_EQ(render::default_view(scene, {}, settings, 1.0F).node, std::nullopt);
    const std::vector<render::SceneCamera> cameras = render::scene_cameras(scene);
    ASSERT_EQ(cameras.size(), 2U);
    EXPECT_EQ(cameras[1].view.node, 2U);
}

}  // namespace
}  // namespace sublet::app
