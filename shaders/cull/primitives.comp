// Culls single triangles for the compact backend: 32 lanes a surviving sublet, 8 sublets a workgroup at a time. Survivors' indices go to
// one transient index buffer, a region for each draw class: slot of the sublet within the round * 32 + vertex. One atomic per
// workgroup and turn.
//
// SUBGROUP32: lanes of a sublet exchange by subgroup operations, for subgroups of at least 32 lanes; else by shared memory.
#version 460
#extension GL_GOOGLE_include_directive : require
#ifdef SUBGROUP32
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#endif

#include "scene_bindings.glsl"
#include "decoded_bindings.glsl"
#include "mesh_bindings.glsl"
layout(set = 0, binding = 9, std430) readonly buffer Survivors { uvec2 survivors[]; };
layout(set = 0, binding = 10, std430) buffer State { CullState state; };
layout(set = 0, binding = 11, std430) writeonly buffer CompactIndices { uint compact_indices[]; };

layout(local_size_x = 256) in;
layout(constant_id = 0) const bool kCount = false;

layout(push_constant) uniform Constants {
    uvec4 first_slot;   // xyz: for each class, the round's first slot of its list of sublets
    uvec4 slots;        // xyz: how many slots a round takes
    uvec4 first_index;  // xyz: where its region of the index buffer starts
};

#define PRIMITIVE_LANES 256
#include "cull/counters.glsl"
#include "primitive_cull.glsl"
#include "sublet_geometry.glsl"
#include "cull/sublet_primitives.glsl"

const uint kUnits = kPrimitiveGroupSublets;

shared uint unit_triangles[kUnits];
shared uint group_base;

void main() {
    uint draw_class = gl_WorkGroupID.y;
    uint lane = gl_LocalInvocationIndex & 31u;
    uint unit = gl_LocalInvocationIndex >> 5u;
    uint listed = state.sublets[draw_class];
    uint end = min(first_slot[draw_class] + slots[draw_class], listed);
    // Workgroups stride over the slots: as many turns as it takes, however many there are.
    for (uint first = first_slot[draw_class] + gl_WorkGroupID.x * kUnits; first < end; first += gl_NumWorkGroups.x * kUnits) {
        uint slot = first + unit;
        Sublet sublet;
        sublet.instance = 0u;
        sublet.triangle_count = 0u;
        sublet.vertex_count = 0u;
        if (slot < end) {
            uvec2 entry = survivors[frame.sublet_class_base[draw_class] + slot];
            sublet = load_sublet(entry.x, entry.y);
        }
        SubletLane result = cull_sublet_primitives(sublet, lane, draw_class);

#ifdef SUBGROUP32
        uint triangles = subgroupBallot(result.keep)[gl_SubgroupInvocationID >> 5u];
        if (lane == 0u) {
            unit_triangles[unit] = triangles;
        }
#else
        if (lane == 0u) {
            unit_triangles[unit] = 0u;
        }
        barrier();
        if (result.keep) {
            atomicOr(unit_triangles[unit], 1u << lane);
        }
#endif
        barrier();
        uint before = 0u;
        uint total = 0u;
        for (uint i = 0u; i < kUnits; ++i) {
            before = i == unit ? total : before;
            total += bitCount(unit_triangles[i]);
        }
        if (gl_LocalInvocationIndex == 0u && total != 0u) {
            group_base = atomicAdd(state.compact_draws[draw_class * 5u], total * 3u);
            if (kCount) {
                count(kCounterPrimitivesDrawn, total);
            }
        }
        if (kCount && lane == 0u && sublet.triangle_count != 0u) {
            count(kCounterPrimitivesTested, sublet.triangle_count);
        }
        barrier();
        if (result.keep) {
            uint rank = before + bitCount(unit_triangles[unit] & ((1u << lane) - 1u));
            uint index = first_index[draw_class] + group_base + rank * 3u;
            uint vertex = (slot - first_slot[draw_class]) * kSubletSize;
            compact_indices[index] = vertex + result.triangle.x;
            compact_indices[index + 1u] = vertex + result.triangle.y;
            compact_indices[index + 2u] = vertex + result.triangle.z;
        }
        barrier();  // before the next turn writes what this one read
    }
}
