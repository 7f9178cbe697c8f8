// What of a scene deforms: meshes whose vertices the joints of a skin move. Each has a mesh header and bounds of its
// own, behind those of the file, since they follow from its pose; its triangles and streams are the file's
// (shaders/shared/deform.h).
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "gpu/resources.h"
#include "shaders/shared/deform.h"
#include "shaders/shared/mesh_format.h"

namespace sublet::render {

// A mesh in a pose: instances that agree in both share what is deformed.
struct PosedMesh {
    std::uint32_t mesh = 0;
    std::uint32_t first_joint = 0;  // among the joints of all copies of the scene
    std::uint32_t joint_count = 0;
};

// Offsets in `meshes` count from the first matrix and the first vertex.
struct DeformData {
    struct Placed {
        std::uint32_t instance = 0;  // among all instances
        std::uint32_t deformed = 0;  // among `meshes`
    };
    std::vector<Placed> placed;
    std::vector<shared::DeformedMesh> meshes;
    std::vector<shared::DeformTask> tasks;
    std::vector<shared::MeshHeader> headers;  // one for each of `meshes`
    std::uint64_t vertices = 0;               // that have room
    std::uint64_t sublets = 0, meshlets = 0;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> known;  // by mesh and first joint
};

// What the file has of the lists that deformed meshes add to, and how many vertices may have room.
struct DeformRoom {
    std::uint32_t meshes = 0, sublets = 0, meshlets = 0;
    std::uint64_t vertices = 0;
};

// Takes note of instance number `instance`, of that mesh, which has this header. A mesh has room for all of its
// vertices or for none.
void add_deformed(DeformData& data, const DeformRoom& room, std::uint32_t instance, const PosedMesh& mesh,
                  const shared::MeshHeader& header);

// The same on the device. Where nothing deforms there are no buffers.
struct SceneDeform {
    gpu::Buffer vectors;  // the list of shaders/shared/deform.h
    gpu::Buffer tasks;
    std::uint32_t mesh_count = 0, task_count = 0, instance_count = 0;
    std::uint32_t first_matrix = 0;  // in `vectors`
    std::uint32_t pose_vectors = 0;  // of a pose: the last frame's has room behind that of this one
    std::uint64_t bytes = 0;         // with their mesh headers and bounds

    [[nodiscard]] bool any() const { return mesh_count != 0; }
};

}  // namespace sublet::render
