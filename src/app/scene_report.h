// What a scene holds beside its meshes, as `info` shows it of .sublet files and of their sources alike.
#pragma once

#include <cstdint>
#include <iosfwd>

#include "app/output.h"
#include "scene/scene.h"

namespace sublet::app {

// Adds scene (counts), images[], animations[] and variants[] to `json`.
void add_scene_json(Json& json, const scene::Scene& scene, std::uint64_t instances);

// Each of these prints nothing where there is none. Images by their format, and what they take of the GPU's memory.
void print_images(std::ostream& out, const scene::Scene& scene);
void print_animations(std::ostream& out, const scene::Scene& scene);
void print_variants(std::ostream& out, const scene::Scene& scene);

}  // namespace sublet::app
