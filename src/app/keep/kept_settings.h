// Settings that go from one scene to another, or from one run to the next: what of them a scene can't have is dropped.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "render/settings/settings.h"
#include "scene/scene.h"

namespace sublet::app {

// What a scene was left with, by the settings' names, as the command line would write the values.
using SettingTexts = std::map<std::string, std::string>;

// Whether the setting is of one scene alone: another scene starts without it. The camera, and what names parts of a
// scene.
[[nodiscard]] bool is_of_scene(std::string_view setting);

// Those of one scene alone become their defaults.
void forget_scene(render::Settings& settings);
// What a scene is left with: those of them that have no place of their own among what is kept, as the camera has.
[[nodiscard]] SettingTexts scene_texts(const render::Settings& settings);

// Makes the settings those of another scene: of what is of one scene alone, what that scene was left with, else the
// default; of animations, where none is kept, the first, which fit_scene() names. Those in `typed` stay.
void start_scene(render::Settings& settings, const SettingTexts& left, std::span<const render::Setting* const> typed);

// The settings of a first run with this scene. The device's, the camera's and the picked pixel stay.
[[nodiscard]] render::Settings first_settings(const render::Settings& now, const scene::Scene& scene);

// Until `check` throws no Error, settings of this scope take their defaults: those that it throws for, as far as that
// can be told, else all. Those in `typed` stay. Returns a line for each that was dropped, with the reason. Throws the
// Error, and changes nothing, where that does not help.
[[nodiscard]] std::vector<std::string> drop_misfits(render::Settings& settings, render::SettingScope scope,
                                                    std::span<const render::Setting* const> typed,
                                                    const std::function<void(const render::Settings&)>& check);

// The same of the scene's scope, where `upload` makes ready to draw `scene`. What stands for its first animation
// becomes that one; it takes the place of one that is dropped, too.
[[nodiscard]] std::vector<std::string> fit_scene(render::Settings& settings, const scene::Scene& scene,
                                                 std::span<const render::Setting* const> typed,
                                                 const std::function<void(const render::Settings&)>& upload);

}  // namespace sublet::app
