// shaders/view/occlusion.glsl and what it includes, as C++.
#pragma once

#include <span>

#include "base/glsl.h"
#include "render/view/occlusion.h"
#include "shaders/shared/occlusion.h"

SUBLET_GLSL_BEGIN
namespace sublet::glsl::occlusion {

using render::occlusion::make_occlusion_view;
using shared::HizLayout;
using shared::OcclusionView;

namespace {

// What the shader's includer binds: hiz_float_count() floats.
inline std::span<const float> bound_pyramid;
inline float hiz_load(uint index) {
    return bound_pyramid[index];
}

#include "shaders/view/occlusion.glsl"

}  // namespace
}  // namespace sublet::glsl::occlusion
SUBLET_GLSL_END
