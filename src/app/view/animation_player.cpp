#include "app/view/animation_player.h"

#include <algorithm>
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

void AnimationPlayer::advance(double seconds) {
    if (!playing_ || held_) return;
    if (loop_) {
        time_ += seconds * speed_;
        return;
    }
    const double last = length_ * (1.0 - kBeforeEnd);
    double from = place();
    if (speed_ > 0.0 && from >= last) from = 0.0;
    if (speed_ < 0.0 && from <= 0.0) from = last;
    const double to = from + seconds * speed_;
    if (!(to > 0.0 && to < last) && speed_ != 0.0 && to != from) playing_ = false;
    time_ = std::clamp(to, 0.0, last);
}

double AnimationPlayer::place() const {
    if (!(length_ > 0.0)) return 0.0;
    const double within = std::fmod(time_, length_);
    return within < 0.0 ? within + length_ : within;
}

void AnimationPlayers::set_lengths(std::span<const double> lengths) {
    AnimationPlayer another;
    another.set_time(time_);
    another.set_speed(speed_);
    all_.resize(lengths.size(), another);
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        const bool begins = !(all_[i].length() > 0.0);
        all_[i].set_length(lengths[i]);
        if (begins) all_[i].set_playing(true);
    }
}

bool AnimationPlayers::playing() const {
    return std::any_of(all_.begin(), all_.end(), [](const AnimationPlayer& player) { return player.playing(); });
}

const AnimationPlayer* AnimationPlayers::longest() const {
    const auto found =
        std::max_element(all_.begin(), all_.end(),
                         [](const AnimationPlayer& a, const AnimationPlayer& b) { return a.length() < b.length(); });
    return found == all_.end() || !(found->length() > 0.0) ? nullptr : &*found;
}

const AnimationPlayer* AnimationPlayers::of(std::optional<std::size_t> number) const {
    if (!number) return longest();
    return *number < all_.size() && all_[*number].length() > 0.0 ? &all_[*number] : nullptr;
}

void AnimationPlayers::take(double time, double speed) {
    for (AnimationPlayer& player : all_) {
        if (time != time_) player.set_time(time);
        if (speed != speed_) player.set_speed(speed);
    }
    time_ = time;
    speed_ = speed;
}

void AnimationPlayers::advance(double seconds) {
    for (AnimationPlayer& player : all_) player.advance(seconds);
}

void AnimationPlayers::tell(double& time, double& speed) {
    if (const AnimationPlayer* const told = longest()) {
        time_ = told->time();
        speed_ = told->speed();
    }
    time = time_;
    speed = speed_;
}

scene::AnimationTimes AnimationPlayers::times() const {
    scene::AnimationTimes out(time_);
    out.each.reserve(all_.size());
    for (const AnimationPlayer& player : all_) out.each.push_back(player.time());
    return out;
}

bool AnimationPlayers::together() const {
    return std::all_of(all_.begin(), all_.end(), [this](const AnimationPlayer& player) {
        return !(player.length() > 0.0) || player.time() == longest()->time();
    });
}

}  // namespace sublet::app
