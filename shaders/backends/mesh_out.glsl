// What mesh shaders hand to id.frag.

layout(location = 0) perprimitiveEXT flat out uint out_id[];
layout(location = 1) perprimitiveEXT flat out uint out_instance[];  // of wide ids; else no fragment reads it

out gl_MeshPerVertexEXT {
    invariant vec4 gl_Position;
} gl_MeshVerticesEXT[];

// Output triangle `index`: its vertices among the outputs; it is triangle `triangle` of a sublet of an instance's mesh.
void write_triangle(uint index, uvec3 vertices, uint instance, uint sublet, uint triangle) {
    uvec2 id = visibility_id(instance, sublet * kSubletSize + triangle);
    gl_PrimitiveTriangleIndicesEXT[index] = vertices;
    out_id[index] = id.x;
    out_instance[index] = id.y;  // always: lavapipe draws nothing where a declared output is not written
}
