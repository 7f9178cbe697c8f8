#include "app/view/help.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "render/settings/settings.h"

namespace sublet::app {
namespace {

TEST(Help, NamesEachViewBesideItsKey) {
    const auto& views = render::find_setting("view")->choices;
    ASSERT_GT(views.size(), 20U) << "the last has no key";
    std::string plain, shifted;
    for (const KeyHelpGroup& group : key_help()) {
        for (const KeyHelp& key : group.keys) {
            if (key.keys == "1 … 9, 0") plain = key.action;
            if (key.keys == "Shift+1 … 9, 0") shifted = key.action;
        }
    }
    EXPECT_TRUE(plain.starts_with("shaded, meshlets, ")) << plain;
    EXPECT_TRUE(plain.ends_with(", hiz")) << plain;
    EXPECT_TRUE(shifted.starts_with("phase, ")) << shifted;
    for (std::size_t i = 0; i < views.size(); ++i) {
        const std::string& row = i < 10 ? plain : shifted;
        EXPECT_EQ((", " + row + ",").find(", " + std::string(views[i]) + ",") != std::string::npos, i < 20) << views[i];
    }
}

TEST(Help, TwentyViewsHaveKeys) {
    EXPECT_EQ(view_key(0), "1");
    EXPECT_EQ(view_key(8), "9");
    EXPECT_EQ(view_key(9), "0");
    EXPECT_EQ(view_key(10), "Shift+1");
    EXPECT_EQ(view_key(19), "Shift+0");
    EXPECT_EQ(view_key(20), "");
    std::set<std::string> keys;
    for (std::size_t i = 0; i < 20; ++i) keys.insert(view_key(i));
    EXPECT_EQ(keys.size(), 20U);
}

TEST(Help, SaysSomethingOfEachKey) {
    for (const KeyHelpGroup& group : key_help()) {
        EXPECT_FALSE(group.title.empty());
        for (const KeyHelp& key : group.keys) {
            EXPECT_FALSE(key.keys.empty());
            EXPECT_FALSE(key.action.empty()) << key.keys;
        }
    }
}

}  // namespace
}  // namespace sublet::app
