// shaders/backends/raster_triangle.glsl and raster_cut.glsl as C++, for both kinds of fma().
#pragma once

#include "base/glsl.h"
#include "shaders/shared/primitives.h"

SUBLET_GLSL_BEGIN
namespace sublet::glsl {

namespace fused {
namespace {
using shared::kWindowOrigin;
inline vec4 polygon[2][8];
#include "shaders/backends/raster_triangle.glsl"
// After what it uses.
#include "shaders/backends/raster_cut.glsl"
}  // namespace
}  // namespace fused

namespace unfused {
namespace {
using shared::kWindowOrigin;
inline vec4 polygon[2][8];
#include "shaders/backends/raster_triangle.glsl"
// After what it uses.
#include "shaders/backends/raster_cut.glsl"
}  // namespace
}  // namespace unfused

}  // namespace sublet::glsl
SUBLET_GLSL_END
