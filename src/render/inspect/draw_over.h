// Draws over a picture that is finished.
#pragma once

#include <functional>

#include "gpu/resources.h"
#include "gpu/vulkan.h"

namespace sublet::render {

// Rendering to `color`, which is in TRANSFER_SRC_OPTIMAL before and after: what it holds stays where `record` draws
// nothing. `depth`: of its own, in no layout yet, cleared first; may be null. Shaders may read what any pass before
// wrote.
void draw_over(VkCommandBuffer commands, const gpu::Image& color, const gpu::Image* depth,
               const std::function<void()>& record);

}  // namespace sublet::render
