// Bounds of meshes that deform, as they are now: a workgroup for each joins the spheres of its meshlets to a box and a
// sphere, in its mesh header.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "scene/bindings.glsl"
layout(set = kPassSet, binding = kBindWrittenMeshes, std430) buffer WrittenMeshes { MeshHeader written_meshes[]; };

layout(local_size_x = 64) in;

layout(push_constant) uniform Push { DeformConstants constants; };

#include "scene/deformed_mesh.glsl"

const float kFar = 3e38;

shared vec3 lowest[64];
shared vec3 highest[64];
shared float farthest[64];

void main() {
    uint number = gl_WorkGroupID.y * kDispatchRow + gl_WorkGroupID.x;
    if (number >= constants.count) {
        return;
    }
    uint lane = gl_LocalInvocationIndex;
    DeformedMesh d = deformed_record(number);
    uint count = written_meshes[d.mesh].meshlet_count;
    vec3 low = vec3(kFar);
    vec3 high = vec3(-kFar);
    for (uint i = lane; i < count; i += 64u) {
        vec4 sphere = meshlet_bounds[d.first_meshlet + i].sphere;
        low = min(low, sphere.xyz - sphere.w);
        high = max(high, sphere.xyz + sphere.w);
    }
    lowest[lane] = low;
    highest[lane] = high;
    for (uint step = 32u; step != 0u; step >>= 1u) {
        barrier();
        if (lane < step) {
            lowest[lane] = min(lowest[lane], lowest[lane + step]);
            highest[lane] = max(highest[lane], highest[lane + step]);
        }
    }
    barrier();
    vec3 center = 0.5 * lowest[0] + 0.5 * highest[0];
    float radius = 0.0;
    for (uint i = lane; i < count; i += 64u) {
        vec4 sphere = meshlet_bounds[d.first_meshlet + i].sphere;
        radius = max(radius, distance(sphere.xyz, center) + sphere.w);
    }
    farthest[lane] = radius;
    for (uint step = 32u; step != 0u; step >>= 1u) {
        barrier();
        if (lane < step) {
            farthest[lane] = max(farthest[lane], farthest[lane + step]);
        }
    }
    if (lane == 0u) {
        vec3 size = max(abs(lowest[0]), abs(highest[0]));
        float margin = 1e-6 * max(size.x, max(size.y, size.z));  // for what was rounded
        written_meshes[d.mesh].sphere = vec4(center, farthest[0] * 1.00001 + margin);
        written_meshes[d.mesh].aabb_min.xyz = lowest[0] - margin;
        written_meshes[d.mesh].aabb_max.xyz = highest[0] + margin;
    }
}
