// The viewer's camera: turns around a point, or moves freely. Knows nothing of windows: input comes as plain amounts.
#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <optional>

#include "render/settings/settings.h"

namespace sublet::app {

// What a drag turns, and what the wheel does; keys move the camera in both.
enum class CameraMode : std::uint8_t {
    kOrbit,        // around the pivot; the wheel zooms to what is under the cursor
    kFirstPerson,  // the eye stays and looks about; the wheel changes the speed of keys
};

// What the user did since the last frame. Pixels go to the right and down.
struct CameraInput {
    glm::vec2 turn{0.0F};  // pixels dragged
    glm::vec2 pan{0.0F};   // pixels dragged
    bool panning = false;  // the drag that pans goes on, even where it has not moved
    float wheel = 0.0F;    // steps, positive away from the user
    glm::vec3 move{0.0F};  // -1 to 1 each: right, up, forward
    bool fast = false;
    bool slow = false;
    float seconds = 0.0F;      // since the last frame
    float view_height = 1.0F;  // of the window, in pixels
    glm::vec2 cursor{0.0F};    // pixels from the window's middle
    // What the last picture that was read back shows, which may be some frames old. A point, unlike a distance, stays
    // right while the camera moves on.
    std::optional<glm::vec3> surface;  // of the world, under the cursor; none: nothing is there, or it is not known
    std::optional<float> ahead;        // how far along the line of sight something is; none: likewise
};

// A part of the window, as shares of its width and height from the upper left corner.
struct WindowPart {
    float left = 0.0F, top = 0.0F, right = 1.0F, bottom = 1.0F;
};

class CameraControl {
  public:
    // Starts from `pose`, whose roll stays until another is shown; `scene_radius` (> 0) bounds speed and zoom.
    void reset(const render::CameraPose& pose, float scene_radius, CameraMode mode);
    // Projections differ in what zoom and pan mean. The picture stays.
    void set_projection(render::Projection projection) { projection_ = projection; }
    // Changes how input is taken; the picture stays.
    void set_mode(CameraMode mode);
    // Any input ends a motion that is under way. False where there was none: the user leaves the camera alone.
    bool apply(const CameraInput& input);

    // At once: where a path is.
    void show(const render::CameraPose& pose);
    // The rest smoothly, within a quarter of a second.
    void move_to(const render::CameraPose& pose);
    // Moves without turning until a sphere (centre, radius) fits into a part of the window and is in its middle; it
    // becomes the pivot. `aspect` is the window's width / height.
    void frame(const glm::vec4& sphere, float aspect, const WindowPart& part);
    // Makes a point of the world the pivot, and brings it to the window's middle: by turning, so that the eye stays.
    // In an orthographic view the eye moves instead: that leaves the picture's scale and direction as they are.
    void set_pivot(const glm::vec3& point);

    [[nodiscard]] const render::CameraPose& pose() const { return pose_; }
    [[nodiscard]] CameraMode mode() const { return mode_; }
    // What drags turn the view around in orbit mode.
    [[nodiscard]] glm::vec3 pivot() const { return state_.eye + state_.world(state_.pivot); }
    // Of keys, in units a second: the distance to what is ahead gives it, times a factor that the wheel changes.
    [[nodiscard]] float speed() const;
    [[nodiscard]] float speed_factor() const { return speed_factor_; }
    // A smooth motion is under way: there is more to draw without any input.
    [[nodiscard]] bool animating() const { return motion_.has_value(); }

  private:
    struct State {
        glm::vec3 eye{0.0F, 0.0F, 1.0F};
        float yaw = 0.0F;    // radians about +y; 0 looks along -z
        float pitch = 0.0F;  // radians; positive looks up
        // From the eye, on level axes: right, up, forward. Its last part is the distance from eye to target.
        glm::vec3 pivot{0.0F, 0.0F, 1.0F};
        float fov_degrees = 45.0F;
        float roll_degrees = 0.0F;

        [[nodiscard]] glm::vec3 forward() const;
        [[nodiscard]] glm::vec3 right() const;  // level, whatever the roll
        [[nodiscard]] glm::vec3 up() const;
        [[nodiscard]] glm::vec3 world(const glm::vec3& level) const;  // a direction on its axes, in the world
        [[nodiscard]] glm::vec3 level(const glm::vec3& world) const;  // and back
        // Pixels of the picture on level axes, that is without the roll.
        [[nodiscard]] glm::vec2 unrolled(const glm::vec2& pixels) const;
    };
    struct Motion {
        State from, to;
        float seconds = 0.0F;
        std::optional<render::CameraPose> end;  // the pose that was asked for, free of rounding
    };
    struct Anchor {  // of a run of wheel steps
        glm::vec3 point{0.0F};
        glm::vec2 cursor{0.0F};
        float idle_seconds = 0.0F;
        bool seen = false;  // it lies on a surface; else it was guessed
    };

    [[nodiscard]] static State state_of(const render::CameraPose& pose);
    void start(const State& to, const std::optional<render::CameraPose>& end = std::nullopt);
    void advance(float seconds);
    void changed();
    void look_ahead(const CameraInput& input);
    void turn(const CameraInput& input);
    void pan(const CameraInput& input);
    void zoom(const CameraInput& input);
    [[nodiscard]] glm::vec3 zoom_centre(const CameraInput& input);
    [[nodiscard]] bool orthographic() const { return projection_ == render::Projection::kOrthographic; }

    State state_;
    render::CameraPose pose_;
    CameraMode mode_ = CameraMode::kOrbit;
    render::Projection projection_ = render::Projection::kPerspective;
    float radius_ = 1.0F;
    float speed_factor_ = 1.0F;
    float ahead_ = 1.0F;  // smoothed
    std::optional<float> seen_ahead_;
    std::optional<float> pan_distance_;  // while a drag pans
    std::optional<Anchor> anchor_;
    std::optional<Motion> motion_;
};

}  // namespace sublet::app
