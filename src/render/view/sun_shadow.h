// Where the sun's shadow maps lie: squares across its light, each three times as wide as the one within, around the
// camera, and the last around the scene. They hold still while the camera turns, and move in steps of many texels.
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <span>
#include <vector>

#include "render/settings/settings.h"
#include "render/view/shadow_map_view.h"
#include "shaders/shared/shadow.h"

namespace sublet::render {

// From how many radii of the scene away, at most, casters that have left it still cast shadows into it.
inline constexpr double kCastersReach = 16.0;

// The maps for a camera, the smallest first: kShadowMaps at most, and none that is finer than the pixels that could
// read it. `window`: rows of pixels of the camera's picture. `towards_sun`: of unit length. `scene`: a sphere around
// all that casts or receives (centre, radius). `movers`: what may leave it (find_movers()).
[[nodiscard]] std::vector<ShadowMapView> fit_sun_shadow(const View& camera, std::uint32_t window,
                                                        const glm::vec3& towards_sun, const glm::vec4& scene,
                                                        const ShadowSettings& settings, const LevelSettings& levels,
                                                        std::span<const glm::vec4> movers = {});

}  // namespace sublet::render
