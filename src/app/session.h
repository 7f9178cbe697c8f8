// A device, a scene on it, and frames of it without a window: what `render` and `bench` share.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/camera_path.h"
#include "app/frame_capture.h"
#include "app/keep/load_options.h"
#include "app/output.h"
#include "app/pick_report.h"
#include "app/setting_options.h"
#include "app/streaming_report.h"
#include "gpu/device.h"
#include "gpu/frame.h"
#include "render/renderer.h"
#include "render/settings/frame_plan.h"
#include "scene/container.h"

namespace sublet {
class ThreadPool;
}

namespace sublet::app {

// SCENE of the command line: a .sublet is opened, a .gltf or .glb taken from the cache, or imported and encoded, an
// empty path is the built-in scene of that seed. Throws Error.
[[nodiscard]] scene::EncodedScene load_scene(const std::filesystem::path& path, std::uint32_t seed, ThreadPool& pool,
                                             const LoadOptions& options = {});
// Writes each note to stderr, once in the life of the process.
void show_notes(const std::vector<std::string>& notes);
// "kitten.glb", or "built-in scene" for an empty path.
[[nodiscard]] std::string scene_name(const std::filesystem::path& path);

// What a device is to be opened with; the pipeline cache is kept in the user's cache folder.
[[nodiscard]] gpu::DeviceOptions device_options(const render::Settings& settings);

struct Summary {
    double median = 0, min = 0, p95 = 0;
};
// Nothing for no samples. p95: the smallest sample that at least 95 % do not exceed.
[[nodiscard]] std::optional<Summary> summarize(std::vector<double> samples);

struct PassSamples {
    std::string name;
    std::vector<double> ms;
};

// Adds one frame's passes to those that there are, in frame order, and, where it is timed, their times to the samples.
void add_pass_times(const render::FrameResult& frame, std::vector<PassSamples>& passes);

// Times of single frames, those without fresh pipelines: each list has a value for each of them.
struct FrameSeries {
    std::vector<std::uint32_t> frames;  // their numbers in the run
    std::vector<double> gpu_ms;         // NaN without timestamps
    std::vector<double> cpu_ms;
    std::vector<PassSamples> passes;  // in frame order; NaN in a frame without that pass
};

// Adds a frame, if it is timed.
void add_to_series(const render::FrameResult& frame, std::uint32_t number, double gpu_ms, double cpu_ms,
                   FrameSeries& series);

// What a run of frames gave.
struct RunResult {
    render::Settings settings;  // as they really ran; camera and near plane are the last frame's
    render::FramePlan plan;
    PictureSize size;
    std::uint32_t frames = 0, warmup = 0;
    std::uint32_t frames_timed = 0;   // those without fresh pipelines (render::FrameResult): times are theirs
    std::vector<double> gpu_ms;       // whole frames; empty without timestamps
    std::vector<double> cpu_ms;       // recording and submitting
    std::vector<PassSamples> passes;  // in frame order
    std::vector<double> between_ms;   // gpu::FrameTimes::between_passes() of each of gpu_ms
    FrameSeries series;
    std::optional<double> environment_ms;              // FrameRunner::environment_ms_
    render::Counters counters;                         // of the last frame
    std::optional<render::AmbiguousPixels> ambiguous;  // of the last frame, with count_ties
    std::optional<PickReport> picked;                  // of the last frame, with pick, where something covers the pixel
    std::optional<std::uint64_t> differing_pixels;     // of the last frame, with difference
    render::SceneTotals totals;
    render::AnimationState animation;
    bool moving_nodes = false;  // the scene has animations
    bool joints = false;        // and something in it joints
    bool lights = false;        // and lights of its own
    bool blended = false;       // and surfaces that blend
    bool levels = false;        // of detail, too
    double time = 0;            // of the animations, in the last frame
    // Of this run's start: pipelines that were made before its first frame, the seconds that took, and then that frame.
    std::uint64_t compiled_pipelines = 0;
    double compile_seconds = 0, first_frame_seconds = 0;
    bool plain = false;  // that frame was plain: render::Renderer::plain()
    render::MemoryUse memory;
    gpu::MemoryUsage device_memory;
    std::optional<StreamingRun> streaming;                    // nothing where all geometry is always there
    std::optional<render::TextureFigures> texture_streaming;  // nothing where textures have the levels they came with
    std::vector<std::string> notes;  // of the scene's import, of its upload, of the environment's picture, and why the
                                     // last frame shows nothing of the scene
};

// Adds the times of a frame that is timed, but for those of its passes.
void add_gpu_times(const gpu::FrameTimes& times, RunResult& run);

struct RunPlan {
    PictureSize size;
    std::uint32_t frames = 1;
    std::uint32_t warmup = 0;     // frames before, at the first pose, not in the result
    std::uint32_t samples = 1;    // the picture is the average of so many frames more, at the last pose
    bool counters_apart = false;  // counting slows a frame down: count in one more frame at the last pose
    render::Preparing preparing = render::Preparing::kAll;
    const CameraPath* path = nullptr;  // null: the settings' camera, or the default one
    double fps = 0;                    // frames in a second of the animations; 0: all are of one moment
    // After each frame but those of the warm-up, by its number. It may read the picture.
    std::function<void(std::uint32_t)> after_frame = {};
    // After each of `samples`; it may read the light of that one.
    std::function<void()> after_sample = {};
    bool keep_light = false;                // pictures have render::Picture::light
    const FrameCapture* capture = nullptr;  // of frames after the warm-up; null: none
};

// Draws frames of a scene on a device, and times them.
class FrameRunner {
  public:
    explicit FrameRunner(gpu::Device& device);
    FrameRunner(const FrameRunner&) = delete;
    FrameRunner& operator=(const FrameRunner&) = delete;

    // `scene` must live as long as it is shown.
    void set_scene(const scene::EncodedScene& scene, const render::SceneSettings& settings);
    [[nodiscard]] render::SceneFacts facts() const { return renderer_.facts(); }
    // Throws Error with the reason when the device can't do what the settings ask for.
    [[nodiscard]] RunResult run(const render::Settings& settings, const RunPlan& plan);
    // The last frame of the last run.
    [[nodiscard]] render::Picture read_picture(bool with_depth);

  private:
    struct Run;
    [[nodiscard]] Run plan_run(const render::Settings& settings, const RunPlan& plan) const;
    // Draws a frame. Returns the milliseconds of recording and submitting it, where no pipeline was compiled meanwhile.
    std::optional<double> draw(Run& run, std::uint32_t index);
    void settle_textures(const Run& run);
    void warm_up(Run& run);
    void time_frames(Run& run);
    void describe_last(Run& run);
    void find_picked(Run& run);
    void average_samples(Run& run);
    [[nodiscard]] std::vector<render::FrameResult> take_results();

    gpu::Device& device_;
    render::Renderer renderer_;
    gpu::FrameRing ring_;
    const scene::EncodedScene* scene_ = nullptr;
    std::uint64_t rendered_ = 0;  // frames since set_scene
    // GPU time of making the light from all around, when that was done last: pass "environment". Nothing without
    // timestamps.
    std::optional<double> environment_ms_;
};

// A device that the settings name, and frames on it.
class Session {
  public:
    // Opens the device that the settings of device scope name. Throws Error.
    explicit Session(const render::Settings& settings);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    [[nodiscard]] FrameRunner& frames();
    [[nodiscard]] const gpu::Capabilities& capabilities() const;
    // Gives the device back. Returns what the validation layer said until then, or nothing when it is off.
    std::optional<std::uint64_t> close();
    // The first of those messages; empty when there were none.
    [[nodiscard]] std::string first_validation_message() const;

  private:
    struct Gpu;
    gpu::Instance instance_;
    std::unique_ptr<Gpu> gpu_;  // gone after close()
};

// Puts the budgets that a frame really went by into the settings that it ran with.
void set_budgets(render::Settings& settings, const render::Budgets& ran);

// What the import of `scene` noted, then what its upload did, then what reading the environment's picture did.
[[nodiscard]] std::vector<std::string> all_notes(const scene::EncodedScene& scene, const render::Renderer& renderer,
                                                 const render::EnvironmentSource& environment);

// How many messages the validation layer had so far, or nothing when it is off; and the first of them, empty when there
// are none.
[[nodiscard]] std::optional<std::uint64_t> validation_messages(const gpu::Instance& instance);
[[nodiscard]] std::string first_validation_message(const gpu::Instance& instance);
// Throws Error when the validation layer had something to say.
void require_no_validation_messages(std::optional<std::uint64_t> messages, const std::string& first);

// The JSON of a run, keys as `render` gives them, validation_messages left out.
[[nodiscard]] Json run_json(const RunResult& run, const gpu::Capabilities& device);
[[nodiscard]] Json device_identity_json(const gpu::Capabilities& device);
[[nodiscard]] Json series_json(const FrameSeries& series);
[[nodiscard]] Json summary_json(const std::optional<Summary>& summary);

}  // namespace sublet::app
