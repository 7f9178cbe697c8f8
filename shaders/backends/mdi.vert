// One draw per surviving meshlet, or per run of its sublets. The survivor, an instance and its first sublet, is found
// by DrawIndex (DRAW_INDEX) or by the instance index, or pushed (GENERATED); or (kPulled) all of them are instances of
// one draw of 256 triangles, or of 32 for the graph, whose indices are read here.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "shared/passes.h"
#include "scene/bindings.glsl"
#include "view/visibility_id.glsl"
#ifndef GENERATED
layout(set = kPassSet, binding = kBindSurvivors, std430) readonly buffer SurvivorList { uvec2 survivors[]; };
#ifndef DRAW_INDEX
layout(set = kPassSet, binding = kBindIndices, std430) readonly buffer Indices { uint indices[]; };
layout(constant_id = kSpecIndexBits) const uint kIndexBits = 8u;
layout(constant_id = kSpecPulled) const bool kPulled = false;
#endif
layout(push_constant) uniform Push { MdiConstants constants; };
#else
layout(push_constant) uniform Push { GeneratedConstants constants; };
#endif

#include "scene/geometry_decoded.glsl"
#include "backends/vertex_out.glsl"

void main() {
#if defined(GENERATED)
    write_vertex(constants.instance, gl_VertexIndex, constants.first_sublet * kSubletSize);
#elif defined(DRAW_INDEX)
    uvec2 survivor = survivors[constants.first_slot + gl_DrawID];
    write_vertex(survivor.x, gl_VertexIndex, survivor.y * kSubletSize);
#else
    uvec2 survivor = survivors[(kPulled ? constants.first_slot : 0u) + gl_InstanceIndex];
    uint vertex = gl_VertexIndex;
    uint triangle = 0u;
    if (kPulled) {
        uint mesh = instances[survivor.x].mesh;
        triangle = gl_VertexIndex / 3u;
        if (survivor.y + triangle / kSubletSize >= meshes[mesh].sublet_count) {  // the meshlet has no such sublet
            gl_Position = vec4(0.0, 0.0, 0.0, 1.0);  // as do all three: nothing is drawn
            out_id = uvec2(0u);
            return;
        }
        MeshletRange range = meshlet_ranges[meshes[mesh].first_meshlet + survivor.y / kSubletsPerMeshlet];
        uint sublet = range.first_sublet + survivor.y % kSubletsPerMeshlet;
        uint element = sublet * (kSubletSize * 3u) + gl_VertexIndex;
        uint per_word = 32u / kIndexBits;
        int bit = int(element % per_word * kIndexBits);
        vertex = range.first_vertex + bitfieldExtract(indices[element / per_word], bit, int(kIndexBits));
    }
    write_vertex(survivor.x, vertex, survivor.y * kSubletSize + triangle);
#endif
}
