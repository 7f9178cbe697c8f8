// What a window tells of each setting beside its help: where it stands, what its values mean, and when it has no
// effect.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/capabilities.h"
#include "render/settings/frame_plan.h"
#include "render/settings/settings.h"

namespace sublet::render {

enum class SettingGroup : std::uint8_t {
    kEveryday,  // what most people come for
    kLooking,
    kCulling,
    kDrawing,
    kMemory,
    kCamera,
    kMeasuring,
    kScene,
    kDevice,
};

struct ChoiceGuide {
    std::string_view choice;
    std::string_view sentence;
};

struct SettingGuide {
    std::string_view setting;
    SettingGroup group;
    std::string_view docs;  // the file and the section that tell more; empty: the help says all
    std::span<const ChoiceGuide> choices;
    // Why the setting changes nothing now; nothing when it does. Null: it always does.
    std::optional<std::string> (*no_effect)(const Settings& chosen, const FramePlan& plan) = nullptr;
};

// Of every setting of settings_table(). Throws Error for a name that is none's.
[[nodiscard]] const SettingGuide& setting_guide(std::string_view setting);

// "Culling": the title of a group.
[[nodiscard]] std::string_view group_title(SettingGroup group);
[[nodiscard]] std::span<const SettingGroup> all_setting_groups();  // in the order in which they are shown

// Those of a group, in the order in which they are shown.
[[nodiscard]] std::vector<const Setting*> settings_of(SettingGroup group);

// What a choice of a setting means, in a sentence; empty where its name says it.
[[nodiscard]] std::string_view choice_sentence(std::string_view setting, std::string_view choice);

// Why `setting` changes nothing with these settings, which come to `plan`; nothing when it does.
[[nodiscard]] std::optional<std::string> no_effect(std::string_view setting, const Settings& chosen,
                                                   const FramePlan& plan);

}  // namespace sublet::render
