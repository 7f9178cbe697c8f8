#include "render/settings/setting_guide.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "render/settings/backend_info.h"
#include "render/settings/frame_plan.h"

namespace sublet::render {
namespace {

TEST(SettingGuide, TellsOfEverySetting) {
    std::set<std::string_view> everyday;
    for (const Setting& setting : settings_table()) {
        if (setting.group == SettingGroup::kEveryday) everyday.insert(setting.name);
        for (const ChoiceGuide& choice : setting.values) {
            // Those of a setting without choices are what its list may hold.
            Settings settings;
            const bool file = choice.choice == "FILE";
            ASSERT_EQ(file && setting.extensions.empty(), false) << setting.name;
            const std::string value = std::string(choice.choice) + (file ? std::string(setting.extensions[0]) : "");
            EXPECT_NO_THROW(setting.set(settings, value)) << setting.name << " " << value;
            EXPECT_LE(choice.sentence.size(), 110U) << choice.sentence;
        }
    }
    EXPECT_TRUE(everyday.contains("view"));
    EXPECT_TRUE(everyday.contains("backend"));
    EXPECT_LE(everyday.size(), 13U) << "the first things to see are few";
}

TEST(SettingGuide, EverySettingIsInAGroupThatIsShown) {
    std::multiset<std::string_view> shown;
    for (const SettingGroup group : kSettingGroups) {
        EXPECT_FALSE(group_title(group).empty());
        for (const Setting& setting : settings_of(group)) shown.insert(setting.name);
    }
    for (const Setting& setting : settings_table()) EXPECT_EQ(shown.count(setting.name), 1U) << setting.name;
    EXPECT_EQ(shown.size(), settings_table().size());
}

TEST(SettingGuide, EveryBackendHasASentence) {
    for (const BackendInfo& info : backend_table()) {
        EXPECT_FALSE(choice_sentence("backend", info.name).empty()) << info.name;
    }
}

// The documentation that is pointed at is there: the file, and the section in it.
TEST(SettingGuide, PointsAtDocumentationThatExists) {
    const std::filesystem::path root = std::getenv("SUBLET_SOURCE_DIR");
    for (const Setting& setting : settings_table()) {
        const std::string docs(setting.docs);
        if (docs.empty()) continue;
        std::ifstream file(root / docs.substr(0, docs.find(',')));
        ASSERT_TRUE(file.is_open()) << docs;
        std::stringstream text;
        text << file.rdbuf();
        const std::size_t quote = docs.find('"');
        if (quote == std::string::npos) continue;
        const std::string section = docs.substr(quote + 1, docs.rfind('"') - quote - 1);
        EXPECT_NE(text.str().find("\n## " + section + "\n"), std::string::npos) << docs;
    }
}

FramePlan plan_of(Backend backend) {
    FramePlan plan;
    plan.backend = backend;
    plan.cull_occlusion = true;
    plan.device.mdi_runs = true;
    return plan;
}

TEST(SettingGuide, KnowsWhatHasNoEffect) {
    const Settings settings;
    for (const auto* name : {"cull-cone", "cull-occlusion", "cull-sublets", "cull-primitives", "occlusion-detail",
                             "payload", "expansion", "subgroup", "raster-limit", "compact-budget"}) {
        EXPECT_TRUE(no_effect(name, settings, plan_of(Backend::kDirect))) << name;
    }
    for (const auto* name : {"cull-cone", "cull-occlusion", "cull-sublets", "expansion", "survivor-budget"}) {
        EXPECT_FALSE(no_effect(name, settings, plan_of(Backend::kMdi))) << name;
    }
    for (const auto* name : {"cull-primitives", "payload", "meshlet-workgroup", "occlusion-detail"}) {
        EXPECT_TRUE(no_effect(name, settings, plan_of(Backend::kMdi))) << name;
        EXPECT_FALSE(no_effect(name, settings, plan_of(Backend::kMeshIndirect))) << name;
    }
    EXPECT_FALSE(no_effect("raster-limit", settings, plan_of(Backend::kRaster)));
    EXPECT_TRUE(no_effect("raster-limit", settings, plan_of(Backend::kCompact)));
    EXPECT_NE(no_effect("expansion", settings, plan_of(Backend::kDirect))->find("direct"), std::string::npos)
        << "the reason names the backend";
    FramePlan whole = plan_of(Backend::kMdi);
    whole.device.mdi_runs = false;
    EXPECT_NE(no_effect("cull-sublets", settings, whole)->find("on this device"), std::string::npos);
    FramePlan off = plan_of(Backend::kCompact);
    EXPECT_FALSE(no_effect("occlusion-detail", settings, off));
    off.cull_occlusion = false;
    EXPECT_TRUE(no_effect("occlusion-detail", settings, off));
    EXPECT_TRUE(no_effect("grid-spacing", settings, off));
    Settings grid;
    grid.scene.grid.count = {2, 2, 2};
    EXPECT_FALSE(no_effect("grid-spacing", grid, off));
}

TEST(SettingGuide, KnowsWhatHasNoEffectOnLight) {
    const Settings settings;
    FramePlan plan = plan_of(Backend::kMdi);
    EXPECT_FALSE(no_effect("sun-strength", settings, plan));
    EXPECT_FALSE(no_effect("environment-blur", settings, plan));
    EXPECT_TRUE(no_effect("environment-turn", settings, plan)) << "the sky turns with its sun";
    plan.sun.on = false;
    EXPECT_TRUE(no_effect("sun-strength", settings, plan));
    plan.environment.kind = EnvironmentKind::kPicture;
    EXPECT_FALSE(no_effect("environment-turn", settings, plan));
    plan.environment.kind = EnvironmentKind::kNone;
    EXPECT_TRUE(no_effect("environment-turn", settings, plan));
    EXPECT_TRUE(no_effect("environment-blur", settings, plan));
    Settings depth;
    depth.frame.show = Show::kDepth;
    EXPECT_TRUE(no_effect("environment-blur", depth, plan_of(Backend::kMdi)));
}

TEST(SettingGuide, TellsOfEveryValueButOnAndOff) {
    for (const Setting& setting : settings_table()) {
        if (setting.kind != SettingKind::kChoice) continue;
        for (const std::string_view choice : setting.choices) {
            EXPECT_FALSE(choice_sentence(setting.name, choice).empty()) << setting.name << " " << choice;
        }
    }
}

TEST(SettingGuide, HasGroupsSideBySide) {
    const std::span<const Setting> all = settings_table();
    EXPECT_TRUE(std::ranges::is_sorted(all, {}, &Setting::group));
    EXPECT_TRUE(std::ranges::is_sorted(kSettingGroups));
}

TEST(SettingGuide, KnowsWhatARunLeavesWithoutEffect) {
    Settings settings;
    settings.frame.freeze_culling = 2;
    settings.frame.frustum = true;
    const FramePlan plan = plan_of(Backend::kCompact);
    for (const auto* name : {"freeze-culling", "frustum"}) {
        EXPECT_FALSE(no_effect(name, settings, plan)) << "no end is known";
        EXPECT_FALSE(no_effect(name, settings, plan, {.frames = 3}));
        EXPECT_NE(no_effect(name, settings, plan, {.frames = 2})->find("the last one is 1"), std::string::npos);
    }
    EXPECT_FALSE(no_effect("seed", settings, plan));
    EXPECT_TRUE(no_effect("seed", settings, plan, {.builtin_scene = false}));
    Settings scattered = settings;
    scattered.scene.lights_scatter = 1;
    EXPECT_FALSE(no_effect("seed", scattered, plan, {.builtin_scene = false}));
    EXPECT_FALSE(no_effect("joints", settings, plan));
    EXPECT_TRUE(no_effect("joints", settings, plan, {.joints = false}));
    for (const char* const name : {"lights", "light-budget"}) {
        EXPECT_FALSE(no_effect(name, settings, plan)) << name;
        EXPECT_TRUE(no_effect(name, settings, plan, {.lights = false})) << name;
    }
    EXPECT_TRUE(no_effect("camera", settings, plan, {.camera_path = true}));
    for (const char* name : {"animation", "time", "speed"}) {
        EXPECT_FALSE(no_effect(name, settings, plan)) << name;
        EXPECT_TRUE(no_effect(name, settings, plan, {.moves = false})) << name;
        Settings grid = settings;
        grid.scene.grid.count = glm::uvec3(2);
        EXPECT_TRUE(no_effect(name, grid, plan)) << name;
        EXPECT_FALSE(no_effect(name, grid, plan, {.deforms = true})) << name;
    }
    Settings none = settings;
    none.scene.animation = "none";
    EXPECT_TRUE(no_effect("time", none, plan));
    EXPECT_FALSE(no_effect("animation", none, plan));
    EXPECT_TRUE(no_effect("speed", settings, plan, {.one_moment = true}));
    EXPECT_FALSE(no_effect("time", settings, plan, {.one_moment = true}));
    EXPECT_TRUE(no_effect("tone", settings, plan, {.light_file = true}));
    EXPECT_FALSE(no_effect("tone", settings, plan));
    EXPECT_TRUE(no_effect("taa", settings, plan, {.light_file = true}));
    EXPECT_FALSE(no_effect("taa", settings, plan));
    EXPECT_FALSE(no_effect("ev", settings, plan, {.light_file = true}));
    EXPECT_FALSE(no_effect("pick-level", settings, plan));
    EXPECT_TRUE(no_effect("pick-level", settings, plan, {.clicks = false}));
    settings.frame.pick = glm::uvec2(1, 1);
    EXPECT_FALSE(no_effect("pick-level", settings, plan, {.clicks = false}));
}

}  // namespace
}  // namespace sublet::render
