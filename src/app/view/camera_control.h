// The viewer's camera: turns around a point, or flies. Knows nothing of windows: input comes as plain amounts.
#pragma once

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "render/settings/settings.h"

namespace sublet::app {

// What the user did since the last frame.
struct CameraInput {
    glm::vec2 turn{0.0F};  // pixels dragged, x to the right, y down
    glm::vec2 pan{0.0F};   // pixels dragged
    float wheel = 0.0F;    // steps, positive away from the user
    glm::vec3 move{0.0F};  // -1 to 1 each: right, up, forward
    bool fast = false;
    float seconds = 0.0F;      // since the last frame
    float view_height = 1.0F;  // of the window, in pixels
};

class CameraControl {
  public:
    // Starts from `pose`, whose roll stays until the next reset; `scene_radius` (> 0) sets the flying speed and how
    // near the eye may come to the target.
    void reset(const render::CameraPose& pose, float scene_radius);
    void apply(const CameraInput& input);

    [[nodiscard]] render::CameraPose pose() const;
    [[nodiscard]] bool flying() const { return flying_; }
    // Changes how input is taken; the picture stays.
    void set_flying(bool flying) { flying_ = flying; }
    // Units per second.
    [[nodiscard]] float speed() const { return speed_; }

  private:
    [[nodiscard]] glm::vec3 forward() const;
    [[nodiscard]] glm::vec3 right() const;  // level, whatever the roll
    // Pixels dragged in the picture, as they would be in one without roll.
    [[nodiscard]] glm::vec2 unrolled(const glm::vec2& pixels) const;
    void turn(const glm::vec2& dragged, float view_height);
    void orbit(const CameraInput& input);
    void fly(const CameraInput& input);

    glm::vec3 eye_{0.0F, 0.0F, 1.0F};
    float yaw_ = 0.0F;       // radians about +y; 0 looks along -z
    float pitch_ = 0.0F;     // radians; positive looks up
    float distance_ = 1.0F;  // from eye to target
    float fov_degrees_ = 45.0F;
    float roll_degrees_ = 0.0F;
    float radius_ = 1.0F;
    float speed_ = 1.0F;
    bool flying_ = false;
};

}  // namespace sublet::app
