// Which meshes deform, and where what is theirs lies. After scene/bindings.glsl.

#ifndef SUBLET_DEFORMED_MESH_GLSL
#define SUBLET_DEFORMED_MESH_GLSL

bool mesh_deforms(uint mesh) { return kDeforms && meshes[mesh].reserved != 0u; }

DeformedMesh deformed_record(uint number) {
    uvec4 first = deformation[number * kDeformedMeshVectors];
    uvec4 second = deformation[number * kDeformedMeshVectors + 1u];
    return DeformedMesh(first.x, first.y, first.z, first.w, second.x, second.y, uint[2](0u, 0u));
}

// Of a mesh that deforms.
DeformedMesh deformed_mesh(uint mesh) { return deformed_record(meshes[mesh].reserved - 1u); }

#endif
