// Places what moves: a lane for each instance multiplies the local transforms of its chain, from the root on, and
// writes what depends on the product. Culling goes by that: a radius grows by no less than it must, and cones are
// tested only where angles are kept.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "shared/animation.h"
#include "shared/bindings.h"
#include "shared/scene.h"

layout(set = kPassSet, binding = kBindMovedInstances, std430) readonly buffer Moved { MovedInstance moved[]; };
layout(set = kPassSet, binding = kBindPlacedInstances, std430) buffer Instances { Instance instances[]; };

layout(local_size_x = 64) in;

layout(push_constant) uniform Push { AnimateConstants constants; };

#include "scene/chain.glsl"

// A symmetric matrix.
struct Symmetric {
    vec3 diagonal;
    vec3 others;  // 01, 02, 12
};

float frobenius_norm(Symmetric g) { return sqrt(dot(g.diagonal, g.diagonal) + 2.0 * dot(g.others, g.others)); }

Symmetric squared(Symmetric g) {
    vec3 r0 = vec3(g.diagonal.x, g.others.x, g.others.y);
    vec3 r1 = vec3(g.others.x, g.diagonal.y, g.others.z);
    vec3 r2 = vec3(g.others.y, g.others.z, g.diagonal.z);
    return Symmetric(vec3(dot(r0, r0), dot(r1, r1), dot(r2, r2)), vec3(dot(r0, r1), dot(r0, r2), dot(r1, r2)));
}

// No less than the largest eigenvalue, which is positive, and hardly more: the lesser of two bounds. Both are of sums
// of squares, so that rounding changes either by a few millionths of itself.
float largest_eigenvalue(Symmetric g) {
    // By the trace and the distance from a multiple of the identity: exact for such multiples.
    float mean = (g.diagonal.x + g.diagonal.y + g.diagonal.z) / 3.0;
    Symmetric rest = Symmetric(g.diagonal - mean, g.others);
    float by_spread = mean + 2.0 * frobenius_norm(rest) / sqrt(6.0);
    // By the norm of the 1024th power: at most 3^(1/2048) times as large.
    const int kSquarings = 10;
    float norms[kSquarings + 1];
    for (int i = 0; i <= kSquarings; ++i) {
        norms[i] = frobenius_norm(g);
        g = squared(Symmetric(g.diagonal / norms[i], g.others / norms[i]));
    }
    float by_power = norms[kSquarings];
    for (int i = kSquarings; i-- > 0;) {
        by_power = norms[i] * sqrt(by_power);
    }
    return min(by_spread, by_power);
}

void main() {
    uint lane = (gl_WorkGroupID.y * kDispatchRow + gl_WorkGroupID.x) * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    if (lane >= constants.count) {
        return;
    }
    bool mirrored;
    Affine m = finite_or_zero(multiply_chain(moved[lane], 0u, mirrored));
    vec4 most = max(abs(m.rows[0]), max(abs(m.rows[1]), abs(m.rows[2])));
    float largest = max(most.x, max(most.y, most.z));
    float scale = 3.0 * largest;
    bool similarity = false;
    if (largest > 1e-30) {
        vec3 c0 = vec3(m.rows[0].x, m.rows[1].x, m.rows[2].x) / largest;
        vec3 c1 = vec3(m.rows[0].y, m.rows[1].y, m.rows[2].y) / largest;
        vec3 c2 = vec3(m.rows[0].z, m.rows[1].z, m.rows[2].z) / largest;
        Symmetric gram =
            Symmetric(vec3(dot(c0, c0), dot(c1, c1), dot(c2, c2)), vec3(dot(c0, c1), dot(c0, c2), dot(c1, c2)));
        // Rounded up by more than it was rounded, here and where it is used.
        scale = largest * sqrt(largest_eigenvalue(gram)) * 1.00001;
        // make_instance()'s test.
        float mean = (gram.diagonal.x + gram.diagonal.y + gram.diagonal.z) / 3.0;
        similarity = all(lessThanEqual(abs(gram.diagonal - mean), vec3(4e-6 * mean))) &&
                     all(lessThanEqual(abs(gram.others), vec3(4e-6 * mean)));
    }
    uint instance = moved[lane].instance;
    uint flags = instances[instance].flags & ~(kInstanceMirrored | kInstanceSimilarity | kInstanceConeTest);
    flags |= mirrored ? kInstanceMirrored : 0u;
    flags |= similarity ? kInstanceSimilarity : 0u;
    flags |= similarity && !mirrored && (flags & kInstanceDoubleSided) == 0u ? kInstanceConeTest : 0u;
    instances[instance].transform = m.rows;
    instances[instance].flags = flags;
    instances[instance].scale = scale;
}
