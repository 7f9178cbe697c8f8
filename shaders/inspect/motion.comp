// How far what each pixel shows has moved since the last frame, in pixels, y down: from the triangle's corners as they
// are now and as they were, in that frame's pose and through its camera. What nothing covers is infinitely far away.
// Beside it how far from the eye it was and is, in near planes. One lane a pixel.
//
// Reads: ids, depth, the scene, and what of it was elsewhere. Writes: motion.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

#include "shared/inspect.h"
#include "shared/shade.h"
#include "shared/temporal.h"
#include "scene/bindings.glsl"
layout(set = kPassSet, binding = kBindMotion, rgba16f) uniform writeonly image2D motions;
layout(set = kPassSet, binding = kBindInstancesBefore, std430) readonly buffer InstancesBefore {
    Instance instances_before[];
};

layout(local_size_x = kShadeTile, local_size_y = kShadeTile) in;
layout(constant_id = kSpecWideIds) const bool kWideIds = false;

layout(push_constant) uniform Push { MotionConstants constants; };

#include "scene/sublet_geometry.glsl"
#include "scene/seen_triangle.glsl"
#include "shade/attributes.glsl"
#include "shade/seen.glsl"
#include "shade/barycentric.glsl"
#include "shade/seen_point.glsl"

vec4 corner_before(SeenPoint p, uint corner) {
    vec3 position = p.vertices[corner].place;
    if (mesh_deforms(p.sublet.mesh)) {
        DeformedMesh d = deformed_mesh(p.sublet.mesh);
        d.first_matrix += constants.pose_before;
        d.first_weight += constants.pose_before;
        uint vertex = p.sublet.first_vertex + p.corners[corner];
        BindVertex v = bind_vertex(d, vertex);
        position = uintBitsToFloat(pose_vertex(d, v).xyz);
    }
    return clip_position(constants.clip_before, transform_point(instances_before[p.seen.instance].transform, position));
}

void main() {
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(uvec2(pixel), constants.size))) {
        return;
    }
    vec2 place = fma(vec2(pixel) + 0.5, 2.0 / vec2(constants.size), vec2(-1.0));
    vec4 before = vec4(0.0);
    float depth = depth_seen(pixel);
    if (depth == 0.0) {
        vec3 ray = frame.rays[0].xyz * place.x + frame.rays[1].xyz * place.y + frame.rays[2].xyz;
        for (int row = 0; row < 4; ++row) {
            before[row] = dot(constants.clip_before[row].xyz, ray);
        }
    } else {
        uvec2 id = id_seen(pixel);
        if (!kWideIds || id.y != kNoTriangle) {
            SeenPoint p = seen_point(pixel, id, 0u);
            [[dont_unroll]] for (uint i = 0u; i < 3u; ++i) {
                before += p.at.weights[i] * corner_before(p, i);
            }
        }
    }
    // What was behind the camera came from nowhere in the picture.
    vec2 moved = before.w > 0.0 ? (place - before.xy / before.w) * 0.5 * vec2(constants.size) : vec2(0.0);
    vec2 distances = vec2(kFarthest);
    if (depth != 0.0) {
        // Depth is 1 at the near plane, before as it is now.
        distances.x = before.w > 0.0 && before.z > 0.0 ? min(before.w / before.z, kFarthest) : 0.0;
        distances.y = min(1.0 / depth, kFarthest);
    }
    imageStore(motions, pixel, vec4(clamp(moved, vec2(-65504.0), vec2(65504.0)), distances));
}
