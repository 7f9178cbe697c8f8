#include "app/view/camera_control.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>
#include <glm/trigonometric.hpp>

namespace sublet::app {

namespace {

// Straight up or down has no heading: stop just before.
constexpr float kMaxPitch = 1.55F;
constexpr float kWheelStep = 0.88F;  // of the distance, for each step towards the scene
constexpr float kFastFactor = 5.0F;

}  // namespace

void CameraControl::reset(const render::CameraPose& pose, float scene_radius) {
    const glm::vec3 offset = pose.target - pose.eye;
    eye_ = pose.eye;
    distance_ = glm::length(offset);
    // Straight up or down (as render/view/camera.cpp has it) a pose without roll has the world's -z ahead.
    yaw_ = std::abs(offset.y) > 0.9999F * distance_ ? 0.0F : std::atan2(-offset.x, -offset.z);
    pitch_ = std::clamp(std::asin(std::clamp(offset.y / distance_, -1.0F, 1.0F)), -kMaxPitch, kMaxPitch);
    fov_degrees_ = pose.fov_degrees;
    roll_degrees_ = pose.roll_degrees;
    radius_ = scene_radius;
    speed_ = 0.4F * scene_radius;
}

void CameraControl::apply(const CameraInput& input) {
    if (flying_) {
        fly(input);
    } else {
        orbit(input);
    }
}

render::CameraPose CameraControl::pose() const {
    return {eye_, eye_ + distance_ * forward(), fov_degrees_, roll_degrees_};
}

glm::vec3 CameraControl::forward() const {
    return {-std::sin(yaw_) * std::cos(pitch_), std::sin(pitch_), -std::cos(yaw_) * std::cos(pitch_)};
}

glm::vec3 CameraControl::right() const {
    return {std::cos(yaw_), 0.0F, -std::sin(yaw_)};
}

glm::vec2 CameraControl::unrolled(const glm::vec2& pixels) const {
    const float roll = glm::radians(roll_degrees_);
    return {std::cos(roll) * pixels.x + std::sin(roll) * pixels.y,
            std::cos(roll) * pixels.y - std::sin(roll) * pixels.x};
}

// The height of the window is half a turn.
void CameraControl::turn(const glm::vec2& dragged, float view_height) {
    const glm::vec2 pixels = unrolled(dragged);
    const float scale = glm::pi<float>() / view_height;
    yaw_ = std::remainder(yaw_ - pixels.x * scale, glm::two_pi<float>());
    pitch_ = std::clamp(pitch_ - pixels.y * scale, -kMaxPitch, kMaxPitch);
}

void CameraControl::orbit(const CameraInput& input) {
    glm::vec3 target = eye_ + distance_ * forward();
    if (input.turn != glm::vec2(0.0F)) turn(input.turn, input.view_height);
    // What is at the target's distance follows the pointer.
    const float units = 2.0F * distance_ * std::tan(glm::radians(fov_degrees_) * 0.5F) / input.view_height;
    const glm::vec3 up = glm::cross(right(), forward());
    const glm::vec2 pan = unrolled(input.pan);
    target += units * (pan.y * up - pan.x * right());
    const float nearest = 1e-3F * radius_;
    distance_ = std::clamp(distance_ * std::pow(kWheelStep, input.wheel), nearest, std::max(1e4F * radius_, nearest));
    eye_ = target - distance_ * forward();
}

void CameraControl::fly(const CameraInput& input) {
    turn(input.turn, input.view_height);
    speed_ = std::clamp(speed_ * std::pow(kWheelStep, -input.wheel), 1e-4F * radius_, 1e3F * radius_);
    const float step = speed_ * (input.fast ? kFastFactor : 1.0F) * input.seconds;
    eye_ += step * (input.move.x * right() + input.move.y * glm::vec3(0.0F, 1.0F, 0.0F) + input.move.z * forward());
}

}  // namespace sublet::app
