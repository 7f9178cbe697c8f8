// THE vertex function: from grid integers and attribute words to what the rasteriser gets. Every backend, whatever its
// stage, calls these same functions, `precise` throughout, so that all of them place every vertex at the same bits.
// Multiply-adds are asked for by name: under `precise` no compiler may make them, and a GPU has them for one addition.

#ifndef SUBLET_VERTEX_GLSL
#define SUBLET_VERTEX_GLSL

#include "scene/octahedral.glsl"
#include "shared/mesh_format.h"
#include "shared/scene.h"

// Sign-extended 16-bit integers, exact in float.
vec3 unpack_position(uvec2 packed) {
    return vec3(bitfieldExtract(int(packed.x), 0, 16), int(packed.x) >> 16, bitfieldExtract(int(packed.y), 0, 16));
}

// The product is exact (a power of two): fused or not, the sum is the same.
vec3 object_position(uvec2 packed, vec3 origin, float position_scale) {
    precise vec3 position = fma(vec3(position_scale), unpack_position(packed), origin);
    return position;
}

vec3 transform_point(vec4 rows[3], vec3 p) {
    precise vec3 q;
    q.x = fma(rows[0].x, p.x, fma(rows[0].y, p.y, fma(rows[0].z, p.z, rows[0].w)));
    q.y = fma(rows[1].x, p.x, fma(rows[1].y, p.y, fma(rows[1].z, p.z, rows[1].w)));
    q.z = fma(rows[2].x, p.x, fma(rows[2].y, p.y, fma(rows[2].z, p.z, rows[2].w)));
    return q;
}

vec4 clip_position(vec4 rows[4], vec3 p) {
    precise vec4 q;
    q.x = fma(rows[0].x, p.x, fma(rows[0].y, p.y, fma(rows[0].z, p.z, rows[0].w)));
    q.y = fma(rows[1].x, p.x, fma(rows[1].y, p.y, fma(rows[1].z, p.z, rows[1].w)));
    q.z = fma(rows[2].x, p.x, fma(rows[2].y, p.y, fma(rows[2].z, p.z, rows[2].w)));
    q.w = fma(rows[3].x, p.x, fma(rows[3].y, p.y, fma(rows[3].z, p.z, rows[3].w)));
    return q;
}

// `q` scaled to unit length; up where it has none.
vec3 unit_normal(vec3 q) {
    precise float squared = fma(q.x, q.x, fma(q.y, q.y, q.z * q.z));
    precise vec3 unit = squared > 0.0 ? q * inversesqrt(squared) : vec3(0.0, 1.0, 0.0);
    return unit;
}

// Normals, of any length, go by the cofactor matrix, det(M) times the inverse transpose, whose rows are cross products
// of M's: right under shear and uneven scale, and, turned by the sign of the determinant, under mirroring too. For a
// similarity that is M itself times a positive number, mirrored or not. Cofactors are not fused: those of a singular
// matrix must cancel to zero. `flags` are the instance's.
vec3 transform_normal(vec4 rows[3], vec3 n, uint flags) {
    precise vec3 c0 = rows[0].xyz;
    precise vec3 c1 = rows[1].xyz;
    precise vec3 c2 = rows[2].xyz;
    if ((flags & kInstanceSimilarity) == 0u) {
        c0 = rows[1].yzx * rows[2].zxy - rows[1].zxy * rows[2].yzx;
        c1 = rows[2].yzx * rows[0].zxy - rows[2].zxy * rows[0].yzx;
        c2 = rows[0].yzx * rows[1].zxy - rows[0].zxy * rows[1].yzx;
        n = (flags & kInstanceMirrored) != 0u ? -n : n;
    }
    precise vec3 q;
    q.x = fma(c0.x, n.x, fma(c0.y, n.y, c0.z * n.z));
    q.y = fma(c1.x, n.x, fma(c1.y, n.y, c1.z * n.z));
    q.z = fma(c2.x, n.x, fma(c2.y, n.y, c2.z * n.z));
    return unit_normal(q);
}

// The normal's direction: not of unit length.
vec3 unpack_normal(uint word) {
    vec2 e = vec2(bitfieldExtract(int(word), 0, 8), bitfieldExtract(int(word), 8, 8));
    return octahedral_direction(e * (1.0 / 127.0));
}

// uv = 0.5 * integers * uv_scale + 0.5; products with powers of two are exact.
vec2 unpack_uv(uint word, float uv_scale) {
    precise vec2 uv = 0.5 + (0.5 * uv_scale) * vec2(bitfieldExtract(int(word), 0, 16), int(word) >> 16);
    return uv;
}

// rows of the texture transform: uv' = (a u + b v + t, c u + d v + s)
vec2 transform_uv(vec4 rows[2], vec2 uv) {
    precise vec2 q =
        vec2(rows[0].x * uv.x + rows[0].y * uv.y + rows[0].z, rows[1].x * uv.x + rows[1].y * uv.y + rows[1].z);
    return q;
}

#endif
