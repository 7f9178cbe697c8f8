// Culls instances for the flat task shader: one lane per entry of the task list. The tasks of instances inside the view
// go to a list for each draw class, with the mesh draws that launch a task workgroup for each.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require

#include "scene/bindings.glsl"
layout(set = kPassSet, binding = kBindState, std430) buffer State { CullState state; };
layout(set = kPassSet, binding = kBindWorkList, std430) writeonly buffer WorkList { uint work_list[]; };

layout(local_size_x = 128) in;
layout(constant_id = kSpecCount) const bool kCount = false;

#define SUBGROUP_COUNTERS
#include "cull/counters.glsl"
#include "cull/mesh_draws.glsl"
#include "cull/chain.glsl"
#include "cull/funnel.glsl"

uint claim_slots(uint draw_class, uint tasks_claimed) {
    uint base = atomicAdd(state.survivors.classes[draw_class].claimed, tasks_claimed);
    cover_groups(draw_class, base, base + tasks_claimed - 1u);
    return base;
}
#include "cull/append_by_class.glsl"

void main() {
    uint source = (gl_WorkGroupID.y * kDispatchRow + gl_WorkGroupID.x) * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    bool live = false;
    uint instance = 0u;
    bool first = false;
    uint draw_class = 0u;
    if (source < frame.task_count) {
        Task task = tasks[source];
        instance = task.instance;
        first = task.chunk_and_count < 64u;
        draw_class = instances[instance].flags & kInstanceClassMask;
        live = source_passes(instance, source, 1u);
    }
    uint slot = append_by_class(live, draw_class);
    if (live) {
        work_list[frame.classes[draw_class].first_task + slot] = source;
    }
    if (kCount) {
        count_lanes(kCounterInstancesVisible, live && first);
        count_instance(first, instance);
    }
}
