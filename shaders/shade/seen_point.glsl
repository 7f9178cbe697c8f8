// The point of a triangle that a pixel sees. The includer has included scene/sublet_geometry.glsl,
// scene/seen_triangle.glsl and barycentric.glsl, and declares `constants`.

// A point of a triangle, where a pixel sees it.
struct SeenPoint {
    Seen seen;
    Sublet sublet;
    uvec3 corners;
    uvec4 deformed[3];  // of a mesh that deforms: scene/deformed.glsl
    vec3 positions[3];  // of the corners, in the mesh's space
    vec4 clip[3];
    Barycentrics at;
};

SeenPoint seen_point(ivec2 pixel, uvec2 id) {
    SeenPoint p;
    p.seen = seen_triangle(id);
    p.sublet = load_sublet(p.seen.instance, p.seen.sublet);
    p.corners = sublet_triangle(p.sublet, p.seen.triangle);
    vec3 planar[3];
    for (uint i = 0u; i < 3u; ++i) {
        vec3 position;
        if (mesh_deforms(p.sublet.mesh)) {
            p.deformed[i] = deformed_vertex(p.sublet.mesh, p.sublet.first_vertex + p.corners[i]);
            position = uintBitsToFloat(p.deformed[i].xyz);
        } else {
            position = bind_position(p.sublet.mesh, sublet_grid_position(p.sublet, p.corners[i]));
        }
        p.positions[i] = position;
        p.clip[i] = instance_clip(p.seen.instance, position);
        planar[i] = p.clip[i].xyw;
    }
    vec2 step = 2.0 / vec2(constants.size);
    vec2 center = fma(vec2(pixel) + 0.5, step, vec2(-1.0));
    p.at = barycentrics(planar, center, step);
    return p;
}
