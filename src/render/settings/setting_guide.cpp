#include "render/settings/setting_guide.h"

#include <algorithm>
#include <array>

#include "render/settings/frame_plan.h"

namespace sublet::render {

std::string_view group_title(SettingGroup group) {
    constexpr std::array<std::string_view, kSettingGroups.size()> kTitles{
        "Everyday",          "Light",     "Looking inside", "Culling",        "Drawing", "Budgets",
        "Camera in numbers", "Measuring", "Scene settings", "Device settings"};
    return kTitles.at(static_cast<std::size_t>(group));
}

std::span<const Setting> settings_of(SettingGroup group) {
    const std::span<const Setting> all = settings_table();
    const auto first = std::ranges::find(all, group, &Setting::group);
    const auto last = std::find_if(first, all.end(), [&](const Setting& s) { return s.group != group; });
    return {first, last};
}

std::string_view choice_sentence(std::string_view setting, std::string_view choice) {
    for (const ChoiceGuide& value : find_setting(setting)->values) {
        if (value.choice == choice) return value.sentence;
    }
    return {};
}

namespace {

// Of those that more than settings and plan decide.
Reason no_effect_there(std::string_view setting, const Settings& chosen, const Situation& situation) {
    const bool never_frozen = situation.frames && chosen.frame.freeze_culling >= 0 &&
                              static_cast<std::uint32_t>(chosen.frame.freeze_culling) >= *situation.frames;
    if (never_frozen && (setting == "freeze-culling" || setting == "frustum")) {
        return "Its frame is never reached: the last one is " + std::to_string(*situation.frames - 1) + ".";
    }
    const bool of_animations = setting == "animation" || setting == "time" || setting == "speed";
    if (!situation.moves && of_animations) return "The scene has no animations.";
    if (of_animations && chosen.scene.grid.count.x != 0 && !situation.deforms) {
        return "The meshes of a grid stand still, but for those that joints or weights move (--grid).";
    }
    if (situation.light_file && setting == "taa") return "A .exr has the light of a frame alone.";
    if (situation.light_file && setting == "tone") return "A .exr has the light before it becomes colours.";
    if (situation.one_moment && setting == "speed") return "All frames show one moment (--fps).";
    if ((setting == "lights" || setting == "light-budget") && !situation.lights) {
        return "The scene has no lights of its own (--lights-scatter places some).";
    }
    if (setting == "blend-layers" && !situation.blended) return "No surface of the scene blends.";
    if (setting == "joints" && !situation.joints) return "No mesh of the scene has joints.";
    // auto is of textures, too
    if ((setting == "lod" || (setting == "lod-error" && !chosen.frame.lod_fits)) && !situation.levels) {
        return "The scene has no levels of detail: it was encoded with --lod off, deforms, or has few triangles.";
    }
    if (setting == "seed" && !situation.builtin_scene && chosen.scene.lights_scatter == 0) {
        return "Only the built-in scene and --lights-scatter have a seed.";
    }
    if (setting == "camera" && situation.camera_path) return "The cameras of --camera-path take its place.";
    if (setting == "pick-level" && !situation.clicks && !chosen.frame.pick) return "Nothing is picked (--pick).";
    return std::nullopt;
}

}  // namespace

std::optional<std::string> no_effect(std::string_view setting, const Settings& chosen, const FramePlan& plan,
                                     const Situation& situation) {
    if (auto reason = no_effect_there(setting, chosen, situation)) return reason;
    const NoEffect reason = find_setting(setting)->no_effect;
    return reason == nullptr ? std::nullopt : reason(chosen, plan);
}

}  // namespace sublet::render
