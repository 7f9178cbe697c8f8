// How a SCENE of the command line is loaded.
#pragma once

#include "scene/import.h"

namespace CLI {
class App;
}

namespace sublet::app {

struct LoadOptions : scene::ImportOptions {
    bool cache = true;  // take what was encoded before, and keep what is encoded now
};

// Adds --scene, --allow-outside and --cache.
void add_load_options(CLI::App& command, LoadOptions& options);

}  // namespace sublet::app
