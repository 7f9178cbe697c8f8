// Values to try each setting with.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/files.h"
#include "base/path_text.h"
#include "render/settings/settings.h"

namespace sublet::test {

using Values = std::vector<std::pair<std::string, std::string>>;

// For a setting, values as the command line takes them, and as it would write them back; at least one is not the
// default.
inline Values good_values(const render::Setting& setting) {
    static const std::map<std::string, Values> values{
        {"device", {{"1", "1"}, {"llvm", "llvm"}, {"", ""}}},
        {"without", {{"draw-count", "draw-count"}, {"mesh-shader,multi-draw", "mesh-shader,multi-draw"}, {"", ""}}},
        {"grid", {{"13x1x2", "13x1x2"}, {"", ""}}},
        {"grid-spacing", {{"0.25", "0.25"}, {"0", "0"}, {"1e3", "1000"}, {"1.2x", "1.2x"}, {"1e1x", "10x"}}},
        {"camera",
         {{"1,2.5,-3,0,0,0", "1,2.5,-3,0,0,0,45"},
          {"0,0,30,0,0,0,60.5", "0,0,30,0,0,0,60.5"},
          {"", ""},
          {"0,0,30,0,0,0,60,-12.5", "0,0,30,0,0,0,60,-12.5"},
          {"0,0,30,0,0,0,60,0", "0,0,30,0,0,0,60"}}},
        {"near", {{"0.125", "0.125"}, {"", ""}}},
        {"compact-budget", {{"16", "16"}, {"0.5", "0.5"}, {"", ""}}},
        {"light-budget", {{"16", "16"}, {"0.5", "0.5"}, {"", ""}}},
        {"lights-scatter", {{"0", "0"}, {"10000", "10000"}, {"1048576", "1048576"}}},
        {"survivor-budget", {{"16", "16"}, {"0.5", "0.5"}, {"", ""}}},
        {"deform-budget", {{"16", "16"}, {"0.5", "0.5"}, {"", ""}}},
        {"image-limit", {{"64", "64"}, {"0.5", "0.5"}, {"", ""}}},
        {"texture-budget", {{"512", "512"}, {"0.25", "0.25"}, {"", ""}}},
        {"group-tiling", {{"0", "0"}, {"16", "16"}, {"65535", "65535"}}},
        {"freeze-culling", {{"0", "0"}, {"17", "17"}, {"off", ""}, {"", ""}}},
        {"hide", {{"wheel", "wheel"}, {"3,7-12", "3,7-12"}, {"", ""}}},
        {"isolate", {{"wheel", "wheel"}, {"3,7-12", "3,7-12"}, {"", ""}}},
        {"variant", {{"midnight", "midnight"}, {"two words", "two words"}, {"", ""}}},
        {"animation", {{"walk", "walk"}, {"two words", "two words"}, {"2", "2"}, {"none", "none"}, {"", "all"}}},
        {"time", {{"1.5", "1.5"}, {"-3", "-3"}, {"1e9", "1e+09"}, {"0", "0"}}},
        {"speed", {{"0.5", "0.5"}, {"-2", "-2"}, {"1000", "1000"}}},
        {"seed", {{"0", "0"}, {"4294967295", "4294967295"}}},
        {"sun", {{"10,-20.5", "10,-20.5"}, {"off", "off"}, {"-90,360", "-90,360"}, {"", ""}}},
        {"sun-strength", {{"2.5", "2.5"}, {"0", "0"}, {"1000", "1000"}}},
        {"environment-turn", {{"-90.5", "-90.5"}, {"0", "0"}, {"360", "360"}}},
        {"environment-blur", {{"0.25", "0.25"}, {"0", "0"}, {"1", "1"}}},
        {"ev", {{"1.5", "1.5"}, {"-30", "-30"}, {"0", "0"}, {"auto", "auto"}}},
        {"pick", {{"0,0", "0,0"}, {"640,359", "640,359"}, {"", ""}}},
    };
    if (!setting.choices.empty()) {
        Values result;
        for (const std::string_view choice : setting.choices) result.emplace_back(choice, choice);
        for (const std::string_view extension : setting.extensions) {
            const std::string file = path_text(absolute_path("/a folder/picture" + std::string(extension)));
            result.emplace_back(file, file);
        }
        return result;
    }
    const auto found = values.find(std::string(setting.name));
    if (found == values.end() && setting.kind != render::SettingKind::kText) return {{"3", "3"}};
    if (found == values.end()) {
        ADD_FAILURE() << "give " << setting.name << " values to be tested with";
        return {};
    }
    return found->second;
}

// A value that is not the default.
inline std::string other_value(const render::Setting& setting) {
    for (const auto& [value, expected] : good_values(setting)) {
        if (expected != setting.get({})) return value;
    }
    ADD_FAILURE() << setting.name << " has no value but the default";
    return {};
}

}  // namespace sublet::test
