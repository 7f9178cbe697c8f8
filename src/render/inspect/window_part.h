// Puts a view's picture into a window's image.
#pragma once

#include "gpu/resources.h"
#include "render/passes/frame_context.h"
#include "render/view/window_target.h"

namespace sublet::render {

// Draws these columns of `picture`, which is in TRANSFER_SRC_OPTIMAL before and after, at the same place of `window`,
// which is as large: texels as they are. No columns: nothing is recorded. `texels`: a sampler of single texels.
//
// A blit would do, but lavapipe draws its blits with the mesh shader that is still bound: nothing comes of them.
void record_window_part(const FrameContext& context, const gpu::Image& picture, const gpu::Sampler& texels,
                        const WindowTarget& window, const Columns& columns);

}  // namespace sublet::render
