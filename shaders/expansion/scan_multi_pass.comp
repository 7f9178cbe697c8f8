// Prefix sum in three passes: the sums of partitions (kReduce), their prefix sum by one workgroup (kPartials), and the
// prefix sums within partitions on top of them. It needs no memory model and no forward progress, and reads the data
// twice.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_arithmetic : require

#include "expansion/scan_block.glsl"
layout(set = kPassSet, binding = kBindScanWords, std430) buffer Partials { uint partials[]; };  // sums of partitions; then sums up to them

layout(constant_id = 6) const bool kReduce = false;
layout(constant_id = 7) const bool kPartials = false;

shared uint group_sum;

uvec4 loaded[kVectors];

void scan_partials() {
    uint count = scan_count();
    uint partitions = partition_count(count);
    if (gl_LocalInvocationIndex == 0u && (push.flags & kScanCountFromBuffer) != 0u &&
        counts[push.count_index] > push.count) {
        state.problems = kScanCountOverflow;
    }
    number_lanes();
    uint base = 0u;
    for (uint first = 0u; first < partitions; first += kPartition) {
        for (uint k = 0u; k < kVectors; ++k) {
            uint index = first + vector_index(k) * 4u;
            for (uint i = 0u; i < 4u; ++i) {
                values[k][i] = index + i < partitions ? partials[index + i] : 0u;
            }
            loaded[k] = values[k];
        }
        sum_subgroups();
        scan_subgroup(true);
        if (gl_SubgroupID == 0u) {
            scan_totals();
        }
        barrier();
        uint subgroup_base = base + subgroup_totals[gl_SubgroupID];
        // The sum of all is written by the lane that has the last partition's, and a turn's by that of its last
        // element. Not from `base` after the loop, nor from a subgroup's total: there a driver (NVIDIA 580) wrote
        // rubbish.
        for (uint k = 0u; k < kVectors; ++k) {
            uvec4 ends = values[k] + subgroup_base;
            uvec4 sums = ends - loaded[k];
            uint index = first + vector_index(k) * 4u;
            for (uint i = 0u; i < 4u; ++i) {
                if (index + i < partitions) {
                    partials[index + i] = sums[i];
                }
                if (index + i == partitions - 1u) {
                    state.total = ends[i];
                }
            }
            if (index + 4u == first + kPartition) {
                group_sum = ends.w;
            }
        }
        barrier();
        base = group_sum;
        barrier();  // before the next turn writes what this one read
    }
}

void main() {
    if (kPartials) {
        scan_partials();
        return;
    }
    uint count = scan_count();
    uint part = group_index();
    if (part >= partition_count(count)) {
        return;  // the dispatch is sized for the most elements
    }
    number_lanes();
    load_partition(part, count);
    if (kReduce) {
        uint sum = subgroup_sum(lane_sum());
        if (gl_LocalInvocationIndex == 0u) {
            group_sum = 0u;
        }
        barrier();
        if (subgroupElect()) {
            atomicAdd(group_sum, sum);
        }
        barrier();
        if (gl_LocalInvocationIndex == 0u) {
            partials[part] = group_sum;
        }
        return;
    }
    sum_subgroups();
    scan_subgroup(scan_inclusive());
    if (gl_SubgroupID == 0u) {
        scan_totals();
    }
    barrier();
    store_partition(part, count, partials[part] + subgroup_totals[gl_SubgroupID]);
}
