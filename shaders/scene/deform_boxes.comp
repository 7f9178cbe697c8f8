// Bounds of meshes that deform, before they are deformed: eight lanes for each pose. A vertex lies among the places
// that its joints would give it. So the box of all vertices that a joint moves, grown by what morph targets may add,
// moves with the joint, and the boxes of all joints together hold the mesh. What no view sees by this bound is not
// deformed; of what is, a tighter one is measured.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "scene/bindings.glsl"
layout(set = kPassSet, binding = kBindWrittenMeshes, std430) buffer WrittenMeshes { MeshHeader written_meshes[]; };
layout(set = kPassSet, binding = kBindPoseRounds, std430) writeonly buffer PoseRounds { uint pose_rounds[]; };

const uint kLanesOfPose = 8u;
layout(local_size_x = kLanesOfPose * kPosesOfBoxGroup) in;

layout(push_constant) uniform Push { DeformConstants constants; };

#include "scene/deformed_mesh.glsl"

const float kFar = 3e38;
// Of all that is added up, for what is rounded on the way: here, and where vertices are deformed.
const float kRounding = 1e-5;

// The most by which morph targets move a vertex, along each axis.
vec3 morph_reach(DeformedMesh d, uint first_reach) {
    vec3 reach = vec3(0.0);
    if (!deforms(kDeformsMorphs) || d.morphs == 0u) {
        return reach;
    }
    uint count = deformation[d.first_weight].x;
    for (uint i = 0u; i < count; ++i) {
        uvec4 pair = deformation[d.first_weight + 1u + (i >> 1u)];
        uint target = (i & 1u) == 0u ? pair.x : pair.z;
        float weight = uintBitsToFloat((i & 1u) == 0u ? pair.y : pair.w);
        reach += abs(weight) * uintBitsToFloat(deformation[first_reach + target].xyz);
    }
    return reach;
}

// Of each lane.
shared vec3 lowest[kLanesOfPose * kPosesOfBoxGroup];
shared vec3 highest[kLanesOfPose * kPosesOfBoxGroup];

void main() {
    uint lane = gl_LocalInvocationIndex;
    uint group = gl_WorkGroupID.y * kDispatchRow + gl_WorkGroupID.x;
    uint number = group * kPosesOfBoxGroup + lane / kLanesOfPose;
    bool leads = lane % kLanesOfPose == 0u && number < constants.count;
    DeformedMesh d = deformed_record(min(number, constants.count - 1u));
    uint boxes = deformation[d.first_box].x;
    uint first = d.first_box + 1u;
    vec3 reach = morph_reach(d, first + boxes * kJointBoxVectors);
    vec3 low = vec3(kFar);
    vec3 high = vec3(-kFar);
    for (uint i = lane % kLanesOfPose; i < boxes; i += kLanesOfPose) {
        uvec4 middle = deformation[first + i * kJointBoxVectors];
        vec4 center = vec4(uintBitsToFloat(middle.xyz), 1.0);
        vec4 half_size = vec4(uintBitsToFloat(deformation[first + i * kJointBoxVectors + 1u].xyz) + reach, 0.0);
        half_size += kRounding * (abs(center) + half_size);
        vec4 moved = center;
        vec4 moved_size = half_size;
        if (deforms(kDeformsJoints) && d.joint_count != 0u) {
            for (uint row = 0u; row < 3u; ++row) {
                vec4 m = uintBitsToFloat(deformation[joint_matrix(d, middle.w) + row]);
                moved[row] = dot(m, center);
                moved_size[row] = dot(abs(m), half_size);
            }
        }
        low = min(low, moved.xyz - moved_size.xyz);
        high = max(high, moved.xyz + moved_size.xyz);
    }
    lowest[lane] = low;
    highest[lane] = high;
    barrier();
    if (leads) {
        for (uint i = 1u; i < kLanesOfPose; ++i) {
            low = min(low, lowest[lane + i]);
            high = max(high, highest[lane + i]);
        }
        vec3 center = 0.5 * low + 0.5 * high;
        float margin = 1e-6 * max(max(abs(center.x), abs(center.y)), abs(center.z));
        written_meshes[d.mesh].sphere = vec4(center, distance(high, center) * 1.00001 + margin);
        written_meshes[d.mesh].aabb_min.xyz = low;
        written_meshes[d.mesh].aabb_max.xyz = high;
        pose_rounds[number] = 0u;
    }
}
