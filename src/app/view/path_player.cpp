#include "app/view/path_player.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sublet::app {

void PathPlayer::set_path(CameraPath path) {
    path_ = std::move(path);
    frame_ = 0;
    playing_ = false;
}

void PathPlayer::play() {
    playing_ = has_path();
    if (frame_ >= last_frame()) frame_ = 0;
}

void PathPlayer::scrub(double seconds) {
    frame_ = std::clamp(seconds * kPathFramesPerSecond, 0.0, last_frame());
}

std::optional<render::CameraPose> PathPlayer::advance(double seconds) {
    if (!playing_) return std::nullopt;
    frame_ += seconds * kPathFramesPerSecond;
    if (loop_) {
        frame_ = std::fmod(frame_, last_frame() + 1.0);  // the first frame follows the last
    } else if (frame_ >= last_frame()) {
        frame_ = last_frame();
        playing_ = false;
    }
    return pose();
}

}  // namespace sublet::app
