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
#include "render/scene/textures.h"
#include "scene/container.h"

namespace sublet::app {

namespace {

struct DecodeArguments {
    std::string input, output, json;
};

int decode(const DecodeArguments& options) {
    const Output out(options.json, {options.input, options.output});
    check_output(options.output, {options.input});
    check_written_name("--output", options.output, {".glb"});
    const Stopwatch watch;
    require_encoded(options.input);
    const scene::EncodedScene scene = scene::open_sublet(options.input);
    show_notes(scene.notes);
    scene::export_glb(options.output, scene, render::memory_limit_bytes(0));
    const double seconds = watch.seconds();

    std::error_code error;
    const std::uintmax_t written = std::filesystem::file_size(options.output, error);
    const std::uint64_t bytes = error ? 0 : written;
    const scene::GeometryStats stats = scene::total_stats(scene);
    out.human() << options.output << ": " << counted(stats.triangles, "triangle") << ", " << counted(bytes, "byte")
                << ", " << fixed(seconds, 3) << " s\n";
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
    auto options = std::make_shared<DecodeArguments>();
    CLI::App* command = program.add_subcommand("decode", "Decode a .sublet file back to glTF");
    command->group(kOfFiles);
    command->footer(
        "sublet decode model.sublet -o back.glb    # the triangles as they are drawn; images in blocks become PNG");
    add_file_option(*command, "FILE", options->input, "The .sublet file")->required()->type_name("FILE.sublet");
    add_file_option(*command, "-o,--output", options->output, "The file to write")->required()->type_name("FILE.glb");
    add_json_option(*command, options->json, "what was done");
    command->callback([options, &action] { action = [options] { return decode(*options); }; });
}

}  // namespace sublet::app
