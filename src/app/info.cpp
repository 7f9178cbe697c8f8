// sublet info: what is in a .sublet file, or in the glTF that one is made of.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <ostream>
#include <string>

#include "app/commands.h"
#include "app/details_report.h"
#include "app/file_options.h"
#include "app/gltf_report.h"
#include "app/output.h"
#include "app/session.h"
#include "app/setting_options.h"
#include "app/stats_report.h"
#include "app/text.h"
#include "base/files.h"
#include "base/path_text.h"
#include "base/printable.h"
#include "base/thread_pool.h"
#include "mesh/mesh.h"
#include "mesh/statistics.h"
#include "render/scene/scene_memory.h"
#include "scene/container.h"
#include "scene/file_kind.h"
#include "scene/gltf_summary.h"

namespace sublet::app {

namespace {

struct InfoArguments {
    std::filesystem::path input, json;
    scene::ImportOptions import;
};

// "14 position bits", or "14 to 16" where meshes have more than were asked for.
std::string position_bits(const scene::EncodedScene& scene) {
    auto most = static_cast<std::uint32_t>(scene.info.position_bits);
    for (const mesh::MeshHeader& mesh : scene.geometry.meshes) most = std::max(most, mesh.position_bits);
    const auto asked_for = static_cast<std::uint32_t>(scene.info.position_bits);
    return (most > asked_for ? std::to_string(asked_for) + " to " : "") + counted(most, "position bit");
}

void tell_of_gltf(const InfoArguments& options, const Output& out) {
    const scene::GltfSummary summary = scene::summarize_gltf(options.input, options.import);
    show_notes(summary.notes);
    out.human() << path_text(options.input) << ": glTF " << printable(summary.version)
                << (summary.binary ? ", binary" : "")
                << (summary.generator.empty() ? "" : ", by " + printable(summary.generator)) << ", not encoded yet; "
                << counted(summary.bytes, "byte") << " with what was read of its files\n";
    print_gltf(out.human(), summary);
    Json json{{"file", path_text(options.input)},
              {"file_bytes", size_of_file(options.input)},
              {"format", summary.binary ? "glb" : "gltf"}};
    json.update(gltf_json(summary));
    json["notes"] = summary.notes;
    out.write_json(json);
}

void tell_of_encoded(const InfoArguments& options, const Output& out) {
    ThreadPool pool;
    const scene::EncodedScene scene = scene::open_sublet(options.input, &pool);
    show_notes(scene.notes);
    const scene::EncodeInfo& encoding = scene.info;
    out.human() << path_text(options.input) << ": " << counted(scene.file_bytes, "byte") << ", from "
                << printable(encoding.source) << " (" << counted(encoding.source_bytes, "byte") << ") by "
                << printable(encoding.generator) << ", style " << printable(encoding.style) << ", "
                << position_bits(scene) << ", " << coding_name(scene) << " coding\n";
    const render::SceneMemory memory = render::scene_memory(scene, {}, false);
    out.human() << "  drawing takes at least " << byte_text(memory.device()) << " of memory, beside textures ("
                << byte_text(memory.geometry) << " encoded, " << byte_text(memory.decoded) << " decoded, "
                << byte_text(memory.instances) << " for instances)\n";
    const scene::SceneStats stats = scene::scene_stats(scene, &pool);
    const mesh::GeometryStatistics statistics = mesh::statistics(scene.geometry);
    print_stats(out.human(), scene, stats, true);
    print_details(out.human(), statistics, stats.total);
    Json json{{"file", path_text(options.input)}, {"file_bytes", scene.file_bytes}, {"format", "sublet"}};
    json.update(stats_json(scene, stats));
    add_details_json(json, statistics);
    json["memory"] = {{"geometry", memory.geometry},
                      {"decoded", memory.decoded},
                      {"instances", memory.instances},
                      {"host", memory.host}};
    json["notes"] = scene.notes;
    out.write_json(json);
}

int info(const InfoArguments& options) {
    const Output out(options.json, {{"FILE", options.input}});
    if (scene::file_kind(options.input) == scene::FileKind::kSublet) {
        tell_of_encoded(options, out);
    } else {
        tell_of_gltf(options, out);
    }
    return kDone;
}

}  // namespace

void add_info(CLI::App& program, Action& action) {
    auto options = std::make_shared<InfoArguments>();
    CLI::App* command = program.add_subcommand("info", "Show what is in a .sublet, .gltf or .glb file");
    command->group(kOfFiles);
    command->footer(
        "sublet info model.sublet                # counts, bytes of each stream, quality\n"
        "sublet info model.sublet --json -       # the same for a script\n"
        "sublet info model.glb                   # meshes, materials, animations, extensions, before it is encoded");
    add_file_option(*command, "FILE", options->input,
                    "The file. Of glTF nothing is encoded: counts are those that the file names.")
        ->required()
        ->type_name("FILE.gltf|.glb|.sublet");
    add_import_options(*command, options->import);
    add_json_option(*command, options->json, "the figures");
    command->callback([options, &action] { action = [options] { return info(*options); }; });
}

}  // namespace sublet::app
