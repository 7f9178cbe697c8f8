// How much of a punctual light arrives at a point: its shadow maps, which are in perspective. After shade/shadow.glsl;
// the includer declares `light_shadow_depths`, their depths, and says what the point lies on (find_shadows()).
//
// Depth is one over the distance along a map's line of sight, but for a factor. Over a plane it is linear in texels. So
// it is compared at their centres, as the sun's is.

vec3 receiver_plane = vec3(0.0);
float receiver_error = 0.0;

// `plane`: the normal of the triangle's plane, of any length; `error`: units by which levels of detail may have it
// elsewhere than what casts.
void find_shadows(vec3 plane, float error) {
    receiver_plane = plane;
    receiver_error = error;
}

// The face of a cube that a direction from its centre meets.
uint cube_face(vec3 d) {
    vec3 size = abs(d);
    uint axis = size.x >= max(size.y, size.z) ? 0u : size.y >= size.z ? 1u : 2u;
    return 2u * axis + (d[axis] < 0.0 ? 1u : 0u);
}

// `maps`: PunctualLight::maps, not 0. `towards`: the light, from `position`.
float light_share(uint maps, vec3 towards, vec3 position) {
    LightMap map = shadows.light_maps[maps - 1u];
    if (map.faces == 6u) {
        map = shadows.light_maps[maps - 1u + cube_face(-towards)];
    }
    vec3 projected = in_map(map.rows, position);
    vec2 at = projected.xy / projected.z;
    vec2 inside = min(at, vec2(shadows.light_size) - at);
    if (!(projected.z > map.nearest) || !(min(inside.x, inside.y) > kShadowReach)) {
        return 1.0;
    }
    // `across`: the plane's normal along the map's rows and columns, times a texel's width at a distance of 1. `along`:
    // how far the plane lies from the light, along that normal, over the distance along the line of sight.
    vec3 n = vec3(dot(map.rows[0].xyz, receiver_plane), dot(map.rows[1].xyz, receiver_plane),
                  dot(map.rows[2].xyz, receiver_plane));
    float middle = 0.5 * shadows.light_size;
    vec2 across = (n.xy - middle * n.z) * (map.texel * map.texel);
    float along = n.z + dot(across, at - middle);
    float size = max(abs(along), length(across) / (kShadowSteepest * map.texel));
    float depth = map.nearest / projected.z;
    vec2 slope = size > 0.0 ? across * (along < 0.0 ? -depth : depth) / size : vec2(0.0);
    float farther = size > 0.0 ? receiver_error * length(receiver_plane) / size : receiver_error;
    depth += depth * (kShadowBias * map.texel + farther / projected.z);
    return lit_share(light_shadow_depths, map.layer, shadows.light_size, vec3(at, depth), slope);
}
