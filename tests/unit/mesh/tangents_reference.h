// Tangents once more, slowly: written from the publication that mesh/tangents.h names, in double precision, without
// sorting, hashing or threads.
#pragma once

#include <array>
#include <vector>

#include "mesh/tangents.h"

namespace sublet::mesh::test {

struct ReferenceTangent {
    std::array<double, 3> direction{};  // unit length; 0 where nothing gives one
    double sign = 1.0;
};

// One for each corner. Quadratic in the triangles.
std::vector<ReferenceTangent> reference_tangents(const TangentInput& mesh);

}  // namespace sublet::mesh::test
