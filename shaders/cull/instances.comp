// Culls instances: one lane per source of the expansion. Pushes the meshlets of those instances that pass the tests of
// its phase (chain.glsl). EXPANSION_PACKED: as for expansion.glsl.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_arithmetic : require

#ifdef EXPANSION_PACKED
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
#endif

#include "scene/bindings.glsl"
layout(set = kPassSet, binding = kBindState, std430) buffer State { CullState state; };

layout(local_size_x = 128) in;
layout(constant_id = kSpecCount) const bool kCount = false;

#define EXPANSION_PUSH
#include "expansion/expansion.glsl"
#define SUBGROUP_COUNTERS
#include "cull/counters.glsl"
#include "cull/source.glsl"
#include "cull/chain.glsl"
#include "cull/funnel.glsl"

void main() {
    uint source = (gl_WorkGroupID.y * kDispatchRow + gl_WorkGroupID.x) * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    uint items = 0u;
    uint instance = 0u;
    bool first = false;
    if (source < source_count()) {
        Source these = source_at(source);
        instance = these.instance;
        first = these.first_meshlet == 0u;
        items = these.meshlets;
        if (!source_passes(instance, these.first_task, these.meshlets)) {
            items = 0u;
        }
    }
    expansion_push(items, source);
    if (kCount) {
        count_lanes(kCounterInstancesVisible, items != 0u && first);
        count_instance(first, instance);
    }
}
