// sublet encode: glTF in, .sublet out.
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <map>
#include <memory>
#include <ostream>
#include <string>

#include "app/commands.h"
#include "app/file_options.h"
#include "app/output.h"
#include "app/session.h"
#include "app/setting_options.h"
#include "app/stats_report.h"
#include "app/text.h"
#include "base/error.h"
#include "base/stopwatch.h"
#include "base/thread_pool.h"
#include "scene/container.h"
#include "scene/import.h"

namespace sublet::app {

namespace {

namespace fs = std::filesystem;

struct Options {
    std::string input, output, json;
    std::string style = "auto";
    int position_bits = mesh::EncodeOptions{}.position_bits;
    unsigned threads = 0;
    scene::ImportOptions import;
};

const std::map<std::string, mesh::Style> kStyles{{"auto", mesh::Style::kAuto},
                                                 {"wireframe", mesh::Style::kWireframe},
                                                 {"textured", mesh::Style::kTextured},
                                                 {"skinned", mesh::Style::kSkinned}};

// The most memory that the process has held so far.
std::uint64_t peak_bytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

fs::path default_output(const fs::path& input) {
    fs::path name = input.stem();
    name += ".sublet";
    return name;
}

int encode(const Options& options) {
    const fs::path input = options.input;
    const fs::path output = options.output.empty() ? default_output(input) : fs::path(options.output);
    const Output out(options.json, {input, output});
    check_output(output, {input});
    check_written_name("--output", output);
    if (input.extension() == ".sublet")
        throw Error(input.string(), "", "is encoded already; encode takes a .gltf or .glb");

    mesh::EncodeOptions encoding;
    encoding.style = kStyles.at(options.style);
    encoding.position_bits = options.position_bits;
    ThreadPool pool(options.threads);
    scene::EncodeTimes times;
    const Stopwatch total;
    Stopwatch step;
    scene::ImportedScene imported = scene::import_gltf(input, options.import);
    times.import = step.restart();
    show_notes(imported.notes);
    scene::EncodedScene encoded = scene::encode_scene(std::move(imported), encoding, pool, &times);
    show_notes(encoded.notes);  // and what encoding found
    std::error_code error;
    encoded.info.generator = std::string(kProgram) + " " + kVersion;
    encoded.info.source = input.filename().string();
    encoded.info.source_bytes = fs::file_size(input, error);
    step.restart();
    scene::write_sublet(output, encoded);
    times.write = step.seconds();
    times.total = total.seconds();

    const scene::GeometryStats stats = scene::total_stats(encoded);
    // Those that were dropped took their time as well.
    const std::uint64_t source_triangles = stats.triangles + stats.dropped_degenerate + stats.dropped_duplicate;
    const double rate = times.encode_wall > 0.0 ? static_cast<double>(source_triangles) / times.encode_wall : 0.0;
    out.human() << output.string() << ":\n";
    print_stats(out.human(), encoded, false);
    out.human() << "\n  " << fixed(times.total, 3) << " s (import " << fixed(times.import, 3) << ", encode "
                << fixed(times.encode_wall, 3) << ", write " << fixed(times.write, 3) << "), " << fixed(rate / 1e6, 2)
                << " M triangles/s on " << pool.thread_count() << (pool.thread_count() == 1 ? " thread" : " threads")
                << ", peak memory " << byte_text(peak_bytes()) << '\n';
    Json json{{"file", output.string()}};
    json.update(stats_json(encoded));
    json["seconds"] = {{"import", times.import}, {"cluster", times.cluster}, {"pack", times.pack},
                       {"bounds", times.bounds}, {"write", times.write},     {"total", times.total}};
    json["triangles_per_second"] = rate;
    json["threads"] = pool.thread_count();
    json["peak_bytes"] = peak_bytes();
    json["notes"] = encoded.notes;
    out.write_json(json);
    return kDone;
}

}  // namespace

void add_encode(CLI::App& program, Action& action) {
    auto options = std::make_shared<Options>();
    CLI::App* command = program.add_subcommand("encode", "Encode a glTF scene as a .sublet file");
    add_file_option(*command, "IN", options->input, "The scene: .gltf or .glb")->required();
    add_file_option(*command, "-o,--output", options->output,
                    "The file to write; by default IN's name with .sublet in the current folder");
    command->add_option("--style", options->style, "Which attributes to keep; auto: all that a mesh has")
        ->check(CLI::IsMember(kStyles))
        ->capture_default_str();
    command->add_option("--position-bits", options->position_bits, "Signed bits of a position's component")
        ->check(CLI::Range(4, 16))
        ->capture_default_str();
    command->add_option("--threads", options->threads, "Threads to use; 0: one for each of the machine's")
        ->check(CLI::Range(0, 1024))
        ->capture_default_str();
    add_import_options(*command, options->import);
    add_file_option(*command, "--json", options->json, "Write the figures as JSON to this file (- is stdout)");
    command->callback([options, &action] { action = [options] { return encode(*options); }; });
}

}  // namespace sublet::app
