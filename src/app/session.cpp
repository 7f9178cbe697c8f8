#include "app/session.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "app/blank_picture.h"
#include "app/counters_report.h"
#include "app/followed_camera.h"
#include "app/keep/scene_cache.h"
#include "app/keep/user_folders.h"
#include "app/placed_scene.h"
#include "app/view/scene_files.h"
#include "base/count_text.h"
#include "base/error.h"
#include "base/files.h"
#include "base/log.h"
#include "base/path_text.h"
#include "base/stopwatch.h"
#include "base/thread_pool.h"
#include "render/shade/average.h"
#include "render/view/camera.h"
#include "scene/import.h"

namespace sublet::app {

namespace {

namespace fs = std::filesystem;

void check_pick(const std::optional<glm::uvec2>& pixel, const PictureSize& size) {
    if (!pixel || (pixel->x < size.width && pixel->y < size.height)) return;
    throw Error("--pick: " + std::to_string(pixel->x) + "," + std::to_string(pixel->y) +
                " lies outside of the picture, which has " + std::to_string(size.width) + "x" +
                std::to_string(size.height) + " pixels");
}

}  // namespace

scene::EncodedScene load_scene(const fs::path& path, std::uint32_t seed, ThreadPool& pool, const LoadOptions& options) {
    // Plain: it is encoded for this program alone, in less time, and shaders that read it encoded take fewer registers.
    const mesh::EncodeOptions encoding{.levels = mesh::Levels::kAuto, .coding = mesh::Coding::kPlain};
    const bool builtin = path.empty();
    if (!builtin) require_scene_there(path);
    // An error: there is one scene.
    if (builtin && !options.scene.empty()) return scene::load_scene(path, encoding, pool, options);
    const SceneCache cache = SceneCache::of_user();
    std::optional<SceneKey> key;
    if (options.cache) {
        key = builtin ? cache.builtin_key(seed, encoding, pool) : cache.key(path, encoding, options, pool);
    }
    if (key) {
        if (auto kept = cache.find(*key, pool)) return std::move(*kept);
    }
    scene::EncodedScene scene = builtin ? scene::encode_scene(scene::make_builtin_scene(seed, &pool), encoding, pool)
                                        : scene::load_scene(path, encoding, pool, options);
    if (key) cache.store(*key, scene, pool);
    return scene;
}

void show_notes(const std::vector<std::string>& notes) {
    for (const std::string& message : notes) note_once(message);
}

std::string scene_name(const fs::path& path) {
    return path.empty() ? "built-in scene" : path_text(path.filename());
}

gpu::DeviceOptions device_options(const render::Settings& settings) {
    gpu::DeviceOptions options;
    options.selector = settings.device.name;
    options.validation = settings.device.validation;
    options.shader_statistics = settings.device.shader_statistics;
    options.without = settings.device.without;
    const fs::path folder = user_cache_folder();
    if (!folder.empty() && create_folders(folder) == 0) options.pipeline_cache = folder / "pipelines.bin";
    return options;
}

std::optional<Summary> summarize(std::vector<double> samples) {
    if (samples.empty()) return std::nullopt;
    std::ranges::sort(samples);
    const std::size_t count = samples.size();
    const auto rank = static_cast<std::size_t>(std::ceil(0.95 * static_cast<double>(count)));
    const double median = count % 2 == 1 ? samples[count / 2] : 0.5 * (samples[count / 2 - 1] + samples[count / 2]);
    return Summary{median, samples.front(), samples[rank - 1]};
}

namespace {

// The place of a pass that comes behind `after` others of its frame; made where there is none.
std::size_t place_of(const std::string& name, std::size_t after, std::vector<PassSamples>& passes) {
    auto pass = std::ranges::find(passes, name, &PassSamples::name);
    if (pass == passes.end()) {
        const auto at = static_cast<std::ptrdiff_t>(std::min(after, passes.size()));
        pass = passes.insert(passes.begin() + at, {name, {}});
    }
    return static_cast<std::size_t>(pass - passes.begin());
}

}  // namespace

void add_pass_times(const render::FrameResult& frame, std::vector<PassSamples>& passes) {
    std::size_t after = 0;
    for (const gpu::PassTime& time : frame.times.passes) {
        const std::size_t place = place_of(time.name, after, passes);
        if (!frame.fresh_pipelines) passes[place].ms.push_back(time.ms);
        after = place + 1;
    }
}

void add_to_series(const render::FrameResult& frame, std::uint32_t number, double gpu_ms, double cpu_ms,
                   FrameSeries& series) {
    if (frame.fresh_pipelines) return;
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    std::size_t after = 0;
    for (const gpu::PassTime& time : frame.times.passes) {
        const std::size_t place = place_of(time.name, after, series.passes);
        series.passes[place].ms.resize(series.frames.size(), kNone);
        series.passes[place].ms.push_back(time.ms);
        after = place + 1;
    }
    series.frames.push_back(number);
    series.gpu_ms.push_back(gpu_ms);
    series.cpu_ms.push_back(cpu_ms);
    for (PassSamples& pass : series.passes) pass.ms.resize(series.frames.size(), kNone);
}

void add_gpu_times(const gpu::FrameTimes& times, RunResult& run) {
    run.gpu_ms.push_back(times.ms);
    run.between_ms.push_back(times.between_passes());
}

FrameRunner::FrameRunner(gpu::Device& device) : device_(device), renderer_(device), ring_(device) {}

void FrameRunner::set_scene(const scene::EncodedScene& scene, const render::SceneSettings& settings) {
    renderer_.set_scene(scene, settings, render::TextureLoading::kBeforeEachFrame);
    scene_ = &scene;
    rendered_ = 0;
}

// The view of frames that nobody sees: settle_textures(). No other one that this draws has its number.
constexpr std::uint32_t kSettlingView = 2;

std::vector<render::FrameResult> FrameRunner::take_results() {
    std::vector<render::FrameResult> results = renderer_.take_results();
    if (device_.capabilities().timestamps) {
        for (const render::FrameResult& frame : results) {
            for (const gpu::PassTime& pass : frame.times.passes) {
                if (pass.name.ends_with("environment")) environment_ms_ = pass.ms;  // the reference's has a prefix
            }
        }
    }
    std::erase_if(results, [](const render::FrameResult& frame) {
        return !frame.views.empty() && frame.views.back().view == kSettlingView;
    });
    return results;
}

// One call of run(): what its frames are drawn with, and what they gave so far.
struct FrameRunner::Run {
    Run(const render::Settings& of, const RunPlan& by) : settings(of), plan(by) {}

    const render::Settings& settings;
    const RunPlan& plan;
    render::FramePlan frame_plan;
    std::shared_ptr<const scene::EncodedScene> placed;  // at the first frame's time
    render::DefaultView start;
    render::Projection projection{};
    std::optional<FollowedCamera> followed;  // the scene's own camera, where it may move
    // Of the frame that was drawn last.
    render::CameraPose pose;
    render::View view;
    // For those to come.
    render::Inspection inspection;
    glm::vec2 shift{0.0F};       // of the pixels' middles
    std::uint32_t averaged = 0;  // pictures before it
    bool first = true;
    RunResult result;

    // Of the animations, in a frame.
    [[nodiscard]] double time_of(std::uint32_t index) const {
        return settings.frame.time + (plan.fps > 0 ? index / plan.fps * settings.frame.speed : 0.0);
    }
    [[nodiscard]] std::uint32_t last_frame() const { return plan.frames - 1; }
};

RunResult FrameRunner::run(const render::Settings& settings, const RunPlan& plan) {
    Run run = plan_run(settings, plan);
    warm_up(run);
    time_frames(run);
    describe_last(run);
    if (settings.frame.pick) find_picked(run);
    if (plan.samples > 1) average_samples(run);
    RunResult& result = run.result;
    if (settings.frame.count_ties) result.ambiguous = renderer_.count_ambiguous_pixels(run.view);
    if (!settings.frame.ev) result.settings.frame.ev = result.counters.ev;
    result.settings.frame.camera = run.pose;
    result.settings.frame.near_plane = run.start.near_plane;
    set_budgets(result.settings, renderer_.budgets());
    return std::move(result);
}

FrameRunner::Run FrameRunner::plan_run(const render::Settings& settings, const RunPlan& plan) const {
    check_pick(settings.frame.pick, plan.size);
    Run run(settings, plan);
    render::SceneFacts facts = renderer_.facts();
    facts.width = plan.size.width;
    facts.height = plan.size.height;
    run.frame_plan = render::resolve(settings.frame, device_.capabilities(), facts);
    if (facts.blended && settings.frame.blend_layers != 0) {
        const auto reason = render::blending_unavailable(device_.capabilities(), facts, run.frame_plan.backend);
        if (reason) note_once("what blends is drawn opaque: " + *reason);
    }
    run.frame_plan.keep_light = plan.keep_light;
    run.frame_plan.taa = run.frame_plan.taa && !plan.keep_light;  // which is of colours
    run.placed = placed_scene(*scene_, settings.scene, settings.frame.time);
    const float aspect = static_cast<float>(plan.size.width) / static_cast<float>(plan.size.height);
    run.start = render::default_view(*run.placed, settings.scene.grid, settings.frame, aspect);
    run.pose = run.start.pose;
    // What frames the scene's bounds stays where it is.
    if (plan.fps > 0 && plan.path == nullptr && run.start.node) {
        run.followed.emplace(*scene_, settings.scene, *run.start.node,
                             render::scene_bounds(*run.placed, settings.scene.grid));
    }
    // The cameras of a path are not the scene's: no projection goes with them.
    run.projection = plan.path == nullptr ? run.start.projection
                                          : settings.frame.projection.value_or(render::Projection::kPerspective);
    if (settings.frame.frustum && settings.frame.freeze_culling >= 0) {
        const double frozen_at = run.time_of(static_cast<std::uint32_t>(settings.frame.freeze_culling));
        run.inspection.frozen_bounds =
            render::scene_bounds(*placed_scene(*scene_, settings.scene, frozen_at), settings.scene.grid);
    }
    RunResult& result = run.result;
    result.plan = run.frame_plan;
    result.settings = settings;
    result.settings.frame = render::as_planned(settings.frame, run.frame_plan);
    result.settings.frame.projection = run.projection;
    result.size = plan.size;
    result.frames = plan.frames;
    result.warmup = plan.warmup;
    result.joints = facts.joints;
    result.lights = facts.lights;
    result.blended = facts.blended;
    result.levels = facts.levels;
    result.cpu_ms.reserve(plan.frames);
    result.gpu_ms.reserve(plan.frames);
    return run;
}

std::optional<double> FrameRunner::draw(Run& run, std::uint32_t index) {
    const RunPlan& plan = run.plan;
    const double time = run.time_of(index);
    if (plan.path != nullptr) run.pose = pose_at(*plan.path, index);
    if (run.followed && run.followed->moves()) {
        if (const auto seen = run.followed->at(time)) run.pose = seen->pose;
    }
    renderer_.set_time(time);
    const float aspect = static_cast<float>(plan.size.width) / static_cast<float>(plan.size.height);
    run.view = render::make_view(run.pose, run.start.near_plane, run.projection, aspect, run.shift);
    run.view.averaged = run.averaged;
    if (renderer_.textures_wait()) settle_textures(run);
    gpu::Frame& frame = ring_.begin();
    try {
        const std::uint64_t pipelines = device_.fresh_pipelines();
        const Stopwatch watch;
        renderer_.begin(frame);
        renderer_.draw(run.view, run.frame_plan, plan.size.width, plan.size.height, 0, run.inspection);
        renderer_.end();
        ring_.submit();
        ++rendered_;
        if (std::exchange(run.first, false)) {
            renderer_.finish();
            run.result.first_frame_seconds = watch.seconds();
        }
        return device_.fresh_pipelines() == pipelines ? std::optional(watch.milliseconds()) : std::nullopt;
    } catch (...) {
        ring_.abandon();
        throw;
    }
}

// A frame that nobody sees finds out which textures the one at hand takes. It has a view of its own, so that all that
// goes on from frame to frame of the other one stays as it was.
void FrameRunner::settle_textures(const Run& run) {
    render::FramePlan plan = run.frame_plan;
    plan.taa = plan.difference = false;
    render::View view = run.view;
    view.averaged = 0;
    gpu::Frame& frame = ring_.begin();
    try {
        renderer_.begin(frame);
        renderer_.draw(view, plan, run.plan.size.width, run.plan.size.height, kSettlingView);
        renderer_.end();
        ring_.submit();
    } catch (...) {
        ring_.abandon();
        throw;
    }
    renderer_.settle_textures(plan);
}

void FrameRunner::warm_up(Run& run) {
    // The renderer counts frames from set_scene on, and lets go of a frozen camera in a frame without the setting;
    // FRAME counts from the first frame after the warm-up.
    const std::int32_t freeze = run.settings.frame.freeze_culling;
    run.frame_plan.freeze_culling = -1;
    run.frame_plan.collect_counters = !run.plan.counters_apart;
    const std::uint64_t made_before = device_.made_pipelines();
    const Stopwatch starting;
    std::vector<render::FramePlan> plans{run.frame_plan};
    if (run.plan.counters_apart) {  // the frame behind those that are timed
        plans.push_back(run.frame_plan);
        plans.back().collect_counters = true;
    }
    renderer_.prepare(plans, run.settings.frame.pick.has_value(), run.plan.preparing);
    run.result.compile_seconds = starting.seconds();
    run.result.compiled_pipelines = device_.made_pipelines() - made_before;
    run.result.plain = renderer_.plain(run.frame_plan);
    const bool thaw = freeze >= 0 && rendered_ > 0;
    for (std::uint32_t i = 0; i < std::max(run.plan.warmup, thaw ? 1U : 0U); ++i) draw(run, 0);
    renderer_.finish();
    static_cast<void>(take_results());
    if (freeze >= 0) {
        const std::uint64_t frame = rendered_ + static_cast<std::uint64_t>(freeze);
        run.frame_plan.freeze_culling = static_cast<std::int32_t>(std::min<std::uint64_t>(frame, INT32_MAX));
    }
}

void FrameRunner::time_frames(Run& run) {
    const RunPlan& plan = run.plan;
    RunResult& result = run.result;
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    std::vector<double> cpu_ms;  // of all frames
    std::uint32_t taken = 0;
    const auto take_times = [&] {
        for (const render::FrameResult& frame : take_results()) {
            const bool timed = device_.capabilities().timestamps && !frame.fresh_pipelines;
            if (timed) add_gpu_times(frame.times, result);
            add_pass_times(frame, result.passes);
            add_to_series(frame, taken, timed ? frame.times.ms : kNone, cpu_ms[taken], result.series);
            ++taken;
        }
    };
    for (std::uint32_t i = 0; i < plan.frames; ++i) {
        std::optional<double> ms;
        const auto draw_this = [&] { ms = draw(run, i); };
        if (plan.capture != nullptr) {
            plan.capture->around(device_.instance(), i, draw_this);
        } else {
            draw_this();
        }
        if (ms) result.cpu_ms.push_back(*ms);
        cpu_ms.push_back(ms.value_or(kNone));
        if (const auto streaming = renderer_.streaming()) {
            if (!result.streaming) result.streaming.emplace();
            result.streaming->errors.push_back(streaming->seen_error);
        }
        if (plan.after_frame) plan.after_frame(i);
        if (i % 1024 == 1023) take_times();
    }
    renderer_.finish();
    take_times();
    result.frames_timed = static_cast<std::uint32_t>(result.cpu_ms.size());
    if (plan.counters_apart) {
        run.frame_plan.collect_counters = true;
        draw(run, run.last_frame());
        renderer_.finish();
    }
}

void FrameRunner::describe_last(Run& run) {
    const render::Settings& settings = run.settings;
    RunResult& result = run.result;
    result.counters = renderer_.counters();
    result.totals = renderer_.totals();
    result.animation = renderer_.animation();
    result.moving_nodes = !scene_->scene.animations.empty();
    result.time = run.time_of(run.last_frame());
    if (settings.frame.difference) result.differing_pixels = renderer_.differing_pixels();
    result.memory = renderer_.memory();
    if (result.streaming) result.streaming->last = renderer_.streaming().value_or(render::StreamFigures{});
    result.texture_streaming = renderer_.texture_streaming();
    result.device_memory = device_.memory_usage();
    result.environment_ms = environment_ms_;
    result.notes = all_notes(*scene_, renderer_, settings.frame.environment);
    const bool blank = result.counters.funnel && result.counters.funnel->pixels.covered == 0;
    std::optional<BlankReason> why = why_black(run.frame_plan);
    if (blank && !result.plain && settings.frame.freeze_culling < 0) {
        why = why_blank(*scene_, settings.scene, result.time, run.view, {run.plan.size.width, run.plan.size.height});
    }
    if (!why) return;
    result.notes.push_back("the picture shows nothing of the scene: " + std::string(blank_text(*why)));
    note_once(result.notes.back());
}

void FrameRunner::find_picked(Run& run) {
    // One frame more to find what is there, one to outline it.
    run.inspection.probes = {*run.settings.frame.pick};
    draw(run, run.last_frame());
    renderer_.finish();
    run.inspection.probes.clear();
    run.inspection.selection = selection_of(renderer_.inspected(), run.settings.frame.pick_level);
    run.result.picked = describe(*scene_, run.settings.scene, run.inspection.selection, run.result.time);
    draw(run, run.last_frame());
    renderer_.finish();
    static_cast<void>(renderer_.take_results());
}

void FrameRunner::average_samples(Run& run) {
    run.frame_plan.collect_counters = false;
    // Sample 0 comes last: depth and ids are those of the pixels' middles.
    for (std::uint32_t left = run.plan.samples; left-- > 0;) {
        run.shift = render::sample_shift(left, {run.plan.size.width, run.plan.size.height});
        ++run.averaged;
        draw(run, run.last_frame());
        if (run.plan.after_sample) run.plan.after_sample();
    }
    renderer_.finish();
    static_cast<void>(renderer_.take_results());
}

render::Picture FrameRunner::read_picture(bool with_depth) {
    return renderer_.read_picture(with_depth);
}

struct Session::Gpu {
    Gpu(gpu::Instance& instance, const gpu::DeviceOptions& options) : device(instance, options), frames(device) {}

    gpu::Device device;
    FrameRunner frames;
};

Session::Session(const render::Settings& settings) : instance_(device_options(settings)) {
    gpu_ = std::make_unique<Gpu>(instance_, device_options(settings));
}

Session::~Session() = default;

const gpu::Capabilities& Session::capabilities() const {
    return gpu_->device.capabilities();
}

FrameRunner& Session::frames() {
    return gpu_->frames;
}

std::optional<std::uint64_t> Session::close() {
    gpu_.reset();
    return validation_messages(instance_);
}

std::string Session::first_validation_message() const {
    return app::first_validation_message(instance_);
}

void set_budgets(render::Settings& settings, const render::Budgets& ran) {
    settings.scene.survivor_budget = ran.survivors;
    if (ran.compact != 0) settings.frame.compact_budget = ran.compact;
}

std::vector<std::string> all_notes(const scene::EncodedScene& scene, const render::Renderer& renderer,
                                   const render::EnvironmentSource& environment) {
    std::vector<std::string> notes = scene.notes;
    notes.insert(notes.end(), renderer.notes().begin(), renderer.notes().end());
    if (environment.picture) {
        notes.insert(notes.end(), environment.picture->notes.begin(), environment.picture->notes.end());
    }
    return notes;
}

std::optional<std::uint64_t> validation_messages(const gpu::Instance& instance) {
    return instance.validation() ? std::optional(instance.validation_messages()) : std::nullopt;
}

std::string first_validation_message(const gpu::Instance& instance) {
    const std::vector<std::string> texts = instance.validation_texts();
    return texts.empty() ? std::string() : texts.front();
}

void require_no_validation_messages(std::optional<std::uint64_t> messages, const std::string& first) {
    if (!messages || *messages == 0) return;
    throw Error("validation: " + counted(*messages, "message") + (*messages == 1 ? ": " : ", the first: ") + first);
}

Json device_identity_json(const gpu::Capabilities& device) {
    return {{"name", device.name}, {"driver", device.driver}};
}

Json series_json(const FrameSeries& series) {
    const auto list = [](const std::vector<double>& ms) {
        Json out = Json::array();
        for (const double value : ms) out.push_back(std::isnan(value) ? Json(nullptr) : Json(value));
        return out;
    };
    Json passes = Json::array();
    for (const PassSamples& pass : series.passes) passes.push_back({{"name", pass.name}, {"ms", list(pass.ms)}});
    return {{"frames", series.frames},
            {"gpu_ms", list(series.gpu_ms)},
            {"cpu_ms", list(series.cpu_ms)},
            {"passes", std::move(passes)}};
}

Json summary_json(const std::optional<Summary>& summary) {
    if (!summary) return {{"median", nullptr}, {"min", nullptr}, {"p95", nullptr}};
    return {{"median", summary->median}, {"min", summary->min}, {"p95", summary->p95}};
}

namespace {

// What played in the last frame; null where nothing moves.
Json animation_json(const RunResult& run) {
    if (run.animation.playing.empty()) return nullptr;
    return {{"playing", run.animation.playing}, {"time", run.time},
            {"length", run.animation.length},   {"instances", run.animation.instances},
            {"hiding", run.animation.hiding},   {"materials", run.animation.materials}};
}

// What is told of each pass, but for its name.
Json pass_json(const std::vector<double>& ms) {
    const std::optional<Summary> summary = summarize(ms);
    if (!summary) return {{"median_ms", nullptr}, {"min_ms", nullptr}, {"p95_ms", nullptr}};
    return {{"median_ms", summary->median}, {"min_ms", summary->min}, {"p95_ms", summary->p95}};
}

}  // namespace

Json run_json(const RunResult& run, const gpu::Capabilities& device) {
    Json passes = Json::array();
    for (const PassSamples& pass : run.passes) {
        Json json{{"name", pass.name}};
        json.update(pass_json(pass.ms));
        passes.push_back(std::move(json));
    }
    const auto ambiguous = [&run](std::uint64_t render::AmbiguousPixels::*count) {
        return run.ambiguous ? Json((*run.ambiguous).*count) : Json(nullptr);
    };
    const auto raster = [&run](std::uint64_t render::RasterDifferences::*count) {
        return run.ambiguous && run.ambiguous->raster ? Json((*run.ambiguous->raster).*count) : Json(nullptr);
    };
    return {{"device", device_identity_json(device)},
            {"settings", settings_json(run.settings)},
            {"size", {run.size.width, run.size.height}},
            {"frames", run.frames},
            {"frames_timed", run.frames_timed},
            {"gpu_ms", summary_json(summarize(run.gpu_ms))},
            {"cpu_ms", summary_json(summarize(run.cpu_ms))},
            {"passes", std::move(passes)},
            {"between_passes", pass_json(run.between_ms)},
            {"environment_ms", optional_json(run.environment_ms)},
            {"counters", counters_json(run.counters)},
            {"differing_pixels", optional_json(run.differing_pixels)},
            {"scene_totals", totals_json(run.totals)},
            {"depth_ties", ambiguous(&render::AmbiguousPixels::depth_ties)},
            {"snapped_faces", ambiguous(&render::AmbiguousPixels::snapped_faces)},
            {"raster_edge_pixels", raster(&render::RasterDifferences::edge_pixels)},
            {"raster_depth_pixels", raster(&render::RasterDifferences::depth_pixels)},
            {"raster_wrong_pixels", raster(&render::RasterDifferences::wrong_pixels)},
            {"animation", animation_json(run)},
            {"memory", memory_json(run.memory, run.device_memory)},
            {"streaming", run.streaming ? streaming_json(*run.streaming) : Json()},
            {"texture_streaming", run.texture_streaming ? texture_streaming_json(*run.texture_streaming) : Json()},
            {"picked", run.picked ? pick_json(*run.picked) : Json()},
            {"notes", run.notes}};
}

}  // namespace sublet::app
