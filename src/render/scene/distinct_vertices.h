// Vertices of a mesh that are the same wherever it is posed: sublets have their own, and those on a border come twice.
#pragma once

#include <cstdint>
#include <vector>

#include "mesh/mesh.h"
#include "shaders/shared/deform.h"

namespace sublet::render {

struct DistinctVertices {
    std::vector<shared::DistinctVertex> distinct;  // the first of each
    std::vector<std::uint32_t> numbers;            // for each vertex of the mesh: which of `distinct` it is
};

// Vertices are the same that agree in position, normal, tangent, joints and weights, as they are stored. Those that as
// many joints move, and the same ones, stand together: lanes side by side then do the same. Of a mesh with morph
// targets all are distinct, in their order: what a target adds to them may not be the same, and lies in that order.
[[nodiscard]] DistinctVertices find_distinct_vertices(const mesh::MeshView& mesh);

}  // namespace sublet::render
