// Plays a scene's animations in time.
#pragma once

namespace sublet::app {

// It keeps no time of its own: that is a setting.
class AnimationPlayer {
  public:
    // Of the longest animation that plays, in seconds. 0: nothing moves.
    void set_length(double seconds);
    [[nodiscard]] double length() const { return length_; }

    void set_playing(bool playing) { playing_ = playing && length_ > 0.0; }
    [[nodiscard]] bool playing() const { return playing_; }
    // Without it the animations stop just before their end, which is their start.
    void set_loop(bool loop) { loop_ = loop; }
    [[nodiscard]] bool loop() const { return loop_; }

    // Where `time` is after so many seconds at this speed. It stops at an end that it reaches, unless it loops; from
    // there it plays on from the other one.
    [[nodiscard]] double advance(double time, double seconds, double speed);
    // The place of `time` on a line from 0 to length().
    [[nodiscard]] double place(double time) const;

  private:
    double length_ = 0;
    bool playing_ = false;
    bool loop_ = true;
};

}  // namespace sublet::app
