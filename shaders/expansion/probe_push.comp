// An expansion alone, its first half: each lane pushes the count of one source. For tests and `bench --micro
// expansion`.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#ifdef EXPANSION_PACKED
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
#endif

#define EXPANSION_PUSH
#include "expansion/expansion.glsl"
layout(set = kPassSet, binding = kBindProbeSources, std430) readonly buffer Sources { ExpansionProbeSource sources[]; };
layout(push_constant) uniform Constants { uint source_count; };

layout(local_size_x = 128) in;

void main() {
    uint source = (gl_WorkGroupID.y * kDispatchRow + gl_WorkGroupID.x) * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    expansion_push(source < source_count ? sources[source].count : 0u, source);
}
