// The plan that pictures are held to.
#pragma once

#include "render/settings/frame_plan.h"

namespace sublet::render {

// Direct draws of everything, for a picture like that of `plan`.
[[nodiscard]] FramePlan reference_plan(const FramePlan& plan);

}  // namespace sublet::render
