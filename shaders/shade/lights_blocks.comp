// Lists the lights that may reach into each large block of clusters, so that shade/lights_cluster.comp looks at few: a
// workgroup for each. All of its lanes look at lights, by batches, and keep their order.
//
// Reads: lights in view. Writes: for each block, how many they are, and which.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

#include "shared/lights.h"
#include "scene/bindings.glsl"
layout(set = kPassSet, binding = kBindLightsInView, std430) readonly buffer InView { ClusterLight in_view[]; };
layout(set = kPassSet, binding = kBindClusters, std430) readonly buffer Clusters { ClusterState clusters; };
layout(set = kPassSet, binding = kBindLightBlocks, std430) writeonly buffer Blocks { uint blocks[]; };

layout(local_size_x = kClusterLanes) in;
layout(push_constant) uniform Push { ClusterConstants constants; };

#include "shade/clusters.glsl"
#include "shade/cluster_bounds.glsl"

// Lights of a batch, several for each lane, so that what they wait for is on its way all at once.
const uint kLightsPerLane = 8u;
const uint kBatch = kLightsPerLane * kClusterLanes;
const uint kWords = kBatch / 32u;
const uint kLanesPerWord = kClusterLanes / kWords;
const uint kBits = 32u / kLanesPerWord;

shared uint wanted[kWords];       // a bit for each light of the batch
shared uint words_start[kWords];  // of those before a word

void look_at_batch(ViewPart block, uint first) {
    vec4 spheres[kLightsPerLane];
    vec4 cones[kLightsPerLane];
    [[unroll]] for (uint k = 0u; k < kLightsPerLane; ++k) {
        uint i = min(first + k * kClusterLanes + gl_LocalInvocationIndex, clusters.in_view - 1u);
        spheres[k] = in_view[i].sphere;
        cones[k] = in_view[i].cone;
    }
    [[unroll]] for (uint k = 0u; k < kLightsPerLane; ++k) {
        uint i = k * kClusterLanes + gl_LocalInvocationIndex;
        if (first + i < clusters.in_view && reaches(block, spheres[k], cones[k])) {
            atomicOr(wanted[i / 32u], 1u << (i % 32u));
        }
    }
}

// Lists those that are wanted from a place on, each lane some of their bits. Returns how many they are.
uint list_wanted(uint first, uint at) {
    uint lane = gl_LocalInvocationIndex;
    if (lane < kWords) {
        uint before = 0u;  // (Lanes that left the loop one after another would take many scalar registers.)
        for (uint i = 0u; i < kWords; ++i) {
            before += i < lane ? bitCount(wanted[i]) : 0u;
        }
        words_start[lane] = before;
    }
    barrier();
    uint word = lane / kLanesPerWord;
    uint bit = lane % kLanesPerWord * kBits;
    uint place = at + words_start[word] + bitCount(bitfieldExtract(wanted[word], 0, int(bit)));
    for (uint left = bitfieldExtract(wanted[word], int(bit), int(kBits)); left != 0u; left &= left - 1u) {
        blocks[place++] = first + word * 32u + bit + uint(findLSB(left));
    }
    return words_start[kWords - 1u] + bitCount(wanted[kWords - 1u]);
}

void main() {
    uvec3 low = gl_WorkGroupID * kLargeBlock;
    ViewPart block = part_of_clusters(low, uvec3(min(low.xy + kLargeBlock, clusters.tiles), low.z + kLargeBlock));
    uint list = large_block_words(clusters, constants.large_blocks, gl_WorkGroupID);
    uint found = 0u;
    for (uint first = 0u; first < clusters.in_view; first += kBatch) {
        if (gl_LocalInvocationIndex < kWords) {
            wanted[gl_LocalInvocationIndex] = 0u;
        }
        barrier();
        look_at_batch(block, first);
        barrier();
        found += list_wanted(first, list + 1u + found);
        barrier();
    }
    if (gl_LocalInvocationIndex == 0u) {
        blocks[list] = found;
    }
}
