// Bounds of sublets and meshlets that deform, measured: a workgroup for some meshlets of some poses of a mesh, two
// lanes for each sublet. Bounds that are measured are as tight as those of a file, whatever the pose.
//
// Reads: deformed vertices. Writes: bounds.
#version 460
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require

#include "scene/bindings.glsl"
layout(set = kPassSet, binding = kBindDeformTasks, std430) readonly buffer DeformTasks { DeformTask deform_tasks[]; };
layout(set = kPassSet, binding = kBindPoseRounds, std430) readonly buffer PoseRounds { uint pose_rounds[]; };
layout(set = kPassSet, binding = kBindWrittenSubletBounds, std430) writeonly buffer WrittenSublets {
    Bound written_sublets[];
};
layout(set = kPassSet, binding = kBindWrittenMeshletBounds, std430) writeonly buffer WrittenMeshlets {
    Bound written_meshlets[];
};

const uint kLanesOfSublet = 2u;
const uint kLanesOfMeshlet = kLanesOfSublet * kSubletsPerMeshlet;
layout(local_size_x = kLanesOfMeshlet * kMeshletsOfTask) in;

layout(push_constant) uniform Push { DeformConstants constants; };

#include "scene/deformed.glsl"
#include "scene/task_poses.glsl"

const float kFar = 3e38;
const uint kVerticesOfLane = kSubletSize / kLanesOfSublet;

// What each lane has: the box of its vertices, then that of its sublet.
shared vec4 lowest[kLanesOfMeshlet * kMeshletsOfTask];
shared vec4 highest[kLanesOfMeshlet * kMeshletsOfTask];
// And the radius about the middle of the sublet's, then about that of the meshlet's.
shared float farthest[kLanesOfMeshlet * kMeshletsOfTask];

// A radius is rounded up by more than it, and what it is measured from, were rounded.
Bound bound_of(vec3 center, float radius) {
    vec3 size = abs(center);
    return Bound(vec4(center, radius * 1.00001 + 1e-6 * max(size.x, max(size.y, size.z))), vec4(0.0, 0.0, 1.0, 1.0));
}

// Of `count` lanes from `first` on, each `step` behind the one before.
void join_boxes(uint first, uint count, uint step, out vec3 low, out vec3 high) {
    low = vec3(kFar);
    high = vec3(-kFar);
    for (uint i = 0u; i < count; ++i) {
        low = min(low, lowest[first + i * step].xyz);
        high = max(high, highest[first + i * step].xyz);
    }
}
float join_radii(uint first, uint count, uint step) {
    float most = 0.0;
    for (uint i = 0u; i < count; ++i) {
        most = max(most, farthest[first + i * step]);
    }
    return most;
}

void main() {
    uint group = gl_WorkGroupID.y * kDispatchRow + gl_WorkGroupID.x;
    if (group >= constants.count) {
        return;
    }
    uint lane = gl_LocalInvocationIndex;
    uint of_sublet = lane - lane % kLanesOfSublet;     // the first lane of its sublet,
    uint of_meshlet = lane - lane % kLanesOfMeshlet;  // and of its meshlet
    // The last first: a cache may still have its vertices, which were the last to be deformed.
    DeformTask task = deform_tasks[constants.count - 1u - group];
    load_task_poses(task);
    DeformedMesh d = task_poses[0];
    uint meshlet = task.begin + lane / kLanesOfMeshlet;
    uint sublet = meshlet * kSubletsPerMeshlet + (of_sublet - of_meshlet) / kLanesOfSublet;
    bool there = lane / kLanesOfMeshlet < task.count && sublet < meshes[d.source].sublet_count;
    uint vertices = 0u;
    uint first = 0u;
    if (there) {
        uvec3 record = sublet_record(d.source, sublet);
        vertices = record.y >> 8u & 0xffu;
        first = record.x;
    }
    uint sublets = min(meshes[d.source].sublet_count - min(meshlet * kSubletsPerMeshlet, meshes[d.source].sublet_count),
                       kSubletsPerMeshlet);
    uint numbers[kVerticesOfLane];
    [[unroll]] for (uint i = 0u; i < kVerticesOfLane; ++i) {
        // Of lanes beyond the end: the last vertex again.
        uint vertex = min(i * kLanesOfSublet + lane % kLanesOfSublet, max(vertices, 1u) - 1u);
        numbers[i] = distinct_number(d, first + vertex);
    }
    for (uint pose = 0u; pose < task.poses; ++pose) {
        if (!task_wanted[pose]) {
            continue;
        }
        d = task_poses[pose];
        vec3 points[kVerticesOfLane];
        vec3 low = vec3(kFar);
        vec3 high = vec3(-kFar);
        [[unroll]] for (uint i = 0u; i < kVerticesOfLane; ++i) {
            uint vertex = min(i * kLanesOfSublet + lane % kLanesOfSublet, max(vertices, 1u) - 1u);
            points[i] = uintBitsToFloat(deformed_vertex(d, first + vertex, numbers[i]).xyz);
            low = min(low, points[i]);
            high = max(high, points[i]);
        }
        lowest[lane] = vec4(low, 0.0);
        highest[lane] = vec4(high, 0.0);
        barrier();
        join_boxes(of_sublet, kLanesOfSublet, 1u, low, high);
        vec3 center = 0.5 * low + 0.5 * high;
        float radius = 0.0;
        [[unroll]] for (uint i = 0u; i < kVerticesOfLane; ++i) {
            vec3 off = points[i] - center;
            radius = max(radius, dot(off, off));
        }
        farthest[lane] = radius;
        barrier();
        radius = sqrt(join_radii(of_sublet, kLanesOfSublet, 1u));
        if (there && lane == of_sublet) {
            written_sublets[d.first_sublet + sublet] = bound_of(center, radius);
            lowest[lane] = vec4(low, 0.0);
            highest[lane] = vec4(high, 0.0);
        }
        barrier();
        // A meshlet's bound is around the spheres of its sublets.
        join_boxes(of_meshlet, sublets, kLanesOfSublet, low, high);
        vec3 middle = 0.5 * low + 0.5 * high;
        farthest[lane] = distance(center, middle) + radius;
        barrier();
        radius = join_radii(of_meshlet, sublets, kLanesOfSublet);
        if (there && lane == of_meshlet) {
            written_meshlets[d.first_meshlet + meshlet] = bound_of(middle, radius);
        }
        barrier();
    }
}
