#include "app/keep/load_options.h"

#include <CLI/CLI.hpp>
#include <map>
#include <string>

#include "app/file_options.h"
#include "app/setting_options.h"

namespace sublet::app {

void add_load_options(CLI::App& command, LoadOptions& options) {
    static const std::map<std::string, bool> switches{{"on", true}, {"off", false}};
    add_import_options(command, options);
    command
        .add_option_function<std::string>(
            "--cache", [&options](const std::string& value) { options.cache = switches.at(value); },
            "Keep what a .gltf, a .glb or the built-in scene is encoded to, for the next time ('sublet cache')")
        ->check(CLI::IsMember(switches))
        ->type_name("on|off")
        ->default_str(options.cache ? "on" : "off")
        ->group(kFilesGroup);
}

}  // namespace sublet::app
