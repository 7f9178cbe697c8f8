// The node graph and what hangs on it: skins, cameras and lights.
#pragma once

#include <string_view>
#include <vector>

#include "scene/file_scenes.h"
#include "scene/gltf/document.h"
#include "scene/scene.h"

namespace sublet::scene::gltf {

// Fills the scene's nodes with those that one of the document's scenes reaches (all, where it has no scenes), each
// once, parents first, and the joints of their skins; then skins, cameras and lights. `wanted`: which scene, as
// FileScenes::find() has it. Nodes name the DOCUMENT's meshes in mesh_group; EXT_mesh_gpu_instancing becomes a child
// node for each instance. Throws Error where there is no such scene, on a node with two parents, on a cycle, and on
// transforms that are not finite. Returns the scene's index of each node of the document, -1 of those that are not in
// it.
[[nodiscard]] std::vector<int> read_nodes(Document& document, Scene& scene, std::string_view wanted);

[[nodiscard]] FileScenes scenes_of(const Document& document);

}  // namespace sublet::scene::gltf
