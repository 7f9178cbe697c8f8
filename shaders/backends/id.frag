// Writes which triangle a pixel shows (visibility_id.glsl). Where that is known:
// PER_PRIMITIVE: a mesh shader gives each triangle its id.
// PRIMITIVE_ID: the vertex shader gives the draw's first id; triangles of a draw are numbered.
// LIST: triangles of the draw are listed (cull/primitives.comp), as slot of the sublet within the round * 32 + triangle.
// else: the vertex shader gives the id, which is the same for a triangle's three vertices.
#version 460
#extension GL_GOOGLE_include_directive : require

#if defined(PER_PRIMITIVE)
#extension GL_EXT_mesh_shader : require
layout(constant_id = 11) const bool kWideIds = false;
layout(location = 0) perprimitiveEXT flat in uint in_id;
layout(location = 1) perprimitiveEXT flat in uint in_instance;
#elif defined(LIST)
#include "scene_bindings.glsl"
#include "visibility_id.glsl"
layout(set = 0, binding = 9, std430) readonly buffer Survivors { uvec2 survivors[]; };
layout(set = 0, binding = 10, std430) readonly buffer Output { uint output_words[]; };
#include "backends/compact_constants.glsl"
#else
layout(location = 0) flat in uvec2 in_id;
#endif

layout(location = 0) out uvec2 out_id;

void main() {
#if defined(PER_PRIMITIVE)
    out_id = uvec2(in_id, kWideIds ? in_instance : 0u);
#elif defined(LIST)
    uint word = output_words[first_triangle + gl_PrimitiveID];
    uvec2 entry = survivors[first_slot + word / kSubletSize];
    out_id = visibility_id(entry.x, entry.y * kSubletSize + word % kSubletSize);
#elif defined(PRIMITIVE_ID)
    out_id = uvec2(in_id.x + gl_PrimitiveID, in_id.y);
#else
    out_id = in_id;
#endif
}
