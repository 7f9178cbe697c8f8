// What a scene's skins and morph targets make of its meshes.
#pragma once

#include "scene/container.h"
#include "scene/deform.h"

namespace sublet::fuzz {

// Makes the instances, and deforms the first of those that deform.
inline void pose(const scene::EncodedScene& scene) {
    constexpr int kMost = 8;  // more would only slow the search down
    const std::vector<glm::mat4> world = scene::world_transforms(scene.scene);
    int posed = 0;
    for (const scene::Instance& instance : scene::instances(scene, {})) {
        if (!scene::is_deformed(scene, instance)) continue;
        if (++posed > kMost) return;
        (void)scene::posed_bounds(scene, instance, world);
        mesh::MeshArrays mesh = mesh::decode(mesh::mesh_view(scene.geometry, instance.mesh));
        std::vector<shared::SkinMatrix> matrices;
        if (instance.skin >= 0) {
            matrices = scene::skin_matrices(scene.scene.skins[static_cast<std::size_t>(instance.skin)], world);
        }
        scene::deform(mesh, matrices, scene::morph_weights(scene.scene, instance));
    }
}

}  // namespace sublet::fuzz
