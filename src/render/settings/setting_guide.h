// What help and a window tell of settings beside their rows: their groups, what their values mean, and when one has no
// effect.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "render/settings/settings.h"

namespace sublet::render {

// What decides beside settings and plan whether a setting has an effect. As it is here, nothing speaks against one.
struct Situation {
    std::optional<std::uint32_t> frames = {};  // how many are drawn; nothing: no end is known
    bool builtin_scene = true;
    bool camera_path = false;
    bool clicks = true;       // a click may pick
    bool moves = true;        // the scene has animations
    bool deforms = false;     // they move joints of what is drawn
    bool joints = true;       // something that is drawn has some
    bool levels = true;       // of detail, the same
    bool lights = true;       // the scene has some of its own
    bool blended = true;      // some of its surfaces blend
    bool one_moment = false;  // of them, in all frames
    bool light_file = false;  // the picture is written as light: a .exr
};

// "Culling": the title of a group.
[[nodiscard]] std::string_view group_title(SettingGroup group);

// Those of a group, in the order in which they are shown.
[[nodiscard]] std::span<const Setting> settings_of(SettingGroup group);

// What a choice of a setting means, in a sentence; empty where its name says it.
[[nodiscard]] std::string_view choice_sentence(std::string_view setting, std::string_view choice);

// Why `setting` changes nothing with these settings, which come to `plan`; nothing when it does.
[[nodiscard]] std::optional<std::string> no_effect(std::string_view setting, const Settings& chosen,
                                                   const FramePlan& plan, const Situation& situation = {});

}  // namespace sublet::render
