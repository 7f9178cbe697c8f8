// Which meshes deform, and where what is theirs lies. After scene/bindings.glsl.

#ifndef SUBLET_DEFORMED_MESH_GLSL
#define SUBLET_DEFORMED_MESH_GLSL

bool deforms(uint what) { return (kDeforms & what) != 0u; }

bool mesh_deforms(uint mesh) { return deforms(kDeformsSome) && meshes[mesh].reserved != 0u; }

DeformedMesh deformed_record(uint number) {
    uvec4 v[kDeformedMeshVectors];
    for (uint i = 0u; i < kDeformedMeshVectors; ++i) {
        v[i] = deformation[number * kDeformedMeshVectors + i];
    }
    return DeformedMesh(v[0].x, v[0].y, v[0].z, v[0].w, v[1].x, v[1].y, v[1].z, v[1].w, v[2].x, v[2].y, v[2].z, v[2].w,
                        int[3](int(v[3].x), int(v[3].y), int(v[3].z)), v[3].w);
}

// Of a mesh that deforms.
DeformedMesh deformed_mesh(uint mesh) { return deformed_record(meshes[mesh].reserved - 1u); }

#endif
