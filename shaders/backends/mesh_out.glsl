// What mesh shaders hand to surface.frag. HAS_UV, HAS_COLOR, FETCHED: as there. The includer has included sublet_geometry.glsl.

#ifdef FETCHED
layout(location = 0) out uint out_vertex[];
layout(location = 3) flat out uint out_instance[];
#else
layout(location = 0) out vec3 out_normal[];
layout(location = 3) flat out uint out_surface[];
#endif
#if HAS_UV
layout(location = 1) out vec2 out_uv[];
#endif
#if HAS_COLOR
layout(location = 2) out vec4 out_color[];
#endif

out gl_MeshPerVertexEXT {
    invariant vec4 gl_Position;
} gl_MeshVerticesEXT[];

// Output vertex `index`: vertex `lane` of the sublet.
void write_vertex(uint index, Sublet sublet, uint lane, vec4 clip) {
#ifdef FETCHED
    gl_MeshVerticesEXT[index].gl_Position = clip;
    out_vertex[index] = sublet_vertex(sublet, lane);
    out_instance[index] = sublet.instance;
#else
    ShadedVertex vertex = shade_vertex(sublet.instance, clip, sublet_words(sublet, lane));
    gl_MeshVerticesEXT[index].gl_Position = vertex.clip;
    out_normal[index] = vertex.normal;
    out_surface[index] = vertex.surface;
#if HAS_UV
    out_uv[index] = vertex.uv;
#endif
#if HAS_COLOR
    out_color[index] = vertex.color;
#endif
#endif
}
