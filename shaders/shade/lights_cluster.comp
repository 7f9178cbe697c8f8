// Lists the lights that may reach into each cluster of the view: counts them, and, when a prefix sum has turned counts
// into places, in a second run writes their numbers. A workgroup takes a block of clusters, several lanes for each. It
// looks at the lights of the large block around it (shade/lights_blocks.comp). Its clusters look at those that may
// reach into the block. The second run reads which these are, unless they were too many to keep. Order is kept all the
// way.
//
// Reads: lights in view, lists of large blocks. Writes: words of clusters, and of blocks; then lists, and how many
// there are.
#version 460
#extension GL_GOOGLE_include_directive : require

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

// Lanes of a cluster, each of which looks at as many lights of a batch: one for each lane of the workgroup.
const uint kLanesOfCluster = kClusterLanes / (kClusterBlock * kClusterBlock * kClusterBlock);
const uint kLightsOfLane = kClusterLanes / kLanesOfCluster;

shared uint wanted[kClusterLanes / 32u];  // a bit for each light of the batch that reaches into the block
// Those lights: lanes all look at the same ones, and would wait for memory each time.
shared vec4 spheres_here[kClusterLanes];
shared vec4 cones_here[kClusterLanes];
shared uint numbers_here[kClusterLanes];
shared uint counts[kClusterLanes];  // of what a lane found for its cluster

// Of this lane's cluster.
ViewPart own;
bool inside;  // it is one of the view
bool writes;  // its list is written
uint list;    // where that lies
uint count;   // of all of its lanes

// By all lanes: brings the lights that are wanted together. `i`: of those in view, this lane's. Returns how many they
// are; `found`: those of the batches before.
uint gather(uint i, vec4 sphere, vec4 cone, bool hit, uint kept_from, uint found) {
    uint lane = gl_LocalInvocationIndex;
    if (lane < kClusterLanes / 32u) {
        wanted[lane] = 0u;
    }
    barrier();
    if (hit) {
        atomicOr(wanted[lane / 32u], 1u << (lane % 32u));
    }
    barrier();
    uint place = 0u;
    uint all = 0u;
    for (uint word = 0u; word < kClusterLanes / 32u; ++word) {
        uint bits = wanted[word];
        all += bitCount(bits);
        place += word < lane / 32u ? bitCount(bits)
                 : word == lane / 32u ? bitCount(bitfieldExtract(bits, 0, int(lane % 32u))) : 0u;
    }
    if (hit) {
        spheres_here[place] = sphere;
        cones_here[place] = cone;
        numbers_here[place] = in_view[i].number;
        if (found + place + 1u < constants.block_words && kept_from != 0u) {
            blocks[kept_from + found + place] = i;
        }
    }
    barrier();
    return all;
}

// By all lanes: at the lights that were gathered.
void look_at(uint lights) {
    uint lane = gl_LocalInvocationIndex;
    uint first_lane = lane - lane % kLanesOfCluster;
    uint hits = 0u;
    for (uint k = 0u; k < kLightsOfLane; ++k) {
        uint light = lane % kLanesOfCluster * kLightsOfLane + k;
        if (inside && light < lights && reaches(own, spheres_here[light], cones_here[light])) {
            hits |= 1u << k;
        }
    }
    counts[lane] = bitCount(hits);
    barrier();
    uint before = 0u;
    uint all = 0u;
    for (uint k = 0u; k < kLanesOfCluster; ++k) {
        before += first_lane + k < lane ? counts[first_lane + k] : 0u;
        all += counts[first_lane + k];
    }
    for (uint at = list + count + before; writes && hits != 0u; hits &= hits - 1u) {
        words[at++] = numbers_here[lane % kLanesOfCluster * kLightsOfLane + uint(findLSB(hits))];
    }
    count += all;
}

void main() {
    uint lane = gl_LocalInvocationIndex;
    uint of_block = lane / kLanesOfCluster;
    uvec3 low = gl_WorkGroupID * kClusterBlock;
    uvec3 place = low + uvec3(of_block % kClusterBlock, of_block / kClusterBlock % kClusterBlock,
                              of_block / (kClusterBlock * kClusterBlock));
    uvec3 high = uvec3(min(low.xy + kClusterBlock, clusters.tiles), low.z + kClusterBlock);
    ViewPart block = part_of_clusters(low, high);
    own = part_of_clusters(place, place + 1u);
    inside = all(lessThan(place, high));
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

    uint kept_words = ((gl_WorkGroupID.z * gl_NumWorkGroups.y + gl_WorkGroupID.y) * gl_NumWorkGroups.x +
                       gl_WorkGroupID.x) * constants.block_words;
    uint large = large_block_words(clusters, constants.large_blocks, low / kLargeBlock);
    uint kept = second ? blocks[kept_words] : constants.block_words;
    bool reads_kept = kept < constants.block_words;
    uint source = reads_kept ? kept_words : large;  // how many lights, then which
    uint lights = reads_kept ? kept : blocks[large];
    uint found = 0u;
    for (uint first = 0u; first < lights; first += kClusterLanes) {
        uint i = blocks[source + 1u + min(first + lane, lights - 1u)];
        vec4 sphere = in_view[i].sphere;
        vec4 cone = in_view[i].cone;
        bool hit = first + lane < lights && (reads_kept || reaches(block, sphere, cone));
        uint more = gather(i, sphere, cone, hit, second ? 0u : kept_words + 1u, found);
        look_at(more);
        found += more;
        barrier();
    }
    if (!second && lane == 0u) {
        blocks[kept_words] = found;
    }
    if (!inside || lane % kLanesOfCluster != 0u) {
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
