// The viewer's panels: a menu bar, settings to the left, numbers to the right, a status line, and what lies over the
// picture. They tell what the user wants; the viewer does it.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/blank_picture.h"
#include "app/output.h"
#include "app/pick_report.h"
#include "app/view/animation_panel.h"
#include "app/view/camera_panel.h"
#include "app/view/command.h"
#include "app/view/comparison.h"
#include "app/view/compiling_text.h"
#include "app/view/numbers_panel.h"
#include "app/view/outliner_panel.h"
#include "app/view/scene_animations.h"
#include "app/view/scene_loader.h"
#include "app/view/settings_panel.h"
#include "app/view/toasts.h"
#include "app/view/widgets.h"
#include "render/settings/settings.h"

namespace sublet::app {

// What there is to show.
struct UiModel {
    SettingsModel settings;
    NumbersModel numbers;
    std::string_view scene_name;
    const scene::FileScenes* file_scenes = nullptr;  // of its file; null: it has one at most
    std::size_t file_scene = 0;                      // which is shown
    std::span<const std::string> notes;              // on the scene
    std::span<const std::string> recent;             // files of scenes, the last first
    const LoadStatus* loading = nullptr;             // null: nothing
    std::size_t textures_left = 0;                   // to come, of the scene that is shown
    bool has_scene = false;                          // else nothing is meant but what concerns loading
    const ViewerCamera* camera = nullptr;
    const SceneAnimations* animations = nullptr;
    OutlinerModel outliner;
    const PickReport* picked = nullptr;      // null: nothing
    bool picked_late = false;                // its bounds are not of now: finding them takes too long
    const Comparison* comparison = nullptr;  // with the settings B
    VkExtent2D extent{};
    StandIn stand_in = StandIn::kNone;  // that is seen, while
    gpu::Compiling compiling;           // this is compiled
    std::optional<BlankReason> blank;   // why the picture shows nothing of the scene
};

// What the user asked for in one frame.
struct UiEvents {
    const render::Setting* changed = nullptr;
    std::vector<Command> commands;
    CameraRequest camera;
    AnimationRequest animation;
    OutlinerRequest outliner;
    std::string_view view;                       // value of the setting of that name; empty: as it is
    std::optional<bool> other_held;              // the other settings of A/B are to be shown, or no longer
    std::optional<render::Selection> selection;  // instead of what is picked
    bool cancel_loading = false;
    std::string opened;                          // a scene's file; empty: none
    std::optional<std::size_t> file_scene = {};  // another scene of the file that is shown
    std::string_view docs;                       // the place in the documentation that is to be shown
    std::string accepted_offer;                  // the cause of the message whose offer was accepted
};

class Ui {
  public:
    // Between ImguiContext's begin_frame() and end_frame(). Writes what the user changes into `settings`.
    UiEvents draw(const UiModel& model, render::Settings& settings);

    [[nodiscard]] Toasts& toasts() { return toasts_; }
    [[nodiscard]] SettingsPanel& settings_panel() { return settings_panel_; }
    [[nodiscard]] OutlinerPanel& outliner() { return outliner_panel_; }
    // A line over the picture, for some seconds: something was done that can't be seen. Empty: nothing is said.
    void say(std::string line);
    // Where `action` throws Error, a message under `cause` tells why, which stays until it is done again without one.
    // False: it threw.
    bool attempt(const char* cause, const std::function<void()>& action);
    void toggle_hidden() {
        hidden_ = !hidden_;
        hidden_at_start_ = false;
    }
    void toggle_help() { help_ = !help_; }
    void toggle_floor_grid() { floor_grid_ = !floor_grid_; }
    // Whether a grid lies on the scene's floor.
    [[nodiscard]] bool floor_grid() const { return floor_grid_; }
    // Takes away what lies over the picture, one thing at a time. False: there was nothing.
    bool escape();
    // A person has found the keys or brought a scene: the hint has done its work.
    void hide_hint() { hint_ = false; }
    [[nodiscard]] bool full_speed() const { return full_speed_; }
    // Whether pictures become smooth while nothing moves.
    [[nodiscard]] bool refine() const { return refine_; }
    // Where the line between the sides of a window that is split was left, as a fraction of its width.
    [[nodiscard]] float split_at() const { return split_at_; }
    // What panels leave of the window, as fractions of it: left, top, right, bottom.
    [[nodiscard]] std::array<float, 4> free_rectangle() const { return free_; }
    [[nodiscard]] Json widgets_json() const { return widgets_.json(); }
    // For what is drawn beside the panels.
    [[nodiscard]] WidgetMap& widgets() { return widgets_; }
    // How panels were left: {"sides": [LEFT, RIGHT], "hidden": BOOL, "hint": BOOL, "axes": BOOL, "grid": BOOL,
    // "split": FRACTION, "open": {ID: BOOL}}.
    // What of it is missing or has another type is left as it is.
    [[nodiscard]] Json state() const;
    void restore(const Json& state);

  private:
    enum class Tab : std::uint8_t { kSettings, kNumbers, kOutliner };

    void keep_sections();
    void draw_menus(const UiModel& model, render::Settings& settings, UiEvents& events);
    void draw_view_menu(const UiModel& model, render::Settings& settings, UiEvents& events);
    void draw_sides(const UiModel& model, render::Settings& settings, UiEvents& events);
    void draw_tabs(std::span<const Tab> tabs, const UiModel& model, render::Settings& settings, UiEvents& events);
    void draw_file_scenes(const UiModel& model, UiEvents& events);
    void draw_settings(const UiModel& model, render::Settings& settings, UiEvents& events);
    void draw_selection_section(const UiModel& model, UiEvents& events);
    void draw_other(const UiModel& model, const render::Settings& settings, UiEvents& events);
    void draw_notes(const UiModel& model);
    void draw_status(const UiModel& model);
    [[nodiscard]] bool legend_beside() const;
    void draw_legend(const UiModel& model);
    // `wrap`: where lines end, from the window's left edge; 0: at its right edge.
    static void draw_legend_entries(render::Show show, float wrap);
    void draw_over_picture(const UiModel& model);
    void draw_split(const SplitTimes& times);
    void draw_loading(const LoadStatus& loading, UiEvents& events);

    SettingsPanel settings_panel_;
    NumbersPanel numbers_panel_;
    OutlinerPanel outliner_panel_;
    Toasts toasts_;
    WidgetMap widgets_;
    std::array<float, 4> free_{0.0F, 0.0F, 1.0F, 1.0F};
    float left_width_ = 0, right_width_ = 0;  // as dragged, in font sizes; 0: the default
    std::string said_;
    double said_until_ = 0;  // seconds of ImGui's clock
    bool hidden_ = false;
    bool hidden_at_start_ = false;  // as they were left in another run, and nobody showed them since
    bool help_ = false;
    bool hint_ = true;
    bool axes_ = true;         // the cross of the world's
    bool floor_grid_ = false;  // most scenes have a floor of their own, and lines hide what pixels show
    float split_at_ = 0.5F;
    bool full_speed_ = false;
    bool refine_ = true;
    std::vector<std::string> dismissed_;  // notes
    std::map<unsigned, bool> sections_;   // of the panels, by ImGui's names: unfolded or not
    bool sections_restored_ = false;
};

}  // namespace sublet::app
