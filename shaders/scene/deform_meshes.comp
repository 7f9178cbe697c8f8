// Bounds of meshes that deform, as they are now: a workgroup for each joins the spheres of its meshlets to a box and a
// sphere, in its mesh header.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "scene/bindings.glsl"
layout(set = kPassSet, binding = kBindWrittenMeshes, std430) buffer WrittenMeshes { MeshHeader written_meshes[]; };
layout(set = kPassSet, binding = kBindPoseRounds, std430) readonly buffer PoseRounds { uint pose_rounds[]; };

// Lanes join what they found in two steps: each of eight what eight have, then each what these have.
const uint kSide = 8u;
const uint kLanes = kSide * kSide;
layout(local_size_x = kLanes) in;

layout(push_constant) uniform Push { DeformConstants constants; };

#include "scene/deformed_mesh.glsl"

const float kFar = 3e38;

shared vec3 lowest[kLanes];
shared vec3 highest[kLanes];
shared float farthest[kLanes];

// Of lanes `first` and each `step` behind, eight of them.
void join_boxes(uint first, uint step, inout vec3 low, inout vec3 high) {
    for (uint i = 0u; i < kSide; ++i) {
        low = min(low, lowest[first + i * step]);
        high = max(high, highest[first + i * step]);
    }
}
void join_radii(uint first, uint step, inout float radius) {
    for (uint i = 0u; i < kSide; ++i) {
        radius = max(radius, farthest[first + i * step]);
    }
}

void main() {
    uint number = gl_WorkGroupID.y * kDispatchRow + gl_WorkGroupID.x;
    if (number >= constants.count || pose_rounds[number] != constants.round) {
        return;
    }
    uint lane = gl_LocalInvocationIndex;
    DeformedMesh d = deformed_record(number);
    uint count = written_meshes[d.mesh].meshlet_count;
    vec3 low = vec3(kFar);
    vec3 high = vec3(-kFar);
    for (uint i = lane; i < count; i += kLanes) {
        vec4 sphere = meshlet_bounds[d.first_meshlet + i].sphere;
        low = min(low, sphere.xyz - sphere.w);
        high = max(high, sphere.xyz + sphere.w);
    }
    lowest[lane] = low;
    highest[lane] = high;
    barrier();
    if (lane < kSide) {
        join_boxes(lane, kSide, low, high);
        lowest[lane] = low;
        highest[lane] = high;
    }
    barrier();
    join_boxes(0u, 1u, low, high);
    vec3 center = 0.5 * low + 0.5 * high;
    float radius = 0.0;
    for (uint i = lane; i < count; i += kLanes) {
        vec4 sphere = meshlet_bounds[d.first_meshlet + i].sphere;
        radius = max(radius, distance(sphere.xyz, center) + sphere.w);
    }
    farthest[lane] = radius;
    barrier();
    if (lane < kSide) {
        join_radii(lane, kSide, radius);
        farthest[lane] = radius;
    }
    barrier();
    if (lane == 0u) {
        join_radii(0u, 1u, radius);
        vec3 size = max(abs(low), abs(high));
        float margin = 1e-6 * max(size.x, max(size.y, size.z));  // for what was rounded
        written_meshes[d.mesh].sphere = vec4(center, radius * 1.00001 + margin);
        written_meshes[d.mesh].aabb_min.xyz = low - margin;
        written_meshes[d.mesh].aabb_max.xyz = high + margin;
    }
}
