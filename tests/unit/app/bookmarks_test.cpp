#include "app/view/bookmarks.h"

#include <gtest/gtest.h>

#include <string>

#include "base/error.h"
#include "temporary_folder.h"

namespace sublet::app {
namespace {

const Bookmark kGate{"the \"gate\"", {{1.1F, 2.2F, -3.3F}, {0.1F, 0.0F, 1e-7F}, 30.0F, -12.5F}};
const Bookmark kPlan{"", {{0.0F, 9.0F, 0.0F}, {0.0F, 0.0F, 0.0F}}, render::Projection::kOrthographic};

TEST(Bookmarks, HaveASlotForEachDigit) {
    Bookmarks bookmarks;
    for (int slot = 0; slot <= 10; ++slot) EXPECT_FALSE(bookmarks.at(slot));
    bookmarks.set(9, kGate);
    bookmarks.set(2, kPlan);
    bookmarks.set(0, kGate);
    bookmarks.set(10, kGate);
    EXPECT_EQ(bookmarks.at(9), kGate);
    EXPECT_EQ(bookmarks.poses(), (std::vector{kPlan.pose, kGate.pose})) << "in the order of their slots";
    bookmarks.set(9, kPlan);
    EXPECT_EQ(bookmarks.at(9), kPlan);
    bookmarks.set(9, {});
    EXPECT_EQ(bookmarks.poses().size(), 1U);
}

TEST(Bookmarks, AreReadAsTheyWereWritten) {
    Bookmarks bookmarks;
    EXPECT_EQ(Bookmarks::parse(bookmarks.text(), "b.json"), bookmarks);
    bookmarks.set(1, kGate);
    bookmarks.set(7, kPlan);
    EXPECT_EQ(Bookmarks::parse(bookmarks.text(), "b.json"), bookmarks) << bookmarks.text();
    Bookmark odd = kGate;
    odd.name = "\xff";
    bookmarks.set(1, odd);
    EXPECT_NO_THROW(static_cast<void>(Bookmarks::parse(bookmarks.text(), "b.json")));
}

TEST(Bookmarks, NameTheFieldThatIsWrong) {
    const std::string pose = R"("eye": [0,0,1], "target": [0,0,0])";
    const std::pair<std::string, const char*> bad[] = {
        {"", "JSON"},
        {"[]", "bookmarks"},
        {R"({"bookmarks": {}})", "bookmarks"},
        {R"({"bookmarks": [3]})", "bookmarks[0]"},
        {R"({"bookmarks": [{"slot": 1}]})", "bookmarks[0].eye"},
        {R"({"bookmarks": [{)" + pose + "}]}", "bookmarks[0].slot"},
        {R"({"bookmarks": [{"slot": 0, )" + pose + "}]}", "bookmarks[0].slot"},
        {R"({"bookmarks": [{"slot": "1", )" + pose + "}]}", "bookmarks[0].slot"},
        {R"({"bookmarks": [{"slot": 4294967297, )" + pose + "}]}", "bookmarks[0].slot"},
        {R"({"bookmarks": [{"slot": 1, "name": 3, )" + pose + "}]}", "bookmarks[0].name"},
        {R"({"bookmarks": [{"slot": 1, "projection": "wide", )" + pose + "}]}", "bookmarks[0].projection"},
    };
    for (const auto& [text, field] : bad) {
        SCOPED_TRACE(text);
        const std::string message =
            test::message_of<Error>([&text = text] { static_cast<void>(Bookmarks::parse(text, "b.json")); });
        EXPECT_EQ(message.find("b.json"), 0U) << message;
        EXPECT_NE(message.find(field), std::string::npos) << message;
    }
}

}  // namespace
}  // namespace sublet::app
