// Vertices of the compact backend: the index says which surviving sublet, and which of its vertices. kPulled: indices
// are read here, and their triangle's id is handed on.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "shared/passes.h"
#include "scene/bindings.glsl"
layout(set = kPassSet, binding = kBindSurvivors, std430) readonly buffer SurvivorList { uvec2 survivors[]; };
layout(set = kPassSet, binding = kBindTriangles, std430) readonly buffer Output { uint output_words[]; };
layout(constant_id = kSpecPulled) const bool kPulled = false;
#include "view/visibility_id.glsl"
layout(location = 0) flat out uvec2 out_id;
layout(push_constant) uniform Push { CompactConstants constants; };

invariant gl_Position;

#include "scene/sublet_geometry.glsl"

void main() {
    uint index = gl_VertexIndex;
    if (kPulled) {
        index = output_words[gl_VertexIndex];
        uint word = output_words[constants.first_triangle + (gl_VertexIndex - constants.first_index) / 3u];
        uvec2 seen = survivors[constants.first_slot + word / kSubletSize];
        out_id = visibility_id(seen.x, seen.y * kSubletSize + word % kSubletSize);
    }
    uvec2 entry = survivors[constants.first_slot + index / kSubletSize];
    Sublet sublet = load_sublet(entry.x, entry.y);
    gl_Position = sublet_clip(sublet, index % kSubletSize);
}
