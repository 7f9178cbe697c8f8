// Draws the grid on the floor over a picture.
#pragma once

#include "render/passes/frame_context.h"
#include "render/scene/gpu_scene.h"
#include "render/view/camera.h"
#include "render/view/floor_grid.h"
#include "render/view/view_state.h"
#include "render/view/window_target.h"

namespace sublet::render {

// Pass "floor grid": over `target`, which is as large as what `state` holds of a finished view and shows that. Hidden
// where the view has something nearer; gone far from the eye. What the view holds stays as it is.
void record_floor_grid(const FrameContext& context, const GpuScene& scene, const ViewState& state, const View& view,
                       const FloorGrid& grid, const WindowTarget& target);

}  // namespace sublet::render
