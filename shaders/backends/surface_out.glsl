// What vertex shaders hand to surface.frag.
layout(location = 0) out vec3 out_normal;
layout(location = 1) out vec2 out_uv;
layout(location = 2) out vec4 out_color;
layout(location = 3) flat out uint out_instance;

invariant gl_Position;

void write_surface(ShadedVertex vertex, uint instance) {
    gl_Position = vertex.clip;
    out_normal = vertex.normal;
    out_uv = vertex.uv;
    out_color = vertex.color;
    out_instance = instance;
}
