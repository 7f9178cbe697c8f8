// The settings: everyday ones first, the others in groups. Widgets are made from the renderer's one table.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/view/widgets.h"
#include "render/settings/frame_plan.h"
#include "render/settings/setting_guide.h"
#include "render/settings/settings.h"

namespace sublet::app {

// A value of a setting that only the scene knows, and what a list calls it.
struct SceneValue {
    std::string name, value;
};

// What settings are shown against.
struct SettingsModel {
    const gpu::Capabilities* device = nullptr;
    render::SceneFacts scene;
    const render::FramePlan* plan = nullptr;
    render::Settings running;  // what auto came to
    bool builtin_scene = true;
    bool moves = true;                                 // the scene has animations
    bool deforms = false;                              // they move joints of what is drawn
    std::span<const SceneValue> variants, animations;  // of the scene
    std::uint64_t frame = 0;                           // number of the frame to come: what freeze-culling counts in
};

class SettingsPanel {
  public:
    // Within a window. Write what the user changes into `settings`; return the setting that was changed, or null.
    const render::Setting* draw_everyday(const SettingsModel& model, render::Settings& settings, WidgetMap& widgets);
    const render::Setting* draw_advanced(const SettingsModel& model, render::Settings& settings, WidgetMap& widgets);
    // A value of it was refused elsewhere: shown at its field until the next try.
    void show_error(std::string_view setting, std::string message);
    void clear_error(std::string_view setting);
    // The place in the documentation that was asked for since the last call, as Setting::docs names it; empty: none.
    [[nodiscard]] std::string_view take_docs() { return std::exchange(docs_, {}); }
    // Whether a file for the environment was asked for since the last call.
    [[nodiscard]] bool take_file_asked() { return std::exchange(file_asked_, false); }
    // Fields with a mistake have their value again. False: there was none.
    bool clear_errors();

  private:
    struct Field {
        std::string text;   // being edited
        std::string error;  // what was wrong with it
        bool editing = false;
    };

    const render::Setting* draw_group(render::SettingGroup group, const SettingsModel& model,
                                      render::Settings& settings, WidgetMap& widgets);
    bool draw_setting(const render::Setting& setting, const SettingsModel& model, render::Settings& settings,
                      WidgetMap& widgets);
    void draw_docs_menu(std::string_view docs, WidgetMap& widgets);
    bool draw_switch(const render::Setting& setting, const SettingsModel& model, bool useless,
                     render::Settings& settings);
    bool draw_choice(const render::Setting& setting, const SettingsModel& model, render::Settings& settings,
                     WidgetMap& widgets);
    bool draw_named(const render::Setting& setting, std::span<const SceneValue> values, render::Settings& settings,
                    WidgetMap& widgets);
    bool draw_text(const render::Setting& setting, const SettingsModel& model, render::Settings& settings,
                   Field& field);

    [[nodiscard]] Field& field_of(std::string_view setting);

    std::string_view docs_;
    bool file_asked_ = false;
    std::vector<Field> fields_;  // of each setting, in the table's order
};

// Why `setting` changes nothing now; nothing when it does.
[[nodiscard]] std::optional<std::string> useless_now(const render::Setting& setting, const SettingsModel& model,
                                                     const render::Settings& settings);

}  // namespace sublet::app
