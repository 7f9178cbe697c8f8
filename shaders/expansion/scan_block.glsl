// One workgroup's part of a prefix sum: a partition of gl_WorkGroupSize.x * kVectors * 4 consecutive elements. For any
// subgroup size, and for subgroups that are not full.
//
// Each subgroup owns a consecutive part; within it vector k of the lanes is consecutive too, so that 16-byte loads and
// stores coalesce and yet only sums of whole subgroups cross through shared memory.
//
// Loops over a lane's vectors are unrolled, or they would lie in memory and not in registers.
//
// NARROW: the sums of parts are kept up to kNarrowLimit, where they stay: reaching it is an overflow, never a wrap.
#include "shared/bindings.h"
#include "shared/scan.h"
#include "shared/scene.h"

layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint kVectors = 4u;            // a lane's 16-byte vectors
layout(constant_id = 2) const bool kFullSubgroups = false;  // every subgroup is, and they are numbered in order

// [0] is read and [1] is written. Both may be the same memory, for which they must be one variable: the compiler may
// take it that variables do not alias. No element is accessed by both views: the last partition, when it is not full,
// goes by single elements, all others by vectors.
#ifndef ELEMENT_ACCESS
#define ELEMENT_ACCESS
#endif
layout(set = kPassSet, binding = kBindScanVectors, std430) ELEMENT_ACCESS buffer Vectors { uvec4 data[]; } vectors[2];
layout(set = kPassSet, binding = kBindScanElements, std430) ELEMENT_ACCESS buffer Elements { uint data[]; } elements[2];
layout(set = kPassSet, binding = kBindScanState, std430) buffer State { ScanState state; };
layout(set = kPassSet, binding = kBindScanCount, std430) readonly buffer Count { uint counts[]; };

layout(push_constant) uniform Push { ScanConstants push; };

const uint kPartition = gl_WorkGroupSize.x * kVectors * 4u;

uint scan_count() {
    return (push.flags & kScanCountFromBuffer) != 0u ? min(counts[push.count_index], push.count) : push.count;
}

uint partition_count(uint count) {
    return count / kPartition + (count % kPartition != 0u ? 1u : 0u);
}

bool scan_inclusive() {
    return (push.flags & kScanInclusive) != 0u;
}

uint group_index() {
    return gl_WorkGroupID.y * kDispatchRow + gl_WorkGroupID.x;
}

#ifdef NARROW
const uint kNarrowLimit = 1u << 30u;

// a, b <= kNarrowLimit
uint sum_of(uint a, uint b) {
    return min(a + b, kNarrowLimit);
}
// Of all active lanes. The 128 * 2^22 at most of the upper parts do not wrap; below 2^23 of them the sum does not
// either.
uint subgroup_sum(uint value) {
    uint upper = subgroupAdd(value >> 8u);
    uint sum = subgroupAdd(value);
    return upper >= 1u << 23u ? kNarrowLimit : min(sum, kNarrowLimit);
}
#else
uint sum_of(uint a, uint b) {
    return a + b;
}
uint subgroup_sum(uint value) {
    return subgroupAdd(value);
}
#endif

// This lane's place: its rank among the lanes of its subgroup, how many those are, and how many are in the subgroups
// before. gl_SubgroupSize would not do: a subgroup may have fewer lanes.
uint lane_rank;
uint lane_count;
uint lanes_before;

shared uint subgroup_totals[gl_WorkGroupSize.x];

// First in main, by all lanes together.
void number_lanes() {
    if (kFullSubgroups) {
        lane_rank = gl_SubgroupInvocationID;
        lane_count = gl_SubgroupSize;
        lanes_before = gl_SubgroupID * gl_SubgroupSize;
        return;
    }
    uvec4 present = subgroupBallot(true);
    lane_rank = subgroupBallotExclusiveBitCount(present);
    lane_count = subgroupBallotBitCount(present);
    if (subgroupElect()) {
        subgroup_totals[gl_SubgroupID] = lane_count;
    }
    barrier();
    lanes_before = 0u;
    for (uint i = 0u; i < gl_SubgroupID; ++i) {
        lanes_before += subgroup_totals[i];
    }
    barrier();
}

// Index of this lane's vector k within the partition.
uint vector_index(uint k) {
    return lanes_before * kVectors + k * lane_count + lane_rank;
}

uvec4 values[kVectors];  // loaded; then sums from the subgroup's start

void load_partition(uint part, uint count) {
    uint first = part * (kPartition / 4u);
    if (part < count / kPartition) {
        [[unroll]] for (uint k = 0u; k < kVectors; ++k) {
            values[k] = vectors[0].data[first + vector_index(k)];
        }
        return;
    }
    [[unroll]] for (uint k = 0u; k < kVectors; ++k) {
        uint index = (first + vector_index(k)) * 4u;
        values[k] = uvec4(0u);
        [[unroll]] for (uint i = 0u; i < 4u; ++i) {
            if (index + i < count) {
                values[k][i] = elements[0].data[index + i];
            }
        }
    }
}

// Of what this lane has loaded.
uint lane_sum() {
    uint sum = 0u;
    [[unroll]] for (uint k = 0u; k < kVectors; ++k) {
#ifdef NARROW
        uvec4 vector = min(values[k], uvec4(kNarrowLimit));
#else
        uvec4 vector = values[k];
#endif
        sum = sum_of(sum, sum_of(sum_of(vector.x, vector.y), sum_of(vector.z, vector.w)));
    }
    return sum;
}

// subgroup_totals, from what is loaded; ends with a barrier.
void sum_subgroups() {
    uint sum = subgroup_sum(lane_sum());
    if (subgroupElect()) {
        subgroup_totals[gl_SubgroupID] = sum;
    }
    barrier();
}

// Loaded values become sums from the subgroup's start.
void scan_subgroup(bool inclusive) {
    uint sum = 0u;
    [[unroll]] for (uint k = 0u; k < kVectors; ++k) {
        uvec4 vector = values[k];
        vector.y += vector.x;
        vector.z += vector.y;
        vector.w += vector.z;
        uint before = sum + subgroupExclusiveAdd(vector.w);
        sum += subgroupAdd(vector.w);
        values[k] = (inclusive ? vector : uvec4(0u, vector.xyz)) + before;
    }
}

// By the lanes of one subgroup: the sum of all subgroups' totals.
uint sum_totals() {
    uint sum = 0u;
    for (uint first = 0u; first < gl_NumSubgroups; first += lane_count) {
        uint i = first + lane_rank;
        sum = sum_of(sum, subgroup_sum(i < gl_NumSubgroups ? subgroup_totals[i] : 0u));
    }
    return sum;
}

// By the lanes of one subgroup: each subgroup's total becomes the sum of those before it.
void scan_totals() {
    uint sum = 0u;
    for (uint first = 0u; first < gl_NumSubgroups; first += lane_count) {
        uint i = first + lane_rank;
        uint total = i < gl_NumSubgroups ? subgroup_totals[i] : 0u;
        uint exclusive = sum + subgroupExclusiveAdd(total);
        if (i < gl_NumSubgroups) {
            subgroup_totals[i] = exclusive;
        }
        sum += subgroupAdd(total);
    }
}

// `base`: the sum of all elements before this subgroup's.
void store_partition(uint part, uint count, uint base) {
    uint first = part * (kPartition / 4u);
    bool full = part < count / kPartition;
    [[unroll]] for (uint k = 0u; k < kVectors; ++k) {
        uvec4 sums = values[k] + base;
        uint index = first + vector_index(k);
        if (full) {
            vectors[1].data[index] = sums;
            continue;
        }
        [[unroll]] for (uint i = 0u; i < 4u; ++i) {
            if (index * 4u + i < count) {
                elements[1].data[index * 4u + i] = sums[i];
            }
        }
    }
}
