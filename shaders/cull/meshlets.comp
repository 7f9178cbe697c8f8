// Culls meshlets: one lane per meshlet of a surviving task, 32 lanes a task. Tests frustum and cone, and appends the
// survivors of each draw class to its list, with the indexed indirect draw of each.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_arithmetic : require

#include "scene_bindings.glsl"
layout(set = 0, binding = 4, std430) readonly buffer Tasks { Task tasks[]; };
layout(set = 0, binding = 5, std430) readonly buffer WorkList { uint work_list[]; };
layout(set = 0, binding = 6, std430) buffer State { CullState state; };
layout(set = 0, binding = 7, std430) readonly buffer MeshletBounds { Bound meshlet_bounds[]; };
layout(set = 0, binding = 8, std430) readonly buffer Ranges { MeshletRange ranges[]; };
layout(set = 0, binding = 9, std430) writeonly buffer Survivors { uvec2 survivors[]; };
layout(set = 0, binding = 10, std430) writeonly buffer Draws { uint draws[]; };

layout(local_size_x = 128) in;
layout(constant_id = 0) const bool kCount = false;
layout(constant_id = 1) const bool kWriteDraws = true;      // VkDrawIndexedIndirectCommands too
layout(constant_id = 2) const bool kFirstInstance = false;  // with the slot as their first instance

#include "expansion/task_list.glsl"
#include "cull/counters.glsl"
#include "cone.glsl"
#include "frustum.glsl"
#include "vertex.glsl"

void write_survivor(uint slot, uint instance, uint meshlet, MeshletRange range) {
    survivors[slot] = uvec2(instance, meshlet);
    if (kWriteDraws) {
        uint word = slot * 5u;
        draws[word] = range.triangle_count * 3u;
        draws[word + 1u] = 1u;
        draws[word + 2u] = range.first_triangle * 3u;
        draws[word + 3u] = range.first_vertex;
        draws[word + 4u] = kFirstInstance ? slot : 0u;
    }
}

void main() {
    uint work = (gl_WorkGroupID.y * kDispatchRow + gl_WorkGroupID.x) * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    uint source;
    uint item;
    bool live = expansion_pop(work, source, item);
    uint instance = 0u;
    uint meshlet = 0u;
    if (live) {
        Task task = tasks[source];
        instance = task.instance;
        meshlet = (task.chunk_and_count >> 6u) * kTaskMeshlets + item;
        live = item < (task.chunk_and_count & 63u);
    }
    if (kCount) {
        uint tested = subgroupBallotBitCount(subgroupBallot(live));
        if (subgroupElect()) {
            count(kCounterMeshletsTested, tested);
        }
    }
    uint flags = 0u;
    uint global_meshlet = 0u;
    if (live) {
        flags = instances[instance].flags;
        global_meshlet = meshes[instances[instance].mesh].first_meshlet + meshlet;
        Bound bound = meshlet_bounds[global_meshlet];
        float scale = instances[instance].scale;
        vec3 center = transform_point(instances[instance].transform, bound.sphere.xyz);
        float radius = bound.sphere.w * scale;
        if ((frame.cull_flags & kCullFrustum) != 0u) {
            live = sphere_in_frustum(frame.cull, center, radius);
        }
        if (live && (frame.cull_flags & kCullCone) != 0u && (flags & kInstanceConeTest) != 0u) {
            vec3 axis = vec3(dot(instances[instance].transform[0].xyz, bound.cone.xyz),
                             dot(instances[instance].transform[1].xyz, bound.cone.xyz),
                             dot(instances[instance].transform[2].xyz, bound.cone.xyz)) /
                        scale;
            live = !cone_faces_away(frame.cull, center, radius, axis, bound.cone.w);
        }
    }
    MeshletRange range = MeshletRange(0u, 0u, 0u, 0u);
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
}
