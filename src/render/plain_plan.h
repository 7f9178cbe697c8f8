// The plan of a plain picture, which is drawn in place of one whose pipelines are being compiled.
#pragma once

#include "gpu/capabilities.h"
#include "render/settings/frame_plan.h"
#include "render/settings/test_hooks.h"

namespace sublet::render {

struct GpuScene;

// What a plain picture of `plan` is drawn by: direct draws, which have the fewest and smallest pipelines of all. It is
// `plan` itself in a scene of so many triangles that drawing them takes longer than compiling what this spares.
[[nodiscard]] FramePlan plain_plan(const FramePlan& plan, const GpuScene& scene, const gpu::Capabilities& capabilities,
                                   const TestHooks& hooks);

}  // namespace sublet::render
