// The figures of an encoded scene, as `encode` and `info` show them.
#pragma once

#include <iosfwd>

#include "app/output.h"
#include "scene/container.h"

namespace sublet::app {

// totals, streams, quality, error, encoding, meshes[] (each with the first four); lod and bytes_per_source_triangle
// where meshes have levels of detail, of which the others mean the finest.
[[nodiscard]] Json stats_json(const scene::EncodedScene& scene, const scene::SceneStats& stats);

// "plain", "compact", or "mixed": no program mixes them in a file, but a file may.
[[nodiscard]] const char* coding_name(const scene::EncodedScene& scene);

// A summary and a table of where the bytes go; with `per_mesh`, a line for each mesh.
void print_stats(std::ostream& out, const scene::EncodedScene& scene, const scene::SceneStats& stats, bool per_mesh);

}  // namespace sublet::app
