// Says of each sublet of each instance which test of the camera that culls rejects it first, by the functions that
// culling calls: instances, then meshlets, then sublets. The phase is 2 where there is a pyramid, else 0. A lane
// takes four sublets and writes their word.
//
// Reads: instances, bounds, the pyramid, bits of visible meshlets. Writes: verdicts.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "shared/inspect.h"
#include "scene/bindings.glsl"
layout(set = kPassSet, binding = kBindRejected, std430) writeonly buffer Rejected { uint rejected[]; };

layout(local_size_x = 64) in;
layout(constant_id = kSpecWideIds) const bool kWideIds = false;
layout(push_constant) uniform Push { VerdictConstants constants; };

#include "cull/chain.glsl"
#include "scene/seen_triangle.glsl"

// What is written of a verdict that one level gives. `first`: of that level, kVerdict...
uint written(uint first, uint verdict) {
    return verdict == kPasses          ? kVerdictDrawn
           : verdict == kInvisible     ? kVerdictInvisible
           : verdict == kBetweenPixels ? kVerdictNoCenter
                                       : first + verdict - kOutside;
}

// Whether phase 1 draws this meshlet of an instance without looking for hidden sublets.
bool drawn_whole(uint instance, uint meshlet) {
    uint place = place_of(instances[instance].mesh, meshlet);
    return phase.number == 2u && constants.whole_meshlets != 0u &&
           (visible_before[task_word(instance, place)] >> place % kTaskMeshlets & 1u) != 0u;
}

uint verdict_on(uint number) {
    uint instance = find_instance(number);
    if (constants.instances_only != 0u && instance_visible(instances[instance])) {
        return kVerdictDrawn;
    }
    uint verdict = instance_verdict(instance);
    if (verdict != kPasses) {
        return written(kVerdictInstance, verdict);
    }
    uint sublet = number - first_of[instance].sublet;
    uint meshlet = sublet / kSubletsPerMeshlet;
    if (!meshlet_in_cut(instance, meshlet)) {
        return kVerdictInvisible;
    }
    verdict = meshlet_verdict(instance, meshlet, 0u, 0u);
    if (verdict != kPasses) {
        return written(kVerdictMeshlet, verdict);
    }
    verdict = sublet_verdict(instance, sublet);
    return verdict == kHidden && drawn_whole(instance, meshlet) ? kVerdictDrawn : written(kVerdictSublet, verdict);
}

void main() {
    uint word = (gl_WorkGroupID.y * kDispatchRow + gl_WorkGroupID.x) * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    uint verdicts = 0u;
    for (uint i = 0u; i < 4u; ++i) {
        uint number = word * 4u + i;
        if (number < frame.sublet_count) {
            verdicts |= verdict_on(number) << (8u * i);
        }
    }
    if (word * 4u < frame.sublet_count) {
        rejected[word] = verdicts;
    }
}
