// Culls instances, the sources of the expansion. Of those that pass the tests of its phase (chain.glsl) it pushes the
// meshlets that need a look. EXPANSION_PACKED: as for expansion.glsl. NODE_AMDX: a node that the driver plays
// (node.glsl). kCountsCut: it counts what may be drawn, too.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_arithmetic : require

#ifdef EXPANSION_PACKED
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
#endif

#include "shared/graph.h"
#include "scene/bindings.glsl"
layout(set = kPassSet, binding = kBindState, std430) buffer State { CullState state; };

layout(local_size_x = kInstancesLanes) in;
layout(constant_id = kSpecCount) const bool kCount = false;

#ifdef NODE_AMDX
#include "cull/node.glsl"
NODE_PAYLOAD InstancesPayload node_in;
NODE_OUT(meshlets, MeshletsPayload, kInstancesMost)
#else
#define EXPANSION_PUSH
#include "expansion/expansion.glsl"
#endif
#define GROUP_COUNTERS
#include "cull/counters.glsl"
#include "cull/chain.glsl"
#include "cull/funnel.glsl"
#ifndef NODE_AMDX
#include "cull/count_cut.glsl"

layout(constant_id = kSpecCountsCut) const bool kCountsCut = false;
#endif

// By all lanes together: the payload for the node `meshlets` (shared/graph.h), `count` places from `first` on.
void emit_meshlets(uint count, uint instance, uint first) {
#ifdef NODE_AMDX
    node_allocate(node_out_meshlets, kForLane, count != 0u ? 1u : 0u, 0u);
    if (count != 0u) {
        uint groups = (count + kMeshletsLanes - 1u) / kMeshletsLanes;
        node_out_meshlets[0].groups = uvec2(min(groups, kDispatchRow), (groups + kDispatchRow - 1u) / kDispatchRow);
        node_out_meshlets[0].instance = instance;
        node_out_meshlets[0].first_place = first;
        node_out_meshlets[0].count = count;
    }
    node_enqueue(node_out_meshlets);
#else
    if (kLevels && count != 0u) {
        expansion_first[instance] = first;
    }
    expansion_push(count, instance);
#endif
}

void main() {
    uint group = gl_WorkGroupID.y * kDispatchRow + gl_WorkGroupID.x;
    bool there = true;
#ifdef NODE_AMDX
    there = group < node_in.count;
    group += node_in.first;
#endif
    uint instance = group * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    there = there && instance < frame.instance_count && phase_has(instance);
#ifndef NODE_AMDX
    if (kCountsCut) {
        count_cut(instance);
    }
#endif
    begin_counts();
    uint first = 0u;
    uint verdict = kUnseen;
    uint items = there ? source_meshlets(instance, first, verdict) : 0u;
    emit_meshlets(items, instance, first);
    if (kCount) {
        count_lanes(kCounterInstancesVisible, items != 0u);
        count_instance(instance, verdict);
    }
    end_counts();
}
