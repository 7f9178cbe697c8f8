// The view that bounds are tested in and its pyramid: two bindings of set 0, from OCCLUSION_BINDING on, which the includer defines.

#include "shared/occlusion.h"

layout(set = 0, binding = OCCLUSION_BINDING, std430) readonly buffer OcclusionData { OcclusionView occlusion; };
layout(set = 0, binding = OCCLUSION_BINDING + 1, std430) readonly buffer Pyramid { float pyramid[]; };
float hiz_load(uint index) { return pyramid[index]; }
#include "occlusion.glsl"
