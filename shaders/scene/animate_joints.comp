// Poses skins: a lane for each joint of each copy of the scene. It multiplies the local transforms of its chain, from
// the root on. The chain's last link is the joint's inverse bind matrix.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "shared/bindings.h"
#include "shared/deform.h"
#include "shared/scene.h"

layout(set = kPassSet, binding = kBindJoints, std430) readonly buffer Joints { MovedInstance joints[]; };
layout(set = kPassSet, binding = kBindWrittenDeformation, std430) writeonly buffer WrittenDeformation {
    uvec4 written_deformation[];
};

layout(local_size_x = 64) in;

layout(push_constant) uniform Push { AnimateConstants constants; };

#include "scene/chain.glsl"

void main() {
    uint lane = (gl_WorkGroupID.y * kDispatchRow + gl_WorkGroupID.x) * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    if (lane < constants.count) {
        MovedInstance joint = joints[lane % constants.per_copy];
        bool mirrored;
        Affine m = finite_or_zero(multiply_chain(joint, lane / constants.per_copy, mirrored));
        for (uint row = 0u; row < kSkinMatrixVectors; ++row) {
            uint at = constants.first_matrix + lane * kSkinMatrixVectors + row;
            written_deformation[at] = floatBitsToUint(m.rows[row]);
        }
    }
}
