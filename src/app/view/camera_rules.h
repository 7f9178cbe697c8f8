// What the viewer decides about a camera by itself: how it starts, and where its near plane is.
#pragma once

#include <cstdint>
#include <optional>

#include "app/view/camera_control.h"
#include "render/view/camera.h"

namespace sublet::app {

// How a person expects to start: inside a scene by looking about, around an object by turning it. `framed`: the camera
// is the default one, which frames the scene from outside; else the file or the user gave it.
[[nodiscard]] CameraMode start_mode(const render::CameraPose& pose, const render::Box& scene, bool framed);

// From where a camera looks along an axis of the world. +y is up, and a scene's front faces +z, as glTF has it.
enum class AxisView : std::uint8_t { kFront, kRight, kTop, kBack, kLeft, kBottom };

// At `pivot` along that axis, upright, from as far as `pose` is from there.
[[nodiscard]] render::CameraPose axis_pose(const render::CameraPose& pose, const glm::vec3& pivot, AxisView view);

// The near plane of the next picture. `nearest`: the least distance along the line of sight that a late picture shows;
// none: it shows nothing. `start`: the camera's own, which is the most. `current`: that of the last picture, `seconds`
// ago.
// It stays a small share of what is nearest, so that nothing is cut while the camera comes closer. It follows at once
// where that shrinks, and slowly where it grows: what enters the picture from the side is nearer than all that is in
// it. Depth is a float, reversed, and the far plane is infinite: a small near plane costs no precision.
[[nodiscard]] float near_plane(std::optional<float> nearest, float start, float scene_radius, float current,
                               float seconds);

}  // namespace sublet::app
