// Draws the grid on the floor over a picture.
#pragma once

#include "gpu/frame.h"
#include "gpu/pipelines.h"
#include "gpu/profiler.h"
#include "render/scene/gpu_scene.h"
#include "render/view/camera.h"
#include "render/view/floor_grid.h"
#include "render/view/view_state.h"

namespace sublet::render {

// Pass "floor grid": over `target`, which is as large as what `state` holds of a finished view and shows that. Hidden
// where the view has something nearer; gone far from the eye. What the view holds stays as it is.
void record_floor_grid(gpu::Frame& frame, gpu::Profiler& profiler, gpu::Pipelines& pipelines, const GpuScene& scene,
                       const ViewState& state, const View& view, const FloorGrid& grid, const FloorGridTarget& target);

}  // namespace sublet::render
