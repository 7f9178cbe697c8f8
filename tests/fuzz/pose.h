// What a scene's skins make of its meshes.
#pragma once

#include "scene/container.h"
#include "scene/deform.h"

namespace sublet::fuzz {

// Makes the instances, and deforms the first of those that a skin deforms.
inline void pose(const scene::EncodedScene& scene) {
    constexpr int kMost = 8;  // more would only slow the search down
    const std::vector<glm::mat4> world = scene::world_transforms(scene.scene);
    int posed = 0;
    for (const scene::Instance& instance : scene::instances(scene, {})) {
        if (instance.skin < 0) continue;
        if (++posed > kMost) return;
        (void)scene::posed_bounds(scene, instance, world);
        mesh::MeshArrays mesh = mesh::decode(mesh::mesh_view(scene.geometry, instance.mesh));
        scene::deform(mesh, scene::skin_matrices(scene.scene.skins[static_cast<std::size_t>(instance.skin)], world));
    }
}

}  // namespace sublet::fuzz
