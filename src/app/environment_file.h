// The picture of the light all around that settings name.
#pragma once

#include "render/settings/settings.h"

namespace sublet::app {

// Reads the picture that --environment names, unless it is there; other environments need nothing. Throws Error.
void read_environment(render::Settings& settings);

}  // namespace sublet::app
