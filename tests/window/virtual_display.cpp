#include "virtual_display.h"

#include <chrono>
#include <sstream>
#include <thread>

namespace sublet::test {
namespace {

void pause(int milliseconds) {
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

}  // namespace

VirtualDisplay::VirtualDisplay() {
    ProcessOptions options;
    options.seconds = 600;
    server_ = std::make_unique<Process>(std::vector<std::string>{"Xvfb", "-displayfd", "1", "-screen", "0",
                                                                 "1280x800x24", "-nolisten", "tcp", "-noreset"},
                                        options);
    for (int i = 0; i < 300 && name_.empty() && server_->running(); ++i) {
        const std::string said = server_->out_so_far();
        if (said.find('\n') != std::string::npos) name_ = ":" + said.substr(0, said.find('\n'));
        pause(50);
    }
}

std::string VirtualDisplay::act(const std::vector<std::string>& arguments) const {
    std::vector<std::string> command{"xdotool"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return run(command, {.environment = {variable()}}).out;
}

std::string VirtualDisplay::wait_for_window(const std::string& title) const {
    for (int i = 0; i < 400; ++i) {
        std::istringstream ids(act({"search", "--onlyvisible", "--name", title}));
        std::string id;
        if (std::getline(ids, id) && !id.empty()) return id;
        pause(100);
    }
    return {};
}

void VirtualDisplay::click(const std::string& window, int x, int y) const {
    act({"mousemove", "--window", window, std::to_string(x), std::to_string(y)});
    pause(400);
    act({"mousedown", "1"});
    pause(400);
    act({"mouseup", "1"});
    pause(400);
}

void VirtualDisplay::drag(const std::string& window, int x0, int y0, int x1, int y1) const {
    act({"mousemove", "--window", window, std::to_string(x0), std::to_string(y0)});
    pause(300);
    act({"mousedown", "1"});
    pause(300);
    for (int i = 1; i <= 4; ++i) {
        act({"mousemove", "--window", window, std::to_string(x0 + (x1 - x0) * i / 4),
             std::to_string(y0 + (y1 - y0) * i / 4)});
        pause(150);
    }
    act({"mouseup", "1"});
    pause(300);
}

app::ColorImage VirtualDisplay::screenshot() const {
    const std::string file = (folder_ / "screen.png").string();
    run({"import", "-window", "root", file}, {.environment = {variable()}});
    return app::read_png(file);
}

}  // namespace sublet::test
