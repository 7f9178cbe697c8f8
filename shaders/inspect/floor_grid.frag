// A pixel of the grid on the floor: where the line of sight meets the plane, how near that is to a line of the grid.
// Nothing where the picture shows something nearer.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "shared/inspect.h"
#include "scene/bindings.glsl"

layout(constant_id = kSpecWideIds) const bool kWideIds = false;
layout(push_constant) uniform Push { FloorGridConstants constants; };
layout(location = 0) out vec4 out_color;

#include "shade/seen.glsl"

// A surface in the very plane of the grid does not hide it, though its depth has been rounded: the grid is held to the
// depth that it would have so much of its distance nearer to the eye.
const float kNearer = 1.0 / 4096.0;

// How much of a pixel lines cover that lie a unit apart; `cells`: units that one pixel spans across them. Lines
// are a pixel wide, and go where they would be closer together than three.
vec2 covered(vec2 at, vec2 cells) {
    vec2 pixels = abs(fract(at - 0.5) - 0.5) / max(cells, vec2(1e-20));
    return clamp(1.25 - pixels, 0.0, 1.0) * (1.0 - smoothstep(0.08, 0.33, cells));
}

float most(vec2 of) { return max(of.x, of.y); }

void main() {
    vec2 at = gl_FragCoord.xy / vec2(constants.size) * 2.0 - 1.0;
    vec3 across = constants.across[0].xyz * at.x + constants.across[1].xyz * at.y + constants.across[2].xyz;
    bool orthographic = constants.fixed_part.w != 0.0;
    vec3 start = orthographic ? across : constants.fixed_part.xyz;
    vec3 direction = orthographic ? constants.fixed_part.xyz : across;
    float along = (constants.height - start.y) / direction.y;
    if (!(along > 0.0 && along < 1e30)) {
        discard;  // above the horizon, or along the plane
    }
    vec3 point = start + along * direction;
    vec4 nearer = vec4(point - kNearer * along * direction, 1.0);
    float depth = dot(constants.clip_z, nearer) / dot(constants.clip_w, nearer);
    if (depth > 1.0 || depth < depth_seen(ivec2(gl_FragCoord.xy))) {
        discard;
    }
    // How far the point moves from pixel to pixel: with its line of sight, and along it as far as keeps it in the plane.
    vec2 cells = vec2(0.0);
    for (uint i = 0u; i < 2u; ++i) {
        vec3 aside = constants.across[i].xyz * (orthographic ? 1.0 : along) * 2.0 / float(constants.size[i]);
        vec2 moved = (aside - direction * (aside.y / direction.y)).xz / constants.spacing;
        cells += moved * moved;
    }
    cells = sqrt(cells);  // lengths of the gradients
    vec2 lines = point.xz / constants.spacing;
    float strength = max(0.35 * most(covered(lines, cells)), 0.7 * most(covered(lines / 10.0, cells / 10.0)));
    float fade = 1.0 - smoothstep(0.1, 1.0, along * length(direction) / constants.reach);
    out_color = vec4(vec3(0.5), strength * fade);
}
