// Asks which poses the view may see: a lane for each instance that deforms. Those that are not deformed yet will be in
// this round.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "scene/bindings.glsl"
layout(set = kPassSet, binding = kBindPoseRounds, std430) buffer PoseRounds { uint pose_rounds[]; };
layout(set = kPassSet, binding = kBindDeformedInstances, std430) readonly buffer DeformedInstances {
    uint deformed_instances[];
};

layout(local_size_x = 64) in;

layout(push_constant) uniform Push { DeformConstants constants; };

#include "cull/bound_visible.glsl"

void main() {
    uint lane = (gl_WorkGroupID.y * kDispatchRow + gl_WorkGroupID.x) * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    if (lane >= constants.count) {
        return;
    }
    uint instance = deformed_instances[lane];
    uint pose = (meshes[instances[instance].mesh].style >> kDeformedRecordShift) - 1u;
    // Lanes of one pose write the same.
    if (pose_rounds[pose] == 0u && (constants.all != 0u || instance_may_be_visible(instance))) {
        pose_rounds[pose] = constants.round;
    }
}
