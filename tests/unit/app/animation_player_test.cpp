#include "app/view/animation_player.h"

#include <gtest/gtest.h>

#include <vector>

#include "app/commands.h"
#include "app/numbered_files.h"

namespace sublet::app {
namespace {

// At `time` after so many seconds.
double advanced(AnimationPlayer& player, double time, double seconds, double speed) {
    player.set_time(time);
    player.set_speed(speed);
    player.advance(seconds);
    return player.time();
}

TEST(AnimationPlayer, PlaysNothingWhereNothingMoves) {
    AnimationPlayer player;
    player.set_playing(true);
    EXPECT_FALSE(player.playing());
    EXPECT_EQ(advanced(player, 3.0, 1.0, 1.0), 3.0);
    EXPECT_EQ(player.place(), 0.0);
    player.set_length(2.0);
    player.set_playing(true);
    EXPECT_TRUE(player.playing());
    player.set_length(0.0);
    EXPECT_FALSE(player.playing()) << "another scene does not move";
}

TEST(AnimationPlayer, GoesOnForEverWhereItLoops) {
    AnimationPlayer player;
    player.set_length(2.0);
    EXPECT_EQ(advanced(player, 1.0, 5.0, 1.0), 1.0) << "it pauses";
    player.set_playing(true);
    EXPECT_EQ(advanced(player, 1.5, 1.0, 2.0), 3.5);
    EXPECT_EQ(player.place(), 1.5);
    EXPECT_EQ(advanced(player, 0.5, 1.0, -1.0), -0.5);
    EXPECT_EQ(player.place(), 1.5);
    EXPECT_TRUE(player.playing());
}

TEST(AnimationPlayer, StopsBeforeItsEndWhereItDoesNot) {
    AnimationPlayer player;
    player.set_length(2.0);
    player.set_loop(false);
    player.set_playing(true);
    EXPECT_EQ(advanced(player, 0.5, 1.0, 1.0), 1.5);
    const double end = advanced(player, 1.5, 1.0, 1.0);
    EXPECT_LT(end, 2.0);
    EXPECT_GT(end, 1.9999);
    EXPECT_FALSE(player.playing());
    player.set_playing(true);
    EXPECT_EQ(advanced(player, end, 0.25, 1.0), 0.25) << "from the start again";
    EXPECT_EQ(advanced(player, 0.25, 1.0, -1.0), 0.0) << "backwards it ends at the start";
    EXPECT_FALSE(player.playing());
    player.set_playing(true);
    EXPECT_NEAR(advanced(player, 0.0, 0.5, -1.0), 1.5, 1e-5);
    EXPECT_TRUE(player.playing());
    EXPECT_EQ(advanced(player, 1.0, 0.0, 1.0), 1.0);
    EXPECT_TRUE(player.playing()) << "no time has passed";
}

TEST(AnimationPlayers, EachHasATimeASpeedAndALoop) {
    AnimationPlayers players;
    EXPECT_FALSE(players.any());
    EXPECT_EQ(players.of({}), nullptr);
    players.take(0.5, 1.0);
    players.set_lengths(std::vector{2.0, 4.0, 0.0});
    EXPECT_TRUE(players.playing()) << "what comes plays";
    EXPECT_EQ(players.of({}), &players.all()[1]) << "the longest stands for all";
    EXPECT_EQ(players.of(2), nullptr) << "that one does not play";
    EXPECT_EQ(players.of(3), nullptr);
    players.change(0, [](AnimationPlayer& player) { player.set_speed(2.0); });
    EXPECT_TRUE(players.together());
    players.advance(1.0);
    EXPECT_FALSE(players.together());
    scene::AnimationTimes times = players.times();
    EXPECT_EQ(times.of(0), 2.5);
    EXPECT_EQ(times.of(1), 1.5);
    players.change(1, [](AnimationPlayer& player) { player.set_playing(false); });
    players.advance(1.0);
    EXPECT_EQ(players.times().of(0), 4.5);
    EXPECT_EQ(players.times().of(1), 1.5);
    players.change({}, [](AnimationPlayer& player) { player.set_playing(false); });
    EXPECT_FALSE(players.playing());
}

TEST(AnimationPlayers, SettingsNameOneTimeForAll) {
    AnimationPlayers players;
    players.take(0.25, 1.0);
    players.set_lengths(std::vector{2.0, 4.0});
    players.change(0, [](AnimationPlayer& player) { player.set_time(9.0); });
    double time = 0, speed = 0;
    players.tell(time, speed);
    EXPECT_EQ(time, 0.25) << "of the longest";
    players.take(time, speed);
    EXPECT_EQ(players.times().of(0), 9.0) << "nobody changed the setting";
    players.change(0, [](AnimationPlayer& player) { player.set_speed(-1.0); });
    players.take(3.0, speed);
    EXPECT_EQ(players.times().of(0), 3.0);
    EXPECT_EQ(players.times().of(1), 3.0);
    EXPECT_EQ(players.all()[0].speed(), -1.0);
    players.take(3.0, 2.0);
    EXPECT_EQ(players.all()[0].speed(), 2.0);
}

TEST(AnimationPlayer, PlaysOnFromWhereItWasHeld) {
    AnimationPlayer player;
    player.set_length(2.0);
    player.set_playing(true);
    player.set_held(true);
    player.set_time(1.5);
    player.advance(0.25);
    EXPECT_EQ(player.time(), 1.5);
    EXPECT_TRUE(player.playing());
    player.set_held(false);
    player.advance(0.25);
    EXPECT_EQ(player.time(), 1.75);
}

TEST(AnimationPlayers, OthersGoOnWhereOneIsAddedOrLeftOut) {
    AnimationPlayers players;
    players.set_lengths(std::vector{2.0, 0.0});
    players.change({}, [](AnimationPlayer& player) { player.set_playing(false); });
    players.set_lengths(std::vector{2.0, 1.0});
    EXPECT_FALSE(players.all()[0].playing()) << "it was paused";
    EXPECT_TRUE(players.all()[1].playing());
    players.advance(0.75);
    players.set_lengths(std::vector{2.0, 0.0});
    EXPECT_FALSE(players.playing());
    double time = 5, speed = 5;
    players.tell(time, speed);
    EXPECT_EQ(time, 0.0);
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
