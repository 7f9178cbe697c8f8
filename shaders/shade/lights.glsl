// Which punctual lights may reach what a pixel sees: those that reach everywhere, then those of its cluster, or all
// where the cluster's list has no room. Either way the numbers ascend, and what is left out gives no light: sums are
// the same to the bit. The includer has included scene/bindings.glsl, and declares `constants`.

#include "shared/lights.h"

layout(constant_id = kSpecLights) const bool kLights = false;

layout(set = kPassSet, binding = kBindClusters, std430) readonly buffer Clusters {
    ClusterState clusters;
    uint clusters_reserved[kClusterWords - 16u];
    PunctualLight lights[];
};
layout(set = kPassSet, binding = kBindClusters, std430) readonly buffer ClusterWords { uint cluster_words[]; };

#include "shade/clusters.glsl"

uint lights_found = 0u;
uint lights_before_list = 0u;  // those whose place in the order is their number
uint list_start = 0u;

uint lights_here() { return kLights ? lights_found : 0u; }

PunctualLight light_here(uint place) {
    return lights[place < lights_before_list ? place : cluster_words[list_start + place - lights_before_list]];
}

void find_lights(ivec2 pixel, float distance) {
    lights_found = clusters.lights;
    lights_before_list = clusters.lights;
    if (clusters.everywhere == clusters.lights) {
        return;
    }
    uvec3 place = uvec3(uvec2(pixel) / kClusterTile, cluster_slice(clusters, distance));
    uint cluster = cluster_number(clusters, place);
    uint place_of_end = clusters.first_end + cluster;
    uint begin = cluster == 0u ? 0u : cluster_words[place_of_end - 1u];
    uint end = cluster_words[place_of_end];
    if (list_has_room(clusters, begin, end)) {
        lights_before_list = clusters.everywhere;
        lights_found = clusters.everywhere + end - begin;
        list_start = clusters.first_end + cluster_count(clusters) + begin;
    }
}
