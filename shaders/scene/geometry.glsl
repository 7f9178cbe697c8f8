// From one vertex, wherever its position comes from, to what the rasteriser gets. After scene/bindings.glsl.

#include "scene/deformed.glsl"
#include "scene/vertex.glsl"

// As the file has it, from its place on the mesh's grid.
vec3 bind_position(uint mesh, uvec2 packed) {
    return object_position(packed, meshes[mesh].origin.xyz, meshes[mesh].aabb_min.w);
}

// In the instance's space. `mesh`: the instance's; `vertex`: within it; `packed`: its place on the grid, which is the
// bind pose's where the mesh deforms.
vec3 vertex_position(uint mesh, uint vertex, uvec2 packed) {
    if (mesh_deforms(mesh)) {
        return uintBitsToFloat(deformed_vertex(mesh, vertex).xyz);
    }
    return bind_position(mesh, packed);
}

vec4 instance_clip(uint instance, vec3 position) {
    return clip_position(frame.view.clip, transform_point(instances[instance].transform, position));
}

vec4 vertex_clip(uint instance, uint mesh, uint vertex, uvec2 packed) {
    return instance_clip(instance, vertex_position(mesh, vertex, packed));
}
