// What vertex shaders hand to surface.frag. FETCHED: as there.
#ifdef FETCHED
layout(location = 0) out uint out_vertex;
#else
layout(location = 0) out vec3 out_normal;
layout(location = 1) out vec2 out_uv;
layout(location = 2) out vec4 out_color;
#endif
layout(location = 3) flat out uint out_instance;

invariant gl_Position;

// A vertex of the decoded scene.
void write_decoded(uint instance, uint vertex) {
#ifdef FETCHED
    gl_Position = decoded_clip_position(instance, vertex);
    out_vertex = vertex;
#else
    ShadedVertex shaded = decoded_vertex(instance, vertex);
    gl_Position = shaded.clip;
    out_normal = shaded.normal;
    out_uv = shaded.uv;
    out_color = shaded.color;
#endif
    out_instance = instance;
}

// A vertex that draws nothing: all of a triangle's at one point.
void write_nothing(uint instance) {
    gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
#ifdef FETCHED
    out_vertex = 0u;
#else
    out_normal = vec3(0.0);
    out_uv = vec2(0.0);
    out_color = vec4(0.0);
#endif
    out_instance = instance;
}
