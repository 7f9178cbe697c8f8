// Scenes that have something of everything.
#pragma once

#include "scene/container.h"

namespace sublet::scene::testing {

EncodedScene rich_scene();

// Its one mesh is large enough for levels of detail.
EncodedScene rich_scene_with_levels();

}  // namespace sublet::scene::testing
