// Vertices of what culling has not done when its last round was over (cull/rounds.glsl): every task of the scene, an
// instance each, without lists. What was drawn before is drawn again, which changes nothing. It is slow, and so rare
// that it may be.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "shared/passes.h"
#include "scene/bindings.glsl"
#include "view/visibility_id.glsl"
#include "scene/sublet_geometry.glsl"
#include "cull/cut.glsl"
#include "expansion/entries.glsl"
#include "scene/tasks.glsl"

layout(push_constant) uniform Push { RestConstants constants; };
layout(location = 0) flat out uvec2 out_id;
invariant gl_Position;

void main() {
    uvec2 task = task_of(gl_InstanceIndex);
    uint instance = task.x;
    uint triangle = gl_VertexIndex / 3u % kSubletSize;
    uint place_in_task = gl_VertexIndex / (kMeshletSize * 3u);
    uint mesh = instances[instance].mesh;
    uint place = entry_first(task.y, kTaskMeshlets) + place_in_task;
    gl_Position = vec4(0.0, 0.0, 0.0, 1.0);  // as do all three: nothing is drawn
    out_id = uvec2(0u);
    if ((instances[instance].flags & kInstanceClassMask) != constants.draw_class || instance_invisible(instance) ||
        !entry_has(task.y, place_in_task, kTaskMeshlets) || !place_in_cut(instance, place)) {
        return;
    }
    uint sublet_in_mesh =
        meshlet_at(mesh, place) * kSubletsPerMeshlet + gl_VertexIndex / (kSubletSize * 3u) % kSubletsPerMeshlet;
    if (sublet_in_mesh >= meshes[mesh].sublet_count) {
        return;
    }
    Sublet sublet = load_sublet(instance, sublet_in_mesh);
    if (triangle < sublet.triangle_count) {
        uint vertex = sublet_triangle(sublet, triangle)[gl_VertexIndex % 3u];
        gl_Position = sublet_clip(sublet, vertex);
        out_id = visibility_id(instance, sublet_in_mesh * kSubletSize + triangle);
    }
}
