// sublet decode: the CPU reference decoder, back to glTF.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <ostream>
#include <string>
#include <system_error>

#include "app/commands.h"
#include "app/file_options.h"
#include "app/output.h"
#include "app/session.h"
#include "app/text.h"
#include "base/stopwatch.h"
#include "scene/container.h"

namespace sublet::app {

namespace {

struct Options {
    std::string input, output, json;
};

int decode(const Options& options) {
    const Output out(options.json, {options.input, options.output});
    check_output(options.output, {options.input});
    check_written_name("--output", options.output, {".glb"});
    const Stopwatch watch;
    const scene::EncodedScene scene = scene::open_sublet(options.input);
    show_notes(scene.notes);
    scene::export_glb(options.output, scene);
    const double seconds = watch.seconds();

    std::error_code error;
    const std::uintmax_t written = std::filesystem::file_size(options.output, error);
    const std::uint64_t bytes = error ? 0 : written;
    const scene::GeometryStats stats = scene::total_stats(scene);
    out.human() << options.output << ": " << grouped(stats.triangles) << " triangles, " << grouped(bytes) << " bytes, "
                << fixed(seconds, 3) << " s\n";
    out.write_json({{"file", options.output},
                    {"bytes", bytes},
                    {"triangles", stats.triangles},
                    {"meshes", scene.scene.mesh_groups.size()},
                    {"seconds", {{"total", seconds}}},
                    {"notes", scene.notes}});
    return kDone;
}

}  // namespace

void add_decode(CLI::App& program, Action& action) {
    auto options = std::make_shared<Options>();
    CLI::App* command = program.add_subcommand("decode", "Decode a .sublet file back to glTF");
    add_file_option(*command, "FILE", options->input, "The .sublet file")->required();
    add_file_option(*command, "-o,--output", options->output, "The .glb file to write")->required();
    add_file_option(*command, "--json", options->json, "Write what was done as JSON to this file (- is stdout)");
    command->callback([options, &action] { action = [options] { return decode(*options); }; });
}

}  // namespace sublet::app
