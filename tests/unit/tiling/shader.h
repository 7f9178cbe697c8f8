// shaders/thread_group_tiling.glsl as C++.
#pragma once

#include "base/glsl.h"

SUBLET_GLSL_BEGIN
namespace sublet::glsl::tiling {
namespace {

// Of an invocation, which these tests do not have.
inline uvec3 gl_NumWorkGroups(1U);  // NOLINT(readability-identifier-naming)
inline uvec3 gl_WorkGroupID(0U);    // NOLINT(readability-identifier-naming)

#include "shaders/thread_group_tiling.glsl"

}  // namespace
}  // namespace sublet::glsl::tiling
SUBLET_GLSL_END
