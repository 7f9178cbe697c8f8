// Writes what has arrived of a scene where it belongs: a workgroup for each copy of a block.
// Reads: a block. Writes: payload, bounds of sublets, meshlet ranges, groups of levels of detail.
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

layout(local_size_x = 64) in;

layout(push_constant) uniform Push { PatchConstants constants; };

void main() {
    uint number = gl_WorkGroupID.y * kDispatchRow + gl_WorkGroupID.x;
    if (number >= constants.copies) {
        return;
    }
    BlockCopy copy = BlockCopy(block[4u * number], block[4u * number + 1u], block[4u * number + 2u],
                               block[4u * number + 3u]);
    for (uint i = gl_LocalInvocationIndex; i < copy.words; i += gl_WorkGroupSize.x) {
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
