// What the panels keep from run to run. They are not drawn here.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "app/view/ui.h"

namespace sublet::app {
namespace {

Json restored(const Json& state) {
    Ui ui;
    ui.restore(state);
    return ui.state();
}

TEST(UiState, ComesBack) {
    const Json state{{"sides", {17.5, 30.25}},
                     {"hidden", true},
                     {"hint", false},
                     {"axes", false},
                     {"grid", true},
                     {"split", 0.25},
                     {"open", {{"0", true}, {"1234", true}, {"4294967295", false}}}};
    EXPECT_EQ(restored(state), state);
    EXPECT_EQ(restored(restored(state)), state);
}

TEST(UiState, WhatIsWrongInItIsLeftOut) {
    const Json usual = Ui().state();
    for (const char* const text :
         {"null", "3", "[]", R"("hidden")", R"({"hidden": 1, "hint": null, "sides": {}, "open": []})",
          R"({"sides": [1]})", R"({"sides": [1, 2, 3]})", R"({"sides": ["1", 2]})", R"({"open": {"a": true}})",
          R"({"open": {"": true, "-1": true, "+1": true, " 1": true, "1x": true, "4294967296": true, "1.0": true}})",
          R"({"open": {"1": "yes", "2": null, "3": [true]}})", R"({"unheard": "of"})"}) {
        EXPECT_EQ(restored(Json::parse(text)), usual) << text;
    }
}

TEST(UiState, NoPanelIsWiderThanAnyScreen) {
    for (const char* const text :
         {R"({"sides": [1e300, -1e300]})", R"({"sides": [18446744073709551615, -9223372036854775808]})",
          R"({"sides": [3.5e38, -0.0]})", R"({"sides": [1e-320, 201]})"}) {
        const Json sides = restored(Json::parse(text))["sides"];
        for (const Json& side : sides) {
            EXPECT_GE(side.get<double>(), 0.0) << text;
            EXPECT_LE(side.get<double>(), 200.0) << text;
        }
    }
}

// Any JSON, a few levels deep.
Json random_json(std::mt19937& random, int depth) {
    const std::vector<std::string> names{"sides", "hidden", "hint", "open", "7", "-7", "99999999999"};
    switch (random() % (depth > 0 ? 8 : 6)) {
        case 0:
            return nullptr;
        case 1:
            return random() % 2 == 0;
        case 2:
            return static_cast<std::int64_t>(random()) - static_cast<std::int64_t>(random());
        case 3:
            return (static_cast<double>(random()) - 2e9) * 1e290;
        case 4:
            return names[random() % names.size()];
        case 5:
            return UINT64_MAX;
        case 6: {
            Json list = Json::array();
            for (std::size_t i = random() % 4; i > 0; --i) list.push_back(random_json(random, depth - 1));
            return list;
        }
        default: {
            Json object = Json::object();
            for (std::size_t i = random() % 5; i > 0; --i) {
                object[names[random() % names.size()]] = random_json(random, depth - 1);
            }
            return object;
        }
    }
}

TEST(UiState, AnyJsonIsTakenOrLeft) {
    std::mt19937 random(5);
    int taken = 0;
    const Json usual = Ui().state();
    for (int i = 0; i < 20'000; ++i) {
        const Json any = random_json(random, 4);
        const Json once = restored(any);
        EXPECT_EQ(restored(once), once) << any;
        for (const Json& side : once["sides"]) {
            EXPECT_TRUE(side.get<double>() >= 0.0 && side.get<double>() <= 200.0) << any;
        }
        taken += once == usual ? 0 : 1;
    }
    EXPECT_GT(taken, 40);
}

}  // namespace
}  // namespace sublet::app
