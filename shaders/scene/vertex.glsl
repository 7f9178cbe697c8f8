// THE vertex function: from grid integers and attribute words to what the rasteriser gets. Every backend, whatever its
// stage, calls these same functions, `precise` throughout, so that all of them place every vertex at the same bits.
// Multiply-adds are asked for by name: under `precise` no compiler may make them, and a GPU has them for one addition.

#ifndef SUBLET_VERTEX_GLSL
#define SUBLET_VERTEX_GLSL

#include "scene/unpack.glsl"
#include "shared/scene.h"

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

vec3 transform_direction(vec4 rows[3], vec3 d) {
    precise vec3 q;
    q.x = fma(rows[0].x, d.x, fma(rows[0].y, d.y, rows[0].z * d.z));
    q.y = fma(rows[1].x, d.x, fma(rows[1].y, d.y, rows[1].z * d.z));
    q.z = fma(rows[2].x, d.x, fma(rows[2].y, d.y, rows[2].z * d.z));
    return q;
}

// `d`, which is not zero, scaled to unit length.
vec3 unit_direction(vec3 d) {
    precise vec3 unit = d * inversesqrt(fma(d.x, d.x, fma(d.y, d.y, d.z * d.z)));
    return unit;
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

#endif
