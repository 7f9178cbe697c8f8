// What joints do to the meshes that they deform: the reference that the GPU is held to. Floats, by the arithmetic that
// shaders share (shaders/shared/deform.h).
#pragma once

#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <span>
#include <vector>

#include "mesh/mesh.h"
#include "scene/container.h"
#include "scene/scene.h"
#include "shaders/shared/deform.h"

namespace sublet {
class ThreadPool;
}

namespace sublet::scene {

// For each joint of the skin, what takes a vertex from the bind pose to the world: the joint's world transform times
// its inverse bind matrix. `world`: the world transforms of the scene's nodes.
[[nodiscard]] std::vector<shared::SkinMatrix> skin_matrices(const Skin& skin, std::span<const glm::mat4> world);

// Moves a mesh, as mesh::decode() gives it, from its bind pose to where joints take it. Normals and tangents keep unit
// length; one that loses its direction stays as it is. A tangent's sign stays, and so do joints and weights. The mesh
// is one that joints deform (mesh::deforms()), and its numbers of joints are below matrices.size().
void deform(mesh::MeshArrays& mesh, std::span<const shared::SkinMatrix> matrices);

// Around vertices in the world. All 0 where there are none.
struct PosedBounds {
    glm::vec3 low{0.0F}, high{0.0F};  // of a box
    glm::vec4 sphere{0.0F};           // about the middle of the box: centre, radius
};

// Of an instance that a skin deforms (instance.skin >= 0), exact over its vertices: the box is the least, and the
// sphere's radius the distance of the farthest. `world` as above. Vertices that are taken beyond single precision are
// left out. Decodes the mesh: linear in its vertices, on the threads of `pool`, where there is one.
[[nodiscard]] PosedBounds posed_bounds(const EncodedScene& scene, const Instance& instance,
                                       std::span<const glm::mat4> world, ThreadPool* pool = nullptr);

}  // namespace sublet::scene
