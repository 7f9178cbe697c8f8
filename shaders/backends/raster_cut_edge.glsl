// Where triangles are cut, by raster_cut.glsl. C++ compiles this too (src/base/glsl.h).

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
