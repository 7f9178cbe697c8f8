// Reads pictures of the light all around beside the window, while frames go on by the light there is.
#pragma once

#include <future>
#include <optional>
#include <string>

#include "render/settings/settings.h"

namespace sublet::app {

// What came of a request: an environment with its picture, or what was wrong with it.
struct LoadedEnvironment {
    render::EnvironmentSource source;
    std::string error;
};

// For one thread. Its end waits for a picture that is being read.
class EnvironmentLoader {
  public:
    // Reads the picture that these settings name, where that was not read yet; until it is there, the light stays what
    // it was before, as they name then. What was asked for earlier is not wanted any more. False: they need none.
    bool read_new(render::Settings& settings, const render::EnvironmentSource& before);
    // Cancels what is going on. Whether it ended within so many seconds.
    [[nodiscard]] bool stop_within(double seconds);
    // Whether something will come of take().
    [[nodiscard]] bool busy() const { return wanted_.has_value(); }
    // What was asked for last, once it is there. Never waits.
    [[nodiscard]] std::optional<LoadedEnvironment> take();

  private:
    void start();

    std::optional<render::Settings> wanted_;
    std::string reading_file_;  // of reading_, which may be of a picture that nobody wants any more
    std::future<LoadedEnvironment> reading_;
};

}  // namespace sublet::app
