// What vertex shaders hand to surface.frag. FETCHED: as there.
#ifdef FETCHED
layout(location = 0) out uint out_vertex;
layout(location = 3) flat out uint out_instance;
#else
layout(location = 0) out vec3 out_normal;
layout(location = 1) out vec2 out_uv;
layout(location = 2) out vec4 out_color;
layout(location = 3) flat out uint out_surface;
#endif

invariant gl_Position;

#ifndef FETCHED
void write_shaded(ShadedVertex vertex) {
    gl_Position = vertex.clip;
    out_normal = vertex.normal;
    out_uv = vertex.uv;
    out_color = vertex.color;
    out_surface = vertex.surface;
}
#endif

// A vertex of the decoded scene.
void write_decoded(uint instance, uint vertex) {
#ifdef FETCHED
    gl_Position = decoded_clip_position(instance, vertex);
    out_vertex = vertex;
    out_instance = instance;
#else
    write_shaded(decoded_vertex(instance, vertex));
#endif
}

// A vertex that draws nothing: all of a triangle's at one point.
void write_nothing() {
    vec4 clip = vec4(0.0, 0.0, 0.0, 1.0);
#ifdef FETCHED
    gl_Position = clip;
    out_vertex = 0u;
    out_instance = 0u;
#else
    write_shaded(ShadedVertex(clip, vec3(0.0), vec2(0.0), vec4(0.0), 0u));
#endif
}
