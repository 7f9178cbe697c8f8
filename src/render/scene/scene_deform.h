// What of a scene deforms: meshes whose vertices the joints of a skin move, or morph targets. Each has a mesh header
// and bounds of its own, behind those of the file, since they follow from its pose; its triangles and streams are the
// file's (shaders/shared/deform.h).
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <vector>

#include "gpu/pipeline.h"
#include "gpu/resources.h"
#include "mesh/mesh.h"
#include "render/scene/residency.h"
#include "shaders/shared/deform.h"
#include "shaders/shared/mesh_format.h"

namespace sublet::render {

// A mesh in a pose: instances that agree in it share what is deformed.
struct PosedMesh {
    std::uint32_t mesh = 0;
    std::uint32_t first_joint = 0;  // among the joints of all copies of the scene
    std::uint32_t joint_count = 0;  // 0: no joints move it
    bool morphs = false;
    std::uint32_t first_weight = 0;  // among the vectors of weights of all copies

    // NOLINTNEXTLINE(modernize-use-nullptr): of what the compiler makes of it
    auto operator<=>(const PosedMesh&) const = default;
};

struct DeformData {
    struct Placed {
        std::uint32_t instance = 0;  // among all instances
        std::uint32_t pose = 0;      // among `poses`
    };
    std::vector<Placed> placed;
    std::vector<PosedMesh> poses;
    std::map<PosedMesh, std::uint32_t> known;
};

// Takes note of instance number `instance`.
void add_deformed(DeformData& data, std::uint32_t instance, const PosedMesh& pose);

// What the lists have that deformed meshes add to, and what else they must hold.
struct DeformRoom {
    std::uint64_t vertices = 0;        // distinct ones, that may have room
    std::uint64_t joints = 0;          // of all copies of the scene,
    std::uint64_t weight_vectors = 0;  // and vectors of weights
    std::uint32_t streams = 0;         // of the file, before those of morph targets,
    std::uint32_t payload = 0;         // and words of payload
};

// Boxes of the vertices of a mesh that each joint moves: where they go, the mesh goes.
struct JointBoxes {
    std::vector<shared::JointBox> boxes;  // of joints that move something; a single one where none does
    // Of each morph target: the most by which it moves a vertex, along each axis (w: 0).
    std::vector<shared::vec4> morph_reach;
};

// Where all of it goes. A mesh in a pose has room for all of its vertices or for none.
struct DeformLayout {
    std::vector<std::uint32_t> mesh_of;         // of each of DeformData::poses, the number of its mesh header
    std::map<std::uint32_t, JointBoxes> boxes;  // of each mesh of the file that deforms
    std::vector<shared::uvec4> vectors;         // the list of shaders/shared/deform.h, up to its poses
    std::vector<shared::DeformTask> vertex_tasks, bounds_tasks;
    std::vector<std::uint32_t> instances;     // that deform
    std::vector<shared::MeshHeader> headers;  // behind those of the file
    std::uint64_t sublets = 0, meshlets = 0;  // bounds behind those of the file
    std::uint64_t first_matrix = 0, first_weight = 0, pose_vectors = 0;
    std::uint64_t all_vectors = 0;
    std::uint32_t kinds = 0;  // shared::kDeforms...
};
[[nodiscard]] DeformLayout lay_out_deformed(const DeformData& data, const DeformRoom& room,
                                            const mesh::GeometryView& geometry, const Residency& residency);

// The same on the device. Where nothing deforms there are no buffers.
struct SceneDeform {
    gpu::Buffer vectors;  // the list of shaders/shared/deform.h
    gpu::Buffer vertex_tasks, bounds_tasks;
    gpu::Buffer instances;    // that deform
    gpu::Buffer pose_rounds;  // shared::DeformConstants
    std::uint32_t mesh_count = 0, vertex_task_count = 0, bounds_task_count = 0, instance_count = 0;
    std::uint32_t kinds = 0;                           // shared::kDeforms...
    std::uint32_t first_matrix = 0, first_weight = 0;  // in `vectors`
    std::uint32_t pose_vectors = 0;                    // of a pose: the last frame's has room behind that of this one
    std::uint64_t bytes = 0;                           // with their mesh headers and bounds

    [[nodiscard]] bool any() const { return mesh_count != 0; }
};

}  // namespace sublet::render
