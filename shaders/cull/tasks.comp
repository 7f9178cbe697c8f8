// Culls instances for the flat task shader: one lane per entry of the task list. The tasks of instances inside the view
// go to a list for each draw class, with the mesh draws that launch a task workgroup for each.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require

#include "scene_bindings.glsl"
layout(set = 0, binding = 4, std430) readonly buffer Tasks { Task tasks[]; };
layout(set = 0, binding = 5, std430) writeonly buffer WorkList { uint work_list[]; };
layout(set = 0, binding = 6, std430) buffer State { CullState state; };

layout(local_size_x = 128) in;
layout(constant_id = 0) const bool kCount = false;

#include "cull/counters.glsl"
#include "cull/mesh_draws.glsl"
#define PHASE_BINDINGS 7
#include "cull/phases.glsl"

void main() {
    uint source = (gl_WorkGroupID.y * kDispatchRow + gl_WorkGroupID.x) * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    bool live = false;
    bool first = false;
    uint task_class = 0u;
    if (source < frame.task_count) {
        Task task = tasks[source];
        first = task.chunk_and_count < 64u;
        task_class = instances[task.instance].flags & kInstanceClassMask;
        live = source_passes(task.instance, source, 1u);
    }
    // One atomic per class and subgroup. The loop is uniform: every lane takes part in every ballot.
    for (uint draw_class = 0u; draw_class < kDrawClasses; ++draw_class) {
        bool mine = live && task_class == draw_class;
        uvec4 ballot = subgroupBallot(mine);
        uint total = subgroupBallotBitCount(ballot);
        if (total == 0u) {
            continue;
        }
        uint base = 0u;
        if (subgroupElect()) {
            base = atomicAdd(state.sublets[draw_class], total);
            cover_groups(draw_class, base, base + total - 1u);
        }
        base = frame.task_class_base[draw_class] + subgroupBroadcastFirst(base);
        if (mine) {
            work_list[base + subgroupBallotExclusiveBitCount(ballot)] = source;
        }
    }
    if (kCount) {
        uint visible = subgroupBallotBitCount(subgroupBallot(live && first));
        if (subgroupElect() && visible != 0u) {
            count(kCounterInstancesVisible, visible);
        }
    }
}
