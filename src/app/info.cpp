// sublet info: what is in a .sublet file.
#include <CLI/CLI.hpp>
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
#include "scene/container.h"

namespace sublet::app {

namespace {

struct Options {
    std::string input, json;
};

int info(const Options& options) {
    const Output out(options.json, {options.input});
    const scene::EncodedScene scene = scene::open_sublet(options.input);
    show_notes(scene.notes);
    const scene::EncodeInfo& encoding = scene.info;
    out.human() << options.input << ": " << grouped(scene.file_bytes) << " bytes, from " << encoding.source << " ("
                << grouped(encoding.source_bytes) << " bytes) by " << encoding.generator << ", style " << encoding.style
                << ", " << encoding.position_bits << " position bits\n";
    print_stats(out.human(), scene, true);
    print_details(out.human(), scene);
    Json json{{"file", options.input}, {"file_bytes", scene.file_bytes}};
    json.update(stats_json(scene));
    add_details_json(json, scene);
    json["notes"] = scene.notes;
    out.write_json(json);
    return kDone;
}

}  // namespace

void add_info(CLI::App& program, Action& action) {
    auto options = std::make_shared<Options>();
    CLI::App* command = program.add_subcommand("info", "Show what is in a .sublet file");
    add_file_option(*command, "FILE", options->input, "The .sublet file")->required();
    add_file_option(*command, "--json", options->json, "Write the figures as JSON to this file (- is stdout)");
    command->callback([options, &action] { action = [options] { return info(*options); }; });
}

}  // namespace sublet::app
