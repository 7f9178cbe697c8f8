// shaders/shade/barycentric.glsl as C++, for both kinds of fma().
#pragma once

#include "tests/glsl.h"

SUBLET_GLSL_BEGIN
namespace sublet::test::glsl {

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

}  // namespace sublet::test::glsl
SUBLET_GLSL_END
