// Plants of the built-in scene: leaves are cards that an alpha mask cuts out.
#pragma once

#include <vector>

#include "scene/builtin/shapes.h"

namespace sublet::scene::builtin {

// 4.6 m high, its foot at the origin.
[[nodiscard]] std::vector<ShapeBuilder> tree();

// A clipped bush on a bare stem, 1.1 m high.
[[nodiscard]] std::vector<ShapeBuilder> bush();

}  // namespace sublet::scene::builtin
