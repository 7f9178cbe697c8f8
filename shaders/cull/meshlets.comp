// Culls meshlets: one lane per meshlet of a surviving instance, as the expansion deals them out (a variant for each
// EXPANSION_ strategy). Tests what its phase has (phases.glsl), and appends the survivors of each draw class to its
// list, with the indexed indirect draw of each. With SUBLETS the workgroup goes on, together, to the sublets of its
// survivors, and appends those instead, with the mesh draws that cover them; with RUNS as well, an indexed indirect
// draw for each run of neighbouring sublets that survive.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_arithmetic : require

#include "scene_bindings.glsl"
layout(set = 0, binding = 6, std430) buffer State { CullState state; };
layout(set = 0, binding = 7, std430) readonly buffer MeshletBounds { Bound meshlet_bounds[]; };
layout(set = 0, binding = 9, std430) writeonly buffer Survivors { uvec2 survivors[]; };
#ifdef SUBLETS
layout(set = 0, binding = 10, std430) readonly buffer SubletBounds { Bound sublet_bounds[]; };
#define DRAWS_BINDING 16
#else
#define DRAWS_BINDING 10
#endif
#if defined(RUNS) || !defined(SUBLETS)
#define WRITES_DRAWS
layout(set = 0, binding = 8, std430) readonly buffer Ranges { MeshletRange ranges[]; };
layout(set = 0, binding = DRAWS_BINDING, std430) writeonly buffer Draws { uint draws[]; };
#else
// With kPrimitiveBits, a word for each sublet of each instance: which of its triangles were visible
// (cull/primitives.comp).
layout(set = 0, binding = 8, std430) readonly buffer FirstWords { uint first_words[]; };  // of each instance
layout(set = 0, binding = 16, std430) readonly buffer WordsBefore { uint words_before[]; };
#endif
#ifdef RUNS
layout(set = 0, binding = 17, std430) readonly buffer Streams { StreamHeader streams[]; };
#endif

layout(local_size_x = 128) in;
layout(constant_id = 0) const bool kCount = false;
#ifndef SUBLETS
layout(constant_id = 1) const bool kWriteDraws = true;  // VkDrawIndexedIndirectCommands too
#elif !defined(RUNS)
// Of the mesh shader's workgroups; 0: it draws none of these sublets itself.
layout(constant_id = 1) const uint kSubletsPerGroup = 1u;
#endif
#ifdef WRITES_DRAWS
layout(constant_id = 2) const bool kFirstInstance = false;  // draws have their slot as their first instance
#endif

#define EXPANSION_LIST 5
#define EXPANSION_STATE 11
#include "expansion/expansion.glsl"
#include "cull/counters.glsl"
#include "cull/source.glsl"
#define PHASE_BINDINGS 12
#include "cull/phases.glsl"
#if defined(SUBLETS) && !defined(RUNS)
#include "cull/mesh_draws.glsl"
#endif

#ifdef WRITES_DRAWS
// The VkDrawIndexedIndirectCommand of a slot: of `sublets` sublets from `first_sublet` of the scene's, with room for
// kSubletSize triangles each in the index buffer. Indices are relative to `first_vertex`.
void write_draw(uint slot, uint first_sublet, uint sublets, uint first_vertex) {
    uint word = slot * 5u;
    draws[word] = sublets * (kSubletSize * 3u);
    draws[word + 1u] = 1u;
    draws[word + 2u] = first_sublet * (kSubletSize * 3u);
    draws[word + 3u] = first_vertex;
    draws[word + 4u] = kFirstInstance ? slot : 0u;
}

// Draws take the items from all over the scene in turn. In the order of the items, neighbours after one another, they
// cover one part of the window at a time, and not all of the rasteriser has work (docs/BENCHMARKS.md).
uint work_item() {
    uint group = gl_WorkGroupID.y * kDispatchRow + gl_WorkGroupID.x;
    return gl_LocalInvocationIndex * (gl_NumWorkGroups.x * gl_NumWorkGroups.y) + group;
}
#else
uint work_item() { return expansion_work(); }
#endif

#ifdef SUBLETS
// The meshlets that this workgroup found visible: (instance, meshlet), and a bit for each sublet that is.
shared uvec2 group_survivors[128];
shared uint group_masks[128];
shared uint group_count;
// For each draw class: how many sublets, or runs, this workgroup appends, and the first slot of its own.
shared uint group_appended[kDrawClasses];
shared uint group_base[kDrawClasses];

// Whether a sublet of a surviving meshlet goes on.
bool sublet_passes(uint mesh, uint sublet, uint instance) {
#ifndef RUNS
    if (kPrimitiveBits && kPhase == 1u) {
        // Its visible triangles are drawn without a test: there need only be one.
        return words_before[first_words[instance] + sublet] != 0u;
    }
#endif
    return (frame.cull_flags & kCullSublets) == 0u ||
           bound_passes(sublet_bounds[meshes[mesh].first_sublet + sublet], instance, instances[instance].flags);
}

#ifdef RUNS
uint slots_of(uint mask) { return bitCount(mask & ~(mask << 1u)); }

// A draw for each run of set bits.
// Every lane comes here, those without a bit too.
void append(uint slot, uvec2 meshlet, uint mask) {
    slot += frame.class_base[instances[meshlet.x].flags & kInstanceClassMask];
    uint mesh = instances[meshlet.x].mesh;
    MeshletRange range = ranges[meshes[mesh].first_meshlet + meshlet.y];
    uint first_sublet = meshlet.y * kSubletsPerMeshlet;
    uint stream_count = meshes[mesh].stream_count;
    uint first_stream = meshes[mesh].first_stream + first_sublet * stream_count;
    uint drawn = 0u;
    while (mask != 0u) {
        uint first = findLSB(mask);
        uint end = first + findLSB(~(mask >> first));
        mask &= ~0u << end;
        survivors[slot] = uvec2(meshlet.x, first_sublet + first);
        write_draw(slot++, meshes[mesh].first_sublet + first_sublet + first, end - first, range.first_vertex);
        if (kCount) {
            // The triangles of a meshlet are numbered sublet by sublet.
            uint first_bits = streams[first_stream + first * stream_count].bits;
            uint last_bits = streams[first_stream + (end - 1u) * stream_count].bits;
            drawn += (last_bits >> 24u) + (last_bits & 0xffu) - (first_bits >> 24u);
        }
    }
    if (kCount) {
        uint total = subgroupAdd(drawn);
        if (subgroupElect() && total != 0u) {
            count(kCounterPrimitivesDrawn, total);
        }
    }
}

uint claim_slots(uint draw_class, uint slots) { return atomicAdd(state.draws[draw_class * 4u + 1u], slots); }
#else
shared uint group_slots[128];  // of each survivor's first sublet

uint slots_of(uint mask) { return bitCount(mask); }

// An entry for each set bit, from `slot` on. All lanes together go through all masks, so that neighbours write
// neighbouring entries.
void append(uint slot, uvec2 meshlet, uint mask) {
    group_slots[gl_LocalInvocationIndex] =
        slot + frame.sublet_class_base[instances[meshlet.x].flags & kInstanceClassMask];
    barrier();
    uint total = group_count * kSubletsPerMeshlet;
    for (uint i = gl_LocalInvocationIndex; i < total; i += gl_WorkGroupSize.x) {
        uint bits = group_masks[i / kSubletsPerMeshlet];
        uint bit = i % kSubletsPerMeshlet;
        if ((bits >> bit & 1u) != 0u) {
            uvec2 survivor = group_survivors[i / kSubletsPerMeshlet];
            uint rank = bitCount(bits & ((1u << bit) - 1u));
            survivors[group_slots[i / kSubletsPerMeshlet] + rank] =
                uvec2(survivor.x, survivor.y * kSubletsPerMeshlet + bit);
        }
    }
}

// And covers them by mesh draws and by workgroups of the primitive pass.
uint claim_slots(uint draw_class, uint slots) {
    uint base = atomicAdd(state.sublets[draw_class], slots);
    if (kSubletsPerGroup != 0u) {
        cover_groups(draw_class, base / kSubletsPerGroup, (base + slots - 1u) / kSubletsPerGroup);
    }
    uint primitive_groups = (base + slots - 1u) / kPrimitiveGroupSublets + 1u;
    atomicMax(state.dispatch[0], min(primitive_groups, kPrimitiveGroups));
    return base;
}
#endif

// Tests the sublets of the group's survivors, all lanes together, and appends those that remain: one atomic on global
// memory per class and workgroup, since atomics on one address are what would bound this pass.
void cull_sublets() {
    uint total = group_count * kSubletsPerMeshlet;
    for (uint i = gl_LocalInvocationIndex; i < total; i += gl_WorkGroupSize.x) {
        uvec2 meshlet = group_survivors[i / kSubletsPerMeshlet];
        uint sublet = meshlet.y * kSubletsPerMeshlet + i % kSubletsPerMeshlet;
        uint mesh = instances[meshlet.x].mesh;
        if (sublet < meshes[mesh].sublet_count && sublet_passes(mesh, sublet, meshlet.x)) {
            atomicOr(group_masks[i / kSubletsPerMeshlet], 1u << (i % kSubletsPerMeshlet));
        }
    }
    barrier();
    uint lane = gl_LocalInvocationIndex;
    uint mask = lane < group_count ? group_masks[lane] : 0u;
    uvec2 meshlet = lane < group_count ? group_survivors[lane] : uvec2(0u);
    uint draw_class = instances[meshlet.x].flags & kInstanceClassMask;
    uint slot = 0u;
    if (mask != 0u) {
        slot = atomicAdd(group_appended[draw_class], slots_of(mask));
    }
    barrier();
    if (lane < kDrawClasses && group_appended[lane] != 0u) {
        group_base[lane] = claim_slots(lane, group_appended[lane]);
    }
    barrier();
    append(slot + group_base[draw_class], meshlet, mask);
}
#else
void write_survivor(uint slot, uint instance, uint meshlet, MeshletRange range) {
    uint mesh = instances[instance].mesh;
    uint first_sublet = meshlet * kSubletsPerMeshlet;
    survivors[slot] = uvec2(instance, first_sublet);
    if (kWriteDraws) {
        uint sublets = min(meshes[mesh].sublet_count - first_sublet, kSubletsPerMeshlet);
        write_draw(slot, meshes[mesh].first_sublet + first_sublet, sublets, range.first_vertex);
    }
}
#endif

void main() {
    uint work = work_item();
    if (work == 0u && expansion_overflow() != 0u) {
        count(kCounterOverflow, expansion_overflow());
    }
    uint source;
    uint item;
    bool live = expansion_pop(work, source, item);
    uint instance = 0u;
    uint meshlet = 0u;
    uint task = 0u;
    if (live) {
        Source these = source_at(source);
        instance = these.instance;
        meshlet = these.first_meshlet + item;
        task = these.first_task + item / kTaskMeshlets;
#ifdef EXPANSION_TASK_LIST
        live = item < these.meshlets;
#endif
    }
    uint word = live && kPhase != 0u ? visible_before[task] : 0u;
    uint bit = item % kTaskMeshlets;
    if (kCount) {
        bool tested = live && (kPhase != 1u || (word >> bit & 1u) != 0u);
        uint total = subgroupBallotBitCount(subgroupBallot(tested));
        if (subgroupElect() && total != 0u) {
            count(kCounterMeshletsTested, total);
        }
    }
    uint flags = 0u;
    uint global_meshlet = 0u;
    if (live) {
        flags = instances[instance].flags;
        global_meshlet = meshes[instances[instance].mesh].first_meshlet + meshlet;
        bool visible;
        live = meshlet_passes(meshlet_bounds[global_meshlet], instance, flags, word, bit, visible);
        if (kPhase == 2u && visible) {
            atomicOr(visible_after[task], 1u << bit);
        }
    }
#ifdef SUBLETS
    group_masks[gl_LocalInvocationIndex] = 0u;
    if (gl_LocalInvocationIndex < kDrawClasses) {
        group_appended[gl_LocalInvocationIndex] = 0u;
        group_base[gl_LocalInvocationIndex] = 0u;
    }
    if (gl_LocalInvocationIndex == 0u) {
        group_count = 0u;
    }
    barrier();
    uvec4 ballot = subgroupBallot(live);
    uint total = subgroupBallotBitCount(ballot);
    uint base = 0u;
    if (subgroupElect() && total != 0u) {
        base = atomicAdd(group_count, total);
    }
    base = subgroupBroadcastFirst(base);
    if (live) {
        group_survivors[base + subgroupBallotExclusiveBitCount(ballot)] = uvec2(instance, meshlet);
    }
    if (kCount) {
        // With kPrimitiveBits phase 2 looks again at those that phase 1 drew: they count as drawn once.
        bool drawn_before = kPrimitiveBits && kPhase == 2u && (word >> bit & 1u) != 0u;
        uint drawn = subgroupBallotBitCount(subgroupBallot(live && !drawn_before));
        if (subgroupElect() && total != 0u) {
            count(kCounterMeshletsDrawn, drawn);
        }
    }
    barrier();
    cull_sublets();
#else
    MeshletRange range = MeshletRange(0u, 0u);
    if (live) {
        range = ranges[global_meshlet];
    }
    // One atomic per class and subgroup. The loop is uniform: every lane takes part in every ballot.
    for (uint draw_class = 0u; draw_class < kDrawClasses; ++draw_class) {
        bool mine = live && (flags & kInstanceClassMask) == draw_class;
        uvec4 ballot = subgroupBallot(mine);
        uint total = subgroupBallotBitCount(ballot);
        if (total == 0u) {
            continue;
        }
        uint base = 0u;
        if (subgroupElect()) {
            base = atomicAdd(state.draws[draw_class * 4u + 1u], total);
        }
        base = frame.class_base[draw_class] + subgroupBroadcastFirst(base);
        if (mine) {
            write_survivor(base + subgroupBallotExclusiveBitCount(ballot), instance, meshlet, range);
        }
    }
    if (kCount) {
        uint drawn = subgroupBallotBitCount(subgroupBallot(live));
        uint triangles = subgroupAdd(range.triangle_count);
        if (subgroupElect() && drawn != 0u) {
            count(kCounterMeshletsDrawn, drawn);
            count(kCounterPrimitivesDrawn, triangles);
        }
    }
#endif
}
