// Vertices of sublets by their verdicts: every sublet of the scene, an instance each, of which those with another
// verdict collapse. With kOverdraw, what no test rejects; else what some test does.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "shared/inspect.h"
#include "scene/bindings.glsl"
#include "scene/sublet_geometry.glsl"
layout(constant_id = kSpecWideIds) const bool kWideIds = false;
layout(constant_id = kSpecOverdraw) const bool kOverdraw = false;
#include "scene/seen_triangle.glsl"

layout(set = kPassSet, binding = kBindRejected, std430) readonly buffer Rejected { uint rejected[]; };

layout(location = 0) flat out uint out_flags;  // the instance's
layout(location = 1) flat out uint out_verdict;
layout(location = 2) out vec3 out_position;  // world space
invariant gl_Position;

void main() {
    uint number = gl_InstanceIndex;
    uint verdict = rejected[number / 4u] >> (number % 4u * 8u) & 0xffu;
    gl_Position = vec4(0.0, 0.0, 0.0, 1.0);  // as do all three: nothing is drawn
    out_flags = 0u;
    out_verdict = verdict;
    out_position = vec3(0.0);
    bool drawn = verdict == kVerdictDrawn;
    bool wanted = kOverdraw ? drawn : !drawn && verdict != kVerdictInvisible;
    if (!wanted) {
        return;
    }
    uint instance = find_instance(number);
    Sublet sublet = load_sublet(instance, number - first_of[instance].sublet);
    uint triangle = gl_VertexIndex / 3u;
    if (triangle >= sublet.triangle_count) {
        return;
    }
    uint vertex = sublet_triangle(sublet, triangle)[gl_VertexIndex % 3u];
    gl_Position = sublet_clip(sublet, vertex);
    out_flags = instances[instance].flags;
    if (!kOverdraw) {
        out_position = transform_point(instances[instance].transform, sublet_position(sublet, vertex));
    }
}
