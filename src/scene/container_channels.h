// The channels of a container's animations.
#pragma once

#include <string>

#include "mesh/sections.h"
#include "scene/scene.h"

namespace sublet::scene {

// Adds to the scene's animations, which are there without them, their channels: plain ones first, then those by
// pointers. All else of the scene must be there. Throws Error naming the file `name`, the record and the field on what
// can't be.
void read_channels(const mesh::Sections& sections, const std::string& name, Scene& scene);

}  // namespace sublet::scene
