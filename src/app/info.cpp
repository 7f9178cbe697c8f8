// sublet info: what is in a .sublet file.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <ostream>
#include <string>

#include "app/commands.h"
#include "app/details_report.h"
#include "app/file_options.h"
#include "app/output.h"
#include "app/session.h"
#include "app/stats_report.h"
#include "app/text.h"
#include "base/path_text.h"
#include "base/printable.h"
#include "mesh/mesh.h"
#include "scene/container.h"

namespace sublet::app {

namespace {

struct InfoArguments {
    std::filesystem::path input, json;
};

// "14 position bits", or "14 to 16" where meshes have more than were asked for.
std::string position_bits(const scene::EncodedScene& scene) {
    auto most = static_cast<std::uint32_t>(scene.info.position_bits);
    for (const mesh::MeshHeader& mesh : scene.geometry.meshes) most = std::max(most, mesh.position_bits);
    const auto asked_for = static_cast<std::uint32_t>(scene.info.position_bits);
    return (most > asked_for ? std::to_string(asked_for) + " to " : "") + counted(most, "position bit");
}

int info(const InfoArguments& options) {
    const Output out(options.json, {options.input});
    require_encoded(options.input);
    const scene::EncodedScene scene = scene::open_sublet(options.input);
    show_notes(scene.notes);
    const scene::EncodeInfo& encoding = scene.info;
    out.human() << path_text(options.input) << ": " << counted(scene.file_bytes, "byte") << ", from "
                << printable(encoding.source) << " (" << counted(encoding.source_bytes, "byte") << ") by "
                << printable(encoding.generator) << ", style " << printable(encoding.style) << ", "
                << position_bits(scene) << '\n';
    print_stats(out.human(), scene, true);
    print_details(out.human(), scene);
    Json json{{"file", path_text(options.input)}, {"file_bytes", scene.file_bytes}};
    json.update(stats_json(scene));
    add_details_json(json, scene);
    json["notes"] = scene.notes;
    out.write_json(json);
    return kDone;
}

}  // namespace

void add_info(CLI::App& program, Action& action) {
    auto options = std::make_shared<InfoArguments>();
    CLI::App* command = program.add_subcommand("info", "Show what is in a .sublet file");
    command->group(kOfFiles);
    command->footer(
        "sublet info model.sublet                # counts, bytes of each stream, quality\n"
        "sublet info model.sublet --json -       # the same for a script");
    add_file_option(*command, "FILE", options->input, "The .sublet file")->required()->type_name("FILE.sublet");
    add_json_option(*command, options->json, "the figures");
    command->callback([options, &action] { action = [options] { return info(*options); }; });
}

}  // namespace sublet::app
