// Where a bound lies in the window, and how near it comes: for spheres and boxes, in perspective and orthographic
// views.
//
// C++ compiles this too (src/base/glsl.h), in the same float arithmetic: `precise` throughout, no contraction. Tests
// prove it on the CPU, and hold a device's results to it.
//
// Rounding. A vertex goes to the world and to clip space by sums of three products and a constant, in float
// (scene/vertex.glsl); so do bounds. With u = 2^-24 and S the sum of the absolute terms, each such sum is off by at most 5 u
// S (the entries' own rounding, the products, three additions). So vertex and bound may drift apart by at most 10 u S
// at each of the two steps. kTransformSlack (16 u) covers the first; kViewSlack (64 u) covers the second for all three
// coordinates together, and for boxes both, with the few roundings of their axes. Bounds grow by these before they are
// projected, so that what follows has only its own last digits to lose.

#ifndef SUBLET_SPHERE_PROJECTION_GLSL
#define SUBLET_SPHERE_PROJECTION_GLSL

#include "shared/occlusion.h"

const float kTransformSlack = 1.0 / 1048576.0;  // 2^-20
const float kViewSlack = 1.0 / 262144.0;        // 2^-18

struct ProjectedBound {
    vec2 low;     // pixels, not clamped to the window; not rounded either: what is there is between low and high
    vec2 high;
    float depth;  // of the nearest point: the greatest
};

// The world-space sphere around a bound (object-space centre, radius) of an instance: every vertex within the bound
// lies in it where vertex.glsl places it, rounding included. `scale`: Instance::scale, the spectral norm of the
// transform's linear part.
vec4 world_sphere(const vec4 rows[3], float scale, vec4 sphere) {
    precise vec4 world;
    precise float magnitude = 0.0f;
    for (int i = 0; i < 3; ++i) {
        vec4 row = rows[i];
        world[i] = row.x * sphere.x + row.y * sphere.y + row.z * sphere.z + row.w;
        magnitude = magnitude + (abs(row.x) * (abs(sphere.x) + sphere.w) + abs(row.y) * (abs(sphere.y) + sphere.w) +
                                 abs(row.z) * (abs(sphere.z) + sphere.w) + abs(row.w));
    }
    world.w = sphere.w * scale + kTransformSlack * magnitude;
    return world;
}

vec3 view_position(OcclusionView view, vec3 p) {
    precise vec3 q;
    q.x = view.rows[0].x * p.x + view.rows[0].y * p.y + view.rows[0].z * p.z + view.rows[0].w;
    q.y = view.rows[1].x * p.x + view.rows[1].y * p.y + view.rows[1].z * p.z + view.rows[1].w;
    q.z = view.rows[2].x * p.x + view.rows[2].y * p.y + view.rows[2].z * p.z + view.rows[2].w;
    return q;
}

// The same without the translation.
vec3 view_direction(OcclusionView view, vec3 p) {
    precise vec3 q;
    q.x = view.rows[0].x * p.x + view.rows[0].y * p.y + view.rows[0].z * p.z;
    q.y = view.rows[1].x * p.x + view.rows[1].y * p.y + view.rows[1].z * p.z;
    q.z = view.rows[2].x * p.x + view.rows[2].y * p.y + view.rows[2].z * p.z;
    return q;
}

float depth_at(OcclusionView view, float z) {
    precise float depth = view.depth.w != 0.0f ? view.depth.y + view.depth.z * z : view.depth.x / z;
    return depth;
}

// The least and the greatest m of the lines x = m z through the eye that touch the circle of radius r > 0 around (x,
// z). With `along` = z^2 - r^2 > 0 (the eye is outside, and z > r), they are the roots of
//     along m^2 - 2 x z m + (x^2 - r^2) = 0,  from  |x - m z| = r sqrt(1 + m^2).
// The root of the greater magnitude is computed without cancellation, the other from their product: both keep all their
// digits.
vec2 tangent_slopes(float x, float z, float r, float along) {
    precise float a = abs(x);
    precise float q = a * z + r * sqrt(a * a + along);
    precise float far = q / along;
    precise float near = (a - r) * (a + r) / q;
    return x < 0.0f ? vec2(-far, -near) : vec2(near, far);
}

// Pixels of what the window transform is applied to.
vec2 to_window(OcclusionView view, vec2 position) {
    precise vec2 window = position * vec2(view.window.x, view.window.y) + vec2(view.window.z, view.window.w);
    return window;
}

// A sphere in world space. False when it isn't wholly beyond the near plane: then it has no projection, and nothing may
// be culled by it. (Also when its coordinates are no numbers.)
bool project_sphere(OcclusionView view, vec3 center, float radius, SUBLET_OUT(ProjectedBound) bound) {
    vec3 v = view_position(view, center);
    precise float magnitude = abs(center.x) + abs(center.y) + abs(center.z) + radius + view.magnitude.x;
    precise float r = radius + kViewSlack * magnitude;
    precise float nearest = v.z - r;
    precise vec2 low = vec2(v) - r;
    precise vec2 high = vec2(v) + r;
    if (view.depth.w == 0.0f) {
        precise float along = nearest * (v.z + r);
        vec2 x = tangent_slopes(v.x, v.z, r, along);
        vec2 y = tangent_slopes(v.y, v.z, r, along);
        low = vec2(x.x, y.x);
        high = vec2(x.y, y.y);
    }
    bound.low = to_window(view, low);
    bound.high = to_window(view, high);
    bound.depth = depth_at(view, nearest);
    return nearest > view.depth.x;
}

// The object-space box from `low` to `high` under an instance's transform: its eight corners projected. False as above.
bool project_box(OcclusionView view, const vec4 rows[3], vec3 low, vec3 high, SUBLET_OUT(ProjectedBound) bound) {
    precise vec3 center = 0.5f * (low + high);
    precise vec3 size = 0.5f * (high - low);
    vec3 reach = max(abs(low), abs(high));
    precise vec3 world;
    precise float magnitude = view.magnitude.x;
    for (int i = 0; i < 3; ++i) {
        vec4 row = rows[i];
        world[i] = row.x * center.x + row.y * center.y + row.z * center.z + row.w;
        magnitude = magnitude + (abs(row.x) * reach.x + abs(row.y) * reach.y + abs(row.z) * reach.z + abs(row.w));
    }
    precise float slack = kViewSlack * magnitude;
    vec3 v = view_position(view, world);
    vec3 axes[3];
    for (int i = 0; i < 3; ++i) {
        precise vec3 axis = vec3(rows[0][i], rows[1][i], rows[2][i]) * size[i];
        axes[i] = view_direction(view, axis);
    }
    precise float nearest = v.z - (abs(axes[0].z) + abs(axes[1].z) + abs(axes[2].z)) - slack;

    precise vec2 least = vec2(0.0);
    precise vec2 greatest = vec2(0.0);
    for (int i = 0; i < 8; ++i) {
        precise vec3 corner = v + ((i & 1) != 0 ? axes[0] : -axes[0]);
        corner = corner + ((i & 2) != 0 ? axes[1] : -axes[1]);
        corner = corner + ((i & 4) != 0 ? axes[2] : -axes[2]);
        precise vec2 m = view.depth.w != 0.0f ? vec2(corner) : vec2(corner) / corner.z;
        least = i == 0 ? m : min(least, m);
        greatest = i == 0 ? m : max(greatest, m);
    }
    // x / z moves by at most s (1 + |x / z|) / (z - s) when x and z move by up to s.
    precise vec2 spread = vec2(slack);
    if (view.depth.w == 0.0f) {
        spread = slack * (1.0f + max(abs(least), abs(greatest))) / nearest;
    }
    precise vec2 widest_low = least - spread;
    precise vec2 widest_high = greatest + spread;
    bound.low = to_window(view, widest_low);
    bound.high = to_window(view, widest_high);
    bound.depth = depth_at(view, nearest);
    return nearest > view.depth.x;
}

#endif
