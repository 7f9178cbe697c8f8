// When the viewer draws a frame, and when it sleeps.
#pragma once

namespace sublet::app {

// Seconds between frames of a window that has not the keyboard, and of one in which only a cursor blinks.
inline constexpr double kSlowFrameSeconds = 0.2;
// And of one that shows how far work is, which wants the cores more.
inline constexpr double kTickSeconds = 0.05;

// Draws while something happens, and for a moment after it: results come back late, and tooltips wait. Then it sleeps.
class FramePacing {
  public:
    struct Situation {
        double now = 0;           // seconds, rising
        bool active = false;      // something was done since the last call, or what is shown changed
        bool animated = false;    // what is shown changes by itself
        bool ticks = false;       // it does so in steps, as a progress bar
        bool blinks = false;      // it does so slowly
        bool focused = true;      // the window has the keyboard
        bool full_speed = false;  // draw whatever happens
    };
    struct Decision {
        bool draw = true;
        double wait_seconds = 0;  // for something to happen; then ask again
    };
    // To be called in a loop; a frame is drawn where it says so.
    [[nodiscard]] Decision next(const Situation& situation);

  private:
    double settled_at_ = 0;
    double drawn_at_ = -1e9;
    int frames_left_ = 0;  // at least so many, however long each takes
};

}  // namespace sublet::app
