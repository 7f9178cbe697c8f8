// The node graph and what hangs on it: skins, animations, cameras and lights.
#pragma once

#include <vector>

#include "scene/gltf/document.h"
#include "scene/scene.h"

namespace sublet::scene::gltf {

// Fills the scene's nodes with those that the default scene reaches (else scene 0's, else all), each once, parents
// first, and the joints of their skins; then skins, animations, cameras and lights. Nodes name the DOCUMENT's meshes in
// mesh_group; EXT_mesh_gpu_instancing becomes a child node for each instance. Throws Error on a node with two parents,
// on a cycle, and on transforms that are not finite.
void read_nodes(Document& document, Scene& scene);

}  // namespace sublet::scene::gltf
