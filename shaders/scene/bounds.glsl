// Bounds of sublets and meshlets, numbered within their mesh: the file's, or those of the pose of an instance that
// deforms. After scene/bindings.glsl.

Bound sublet_bound(uint mesh, uint sublet) {
    uint first = meshes[mesh].first_sublet;
    if (kDeforms && meshes[mesh].reserved != 0u) {
        first = deformed[meshes[mesh].reserved - 1u].first_sublet;
    }
    return sublet_bounds[first + sublet];
}

Bound meshlet_bound(uint mesh, uint meshlet) {
    uint first = meshes[mesh].first_meshlet;
    if (kDeforms && meshes[mesh].reserved != 0u) {
        first = deformed[meshes[mesh].reserved - 1u].first_meshlet;
    }
    return meshlet_bounds[first + meshlet];
}
