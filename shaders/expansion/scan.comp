// Prefix sum in one pass over the data, by decoupled look-back: a workgroup publishes the sum of its partition, adds up
// what its predecessors published, and publishes the sum up to its own end. A partition's word holds flag and value, so
// that no order between several words matters.
//
// It ends on any device. Partitions are claimed in order, by an atomic, so what a workgroup waits for has been claimed
// by one that started before it; and it waits for a bounded number of reads only: then it sums up the partition
// that it misses by itself.
//
// WIDE: words of 64 bits, sums modulo 2^32. A word carries the number of the scan that wrote it too: those of scans
// before count as not there, and nothing has to be cleared between two scans. Else words of 32 bits, cleared before
// each scan, and sums below 2^30 (NARROW).
//
// What bounds it is how long a partition's elements stay in registers, waiting for the sums before them, against how
// many elements the registers can hold. So a partition's sum is published before anything else is done, and partitions
// of large scans are large.
#version 460
#extension GL_GOOGLE_include_directive : require
#pragma use_vulkan_memory_model
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#ifdef WIDE
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
#else
#define NARROW
#endif

#define ELEMENT_ACCESS nonprivate  // the barriers below order them too
#include "expansion/scan_block.glsl"

layout(constant_id = 3) const uint kReads = 64u;  // of a word that is not there yet, before its partition is recomputed
// For tests. Every so many partitions, one publishes nothing, as if its workgroup had stopped; 0: none. Not in place,
// where nothing but a partition's published word tells that its elements are overwritten.
layout(constant_id = 4) const uint kWithhold = 0u;
layout(constant_id = 5) const bool kDistrust = false;  // each partition's predecessor is recomputed, ready or not

const uint kMissing = 0u;  // the flags: nothing published yet,
const uint kSum = 1u;      // the partition's own sum,
const uint kPrefix = 2u;   // or that of all elements up to its end
#ifdef WIDE
#define Word uint64_t
uint run;  // the number of this scan, modulo 2^30
Word make_word(uint flag, uint value) { return Word(flag << 30u | run) << 32u | Word(value); }
uint word_flag(Word word) {
    uint upper = uint(word >> 32u);
    return (upper & 0x3fffffffu) == run ? upper >> 30u : kMissing;
}
uint word_value(Word word) { return uint(word); }
#else
#define Word uint
Word make_word(uint flag, uint value) { return flag << 30u | min(value, kNarrowLimit - 1u); }
uint word_flag(Word word) { return word >> 30u; }
uint word_value(Word word) { return word & (kNarrowLimit - 1u); }
#endif
// [0]: partitions claimed so far, and above them (WIDE) the number of the scan; then a word for each partition.
layout(set = kPassSet, binding = kBindScanWords, std430) buffer Words { Word words[]; };

const uint kNone = 0xffffffffu;

shared Word group_ticket;
shared uint group_before;   // sum of all elements before the partition
shared uint group_missing;  // a partition to be recomputed, or kNone
shared uint recomputed_totals[gl_WorkGroupSize.x];

void publish(uint part, uint flag, uint value) {
    if (kWithhold != 0u && part % kWithhold == kWithhold - 1u) {
        return;
    }
    atomicStore(words[1u + part], make_word(flag, value), gl_ScopeDevice, 0, 0);
}

// By one subgroup, a predecessor for each lane: `sum` becomes the sum of all partitions before `part`, by what is
// published of them, from the last on. Returns kNone, or the partition that is missing.
uint look_back(uint part, out uint sum) {
    sum = 0u;
    uint end = part;  // those from here on are in `sum`
    uint reads = 0u;
    while (true) {
        // What lies before partition 0 counts as a prefix of nothing.
        Word word = make_word(kPrefix, 0u);
        if (lane_rank < end) {
            word = atomicLoad(words[end - lane_rank], gl_ScopeDevice, 0, 0);
        }
        uint flag = word_flag(word);
        // The nearest lane that has no mere sum to add: it ends the row, itself included when it has a prefix.
        uint nearest = subgroupMin(flag == kSum ? kNone : lane_rank * 2u + (flag == kPrefix ? 1u : 0u));
        bool prefix = nearest != kNone && (nearest & 1u) != 0u;
        uint taken = nearest == kNone ? lane_count : (nearest >> 1u) + (prefix ? 1u : 0u);
        sum = sum_of(sum, subgroup_sum(lane_rank < taken ? word_value(word) : 0u));
        if (prefix) {
            return kNone;
        }
        end -= taken;
        reads = taken == 0u ? reads + 1u : 0u;
        if (reads > kReads) {
            return end - 1u;
        }
    }
}

// By the whole workgroup: group_before, and this partition's word, whose own sum is `sum` (in the first subgroup); of
// the last partition the total. Returns kNone, or a partition that has to be recomputed before.
uint find_before(uint part, uint sum, bool last, bool distrust) {
    if (gl_SubgroupID == 0u) {
        uint sum_before;
        uint missing = look_back(part, sum_before);
        if (distrust && part != 0u) {
            missing = part - 1u;
        }
        if (subgroupElect()) {
            if (missing == kNone) {
                uint sum_after = sum_of(sum_before, sum);
                publish(part, kPrefix, sum_after);
#ifdef NARROW
                // Words hold less than the limit, so only the first partition to reach it is sure to see that.
                if (sum_after == kNarrowLimit) {
                    atomicOr(state.problems, kScanSumOverflow);
                }
#endif
                if (last) {
                    state.total = sum_after;
                }
            }
            group_before = sum_before;
            group_missing = missing;
        }
        if ((push.flags & kScanInPlace) != 0u) {
            // The word is there before an element is overwritten: see publish_for().
            memoryBarrier(gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease);
        }
    }
    barrier();
    return group_missing;
}

// By the whole workgroup: the sum of a full partition's elements, the same in all lanes.
uint recompute(uint part) {
    uint first = part * (kPartition / 4u);
    uint sum = 0u;
    [[unroll]] for (uint k = 0u; k < kVectors; ++k) {
        uvec4 vector = vectors[0].data[first + vector_index(k)];
#ifdef NARROW
        vector = min(vector, uvec4(kNarrowLimit));
#endif
        sum = sum_of(sum, sum_of(sum_of(vector.x, vector.y), sum_of(vector.z, vector.w)));
    }
    sum = subgroup_sum(sum);
    if (subgroupElect()) {
        recomputed_totals[gl_SubgroupID] = sum;
    }
    barrier();
    sum = 0u;
    for (uint i = 0u; i < gl_NumSubgroups; ++i) {
        sum = sum_of(sum, recomputed_totals[i]);
    }
    return sum;
}

// Publishes a recomputed sum for its partition, unless that has published meanwhile. When it has, the sum may be wrong,
// and goes unused: in place, the elements may have been overwritten while they were read, but never before the
// partition's own word was there.
void publish_for(uint part, uint sum) {
    if (gl_LocalInvocationIndex == 0u) {
        memoryBarrier(gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease);
        Word there = atomicLoad(words[1u + part], gl_ScopeDevice, 0, 0);
        atomicAdd(state.recomputed, 1u);
        if (word_flag(there) == kMissing &&
            atomicCompSwap(words[1u + part], there, make_word(kSum, sum), gl_ScopeDevice, 0, 0, 0, 0) == there) {
            atomicAdd(state.published_for_others, 1u);
        }
    }
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeDevice, gl_StorageSemanticsBuffer | gl_StorageSemanticsShared,
                   gl_SemanticsAcquireRelease);
}

void main() {
    uint count = scan_count();
    uint partitions = partition_count(count);
    if (group_index() == 0u && gl_LocalInvocationIndex == 0u) {
        bool overflow = (push.flags & kScanCountFromBuffer) != 0u && counts[push.count_index] > push.count;
#ifdef NARROW
        if (overflow) {
            atomicOr(state.problems, kScanCountOverflow);
        }
#else
        state.problems = overflow ? kScanCountOverflow : 0u;
#endif
        if (partitions == 0u) {
            state.total = 0u;
        }
    }
    if (group_index() >= partitions) {
        return;  // the dispatch is sized for the most elements
    }
    number_lanes();
    if (gl_LocalInvocationIndex == 0u) {
        group_ticket = atomicAdd(words[0], Word(1u), gl_ScopeDevice, 0, 0);
    }
    barrier();
    uint part = uint(group_ticket);
#ifdef WIDE
    run = uint(group_ticket >> 32u) & 0x3fffffffu;
    if (part == partitions - 1u && gl_LocalInvocationIndex == 0u) {
        // The last ticket is taken: the next scan counts from 0.
        atomicStore(words[0], Word((run + 1u) & 0x3fffffffu) << 32u, gl_ScopeDevice, 0, 0);
    }
#endif

    bool distrust = kDistrust;
    while (true) {
        load_partition(part, count);
        sum_subgroups();
        uint sum = 0u;
        // The first subgroup alone goes on to the partition's sum and the look-back.
        if (gl_SubgroupID == 0u) {
            sum = sum_totals();
            if (subgroupElect() && part != 0u) {
                publish(part, kSum, sum);
            }
            scan_totals();
        }
        scan_subgroup(scan_inclusive());
        uint missing = find_before(part, sum, part == partitions - 1u, distrust);
        if (missing == kNone) {
            break;
        }
        // All over again afterwards: elements that were kept over this would take registers that, as it is, hold more
        // elements.
        publish_for(missing, recompute(missing));
        distrust = false;
    }
    store_partition(part, count, group_before + subgroup_totals[gl_SubgroupID]);
}
