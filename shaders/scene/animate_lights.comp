// Plays lights: a lane for each that moves, or whose factors or visibility are driven, writes it.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "shared/animation.h"
#include "shared/bindings.h"
#include "shared/place_light.h"
#include "shared/scene.h"

layout(set = kPassSet, binding = kBindLightDrivers, std430) readonly buffer Drivers { LightDriver drivers[]; };
layout(set = kPassSet, binding = kBindWrittenLights, std430) buffer Lights { PunctualLight lights[]; };

layout(local_size_x = 64) in;

layout(push_constant) uniform Push { AnimateConstants constants; };

#include "scene/chain.glsl"
#include "scene/keys.glsl"
#include "scene/sample_channel.glsl"

bool shines(LightDriver d) {
    for (uint i = 0u; i < d.shown_count; ++i) {
        if (sample_channel(links[d.first_shown + i]).x == 0.0) {
            return false;
        }
    }
    return true;
}

void main() {
    uint lane = (gl_WorkGroupID.y * kDispatchRow + gl_WorkGroupID.x) * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    if (lane >= constants.count) {
        return;
    }
    LightDriver d = drivers[lane];
    vec4 position = lights[d.light].position;
    vec4 direction = lights[d.light].direction;
    if (d.link_count != 0u) {
        bool mirrored;
        Affine m = finite_or_zero(multiply_chain(MovedInstance(0u, d.first_link, d.link_count, 0u), 0u, mirrored));
        position = vec4(m.rows[0].w, m.rows[1].w, m.rows[2].w, 0.0);
        direction = -vec4(m.rows[0].z, m.rows[1].z, m.rows[2].z, 0.0);
    }
    vec4 color = driven(d.channels[0], vec4(d.still[0], d.still[1], d.still[2], 0.0));
    float factors[4];  // intensity, range, inner and outer angle
    for (uint i = 0u; i < 4u; ++i) {
        factors[i] = driven(d.channels[i + 1u], vec4(d.still[i + 3u], 0.0, 0.0, 0.0)).x;
    }
    lights[d.light] = place_light(d.kind, color, shines(d) ? factors[0] : 0.0, factors[1],
                                  vec2(factors[2], factors[3]), position, direction);
}
