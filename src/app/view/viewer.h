// The interactive viewer: a window, a scene in it, and the panels over it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/blank_picture.h"
#include "app/frame_capture.h"
#include "app/keep/load_options.h"
#include "app/keep/viewer_state.h"
#include "app/output.h"
#include "app/setting_options.h"
#include "app/view/comparison.h"
#include "app/view/docs.h"
#include "app/view/environment_loader.h"
#include "app/view/file_dialog.h"
#include "app/view/frame_pacing.h"
#include "app/view/measurements.h"
#include "app/view/picked.h"
#include "app/view/picture_questions.h"
#include "app/view/refinement.h"
#include "app/view/scene_animations.h"
#include "app/view/scene_files.h"
#include "app/view/scene_loader.h"
#include "app/view/scene_nodes.h"
#include "app/view/ui.h"
#include "app/view/user_input.h"
#include "app/view/viewer_camera.h"
#include "app/view/window_gpu.h"
#include "base/error.h"
#include "base/stopwatch.h"
#include "render/renderer.h"

namespace sublet::app {

struct ViewerOptions {
    std::filesystem::path scene;  // empty: the built-in scene
    LoadOptions import;           // for it alone
    PictureSize size{1600, 900};
    std::uint32_t samples = 64;             // that a picture is refined to while nothing moves; 1: it is not
    std::uint32_t frames = 0;               // ends after so many; 0: when the user closes the window
    std::optional<CameraPath> camera_path;  // played again and again until the user takes over
    CaptureOptions capture;
    render::Settings settings;
    // What is remembered from run to run; nowhere where the file has no name.
    std::filesystem::path state_file;
    ViewerState state;
    bool restore_camera = false;                  // that of the scene's state
    std::vector<const render::Setting*> written;  // on the command line
    std::vector<const render::Setting*> typed;    // those, and those of its preset
};

class Viewer {
  public:
    // Loads the scene and opens the window. Throws Error.
    explicit Viewer(const ViewerOptions& options);
    ~Viewer();
    Viewer(const Viewer&) = delete;
    Viewer& operator=(const Viewer&) = delete;

    // Until the window is closed or the frames are shown.
    void run();
    // Gives the device back. What was shown last, as JSON: settings, counters, times, memory, validation_messages, and
    // where each setting's widget was, for scripts that click on them.
    [[nodiscard]] Json close();
    // Cancels what is read in the background. Whether all of it ended within so many seconds.
    [[nodiscard]] bool stop_reading_within(double seconds);
    // What the validation layer said until close(); nothing when it is off.
    [[nodiscard]] std::optional<std::uint64_t> validation_messages() const { return validation_messages_; }
    [[nodiscard]] const std::string& first_validation_message() const { return first_message_; }

  private:
    void make_device();
    void end_device();
    void make_plan();
    void resolve_settings();
    void upload(const scene::EncodedScene& scene);
    void forget_frames();
    void load(SceneRequest request);
    [[nodiscard]] render::Settings settings_for(const SceneRequest& request) const;
    void show_scene(LoadedScene loaded);
    void open_path_or_folder(const std::filesystem::path& path);
    void open_environment(const std::filesystem::path& file);
    void take_chosen();
    void reload();
    void restore_scene();
    void remember_scene();
    void save_state();
    void keep_picture();
    bool take_settings(const render::Settings& settings, const char* cause);
    void reset_settings();
    void take_loaded();
    void take_environment();
    void note_useless_settings() const;
    void take_pointer();
    void take_click(const PictureQuestions::Answer& answer);
    void select(const render::Selection& selection, const scene::AnimationTimes& times);
    void show_docs(std::string_view docs);
    void show_other(bool shown);
    void swap_other();
    void plan_split();
    void write_here(const char* cause, const std::string& stem, const std::string& extension,
                    const std::function<void(const std::filesystem::path&)>& write);
    [[nodiscard]] const render::FramePlan& shown_plan() const {
        return comparison_.shown() != nullptr ? *comparison_.shown() : plan_before_ ? *plan_before_ : plan_;
    }
    void toggle_setting(std::string_view name);
    void set_setting(const render::Setting& setting, std::string_view value);
    void apply_events(const UiEvents& events, const render::Settings& before);
    void apply_command(Command command);
    void apply_change(const render::Setting& setting, const render::Settings& before);
    void look_at_blank_picture();
    void apply_outliner(const OutlinerRequest& request);
    void hide_picked(bool alone);
    void frame_scene();
    void apply_animation(const AnimationRequest& request, std::optional<std::size_t> of);
    [[nodiscard]] SceneNow now() const { return {*scene_, settings_.scene, animations_.times()}; }
    [[nodiscard]] UiModel model();
    void draw_ui(VkExtent2D extent);
    void draw_frame(VkExtent2D extent);
    bool look_at_pipelines();
    void take_settings_back(const Error& error);
    // How the next frame refines the picture.
    [[nodiscard]] Refinement::Frame next_refinement(VkExtent2D size);
    // Whether a frame is to be drawn now; waits where it is not.
    bool wants_frame();
    bool streams_on(bool active);
    void update_title();

    ViewerOptions options_;
    // So many frames are for scripts, which want the same pictures each time, and never plain ones.
    const render::TextureLoading textures_;
    const render::Preparing preparing_;
    FrameCapture capture_{options_.capture};
    render::Settings settings_;                                  // as chosen
    std::vector<const render::Setting*> typed_{options_.typed};  // for the first scene, until it is there
    Stopwatch clock_;                                            // from the start, never restarted
    WindowSystem system_;
    SceneRequest request_;                        // what is shown, or will be first
    scene::FileScenes file_scenes_;               // of its file
    std::unique_ptr<scene::EncodedScene> scene_;  // null before the first
    std::unique_ptr<gpu::Instance> instance_;
    std::uint64_t messages_before_ = 0;  // of the validation layer, from instances that are gone
    std::optional<std::uint64_t> validation_messages_;
    std::string first_message_;
    ViewerState state_;  // as the next run will find it
    Window window_;
    ImguiContext context_;
    std::unique_ptr<WindowGpu> gpu_;
    SceneLoader loader_;
    EnvironmentLoader environments_;
    SceneWatch watch_;
    FileDialog dialog_;
    std::vector<std::string> recent_;
    std::optional<LoadStatus> loading_;    // while something is
    std::string first_error_;              // why the first scene did not come
    std::optional<SceneRequest> refused_;  // what the shown error offers to open anyway

    Ui ui_;
    FramePacing pacing_;
    Measurements measurements_;  // by clock_
    bool changed_ = true;        // what is shown, since the last frame was asked for
    ViewerCamera camera_;
    UserInput input_;
    PictureQuestions questions_;
    std::optional<render::Probe> pointed_;  // what the last picture showed under the pointer
    Picked picked_;
    SceneNodes nodes_;
    SceneAnimations animations_;
    SceneValues values_;
    Refinement refinement_{options_.samples};
    FileOpener opener_;
    render::FramePlan plan_;                        // what they come to
    std::optional<render::FramePlan> plan_before_;  // that is drawn while pipelines of plan_ are being compiled
    bool plain_ = false;                            // the last frame: render::Renderer::plain()
    std::optional<render::Settings> unproven_;      // the settings before those that no frame was drawn with yet
    VkExtent2D planned_for_{};                      // the window that the plan is for
    double titled_at_ = 0;
    std::uint32_t frames_to_know_ = 0;  // until it is known what they want of geometry and textures
    bool full_speed_ = false;
    bool remade_ = false;  // the device, since the last frame
    // What is asked of the next picture: a key may come in the frame that moves the camera.
    bool picture_asked_ = false, line_asked_ = false;
    std::optional<render::Settings> before_reset_;  // while its message offers to undo it
    Comparison comparison_;
    std::vector<std::string> notes_;    // on the scene that is shown
    std::optional<BlankReason> blank_;  // why the picture shows nothing of it
    std::string blank_seen_;            // from where that was found out, and of what; empty: it shows some
};

}  // namespace sublet::app
