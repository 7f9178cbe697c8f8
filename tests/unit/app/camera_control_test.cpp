#include "app/view/camera_control.h"

#include <gtest/gtest.h>

#include <glm/geometric.hpp>

namespace sublet::app {
namespace {

const render::CameraPose kPose{{4.0F, 3.0F, 5.0F}, {1.0F, 1.0F, -2.0F}, 50.0F};

void expect_near(const glm::vec3& a, const glm::vec3& b, float tolerance = 1e-4F) {
    EXPECT_NEAR(a.x, b.x, tolerance);
    EXPECT_NEAR(a.y, b.y, tolerance);
    EXPECT_NEAR(a.z, b.z, tolerance);
}

CameraInput input() {
    CameraInput result;
    result.view_height = 900.0F;
    result.seconds = 0.5F;
    return result;
}

TEST(CameraControl, StartsAtThePoseAndStaysWithoutInput) {
    for (const bool flying : {false, true}) {
        CameraControl camera;
        camera.set_flying(flying);
        camera.reset(kPose, 10.0F);
        for (int i = 0; i < 100; ++i) camera.apply(input());
        expect_near(camera.pose().eye, kPose.eye);
        expect_near(camera.pose().target, kPose.target);
        EXPECT_EQ(camera.pose().fov_degrees, 50.0F);
    }
}

TEST(CameraControl, OrbitTurnsAroundTheTarget) {
    CameraControl camera;
    camera.reset(kPose, 10.0F);
    CameraInput drag = input();
    drag.turn = {100.0F, 40.0F};
    camera.apply(drag);
    expect_near(camera.pose().target, kPose.target);
    EXPECT_NEAR(glm::distance(camera.pose().eye, camera.pose().target), glm::distance(kPose.eye, kPose.target), 1e-4F);
    EXPECT_GT(glm::distance(camera.pose().eye, kPose.eye), 1.0F);
    EXPECT_GT(camera.pose().eye.y, kPose.eye.y) << "dragging down lifts the eye";
}

TEST(CameraControl, OrbitNeverTurnsOver) {
    CameraControl camera;
    camera.reset(kPose, 10.0F);
    CameraInput drag = input();
    drag.turn = {0.0F, 1e5F};
    camera.apply(drag);
    const render::CameraPose pose = camera.pose();
    EXPECT_GT(glm::length(glm::vec2(pose.eye.x - pose.target.x, pose.eye.z - pose.target.z)), 1e-3F);
    EXPECT_GT(pose.eye.y, pose.target.y);
}

TEST(CameraControl, WheelZoomsTowardsTheTargetButNotThrough) {
    CameraControl camera;
    camera.reset(kPose, 10.0F);
    CameraInput wheel = input();
    wheel.wheel = 3.0F;
    camera.apply(wheel);
    expect_near(camera.pose().target, kPose.target);
    EXPECT_LT(glm::distance(camera.pose().eye, kPose.target), glm::distance(kPose.eye, kPose.target));
    wheel.wheel = 1e4F;
    camera.apply(wheel);
    EXPECT_GE(glm::distance(camera.pose().eye, camera.pose().target), 0.009F);
    wheel.wheel = -1e4F;
    camera.apply(wheel);
    EXPECT_LE(glm::distance(camera.pose().eye, camera.pose().target), 1.01e5F);
}

TEST(CameraControl, PanMovesWhatIsUnderThePointerWithIt) {
    CameraControl camera;
    camera.reset({{0.0F, 0.0F, 10.0F}, {0.0F, 0.0F, 0.0F}, 90.0F}, 10.0F);
    CameraInput pan = input();
    pan.pan = {450.0F, 0.0F};  // half of the height: 10 units at a distance of 10 and 90 degrees
    camera.apply(pan);
    expect_near(camera.pose().target, {-10.0F, 0.0F, 0.0F}, 1e-3F);
    expect_near(camera.pose().eye, {-10.0F, 0.0F, 10.0F}, 1e-3F);
    pan.pan = {0.0F, 450.0F};
    camera.apply(pan);
    expect_near(camera.pose().target, {-10.0F, 10.0F, 0.0F}, 1e-3F);
}

TEST(CameraControl, FlyMovesAlongItsOwnAxes) {
    CameraControl camera;
    camera.reset({{0.0F, 0.0F, 0.0F}, {0.0F, 0.0F, -5.0F}, 45.0F}, 10.0F);
    camera.set_flying(true);
    CameraInput move = input();
    move.move = {0.0F, 0.0F, 1.0F};
    camera.apply(move);
    expect_near(camera.pose().eye, {0.0F, 0.0F, -0.5F * camera.speed()});
    move.move = {1.0F, 0.0F, 0.0F};
    move.fast = true;
    camera.apply(move);
    EXPECT_NEAR(camera.pose().eye.x, 2.5F * camera.speed(), 1e-4F);
    move = input();
    move.turn = {450.0F, 0.0F};  // half of the height: a quarter turn to the right
    camera.apply(move);
    const glm::vec3 forward = glm::normalize(camera.pose().target - camera.pose().eye);
    expect_near(forward, {1.0F, 0.0F, 0.0F});
}

TEST(CameraControl, RollStaysAndTurnsWhatDragsMean) {
    for (const bool flying : {false, true}) {
        CameraControl camera;
        camera.set_flying(flying);
        render::CameraPose pose{{0.0F, 0.0F, 10.0F}, {0.0F, 0.0F, 0.0F}, 90.0F, 90.0F};
        camera.reset(pose, 10.0F);
        CameraInput drag = input();
        drag.turn = {100.0F, 0.0F};  // in a picture that lies on its side: up or down
        camera.apply(drag);
        EXPECT_EQ(camera.pose().roll_degrees, 90.0F);
        const glm::vec3 turned = camera.pose().target - camera.pose().eye;
        EXPECT_NEAR(turned.x, 0.0F, 1e-3F);
        EXPECT_GT(turned.y, 0.5F) << "the camera's right is the world's up";
        camera.reset(pose, 10.0F);
        CameraInput pan = input();
        pan.pan = {450.0F, 0.0F};
        camera.apply(pan);
        if (!flying) expect_near(camera.pose().target, {0.0F, -10.0F, 0.0F}, 1e-3F);
        pose.roll_degrees = 0.0F;
        camera.reset(pose, 10.0F);
        EXPECT_EQ(camera.pose().roll_degrees, 0.0F);
    }
}

TEST(CameraControl, LooksStraightDownTheRightWayUp) {
    for (const float side : {-1.0F, 1.0F}) {
        CameraControl camera;
        camera.reset({{1.0F, 2.0F, 3.0F}, {1.0F, 2.0F + 5.0F * side, 3.0F}, 45.0F}, 10.0F);
        const glm::vec3 forward = glm::normalize(camera.pose().target - camera.pose().eye);
        EXPECT_GT(forward.y * side, 0.999F);
        EXPECT_LT(forward.z, 0.0F) << "what lies towards -z is at the top, seen from above, as in a pose's own view";
    }
}

TEST(CameraControl, WheelSetsTheFlyingSpeed) {
    CameraControl camera;
    camera.reset(kPose, 10.0F);
    camera.set_flying(true);
    const float speed = camera.speed();
    CameraInput wheel = input();
    wheel.wheel = 2.0F;
    camera.apply(wheel);
    EXPECT_GT(camera.speed(), speed);
    expect_near(camera.pose().eye, kPose.eye);
}

}  // namespace
}  // namespace sublet::app
