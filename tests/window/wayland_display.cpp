#include "wayland_display.h"

#include <chrono>
#include <filesystem>
#include <thread>

namespace sublet::test {
namespace {

constexpr const char* kSocket = "sublet";

}  // namespace

WaylandDisplay WaylandDisplay::headless(int scale) {
    return {{"--backend=headless-backend.so", "--width=1280", "--height=800", "--scale=" + std::to_string(scale)}, {}};
}

WaylandDisplay WaylandDisplay::within(const VirtualDisplay& display) {
    // Smaller than that display, so that a pointer can come in from outside: only then does weston learn where it is.
    return {{"--backend=x11-backend.so", "--width=1240", "--height=780"}, {display.variable()}};
}

WaylandDisplay::WaylandDisplay(std::vector<std::string> options, std::vector<std::string> environment) {
    std::filesystem::permissions(folder_.path(), std::filesystem::perms::owner_all);
    options.insert(options.begin(), "weston");
    options.insert(options.end(), {"--no-config", "--use-pixman", "--idle-time=0", std::string("--socket=") + kSocket});
    environment.push_back("XDG_RUNTIME_DIR=" + folder_.path().string());
    compositor_ = std::make_unique<Process>(options, ProcessOptions{{}, environment, 600});
    for (int i = 0; i < 300 && !started_ && compositor_->running(); ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        started_ = std::filesystem::exists(folder_ / kSocket);
    }
}

std::vector<std::string> WaylandDisplay::environment() const {
    return {"XDG_RUNTIME_DIR=" + folder_.path().string(), std::string("WAYLAND_DISPLAY=") + kSocket, "DISPLAY",
            "XDG_SESSION_TYPE=wayland"};
}

}  // namespace sublet::test
