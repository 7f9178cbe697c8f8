// Where what casts shadows may be while animations play.
#pragma once

#include <glm/vec4.hpp>
#include <vector>

#include "render/scene/gpu_scene.h"
#include "render/scene/scene_animation.h"
#include "render/scene/scene_deform.h"
#include "render/settings/settings.h"
#include "scene/container.h"

namespace sublet::render {

// Spheres in the world (centre, radius), outside of which nothing changes at any time: around each instance that
// animations move, deform, show or hide, or whose mask they play. A sphere without end is everywhere. Neighbours in the
// file share spheres where there would be more than kMostMovers. `placed` has its instances.
inline constexpr std::size_t kMostMovers = 256;
[[nodiscard]] std::vector<glm::vec4> find_movers(const GpuScene& placed, const scene::EncodedScene& scene,
                                                 const SceneSettings& settings, const AnimationData& animation,
                                                 const DeformLayout& deform);

}  // namespace sublet::render
