// Vertices of what culling has not done when its last round was over (cull/rounds.glsl): every sublet of the scene, an
// instance each, without lists. What was drawn before is drawn again, which changes nothing. It is slow, and so rare
// that it may be.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "shared/passes.h"
#include "scene/bindings.glsl"
#include "view/visibility_id.glsl"
#include "scene/sublet_geometry.glsl"
#include "scene/seen_triangle.glsl"
#include "cull/cut.glsl"

layout(push_constant) uniform Push { RestConstants constants; };
layout(location = 0) flat out uvec2 out_id;
invariant gl_Position;

void main() {
    uint instance = find_instance(gl_InstanceIndex);
    uint sublet_in_mesh = gl_InstanceIndex - first_of[instance].sublet;
    uint triangle = gl_VertexIndex / 3u;
    Sublet sublet = load_sublet(instance, sublet_in_mesh);
    gl_Position = vec4(0.0, 0.0, 0.0, 1.0);  // as do all three: nothing is drawn
    out_id = uvec2(0u);
    if ((instances[instance].flags & kInstanceClassMask) == constants.draw_class &&
        triangle < sublet.triangle_count && !instance_invisible(instance) &&
        meshlet_in_cut(instance, sublet_in_mesh / kSubletsPerMeshlet)) {
        uint vertex = sublet_triangle(sublet, triangle)[gl_VertexIndex % 3u];
        gl_Position = sublet_clip(sublet, vertex);
        out_id = visibility_id(instance, sublet_in_mesh * kSubletSize + triangle);
    }
}
