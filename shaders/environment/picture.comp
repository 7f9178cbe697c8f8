// An equirectangular picture as a cube: four samples a texel. The picture's middle is +x, its top +y, and to the right
// of its middle is +z, as three.js and Khronos' sample viewer have it.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "shared/bindings.h"
#include "shared/environment.h"
#include "environment/cube.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
layout(set = kPassSet, binding = kBindEnvironmentSource) uniform sampler2D picture;
layout(set = kPassSet, binding = kBindCubeTarget, rgba16f) uniform writeonly image2DArray target;
layout(push_constant) uniform Push { EnvironmentConstants constants; };

const float kPi = 3.14159265359;

void main() {
    uvec3 texel = gl_GlobalInvocationID;
    if (any(greaterThanEqual(texel.xy, uvec2(constants.size)))) {
        return;
    }
    vec3 sum = vec3(0.0);
    for (uint i = 0u; i < 4u; ++i) {
        uvec3 part = uvec3(texel.xy * 2u + uvec2(i & 1u, i >> 1u), texel.z);
        vec3 direction = normalize(cube_direction(part, constants.size * 2u));
        vec2 at = vec2(0.5 + atan(direction.z, direction.x) / (2.0 * kPi), acos(clamp(direction.y, -1.0, 1.0)) / kPi);
        sum += textureLod(picture, at, 0.0).rgb;
    }
    imageStore(target, ivec3(texel), vec4(sum * 0.25, 1.0));
}
