// Culls instances: one lane per entry of the task list. Tests the instance's sphere against the frustum and pushes the tasks of
// those inside.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_arithmetic : require

#include "scene_bindings.glsl"
layout(set = 0, binding = 4, std430) readonly buffer Tasks { Task tasks[]; };
layout(set = 0, binding = 5, std430) writeonly buffer WorkList { uint work_list[]; };
layout(set = 0, binding = 6, std430) buffer State { CullState state; };

layout(local_size_x = 128) in;
layout(constant_id = 0) const bool kCount = false;
const uint kTasksPerGroup = 4u;  // of the meshlet pass: its 128 lanes / 32

#define EXPANSION_PUSH
#include "expansion/task_list.glsl"
#include "cull/counters.glsl"
#define PHASE_BINDINGS 7
#include "cull/phases.glsl"

void main() {
    uint source = (gl_WorkGroupID.y * kDispatchRow + gl_WorkGroupID.x) * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    uint items = 0u;
    bool first = false;
    if (source < frame.task_count) {
        Task task = tasks[source];
        first = task.chunk_and_count < 64u;
        items = task.chunk_and_count & 63u;
        if (!task_passes(task.instance, source)) {
            items = 0u;
        }
    }
    expansion_push(items, source);
    if (kCount) {
        uint visible = subgroupBallotBitCount(subgroupBallot(items != 0u && first));
        if (subgroupElect() && visible != 0u) {
            count(kCounterInstancesVisible, visible);
        }
    }
}
