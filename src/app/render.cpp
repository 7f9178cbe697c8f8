// sublet render: frames without a window; writes the last one.
#include <CLI/CLI.hpp>
#include <array>
#include <cmath>
#include <filesystem>
#include <future>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "app/camera_path.h"
#include "app/commands.h"
#include "app/counters_report.h"
#include "app/environment_file.h"
#include "app/file_options.h"
#include "app/frame_capture.h"
#include "app/image_io.h"
#include "app/keep/load_options.h"
#include "app/keep/picture_command.h"
#include "app/keep/preset.h"
#include "app/numbered_files.h"
#include "app/output.h"
#include "app/plain_options.h"
#include "app/session.h"
#include "app/setting_notes.h"
#include "app/setting_options.h"
#include "app/text.h"
#include "base/error.h"
#include "base/log.h"
#include "base/path_text.h"
#include "base/stopwatch.h"
#include "base/thread_pool.h"

namespace sublet::app {

namespace {

struct RenderArguments {
    std::filesystem::path scene, output, depth, camera_path, json;
    PictureSize size;
    std::uint32_t frames = kRenderFrames;
    bool frames_given = false;
    std::uint32_t samples = 1;
    std::uint32_t fps = 0;
    LoadOptions load;
    CaptureOptions capture;
    render::Settings settings;
    std::vector<const render::Setting*> written;  // of these, on the command line
    bool plain = false;                           // what the viewer shows first, and nothing else: for measuring it
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
        << counted(run.frames, "frame") << ": GPU " << (gpu_ms ? fixed(gpu_ms->median, 3) + " ms" : "not timed")
        << ", CPU " << (cpu_ms ? fixed(cpu_ms->median, 3) + " ms" : "not timed") << '\n';
    if (run.frames_timed < run.frames) {
        out << "  not timed: " << counted(run.frames - run.frames_timed, "frame")
            << " in which pipelines were compiled\n";
    }
    Table passes({"pass", "median ms", "min ms", "p95 ms"});
    const auto add = [&passes](const std::string& name, const std::vector<double>& ms) {
        const auto summary = summarize(ms);
        if (summary) passes.add({name, fixed(summary->median, 3), fixed(summary->min, 3), fixed(summary->p95, 3)});
    };
    for (const PassSamples& pass : run.passes) add(pass.name, pass.ms);
    add(gpu::kBetweenPasses, run.between_ms);
    if (gpu_ms) passes.print(out, 2);
    if (run.counters.funnel) print_funnel(out, *run.counters.funnel);
    if (run.counters.shadows) print_shadows(out, *run.counters.shadows);
    if (run.counters.lights) print_lights(out, *run.counters.lights);
    print_all_streaming(out, run);
    if (run.picked) print_pick(out, *run.picked);
    if (run.ambiguous) {
        out << "  pixels that tie in depth: " << grouped(run.ambiguous->depth_ties)
            << "; won by a face that snapping turned: " << grouped(run.ambiguous->snapped_faces) << '\n';
        if (const auto& raster = run.ambiguous->raster) {
            out << "  pixels that differ from direct draws: at an edge " << grouped(raster->edge_pixels)
                << ", between equal depths " << grouped(raster->depth_pixels) << ", without a reason "
                << grouped(raster->wrong_pixels) << '\n';
        }
    }
}

// The line that draws the same picture.
std::string command_of(const RenderArguments& options) {
    PictureSource source;
    source.scene = options.scene;
    source.size = options.size;
    if (options.frames_given) source.frames = options.frames;
    source.samples = options.samples;
    source.fps = options.fps;
    source.camera_path = options.camera_path;
    source.file_scene = options.load.scene;
    source.allow_outside = options.load.allow_outside;
    source.settings = options.settings;
    return picture_command(source);
}

// What a .exr holds of a picture: its light, averaged over frames where it is of several.
class LightSum {
  public:
    // Of one frame more.
    void add(const render::Picture& picture) {
        const std::vector<float>& light = picture.light;
        sum_.resize(light.size());
        for (std::size_t i = 0; i < light.size(); ++i) sum_[i] += light[i];
        ++frames_;
    }
    // Empty where there was none.
    [[nodiscard]] std::vector<float> average() const {
        std::vector<float> out(sum_.size());
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<float>(sum_[i] / frames_);
        return out;
    }

  private:
    std::vector<double> sum_;
    std::uint32_t frames_ = 0;
};

// The colours of a picture that shows no light, or something over it, as linear light that looks so.
std::vector<float> light_of_colors(const std::vector<std::uint8_t>& rgba) {
    std::array<float, 256> linear{};
    for (std::size_t i = 0; i < linear.size(); ++i) {
        const double stored = static_cast<double>(i) / 255.0;
        linear[i] = static_cast<float>(stored <= 0.04045 ? stored / 12.92 : std::pow((stored + 0.055) / 1.055, 2.4));
    }
    std::vector<float> out(rgba.size() / 4 * 3);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = linear[rgba[i / 3 * 4 + i % 3]];
    return out;
}

// Whether a picture is the scene's light and nothing else.
bool shows_light_alone(const render::FrameSettings& frame) {
    return frame.show == render::Show::kShaded && !frame.wireframe && frame.bounds == render::Bounds::kOff &&
           !frame.frustum && !frame.joints && !frame.difference && !frame.pick;
}

// PNG, or by its name EXR. `light`: averaged; empty for that of the picture.
void write_picture(const std::filesystem::path& path, const render::Picture& picture, const std::vector<float>& light) {
    if (!is_light_file(path)) {
        write_png(path, picture.width, picture.height, picture.rgba);
        return;
    }
    const std::vector<float> values = !light.empty()          ? light
                                      : picture.light.empty() ? light_of_colors(picture.rgba)
                                                              : picture.light;
    write_exr(path, picture.width, picture.height, values, true);
}

// What goes with one picture, and not with a sequence of them.
void check_sequence(const RenderArguments& options) {
    const auto refuse = [](const char* option, const char* why) {
        throw UsageError(std::string("--output: a number in its name writes every frame, and ") + option + " " + why);
    };
    if (!options.frames_given && options.camera_path.empty()) refuse("--frames", "must say how many there are");
    if (!options.depth.empty()) refuse("--depth", "writes one file");
    if (options.samples > 1) refuse("--samples", "averages frames of one moment");
    if (options.settings.frame.pick) refuse("--pick", "outlines what one frame shows");
}

int render_scene(const RenderArguments& options) {
    const NumberedName pictures("--output", options.output);
    if (pictures.numbered()) check_sequence(options);
    const std::filesystem::path output = pictures.of(0);
    const std::filesystem::path environment = options.settings.frame.environment.file;
    const NamedFile scene_file{"SCENE", options.scene}, path_file{"--camera-path", options.camera_path};
    const NamedFile environment_file{"--environment", environment};
    const NamedFile picture_file{"--output", output}, depth_file{"--depth", options.depth};
    const Output out(options.json, {scene_file, path_file, environment_file, picture_file, depth_file});
    check_output(picture_file, {scene_file, path_file, environment_file});
    check_written_name("--output", output, {".png", ".exr"});
    if (!options.depth.empty()) {
        check_output(depth_file, {scene_file, path_file, environment_file, picture_file});
        if (!is_depth_file(options.depth))
            throw UsageError("--depth: '" + path_text(options.depth) + "' is neither .exr nor .pfm");
    }
    if (options.samples > 1 && options.settings.frame.difference) {
        throw UsageError("--samples: what --difference shows is of one frame, and no picture to average");
    }
    std::optional<CameraPath> path;
    if (!options.camera_path.empty()) path = read_camera_path(options.camera_path);

    RunPlan plan;
    plan.size = options.size;
    plan.path = path ? &*path : nullptr;
    plan.frames = path && !options.frames_given ? path->frames : options.frames;
    plan.samples = options.samples;
    // Frames of a sequence, or of a path, follow one another. Else they are drawn for what culling remembers, and all
    // show --time.
    const bool follow = options.fps != 0 || pictures.numbered() || path.has_value();
    plan.fps = options.fps != 0 ? options.fps : follow ? kPathFramesPerSecond : 0.0;
    if (!options.settings.frame.ev) plan.warmup = 1;  // the first frame is exposed too
    plan.keep_light = is_light_file(output) && shows_light_alone(options.settings.frame);
    if (is_light_file(output) && !plan.keep_light) {
        note("a .exr of a picture that is not light alone has its colours, decoded to linear light");
    }
    if (options.plain) {
        plan.preparing = render::Preparing::kPlainFirst;
        plan.frames = 1;
        plan.warmup = 0;
    }
    check_captured(options.capture, plan.frames);
    const FrameCapture capture(options.capture);
    plan.capture = &capture;

    Stopwatch watch;
    Json seconds;
    render::Settings settings = options.settings;
    if (path) go_on_along_path(settings.scene);
    read_environment(settings);
    // Drivers take as long for it as small scenes take.
    std::future<std::unique_ptr<Session>> opening =
        std::async(std::launch::async, [&settings] { return std::make_unique<Session>(settings); });
    scene::EncodedScene scene;
    {
        ThreadPool pool;
        scene = load_scene(options.scene, settings.scene.seed, pool, options.load);
    }
    show_notes(scene.notes);
    seconds["load"] = watch.restart();
    const std::unique_ptr<Session> opened = opening.get();
    Session& session = *opened;
    seconds["device"] = watch.restart();
    wait_for_key(options.capture);
    watch.restart();
    session.frames().set_scene(scene, settings.scene);
    seconds["upload"] = watch.restart();
    if (pictures.numbered()) {
        plan.after_frame = [&](std::uint32_t frame) {
            const render::Picture picture = session.frames().read_picture(false);
            write_picture(pictures.of(frame), picture, {});
        };
    }
    LightSum light;
    if (plan.keep_light && plan.samples > 1) {
        plan.after_sample = [&] { light.add(session.frames().read_picture(false)); };
    }
    const RunResult run = session.frames().run(settings, plan);
    const render::Picture picture = session.frames().read_picture(!options.depth.empty());
    const gpu::Capabilities device = session.capabilities();
    SettingNotes notes(options.written);
    notes.add(settings, run.plan,
              {.frames = plan.frames,
               .builtin_scene = options.scene.empty(),
               .camera_path = path.has_value(),
               .clicks = false,
               .moves = run.moving_nodes,
               .deforms = run.animation.deforms,
               .joints = run.joints,
               .levels = run.levels,
               .lights = run.lights,
               .blended = run.blended,
               .one_moment = !follow,
               .light_file = plan.keep_light});
    notes.write();
    const std::optional<std::uint64_t> messages = session.close();

    if (!pictures.numbered()) write_picture(output, picture, light.average());
    if (!options.depth.empty()) write_depth(options.depth, picture.width, picture.height, picture.depth);
    out.human() << path_text(options.output) << ": " << scene_name(options.scene) << ", " << picture.width << "x"
                << picture.height << '\n';
    print_run(out.human(), run, device);
    Json json{
        {"scene", scene_name(options.scene)}, {"output", path_text(options.output)}, {"command", command_of(options)}};
    json.update(run_json(run, device));
    json["samples"] = options.samples;
    seconds["compile"] = run.compile_seconds;
    seconds["first_frame"] = run.first_frame_seconds;
    json["seconds"] = std::move(seconds);
    json["compiled_pipelines"] = run.compiled_pipelines;
    json["plain"] = run.plain;
    json["validation_messages"] = optional_json(messages);
    out.write_json(json);
    require_no_validation_messages(messages, session.first_validation_message());
    return kDone;
}

}  // namespace

void add_render(CLI::App& program, Action& action) {
    auto options = std::make_shared<RenderArguments>();
    CLI::App* command = program.add_subcommand("render", "Render a picture without a window");
    command->group(kOfPictures);
    command->footer(
        "sublet render -o picture.png                                     # the built-in scene\n"
        "sublet render model.glb -o picture.png --size 1920x1080          # a model\n"
        "sublet render model.glb -o picture.png --samples 64              # with smooth edges\n"
        "sublet render model.glb -o picture.exr --samples 64              # linear light, for compositing\n"
        "sublet render model.glb -o picture.png --view meshlets --wireframe on\n"
        "sublet render model.glb -o picture.png --camera 0,1,5,0,0,0      # from (0, 1, 5) to the origin\n"
        "sublet render model.glb -o frame-%04d.png --frames 120 --fps 30  # four seconds of its animations\n"
        "sublet render model.glb -o picture.png --json -                  # times and counters for a script");
    add_scene_option(*command, options->scene);
    add_file_option(
        *command, "-o,--output", options->output,
        "The picture to write: the last frame; with a number in its name, frame-%04d.png, every frame.\n"
        "A .exr has linear light (Rec. 709 primaries, 32-bit floats): exposed by --ev, without tone mapping.\n"
        "Of views other than shaded, and with lines over the picture, it has the colours that a .png shows.")
        ->required()
        ->type_name("FILE.png|.exr");
    add_file_option(*command, "--depth", options->depth, "Write its depth too: reversed Z as it was tested")
        ->type_name("FILE.exr|.pfm");
    add_load_options(*command, options->load);
    add_size_option(*command, options->size);
    CLI::Option* frames = add_count_option(*command, "--frames", options->frames, 1, 1'000'000,
                                           "How many frames to draw: each culls with what the last one saw");
    frames->group(kFilesGroup);
    add_count_option(*command, "--fps", options->fps, 1, 1000,
                     "Frames in a second of the animations, from --time on. By default all show --time; with numbered\n"
                     "pictures or a camera path 60.")
        ->group(kFilesGroup)
        ->default_str("");
    add_count_option(*command, "--samples", options->samples, 1, kMostSamples,
                     "Average so many frames more, each through another part of the pixels: smooth edges")
        ->group(kFilesGroup);
    command->add_flag("--plain", options->plain)->group("");
    add_json_option(*command, options->json, "the measurements");
    add_capture_options(*command, options->capture);
    add_preset_option(*command, options->settings);  // before the settings, which win
    add_setting_options(*command, options->settings);
    add_camera_path_option(*command, options->camera_path,
                           "A camera for every frame, from this file; it sets --frames unless that is given.");
    command->callback([options, command, frames, &action] {
        options->frames_given = frames->count() > 0;
        options->written = given_settings(*command);
        action = [options] { return render_scene(*options); };
    });
}

}  // namespace sublet::app
