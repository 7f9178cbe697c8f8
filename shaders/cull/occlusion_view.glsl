// The view that bounds are tested in and its pyramid: two bindings of set 0, from OCCLUSION_BINDING on, which the
// includer defines; and a third, the depth image, with HIZ_PIXELS.

#include "shared/occlusion.h"

layout(set = 0, binding = OCCLUSION_BINDING, std430) readonly buffer OcclusionData { OcclusionView occlusion; };
layout(set = 0, binding = OCCLUSION_BINDING + 1, std430) readonly buffer Pyramid { float pyramid[]; };
#ifdef HIZ_PIXELS
layout(set = 0, binding = OCCLUSION_BINDING + 2) uniform sampler2D depth_image;
float depth_load(uvec2 pixel) { return texelFetch(depth_image, ivec2(pixel), 0).x; }
#endif
float hiz_load(uint index) { return pyramid[index]; }
#include "occlusion.glsl"
