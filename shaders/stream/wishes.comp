// Finds out which groups of levels of detail a view wants (cull/cut.glsl): those that it would refine if they were
// there, and whose sphere lies within the frustum, whether culling is on or not. What hides them is not looked at. A
// group that is there is stamped with the number of the frame; one that is not is wished for, by as many times as its
// error seems larger than what is asked for.
//
// Groups that lie a bit outside of the frustum (WishesConstants::ahead) are wanted for frames to come: half as much.
//
// What is drawn of a group that is wanted and not there, meshlets that were simplified from it, may reach out of its
// sphere: where the bound of one lies within the frustum the group is wished for, too. So where nothing is wished for,
// a view shows what it would if all groups were there.
//
// 32 of all tasks a workgroup, tested by their instances, a lane each; then the meshlets of those that pass.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "shared/passes.h"
#include "scene/bindings.glsl"
layout(set = kPassSet, binding = kBindStamps, std430) buffer Stamps { uint stamps[]; };

layout(local_size_x = 128) in;

layout(push_constant) uniform Push { WishesConstants constants; };

#include "cull/bound_visible.glsl"
#include "cull/cut_places.glsl"
#include "expansion/entries.glsl"
#include "scene/tasks.glsl"

shared uvec2 group_tasks[kWishTasks];
shared uint group_count;

// Outside of the frustum that culls; without frustum culling, of what is seen.
bool outside(vec4 sphere) {
    if ((frame.cull_flags & kCullFrustum) != 0u) {
        return bound_outside(sphere);
    }
    return !sphere_in_frustum(frame.view, sphere, kFrustumSlack);
}

// The same of what is a bit larger: for frames to come.
bool outside_ahead(vec4 sphere) {
    sphere.w += constants.ahead * length(vec3(sphere) - vec3(frame.cut_eye));
    return outside(sphere);
}

// How many times larger than what is asked for the error of a group seems, which is more than once. Within its sphere
// that has no bound, and is what it is from a bit outside.
float error_seen(uint group, Instance of) {
    float error = of.scale * (frame.cut_scale * lod_groups[group].error);
    if (frame.cut_eye.w != 0.0f) {
        return error;
    }
    vec4 sphere = placed_sphere(vec4(lod_groups[group].sphere), of);
    float distance = length(vec3(sphere) - vec3(frame.cut_eye)) - sphere.w - frame.cut_slack;
    return error / max(distance, max(frame.cut_least, 0.1f * sphere.w));
}

void add_demand(uint group) { atomicAdd(stamps[kStampDemand], lod_groups[group].reserved[0]); }

void wish(uint group, Instance of, bool seen) {
    float times = error_seen(group, of);
    uint pixels = floatBitsToUint(clamp(seen ? times : 0.5f * times, 1.0f, 1e30f));
    uint at = kStampList + constants.wish_room + group;
    if (stamps[at] >= pixels) {
        return;
    }
    if (seen) {
        atomicMax(stamps[kStampLargest], pixels);
    }
    if (atomicMax(stamps[at], pixels) != 0u) {
        return;
    }
    add_demand(group);
    uint slot = atomicAdd(stamps[kStampWishes], 1u);
    if (slot < constants.wish_room) {
        stamps[kStampList + slot] = group;
    }
}

void use(uint group) {
    uint at = kStampList + constants.wish_room + constants.groups + group;
    if (stamps[at] != constants.stamp && atomicMax(stamps[at], constants.stamp) < constants.stamp) {
        add_demand(group);
    }
}

void look_at(uint instance, uint place) {
    Instance of = instances[instance];
    uint first = meshes[of.mesh].first_meshlet;
    uint group = cut_places[first + place].group;
    if (!refines(group, of, 0.0f)) {
        return;
    }
    bool absent = group_is_absent(group);
    vec4 sphere = placed_sphere(vec4(lod_groups[group].sphere), of);
    bool seen = !outside(sphere);
    if (seen || !outside_ahead(sphere)) {
        if (absent) {
            wish(group, of, seen);
        } else {
            use(group);
        }
    }
    uint from = cut_places[first + place].simplified_from;
    if (absent || from == kNoLodGroup || !group_is_absent(from) || !refines(from, of, 0.0f)) {
        return;
    }
    if (!outside(placed_sphere(meshlet_bounds[first + cut_places[first + place].meshlet].sphere, of))) {
        wish(from, of, true);
    }
}

void main() {
    uint lane = gl_LocalInvocationIndex;
    uint number = (gl_WorkGroupID.y * kDispatchRow + gl_WorkGroupID.x) * kWishTasks + lane;
    if (lane == 0u) {
        group_count = 0u;
    }
    barrier();
    if (lane < kWishTasks && number < frame.task_count) {
        uvec2 task = task_of(number);
        Instance of = instances[task.x];
        if (has_cut(of.mesh) && !flags_hide(of.flags) && !outside_ahead(placed_sphere(meshes[of.mesh].sphere, of)) &&
            entry_first(task.y, kTaskMeshlets) < places_of(task.x).y) {
            group_tasks[atomicAdd(group_count, 1u)] = task;
        }
    }
    barrier();
    for (uint i = lane / kTaskMeshlets; i < group_count; i += gl_WorkGroupSize.x / kTaskMeshlets) {
        uint place = lane % kTaskMeshlets;
        if (entry_has(group_tasks[i].y, place, kTaskMeshlets)) {
            look_at(group_tasks[i].x, entry_first(group_tasks[i].y, kTaskMeshlets) + place);
        }
    }
}
