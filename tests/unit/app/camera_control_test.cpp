#include "app/view/camera_control.h"

#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>
#include <optional>

#include "render/view/camera.h"

namespace sublet::app {
namespace {

constexpr float kHeight = 900.0F;
constexpr float kAspect = 1.5F;
constexpr float kRadius = 10.0F;
constexpr CameraMode kModes[] = {CameraMode::kOrbit, CameraMode::kFirstPerson};
constexpr render::Projection kProjections[] = {render::Projection::kPerspective, render::Projection::kOrthographic};

const render::CameraPose kPose{{4.0F, 3.0F, 5.0F}, {1.0F, 1.0F, -2.0F}, 50.0F};

void expect_near(const glm::vec3& a, const glm::vec3& b, float tolerance = 1e-4F) {
    EXPECT_NEAR(a.x, b.x, tolerance);
    EXPECT_NEAR(a.y, b.y, tolerance);
    EXPECT_NEAR(a.z, b.z, tolerance);
}

CameraInput input() {
    CameraInput result;
    result.view_height = kHeight;
    result.seconds = 0.5F;
    return result;
}

CameraControl control(const render::CameraPose& pose, CameraMode mode = CameraMode::kOrbit,
                      render::Projection projection = render::Projection::kPerspective) {
    CameraControl camera;
    camera.reset(pose, kRadius, mode);
    camera.set_projection(projection);
    return camera;
}

// Where a point is in the picture: pixels from the window's middle, as CameraInput has them.
glm::vec2 pixel_of(const CameraControl& camera, const glm::vec3& point,
                   render::Projection projection = render::Projection::kPerspective) {
    const render::View view = render::make_view(camera.pose(), 0.01F, projection, kAspect);
    const glm::vec4 clip = view.view_projection * glm::vec4(point, 1.0F);
    return glm::vec2(clip) / clip.w * glm::vec2(kAspect, 1.0F) * (0.5F * kHeight);
}

float distance_of(const CameraControl& camera) {
    return glm::distance(camera.pose().eye, camera.pose().target);
}

// Lets a smooth motion end.
void rest(CameraControl& camera) {
    CameraInput still = input();
    still.seconds = 1.0F / 60.0F;
    for (int i = 0; i < 60 && camera.animating(); ++i) camera.apply(still);
    EXPECT_FALSE(camera.animating());
}

TEST(CameraControl, StartsAtThePoseToTheBitAndStaysWithoutInput) {
    for (const CameraMode mode : kModes) {
        CameraControl camera = control(kPose, mode);
        EXPECT_EQ(camera.mode(), mode);
        for (int i = 0; i < 100; ++i) EXPECT_FALSE(camera.apply(input())) << "nobody touched it";
        EXPECT_EQ(camera.pose(), kPose);
    }
    const render::CameraPose down{{1.0F, 9.0F, 2.0F}, {1.0F, 0.0F, 2.0F}};
    EXPECT_EQ(control(down).pose(), down) << "straight down is no direction that drags reach, but it is shown";
}

TEST(CameraControl, OrbitTurnsAroundTheTarget) {
    CameraControl camera = control(kPose);
    CameraInput drag = input();
    drag.turn = {100.0F, 40.0F};
    camera.apply(drag);
    expect_near(camera.pose().target, kPose.target);
    EXPECT_NEAR(distance_of(camera), glm::distance(kPose.eye, kPose.target), 1e-4F);
    EXPECT_GT(glm::distance(camera.pose().eye, kPose.eye), 1.0F);
    EXPECT_GT(camera.pose().eye.y, kPose.eye.y) << "dragging down lifts the eye";
}

TEST(CameraControl, OrbitNeverTurnsOver) {
    CameraControl camera = control(kPose);
    CameraInput drag = input();
    drag.turn = {0.0F, 1e5F};
    camera.apply(drag);
    const render::CameraPose pose = camera.pose();
    EXPECT_GT(glm::length(glm::vec2(pose.eye.x - pose.target.x, pose.eye.z - pose.target.z)), 1e-3F);
    EXPECT_GT(pose.eye.y, pose.target.y);
}

TEST(CameraControl, FirstPersonLooksAboutFromWhereItIs) {
    CameraControl camera = control({{0.0F, 0.0F, 0.0F}, {0.0F, 0.0F, -5.0F}}, CameraMode::kFirstPerson);
    CameraInput drag = input();
    drag.turn = {450.0F, 0.0F};  // half of the height: a quarter turn to the right
    camera.apply(drag);
    expect_near(camera.pose().eye, {0.0F, 0.0F, 0.0F});
    expect_near(camera.pose().target, {5.0F, 0.0F, 0.0F});
}

TEST(CameraControl, ZoomKeepsWhatIsUnderTheCursorAndNeverPassesIt) {
    const glm::vec3 surface{2.0F, 1.5F, -1.0F};
    for (const float roll : {0.0F, 30.0F}) {
        for (const render::Projection projection : kProjections) {
            render::CameraPose pose = kPose;
            pose.roll_degrees = roll;
            CameraControl camera = control(pose, CameraMode::kOrbit, projection);
            CameraInput wheel = input();
            wheel.cursor = pixel_of(camera, surface, projection);
            wheel.surface = surface;
            wheel.wheel = 2.0F;
            const float before = glm::distance(camera.pose().eye, surface);
            camera.apply(wheel);
            EXPECT_NEAR(glm::distance(camera.pose().eye, surface), before * 0.88F * 0.88F, 1e-3F);
            EXPECT_NEAR(distance_of(camera), glm::distance(kPose.eye, kPose.target) * 0.88F * 0.88F, 1e-3F);
            const glm::vec2 after = pixel_of(camera, surface, projection);
            EXPECT_NEAR(after.x, wheel.cursor.x, 0.1F);
            EXPECT_NEAR(after.y, wheel.cursor.y, 0.1F);
            wheel.wheel = 1e4F;
            for (int i = 0; i < 3; ++i) camera.apply(wheel);
            const glm::vec3 left = surface - camera.pose().eye;
            const glm::vec3 forward = glm::normalize(camera.pose().target - camera.pose().eye);
            EXPECT_GT(glm::dot(left, forward), 0.5e-4F * kRadius) << "a little of the distance is left";
            EXPECT_LT(glm::length(left), 2e-4F * kRadius);
        }
    }
}

TEST(CameraControl, ZoomOutEndsFarAway) {
    CameraControl camera = control(kPose);
    CameraInput wheel = input();
    wheel.wheel = -1e4F;
    for (int i = 0; i < 3; ++i) camera.apply(wheel);
    EXPECT_GT(distance_of(camera), 0.9e5F);
    EXPECT_LT(distance_of(camera), 1.01e5F);
}

TEST(CameraControl, ZoomOverNothingGoesToThePivotsPlane) {
    CameraControl camera = control({{0.0F, 0.0F, 10.0F}, {0.0F, 0.0F, 0.0F}, 90.0F});
    CameraInput wheel = input();
    wheel.cursor = {225.0F, -225.0F};  // slopes of a half
    wheel.wheel = 1.0F;
    camera.apply(wheel);
    expect_near(camera.pose().eye, {0.12F * 5.0F, 0.12F * 5.0F, 8.8F}, 1e-3F);
}

// No picture has told yet where the surface is when a burst begins.
TEST(CameraControl, ABurstThatBeganBlindlyStopsAtASurfaceThatIsSeenLater) {
    const glm::vec3 surface{0.0F, 0.0F, 4.0F};  // before the pivot
    CameraControl camera = control({{0.0F, 0.0F, 10.0F}, {0.0F, 0.0F, 0.0F}, 90.0F});
    CameraInput wheel = input();
    wheel.seconds = 0.1F;
    wheel.wheel = 1.0F;
    camera.apply(wheel);
    wheel.surface = surface;
    for (int i = 0; i < 64; ++i) camera.apply(wheel);
    EXPECT_GT(camera.pose().eye.z, surface.z);
    EXPECT_LT(camera.pose().eye.z, surface.z + 0.01F);
}

// The picture that tells where a surface is comes late: the first one of a burst counts.
TEST(CameraControl, ABurstOfStepsZoomsToOnePoint) {
    const glm::vec3 surface{2.0F, 1.5F, -1.0F};
    CameraControl camera = control(kPose);
    CameraInput wheel = input();
    wheel.seconds = 1.0F / 60.0F;
    wheel.cursor = pixel_of(camera, surface);
    wheel.surface = surface;
    wheel.wheel = 1.0F;
    camera.apply(wheel);
    wheel.surface = glm::vec3(1e3F, 0.0F, -1e3F);
    for (int i = 0; i < 20; ++i) camera.apply(wheel);
    EXPECT_NEAR(pixel_of(camera, surface).x, wheel.cursor.x, 0.5F);
    wheel.cursor += 50.0F;  // another place, another point
    glm::vec3 before = camera.pose().eye;
    camera.apply(wheel);
    EXPECT_GT(glm::distance(camera.pose().eye, before), 10.0F);

    wheel.surface = camera.pose().target;
    CameraInput pause = wheel;
    pause.wheel = 0.0F;
    pause.seconds = 1.0F;
    camera.apply(pause);
    before = camera.pose().target;
    camera.apply(wheel);
    expect_near(camera.pose().target, before, 1e-3F);  // a new burst
}

TEST(CameraControl, PanMovesWhatIsUnderTheCursorWithIt) {
    for (const CameraMode mode : kModes) {
        for (const render::Projection projection : kProjections) {
            for (const float roll : {0.0F, -50.0F}) {
                render::CameraPose pose = kPose;
                pose.roll_degrees = roll;
                CameraControl camera = control(pose, mode, projection);
                const glm::vec3 surface{0.5F, 0.25F, -6.0F};
                const glm::vec2 start = pixel_of(camera, surface, projection);
                CameraInput pan = input();
                pan.panning = true;
                pan.surface = surface;
                for (int i = 1; i <= 4; ++i) {
                    pan.pan = {30.0F, -20.0F};
                    camera.apply(pan);
                    pan.surface = glm::vec3(0.0F);  // later ones are of the drag's own making
                    const glm::vec2 now = pixel_of(camera, surface, projection);
                    EXPECT_NEAR(now.x, start.x + 30.0F * static_cast<float>(i), 0.1F);
                    EXPECT_NEAR(now.y, start.y - 20.0F * static_cast<float>(i), 0.1F);
                }
            }
        }
    }
}

TEST(CameraControl, PanOverNothingMovesThePivotWithIt) {
    CameraControl camera = control({{0.0F, 0.0F, 10.0F}, {0.0F, 0.0F, 0.0F}, 90.0F});
    CameraInput pan = input();
    pan.pan = {450.0F, 0.0F};  // half of the height: 10 units at a distance of 10 and 90 degrees
    camera.apply(pan);
    expect_near(camera.pose().target, {-10.0F, 0.0F, 0.0F}, 1e-3F);
    expect_near(camera.pose().eye, {-10.0F, 0.0F, 10.0F}, 1e-3F);
    pan.pan = {0.0F, 450.0F};
    camera.apply(pan);
    expect_near(camera.pose().target, {-10.0F, 10.0F, 0.0F}, 1e-3F);
}

TEST(CameraControl, FirstPersonPansByTheNearerOfWhatIsKnown) {
    CameraInput pan = input();
    pan.pan = {450.0F, 0.0F};
    CameraControl camera = control({{0.0F, 0.0F, 2.0F}, {0.0F, 0.0F, 0.0F}, 90.0F}, CameraMode::kFirstPerson);
    camera.apply(pan);
    EXPECT_NEAR(camera.pose().eye.x, -2.0F, 1e-3F) << "the target";
    camera = control({{0.0F, 0.0F, 2.0F}, {0.0F, 0.0F, 0.0F}, 90.0F}, CameraMode::kFirstPerson);
    pan.ahead = 0.5F;
    camera.apply(pan);
    EXPECT_NEAR(camera.pose().eye.x, -0.5F, 1e-3F) << "what is ahead";
}

TEST(CameraControl, KeysMoveAlongTheCamerasAxesInBothModes) {
    for (const CameraMode mode : kModes) {
        CameraControl camera = control({{0.0F, 0.0F, 0.0F}, {0.0F, 0.0F, -5.0F}}, mode);
        CameraInput move = input();
        move.move = {0.0F, 0.0F, 1.0F};
        camera.apply(move);
        expect_near(camera.pose().eye, {0.0F, 0.0F, -0.5F * camera.speed()});
        EXPECT_NEAR(distance_of(camera), 5.0F, 1e-4F) << "the pivot goes along";
        move.move = {1.0F, 0.0F, 0.0F};
        move.fast = true;
        camera.apply(move);
        EXPECT_NEAR(camera.pose().eye.x, 2.5F * camera.speed(), 1e-4F);
        move.fast = false;
        move.slow = true;
        move.move = {0.0F, 1.0F, 0.0F};
        camera.apply(move);
        EXPECT_NEAR(camera.pose().eye.y, 0.1F * camera.speed(), 1e-4F);
    }
}

TEST(CameraControl, SpeedFollowsTheDistanceAheadAndTheWheel) {
    CameraControl camera = control(kPose, CameraMode::kFirstPerson);
    const float open = camera.speed();
    EXPECT_GT(open, 0.1F * kRadius);
    EXPECT_LT(open, kRadius);
    CameraInput still = input();
    still.seconds = 1.0F / 60.0F;
    still.ahead = 2.0F;
    camera.apply(still);
    EXPECT_NEAR(camera.speed(), 0.8F * 2.0F, 1e-4F) << "the first distance counts at once";

    still.ahead = 0.5F;
    camera.apply(still);
    EXPECT_GT(camera.speed(), 0.8F * 0.6F) << "the others follow";
    for (int i = 0; i < 60; ++i) camera.apply(still);
    EXPECT_NEAR(camera.speed(), 0.8F * 0.5F, 1e-3F);

    still.ahead.reset();
    camera.apply(still);
    EXPECT_LT(camera.speed(), 0.8F * 0.6F) << "slowly where it grows";
    for (int i = 0; i < 600; ++i) camera.apply(still);
    EXPECT_NEAR(camera.speed(), open, 1e-2F);

    still.ahead = 1e-9F;
    for (int i = 0; i < 600; ++i) camera.apply(still);
    EXPECT_GT(camera.speed(), 1e-3F * kRadius) << "one gets through a wall";

    const float speed = camera.speed();
    CameraInput wheel = still;
    wheel.wheel = 2.0F;
    camera.apply(wheel);
    EXPECT_GT(camera.speed_factor(), 1.5F);
    EXPECT_NEAR(camera.speed(), speed * camera.speed_factor(), 1e-4F);
    expect_near(camera.pose().eye, kPose.eye);
    wheel.wheel = -1e4F;
    camera.apply(wheel);
    EXPECT_GE(camera.speed_factor(), 0.01F);
    wheel.wheel = 1e4F;
    camera.apply(wheel);
    EXPECT_LE(camera.speed_factor(), 100.0F);
}

TEST(CameraControl, TheWheelZoomsInEveryOrthographicView) {
    CameraControl camera = control(kPose, CameraMode::kFirstPerson, render::Projection::kOrthographic);
    CameraInput wheel = input();
    wheel.wheel = 3.0F;
    camera.apply(wheel);
    EXPECT_LT(distance_of(camera), 0.9F * glm::distance(kPose.eye, kPose.target));
    EXPECT_EQ(camera.speed_factor(), 1.0F);
}

// In both projections, under panels to any side and with a roll: the sphere lies within the part and touches it.
TEST(CameraControl, FramesASphereInAPartOfTheWindow) {
    const glm::vec4 sphere{3.0F, -2.0F, 7.0F, 1.5F};
    const WindowPart parts[] = {{}, {0.3F, 0.0F, 1.0F, 1.0F}, {0.2F, 0.1F, 0.7F, 0.6F}, {0.0F, 0.5F, 0.4F, 1.0F}};
    for (const render::Projection projection : kProjections) {
        for (const float roll : {0.0F, 40.0F}) {
            for (const WindowPart& part : parts) {
                render::CameraPose pose = kPose;
                pose.roll_degrees = roll;
                CameraControl camera = control(pose, CameraMode::kOrbit, projection);
                const glm::vec3 direction = glm::normalize(pose.target - pose.eye);
                camera.frame(sphere, kAspect, part);
                EXPECT_TRUE(camera.animating());
                EXPECT_EQ(camera.pose(), pose) << "it starts where it was";
                rest(camera);
                expect_near(glm::normalize(camera.pose().target - camera.pose().eye), direction);
                expect_near(camera.pivot(), glm::vec3(sphere), 1e-3F);
                glm::vec2 low{1e9F};
                glm::vec2 high{-1e9F};
                for (int i = 0; i < 200; ++i) {
                    for (int j = 0; j <= 100; ++j) {
                        const float a = static_cast<float>(i) * 0.0314159F;
                        const float b = static_cast<float>(j) * 0.0314159F;
                        const glm::vec3 normal{std::cos(a) * std::sin(b), std::cos(b), std::sin(a) * std::sin(b)};
                        const glm::vec2 at = pixel_of(camera, glm::vec3(sphere) + sphere.w * normal, projection);
                        low = glm::min(low, at);
                        high = glm::max(high, at);
                    }
                }
                const glm::vec2 size{kAspect * kHeight, kHeight};
                const glm::vec2 corner = (glm::vec2(part.left, part.top) - 0.5F) * size;
                const glm::vec2 other = (glm::vec2(part.right, part.bottom) - 0.5F) * size;
                EXPECT_GE(low.x, corner.x);
                EXPECT_GE(low.y, corner.y);
                EXPECT_LE(high.x, other.x);
                EXPECT_LE(high.y, other.y);
                const glm::vec2 share = (high - low) / (other - corner);
                EXPECT_GT(std::max(share.x, share.y), 0.85F) << "no smaller than need be";
                const glm::vec2 centred = (low + high - corner - other) / (other - corner);
                EXPECT_LT(std::max(std::abs(centred.x), std::abs(centred.y)), 0.05F);
            }
        }
    }
}

TEST(CameraControl, OrbitKeepsAFramedPivotWhereItIsInTheWindow) {
    const glm::vec4 sphere{3.0F, -2.0F, 7.0F, 1.5F};
    CameraControl camera = control(kPose);
    camera.frame(sphere, kAspect, {0.4F, 0.0F, 1.0F, 0.8F});
    rest(camera);
    const glm::vec2 before = pixel_of(camera, glm::vec3(sphere));
    EXPECT_GT(before.x, 100.0F);
    CameraInput drag = input();
    drag.turn = {333.0F, -77.0F};
    camera.apply(drag);
    const glm::vec2 after = pixel_of(camera, glm::vec3(sphere));
    EXPECT_NEAR(after.x, before.x, 0.1F);
    EXPECT_NEAR(after.y, before.y, 0.1F);
}

TEST(CameraControl, APivotComesToTheMiddleByTurning) {
    for (const render::Projection projection : kProjections) {
        CameraControl camera = control(kPose, CameraMode::kOrbit, projection);
        const glm::vec3 point{-2.0F, 2.0F, -4.0F};
        camera.set_pivot(point);
        rest(camera);
        expect_near(camera.pivot(), point, 1e-3F);
        const glm::vec2 at = pixel_of(camera, point, projection);
        EXPECT_NEAR(at.x, 0.0F, 0.1F);
        EXPECT_NEAR(at.y, 0.0F, 0.1F);
        if (projection == render::Projection::kPerspective) {
            expect_near(camera.pose().eye, kPose.eye);
        } else {
            EXPECT_NEAR(distance_of(camera), glm::distance(kPose.eye, kPose.target), 1e-4F) << "the picture's scale";
        }
        CameraInput drag = input();
        drag.turn = {200.0F, 50.0F};
        camera.apply(drag);
        expect_near(camera.pivot(), point, 1e-3F);
    }
}

TEST(CameraControl, MovesSmoothlyAndArrivesToTheBit) {
    render::CameraPose there{{-7.0F, 2.0F, 1.0F}, {0.0F, 9.0F, 0.5F}, 30.0F, 12.0F};
    CameraControl camera = control(kPose);
    camera.move_to(there);
    CameraInput still = input();
    still.seconds = 0.02F;
    float last = glm::distance(camera.pose().eye, there.eye);
    for (int i = 0; i < 12; ++i) {
        camera.apply(still);
        EXPECT_TRUE(camera.animating()) << i;
        EXPECT_LT(glm::distance(camera.pose().eye, there.eye), last);
        last = glm::distance(camera.pose().eye, there.eye);
    }
    camera.apply(still);
    EXPECT_FALSE(camera.animating()) << "after a quarter of a second";
    EXPECT_EQ(camera.pose(), there);

    there.eye.x += 20.0F;
    camera.move_to(there);
    camera.apply(still);
    CameraInput drag = still;
    drag.turn = {1.0F, 0.0F};
    EXPECT_TRUE(camera.apply(drag));
    EXPECT_FALSE(camera.animating()) << "any input ends it";
    EXPECT_LT(camera.pose().eye.x, there.eye.x - 5.0F);
}

TEST(CameraControl, TurnsTheShorterWayRound) {
    const auto looking = [](float degrees) {
        const float angle = glm::radians(degrees);
        return render::CameraPose{{0.0F, 0.0F, 0.0F}, {std::sin(angle), 0.0F, std::cos(angle)}};
    };
    CameraControl camera = control(looking(-10.0F));
    camera.move_to(looking(10.0F));
    CameraInput still = input();
    still.seconds = 0.05F;
    while (camera.animating()) {
        camera.apply(still);
        EXPECT_GT(camera.pose().target.z, 0.9F);
    }
}

TEST(CameraControl, AnotherPlaceHasAnotherDistanceAhead) {
    CameraControl camera = control(kPose, CameraMode::kFirstPerson);
    CameraInput still = input();
    still.seconds = 0.001F;
    still.ahead = 0.5F;
    camera.apply(still);
    camera.show({{50.0F, 0.0F, 0.0F}, {0.0F, 0.0F, 0.0F}});
    still.ahead = 4.0F;
    camera.apply(still);
    EXPECT_NEAR(camera.speed(), 0.8F * 4.0F, 1e-4F) << "at once";
}

TEST(CameraControl, ChangingTheModeLeavesThePicture) {
    CameraControl camera = control(kPose, CameraMode::kFirstPerson);
    CameraInput still = input();
    still.ahead = 3.0F;
    camera.apply(still);
    const glm::vec3 direction = glm::normalize(kPose.target - kPose.eye);
    camera.set_mode(CameraMode::kOrbit);
    EXPECT_EQ(camera.pose().eye, kPose.eye);
    expect_near(camera.pivot(), kPose.eye + 3.0F * direction);
    camera.set_mode(CameraMode::kFirstPerson);
    expect_near(glm::normalize(camera.pose().target - camera.pose().eye), direction);

    camera = control(kPose, CameraMode::kFirstPerson, render::Projection::kOrthographic);
    camera.apply(still);
    camera.set_mode(CameraMode::kOrbit);
    EXPECT_EQ(camera.pose(), kPose);
}

TEST(CameraControl, RollStaysAndTurnsWhatDragsMean) {
    for (const CameraMode mode : kModes) {
        render::CameraPose pose{{0.0F, 0.0F, 10.0F}, {0.0F, 0.0F, 0.0F}, 90.0F, 90.0F};
        CameraControl camera = control(pose, mode);
        CameraInput drag = input();
        drag.turn = {100.0F, 0.0F};  // in a picture that lies on its side: up or down
        camera.apply(drag);
        EXPECT_EQ(camera.pose().roll_degrees, 90.0F);
        const glm::vec3 turned = camera.pose().target - camera.pose().eye;
        EXPECT_NEAR(turned.x, 0.0F, 1e-3F);
        EXPECT_GT(turned.y, 0.5F) << "the camera's right is the world's up";
        pose.roll_degrees = 0.0F;
        camera.reset(pose, kRadius, mode);
        EXPECT_EQ(camera.pose().roll_degrees, 0.0F);
    }
}

TEST(CameraControl, LooksStraightDownTheRightWayUp) {
    for (const float side : {-1.0F, 1.0F}) {
        CameraControl camera = control({{1.0F, 2.0F, 3.0F}, {1.0F, 2.0F + 5.0F * side, 3.0F}, 45.0F});
        CameraInput drag = input();
        drag.turn = {1e-3F, 0.0F};
        camera.apply(drag);
        const glm::vec3 forward = glm::normalize(camera.pose().target - camera.pose().eye);
        EXPECT_GT(forward.y * side, 0.999F);
        EXPECT_LT(forward.z, 0.0F) << "what lies towards -z is at the top, seen from above, as in a pose's own view";
    }
}

}  // namespace
}  // namespace sublet::app
