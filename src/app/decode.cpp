// sublet decode: the CPU reference decoder, back to glTF.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "app/commands.h"
#include "app/file_options.h"
#include "app/output.h"
#include "app/session.h"
#include "app/text.h"
#include "base/files.h"
#include "base/log.h"
#include "base/path_text.h"
#include "base/stopwatch.h"
#include "render/scene/textures.h"
#include "render/settings/settings.h"
#include "scene/animation.h"
#include "scene/container.h"

namespace sublet::app {

namespace {

struct DecodeArguments {
    std::filesystem::path input, output, json;
    std::string animation = std::string(scene::kAllAnimations);
    std::string time;  // empty: the scene as it is in the file, animations and all
};

// Gives nodes and materials what the animations say at that time, for good.
void freeze(scene::Scene& scene, const std::string& animation, const std::string& time) {
    render::Settings parsed;
    render::find_setting("time")->set(parsed, time);
    const std::vector<std::size_t> playing = scene::chosen_animations(scene, animation);
    scene::pose_nodes(scene.nodes, scene, playing, parsed.frame.time);
    scene::pose_materials(scene.materials, scene, playing, parsed.frame.time);
    scene.animations.clear();
}

int decode(const DecodeArguments& options) {
    const Output out(options.json, {{"FILE", options.input}, {"--output", options.output}});
    check_output({"--output", options.output}, {{"FILE", options.input}});
    check_written_name("--output", options.output, {".glb"});
    const Stopwatch watch;
    require_encoded(options.input);
    scene::EncodedScene scene = scene::open_sublet(options.input);
    show_notes(scene.notes);
    if (!options.time.empty()) freeze(scene.scene, options.animation, options.time);
    NoteCollector collector;
    scene::export_glb(options.output, scene, {render::memory_limit_bytes(0), !options.time.empty()});
    for (std::string& note : collector.take()) scene.notes.push_back(std::move(note));
    const double seconds = watch.seconds();

    const std::uint64_t bytes = size_of_file(options.output);
    const std::uint64_t triangles = scene::scene_stats(scene).total.triangles;
    out.human() << path_text(options.output) << ": " << counted(triangles, "triangle") << ", " << counted(bytes, "byte")
                << ", " << fixed(seconds, 3) << " s\n";
    out.write_json({{"file", path_text(options.output)},
                    {"bytes", bytes},
                    {"triangles", triangles},
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
        "sublet decode model.sublet -o back.glb    # the triangles as they are drawn; images in blocks become PNG\n"
        "sublet decode model.sublet -o pose.glb --time 1.5    # as it is after 1.5 s: nothing that moves");
    add_file_option(*command, "FILE", options->input, "The .sublet file")->required()->type_name("FILE.sublet");
    add_file_option(*command, "-o,--output", options->output, "The file to write")->required()->type_name("FILE.glb");
    CLI::Option* time =
        command
            ->add_option("--time", options->time,
                         "Put nodes and materials where animations have them at this time, and meshes as joints and "
                         "morph targets deform them, and leave animations, skins and targets out.")
            ->type_name("SECONDS");
    command->add_option("--animation", options->animation, "Which of them: a name, numbers, all, or none")
        ->type_name("NAME|INDEX,..|all|none")
        ->capture_default_str()
        ->needs(time);
    add_json_option(*command, options->json, "what was done");
    command->callback([options, &action] { action = [options] { return decode(*options); }; });
}

}  // namespace sublet::app
