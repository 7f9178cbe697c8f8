// Plays a camera path in time: kPathFramesPerSecond of its frames a second.
#pragma once

#include <optional>

#include "app/camera_path.h"

namespace sublet::app {

class PathPlayer {
  public:
    // Another path, at its start, not playing; one without keys is none.
    void set_path(CameraPath path);
    [[nodiscard]] bool has_path() const { return !path_.keys.empty(); }
    [[nodiscard]] const CameraPath& path() const { return path_; }

    // From where it is; from the start where it is at the end.
    void play();
    void pause() { playing_ = false; }
    [[nodiscard]] bool playing() const { return playing_; }
    void set_loop(bool loop) { loop_ = loop; }
    [[nodiscard]] bool loop() const { return loop_; }
    void scrub(double seconds);
    [[nodiscard]] double seconds() const { return frame_ / kPathFramesPerSecond; }
    [[nodiscard]] double length_seconds() const { return last_frame() / kPathFramesPerSecond; }
    // Where it is. There must be a path.
    [[nodiscard]] render::CameraPose pose() const { return pose_at(path_, frame_); }
    // The pose to show after so many seconds; nothing while it does not play. It stops at its last frame, or loops.
    [[nodiscard]] std::optional<render::CameraPose> advance(double seconds);

  private:
    [[nodiscard]] double last_frame() const { return path_.frames > 0 ? path_.frames - 1.0 : 0.0; }

    CameraPath path_;
    double frame_ = 0;
    bool playing_ = false;
    bool loop_ = false;
};

}  // namespace sublet::app
