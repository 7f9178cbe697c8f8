// Bounds of sublets and meshlets, numbered within their mesh: the file's, or those of the pose of a mesh that deforms.
// After scene/bindings.glsl.

#include "scene/deformed_mesh.glsl"

Bound sublet_bound(uint mesh, uint sublet) {
    uint number = mesh_deforms(mesh) ? deformed_mesh(mesh).first_sublet + sublet : resident_sublet(mesh, sublet);
    return sublet_bounds[number];
}

Bound meshlet_bound(uint mesh, uint meshlet) {
    uint first = mesh_deforms(mesh) ? deformed_mesh(mesh).first_meshlet : meshes[mesh].first_meshlet;
    return meshlet_bounds[first + meshlet];
}
