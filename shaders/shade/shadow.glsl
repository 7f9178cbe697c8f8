// How much of the sun arrives at a point: its shadow maps, the smallest that the point lies in. The includer declares
// `shadows` (ShadowMaps), `shadow_depths`, their depths, and `light_shadow_depths`, those of punctual lights.
//
// A map's depths are those of what is nearest to the sun behind each texel's centre. They are compared with depths of
// the receiving triangle's plane at those same centres: on a plane both are the same but for rounding, however steep
// it is. What remains is a small bias (kShadowBias), in texels.

#include "shared/shadow.h"

// Texels along the light: for rounding, and for what curved surfaces differ by.
const float kShadowBias = 1.0;
// Of a plane, depth over width, that is followed: steeper ones get the sun at so small an angle that it lights nothing.
const float kShadowSteepest = 8.0;
// Around a point, texels that are compared: 4 by 4, of which the outer ones count by how near they are.
const float kShadowReach = 2.0;

// Where a point lies in a map: texels, and depth or what stands in its place.
vec3 in_map(vec4 rows[3], vec3 position) {
    vec4 p = vec4(position, 1.0);
    return vec3(dot(rows[0], p), dot(rows[1], p), dot(rows[2], p));
}

// Of 4 texels, as textureGather() has them, 1 where a plane's depth is not behind: `depth` at the first texel of the
// block, which lies `x`, `y` texels before these.
vec4 lit_texels(vec4 stored, float depth, vec2 slope, float x, float y) {
    vec4 plane = depth + slope.x * (x + vec4(0.0, 1.0, 1.0, 0.0)) + slope.y * (y + vec4(1.0, 1.0, 0.0, 0.0));
    return step(stored, plane);
}

// Of a layer of `size` texels along a side, the share of 3 by 3 texels around a place that light reaches, and of those
// on their rim as much as is within. `at`: texels and depth. `slope`: of the plane, depth over a texel to the right and
// down.
float lit_share(sampler2DArray depths, uint layer, float size, vec3 at, vec2 slope) {
    vec2 first = floor(at.xy - 0.5) - 1.0;
    vec2 f = fract(at.xy - 0.5);
    float depth = at.z + dot(slope, first + 0.5 - at.xy);
    vec4 x = vec4(1.0 - f.x, 1.0, 1.0, f.x);
    vec4 y = vec4(1.0 - f.y, 1.0, 1.0, f.y);
    float sum = 0.0;
    for (uint row = 0u; row < 4u; row += 2u) {
        for (uint column = 0u; column < 4u; column += 2u) {
            vec2 corner = (first + vec2(column, row) + 1.0) / size;  // between the four
            vec4 lit = lit_texels(textureGather(depths, vec3(corner, float(layer))), depth, slope,
                                  float(column), float(row));
            sum += dot(lit, vec4(x[column], x[column + 1u], x[column + 1u], x[column]) *
                                vec4(y[row + 1u], y[row + 1u], y[row], y[row]));
        }
    }
    return sum * (1.0 / 9.0);
}

// The map that a point is looked up in: kShadowMaps where it lies in none. `at`: where it does.
uint shadow_map_of(vec3 position, out vec3 at) {
    for (uint i = 0u; i < shadows.count; ++i) {
        at = in_map(shadows.maps[i].rows, position);
        vec2 inside = min(at.xy, vec2(shadows.size) - at.xy);
        if (min(inside.x, inside.y) > kShadowReach && at.z > 0.0) {
            return i;
        }
    }
    return kShadowMaps;
}

// How many pixels a texel of the map at a point covers, one of which is so wide there; 0 where it lies in none.
float shadow_texel_pixels(vec3 position, float pixel) {
    vec3 at;
    uint i = shadow_map_of(position, at);
    return i == kShadowMaps ? 0.0 : shadows.maps[i].texel / pixel;
}

// Of all maps, the sun's first, side by side in as many rows as columns; `at`: from 0 to 1.
float shown_shadow_depth(vec2 at) {
    uint maps = shadows.count + shadows.light_count;
    float columns = max(ceil(sqrt(float(maps))), 1.0);
    uvec2 tile = min(uvec2(at * columns), uvec2(columns - 1.0));
    uint i = tile.y * uint(columns) + tile.x;
    vec2 within = at * columns - vec2(tile);
    if (i < shadows.count) {
        return texelFetch(shadow_depths, ivec3(within * shadows.size, shadows.maps[i].layer), 0).x;
    }
    if (i >= maps) {
        return 0.0;
    }
    LightMap map = shadows.light_maps[i - shadows.count];
    float depth = texelFetch(light_shadow_depths, ivec3(within * shadows.light_size, map.layer), 0).x;
    // A light's own are near 0 but for what nearly touches it.
    return sqrt(sqrt(depth));
}

// At `position`, on a plane of this normal, of any length, whichever side it is of. `error`: units by which levels of
// detail may have it elsewhere than what casts.
float sun_share(vec3 position, vec3 normal, float error) {
    vec3 at;
    uint i = shadow_map_of(position, at);
    if (i == kShadowMaps) {
        return 1.0;
    }
    ShadowMap map = shadows.maps[i];
    // The plane's normal in the map's axes, where what is not depth is texels.
    vec3 n = vec3(dot(map.rows[0].xyz, normal), dot(map.rows[1].xyz, normal), dot(map.rows[2].xyz, normal)) *
             vec3(1.0, 1.0, map.depth / map.texel);
    float texel_depth = map.texel / map.depth;
    // At most kShadowSteepest; 0 where the triangle has no plane.
    float across = length(n.xy);
    float along = max(abs(n.z), across / kShadowSteepest);
    vec2 slope = along > 0.0 ? -n.xy / (n.z < 0.0 ? -along : along) * texel_depth : vec2(0.0);
    // A plane that is moved by the error meets the light that much farther on, the flatter this falls on it.
    float farther = along > 0.0 ? error * length(n) / along : error;
    at.z += kShadowBias * texel_depth + farther / map.depth;
    return lit_share(shadow_depths, map.layer, shadows.size, at, slope);
}
