// Says of each sublet of each instance which test of the camera that culls rejects it first, by the functions that
// culling calls: instances, then meshlets, then sublets. Where a pyramid is there kSpecPhase is 2, else 0. A lane takes
// four sublets and writes their word.
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

#include "cull/phases.glsl"
#include "scene/seen_triangle.glsl"

uint test_instance(uint instance) {
    if (instance_invisible(instance)) {
        return kVerdictInvisible;
    }
    if (!instance_visible(instance)) {
        return kVerdictInstanceFrustum;
    }
    if (constants.instances_only != 0u) {
        return kVerdictDrawn;
    }
    return instance_misses_centers(instance) ? kVerdictNoCenter
           : instance_hidden(instance)       ? kVerdictInstanceOcclusion
                                             : kVerdictDrawn;
}

// `first`: of the level's three verdicts, in this order.
uint test_bound(Bound bound, uint instance, uint first) {
    vec4 sphere = placed_sphere(bound.sphere, instance);
    if (bound_outside(sphere)) {
        return first;
    }
    if (bound_faces_away(bound, sphere, instance, instances[instance].flags)) {
        return first + 1u;
    }
    return bound_misses_centers(sphere) ? kVerdictNoCenter : bound_hidden(sphere) ? first + 2u : kVerdictDrawn;
}

// Whether phase 1 draws this meshlet of an instance without looking for hidden sublets.
bool drawn_whole(uint instance, uint meshlet) {
    return kPhase == 2u && constants.whole_meshlets != 0u &&
           (visible_before[first_tasks[instance] + meshlet / kTaskMeshlets] >> meshlet % kTaskMeshlets & 1u) != 0u;
}

uint sublet_verdict(uint number) {
    uint instance = find_instance(number);
    uint verdict = test_instance(instance);
    if (verdict != kVerdictDrawn || constants.instances_only != 0u) {
        return verdict;
    }
    uint sublet = number - first_sublets[instance];
    uint mesh = instances[instance].mesh;
    uint meshlet = sublet / kSubletsPerMeshlet;
    verdict = test_bound(meshlet_bound(mesh, meshlet), instance, kVerdictMeshletFrustum);
    if (verdict != kVerdictDrawn || (frame.cull_flags & kCullSublets) == 0u) {
        return verdict;
    }
    verdict = test_bound(sublet_bound(mesh, sublet), instance, kVerdictSubletFrustum);
    return verdict == kVerdictSubletOcclusion && drawn_whole(instance, meshlet) ? kVerdictDrawn : verdict;
}

void main() {
    uint word = (gl_WorkGroupID.y * kDispatchRow + gl_WorkGroupID.x) * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    uint verdicts = 0u;
    for (uint i = 0u; i < 4u; ++i) {
        uint number = word * 4u + i;
        if (number < frame.sublet_count) {
            verdicts |= sublet_verdict(number) << (8u * i);
        }
    }
    if (word * 4u < frame.sublet_count) {
        rejected[word] = verdicts;
    }
}
