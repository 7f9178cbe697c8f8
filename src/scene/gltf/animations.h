// Animations: channels of nodes, and of what KHR_animation_pointer names beside them.
#pragma once

#include <vector>

#include "scene/gltf/document.h"
#include "scene/scene.h"

namespace sublet::scene::gltf {

// Fills the scene's animations; its nodes and materials must be there. `nodes`: read_nodes(). Channels of what is not
// in the scene are left out, those of what can't be played with a note. Throws Error naming the accessor or sampler
// where keys are malformed or out of all proportion to the file.
void read_animations(Document& document, const std::vector<int>& nodes, Scene& scene);

}  // namespace sublet::scene::gltf
