// What the two backends that play the execution graph have alike.
#pragma once

#include <cstdint>

#include "render/scene/gpu_scene.h"
#include "render/settings/frame_plan.h"

namespace sublet::render {

// The list of what survives of these draw classes, a bit each, where compute plays it.
[[nodiscard]] SurvivorPlan graph_survivors(const GpuScene& scene, const FramePlan& plan, std::uint32_t classes);

}  // namespace sublet::render
