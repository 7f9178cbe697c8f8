// Notes of what the grid of positions took of a scene's meshes, and of what was done about it.
#pragma once

#include <string>
#include <vector>

#include "mesh/mesh.h"

namespace sublet::scene {

// A mesh group, and what became of it.
struct GridLoss {
    std::string name;
    mesh::EncodeStats stats;
};

// Of groups in their order: one note for each that has more position bits than by default since those lose too much,
// and for each that loses more than 0.5 % of its triangles; the first few of either kind.
[[nodiscard]] std::vector<std::string> grid_notes(const std::vector<GridLoss>& groups, mesh::Coding coding);

}  // namespace sublet::scene
