// What help and a window tell of each setting beside its own help: where it stands, what its values mean, and when it
// has no effect.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "gpu/capabilities.h"
#include "render/settings/frame_plan.h"
#include "render/settings/settings.h"

namespace sublet::render {

enum class SettingGroup : std::uint8_t {
    kEveryday,  // what most people come for
    kLight,
    kLooking,
    kCulling,
    kDrawing,
    kMemory,
    kCamera,
    kMeasuring,
    kScene,
    kDevice,
};
inline constexpr std::size_t kSettingGroups = 10;

struct ChoiceGuide {
    std::string_view choice;
    std::string_view sentence;
};

struct SettingGuide {
    std::string_view setting;
    SettingGroup group;
    std::string_view docs;                 // the file and the section that tell more; empty: the help says all
    std::span<const ChoiceGuide> choices;  // of a setting without choices: what its list may hold
    // Why the setting changes nothing now; nothing when it does. Null: it always does.
    std::optional<std::string> (*no_effect)(const Settings& chosen, const FramePlan& plan) = nullptr;
    std::string_view value = {};  // what help calls its value: "XxYxZ"; empty: its choices, else N
};

// What decides beside settings and plan whether a setting has an effect. As it is here, nothing speaks against one.
struct Situation {
    std::optional<std::uint32_t> frames = {};  // how many are drawn; nothing: no end is known
    bool builtin_scene = true;
    bool camera_path = false;
    bool clicks = true;       // a click may pick
    bool moves = true;        // the scene has animations
    bool deforms = false;     // they move joints of what is drawn
    bool joints = true;       // something that is drawn has some
    bool one_moment = false;  // of them, in all frames
    bool light_file = false;  // the picture is written as light: a .exr
};

// Of every setting of settings_table(). Throws Error for a name that is none's.
[[nodiscard]] const SettingGuide& setting_guide(std::string_view setting);

// "Culling": the title of a group.
[[nodiscard]] std::string_view group_title(SettingGroup group);
[[nodiscard]] std::span<const SettingGroup> all_setting_groups();  // in the order in which they are shown

// Those of a group, in the order in which they are shown.
[[nodiscard]] std::span<const Setting* const> settings_of(SettingGroup group);

// All settings, those of a group side by side, in the order in which they are shown.
[[nodiscard]] std::vector<const Setting*> settings_by_group();

// What a choice of a setting means, in a sentence; empty where its name says it.
[[nodiscard]] std::string_view choice_sentence(std::string_view setting, std::string_view choice);

// Why `setting` changes nothing with these settings, which come to `plan`; nothing when it does.
[[nodiscard]] std::optional<std::string> no_effect(std::string_view setting, const Settings& chosen,
                                                   const FramePlan& plan, const Situation& situation = {});

}  // namespace sublet::render
