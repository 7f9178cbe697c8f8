// sublet encode: glTF in, .sublet out.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "app/commands.h"
#include "app/file_options.h"
#include "app/keep/file_hash.h"
#include "app/output.h"
#include "app/plain_options.h"
#include "app/session.h"
#include "app/setting_options.h"
#include "app/stats_report.h"
#include "app/text.h"
#include "base/count_text.h"
#include "base/error.h"
#include "base/files.h"
#include "base/log.h"
#include "base/path_text.h"
#include "base/stopwatch.h"
#include "base/system.h"
#include "base/thread_pool.h"
#include "mesh/recode.h"
#include "render/scene/textures.h"
#include "scene/container.h"
#include "scene/encode_store.h"
#include "scene/file_kind.h"
#include "scene/import.h"
#include "scene/notes.h"
#include "scene/texture_compression.h"

namespace sublet::app {

namespace {

namespace fs = std::filesystem;

struct EncodeArguments {
    fs::path input, output, json;
    std::string style = "auto";
    std::string textures = "keep";
    std::string lod = "auto";
    std::string coding = "compact";
    std::uint32_t position_bits = mesh::kAutoPositionBits;
    std::uint32_t threads = 0;
    std::uint32_t memory = 2048;  // MiB
    scene::ImportOptions import;
    bool gives_lod = false;     // --lod was given
    bool gives_coding = false;  // --coding was given
    std::string for_gltf;       // an option that was, and that says nothing of what is encoded already
};

struct StyleChoice {
    mesh::Style style;
    NamedValue name;
};

constexpr const char* kEncodingGroup = "Encoding";

constexpr std::array kStyles{
    StyleChoice{mesh::Style::kAuto, {"auto", "all that a mesh has"}},
    StyleChoice{mesh::Style::kWireframe,
                {"wireframe", "positions alone; triangles are shaded flat, by their own plane"}},
    StyleChoice{mesh::Style::kTextured,
                {"textured", "positions, normals, tangents, both sets of texture coordinates, colours"}},
    StyleChoice{mesh::Style::kSkinned, {"skinned", "the same, and joints and weights"}},
};

constexpr std::array kTextures{
    NamedValue{"keep", "as they are in the source"},
    NamedValue{"bc", "in blocks that GPUs read, with mips: colours BC7, normals BC5, data BC7 or BC4"},
};

constexpr std::array kLevels{
    NamedValue{"off", "the finest alone"},
    NamedValue{"on", "coarser ones beside it, of all meshes but those that joints or morph targets deform"},
    NamedValue{"auto", "where a mesh has enough triangles to gain by it"},
};

constexpr std::array kCodings{
    NamedValue{"plain", "bits of fixed width for each sublet and attribute: what GPUs read at once"},
    NamedValue{"compact", "strips and predictions, in half the bytes: best decoded once, when it is loaded"},
};

// The figures of what was compressed.
Json textures_json(const scene::TextureCompression& textures, double seconds) {
    Json images = Json::array();
    for (const scene::CompressedImage& image : textures.images) {
        images.push_back({{"image", image.image},
                          {"format", scene::format_name(image.format)},
                          {"width", image.width},
                          {"height", image.height},
                          {"source_bytes", image.source_bytes},
                          {"bytes", image.bytes},
                          {"psnr", std::isfinite(image.psnr) ? Json(image.psnr) : Json()}});
    }
    return {{"seconds", seconds}, {"images", std::move(images)}};
}

// By format: how many, how large, how near to the source.
void print_textures(std::ostream& out, const scene::TextureCompression& textures, double seconds) {
    if (textures.images.empty()) return;
    out << "\n  compressed in " << fixed(seconds, 3) << " s; PSNR is that of the largest level, infinite ones aside\n";
    Table table({"", "images", "source bytes", "bytes", "least PSNR", "mean PSNR"});
    for (const auto format : {scene::TexelFormat::kBc7, scene::TexelFormat::kBc5, scene::TexelFormat::kBc4}) {
        std::uint64_t count = 0, finite = 0, source_bytes = 0, bytes = 0;
        double least = std::numeric_limits<double>::infinity(), sum = 0.0;
        for (const scene::CompressedImage& image : textures.images) {
            if (image.format != format) continue;
            ++count;
            source_bytes += image.source_bytes;
            bytes += image.bytes;
            if (!std::isfinite(image.psnr)) continue;
            ++finite;
            least = std::min(least, image.psnr);
            sum += image.psnr;
        }
        if (count == 0) continue;
        const bool lossy = finite > 0;
        table.add({scene::format_name(format), grouped(count), grouped(source_bytes), grouped(bytes),
                   lossy ? fixed(least, 1) + " dB" : "-",
                   lossy ? fixed(sum / static_cast<double>(finite), 1) + " dB" : "-"});
    }
    table.print(out, 2);
}

mesh::Style style_of(const std::string& name) {
    const auto* const found =
        std::ranges::find_if(kStyles, [&](const StyleChoice& choice) { return choice.name.name == name; });
    return found->style;  // the parser has checked it
}

fs::path default_output(const fs::path& input) {
    fs::path name = input.stem();
    name += ".sublet";
    return name;
}

mesh::Levels levels_of(const std::string& name) {
    return name == "on" ? mesh::Levels::kOn : name == "auto" ? mesh::Levels::kAuto : mesh::Levels::kOff;
}

mesh::Coding coding_of(const std::string& name) {
    return name == "compact" ? mesh::Coding::kCompact : mesh::Coding::kPlain;
}

struct Encoding {
    scene::EncodedScene scene;
    bool has_store = false;  // the scene lies in store_of() the output
    scene::EncodeTimes times;
    scene::TextureCompression textures;
    double texture_seconds = 0.0;
};

// Of an EncodeStore.
fs::path store_of(const fs::path& output) {
    fs::path folder = output;
    folder += ".partial";
    return folder;
}

std::uint64_t memory_of(const EncodeArguments& options) {
    return std::uint64_t{options.memory} << 20U;
}

// For a scene that needs more memory than it may have; null for any other, and for a device, which has no neighbours.
std::shared_ptr<scene::EncodeStore> make_store(const EncodeArguments& options, const fs::path& output,
                                               std::uint64_t triangles, const mesh::EncodeOptions& encoding,
                                               ThreadPool& pool) {
    if (triangles <= memory_of(options) / scene::kEncodeBytesPerTriangle) return nullptr;
    if (path_kind(output) == PathKind::kSpecial) return nullptr;
    std::string key = hash_file(executable_bytes_path(), pool);
    for (const int option : {static_cast<int>(encoding.style), encoding.position_bits, encoding.uv_bits,
                             static_cast<int>(encoding.levels), static_cast<int>(encoding.coding)}) {
        key += " " + std::to_string(option);
    }
    const fs::path folder = store_of(output);
    auto store = std::make_shared<scene::EncodeStore>(folder, key);
    if (store->groups() > 0) {
        note("goes on after " + counted(store->groups(), "mesh group") + " that " + path_text(folder) + " has");
    }
    return store;
}

Encoding encode_gltf(const EncodeArguments& options, const fs::path& output, ThreadPool& pool) {
    const fs::path& input = options.input;
    mesh::EncodeOptions encoding;
    encoding.style = style_of(options.style);
    encoding.position_bits = static_cast<int>(options.position_bits);
    encoding.levels = levels_of(options.lod);
    encoding.coding = coding_of(options.coding);
    if (options.textures == "bc") scene::require_texture_compression();
    Encoding out;
    Stopwatch step;
    const std::unique_ptr<scene::GroupReader> reader = scene::read_gltf(input, options.import, &pool);
    out.times.import = step.restart();
    const scene::EncodeSpace space{memory_of(options),
                                   make_store(options, output, reader->triangles(), encoding, pool)};
    out.has_store = space.store != nullptr;
    try {
        out.scene = scene::encode_scene(*reader, encoding, pool, &out.times, space);
    } catch (const std::exception&) {
        if (space.store && space.store->groups() > 0) {
            note(path_text(store_of(output)) + " keeps what is encoded so far: the same command goes on from there");
        }
        throw;
    }
    step.restart();
    if (options.textures == "bc") {
        out.textures = scene::compress_textures(out.scene.scene, pool, render::memory_limit_bytes(0));
        out.scene.notes.insert(out.scene.notes.end(), out.textures.notes.begin(), out.textures.notes.end());
        out.scene.notes = scene::clean_notes(out.scene.notes);  // names of images are in them
    }
    out.texture_seconds = step.restart();
    show_notes(out.scene.notes);
    out.scene.info.generator = std::string(kProgram) + " " + kVersion;
    out.scene.info.source = path_text(input.filename());
    out.scene.info.source_bytes = size_of_file(input);
    return out;
}

// What is encoded already gains or loses levels of detail, or gets another coding, and stays as it is otherwise.
Encoding convert(const EncodeArguments& options, ThreadPool& pool) {
    const std::string input = path_text(options.input);
    if (!options.gives_lod && !options.gives_coding) {
        throw Error(input, "",
                    "is encoded already; 'sublet info " + input + "' shows what is in it, 'sublet decode " + input +
                        " -o back.glb' makes it glTF again, --lod gives it levels of detail or takes them away, " +
                        "--coding makes it smaller, or plain");
    }
    if (!options.for_gltf.empty()) {
        throw Error(input, "", "is encoded already: " + options.for_gltf + " is for .gltf and .glb files");
    }
    Encoding out;
    Stopwatch step;
    out.scene = scene::open_sublet(options.input, &pool);
    show_notes(out.scene.notes);
    out.times.import = step.restart();
    const bool was_compact = mesh::has_other_coding(out.scene.geometry, mesh::Coding::kPlain);
    const mesh::Coding coding = options.gives_coding ? coding_of(options.coding)
                                : was_compact        ? mesh::Coding::kCompact
                                                     : mesh::Coding::kPlain;
    if (coding == mesh::Coding::kPlain) mesh::require_plain(out.scene.geometry, input);
    if (options.gives_lod) {
        out.scene = scene::with_levels(std::move(out.scene), levels_of(options.lod), &pool);
        out.times.levels = step.restart();
    }
    out.scene = scene::with_coding(std::move(out.scene), coding, &pool);
    out.times.pack = step.restart();
    out.times.encode_wall = out.times.levels + out.times.pack;
    return out;
}

int encode(const EncodeArguments& options) {
    const fs::path& input = options.input;
    const bool encoded = scene::file_kind(input) == scene::FileKind::kSublet;
    const fs::path output = options.output.empty() ? default_output(input) : options.output;
    const Output out(options.json, {{"IN", input}, {"--output", output}});
    if (!encoded || options.gives_lod || options.gives_coding) check_output({"--output", output}, {{"IN", input}});
    check_written_name("--output", output);
    ThreadPool pool(options.threads);
    const Stopwatch total;
    auto [scene, has_store, times, textures, texture_seconds] =
        encoded ? convert(options, pool) : encode_gltf(options, output, pool);
    const Stopwatch writing;
    scene::write_sublet(output, scene);
    times.write = writing.seconds();
    times.total = total.seconds();

    const scene::SceneStats stats = scene::scene_stats(scene, &pool);
    // Those that were dropped took their time as well.
    const std::uint64_t source_triangles =
        stats.total.triangles + stats.total.dropped_degenerate + stats.total.dropped_duplicate;
    const double rate = times.encode_wall > 0.0 ? static_cast<double>(source_triangles) / times.encode_wall : 0.0;
    out.human() << path_text(output) << ":\n";
    print_stats(out.human(), scene, stats, false);
    print_textures(out.human(), textures, texture_seconds);
    out.human() << "\n  " << fixed(times.total, 3) << " s (import " << fixed(times.import, 3) << ", encode "
                << fixed(times.encode_wall, 3);
    if (times.levels > 0.0) out.human() << ", of which levels of detail " << fixed(times.levels, 3);
    out.human() << ", write " << fixed(times.write, 3) << "), " << fixed(rate / 1e6, 2) << " M triangles/s on "
                << counted(pool.thread_count(), "thread") << ", peak memory " << byte_text(peak_memory_bytes()) << '\n';
    Json json{{"file", path_text(output)}};
    json.update(stats_json(scene, stats));
    json["seconds"] = {{"import", times.import}, {"cluster", times.cluster}, {"pack", times.pack},
                       {"bounds", times.bounds}, {"levels", times.levels},   {"write", times.write},
                       {"total", times.total}};
    if (options.textures == "bc") json["textures"] = textures_json(textures, texture_seconds);
    json["triangles_per_second"] = rate;
    json["threads"] = pool.thread_count();
    json["peak_bytes"] = peak_memory_bytes();
    json["notes"] = scene.notes;
    out.write_json(json);
    if (has_store) {
        scene = {};  // which lies there
        scene::EncodeStore::remove(store_of(output));
    }
    return kDone;
}

}  // namespace

void add_encode(CLI::App& program, Action& action) {
    auto options = std::make_shared<EncodeArguments>();
    CLI::App* command = program.add_subcommand("encode", "Encode a glTF scene as a .sublet file");
    command->group(kOfFiles);
    command->footer(
        "sublet encode model.glb                           # writes model.sublet here\n"
        "sublet encode model.gltf -o out/model.sublet      # or where you say\n"
        "sublet encode model.glb --position-bits 16        # finer positions, a larger file\n"
        "sublet encode model.glb --style wireframe         # positions alone\n"
        "sublet encode model.glb --textures bc             # textures in a quarter of the memory\n"
        "sublet encode model.glb --lod off                 # without coarser levels of detail beside the finest\n"
        "sublet encode model.glb --coding plain            # twice the bytes, which frames read faster encoded\n"
        "sublet encode old.sublet -o new.sublet --lod off  # without levels of detail, and else the same\n"
        "sublet encode old.sublet -o new.sublet --coding compact");
    add_file_option(*command, "IN", options->input,
                    "The scene: .gltf or .glb; or .sublet, which then gains or loses levels of detail, or gets another "
                    "coding")
        ->required()
        ->type_name("FILE.gltf|.glb|.sublet");
    add_file_option(*command, "-o,--output", options->output,
                    "The file to write; by default IN's name with .sublet in the current folder")
        ->type_name("FILE.sublet");
    std::vector<NamedValue> styles;
    for (const StyleChoice& choice : kStyles) styles.push_back(choice.name);
    add_choice_option(*command, "--style", options->style, styles, "Which attributes to keep, of those that a mesh has")
        ->group(kEncodingGroup);
    add_auto_count_option(*command, "--position-bits", options->position_bits, 4, mesh::kMostPositionBits,
                          "Signed bits of a position's component, 4 to 21; more than 16 in the compact coding alone; "
                          "auto: 14, or more for a mesh that would lose more than 0.5 % of its triangles, or lies on "
                          "such a grid")
        ->group(kEncodingGroup);
    add_choice_option(*command, "--lod", options->lod, kLevels, "Levels of detail")->group(kEncodingGroup);
    add_choice_option(*command, "--coding", options->coding, kCodings, "How geometry is coded; all else is the same")
        ->group(kEncodingGroup);
    add_choice_option(*command, "--textures", options->textures, kTextures, "How images are kept")
        ->group(kEncodingGroup);
    add_count_option(*command, "--threads", options->threads, 0, 1024,
                     "Threads to use; 0: one for each of the machine's")
        ->group(kEncodingGroup);
    add_count_option(*command, "--encode-memory", options->memory, 1, 1U << 20U,
                     "Memory in MiB that encoding may take, about; a scene that needs more is put together in "
                     "FILE.sublet.partial, from where the same command goes on when it was stopped")
        ->type_name("MiB")
        ->group(kEncodingGroup);
    add_import_options(*command, options->import);
    add_json_option(*command, options->json, "the figures");
    command->callback([options, command, &action] {
        for (const CLI::Option* option : command->get_options()) {
            const std::string name = option->get_name();
            if (option->count() == 0) continue;
            options->gives_lod = options->gives_lod || name == "--lod";
            options->gives_coding = options->gives_coding || name == "--coding";
            constexpr std::array kForAll{"IN", "--output", "--lod", "--coding", "--threads", "--json"};
            if (std::ranges::find(kForAll, name) == kForAll.end()) options->for_gltf = name;
        }
        action = [options] { return encode(*options); };
    });
}

}  // namespace sublet::app
