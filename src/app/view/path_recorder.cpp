#include "app/view/path_recorder.h"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>
#include <utility>

namespace sublet::app {

namespace {

constexpr double kSampleFrames = 2.0;  // of the path, from sample to sample
// Of the distance to the target: some two pixels of a picture of 1000.
constexpr double kTolerance = 2e-3;
// While nothing changes, frames may be seconds apart. What moves then has just begun.
constexpr double kLongestFrame = 0.1;

render::CameraPose between(const render::CameraPose& a, const render::CameraPose& b, float t) {
    return {glm::mix(a.eye, b.eye, t), glm::mix(a.target, b.target, t), glm::mix(a.fov_degrees, b.fov_degrees, t),
            glm::mix(a.roll_degrees, b.roll_degrees, t)};
}

// How far the path passes from a pose, as simplified() has it.
double deviation(const render::CameraPose& is, const render::CameraPose& should) {
    const double distance = glm::distance(should.eye, should.target);
    const double moved = std::max(glm::distance(is.eye, should.eye), glm::distance(is.target, should.target));
    const double turned =
        std::max(std::abs(is.fov_degrees - should.fov_degrees), std::abs(is.roll_degrees - should.roll_degrees));
    return std::max(moved / distance, glm::radians(turned));
}

}  // namespace

void PathRecorder::start() {
    *this = {};
    recording_ = true;
}

// Samples up to a frame, while the pose goes evenly from the last one, at `from`, to this.
void PathRecorder::sample_until(double frame, const render::CameraPose& to, double from) {
    while (true) {
        const double next = kSampleFrames * static_cast<double>(samples_.size());
        if (next > frame) return;
        const double t = frame > from ? (next - from) / (frame - from) : 1.0;
        samples_.push_back({next, between(*last_, to, static_cast<float>(t)), std::exchange(cut_sample_, false)});
    }
}

void PathRecorder::add(const render::CameraPose& pose, double seconds) {
    if (!recording_) return;
    if (!last_) {
        last_ = pose;
        samples_.push_back({0.0, pose, false});
        cut_ = false;
        return;
    }
    if (seconds > kLongestFrame) {
        const render::CameraPose still = *last_;
        const bool cut = std::exchange(cut_, false);
        add(still, seconds - kLongestFrame);
        cut_ = cut;
        seconds = kLongestFrame;
    }
    const double from = now_;
    now_ = std::min(now_ + seconds * kPathFramesPerSecond, static_cast<double>(kMostPathFrames - 1));
    if (cut_) {
        // Where it was until now; the sample after is another run's first.
        sample_until(now_, *last_, from);
        cut_sample_ = true;
        cut_ = false;
    } else {
        sample_until(now_, pose, from);
    }
    last_ = pose;
    if (now_ >= static_cast<double>(kMostPathFrames - 1)) recording_ = false;
}

CameraPath PathRecorder::finish() {
    recording_ = false;
    CameraPath path;
    if (!last_) return path;
    path.keys = std::move(samples_);
    const double last = std::floor(now_);
    if (last > path.keys.back().frame) path.keys.push_back({last, *last_, cut_sample_});
    path.frames = static_cast<std::uint32_t>(last) + 1;
    *this = {};
    return simplified(path, kTolerance);
}

CameraPath simplified(const CameraPath& path, double tolerance) {
    const std::vector<CameraKey>& all = path.keys;
    std::vector<bool> kept(all.size(), false);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const bool first = i == 0 || all[i].cut;
        const bool last = i + 1 == all.size() || all[i + 1].cut;
        kept[i] = first || last;
    }
    // Each round keeps the worst of what lies between two keys, until none is too far off.
    CameraPath result{path.frames, {}};
    bool more = true;
    while (more) {
        more = false;
        result.keys.clear();
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (kept[i]) result.keys.push_back(all[i]);
        }
        double worst = tolerance;
        std::size_t at = all.size();
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (!kept[i]) {
                const double off = deviation(pose_at(result, all[i].frame), all[i].pose);
                if (off <= worst) continue;
                worst = off;
                at = i;
            } else if (at != all.size()) {
                kept[at] = more = true;
                worst = tolerance;
                at = all.size();
            }
        }
    }
    return result;
}

CameraPath path_through(std::span<const render::CameraPose> poses, double seconds) {
    CameraPath path;
    const double step = std::max(1.0, std::round(seconds * kPathFramesPerSecond));
    for (const render::CameraPose& pose : poses) {
        path.keys.push_back({step * static_cast<double>(path.keys.size()), pose, false});
    }
    const double last = std::min(path.keys.back().frame, static_cast<double>(kMostPathFrames - 1));
    path.frames = static_cast<std::uint32_t>(last) + 1;
    return path;
}

}  // namespace sublet::app
