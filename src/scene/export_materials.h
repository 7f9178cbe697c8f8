// The materials of a scene as those of a glTF file, with their textures and images.
#pragma once

#include <cstdint>
#include <vector>

#include "scene/glb_writer.h"
#include "scene/scene.h"

namespace sublet::scene {

// Adds the scene's samplers, images, textures and materials to the file. Images of formats that glTF lacks become PNG,
// or are left out (note_once()), as where decoding one takes more than `most_decoding` bytes. Returns the numbers of
// the textures in the file; -1: left out with its image.
[[nodiscard]] std::vector<int> export_materials(const Scene& scene, std::uint64_t most_decoding, GlbWriter& file);

}  // namespace sublet::scene
