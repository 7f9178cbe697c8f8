// exactness: holds every backend, with every setting that it uses, to the picture of direct draws with all culling off.
//
//   exactness kitten.glb builtin shapes --without each --json report.json
//   exactness kitten.glb --grid 13x13x13 --grid-spacing 1 --cameras 0 --path 200
//
// Exit status: 0 exact; 1 a difference in a pixel that is not ambiguous, a validation message, a blank set of pictures,
// a path that never ran, or an input that can't be read; 2 the command line is wrong.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <sstream>
#include <utility>

#include "base/allocator.h"
#include "base/atomic_file.h"
#include "base/error.h"
#include "base/stopwatch.h"
#include "base/thread_pool.h"
#include "gpu/device.h"
#include "harness.h"
#include "report.h"
#include "shapes.h"
#include "sweep.h"

namespace sublet::test {
namespace {

struct Arguments {
    std::vector<std::string> scenes;
    std::vector<std::string> without;
    std::vector<std::string> combinations{"singles", "pairwise"};
    std::vector<std::string> backends;
    std::string sizes = "1x1,7x5,641x359,1920x1080";
    std::string deal_sizes = "without";
    std::size_t cameras = 20;
    std::size_t path = 0;
    std::size_t every = 10;
    std::string validation = "auto";
    std::string device, json;
    std::string fault = "none";
    std::string grid, grid_spacing;
};

struct NamedScene {
    std::string name, argument;  // the second for `sublet render`, which knows no shapes
    scene::EncodedScene scene;
};

std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> out;
    std::istringstream in(text);
    for (std::string part; std::getline(in, part, separator);) {
        out.push_back(part);
    }
    return out;
}

std::vector<PictureSize> parse_sizes(const std::string& text) {
    std::vector<PictureSize> out;
    for (const std::string& part : split(text, ',')) {
        std::istringstream in(part);
        PictureSize size;
        char times = 0;
        if (!(in >> size.width >> times >> size.height) || times != 'x' || !in.eof() || size.width == 0 ||
            size.height == 0 || size.width > 16384 || size.height > 16384) {
            throw CLI::ValidationError("--sizes", "'" + part + "' is not a size like 641x359, each side 1 to 16384");
        }
        out.push_back(size);
    }
    return out;
}

// The plain device, and those to be treated as lacking something: a list of features each.
std::vector<std::vector<std::string>> parse_without(const std::vector<std::string>& texts) {
    std::vector<std::vector<std::string>> out;
    for (const std::string& text : texts) {
        if (text == "none") {
            out.emplace_back();
        } else if (text == "each") {
            out.emplace_back();
            for (const gpu::Feature& feature : gpu::features()) {
                out.push_back({feature.name});
            }
        } else {
            out.push_back(split(text, ','));
        }
    }
    return out.empty() ? std::vector<std::vector<std::string>>{{}} : out;
}

NamedScene load(const std::string& name, ThreadPool& pool) {
    if (name == "builtin") return {name, "", scene::encode_scene(scene::make_builtin_scene(), {}, pool)};
    if (name == "deforming") return {name, name, scene::encode_scene(make_deforming_shapes(), {}, pool)};
    if (name == "shapes") return {name, name, scene::encode_scene(make_shapes(), {}, pool)};
    return {name, name, scene::load_scene(name, {}, pool)};
}

// Bounds that lie put the first meshlet of each mesh outside of every frustum, for culling on the GPU alone.
void drop_meshlets(scene::EncodedScene& scene) {
    auto geometry = std::make_shared<mesh::Geometry>();
    mesh::append(*geometry, scene.geometry);
    for (const mesh::MeshHeader& mesh : geometry->meshes) {
        if (mesh.meshlet_count > 0) {
            geometry->meshlet_bounds[mesh.first_meshlet].sphere.w = -1e6F;
        }
    }
    scene.geometry = geometry->view();
    scene.storage = geometry;
}

std::unique_ptr<Bench> open_device(const Arguments& arguments, const std::vector<std::string>& without) {
    gpu::DeviceOptions options;
    options.selector = arguments.device;
    options.without = without;
    options.validation = arguments.validation != "off";
    try {
        return std::make_unique<Bench>(options);
    } catch (const Error&) {
        if (arguments.validation != "auto") throw;
    }
    options.validation = false;  // no layer here: pictures can be compared all the same
    return std::make_unique<Bench>(options);
}

// Paths that some scene had to enter on this device and none did.
std::vector<std::string> paths_not_entered(const DeviceResult& device) {
    std::map<std::string, std::uint64_t> entered;
    for (const SceneResult& scene : device.scenes) {
        for (const auto& [path, pictures] : scene.paths) {
            entered[path] += pictures;
        }
    }
    std::vector<std::string> out;
    for (const auto& [path, pictures] : entered) {
        if (pictures == 0) {
            out.push_back("no picture entered the path: " + path);
        }
    }
    return out;
}

SweepOptions sweep_options(const Arguments& arguments, bool plain_device) {
    SweepOptions out;
    const auto has = [&](const char* which) {
        return std::find(arguments.combinations.begin(), arguments.combinations.end(), which) !=
               arguments.combinations.end();
    };
    out.plan.singles = has("singles");
    out.plan.pairwise = has("pairwise");
    out.plan.together = has("together");
    for (const std::string& name : arguments.backends) {
        render::Settings chosen;
        render::find_setting("backend")->set(chosen, name);
        out.plan.backends.push_back(chosen.frame.backend.value());
    }
    render::Settings settings;
    render::find_setting("grid")->set(settings, arguments.grid);
    if (!arguments.grid_spacing.empty()) {
        render::find_setting("grid-spacing")->set(settings, arguments.grid_spacing);
    }
    out.scene_settings = settings.scene;
    out.sizes = parse_sizes(arguments.sizes);
    out.deal_sizes = arguments.deal_sizes == "all" || (arguments.deal_sizes == "without" && !plain_device);
    out.cameras = arguments.cameras;
    out.path_frames = arguments.path;
    out.path_every = arguments.every;
    out.fault = arguments.fault == "level-too-fine" ? render::Fault::kPyramidLevelTooFine
                : arguments.fault == "last-pose"    ? render::Fault::kBoundsOfLastPose
                                                    : render::Fault::kNone;
    return out;
}

DeviceResult run_device(Bench& bench, const std::vector<std::string>& without, const Arguments& arguments,
                        const std::vector<NamedScene>& scenes, std::ostream& human) {
    DeviceResult out;
    const gpu::Capabilities& capabilities = bench.device().capabilities();
    out.name = capabilities.name;
    out.driver = capabilities.driver;
    out.without = without;
    out.validation = bench.validation();
    human << "== " << out.name << " (" << out.driver << ")";
    for (const std::string& feature : without) {
        human << " without " << feature;
    }
    human << '\n';
    SweepOptions options = sweep_options(arguments, without.empty());
    for (const NamedScene& scene : scenes) {
        options.scene_name = scene.name;
        options.scene_argument = scene.argument;
        bench.set_scene(scene.scene, options.scene_settings);
        if (options.cameras != 0) {
            out.scenes.push_back(sweep_stills(bench, options));
            print_scene(human, out.scenes.back());
        }
        if (options.path_frames != 0) {
            out.scenes.push_back(sweep_path(bench, options));
            print_scene(human, out.scenes.back());
        }
    }
    out.failures = paths_not_entered(out);
    out.validation_messages = bench.validation_messages();
    out.validation_texts = bench.validation_texts();
    for (const std::string& feature : without) {
        for (const gpu::Feature& known : gpu::features()) {
            if (feature == known.name && capabilities.*known.flag) {
                out.failures.push_back("the device was to be without " + feature + ", and has it");
            }
        }
    }
    if (out.validation_messages != 0) {
        human << "  FAILED " << out.validation_messages << " validation messages, the first: "
              << (out.validation_texts.empty() ? "" : out.validation_texts.front()) << '\n';
    }
    return out;
}

// The feature of `without` that no device here has anyway, if there is one.
std::optional<std::string> lacking(const gpu::Capabilities& plain, const std::vector<std::string>& without) {
    for (const std::string& name : without) {
        for (const gpu::Feature& feature : gpu::features()) {
            if (name == feature.name && !(plain.*feature.flag)) return name;
        }
    }
    return std::nullopt;
}

int run(const Arguments& arguments) {
    const Stopwatch watch;
    std::ostream& human = arguments.json == "-" ? std::cerr : std::cout;
    std::vector<NamedScene> scenes;
    {
        ThreadPool pool;
        for (const std::string& name : arguments.scenes) {
            scenes.push_back(load(name, pool));
            if (arguments.fault == "drop-meshlet") {
                drop_meshlets(scenes.back().scene);
            }
        }
    }
    RunReport report;
    // A driver (NVIDIA 580) that was unloaded with its last instance a few dozen times is not found any more.
    const gpu::Instance kept{gpu::DeviceOptions{}};
    const gpu::Capabilities plain = open_device(arguments, {})->device().capabilities();
    for (const std::vector<std::string>& without : parse_without(arguments.without)) {
        if (const auto name = lacking(plain, without)) {
            report.skipped.push_back({*name, "the device lacks it anyway"});
            continue;
        }
        const std::unique_ptr<Bench> bench = open_device(arguments, without);
        report.devices.push_back(run_device(*bench, without, arguments, scenes, human));
    }
    report.seconds = watch.seconds();
    print_totals(human, report);
    if (arguments.json == "-") {
        std::cout << report_json(report).dump(2) << '\n';
    } else if (!arguments.json.empty()) {
        write_file(arguments.json, report_json(report).dump(2) + "\n");
    }
    return report.good() ? 0 : 1;
}

void add_options(CLI::App& app, Arguments& arguments) {
    app.add_option("SCENE", arguments.scenes, "Files (.gltf, .glb, .sublet), 'builtin', 'shapes' or 'deforming'")
        ->required();
    app.add_option("--grid", arguments.grid, "XxYxZ: each scene's first mesh in a grid, instead of the scene");
    app.add_option("--grid-spacing", arguments.grid_spacing, "Distance between neighbours of the grid");
    app.add_option("--cameras", arguments.cameras, "Cameras that stand still, 0 for none")->capture_default_str();
    app.add_option("--path", arguments.path,
                   "Frames of a moving camera, with cuts and teleports, in which animations play; 0 for none")
        ->capture_default_str();
    app.add_option("--every", arguments.every, "Compare every so many frames of the path, and those at and after a cut")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    app.add_option("--sizes", arguments.sizes, "Sizes of the pictures, WxH,...")->capture_default_str();
    app.add_option("--deal-sizes", arguments.deal_sizes,
                   "Each camera at one of the sizes, in turn, instead of at all: on no device, on those without "
                   "something, or on all")
        ->check(CLI::IsMember({"none", "without", "all"}))
        ->capture_default_str();
    app.add_option("--combinations", arguments.combinations,
                   "singles,pairwise: one of them or both; together: singles, several values at once")
        ->delimiter(',')
        ->check(CLI::IsMember({"singles", "pairwise", "together"}));
    app.add_option("--backends", arguments.backends, "Only these, instead of all")->delimiter(',');
    app.add_option("--without", arguments.without,
                   "none, each (none, then each feature alone), or FEATURE[,FEATURE]: the device is treated as lacking "
                   "these; may be given several times, a device each");
    app.add_option("--validation", arguments.validation, "The validation layer: auto is where it is installed")
        ->check(CLI::IsMember({"auto", "on", "off"}))
        ->capture_default_str();
    app.add_option("--device", arguments.device, "Vulkan device: its number or part of its name");
    app.add_option("--json", arguments.json, "Write the result to this file; - is stdout");
    app.add_option(
           "--fault", arguments.fault,
           "A mistake made on purpose, which must make the exit status 1: bounds looked up in the pyramid's "
           "finest level whatever their size, bounds of what deforms by the joints of the frame before, or the first "
           "meshlet of each mesh culled always")
        ->check(CLI::IsMember({"none", "level-too-fine", "last-pose", "drop-meshlet"}));
}

int main_of(int argc, char** argv) {
    CLI::App app{"Holds every backend and every setting to the picture of direct draws with all culling off"};
    Arguments arguments;
    add_options(app, arguments);
    try {
        app.parse(argc, argv);
        parse_sizes(arguments.sizes);
        sweep_options(arguments, true);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    } catch (const Error& error) {
        std::cerr << "error: " << error.what() << '\n';
        return 2;
    }
    try {
        return run(arguments);
    } catch (const std::exception& error) {
        std::cerr << "error: " << error.what() << '\n';
        return 1;
    }
}

}  // namespace
}  // namespace sublet::test

int main(int argc, char** argv) {
    sublet::keep_freed_memory();
    return sublet::test::main_of(argc, argv);
}
