// Why a picture shows nothing of its scene.
#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <optional>
#include <string_view>

#include "render/settings/frame_plan.h"
#include "render/view/camera.h"
#include "scene/animation.h"
#include "scene/container.h"

namespace sublet::app {

enum class BlankReason : std::uint8_t {
    kNothing,      // there are no triangles
    kHidden,       // by the settings hide and isolate
    kInvisible,    // by the file (KHR_node_visibility)
    kOutside,      // of the view
    kAway,         // what lies within the view faces away, and has no back
    kSmall,        // or covers the middle of no pixel
    kAwayOrSmall,  // or the one or the other
    kNight,        // the sky's sun is too low for the exposure
};

// Of a picture in which no pixel shows a triangle, where it can be told; else nothing: an alpha mask cuts all away,
// say, geometry can't be read, or more than a million triangles would have to be looked at. Linear in the instances,
// and in the triangles of those within the view: for blank pictures alone. `size`: of the picture, in pixels.
[[nodiscard]] std::optional<BlankReason> why_blank(const scene::EncodedScene& scene,
                                                   const render::SceneSettings& settings,
                                                   const scene::AnimationTimes& times, const render::View& view,
                                                   const glm::uvec2& size);

// Of a picture that shows the scene almost black.
[[nodiscard]] std::optional<BlankReason> why_black(const render::FramePlan& plan);

// "all of the scene lies outside of the view": the end of a sentence about the picture.
[[nodiscard]] std::string_view blank_text(BlankReason reason);

}  // namespace sublet::app
