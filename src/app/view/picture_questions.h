// What pictures are asked, which answer some frames later: what lies under the pointer, in the middle and where a click
// was, and how near the nearest pixel is.
#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <optional>

#include "app/view/camera_control.h"
#include "render/view/inspection.h"
#include "scene/animation.h"

namespace sublet::app {

struct Click {
    glm::uvec2 pixel{0};
    bool pivot = false;  // a double click: the point becomes what the camera turns about
};

class PictureQuestions {
  public:
    // What lies under a click.
    struct Answer {
        Click click;
        render::Probe probe;
        std::optional<glm::vec3> point;    // in the world
        scene::AnimationTimes times = {};  // of the picture
    };

    void ask_of(const Click& click);
    // There is a click that no picture was asked of yet.
    [[nodiscard]] bool click_waits() const { return click_ && frame_ == 0; }
    // The frame of this number is asked, which is a picture at these times.
    void asked(std::uint64_t frame, const scene::AnimationTimes& times);
    // Takes the newest answers. Returns that to a click, once.
    [[nodiscard]] std::optional<Answer> take(std::optional<render::InspectionResult> seen);
    // Of the scene that was shown nothing is asked any more.
    void forget();

    // Tells a camera what the last picture shows ahead, and under a pointer that is at `pixel`, where it is known.
    void tell(CameraInput& input, const std::optional<glm::uvec2>& pixel) const;
    // What the last picture showed under a pointer that is at `pixel`, where it is known and shows something.
    [[nodiscard]] std::optional<render::Probe> under(const std::optional<glm::uvec2>& pixel) const;
    // Whether the last picture was seen from there.
    [[nodiscard]] bool seen_from(const render::CameraPose& pose) const;
    // The least distance along the line of sight of all that the last picture shows. `moving`: the next one shows
    // something else.
    [[nodiscard]] std::optional<float> nearest(bool moving = false) const;

    // What the next picture is asked: of this pixel, and of those that are always asked of. `size`: in pixels.
    void ask(const glm::uvec2& pixel, const glm::uvec2& size);
    [[nodiscard]] render::Inspection& inspection() { return inspection_; }

  private:
    render::Inspection inspection_;
    std::optional<render::InspectionResult> seen_;
    std::optional<Click> click_;
    std::uint64_t frame_ = 0;      // the first that was asked of the click; 0: none yet
    scene::AnimationTimes times_;  // of that frame
};

}  // namespace sublet::app
