#include "app/view/camera_control.h"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>
#include <glm/trigonometric.hpp>

namespace sublet::app {

namespace {

// Straight up or down has no heading: stop just before.
constexpr float kMaxPitch = 1.55F;
constexpr float kWheelStep = 0.88F;    // of the distance, for each step towards the scene
constexpr float kSpeedStep = 1.25F;    // of the speed, for each step
constexpr float kMostFactor = 100.0F;  // of the speed, by the wheel
constexpr float kFastFactor = 5.0F;
constexpr float kMotionSeconds = 0.25F;

// In radii of the scene: how near zooming comes to a surface or the pivot, and how far away it goes. What is nearer
// still moves by steps of a float.
constexpr float kNearest = 1e-4F;
constexpr float kFarthest = 1e4F;

// Keys cross this share of the distance ahead in a second: near a wall they slow down, so that one can look at it.
constexpr float kSpeedShare = 0.8F;
// In radii of the scene. The least distance ahead lets keys pass through a wall; the most is for the open.
constexpr float kLeastAhead = 5e-3F;
constexpr float kMostAhead = 1.0F;
constexpr float kNothingAhead = 0.5F;
// How long the speed takes to follow most of the way. Slow where it grows: a glance through a window is no reason to
// rush off.
constexpr float kSlowingSeconds = 0.1F;
constexpr float kHasteningSeconds = 0.6F;

// A wheel turns in bursts. Within one, under a cursor that rests, it zooms to the same point, once that was seen: the
// picture that tells of it comes late.
constexpr float kAnchorSeconds = 0.5F;
constexpr float kAnchorPixels = 2.0F;

constexpr float kFramingMargin = 1.06F;

float slope_of(float fov_degrees) {
    return std::tan(glm::radians(fov_degrees) * 0.5F);
}

// Where along one axis of the picture a sphere is put, between two edges given as slopes.
struct Fit {
    float slope = 0.0F;     // of the line from the eye to its centre
    float distance = 0.0F;  // of its centre along the line of sight, for a radius of 1
};

// It touches the planes through the eye and the edges: both are as far from its centre.
Fit fit_perspective(float low, float high) {
    const float n_low = std::sqrt(1.0F + low * low);
    const float n_high = std::sqrt(1.0F + high * high);
    const float slope = (high / n_high + low / n_low) / (1.0F / n_low + 1.0F / n_high);
    return {slope, n_high / (high - slope)};
}

Fit fit_orthographic(float low, float high) {
    return {0.5F * (low + high), 2.0F / (high - low)};
}

}  // namespace

glm::vec3 CameraControl::State::forward() const {
    return {-std::sin(yaw) * std::cos(pitch), std::sin(pitch), -std::cos(yaw) * std::cos(pitch)};
}

glm::vec3 CameraControl::State::right() const {
    return {std::cos(yaw), 0.0F, -std::sin(yaw)};
}

glm::vec3 CameraControl::State::up() const {
    return glm::cross(right(), forward());
}

glm::vec3 CameraControl::State::world(const glm::vec3& level) const {
    return level.x * right() + level.y * up() + level.z * forward();
}

glm::vec3 CameraControl::State::level(const glm::vec3& world) const {
    return {glm::dot(world, right()), glm::dot(world, up()), glm::dot(world, forward())};
}

glm::vec2 CameraControl::State::unrolled(const glm::vec2& pixels) const {
    const float roll = glm::radians(roll_degrees);
    return {std::cos(roll) * pixels.x + std::sin(roll) * pixels.y,
            std::cos(roll) * pixels.y - std::sin(roll) * pixels.x};
}

CameraControl::State CameraControl::state_of(const render::CameraPose& pose) {
    State state;
    const glm::vec3 offset = pose.target - pose.eye;
    const float distance = glm::length(offset);
    state.eye = pose.eye;
    state.pivot = {0.0F, 0.0F, distance};
    // Straight up or down (as render/view/camera.cpp has it) a pose without roll has the world's -z ahead.
    state.yaw = std::abs(offset.y) > 0.9999F * distance ? 0.0F : std::atan2(-offset.x, -offset.z);
    state.pitch = std::clamp(std::asin(std::clamp(offset.y / distance, -1.0F, 1.0F)), -kMaxPitch, kMaxPitch);
    state.fov_degrees = pose.fov_degrees;
    state.roll_degrees = pose.roll_degrees;
    return state;
}

void CameraControl::reset(const render::CameraPose& pose, float scene_radius, CameraMode mode) {
    show(pose);
    mode_ = mode;
    radius_ = scene_radius;
    speed_factor_ = 1.0F;
    ahead_ = kNothingAhead * radius_;
    pan_distance_.reset();
}

void CameraControl::show(const render::CameraPose& pose) {
    state_ = state_of(pose);
    pose_ = pose;
    motion_.reset();
    anchor_.reset();
    seen_ahead_.reset();  // that was elsewhere
}

void CameraControl::move_to(const render::CameraPose& pose) {
    start(state_of(pose), pose);
}

void CameraControl::set_mode(CameraMode mode) {
    if (mode == mode_) return;
    mode_ = mode;
    // Who stops walking to look at something turns around what is ahead. In an orthographic view the distance to the
    // pivot is the picture's scale.
    if (mode != CameraMode::kOrbit || orthographic() || !seen_ahead_ || motion_) return;
    state_.pivot = {0.0F, 0.0F, std::max(*seen_ahead_, kNearest * radius_)};
    changed();
}

float CameraControl::speed() const {
    return kSpeedShare * speed_factor_ * std::clamp(ahead_, kLeastAhead * radius_, kMostAhead * radius_);
}

// What follows from the state.
void CameraControl::changed() {
    pose_ = {state_.eye, state_.eye + state_.pivot.z * state_.forward(), state_.fov_degrees, state_.roll_degrees};
}

void CameraControl::start(const State& to, const std::optional<render::CameraPose>& end) {
    motion_ = Motion{state_, to, 0.0F, end};
    // The shorter way round.
    motion_->to.yaw = state_.yaw + std::remainder(to.yaw - state_.yaw, glm::two_pi<float>());
    motion_->to.roll_degrees = state_.roll_degrees + std::remainder(to.roll_degrees - state_.roll_degrees, 360.0F);
    anchor_.reset();
}

void CameraControl::advance(float seconds) {
    Motion& motion = *motion_;
    motion.seconds += seconds;
    if (motion.seconds >= kMotionSeconds) {
        state_ = motion.to;
        changed();
        if (motion.end) show(*motion.end);
        motion_.reset();
        return;
    }
    const float t = glm::smoothstep(0.0F, kMotionSeconds, motion.seconds);
    state_.eye = glm::mix(motion.from.eye, motion.to.eye, t);
    state_.yaw = glm::mix(motion.from.yaw, motion.to.yaw, t);
    state_.pitch = glm::mix(motion.from.pitch, motion.to.pitch, t);
    state_.pivot = glm::mix(motion.from.pivot, motion.to.pivot, t);
    state_.fov_degrees = glm::mix(motion.from.fov_degrees, motion.to.fov_degrees, t);
    state_.roll_degrees = glm::mix(motion.from.roll_degrees, motion.to.roll_degrees, t);
    changed();
}

bool CameraControl::apply(const CameraInput& input) {
    look_ahead(input);
    const bool turns = input.turn != glm::vec2(0.0F);
    const bool moves = input.move != glm::vec3(0.0F);
    const bool zooms = input.wheel != 0.0F;
    if (!input.panning) pan_distance_.reset();
    if (anchor_) anchor_->idle_seconds += input.seconds;
    if (turns || input.panning || moves) anchor_.reset();
    if (!turns && !moves && !zooms && input.pan == glm::vec2(0.0F)) {
        if (motion_) advance(input.seconds);
        return false;
    }
    motion_.reset();
    if (turns) turn(input);
    if (input.pan != glm::vec2(0.0F)) pan(input);
    if (moves) {
        const float factor = (input.fast ? kFastFactor : 1.0F) / (input.slow ? kFastFactor : 1.0F);
        const glm::vec3 way = input.move.x * state_.right() + input.move.y * glm::vec3(0.0F, 1.0F, 0.0F) +
                              input.move.z * state_.forward();
        state_.eye += speed() * factor * input.seconds * way;
    }
    if (zooms && (mode_ == CameraMode::kOrbit || orthographic())) {
        zoom(input);
    } else if (zooms) {
        speed_factor_ = std::clamp(speed_factor_ * std::pow(kSpeedStep, input.wheel), 1.0F / kMostFactor, kMostFactor);
    }
    changed();
    return true;
}

void CameraControl::look_ahead(const CameraInput& input) {
    const float ahead = std::max(input.ahead.value_or(kNothingAhead * radius_), kLeastAhead * radius_);
    // What the first picture shows is no change.
    const bool first = input.ahead && !seen_ahead_;
    if (input.ahead) seen_ahead_ = input.ahead;
    const float share = 1.0F - std::exp(-input.seconds / (ahead < ahead_ ? kSlowingSeconds : kHasteningSeconds));
    ahead_ = first ? ahead : ahead_ * std::pow(ahead / ahead_, share);
}

// The height of the window is half a turn.
void CameraControl::turn(const CameraInput& input) {
    const glm::vec2 pixels = state_.unrolled(input.turn);
    const float scale = glm::pi<float>() / input.view_height;
    const glm::vec3 around = pivot();
    state_.yaw = std::remainder(state_.yaw - pixels.x * scale, glm::two_pi<float>());
    state_.pitch = std::clamp(state_.pitch - pixels.y * scale, -kMaxPitch, kMaxPitch);
    if (mode_ == CameraMode::kOrbit) state_.eye = around - state_.world(state_.pivot);
}

// What was under the cursor when the drag began stays under it: panning leaves its distance as it is.
void CameraControl::pan(const CameraInput& input) {
    if (!pan_distance_) {
        const float free = mode_ == CameraMode::kOrbit ? state_.pivot.z : std::min(state_.pivot.z, ahead_);
        const float seen = input.surface ? glm::dot(*input.surface - state_.eye, state_.forward()) : 0.0F;
        pan_distance_ = seen > 0.0F ? seen : free;
    }
    const float distance = orthographic() ? state_.pivot.z : *pan_distance_;
    const float units = 2.0F * distance * slope_of(state_.fov_degrees) / input.view_height;
    const glm::vec2 pixels = state_.unrolled(input.pan);
    state_.eye += units * (pixels.y * state_.up() - pixels.x * state_.right());
    if (!input.panning) pan_distance_.reset();
}

// The point that stays where it is in the picture.
glm::vec3 CameraControl::zoom_centre(const CameraInput& input) {
    const bool rests = anchor_ && anchor_->idle_seconds < kAnchorSeconds &&
                       glm::distance(anchor_->cursor, input.cursor) <= kAnchorPixels;
    const bool seen = input.surface && glm::dot(*input.surface - state_.eye, state_.forward()) > 0.0F;
    if (!rests || (seen && !anchor_->seen)) {
        anchor_ = Anchor{{}, input.cursor, 0.0F, seen};
        if (seen) {
            anchor_->point = *input.surface;
        } else {
            // Nothing is there: as far away as the pivot.
            const glm::vec2 slope =
                state_.unrolled(input.cursor) * (2.0F * slope_of(state_.fov_degrees) / input.view_height);
            anchor_->point = state_.eye + state_.pivot.z * state_.world({slope.x, -slope.y, 1.0F});
        }
    }
    anchor_->idle_seconds = 0.0F;
    return anchor_->point;
}

// Scales all distances from that point: it keeps its place in the picture, in either projection, and no number of steps
// goes through it.
void CameraControl::zoom(const CameraInput& input) {
    const glm::vec3 centre = zoom_centre(input);
    const float nearest = kNearest * radius_;
    const float distance = glm::distance(state_.eye, centre);
    float scale = std::pow(kWheelStep, input.wheel);
    scale = std::max(scale, std::min(1.0F, nearest / std::max(distance, 1e-30F)));
    scale = std::min(scale, std::max(1.0F, kFarthest * radius_ / state_.pivot.z));
    state_.eye = centre + scale * (state_.eye - centre);
    state_.pivot *= std::max(scale, std::min(1.0F, nearest / state_.pivot.z));
}

void CameraControl::frame(const glm::vec4& sphere, float aspect, const WindowPart& part) {
    const WindowPart whole;
    const bool good = part.right > part.left && part.bottom > part.top;
    const WindowPart& free = good ? part : whole;
    const auto fit = orthographic() ? fit_orthographic : fit_perspective;
    const float slope = slope_of(state_.fov_degrees);
    const Fit x = fit(slope * aspect * (2.0F * free.left - 1.0F), slope * aspect * (2.0F * free.right - 1.0F));
    const Fit y = fit(slope * (2.0F * free.top - 1.0F), slope * (2.0F * free.bottom - 1.0F));
    const float radius = std::max(sphere.w, kNearest * radius_) * kFramingMargin;
    // An orthographic view that is very wide has its eye within what it shows: it stays before it.
    const float distance = std::max({x.distance, y.distance, 1.0F}) * radius;
    const glm::vec2 offset = state_.unrolled({x.slope, y.slope});
    State to = state_;
    to.pivot = distance * glm::vec3(offset.x, -offset.y, 1.0F);
    to.eye = glm::vec3(sphere) - to.world(to.pivot);
    start(to);
}

void CameraControl::set_pivot(const glm::vec3& point) {
    State to = state_;
    if (orthographic()) {
        to.pivot = {0.0F, 0.0F, state_.pivot.z};
        to.eye = point - to.world(to.pivot);
        start(to);
        return;
    }
    if (glm::distance(point, state_.eye) < kNearest * radius_) return;
    render::CameraPose pose = pose_;
    pose.target = point;
    to = state_of(pose);
    to.pivot = to.level(point - to.eye);
    start(to);
}

}  // namespace sublet::app
