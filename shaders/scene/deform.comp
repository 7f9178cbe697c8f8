// Deforms vertices: a workgroup for some distinct vertices of some poses of a mesh, a lane for each vertex. A vertex is
// loaded once and posed again and again. Meshes without room for their vertices are left out.
//
// Reads: poses, decoded vertices, streams. Writes: deformed vertices.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "scene/bindings.glsl"
layout(set = kPassSet, binding = kBindDeformTasks, std430) readonly buffer DeformTasks { DeformTask deform_tasks[]; };
layout(set = kPassSet, binding = kBindPoseRounds, std430) readonly buffer PoseRounds { uint pose_rounds[]; };
layout(set = kPassSet, binding = kBindWrittenDeformation, std430) writeonly buffer WrittenDeformation {
    uvec4 written_deformation[];
};

layout(local_size_x = kVerticesOfTask) in;

layout(push_constant) uniform Push { DeformConstants constants; };

#include "scene/deformed.glsl"
#include "scene/task_poses.glsl"

void main() {
    uint group = gl_WorkGroupID.y * kDispatchRow + gl_WorkGroupID.x;
    if (group >= constants.count) {
        return;
    }
    DeformTask task = deform_tasks[group];
    load_task_poses(task);
    if (gl_LocalInvocationIndex >= task.count) {
        return;
    }
    uint number = task.begin + gl_LocalInvocationIndex;
    DeformedMesh d = task_poses[0];
    DistinctVertex at = distinct_vertex(d, number);
    BindVertex v = bind_vertex(d, at);
    for (uint pose = 0u; pose < task.poses; ++pose) {
        d = task_poses[pose];
        if (d.first_vertex != kNotCached && task_wanted[pose]) {
            written_deformation[d.first_vertex + number] = pose_vertex(d, v);
        }
    }
}
