// Parts of a view, and whether a light may reach into one: conservative, by some margin more than rounding takes. The
// includer declares `clusters` (ClusterState) and `constants` (ClusterConstants), and has included scene/bindings.glsl
// and clusters.glsl.

const float kEndless = 1e30;

// A pyramid's part, or, in an orthographic view, a box.
struct ViewPart {
    vec2 x;  // from and to, at a distance of 1; orthographic: at any
    vec2 y;
    vec2 z;  // distances
};

bool orthographic() { return frame.view.eye.w != 0.0; }

// In the frame of the view: to the right, down, along the line of sight.
vec3 view_direction(vec3 d) {
    return vec3(dot(normalize(frame.across[0].xyz), d), dot(normalize(frame.across[1].xyz), d),
                dot(frame.view.forward.xyz, d));
}

// Of pixels from `low` to less than `high`.
ViewPart part_of_pixels(uvec2 low, uvec2 high, uvec2 size, vec2 z) {
    vec2 step = 2.0 / vec2(size);
    vec2 shift = vec2(frame.across[0].w, frame.across[1].w) + 1.0;
    vec2 from = (vec2(low) * step - shift) * vec2(length(frame.across[0].xyz), length(frame.across[1].xyz));
    vec2 to = (vec2(high) * step - shift) * vec2(length(frame.across[0].xyz), length(frame.across[1].xyz));
    return ViewPart(vec2(from.x, to.x), vec2(from.y, to.y), z);
}

// Of slices from `low` to less than `high`.
vec2 slice_distances(uint low, uint high) {
    float from = low == 0u ? (orthographic() ? -kEndless : 0.0) : slice_start(clusters, low) * (1.0 - 1e-4);
    float to = high == kClusterSlices ? kEndless : slice_start(clusters, high) * (1.0 + 1e-4);
    return vec2(from, to);
}

// Whether a sphere reaches over both planes along an edge's sides.
bool within_sides(vec2 sides, float across, float z, float radius) {
    if (orthographic()) {
        return across - sides.x >= -radius && sides.y - across >= -radius;
    }
    return across - sides.x * z >= -radius * sqrt(1.0 + sides.x * sides.x) &&
           sides.y * z - across >= -radius * sqrt(1.0 + sides.y * sides.y);
}

vec2 extent_across(vec2 sides, vec2 z) {
    if (orthographic()) {
        return sides;
    }
    return vec2(min(sides.x * z.x, sides.x * z.y), max(sides.y * z.x, sides.y * z.y));
}

bool reaches(ViewPart part, vec4 sphere, vec4 cone) {
    if (sphere.z + sphere.w < part.z.x || sphere.z - sphere.w > part.z.y ||
        !within_sides(part.x, sphere.x, sphere.z, sphere.w) || !within_sides(part.y, sphere.y, sphere.z, sphere.w)) {
        return false;
    }
    vec2 x = extent_across(part.x, part.z);
    vec2 y = extent_across(part.y, part.z);
    vec3 low = vec3(x.x, y.x, part.z.x);
    vec3 high = vec3(x.y, y.y, part.z.y);
    vec3 apart = max(max(low - sphere.xyz, sphere.xyz - high), vec3(0.0));
    if (dot(apart, apart) > sphere.w * sphere.w) {
        return false;
    }
    if (cone.w < 0.0 || part.z.y >= kEndless || part.z.x <= -kEndless) {
        return true;
    }
    // The cone against a sphere around the box (B. Wronski, "Cull that cone!", 2017).
    vec3 middle = 0.5 * (low + high) - sphere.xyz;
    float radius = 0.5 * length(high - low);
    float along = dot(middle, cone.xyz);
    float beside = sqrt(max(dot(middle, middle) - along * along, 0.0));
    float sine = sqrt(1.0 - cone.w * cone.w);
    float margin = 1e-3 * (radius + length(middle));
    return cone.w * beside - along * sine <= radius + margin && along >= -radius - margin;
}

// Of clusters from `low` to less than `high`.
ViewPart part_of_clusters(uvec3 low, uvec3 high) {
    return part_of_pixels(low.xy * kClusterTile, min(high.xy * kClusterTile, constants.size), constants.size,
                          slice_distances(low.z, high.z));
}
