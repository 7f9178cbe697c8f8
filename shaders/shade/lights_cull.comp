// Which lights with a range reach into the view: a lane for each says so, and, when a prefix sum has turned that into
// places, in a second run writes those that do in their order.
//
// Reads: lights. Writes: a word for each; then ClusterLight of those in view, and how many there are.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "shared/lights.h"
#include "scene/bindings.glsl"
layout(set = kPassSet, binding = kBindLights, std430) readonly buffer Lights { PunctualLight lights[]; };
layout(set = kPassSet, binding = kBindLightOrder, std430) buffer Order { uint order[]; };
layout(set = kPassSet, binding = kBindLightsInView, std430) writeonly buffer InView { ClusterLight in_view[]; };
layout(set = kPassSet, binding = kBindClusters, std430) buffer Clusters { ClusterState clusters; };

layout(local_size_x = 64) in;
layout(push_constant) uniform Push { ClusterConstants constants; };

#include "shade/clusters.glsl"
#include "shade/cluster_bounds.glsl"

// Of one that an animation leaves without a range, for a while.
const float kFarAway = 1e18;

ClusterLight light_in_view(uint number) {
    PunctualLight light = lights[number];
    vec3 place = light.position.xyz;
    float range = light.position.w > 0.0 ? light.position.w * clusters.reach : kFarAway;
    // Places are rounded, here and where surfaces are lit.
    float rounding = 4e-6 * (frame.view.forward.w + abs(place.x) + abs(place.y) + abs(place.z));
    ClusterLight made;
    made.sphere = vec4(view_direction(place - frame.view.eye.xyz), range * 1.0005 + rounding);
    bool spot = light.kind == kLightSpot;
    made.cone = vec4(spot ? view_direction(light.direction.xyz) : vec3(0.0),
                          spot ? max(light.direction.w - 1e-3, 0.0) : -1.0);
    made.number = number;
    return made;
}

void main() {
    uint lane = (gl_WorkGroupID.y * kDispatchRow + gl_WorkGroupID.x) * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    uint count = clusters.lights - clusters.everywhere;
    if (lane >= count) {
        return;
    }
    ClusterLight light = light_in_view(clusters.everywhere + lane);
    if (constants.write == 0u) {
        ViewPart all = part_of_pixels(uvec2(0u), constants.size, constants.size, slice_distances(0u, kClusterSlices));
        order[lane] = reaches(all, light.sphere, light.cone) ? 1u : 0u;
        return;
    }
    uint end = order[lane];
    if (end != (lane == 0u ? 0u : order[lane - 1u])) {
        in_view[end - 1u] = light;
    }
    if (lane == count - 1u) {
        clusters.in_view = end;
    }
}
