// Boxes of the vertices that each joint moves: where they go, the mesh goes.
#pragma once

#include <vector>

#include "mesh/mesh.h"
#include "shaders/shared/deform.h"

namespace sublet::render {

struct JointBoxes {
    std::vector<shared::JointBox> boxes;  // of joints that move something; a single one where none does
    // Of each morph target: the most by which it moves a vertex, along each axis (w: 0).
    std::vector<shared::vec4> morph_reach;
};

// Of a mesh in its bind pose. `skinned`: whether joints move it. Linear in its vertices.
[[nodiscard]] JointBoxes find_joint_boxes(const mesh::MeshView& mesh, bool skinned);

}  // namespace sublet::render
