// Which point and spot lights have shadow maps in a picture, and what these are drawn by: those that are largest on the
// screen, as many as a budget of texels holds. A spot has one square map, a point or a wide spot six, the faces of a
// cube. They do not turn with the camera.
#pragma once

#include <cstdint>
#include <glm/vec4.hpp>
#include <vector>

#include "render/scene/casting_lights.h"
#include "render/settings/settings.h"
#include "render/view/shadow_map_view.h"

namespace sublet::render {

// The maps of one light: one or six.
struct LightShadow {
    std::uint32_t light = 0;
    std::vector<ShadowMapView> maps;  // whose layers are yet to be chosen
};

// The maps for a camera, of the largest light first. `window`: rows of pixels of the camera's picture. `scene`: a
// sphere around all that casts or receives (centre, radius).
[[nodiscard]] std::vector<LightShadow> fit_light_shadows(const View& camera, std::uint32_t window,
                                                         const CastingLights& lights, const glm::vec4& scene,
                                                         const ShadowSettings& settings, const LevelSettings& levels);

}  // namespace sublet::render
