// shaders/cull/primitive_cull.glsl as C++.
#pragma once

#include <cstddef>

#include "base/glsl.h"
#include "render/view/primitive_cull.h"
#include "shaders/shared/primitives.h"

SUBLET_GLSL_BEGIN
namespace sublet::glsl::primitive_cull {

using fused::fma;
using shared::kWindowOrigin;

namespace {

#include "shaders/cull/primitive_cull.glsl"

// As std430 lays it out: tests hand it to a device.
static_assert(sizeof(CullViewport) == 24 && offsetof(CullViewport, bias) == 8 &&
              offsetof(CullViewport, subpixels) == 16 && offsetof(CullViewport, margin) == 20);

// The renderer's, as the shader has it.
inline CullViewport make_cull_viewport(uint width, uint height, uint sub_pixel_precision_bits) {
    const auto made = render::primitive_cull::make_cull_viewport(width, height, sub_pixel_precision_bits);
    return {made.scale, made.bias, made.subpixels, made.margin};
}

}  // namespace
}  // namespace sublet::glsl::primitive_cull
SUBLET_GLSL_END
