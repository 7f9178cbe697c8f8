#include "app/view/animation_panel.h"

#include <gtest/gtest.h>

namespace sublet::app {
namespace {

using Numbers = std::vector<std::size_t>;

TEST(AnimationPanel, AClickPlaysOneAndATickJoins) {
    const std::vector<char> chosen{1, 0, 1};
    const auto after = [&](const AnimationRequest::Choice& choice) { return chosen_after(choice, chosen); };
    EXPECT_EQ(after({1, true, true}), (Numbers{1})) << "a click on a name";
    EXPECT_EQ(after({0, true, true}), (Numbers{0})) << "on one that plays, too";
    EXPECT_EQ(after({1, true}), (Numbers{0, 1, 2}));
    EXPECT_EQ(after({2, false}), (Numbers{0}));
    EXPECT_EQ(after({{}, true, true}), (Numbers{0, 1, 2})) << "all";
    EXPECT_EQ(after({{}, false}), (Numbers{}));
}

TEST(AnimationPanel, MarksWhatPlaysOrIsSelected) {
    using Row = std::optional<std::optional<std::size_t>>;
    const Row all = std::optional<std::size_t>();
    const auto marked = [](std::vector<char> chosen, std::optional<std::size_t> selected = {}) {
        return marked_row(chosen, selected);
    };
    EXPECT_EQ(marked({1, 0, 0}), Row(0)) << "the first, with which a scene starts";
    EXPECT_EQ(marked({0, 0, 1}), Row(2));
    EXPECT_EQ(marked({1, 1, 1}), all);
    EXPECT_EQ(marked({1, 0, 1}), std::nullopt);
    EXPECT_EQ(marked({0, 0}), std::nullopt);
    EXPECT_EQ(marked({1}), Row(0)) << "there is no row of all";
    EXPECT_EQ(marked({1, 1, 1}, 1), Row(1));
}

}  // namespace
}  // namespace sublet::app
