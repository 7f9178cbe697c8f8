// What morph targets and joints do to the meshes that they deform: the reference that the GPU is held to. Floats, by
// the arithmetic that shaders share (shaders/shared/deform.h).
#pragma once

#include <cstdint>
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

// Moves a mesh, as mesh::decode() gives it, from its bind pose: first by its morph targets, whose weights are
// `weights` (as many as there are, or none for no targets), those of weight 0 left out; then to where joints take it
// (none: `matrices` is empty). Normals and tangents get unit length in the end; one that loses its direction stays as
// it is, and what nothing moves keeps its bits. A tangent's sign stays, and so do joints, their weights and targets.
// With matrices the mesh is one that joints deform (mesh::deforms()), and its numbers of joints are below
// matrices.size().
void deform(mesh::MeshArrays& mesh, std::span<const shared::SkinMatrix> matrices, std::span<const float> weights = {});

// Whether the instance's vertices are others than the mesh's own: by a skin or by morph targets.
[[nodiscard]] bool is_deformed(const EncodedScene& scene, const Instance& instance);

// Around vertices in the world. All 0 where there are none.
struct PosedBounds {
    glm::vec3 low{0.0F}, high{0.0F};  // of a box
    glm::vec4 sphere{0.0F};           // about the middle of the box: centre, radius
};

// Of an instance that deforms (is_deformed()), exact over its vertices: the box is the least, and the sphere's radius
// the distance of the farthest. Its node has the weights of morph targets; `world` as above. Vertices that are taken
// beyond single precision are left out. Decodes the mesh: linear in its vertices, on the threads of `pool`, where there
// is one.
[[nodiscard]] PosedBounds posed_bounds(const EncodedScene& scene, const Instance& instance,
                                       std::span<const glm::mat4> world, ThreadPool* pool = nullptr);

// The least box around points, and the sphere about its middle. Points that are no numbers are left out.
[[nodiscard]] PosedBounds bounds_around(std::span<const glm::vec3> points);

// The vertices of one sublet of such an instance, in the world, in the order in which mesh::decode_sublet() has them.
[[nodiscard]] std::vector<glm::vec3> posed_vertices(const EncodedScene& scene, const Instance& instance,
                                                    std::span<const glm::mat4> world, std::uint32_t sublet);

}  // namespace sublet::scene
