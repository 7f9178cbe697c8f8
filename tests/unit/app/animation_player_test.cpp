#include "app/view/animation_player.h"

#include <gtest/gtest.h>

#include "app/commands.h"
#include "app/numbered_files.h"

namespace sublet::app {
namespace {

TEST(AnimationPlayer, PlaysNothingWhereNothingMoves) {
    AnimationPlayer player;
    player.set_playing(true);
    EXPECT_FALSE(player.playing());
    EXPECT_EQ(player.advance(3.0, 1.0, 1.0), 3.0);
    EXPECT_EQ(player.place(3.0), 0.0);
    player.set_length(2.0);
    player.set_playing(true);
    EXPECT_TRUE(player.playing());
    player.set_length(0.0);
    EXPECT_FALSE(player.playing()) << "another scene does not move";
}

TEST(AnimationPlayer, GoesOnForEverWhereItLoops) {
    AnimationPlayer player;
    player.set_length(2.0);
    EXPECT_EQ(player.advance(1.0, 5.0, 1.0), 1.0) << "it pauses";
    player.set_playing(true);
    EXPECT_EQ(player.advance(1.5, 1.0, 2.0), 3.5);
    EXPECT_EQ(player.advance(0.5, 1.0, -1.0), -0.5);
    EXPECT_EQ(player.place(3.5), 1.5);
    EXPECT_EQ(player.place(-0.5), 1.5);
    EXPECT_TRUE(player.playing());
}

TEST(AnimationPlayer, StopsBeforeItsEndWhereItDoesNot) {
    AnimationPlayer player;
    player.set_length(2.0);
    player.set_loop(false);
    player.set_playing(true);
    EXPECT_EQ(player.advance(0.5, 1.0, 1.0), 1.5);
    const double end = player.advance(1.5, 1.0, 1.0);
    EXPECT_LT(end, 2.0);
    EXPECT_GT(end, 1.9999);
    EXPECT_FALSE(player.playing());
    player.set_playing(true);
    EXPECT_EQ(player.advance(end, 0.25, 1.0), 0.25) << "from the start again";
    EXPECT_EQ(player.advance(0.25, 1.0, -1.0), 0.0) << "backwards it ends at the start";
    EXPECT_FALSE(player.playing());
    player.set_playing(true);
    EXPECT_NEAR(player.advance(0.0, 0.5, -1.0), 1.5, 1e-5);
    EXPECT_TRUE(player.playing());
    EXPECT_EQ(player.advance(1.0, 0.0, 1.0), 1.0);
    EXPECT_TRUE(player.playing()) << "no time has passed";
}

TEST(NumberedName, HasOneNumberOrNone) {
    EXPECT_EQ(NumberedName("-o", "a.png").of(7), "a.png");
    EXPECT_FALSE(NumberedName("-o", "a.png").numbered());
    EXPECT_TRUE(NumberedName("-o", "a%d.png").numbered());
    EXPECT_EQ(NumberedName("-o", "f/a%d.png").of(7), "f/a7.png");
    EXPECT_EQ(NumberedName("-o", "a-%04d.png").of(7), "a-0007.png");
    EXPECT_EQ(NumberedName("-o", "a-%04d.png").of(123456), "a-123456.png");
    for (const char* name : {"a%.png", "a%4d.png", "a%00d.png", "a%010d.png", "a%s.png", "a%d%d.png", "a%%.png", "a%",
                             "a%0", "a%04", "100%.png"}) {
        EXPECT_THROW(NumberedName("-o", name), UsageError) << name;
    }
}

}  // namespace
}  // namespace sublet::app
