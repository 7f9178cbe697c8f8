// Cuts triangles that reach over the near plane or far beyond the view to what the compute rasteriser can draw.
//
// C++ compiles this too (src/base/glsl.h), and tests hold it to triangles that are not cut. Whoever includes it has
//     vec4 polygon[2][8];
// where cut_polygon() works: in memory of a workgroup, or in a test's.

const uint kMostCorners = 8u;  // of a triangle that five planes cut

// Planes that triangles are cut at: the near plane, then the guard band, 1.5 times the view to each side. How far
// inside `clip` lies; negative is outside.
const uint kCutPlanes = 5u;
float cut_distance(vec4 clip, uint plane) {
    precise float near_distance = clip.w - clip.z;
    float aside = plane == 1u ? clip.x : plane == 2u ? -clip.x : plane == 3u ? clip.y : -clip.y;
    precise float side = fma(1.5f, clip.w, aside);
    return plane == 0u ? near_distance : side;
}

// Where the edge from a vertex inside to one outside meets the plane. From the end that is nearer to the plane, which
// both triangles of an edge agree about, so that they get the same point. Roundings are then small to that end and to
// the point: from a vertex thousands of times further away they could exceed the point's own w. And on the plane, as
// well as floats can be: no roundings add up that carry a point out of the guard band, or leave it no w.
vec4 cut_edge(vec4 inside, vec4 outside, float distance_inside, float distance_outside, uint plane) {
    bool from_inside = distance_inside < -distance_outside;
    vec4 near_end = from_inside ? inside : outside;
    vec4 far_end = from_inside ? outside : inside;
    precise float t = min(distance_inside, -distance_outside) / (distance_inside - distance_outside);
    precise vec4 point = fma(far_end - near_end, vec4(t), near_end);
    float side = 1.5f * point.w;
    point.w = plane == 0u ? point.z : point.w;
    point.x = plane == 1u ? -side : plane == 2u ? side : point.x;
    point.y = plane == 3u ? -side : plane == 4u ? side : point.y;
    return point;
}

// The polygon that the planes leave of the triangle in polygon[0], there again. Returns how many corners it has.
uint cut_polygon() {
    uint from = 0u;
    uint corners = 3u;
    for (uint plane = 0u; plane < kCutPlanes; ++plane) {
        uint made = 0u;
        for (uint i = 0u; i < corners; ++i) {
            vec4 a = polygon[from][i];
            vec4 b = polygon[from][i + 1u == corners ? 0u : i + 1u];
            float distance_a = cut_distance(a, plane);
            float distance_b = cut_distance(b, plane);
            bool inside_a = distance_a >= 0.0f;
            bool inside_b = distance_b >= 0.0f;
            if (inside_a && made < kMostCorners) {
                polygon[1u - from][made++] = a;
            }
            if (inside_a != inside_b && made < kMostCorners) {
                polygon[1u - from][made++] = inside_a ? cut_edge(a, b, distance_a, distance_b, plane)
                                                      : cut_edge(b, a, distance_b, distance_a, plane);
            }
        }
        from = 1u - from;
        corners = made;
    }
    for (uint i = 0u; i < corners && from == 1u; ++i) {
        polygon[0][i] = polygon[1][i];
    }
    return corners;
}
