// Deforms vertices: a workgroup for each meshlet of each mesh that deforms, 32 lanes for each of its sublets, a
// vertex each. Writes the vertices, where there is room for them. Writes the bounds of the meshlet and its sublets.
//
// Reads: skin matrices, decoded vertices, streams. Writes: deformed vertices, bounds.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "scene/bindings.glsl"
layout(set = kPassSet, binding = kBindDeformTasks, std430) readonly buffer DeformTasks { DeformTask deform_tasks[]; };
layout(set = kPassSet, binding = kBindWrittenDeformation, std430) writeonly buffer WrittenDeformation {
    uvec4 written_deformation[];
};
layout(set = kPassSet, binding = kBindWrittenSubletBounds, std430) writeonly buffer WrittenSublets {
    Bound written_sublets[];
};
layout(set = kPassSet, binding = kBindWrittenMeshletBounds, std430) writeonly buffer WrittenMeshlets {
    Bound written_meshlets[];
};

layout(local_size_x = 256) in;

layout(push_constant) uniform Push { DeformConstants constants; };

#include "scene/deformed.glsl"

const float kFar = 3e38;

// Lane 32 k ends up with what the lanes 32 k to 32 k + 31 had, then lane 0 with what all had.
shared vec3 lowest[256];
shared vec3 highest[256];
shared vec2 farthest[256];  // squared distances from the centre of the sublet, and of the meshlet

void join_boxes(uint lane, uint from, uint to) {
    for (uint step = from; step >= to; step >>= 1u) {
        barrier();
        if ((lane & (2u * step - 1u)) < step) {
            lowest[lane] = min(lowest[lane], lowest[lane + step]);
            highest[lane] = max(highest[lane], highest[lane + step]);
        }
    }
    barrier();
}

// A radius is rounded up by more than it, and what it is measured from, were rounded.
Bound bound_of(vec3 center, float squared) {
    vec3 size = abs(center);
    float radius = sqrt(squared) * 1.00001 + 1e-6 * max(size.x, max(size.y, size.z));
    return Bound(vec4(center, radius), vec4(0.0, 0.0, 1.0, 1.0));
}

void main() {
    uint group = gl_WorkGroupID.y * kDispatchRow + gl_WorkGroupID.x;
    if (group >= constants.count) {
        return;
    }
    uint lane = gl_LocalInvocationIndex;
    DeformTask task = deform_tasks[group];
    DeformedMesh d = deformed_record(task.deformed);
    uint sublet = task.meshlet * kSubletsPerMeshlet + lane / kSubletSize;
    bool live = sublet < meshes[d.mesh].sublet_count;
    StreamHeader primitives = StreamHeader(uint[2](0u, 0u), 0u, 0u);
    if (live) {
        primitives = streams[meshes[d.mesh].first_stream + sublet * meshes[d.mesh].stream_count];
    }
    vec3 position = vec3(0.0);
    bool there = lane % kSubletSize < (primitives.bits >> 8u & 0xffu);
    if (there) {
        uint vertex = primitives.base_value[0] + lane % kSubletSize;
        uvec4 result = deform_vertex(d, vertex);
        position = uintBitsToFloat(result.xyz);
        if (d.first_vertex != kNotCached) {
            written_deformation[d.first_vertex + vertex] = result;
        }
    }
    if (constants.keep_bounds != 0u) {
        return;
    }
    lowest[lane] = there ? position : vec3(kFar);
    highest[lane] = there ? position : vec3(-kFar);
    join_boxes(lane, 16u, 1u);
    uint first = lane & ~31u;
    vec3 sublet_center = 0.5 * lowest[first] + 0.5 * highest[first];
    join_boxes(lane, 128u, 32u);
    vec3 meshlet_center = 0.5 * lowest[0] + 0.5 * highest[0];
    vec3 from_sublet = position - sublet_center;
    vec3 from_meshlet = position - meshlet_center;
    farthest[lane] = there ? vec2(dot(from_sublet, from_sublet), dot(from_meshlet, from_meshlet)) : vec2(0.0);
    for (uint step = 16u; step != 0u; step >>= 1u) {
        barrier();
        if ((lane & (2u * step - 1u)) < step) {
            farthest[lane] = max(farthest[lane], farthest[lane + step]);
        }
    }
    if (live && lane == first) {
        written_sublets[d.first_sublet + sublet] = bound_of(sublet_center, farthest[lane].x);
    }
    for (uint step = 128u; step >= 32u; step >>= 1u) {
        barrier();
        if ((lane & (2u * step - 1u)) < step) {
            farthest[lane].y = max(farthest[lane].y, farthest[lane + step].y);
        }
    }
    if (lane == 0u) {
        written_meshlets[d.first_meshlet + task.meshlet] = bound_of(meshlet_center, farthest[0].y);
    }
}
