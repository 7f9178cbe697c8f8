// Counts the pixels that something covers: the last step of the funnel (shared/counters.h).

layout(set = kPassSet, binding = kBindState, std430) buffer State { CullState state; };
layout(constant_id = kSpecCount) const bool kCount = false;

#include "cull/counters.glsl"

shared uint group_covered;

// By all lanes of the workgroup together.
void count_covered(bool covered) {
    if (gl_LocalInvocationIndex == 0u) {
        group_covered = 0u;
    }
    barrier();
    uint total = subgroupBallotBitCount(subgroupBallot(covered));
    if (subgroupElect() && total != 0u) {
        atomicAdd(group_covered, total);
    }
    barrier();
    if (gl_LocalInvocationIndex == 0u && group_covered != 0u) {
        count(kCounterPixelsCovered, group_covered);
    }
}
