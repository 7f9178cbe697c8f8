// What `info` tells of a .gltf or .glb file.
#pragma once

#include <iosfwd>

#include "app/output.h"
#include "scene/gltf_summary.h"

namespace sublet::app {

// The keys asset, totals, scene, scenes, meshes, materials, images, animations, variants, skins, cameras, lights and
// extensions. Those that .sublet files have too mean the same.
[[nodiscard]] Json gltf_json(const scene::GltfSummary& summary);

void print_gltf(std::ostream& out, const scene::GltfSummary& summary);

}  // namespace sublet::app
