// From the integers that scene/decode.glsl gives to floats.

#ifndef SUBLET_UNPACK_GLSL
#define SUBLET_UNPACK_GLSL

#include "scene/octahedral.glsl"
#include "shared/mesh_format.h"

// Sign-extended integers, exact in float.
vec3 unpack_position(uvec2 packed) {
    vec3 position = vec3(bitfieldExtract(int(packed.x), 0, 16), int(packed.x) >> 16,
                         bitfieldExtract(int(packed.y), 0, 16));
    if (SUBLET_WIDE_POSITIONS) {
        uint high = packed.y >> 16u;
        position = vec3(position_component(packed.x, high),
                        position_component(packed.x >> 16u, high >> kHighPositionBits),
                        position_component(packed.y, high >> 2u * kHighPositionBits));
    }
    return position;
}

// The product is exact (a power of two): fused or not, the sum is the same.
vec3 object_position(uvec2 packed, vec3 origin, float position_scale) {
    precise vec3 position = fma(vec3(position_scale), unpack_position(packed), origin);
    return position;
}

// The normal's direction: not of unit length.
vec3 unpack_normal(uint word) {
    vec2 e = vec2(bitfieldExtract(int(word), 0, 8), bitfieldExtract(int(word), 8, 8));
    return octahedral_direction(e * (1.0 / 127.0));
}

// The tangent's direction, not of unit length; w: the sign of the bitangent.
vec4 unpack_tangent(uint word) {
    int last = int(word) >> 24;
    vec2 e = vec2(float(bitfieldExtract(int(word), 16, 8)) * (1.0 / 127.0), float(last >> 1) * (1.0 / 63.0));
    return vec4(octahedral_direction(max(e, vec2(-1.0))), (last & 1) != 0 ? 1.0 : -1.0);
}

// A normal of any length as its half of the attribute word.
uint pack_normal(vec3 normal) {
    ivec2 e = ivec2(roundEven(octahedral_coordinates(normal) * 127.0));
    return uint(e.x & 0xff) | uint(e.y & 0xff) << 8u;
}

// A tangent of any length as the other half.
uint pack_tangent(vec3 tangent, float bitangent_sign) {
    ivec2 e = ivec2(roundEven(octahedral_coordinates(tangent) * vec2(127.0, 63.0)));
    return uint(e.x & 0xff) << 16u | uint(e.y << 1 & 0xfe | (bitangent_sign < 0.0 ? 0 : 1)) << 24u;
}

// uv = 0.5 * integers * uv_scale + 0.5; products with powers of two are exact.
vec2 unpack_uv(uint word, float uv_scale) {
    precise vec2 uv = 0.5 + (0.5 * uv_scale) * vec2(bitfieldExtract(int(word), 0, 16), int(word) >> 16);
    return uv;
}

#endif
