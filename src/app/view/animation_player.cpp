#include "app/view/animation_player.h"

#include <cmath>

namespace sublet::app {
namespace {

// So much before the end is the last moment that is not the start again, in any animation that floats time.
constexpr double kBeforeEnd = 1e-6;

}  // namespace

void AnimationPlayer::set_length(double seconds) {
    length_ = seconds;
    if (!(length_ > 0.0)) playing_ = false;
}

double AnimationPlayer::advance(double time, double seconds, double speed) {
    if (!playing_) return time;
    if (loop_) return time + seconds * speed;
    const double last = length_ * (1.0 - kBeforeEnd);
    double from = place(time);
    if (speed > 0.0 && from >= last) from = 0.0;
    if (speed < 0.0 && from <= 0.0) from = last;
    const double to = from + seconds * speed;
    if (to > 0.0 && to < last) return to;
    if (speed != 0.0 && to != from) playing_ = false;
    return to >= last ? last : 0.0;
}

double AnimationPlayer::place(double time) const {
    if (!(length_ > 0.0)) return 0.0;
    const double within = std::fmod(time, length_);
    return within < 0.0 ? within + length_ : within;
}

}  // namespace sublet::app
