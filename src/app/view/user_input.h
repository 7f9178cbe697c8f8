// What a person does with the pointer and with keys, as Dear ImGui has it, in words of the viewer. Each is to be asked
// once in a frame, the pointer first.
#pragma once

#include <glm/vec2.hpp>
#include <optional>

#include "app/view/camera_control.h"
#include "app/view/file_dialog.h"
#include "app/view/picture_questions.h"
#include "app/view/ui.h"

namespace sublet::app {

class UserInput {
  public:
    struct Pointer {
        std::optional<glm::uvec2> pixel;  // where it is; nothing: outside of the window
        bool pressed = false;             // the left button, just now and on the picture
        std::optional<Click> click = {};  // a press and a release on the picture, without a drag between them
        CameraInput camera = {};          // without what pictures tell; keys that are held are in it
    };
    [[nodiscard]] Pointer pointer();
    // Adds what keys ask for. Escape takes our own list of the dialog away first.
    void add_keys(bool has_scene, FileDialog& dialog, UiEvents& events);

  private:
    bool control_was_down_ = false, alt_was_down_ = false;
    bool pressed_on_picture_ = false;  // the left button
};

}  // namespace sublet::app
