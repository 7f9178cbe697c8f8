#include "app/keep/kept_settings.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/error.h"
#include "scene/animation.h"

namespace sublet::app {

namespace {

// Kept by a scene's name; the camera's are kept beside them.
constexpr std::array<std::string_view, 5> kScenesTexts{"variant", "animation", "time", "hide", "isolate"};
constexpr std::string_view kFirstAnimation;  // no choice that a user can make
constexpr std::array<std::string_view, 3> kCamerasOwn{"camera", "near", "projection"};

template <typename List, typename T>
bool is_among(const List& list, const T& value) {
    return std::ranges::find(list, value) != list.end();
}

void take_default(render::Settings& settings, const render::Setting& setting) {
    setting.set(settings, setting.get({}));
}

// What `check` says of them; nothing where they are fine.
std::optional<std::string> fault_of(const render::Settings& settings,
                                    const std::function<void(const render::Settings&)>& check) {
    try {
        check(settings);
        return std::nullopt;
    } catch (const Error& error) {
        return error.what();
    }
}

std::string line_of(const render::Setting& setting, const render::Settings& settings, const std::string& why) {
    return std::string(setting.label) + " '" + setting.get(settings) + "' is dropped: " + why;
}

}  // namespace

bool is_of_scene(std::string_view setting) {
    return is_among(kScenesTexts, setting) || is_among(kCamerasOwn, setting);
}

void forget_scene(render::Settings& settings) {
    for (const render::Setting& setting : render::settings_table()) {
        if (is_of_scene(setting.name)) take_default(settings, setting);
    }
}

SettingTexts scene_texts(const render::Settings& settings) {
    SettingTexts texts;
    for (const std::string_view name : kScenesTexts) {
        texts[std::string(name)] = render::find_setting(name)->get(settings);
    }
    return texts;
}

void start_scene(render::Settings& settings, const SettingTexts& left, std::span<const render::Setting* const> typed) {
    for (const render::Setting& setting : render::settings_table()) {
        if (!is_of_scene(setting.name) || is_among(typed, &setting)) continue;
        take_default(settings, setting);
        if (setting.name == "animation") settings.scene.animation = kFirstAnimation;
        const auto kept = left.find(std::string(setting.name));
        if (kept == left.end()) continue;
        try {
            setting.set(settings, kept->second);
        } catch (const Error&) {  // of another version of the program: one setting less is no loss
        }
    }
}

namespace {

void choose_first_animation(render::Settings& settings, const scene::Scene& scene) {
    if (settings.scene.animation != kFirstAnimation) return;
    settings.scene.animation = scene.animations.empty() ? scene::kAllAnimations : scene::animation_choice(scene, {0});
}

}  // namespace

render::Settings first_settings(const render::Settings& now, const scene::Scene& scene) {
    render::Settings settings = now;
    for (const render::Setting& setting : render::settings_table()) {
        const bool stays = setting.scope == render::SettingScope::kDevice || is_among(kCamerasOwn, setting.name) ||
                           setting.name == "pick";
        if (!stays) take_default(settings, setting);
    }
    settings.scene.animation = kFirstAnimation;
    choose_first_animation(settings, scene);
    return settings;
}

std::vector<std::string> drop_misfits(render::Settings& settings, render::SettingScope scope,
                                      std::span<const render::Setting* const> typed,
                                      const std::function<void(const render::Settings&)>& check) {
    std::vector<std::string> lines;
    std::optional<std::string> why = fault_of(settings, check);
    if (!why) return lines;
    std::vector<const render::Setting*> suspects;
    for (const render::Setting& setting : render::settings_table()) {
        const bool changed = setting.get(settings) != setting.get({});
        if (setting.scope == scope && changed && !is_among(typed, &setting)) suspects.push_back(&setting);
    }
    render::Settings tried = settings;
    // One whose default leads to no fault, or to another one, was the cause.
    const auto drop_cause = [&] {
        for (auto suspect = suspects.begin(); suspect != suspects.end(); ++suspect) {
            render::Settings without = tried;
            take_default(without, **suspect);
            std::optional<std::string> then = fault_of(without, check);
            if (then == why) continue;
            lines.push_back(line_of(**suspect, settings, *why));
            tried = std::move(without);
            why = std::move(then);
            suspects.erase(suspect);
            return true;
        }
        return false;
    };
    while (why && drop_cause()) continue;
    if (why) {
        for (const render::Setting* suspect : suspects) {
            take_default(tried, *suspect);
            lines.push_back(line_of(*suspect, settings, *why));
        }
        check(tried);
    }
    settings = std::move(tried);
    return lines;
}

std::vector<std::string> fit_scene(render::Settings& settings, const scene::Scene& scene,
                                   std::span<const render::Setting* const> typed,
                                   const std::function<void(const render::Settings&)>& upload) {
    render::Settings fitted = settings;
    choose_first_animation(fitted, scene);
    const std::string wanted = fitted.scene.animation;
    std::vector<std::string> lines = drop_misfits(fitted, render::SettingScope::kScene, typed, upload);
    if (fitted.scene.animation != wanted) {
        fitted.scene.animation = kFirstAnimation;
        choose_first_animation(fitted, scene);
        upload(fitted);
    }
    settings = std::move(fitted);
    return lines;
}

}  // namespace sublet::app
