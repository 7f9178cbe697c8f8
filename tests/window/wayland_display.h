// A Wayland compositor without a screen: weston.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "process.h"
#include "temporary_folder.h"
#include "virtual_display.h"

namespace sublet::test {

class WaylandDisplay {
  public:
    // Has neither keyboard nor pointer: weston 10 offers nobody a way to play them there.
    static WaylandDisplay headless(int scale = 1);
    // All of it lies in a window that covers an X display: what is done there is done here.
    static WaylandDisplay within(const VirtualDisplay& display);

    [[nodiscard]] bool started() const { return started_; }
    // What a program needs in its environment to show itself there, and nowhere else.
    [[nodiscard]] std::vector<std::string> environment() const;

  private:
    WaylandDisplay(std::vector<std::string> options, std::vector<std::string> environment);

    TemporaryFolder folder_;
    std::unique_ptr<Process> compositor_;
    bool started_ = false;
};

}  // namespace sublet::test
