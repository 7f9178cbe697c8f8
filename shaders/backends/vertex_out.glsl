// What vertex shaders hand to id.frag.
layout(location = 0) flat out uvec2 out_id;
#ifdef CORNERS
layout(location = 2) out uint out_corner;
#endif

invariant gl_Position;

// A decoded vertex of an instance's triangle. `first_triangle`: within its mesh, the draw's, or the vertex's own.
void write_vertex(uint instance, uint vertex, uint first_triangle) {
    gl_Position = decoded_clip_position(instance, vertex);
#ifdef CORNERS
    out_id = visibility_id(instance, leads[vertex]);
    out_corner = positions[vertex].y >> kLeadShift;
#else
    out_id = visibility_id(instance, first_triangle);
#endif
}
