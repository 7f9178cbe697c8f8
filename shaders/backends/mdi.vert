// One draw per surviving meshlet, or per run of its sublets. The survivor is found by DrawIndex, by the instance index, or
// (INSTANCED) all of them are instances of one draw of 256 triangles, whose indices are read here.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "scene_bindings.glsl"
#include "decoded_bindings.glsl"
layout(set = 0, binding = 6, std430) readonly buffer Survivors { uvec2 survivors[]; };
#ifdef INSTANCED
layout(set = 0, binding = 7, std430) readonly buffer Ranges { MeshletRange ranges[]; };
layout(set = 0, binding = 8, std430) readonly buffer Indices { uint indices[]; };
layout(constant_id = 0) const uint kIndexBits = 8u;
#endif

layout(push_constant) uniform Constants {
    uint class_base;  // first slot of the class that this draw draws
};

#include "geometry_decoded.glsl"
#include "backends/surface_out.glsl"

void main() {
#if defined(INSTANCED)
    uvec2 survivor = survivors[class_base + gl_InstanceIndex];
    MeshletRange range = ranges[meshes[instances[survivor.x].mesh].first_meshlet + survivor.y];
    if (gl_VertexIndex >= range.triangle_count * 3u) {
        write_nothing();  // a triangle that the meshlet does not have
        return;
    }
    uint bit = (range.first_triangle * 3u + gl_VertexIndex) * kIndexBits;
    uint index = bitfieldExtract(indices[bit >> 5u], int(bit & 31u), int(kIndexBits));
    uint vertex = range.first_vertex + index;
#elif defined(FIRST_INSTANCE)
    uvec2 survivor = survivors[gl_InstanceIndex];
    uint vertex = gl_VertexIndex;
#else
    uvec2 survivor = survivors[class_base + gl_DrawID];
    uint vertex = gl_VertexIndex;
#endif
    write_decoded(survivor.x, vertex);
}
