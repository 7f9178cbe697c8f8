// Which meshes deform, and where what is theirs lies. After scene/bindings.glsl.

#ifndef SUBLET_DEFORMED_MESH_GLSL
#define SUBLET_DEFORMED_MESH_GLSL

// Macros, since gpu::specialized() looks at one function at a time: pipelines have no code of what never deforms.
#define deforms(what) ((kDeforms & (what)) != 0u)
#define mesh_deforms(mesh) (deforms(kDeformsSome) && (meshes[mesh].style >> kDeformedRecordShift) != 0u)

DeformedMesh deformed_record(uint number) {
    uvec4 v[kDeformedMeshVectors];
    for (uint i = 0u; i < kDeformedMeshVectors; ++i) {
        v[i] = deformation[number * kDeformedMeshVectors + i];
    }
    return DeformedMesh(v[0].x, v[0].y, v[0].z, v[0].w, v[1].x, v[1].y, v[1].z, v[1].w, v[2].x, v[2].y, v[2].z, v[2].w,
                        v[3].x, v[3].y, v[3].z, v[3].w);
}

// Where the matrix of a joint begins.
uint joint_matrix(DeformedMesh d, uint joint) {
    return d.first_matrix + min(joint, d.joint_count - 1u) * kSkinMatrixVectors;
}

// Of a mesh that deforms.
DeformedMesh deformed_mesh(uint mesh) { return deformed_record((meshes[mesh].style >> kDeformedRecordShift) - 1u); }

#endif
