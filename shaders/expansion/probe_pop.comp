// An expansion alone, its second half: a lane for each work item. For tests and `bench --micro expansion`.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_arithmetic : require

layout(local_size_x = 128) in;  // before what asks for gl_WorkGroupSize

#include "shared/expansion.h"
layout(push_constant) uniform Push { ExpansionProbeConstants constants; };
#include "expansion/expansion.glsl"
layout(set = kPassSet, binding = kBindProbeSources, std430) readonly buffer Sources { ExpansionProbeSource sources[]; };
layout(set = kPassSet, binding = kBindProbeResult, std430) buffer Result { ExpansionProbeResult result; };
// A bit for each item of each source, in their order.
layout(set = kPassSet, binding = kBindProbeSeen, std430) buffer Seen { uint seen[]; };

layout(constant_id = kSpecCount) const bool kRecord = true;  // else only what keeps the search from being optimised away

// All lanes come here: subgroup operations are kept out of divergent flow.
void record(bool live, uint work, uint source, uint item) {
    bool stray = live && (source >= constants.source_count || item >= sources[source].count);
    live = live && !stray;
    uint bit = live ? sources[source].first_item + item : 0u;
    bool repeated = false;
    if (live) {
        uint mask = 1u << (bit % 32u);
        repeated = (atomicOr(seen[bit / 32u], mask) & mask) != 0u;
    }
    uint popped = subgroupBallotBitCount(subgroupBallot(live));
    uint moved = subgroupBallotBitCount(subgroupBallot(live && bit != work));
    uint again = subgroupBallotBitCount(subgroupBallot(repeated));
    uint strays = subgroupBallotBitCount(subgroupBallot(stray));
    if (subgroupElect() && popped + strays != 0u) {
        atomicAdd(result.popped, popped);
        atomicAdd(result.moved, moved);
        atomicAdd(result.repeated, again);
        atomicAdd(result.strays, strays);
    }
}

void main() {
    uint work = expansion_work();
    if (work == 0u) {
        result.overflow = expansion_overflow();
    }
    uint source;
    uint item;
    bool live = expansion_pop(work, source, item);
    if (kRecord) {
        record(live, work, source, item);
    } else if (live && (source ^ item * 0x9e3779b9u) == 0xffffffffu) {
        atomicAdd(result.popped, 1u);
    }
}
