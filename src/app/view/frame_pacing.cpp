#include "app/view/frame_pacing.h"

#include <algorithm>

namespace sublet::app {
namespace {

// Tooltips come after half of it.
constexpr double kSettleSeconds = 0.8;
// Two phases settle in two frames, a frame's results come back two later, the panels show them in the next.
constexpr int kSettleFrames = 8;
// Asleep it looks around once in a while all the same.
constexpr double kSleepSeconds = 1.0;

}  // namespace

FramePacing::Decision FramePacing::next(const Situation& situation) {
    if (situation.active) {
        settled_at_ = situation.now + kSettleSeconds;
        frames_left_ = kSettleFrames;
    }
    const bool settled = situation.now >= settled_at_ && frames_left_ == 0;
    const double since = situation.now - drawn_at_;
    Decision out;
    if (!situation.full_speed) {
        const bool fast = situation.focused && (situation.animated || !settled);
        const bool slow = situation.animated || situation.ticks || situation.blinks || !settled;
        const double interval = situation.ticks ? kTickSeconds : kSlowFrameSeconds;
        if (fast) {
            out.wait_seconds = 0;
        } else if (slow) {
            // A wait shorter than a millisecond would be a loop of them.
            out.wait_seconds = since > interval - 1e-3 ? 0.0 : interval - since;
        } else {
            out.wait_seconds = kSleepSeconds;
        }
        out.draw = out.wait_seconds == 0.0;
    }
    if (out.draw) {
        drawn_at_ = situation.now;
        frames_left_ = std::max(frames_left_ - 1, 0);
    }
    return out;
}

}  // namespace sublet::app
