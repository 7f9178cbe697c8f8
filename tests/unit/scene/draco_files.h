// Meshes compressed by Draco's encoder, for the tests that read them. There where the program is built with Draco.
#pragma once

#include <string>

#include "scene/import.h"

namespace sublet::scene::testing {

struct DracoKind {
    bool edgebreaker = true;  // else triangles stay in their order
    bool quantized = false;   // positions and texture coordinates to 14 bits, normals to 10
    int further = 0;          // attributes of four floats beside those of the mesh
};

// Ids of the attributes in the data.
inline constexpr int kPositionId = 7, kNormalId = 3, kUvId = 300, kColorId = 0;

// Positions, normals, texture coordinates and colours (8 bits) of the mesh, which has them all.
std::string draco_data(const SourceMesh& mesh, const DracoKind& kind = {});

// A wavy patch of n x n quads with such attributes.
SourceMesh wavy_patch(int n);

}  // namespace sublet::scene::testing
