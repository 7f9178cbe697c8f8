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

const uint kWords = kClusterBatch / 32u;

shared uint wanted[kWords];         // a bit for each light of the batch
shared uint words_start[kWords];    // of those before a word
shared uint listed[kClusterBatch];  // the lights that are wanted, ascending
// Some of them: lanes all look at the same one, and would wait for memory each time.
shared vec4 spheres_here[kClusterLanes];
shared vec4 cones_here[kClusterLanes];
shared uint numbers_here[kClusterLanes];

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
        }
    }
}

// Lists those that are wanted. Returns how many.
uint list_wanted(uint first) {
    const uint kLanesPerWord = kClusterLanes / kWords;
    const uint kBits = 32u / kLanesPerWord;
    uint lane = gl_LocalInvocationIndex;
    if (lane < kWords) {
        uint before = 0u;
        for (uint i = 0u; i < lane; ++i) {
            before += bitCount(wanted[i]);
        }
        words_start[lane] = before;
    }
    barrier();
    uint word = lane / kLanesPerWord;
    uint bit = lane % kLanesPerWord * kBits;
    uint place = words_start[word] + bitCount(bitfieldExtract(wanted[word], 0, int(bit)));
    for (uint left = bitfieldExtract(wanted[word], int(bit), int(kBits)); left != 0u; left &= left - 1u) {
        listed[place++] = first + word * 32u + bit + uint(findLSB(left));
    }
    return words_start[kWords - 1u] + bitCount(wanted[kWords - 1u]);
}

// Of this lane's cluster.
ViewPart own;
bool inside;  // it is one of the view
bool writes;  // its list is written
uint list;    // where that lies
uint count;

// By all lanes: at `lights` lights, each lane bringing one of them.
void look_at(uint i, uint lights) {
    uint lane = gl_LocalInvocationIndex;
    barrier();
    if (lane < lights) {
        spheres_here[lane] = in_view[i].sphere;
        cones_here[lane] = in_view[i].cone;
        numbers_here[lane] = in_view[i].number;
    }
    barrier();
    for (uint k = 0u; k < lights && inside; ++k) {
        if (reaches(own, spheres_here[k], cones_here[k])) {
            if (writes) {
                words[list + count] = numbers_here[k];
            }
            ++count;
        }
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
        if (lane < kWords) {
            wanted[lane] = 0u;
        }
        barrier();
        look_at_batch(block, first, lights);
        barrier();
        uint more = list_wanted(first);
        barrier();
        for (uint from = 0u; from < more; from += kClusterLanes) {
            uint i = listed[min(from + lane, more - 1u)];
            if (!second && from + lane < more && found + from + lane + 1u < kClusterBlockWords) {
                blocks[of_block + found + from + lane + 1u] = i;
            }
            look_at(i, min(more - from, kClusterLanes));
        }
        found += more;
        barrier();
    }
    for (uint from = 0u; !looks_again && from < kept; from += kClusterLanes) {
        look_at(blocks[of_block + min(from + lane, kept - 1u) + 1u], min(kept - from, kClusterLanes));
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
