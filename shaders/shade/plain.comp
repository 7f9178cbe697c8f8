// A plain picture, for the time while pipelines of the real one are being compiled: each pixel that something covers
// has its material's colour without textures, lit from the eye. One lane a pixel.
//
// It is small, so that it is compiled soon: it decodes no triangle. Which way a surface faces is told by the depths
// beside the pixel, whatever the payload and whether it deforms.
//
// Reads: ids, depth, instances and materials. Writes: colour, sRGB-encoded.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "shared/shade.h"
#include "scene/bindings.glsl"
layout(set = kPassSet, binding = kBindColor, rgba8) uniform writeonly image2D colors;

layout(local_size_x = kShadeTile, local_size_y = kShadeTile) in;
layout(constant_id = kSpecWideIds) const bool kWideIds = false;

layout(push_constant) uniform Push { ShadeConstants constants; };

#include "scene/seen_triangle.glsl"
#include "shade/seen.glsl"
#include "shade/tone.glsl"

// Where a surface of this depth lies in world space.
vec3 world_point(mat4 world_of_clip, ivec2 pixel, float depth) {
    vec2 at = fma(vec2(pixel) + 0.5, 2.0 / vec2(constants.size), vec2(-1.0));
    vec4 point = world_of_clip * vec4(at, depth, 1.0);
    return point.xyz / point.w;
}

// From one pixel to the next, along the surface: of the two neighbours the one whose depth is nearer to the pixel's,
// since the other may show what lies behind.
vec3 along(mat4 world_of_clip, ivec2 pixel, ivec2 step, vec3 here, float depth) {
    ivec2 before = max(pixel - step, ivec2(0));
    ivec2 after = min(pixel + step, ivec2(constants.size) - 1);
    float depth_before = depth_seen(before);
    float depth_after = depth_seen(after);
    bool take_before = after == pixel || (before != pixel && abs(depth_before - depth) < abs(depth_after - depth));
    vec3 there = take_before ? world_point(world_of_clip, before, depth_before)
                             : world_point(world_of_clip, after, depth_after);
    return take_before ? here - there : there - here;
}

// 0 to 1: how far the surface faces the eye.
float facing(ivec2 pixel, float depth) {
    mat4 world_of_clip = inverse(transpose(
        mat4(frame.view.clip[0], frame.view.clip[1], frame.view.clip[2], frame.view.clip[3])));
    vec3 here = world_point(world_of_clip, pixel, depth);
    vec3 normal = cross(along(world_of_clip, pixel, ivec2(1, 0), here, depth),
                        along(world_of_clip, pixel, ivec2(0, 1), here, depth));
    vec3 to_eye = frame.view.eye.w != 0.0 ? -frame.view.forward.xyz : frame.view.eye.xyz - here;
    float length_squared = dot(normal, normal) * dot(to_eye, to_eye);
    // A neighbour that nothing covers lies infinitely far away.
    return length_squared > 0.0 && !isinf(length_squared) ? abs(dot(normal, to_eye)) * inversesqrt(length_squared)
                                                          : 1.0;
}

vec3 plain_color(ivec2 pixel, float depth) {
    uvec2 id = id_seen(pixel);
    vec3 surface = vec3(0.5);
    if (!kWideIds || id.y != kNoTriangle) {
        uint instance = seen_triangle(id).instance;
        surface = materials[instances[instance].flags >> kInstanceMaterialShift].base_color.rgb;
    }
    return srgb_encode(surface * mix(0.2, 0.9, facing(pixel, depth)));
}

void main() {
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(uvec2(pixel), constants.size))) {
        return;
    }
    float depth = depth_seen(pixel);
    vec3 color = depth != 0.0 ? plain_color(pixel, depth) : unpackUnorm4x8(constants.background).rgb;
    imageStore(colors, pixel, vec4(color, 1.0));
}
