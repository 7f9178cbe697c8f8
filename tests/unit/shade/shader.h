// shaders/shade/barycentric.glsl as C++, for both kinds of fma().
#pragma once

#include "base/glsl.h"

SUBLET_GLSL_BEGIN
namespace sublet::glsl {

namespace fused {
namespace {
#include "shaders/shade/barycentric.glsl"
}  // namespace
}  // namespace fused

namespace unfused {
namespace {
#include "shaders/shade/barycentric.glsl"
}  // namespace
}  // namespace unfused

}  // namespace sublet::glsl
SUBLET_GLSL_END
