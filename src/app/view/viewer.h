// The interactive viewer: a window, a scene in it, and the panels over it.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/frame_history.h"
#include "app/output.h"
#include "app/pick_report.h"
#include "app/setting_options.h"
#include "app/view/bookmarks.h"
#include "app/view/camera_control.h"
#include "app/view/frame_pacing.h"
#include "app/view/imgui_layer.h"
#include "app/view/path_player.h"
#include "app/view/path_recorder.h"
#include "app/view/scene_loader.h"
#include "app/view/ui.h"
#include "app/view/window.h"
#include "base/stopwatch.h"
#include "gpu/frame.h"
#include "gpu/swapchain.h"
#include "render/renderer.h"
#include "render/view/inspection.h"

namespace sublet::app {

struct ViewerOptions {
    std::filesystem::path scene;  // empty: the built-in scene
    scene::ImportOptions import;  // for it alone
    PictureSize size{1600, 900};
    std::uint32_t frames = 0;               // ends after so many; 0: when the user closes the window
    std::optional<CameraPath> camera_path;  // played again and again until the user takes over
    render::Settings settings;
};

// "frames.csv", or, where there is such a file, "frames-2.csv" and so on.
[[nodiscard]] std::filesystem::path free_file_name(const std::string& stem, const std::string& extension);

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
    // What the validation layer said until close(); nothing when it is off.
    [[nodiscard]] std::optional<std::uint64_t> validation_messages() const { return validation_messages_; }
    [[nodiscard]] const std::string& first_validation_message() const { return first_message_; }

  private:
    // All that needs the device, in the order in which it is made; unmade in reverse, before the window.
    struct Gpu {
        Gpu(gpu::Instance& instance, const gpu::DeviceOptions& options, const Window& window, bool vsync);
        gpu::Device device;
        render::Renderer renderer;
        gpu::FrameRing ring;
        gpu::Swapchain swapchain;
        ImguiLayer imgui;
    };

    void end_device();
    void make_device();
    void make_plan();
    [[nodiscard]] render::SceneFacts facts() const;
    void resolve_settings();
    void upload(const scene::EncodedScene& scene);
    void show_scene(SceneRequest request, std::unique_ptr<scene::EncodedScene> scene);
    void take_loaded();
    void take_pointer();
    void take_clicks(glm::uvec2 pixel, bool over_picture);
    void take_seen();
    void select(const render::Selection& selection);
    void apply_camera(const CameraRequest& request);
    void show_other(bool shown);
    void swap_other();
    void export_frames(const std::string& extension, const std::string& text);
    [[nodiscard]] const render::FramePlan& shown_plan() const { return other_plan_ ? *other_plan_ : plan_; }
    void take_keys();
    void choose_view(std::size_t number);
    void toggle_setting(std::string_view name);
    void step_setting(std::string_view name);
    void set_setting(const render::Setting& setting, std::string_view value);
    void apply_events(const UiEvents& events, const render::Settings& before);
    void apply_command(Command command);
    void apply_change(const render::Setting& setting, const render::Settings& before);
    void reset_camera();
    void toggle_camera_mode();
    void fit_start_to_panels();
    void adapt_near_plane(float seconds);
    void clear_selection();
    void frame_scene();
    void copy_camera();
    void paste_camera();
    void keep_bookmark(int slot);
    void recall(int slot);
    void make_path_of_bookmarks();
    void toggle_recording();
    void save_path();
    void go_to(const render::DefaultView& view);
    void toggle_playing();
    void open_path(const std::filesystem::path& file);
    [[nodiscard]] float aspect() const;
    [[nodiscard]] render::Projection projection() const;
    [[nodiscard]] UiModel model() const;
    void draw_ui();
    void look_at_memory();
    [[nodiscard]] double ui_ms() const;  // median
    void draw_frame(VkExtent2D extent);
    void take_results();
    // Whether a frame is to be drawn now; waits where it is not.
    bool wants_frame();
    void show_picture(VkCommandBuffer commands, const gpu::SwapchainImage& image);
    void count_ambiguous_pixels(const render::View& view);
    void update_title();

    ViewerOptions options_;
    render::Settings settings_;  // as chosen
    WindowSystem system_;
    SceneRequest request_;  // what is shown
    std::unique_ptr<scene::EncodedScene> scene_;
    std::unique_ptr<gpu::Instance> instance_;
    std::uint64_t messages_before_ = 0;  // of the validation layer, from instances that are gone
    std::optional<std::uint64_t> validation_messages_;
    std::string first_message_;
    Window window_;
    ImguiContext context_;
    std::unique_ptr<Gpu> gpu_;
    SceneLoader loader_;
    std::string loading_;                  // what is being loaded, in words
    std::optional<SceneRequest> refused_;  // what the shown error offers to open anyway
    bool control_was_down_ = false, alt_was_down_ = false;

    Ui ui_;
    FramePacing pacing_;
    Stopwatch clock_;               // never restarted
    bool changed_ = true;           // what is shown, since the last frame was asked for
    int cold_frames_ = 0;           // still to come: what compiling held up is not their time
    double frame_ended_ = -1;       // seconds of clock_; below 0: it slept since
    render::CameraPose last_pose_;  // that a frame was drawn with
    CameraControl camera_;
    float near_plane_ = 0.1F;        // of the next picture
    float start_near_plane_ = 0.1F;  // the camera's own
    // What late pictures are asked, and the last answer.
    render::Inspection inspection_;
    std::optional<render::InspectionResult> seen_;
    struct Click {
        glm::uvec2 pixel{0};
        bool pivot = false;       // a double click: the point becomes what the camera turns about
        std::uint64_t frame = 0;  // the first that was asked; 0: none yet
    };
    std::optional<Click> click_;
    float scene_radius_ = 1.0F;
    bool pressed_on_picture_ = false;  // the left button
    render::Selection selection_;
    std::optional<PickReport> picked_;  // what is known of it
    std::vector<render::SceneCamera> scene_cameras_;
    std::optional<render::FramePlan> other_plan_;  // while the other settings are shown
    Bookmarks bookmarks_;
    PathRecorder recorder_;
    PathPlayer player_;
    render::Projection scene_projection_ = render::Projection::kPerspective;  // what auto comes to
    render::FramePlan plan_;                                                  // what they come to
    std::optional<render::Settings> unproven_;  // the settings before those that no frame was drawn with yet
    VkExtent2D planned_for_{};                  // the window that the plan is for
    std::optional<render::AmbiguousPixels> ambiguous_pixels_;
    std::uint64_t scene_frame_ = 0;  // frames of this scene, as the renderer counts them
    std::uint64_t shown_ = 0;        // frames shown in all
    FrameHistory history_;
    std::deque<render::FrameResult> results_;  // the newest
    static constexpr std::size_t kUiTimes = 60;
    std::array<double, kUiTimes> ui_times_{};  // ms of the CPU that the last frames' panels took
    double titled_at_ = 0;
    render::MemoryUse memory_;
    gpu::MemoryUsage device_memory_;
    double memory_seen_at_ = -1;  // seconds of clock_
    bool full_speed_ = false;
    bool fit_to_panels_ = false;             // once they are laid out
    bool remade_ = false;                    // the device, since the last frame
    std::optional<render::Settings> other_;  // of A/B
    std::vector<std::string> notes_;         // on the scene that is shown
};

}  // namespace sublet::app
