// Lists the lights that may reach into each cluster of the view: a lane for each cluster counts them, and, when a
// prefix sum has turned counts into places, in a second run writes their numbers. A workgroup's clusters are a block.
// All of its lanes look at the lights, by batches; those of clusters then at the ones that may reach into the block, in
// their order. The second run reads which these are, unless they were too many to keep.
//
// Reads: lights in view. Writes: words of clusters, and of blocks; then lists, and how many there are.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

#include "shared/lights.h"
#include "scene/bindings.glsl"
layout(set = kPassSet, binding = kBindLightsInView, std430) readonly buffer InView { ClusterLight in_view[]; };
layout(set = kPassSet, binding = kBindClusters, std430) buffer Clusters {
    ClusterState clusters;
    uint words[];
};
const uint kStateWords = 16u;  // which `words` does not count

layout(set = kPassSet, binding = kBindLightBlocks, std430) buffer Blocks { uint blocks[]; };

layout(local_size_x = kClusterLanes) in;
layout(push_constant) uniform Push { ClusterConstants constants; };

#include "shade/clusters.glsl"
#include "shade/cluster_bounds.glsl"

const uint kLightsPerLane = kClusterBatch / kClusterLanes;

shared uint wanted[kClusterBatch / 32u];  // a bit for each light of the batch,
shared uint wanted_words;                 // and for each of these words

ViewPart part_of_clusters(uvec3 low, uvec3 high) {
    return part_of_pixels(low.xy * kClusterTile, min(high.xy * kClusterTile, constants.size), constants.size,
                          slice_distances(low.z, high.z));
}

void look_at_batch(ViewPart block, uint first, uint lights) {
    vec4 spheres[kLightsPerLane];
    vec4 cones[kLightsPerLane];
    [[unroll]] for (uint k = 0u; k < kLightsPerLane; ++k) {
        uint i = min(first + k * kClusterLanes + gl_LocalInvocationIndex, lights - 1u);
        spheres[k] = in_view[i].sphere;
        cones[k] = in_view[i].cone;
    }
    [[unroll]] for (uint k = 0u; k < kLightsPerLane; ++k) {
        uint i = k * kClusterLanes + gl_LocalInvocationIndex;
        if (first + i < lights && reaches(block, spheres[k], cones[k])) {
            atomicOr(wanted[i / 32u], 1u << (i % 32u));
            atomicOr(wanted_words, 1u << (i / 32u));
        }
    }
}

// Of this lane's cluster.
ViewPart own;
bool inside;   // it is one of the view
bool writes;   // its list is written
uint list;     // where that lies
uint count;

void look_at(uint i) {
    if (inside && reaches(own, in_view[i].sphere, in_view[i].cone)) {
        if (writes) {
            words[list + count] = in_view[i].number;
        }
        ++count;
    }
}

void main() {
    uint lane = gl_LocalInvocationIndex;
    uvec3 first_place = gl_WorkGroupID * kClusterBlock;
    uvec3 place = first_place + uvec3(lane % kClusterBlock, lane / kClusterBlock % kClusterBlock,
                                      lane / (kClusterBlock * kClusterBlock));
    uvec3 end_place = uvec3(min(first_place.xy + kClusterBlock, clusters.tiles), first_place.z + kClusterBlock);
    ViewPart block = part_of_clusters(first_place, end_place);
    own = part_of_clusters(place, place + 1u);
    inside = all(lessThan(place, end_place));
    uint cluster = cluster_number(clusters, place);
    uint first_end = clusters.first_end - kStateWords;
    bool second = constants.write != 0u;
    uint begin = 0u;
    uint end = 0u;
    if (inside && second) {
        begin = cluster == 0u ? 0u : words[first_end + cluster - 1u];
        end = words[first_end + cluster];
    }
    bool room = list_has_room(clusters, begin, end);
    writes = second && inside && room;
    list = first_end + cluster_count(clusters) + begin;
    count = 0u;
    uint lights = clusters.in_view;
    uint of_block = ((gl_WorkGroupID.z * gl_NumWorkGroups.y + gl_WorkGroupID.y) * gl_NumWorkGroups.x +
                     gl_WorkGroupID.x) * kClusterBlockWords;
    uint kept = second ? blocks[of_block] : kClusterBlockWords;
    bool looks_again = kept >= kClusterBlockWords;
    uint found = 0u;
    for (uint first = 0u; looks_again && first < lights; first += kClusterBatch) {
        if (lane < kClusterBatch / 32u) {
            wanted[lane] = 0u;
        }
        if (lane == 0u) {
            wanted_words = 0u;
        }
        barrier();
        look_at_batch(block, first, lights);
        barrier();
        for (uint words_left = wanted_words; words_left != 0u; words_left &= words_left - 1u) {
            uint word = uint(findLSB(words_left));
            for (uint left = wanted[word]; left != 0u; left &= left - 1u) {
                uint i = first + word * 32u + uint(findLSB(left));
                look_at(i);
                ++found;
                if (!second && lane == 0u && found < kClusterBlockWords) {
                    blocks[of_block + found] = i;
                }
            }
        }
        barrier();
    }
    for (uint i = 1u; !looks_again && i <= kept; ++i) {
        look_at(blocks[of_block + i]);
    }
    if (!second && lane == 0u) {
        blocks[of_block] = found;
    }
    if (!inside) {
        return;
    }
    if (!second) {
        words[first_end + cluster] = min(count, clusters.most + 1u);
        return;
    }
    if (!room) {
        atomicAdd(clusters.too_long, 1u);
    }
    if (cluster == cluster_count(clusters) - 1u) {
        clusters.listed = end;
    }
}
