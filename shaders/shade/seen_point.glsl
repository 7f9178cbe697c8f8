// The point of a triangle that a pixel sees. The includer has included attributes.glsl, scene/seen_triangle.glsl and
// barycentric.glsl, and declares `constants`.

// A point of a triangle, where a pixel sees it.
struct SeenPoint {
    Seen seen;
    Sublet sublet;
    uvec3 corners;
    ShadedVertex vertices[3];  // of the corners
    vec4 clip[3];
    Barycentrics at;
};

// `types`: of the streams that are read of the corners, a bit each.
SeenPoint seen_point(ivec2 pixel, uvec2 id, uint types) {
    SeenPoint p;
    p.seen = seen_triangle(id);
    p.sublet = load_sublet(p.seen.instance, p.seen.sublet);
    p.corners = sublet_triangle(p.sublet, p.seen.triangle);
    read_corners(p.sublet, p.corners, types, p.vertices);
    vec3 planar[3];
    [[unroll]] for (uint i = 0u; i < 3u; ++i) {
        p.clip[i] = instance_clip(p.seen.instance, p.vertices[i].place);
        planar[i] = p.clip[i].xyw;
    }
    vec2 step = 2.0 / vec2(constants.size);
    vec2 center = fma(vec2(pixel) + 0.5, step, vec2(-1.0));
    p.at = barycentrics(planar, center, step);
    return p;
}
