#include "render/settings/settings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "app/setting_options.h"
#include "base/error.h"
#include "base/files.h"
#include "base/log.h"
#include "base/path_text.h"
#include "setting_values.h"
#include "temporary_folder.h"

namespace sublet::render {
namespace {

using test::good_values;
using test::other_value;

TEST(Settings, EveryOneRoundTrips) {
    for (const Setting& setting : settings_table()) {
        SCOPED_TRACE(setting.name);
        for (const auto& [value, expected] : good_values(setting)) {
            Settings settings;
            setting.set(settings, value);
            EXPECT_EQ(setting.get(settings), expected);
            Settings again;
            setting.set(again, setting.get(settings));
            EXPECT_EQ(setting.get(again), expected);
        }
    }
}

TEST(Settings, SettingOneChangesNoOther) {
    for (const Setting& setting : settings_table()) {
        const Settings defaults;
        Settings settings;
        setting.set(settings, other_value(setting));
        for (const Setting& other : settings_table()) {
            EXPECT_EQ(other.get(settings) == other.get(defaults), other.name != setting.name)
                << setting.name << " and " << other.name;
        }
    }
}

TEST(Settings, RejectsWhatIsNoValueAndKeepsTheOld) {
    const std::map<std::string, std::vector<std::string>> bad{
        {"without", {"meshlets", "draw-count,", "draw-count,nothing"}},
        {"grid", {"13", "13x13", "0x1x1", "1x1x1x1", "-1x2x3", "4096x4096x4096", "1x2x3 "}},
        {"grid-spacing", {"", "-1", "nan", "inf", "3m", "x", "-1x", "1xx", "1 x"}},
        {"camera",
         {"1,2,3", "0,0,0,0,0,0", "0,0,1,0,0,0,180", "0,0,1,0,0,0,0", "0,0,nan,0,0,0", "a,b,c,d,e,f",
          "1,2,3,4,5,6,7,inf", "1,2,3,4,5,6,7,", "1,2,3,4,5,6,7,8,9"}},
        {"near", {"0", "-1", "nan"}},
        {"compact-budget", {"0", "-1", "nan"}},
        {"light-budget", {"0", "-1", "nan"}},
        {"lights-scatter", {"", "-1", "1048577", "few"}},
        {"survivor-budget", {"0", "-1", "nan"}},
        {"deform-budget", {"0", "-1", "nan"}},
        {"image-limit", {"0", "-1", "nan"}},
        {"texture-budget", {"0", "-1", "nan", "many", "2e9"}},
        {"group-tiling", {"", "-1", "1.5", "65536"}},
        {"freeze-culling", {"-1", "1.5", "99999999999"}},
        {"seed", {"", "-1", "4294967296", "0x10"}},
        {"hiz-level", {"", "-1", "16"}},
        {"environment", {"hdr", ".png", "light.png", "light.hdr ", "light", "light.hdr,sky"}},
        {"sun", {"10", "91,0", "0,361", "nan,0", "10,20,30", "on", "10,inf"}},
        {"sun-strength", {"", "-0.1", "1001", "nan", "off"}},
        {"shadow-distance", {"", "-1", "nan", "far"}},
        {"shadow-budget", {"-1", "a lot", "nan"}},
        {"shadow-light-resolution", {"", "0", "300", "2048"}},
        {"shadow-lod-bias", {"", "11", "-11", "nan"}},
        {"shadow-resolution", {"", "0", "1000", "2048.0"}},
        {"environment-turn", {"", "361", "-361", "nan", "90deg"}},
        {"environment-blur", {"", "-0.1", "1.1", "nan"}},
        {"ev", {"", "31", "-31", "nan", "bright"}},
        {"time", {"", "soon", "nan", "inf", "1s", "1e999"}},
        {"speed", {"", "fast", "nan", "1001", "-1001"}},
        {"pick", {"1", "1,", ",1", "1,2,3", "-1,0", "1.5,2", "a,b"}},
    };
    for (const Setting& setting : settings_table()) {
        const std::string name(setting.name);
        std::vector<std::string> values;
        if (const auto found = bad.find(name); found != bad.end()) values = found->second;
        if (setting.kind != SettingKind::kText) values.emplace_back("nonsense");
        if (!setting.choices.empty()) {
            for (const char* value : {"", "ON", " on"}) values.emplace_back(value);
            values.push_back(std::string(setting.choices[0]) + " ");
        }
        for (const std::string& value : values) {
            SCOPED_TRACE(name + " = '" + value + "'");
            Settings settings;
            const std::string before = setting.get(settings);
            const std::string message = test::message_of<Error>([&] { setting.set(settings, value); });
            EXPECT_NE(message.find("--" + name), std::string::npos) << message;
            EXPECT_EQ(setting.get(settings), before);
        }
    }
}

// A relative name would mean another file in a preset, or in a command line that is run elsewhere.
TEST(Settings, AnEnvironmentsFileIsAbsolute) {
    Settings settings;
    find_setting("environment")->set(settings, "a folder/light.EXR");
    EXPECT_EQ(find_setting("environment")->get(settings), path_text(absolute_path("a folder/light.EXR")));
}

TEST(Settings, NamesAndLabelsAreUniqueAndExplained) {
    std::set<std::string_view> names;
    std::set<std::string_view> labels;
    for (const Setting& setting : settings_table()) {
        EXPECT_TRUE(names.insert(setting.name).second) << setting.name;
        EXPECT_TRUE(labels.insert(setting.label).second) << setting.label;
        EXPECT_GT(setting.help.size(), 10U) << setting.name;
        EXPECT_EQ(find_setting(setting.name), &setting);
        const bool lists = setting.kind == SettingKind::kSwitch || setting.kind == SettingKind::kChoice;
        EXPECT_EQ(lists, !setting.choices.empty()) << setting.name;
        for (const std::string_view choice : setting.choices) {
            Settings settings;
            setting.set(settings, choice);
            EXPECT_EQ(setting.get(settings), choice);
        }
    }
    EXPECT_EQ(find_setting("no-such-setting"), nullptr);
}

TEST(Settings, JsonHasEverySettingUnderItsName) {
    Settings settings;
    settings.scene.grid.spacing = 2.5F;
    settings.frame.cull_cone = false;
    const app::Json json = app::settings_json(settings);
    EXPECT_EQ(json.size(), settings_table().size());
    for (const Setting& setting : settings_table()) EXPECT_TRUE(json.contains(setting.name)) << setting.name;
    EXPECT_EQ(json["grid-spacing"], 2.5);
    settings.scene.grid.in_sizes = true;
    EXPECT_EQ(app::settings_json(settings)["grid-spacing"], "2.5x") << "a text where it has a unit";
    EXPECT_EQ(json["cull-cone"], "off");
    EXPECT_EQ(json["backend"], "auto");
    EXPECT_TRUE(json["camera"].is_null());
    EXPECT_TRUE(json["freeze-culling"].is_null());
    EXPECT_EQ(json["seed"], 1);
}

TEST(Settings, AScopesKeyChangesWithItsSettingsAlone) {
    for (const Setting& setting : settings_table()) {
        const Settings defaults;
        Settings settings;
        setting.set(settings, other_value(setting));
        for (const auto scope : {SettingScope::kDevice, SettingScope::kScene, SettingScope::kFrame}) {
            EXPECT_EQ(app::scope_key(settings, scope) != app::scope_key(defaults, scope), setting.scope == scope)
                << setting.name;
        }
    }
}

// A name that scripts and kept files may still give.
TEST(Mdi, WithoutSubletCullingHadAnotherName) {
    std::vector<std::string> notes;
    const LogSink before = set_log_sink([&](LogLevel, std::string_view line) { notes.emplace_back(line); });
    const Setting& backend = *find_setting("backend");
    Settings settings;
    for (int i = 0; i < 2; ++i) backend.set(settings, "mdi-meshlets");
    set_log_sink(before);
    EXPECT_EQ(backend.get(settings), "mdi");
    EXPECT_FALSE(settings.frame.cull_sublets);
    ASSERT_EQ(notes.size(), 1U);
    EXPECT_NE(notes[0].find("--cull-sublets off"), std::string::npos) << notes[0];
    const std::string message = test::message_of<Error>([&] { backend.set(settings, "mdi-meshlet"); });
    EXPECT_EQ(message.find("mdi-meshlets"), std::string::npos) << message;
    EXPECT_EQ(std::ranges::count(backend.choices, "mdi-meshlets"), 0);
}

}  // namespace
}  // namespace sublet::render
