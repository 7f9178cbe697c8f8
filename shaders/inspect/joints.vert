// Lines over the picture: the joints of skins, a mark for each, and a line to the joint that it hangs on. A skeleton is
// an instance of the draw. Where joints are is what the pass "animate" left: nothing comes from the CPU.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "shared/inspect.h"
#include "shared/view_colors.h"
#include "scene/bindings.glsl"
#include "scene/vertex.glsl"
#include "shade/false_color.glsl"

layout(set = kPassSet, binding = kBindSkeletons, std430) readonly buffer Skeletons { Skeleton skeletons[]; };
layout(set = kPassSet, binding = kBindJointPlaces, std430) readonly buffer JointPlaces { JointPlace places[]; };
layout(push_constant) uniform Push { OverlayConstants constants; };
layout(location = 0) flat out vec4 out_color;
layout(location = 1) flat out float out_hidden;

const float kMarkPixels = 4.0;  // from its middle to a corner

// In the world. False: its skin matrix does not tell.
bool find_joint(Skeleton skeleton, uint joint, out vec3 position) {
    JointPlace place = places[skeleton.first_place + joint];
    uint at = skeleton.first_matrix + joint * kSkinMatrixVectors;
    vec4 bind = vec4(place.x, place.y, place.z, 1.0);
    vec4 rows[3];
    for (uint i = 0u; i < 3u; ++i) {
        rows[i] = uintBitsToFloat(deformation[at + i]);
    }
    vec3 posed = vec3(dot(rows[0], bind), dot(rows[1], bind), dot(rows[2], bind));
    position = transform_point(instances[skeleton.instance].transform, posed);
    vec4 sizes = abs(rows[0]) + abs(rows[1]) + abs(rows[2]);
    return (place.parent & kJointLost) == 0u && sizes.x + sizes.y + sizes.z > 0.0;
}

void main() {
    Skeleton skeleton = skeletons[gl_InstanceIndex];
    uint line = gl_VertexIndex / 2u;
    uint end = gl_VertexIndex % 2u;
    uint joint = line / kJointLines;
    uint part = line % kJointLines;
    out_color = vec4(named_color(kColorJoint), 1.0);
    out_hidden = 0.6;  // most lie within what they move
    gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
    vec3 position = vec3(0.0);
    bool there = joint < skeleton.joint_count && !instance_invisible(skeleton.instance) &&
                 find_joint(skeleton, joint, position);
    if (there && part == 0u) {
        uint parent = places[skeleton.first_place + joint].parent;
        vec3 above = position;
        there = parent != kNoJoint && find_joint(skeleton, parent, above);
        position = end == 0u ? position : above;
    }
    if (!there) {
        out_color.a = 0.0;  // both ends are in one place: nothing is drawn
        return;
    }
    gl_Position = clip_position(frame.view.clip, position);
    if (part != 0u) {
        uint corner = (part - 1u + end) % 4u;
        float side = corner < 2u ? 1.0 : -1.0;
        vec2 offset = corner % 2u == 0u ? vec2(side, 0.0) : vec2(0.0, side);
        gl_Position.xy += offset * kMarkPixels * 2.0 * gl_Position.w / vec2(constants.size);
    }
}
