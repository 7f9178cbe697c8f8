// Deforms vertices: a workgroup for each meshlet of some poses of a mesh, 32 lanes for each of its sublets, a vertex
// each. A vertex is loaded once and posed again and again. Writes the vertices, where there is room for them, and the
// bounds of the meshlet and its sublets.
//
// Defines: SUBGROUP32, for subgroups of 32 lanes; else lanes meet in shared memory, whatever their subgroups.
//
// Reads: poses, decoded vertices, streams. Writes: deformed vertices, bounds.
#version 460
#extension GL_GOOGLE_include_directive : require
#ifdef SUBGROUP32
#extension GL_KHR_shader_subgroup_arithmetic : require
#endif

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

// Of the sublets of the meshlet in each pose: the least box, w the radius about its middle.
shared vec4 boxes_low[kPosesOfTask][kSubletsPerMeshlet];
shared vec4 boxes_high[kPosesOfTask][kSubletsPerMeshlet];

#ifdef SUBGROUP32
// Integers that sort as floats do: subgroups have the least of those by one instruction.
uvec3 sortable(vec3 v) {
    uvec3 bits = floatBitsToUint(v);
    return bits ^ (uvec3(-ivec3(bits >> 31u)) | 0x80000000u);
}
vec3 sorted(uvec3 v) { return uintBitsToFloat(v ^ (uvec3(ivec3(v >> 31u) - 1) | 0x80000000u)); }

void join_boxes(inout vec3 low, inout vec3 high) {
    low = sorted(subgroupMin(sortable(low)));
    high = sorted(subgroupMax(sortable(high)));
}

// Of a number that is not negative.
float join_most(float most) { return uintBitsToFloat(subgroupMax(floatBitsToUint(most))); }
#else
shared vec3 lowest[256];
shared vec3 highest[256];
shared float farthest[256];

void join_boxes(inout vec3 low, inout vec3 high) {
    uint lane = gl_LocalInvocationIndex;
    lowest[lane] = low;
    highest[lane] = high;
    for (uint step = kSubletSize / 2u; step != 0u; step >>= 1u) {
        barrier();
        if (lane % kSubletSize < step) {
            lowest[lane] = min(lowest[lane], lowest[lane + step]);
            highest[lane] = max(highest[lane], highest[lane + step]);
        }
    }
    barrier();
    low = lowest[lane & ~(kSubletSize - 1u)];
    high = highest[lane & ~(kSubletSize - 1u)];
}

float join_most(float most) {
    uint lane = gl_LocalInvocationIndex;
    farthest[lane] = most;
    for (uint step = kSubletSize / 2u; step != 0u; step >>= 1u) {
        barrier();
        if (lane % kSubletSize < step) {
            farthest[lane] = max(farthest[lane], farthest[lane + step]);
        }
    }
    barrier();
    return farthest[lane & ~(kSubletSize - 1u)];
}
#endif

// A radius is rounded up by more than it, and what it is measured from, were rounded.
Bound bound_of(vec3 center, float radius) {
    vec3 size = abs(center);
    return Bound(vec4(center, radius * 1.00001 + 1e-6 * max(size.x, max(size.y, size.z))), vec4(0.0, 0.0, 1.0, 1.0));
}

// Around the spheres of its sublets.
Bound meshlet_bound(uint pose, uint sublets) {
    vec3 low = vec3(kFar);
    vec3 high = vec3(-kFar);
    for (uint i = 0u; i < sublets; ++i) {
        low = min(low, boxes_low[pose][i].xyz);
        high = max(high, boxes_high[pose][i].xyz);
    }
    vec3 center = 0.5 * low + 0.5 * high;
    float radius = 0.0;
    for (uint i = 0u; i < sublets; ++i) {
        vec3 of_sublet = 0.5 * boxes_low[pose][i].xyz + 0.5 * boxes_high[pose][i].xyz;
        radius = max(radius, distance(of_sublet, center) + boxes_low[pose][i].w);
    }
    return bound_of(center, radius);
}

void main() {
    uint group = gl_WorkGroupID.y * kDispatchRow + gl_WorkGroupID.x;
    if (group >= constants.count) {
        return;
    }
    uint lane = gl_LocalInvocationIndex;
    DeformTask task = deform_tasks[group];
    DeformedMesh d = deformed_record(task.first);
    uint first_sublet = task.meshlet * kSubletsPerMeshlet;
    uint sublets = min(meshes[d.source].sublet_count - first_sublet, kSubletsPerMeshlet);
    uint sublet = lane / kSubletSize;
    bool there = false;
    uint vertex = 0u;
    BindVertex v;
    if (sublet < sublets) {
        uint stream = meshes[d.source].first_stream + (first_sublet + sublet) * meshes[d.source].stream_count;
        there = lane % kSubletSize < (streams[stream].bits >> 8u & 0xffu);
        vertex = streams[stream].base_value[0] + lane % kSubletSize;
        if (there) {
            v = bind_vertex(d.source, vertex, first_sublet + sublet, lane % kSubletSize);
        }
    }
    for (uint pose = 0u; pose < task.count; ++pose) {
        d = deformed_record(task.first + pose);
        vec3 position = vec3(0.0);
        if (there) {
            uvec4 result = pose_vertex(d, v);
            position = uintBitsToFloat(result.xyz);
            if (d.first_vertex != kNotCached) {
                written_deformation[d.first_vertex + vertex] = result;
            }
        }
        vec3 low = there ? position : vec3(kFar);
        vec3 high = there ? position : vec3(-kFar);
        join_boxes(low, high);
        vec3 center = 0.5 * low + 0.5 * high;
        float radius = join_most(there ? distance(position, center) : 0.0);
        if (lane % kSubletSize == 0u && sublet < sublets) {
            boxes_low[pose][sublet] = vec4(low, radius);
            boxes_high[pose][sublet] = vec4(high, 0.0);
            if (constants.keep_bounds == 0u) {
                written_sublets[d.first_sublet + first_sublet + sublet] = bound_of(center, radius);
            }
        }
    }
    barrier();
    if (lane < task.count && constants.keep_bounds == 0u) {
        uint first_meshlet = deformed_record(task.first + lane).first_meshlet;
        written_meshlets[first_meshlet + task.meshlet] = meshlet_bound(lane, sublets);
    }
}
