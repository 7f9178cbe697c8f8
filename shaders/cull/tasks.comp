// Culls instances for the flat task shader: a lane for each. The tasks of those that pass go to a list for each draw
// class, with the mesh draws that launch a task workgroup for each.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require

#include "scene/bindings.glsl"
layout(set = kPassSet, binding = kBindState, std430) buffer State { CullState state; };
// Entries (expansion/entries.glsl), whose items are places.
layout(set = kPassSet, binding = kBindWorkList, std430) writeonly buffer WorkList { uvec2 work_list[]; };

layout(local_size_x = 128) in;
layout(constant_id = kSpecCount) const bool kCount = false;

#define GROUP_COUNTERS
#include "cull/counters.glsl"
#include "cull/mesh_draws.glsl"
#include "cull/chain.glsl"
#include "cull/funnel.glsl"

void write_entry(uint slot, uvec2 entry) { work_list[slot] = entry; }
#include "expansion/write_entries.glsl"

void main() {
    uint instance = (gl_WorkGroupID.y * kDispatchRow + gl_WorkGroupID.x) * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    bool there = instance < frame.instance_count && phase_has(instance);
    begin_counts();
    uint place = 0u;
    uint verdict = kUnseen;
    uint meshlets = there ? source_meshlets(instance, place, verdict) : 0u;
    uint tasks = entry_count(meshlets, kTaskMeshlets);
    for (uint draw_class = 0u; draw_class < kDrawClasses; ++draw_class) {
        bool mine = tasks != 0u && (instances[instance].flags & kInstanceClassMask) == draw_class;
        uint total = subgroupAdd(mine ? tasks : 0u);
        if (total == 0u) {
            continue;
        }
        uint base = 0u;
        if (subgroupElect()) {
            base = atomicAdd(state.survivors.classes[draw_class].claimed, total);
            cover_groups(draw_class, base, base + total - 1u);
        }
        uint first = subgroupBroadcastFirst(base) + subgroupExclusiveAdd(mine ? tasks : 0u);
        write_entries(frame.classes[draw_class].first_task + first, mine ? tasks : 0u, meshlets, instance, place,
                      kTaskMeshlets);
    }
    if (kCount) {
        count_lanes(kCounterInstancesVisible, meshlets != 0u);
        count_instance(instance, verdict);
    }
    end_counts();
}
