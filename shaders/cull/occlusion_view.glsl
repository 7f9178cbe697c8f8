// The view that bounds are tested in and its pyramid; and with HIZ_PIXELS the depth image. After scene/bindings.glsl.

#include "shared/occlusion.h"

layout(set = kPassSet, binding = kBindOcclusionView, std140) uniform OcclusionData { OcclusionView occlusion; };
layout(set = kPassSet, binding = kBindPyramid, std430) readonly buffer Pyramid { float pyramid[]; };
#ifdef HIZ_PIXELS
layout(set = kPassSet, binding = kBindDepth) uniform sampler2D depth_image;
float depth_load(uvec2 pixel) { return texelFetch(depth_image, ivec2(pixel), 0).x; }
#endif
float hiz_load(uint index) { return pyramid[index]; }
#include "view/occlusion.glsl"
