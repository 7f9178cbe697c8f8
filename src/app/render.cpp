// sublet render: frames without a window; writes the last one.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <optional>
#include <ostream>
#include <string>

#include "app/camera_path.h"
#include "app/commands.h"
#include "app/counters_report.h"
#include "app/file_options.h"
#include "app/image_io.h"
#include "app/output.h"
#include "app/session.h"
#include "app/setting_options.h"
#include "app/text.h"
#include "base/error.h"
#include "base/thread_pool.h"

namespace sublet::app {

namespace {

struct Options {
    std::string scene, output, depth, camera_path, json;
    PictureSize size;
    std::uint32_t frames = 2;
    bool frames_given = false;
    scene::ImportOptions import;
    render::Settings settings;
};

// A number, and the name that goes with it.
std::string numbered(const char* what, std::uint64_t number, const std::string& name) {
    return std::string(what) + " " + std::to_string(number) + (name.empty() ? "" : " (" + name + ")");
}

void print_pick(std::ostream& out, const PickReport& picked) {
    out << "  picked: " << numbered("instance", picked.at.instance, picked.node_name) << ", "
        << numbered("mesh", picked.mesh, picked.mesh_name) << ", "
        << numbered("material", picked.material, picked.material_name) << ", meshlet " << picked.meshlet << " of "
        << picked.meshlets << ", sublet " << picked.at.sublet << " of " << picked.sublets << ", triangle "
        << picked.at.triangle << " of " << picked.of_sublet.triangles << '\n';
}

void print_run(std::ostream& out, const RunResult& run, const gpu::Capabilities& device) {
    const auto gpu_ms = summarize(run.gpu_ms);
    const auto cpu_ms = summarize(run.cpu_ms);
    out << "  " << device.name << ", backend " << render::backend_name(run.settings.frame.backend.value()) << ", "
        << run.frames << (run.frames == 1 ? " frame" : " frames") << ": GPU "
        << (gpu_ms ? fixed(gpu_ms->median, 3) + " ms" : "not timed") << ", CPU "
        << (cpu_ms ? fixed(cpu_ms->median, 3) + " ms" : "not timed") << '\n';
    if (run.frames_timed < run.frames) {
        out << "  " << run.frames - run.frames_timed << " of the frames not timed: pipelines were compiled in them\n";
    }
    Table passes({"pass", "median ms", "min ms", "p95 ms"});
    for (const PassSamples& pass : run.passes) {
        const auto summary = summarize(pass.ms);
        if (summary) passes.add({pass.name, fixed(summary->median, 3), fixed(summary->min, 3), fixed(summary->p95, 3)});
    }
    if (gpu_ms) passes.print(out, 2);
    if (run.counters.funnel) print_funnel(out, *run.counters.funnel);
    if (run.picked) print_pick(out, *run.picked);
    if (run.ambiguous) {
        out << "  " << grouped(run.ambiguous->depth_ties) << " pixels tie in depth, "
            << grouped(run.ambiguous->snapped_faces) << " are won by a face that snapping turned\n";
        if (const auto& raster = run.ambiguous->raster) {
            out << "  " << grouped(raster->edge_pixels) << " pixels differ from direct draws at an edge, "
                << grouped(raster->depth_pixels) << " between equal depths, " << grouped(raster->wrong_pixels)
                << " without a reason\n";
        }
    }
}

int render_scene(const Options& options) {
    const Output out(options.json, {options.scene, options.output, options.depth, options.camera_path});
    check_output(options.output, {options.scene, options.camera_path});
    check_written_name("--output", options.output, {".png"});
    if (!options.depth.empty()) {
        check_output(options.depth, {options.scene, options.camera_path, options.output});
        if (!is_depth_file(options.depth))
            throw UsageError("--depth: '" + options.depth + "' is neither .exr nor .pfm");
    }
    std::optional<CameraPath> path;
    if (!options.camera_path.empty()) path = read_camera_path(options.camera_path);

    scene::EncodedScene scene;
    {
        ThreadPool pool;
        scene = load_scene(options.scene, options.settings.scene.seed, pool, options.import);
    }
    show_notes(scene.notes);
    Session session(options.settings);
    session.frames().set_scene(scene, options.settings.scene);
    RunPlan plan;
    plan.size = options.size;
    plan.path = path ? &*path : nullptr;
    plan.frames = path && !options.frames_given ? path->frames : options.frames;
    const RunResult run = session.frames().run(options.settings, plan);
    const render::Picture picture = session.frames().read_picture(!options.depth.empty());
    const gpu::Capabilities device = session.capabilities();
    const std::optional<std::uint64_t> messages = session.close();

    write_png(options.output, picture.width, picture.height, picture.rgba);
    if (!options.depth.empty()) write_depth(options.depth, picture.width, picture.height, picture.depth);
    out.human() << options.output << ": " << scene_name(options.scene) << ", " << picture.width << "x" << picture.height
                << '\n';
    print_run(out.human(), run, device);
    Json json{{"scene", scene_name(options.scene)}, {"output", options.output}};
    json.update(run_json(run, device));
    json["validation_messages"] = optional_json(messages);
    out.write_json(json);
    require_no_validation_messages(messages, session.first_validation_message());
    return kDone;
}

}  // namespace

void add_render(CLI::App& program, Action& action) {
    auto options = std::make_shared<Options>();
    CLI::App* command = program.add_subcommand("render", "Render a picture without a window");
    add_scene_option(*command, options->scene);
    add_file_option(*command, "-o,--output", options->output, "The PNG to write: the last frame")->required();
    add_file_option(*command, "--depth", options->depth,
                    "Write its depth too: .exr or .pfm, reversed Z as it was tested");
    add_import_options(*command, options->import);
    add_size_option(*command, options->size);
    CLI::Option* frames = command->add_option("--frames", options->frames, "How many frames to render")
                              ->check(CLI::Range(1, 1'000'000))
                              ->capture_default_str();
    add_file_option(*command, "--camera-path", options->camera_path,
                    "JSON file with a camera for every frame; sets --frames unless that is given");
    add_file_option(*command, "--json", options->json, "Write the measurements as JSON to this file (- is stdout)");
    add_setting_options(*command, options->settings);
    command->callback([options, frames, &action] {
        options->frames_given = frames->count() > 0;
        action = [options] { return render_scene(*options); };
    });
}

}  // namespace sublet::app
