// The chain of tests from an instance over its meshlets to their sublets, for every pass and every task or mesh shader
// that culls, and for the view that explains culling. After scene/bindings.glsl. C++ compiles this too, without phases
// (src/render/cull/cpu_chain.cpp). A verdict is that of the first test that rejects (shared/counters.h).
//
// Occlusion culling has two phases. phase.number 0: no occlusion culling, all in one. 1: what was visible in the last
// frame, by its bits. 2: everything again, against the pyramid of what phase 1 drew; what is visible sets its bit for
// the next frame, and is drawn unless phase 1 did. (Where there are finer bits it is passed on all the same: more of
// its sublets or triangles may have become visible.)
// Phase 1 draws meshlets that have their bit and pass frustum, pixel centres and cone. Those tests are the same in
// phase 2, so a bit and they tell what it drew.
// What blends is drawn once all else is, in a phase of its own: 3, against that pyramid; it has no bits.

#include "cull/bound_visible.glsl"
#include "cull/cut_places.glsl"

#ifdef __cplusplus
bool tests_pyramid() { return false; }
#else
#include "cull/occlusion_view.glsl"
#include "cull/phase.glsl"

bool phase_has_bits() { return phase.number == 1u || phase.number == 2u; }
// Occlusion culling goes on to single triangles (cull/primitives.comp).
layout(constant_id = kSpecPrimitiveBits) const bool kPrimitiveBits = false;
// Or to sublets (cull/surviving_sublets.glsl).
layout(constant_id = kSpecSubletBits) const bool kSubletBits = false;

#include "cull/bit_words.glsl"

// A scene may have several tasks for a word. What phase 1 draws for another's bit is drawn too early, and once.
layout(set = kPassSet, binding = kBindVisibleBefore, std430) readonly buffer VisibleBefore { uint visible_before[]; };
layout(set = kPassSet, binding = kBindVisibleAfter, std430) buffer VisibleAfter { uint visible_after[]; };

// Of an instance with more words of bits than this, phase 1 takes it for granted that one is set: a lane would read for
// longer than others take to look at its meshlets.
const uint kWordsTested = 512u;

// Whether any of these words of bits has one set.
bool any_visible_before(uint first, uint words) {
    if (words > kWordsTested) {
        return true;
    }
    uint bits = 0u;
    for (uint i = 0u; i < words && bits == 0u; i += 4u) {  // four at a time, none of which waits for another
        for (uint k = i; k < min(i + 4u, words); ++k) {
            bits |= visible_before[(first + k) & frame.task_mask];
        }
    }
    return bits != 0u;
}

// What blends finds the pyramid of the frame, or of the one that is frozen, which may have none.
bool tests_pyramid() { return phase.number == 2u || (phase.number == 3u && occlusion.hiz.last_level != 0u); }

bool instance_hidden(Instance of) {
    if (!tests_pyramid() || (frame.cull_flags & kCullInstances) == 0u) {
        return false;
    }
    return box_occluded(occlusion, of.transform, meshes[of.mesh].aabb_min.xyz, meshes[of.mesh].aabb_max.xyz);
}
#endif

bool instance_misses_centers(Instance of) {
    if ((frame.cull_flags & (kCullInstances | kCullFrustum)) != (kCullInstances | kCullFrustum)) {
        return false;
    }
    vec4 sphere = placed_sphere(meshes[of.mesh].sphere, of);
    return sphere_misses_centers(occlusion, vec3(sphere), sphere.w);
}

uint instance_verdict(uint instance) {
    Instance of = instances[instance];
    if (!instance_visible(of)) {
        return flags_hide(of.flags) ? kInvisible : kOutside;
    }
    if (instance_misses_centers(of)) {
        return kBetweenPixels;
    }
    return instance_hidden(of) ? kHidden : kPasses;
}

// A meshlet or sublet: frustum, cone, pixel centres and, in phase 2, occlusion.
uint bound_verdict(Bound bound, Instance of) {
    vec4 sphere = placed_sphere(bound.sphere, of);
    if (bound_outside(sphere)) {
        return kOutside;
    }
    if (bound_faces_away(bound, sphere, of)) {
        return kFacesAway;
    }
    if ((frame.cull_flags & kCullFrustum) != 0u && sphere_misses_centers(occlusion, vec3(sphere), sphere.w)) {
        return kBetweenPixels;
    }
    return tests_pyramid() && sphere_occluded(occlusion, vec3(sphere), sphere.w) ? kHidden : kPasses;
}

// A meshlet, by its number within the mesh, whose bits are in `word`. What passes phase 2 is to be remembered.
uint meshlet_verdict(uint instance, uint meshlet, uint word, uint bit) {
    if (phase.number == 1u && (word >> bit & 1u) == 0u) {
        return kUnseen;
    }
    Instance of = instances[instance];
    return bound_verdict(meshlet_bound(of.mesh, meshlet), of);
}

// Whether this phase lists a meshlet of that verdict.
bool lists_meshlet(uint verdict, uint word, uint bit) {
    bool drawn_before = phase.number == 2u && (word >> bit & 1u) != 0u;
    return verdict == kPasses && !(drawn_before && !kPrimitiveBits && !kSubletBits);
}

// What counters take a bound's verdict for.
uint counted_as(uint verdict) { return verdict == kBetweenPixels || verdict == kInvisible ? kOutside : verdict; }

#ifndef __cplusplus
// Whether the last frame saw any of the meshlets at these places (places_of()).
bool any_place_visible_before(uint instance, uvec2 places) {
    return any_visible_before(first_task_word(instance) + places.x / kTaskMeshlets,
                              (places.y - min(places.x, places.y) + kTaskMeshlets - 1u) / kTaskMeshlets);
}

// A sublet, by its number within the mesh, of a meshlet that passes.
uint sublet_verdict(uint instance, uint sublet) {
    if ((frame.cull_flags & kCullSublets) == 0u) {
        return kPasses;
    }
    Instance of = instances[instance];
    return bound_verdict(sublet_bound(of.mesh, sublet), of);
}
#endif
