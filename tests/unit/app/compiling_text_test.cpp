#include "app/view/compiling_text.h"

#include <gtest/gtest.h>

namespace sublet::app {
namespace {

TEST(CompilingText, SaysWhatIsSeenAndWhatIsLeft) {
    EXPECT_EQ(compiling_text(StandIn::kNone, {5, 21, "shade"}), "");
    EXPECT_EQ(compiling_text(StandIn::kPlainPicture, {5, 21, "shade"}),
              "plain picture: 5 of 21 pipelines are still being compiled: \"shade\"");
    EXPECT_EQ(compiling_text(StandIn::kSettingsBefore, {1, 2, "shade"}),
              "picture of the settings before: 1 of 2 pipelines is still being compiled: \"shade\"");
    EXPECT_EQ(compiling_text(StandIn::kPlainPicture, {}), "plain picture") << "all are there, for the next picture";
}

}  // namespace
}  // namespace sublet::app
