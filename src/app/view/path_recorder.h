// Camera paths out of what a user does: recorded by flying, or through poses that were kept.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "app/camera_path.h"

namespace sublet::app {

// Takes the camera of each frame, however long it took, and makes a path of few keys that runs along it.
class PathRecorder {
  public:
    void start();
    [[nodiscard]] bool recording() const { return recording_; }
    [[nodiscard]] double seconds() const { return now_ / kPathFramesPerSecond; }
    // The pose of a frame, so many seconds after the last one's. Stops by itself at a path's most frames.
    void add(const render::CameraPose& pose, double seconds);
    // The next pose was not reached by moving.
    void cut() { cut_ = true; }
    // Ends it. Empty of keys where nothing was added.
    [[nodiscard]] CameraPath finish();

  private:
    void sample_until(double frame, const render::CameraPose& to, double from);

    bool recording_ = false;
    bool cut_ = false;  // the pose to come
    bool cut_sample_ = false;
    double now_ = 0;  // in frames of the path
    std::optional<render::CameraPose> last_;
    std::vector<CameraKey> samples_;
};

// Fewer keys, through which the path comes near all of those that there are: eye and target within this share of the
// distance between them, angles as near as that in a picture. Ends and cuts stay.
[[nodiscard]] CameraPath simplified(const CameraPath& path, double tolerance);

// A key for each pose, so many seconds apart. `poses` has one at least.
[[nodiscard]] CameraPath path_through(std::span<const render::CameraPose> poses, double seconds);

}  // namespace sublet::app
