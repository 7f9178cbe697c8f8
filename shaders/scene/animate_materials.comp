// Plays materials: a lane for each part of one that channels drive writes what they say.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "shared/animation.h"
#include "shared/bindings.h"
#include "shared/scene.h"
#include "shared/uv_transform.h"

layout(set = kPassSet, binding = kBindMaterialDrivers, std430) readonly buffer Drivers { MaterialDriver drivers[]; };
layout(set = kPassSet, binding = kBindWrittenMaterials, std430) writeonly buffer Materials { float materials[]; };
layout(set = kPassSet, binding = kBindWrittenUvTransforms, std430) writeonly buffer UvTransforms {
    UvTransform uv_transforms[];
};

layout(local_size_x = 64) in;

layout(push_constant) uniform Push { AnimateConstants constants; };

#include "scene/keys.glsl"
#include "scene/sample_channel.glsl"

void main() {
    uint lane = (gl_WorkGroupID.y * kDispatchRow + gl_WorkGroupID.x) * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    if (lane >= constants.count) {
        return;
    }
    MaterialDriver d = drivers[lane];
    if (d.kind == kDriveTransform) {
        vec4 offset = driven(d.channels[0], vec4(d.still[0], d.still[1], 0.0, 0.0));
        vec4 rotation = driven(d.channels[1], vec4(d.still[2], 0.0, 0.0, 0.0));
        vec4 scale = driven(d.channels[2], vec4(d.still[3], d.still[4], 0.0, 0.0));
        uv_transforms[d.target] = uv_transform(offset.xy, rotation.x, scale.xy);
        return;
    }
    if (d.kind == kDriveEmission) {
        vec4 factor = driven(d.channels[0], vec4(d.still[0], d.still[1], d.still[2], 0.0));
        float strength = driven(d.channels[1], vec4(d.still[3], 0.0, 0.0, 0.0)).x;
        for (uint i = 0u; i < 3u; ++i) {
            precise float product = factor[i] * strength;
            materials[d.target + i] = product;
        }
        return;
    }
    vec4 value = sample_channel(d.channels[0]);
    uint components = channels[d.channels[0]].components;
    for (uint i = 0u; i < components; ++i) {
        materials[d.target + i] = value[i];
    }
}
