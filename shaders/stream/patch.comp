// Writes what has arrived of a scene where it belongs: kPatchParts workgroups for each copy of a block.
// Reads: blocks. Writes: payload, bounds of sublets, meshlet ranges, groups of levels of detail.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "shared/bindings.h"
#include "shared/mesh_format.h"
#include "shared/passes.h"

layout(set = kPassSet, binding = kBindBlock, std430) readonly buffer Block { uint block[]; };
layout(set = kPassSet, binding = kBindPatchPayload, std430) writeonly buffer Payload { uint payload_words[]; };
layout(set = kPassSet, binding = kBindPatchBounds, std430) writeonly buffer Bounds { uint bound_words[]; };
layout(set = kPassSet, binding = kBindPatchRanges, std430) writeonly buffer Ranges { uint range_words[]; };
layout(set = kPassSet, binding = kBindPatchGroups, std430) writeonly buffer Groups { uint group_words[]; };

layout(local_size_x = 128) in;

layout(push_constant) uniform Push { PatchConstants constants; };

void main() {
    uint number = gl_WorkGroupID.y * kDispatchRow + gl_WorkGroupID.x;
    uint of_block = gl_WorkGroupID.z / kPatchParts;
    if (number >= constants.copies[of_block]) {
        return;
    }
    uint at = constants.first[of_block] + 4u * number;
    BlockCopy copy = BlockCopy(block[at], block[at + 1u], block[at + 2u], block[at + 3u]);
    uint part = gl_WorkGroupID.z % kPatchParts;
    for (uint i = part * gl_WorkGroupSize.x + gl_LocalInvocationIndex; i < copy.words;
         i += kPatchParts * gl_WorkGroupSize.x) {
        uint word = block[copy.from + i];
        uint to = copy.to + i;
        if (copy.target == kPatchPayload) {
            payload_words[to] = word;
        } else if (copy.target == kPatchSubletBounds) {
            bound_words[to] = word;
        } else if (copy.target == kPatchMeshletRanges) {
            range_words[to] = word;
        } else {
            group_words[to] = word;
        }
    }
}
