// Vertices made one, or one for each corner.
#pragma once

#include <cstdint>
#include <span>

#include "scene/import.h"

namespace sublet::scene {

// Makes one vertex of those that are equal in every attribute, to the bit; drops those that no index names.
void weld(SourceMesh& mesh);

// Makes vertex i what vertex sources[i] was; indices stay.
void take_vertices(SourceMesh& mesh, std::span<const std::uint32_t> sources);

// Makes a vertex of its own for every corner of every triangle.
void unweld(SourceMesh& mesh);

}  // namespace sublet::scene
