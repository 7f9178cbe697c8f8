// What vertex shaders hand to id.frag. kCorners: which asks for corners.
layout(constant_id = kSpecCorners) const bool kCorners = false;
layout(location = 0) flat out uvec2 out_id;
layout(location = 2) out uint out_corner;

invariant gl_Position;

// A decoded vertex of an instance's triangle. `first_triangle`: within its mesh, the draw's, or the vertex's own.
void write_vertex(uint instance, uint vertex, uint first_triangle) {
    gl_Position = decoded_clip_position(instance, vertex);
    out_id = visibility_id(instance, kCorners ? leads[vertex] : first_triangle);
    if (kCorners) {
        out_corner = positions[vertex].y >> kLeadShift;
    }
}
