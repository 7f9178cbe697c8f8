// Plays a scene's animations in time, each by itself.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "scene/animation.h"

namespace sublet::app {

// One animation.
class AnimationPlayer {
  public:
    // In seconds. 0: it is not to play, or moves nothing.
    void set_length(double seconds);
    [[nodiscard]] double length() const { return length_; }

    void set_playing(bool playing) { playing_ = playing && length_ > 0.0; }
    [[nodiscard]] bool playing() const { return playing_; }
    // While it is held it stays where it is put, and plays on afterwards.
    void set_held(bool held) { held_ = held; }
    // Without it the animation stops just before its end, which is its start.
    void set_loop(bool loop) { loop_ = loop; }
    [[nodiscard]] bool loop() const { return loop_; }
    // Seconds of it in one of the clock's.
    void set_speed(double speed) { speed_ = speed; }
    [[nodiscard]] double speed() const { return speed_; }

    // Where it is: seconds, which may be any number of loops away.
    void set_time(double seconds) { time_ = seconds; }
    [[nodiscard]] double time() const { return time_; }
    // The same on a line from 0 to length().
    [[nodiscard]] double place() const;

    // So many seconds later. It stops at an end that it reaches, unless it loops; from there it plays on from the other
    // one.
    void advance(double seconds);

  private:
    double length_ = 0, time_ = 0, speed_ = 1;
    bool playing_ = false, held_ = false;
    bool loop_ = true;
};

// All that a scene has. The settings know one time and one speed for all: those of the longest that plays.
class AnimationPlayers {
  public:
    // Of each animation of the scene its length, or 0. One that had none before starts to play, those that there are go
    // on.
    void set_lengths(std::span<const double> lengths);

    [[nodiscard]] const std::vector<AnimationPlayer>& all() const { return all_; }
    // Whether there is one that can play, and whether one does.
    [[nodiscard]] bool any() const { return longest() != nullptr; }
    [[nodiscard]] bool playing() const;
    // What stands for the one of that number, or for all: the longest that can play. Null where none can.
    [[nodiscard]] const AnimationPlayer* of(std::optional<std::size_t> number) const;
    // Changes that one, or all that can play.
    template <typename Change>
    void change(std::optional<std::size_t> number, const Change& change) {
        for (std::size_t i = 0; i < all_.size(); ++i) {
            if (number.value_or(i) == i && all_[i].length() > 0.0) change(all_[i]);
        }
    }

    // The settings' time and speed: where they are not as tell() left them, they are those of all from now on.
    void take(double time, double speed);
    void advance(double seconds);
    void tell(double& time, double& speed);

    [[nodiscard]] scene::AnimationTimes times() const;
    // One time gives the same picture.
    [[nodiscard]] bool together() const;

  private:
    [[nodiscard]] const AnimationPlayer* longest() const;

    std::vector<AnimationPlayer> all_;  // by the animations' numbers
    double time_ = 0, speed_ = 1;       // as told
};

}  // namespace sublet::app
