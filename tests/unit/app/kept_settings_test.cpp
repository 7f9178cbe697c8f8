#include "app/keep/kept_settings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "app/keep/viewer_state.h"
#include "app/setting_options.h"
#include "base/error.h"
#include "render/settings/frame_plan.h"
#include "scene/animation.h"
#include "setting_values.h"
#include "temporary_folder.h"

namespace sublet::app {
namespace {

using render::Setting;
using render::SettingScope;

scene::Scene scene_with(const std::vector<std::string>& animations, const std::vector<std::string>& variants = {}) {
    scene::Scene scene;
    for (const std::string& name : animations) scene.animations.emplace_back().name = name;
    for (const std::string& name : variants) scene.variants.emplace_back().name = name;
    return scene;
}

// As making a scene ready refuses what it does not have.
auto upload_of(const scene::Scene& scene) {
    return [&scene](const render::Settings& settings) {
        static_cast<void>(scene::chosen_animations(scene, settings.scene.animation));
        static_cast<void>(scene::materials_of_variant(scene, settings.scene.variant));
    };
}

std::vector<std::string> fit(render::Settings& settings, const scene::Scene& scene,
                             const std::vector<const Setting*>& typed = {}) {
    return fit_scene(settings, scene, typed, upload_of(scene));
}

TEST(KeptSettings, WhatIsOfOneSceneIsLeftWithIt) {
    for (const Setting& setting : render::settings_table()) {
        SCOPED_TRACE(setting.name);
        render::Settings settings;
        setting.set(settings, test::other_value(setting));
        const render::Settings one = settings;
        const std::vector<const Setting*> typed{&setting};
        start_scene(settings, {}, typed);
        EXPECT_EQ(setting.get(settings), setting.get(one)) << "typed";
        start_scene(settings, {}, {});
        EXPECT_EQ(setting.get(settings) == setting.get(one), !is_of_scene(setting.name));
        start_scene(settings, scene_texts(one), {});
        const bool camera = setting.name == "camera" || setting.name == "near" || setting.name == "projection";
        EXPECT_EQ(setting.get(settings) == setting.get(one), !camera) << "it comes back with the scene";
    }
}

// From run to run: all that a viewer of one scene writes, read by a viewer of a scene that has nothing.
TEST(KeptSettings, NothingKeptOfOneSceneStopsAnother) {
    const scene::Scene bare;
    gpu::Capabilities nothing;  // but what is required
    nothing.limits.maxPerStageDescriptorStorageBuffers = 24;
    for (const Setting& setting : render::settings_table()) {
        for (const auto& [value, expected] : test::good_values(setting)) {
            SCOPED_TRACE(std::string(setting.name) + " " + value);
            ViewerState state;
            setting.set(state.settings, value);
            SceneState& left = use_scene(state, "/one.glb");
            left.settings = scene_texts(state.settings);
            // As older versions wrote it: with the settings of all scenes.
            Json json = Json::parse(state_text(state));
            json["settings"][std::string(setting.name)] = value;
            ViewerState read = parse_state(json.dump(), "state.json");
            EXPECT_EQ(read.scenes.begin()->second.settings, left.settings);

            start_scene(read.settings, {}, {});
            EXPECT_EQ(fit(read.settings, bare), std::vector<std::string>{}) << "another scene never had it";
            start_scene(read.settings, left.settings, {});
            EXPECT_NO_THROW(static_cast<void>(fit(read.settings, bare))) << "the file lost it";
            const auto plan = [&](const render::Settings& tried) {
                static_cast<void>(render::resolve(tried.frame, nothing));
            };
            EXPECT_NO_THROW(static_cast<void>(drop_misfits(read.settings, SettingScope::kFrame, {}, plan)));
            EXPECT_NO_THROW(plan(read.settings));
        }
    }
}

TEST(KeptSettings, DropsWhatDoesNotFitAndNothingElse) {
    render::Settings settings;
    settings.scene.animation = "Run";
    settings.scene.variant = "midnight";
    settings.scene.texture_budget = 1U << 20U;
    settings.frame.wireframe = true;
    const std::vector<std::string> lines = fit(settings, scene_with({"Walk", "Sit"}, {"noon"}));
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_NE(lines[0].find("'Run' is dropped: the scene has no animation 'Run'"), std::string::npos) << lines[0];
    EXPECT_NE(lines[1].find("'midnight' is dropped: the scene has no"), std::string::npos) << lines[1];
    EXPECT_EQ(settings.scene.animation, "Walk");
    EXPECT_EQ(settings.scene.variant, "");
    EXPECT_EQ(settings.scene.texture_budget, 1U << 20U);
    EXPECT_TRUE(settings.frame.wireframe);
    EXPECT_EQ(fit(settings, scene_with({"Walk", "Sit"})), std::vector<std::string>{});
}

TEST(KeptSettings, WhatIsTypedStaysAnError) {
    render::Settings settings;
    settings.scene.animation = "Run";
    settings.scene.variant = "midnight";
    const std::vector<const Setting*> typed{render::find_setting("animation")};
    const scene::Scene scene = scene_with({"Walk"});
    EXPECT_NE(test::message_of<Error>([&] { static_cast<void>(fit(settings, scene, typed)); }).find("'Run'"),
              std::string::npos);
    EXPECT_EQ(settings.scene.variant, "midnight") << "nothing was changed";
}

TEST(KeptSettings, WhereNoOneIsTheCauseAllGo) {
    render::Settings settings;
    settings.scene.seed = 3;
    settings.scene.stagger = 1.0F;
    settings.frame.wireframe = true;
    const auto check = [](const render::Settings& tried) {
        if (tried.scene.seed != 1 || tried.scene.stagger != 0.0F) throw Error("too much of both");
    };
    EXPECT_EQ(drop_misfits(settings, SettingScope::kScene, {}, check).size(), 2U);
    EXPECT_NO_THROW(check(settings));
    EXPECT_TRUE(settings.frame.wireframe);
    const auto never = [](const render::Settings&) { throw Error("never"); };
    EXPECT_EQ(
        test::message_of<Error>([&] { static_cast<void>(drop_misfits(settings, SettingScope::kScene, {}, never)); }),
        "never");
}

TEST(KeptSettings, AResetLeavesTheCameraAndTheDevice) {
    const scene::Scene scene = scene_with({"Walk", "Run"});
    for (const Setting& setting : render::settings_table()) {
        render::Settings settings;
        setting.set(settings, test::other_value(setting));
        const std::string value = setting.get(settings);
        const bool stays = setting.scope == SettingScope::kDevice || setting.name == "camera" ||
                           setting.name == "near" || setting.name == "projection" || setting.name == "pick";
        const std::string usual = setting.name == "animation" ? "Walk" : setting.get({});
        EXPECT_EQ(setting.get(first_settings(settings, scene)), stays ? value : usual) << setting.name;
    }
}

TEST(KeptSettings, TheFirstAnimationPlaysUnlessAnotherWasChosen) {
    const auto chosen = [](const SettingTexts& left, const scene::Scene& scene) {
        render::Settings settings;
        start_scene(settings, left, {});
        EXPECT_EQ(fit(settings, scene), std::vector<std::string>{});
        return settings.scene.animation;
    };
    EXPECT_EQ(chosen({}, scene_with({"Walk", "Run"})), "Walk");
    EXPECT_EQ(chosen({}, scene_with({"", "Run"})), "0") << "one without a name";
    EXPECT_EQ(chosen({}, scene_with({})), "all");
    EXPECT_EQ(chosen({{"animation", "none"}}, scene_with({"Walk", "Run"})), "none");
    EXPECT_EQ(chosen({{"animation", "all"}}, scene_with({"Walk", "Run"})), "all");
}

}  // namespace
}  // namespace sublet::app
