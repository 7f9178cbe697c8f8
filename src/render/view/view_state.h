// What a view keeps from frame to frame, but for its backends.
#pragma once

#include "render/view/geometry_state.h"
#include "render/view/picture_state.h"

namespace sublet::render {

struct ViewState {
    explicit ViewState(gpu::Device& device) : geometry(device), picture(device) {}

    GeometryState geometry;
    PictureState picture;
};

}  // namespace sublet::render
