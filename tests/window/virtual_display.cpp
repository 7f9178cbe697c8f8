#include "virtual_display.h"

#include <X11/Xlib.h>
#include <X11/Xutil.h>

#include <chrono>
#include <cstring>
#include <sstream>
#include <thread>

namespace sublet::test {
namespace {

void pause(int milliseconds) {
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

struct CloseDisplay {
    void operator()(Display* display) const { XCloseDisplay(display); }
};

// By default Xlib ends the program at an error, as that a window is gone.
int ignore(Display* /*display*/, XErrorEvent* /*error*/) {
    return 0;
}

std::unique_ptr<Display, CloseDisplay> open(const VirtualDisplay& display) {
    XSetErrorHandler(ignore);
    return std::unique_ptr<Display, CloseDisplay>(XOpenDisplay(display.name().c_str()));
}

}  // namespace

VirtualDisplay::VirtualDisplay() {
    ProcessOptions options;
    options.seconds = 1200;
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
    settle(window);
    act({"mousedown", "1"});
    settle(window);
    act({"mouseup", "1"});
    settle(window);
}

void VirtualDisplay::drag(const std::string& window, int x0, int y0, int x1, int y1) const {
    act({"mousemove", "--window", window, std::to_string(x0), std::to_string(y0)});
    settle(window);
    act({"mousedown", "1"});
    settle(window);
    for (int i = 1; i <= 4; ++i) {
        act({"mousemove", "--window", window, std::to_string(x0 + (x1 - x0) * i / 4),
             std::to_string(y0 + (y1 - y0) * i / 4)});
        settle(window);
    }
    act({"mouseup", "1"});
    settle(window);
}

// A window manager's ping, which GLFW answers while it handles events: in the order in which they came.
bool VirtualDisplay::settle(const std::string& window) const {
    constexpr int kTurns = 4;  // ImGui takes a move and a click apart, and frames are in flight
    const auto display = open(*this);
    if (!display) return false;
    const Window root = DefaultRootWindow(display.get());
    XSelectInput(display.get(), root, SubstructureNotifyMask);
    const Atom ping = XInternAtom(display.get(), "_NET_WM_PING", False);
    XEvent event{};
    event.xclient.type = ClientMessage;
    event.xclient.window = std::stoul(window);
    event.xclient.message_type = XInternAtom(display.get(), "WM_PROTOCOLS", False);
    event.xclient.format = 32;
    event.xclient.data.l[0] = static_cast<long>(ping);
    event.xclient.data.l[2] = static_cast<long>(event.xclient.window);
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    for (long turn = 0; turn < kTurns; ++turn) {
        event.xclient.data.l[1] = turn;
        XSendEvent(display.get(), event.xclient.window, False, NoEventMask, &event);
        XFlush(display.get());
        for (bool answered = false; !answered;) {
            if (std::chrono::steady_clock::now() > deadline) return false;
            if (XPending(display.get()) == 0) {
                std::this_thread::sleep_for(std::chrono::milliseconds(5));
                continue;
            }
            XEvent answer{};
            XNextEvent(display.get(), &answer);
            answered = answer.type == ClientMessage && static_cast<Atom>(answer.xclient.data.l[0]) == ping &&
                       answer.xclient.data.l[1] == turn;
        }
    }
    return true;
}

app::ColorImage VirtualDisplay::screenshot() const {
    app::ColorImage out;
    const auto display = open(*this);
    if (!display) return out;
    const int screen = DefaultScreen(display.get());
    out.width = static_cast<std::uint32_t>(DisplayWidth(display.get(), screen));
    out.height = static_cast<std::uint32_t>(DisplayHeight(display.get(), screen));
    XImage* const image =
        XGetImage(display.get(), DefaultRootWindow(display.get()), 0, 0, out.width, out.height, AllPlanes, ZPixmap);
    if (image == nullptr) return {};
    out.rgba.resize(std::size_t{4} * out.width * out.height);
    for (std::uint32_t y = 0; y < out.height; ++y) {
        const char* const row = image->data + static_cast<std::size_t>(image->bytes_per_line) * y;
        for (std::uint32_t x = 0; x < out.width; ++x) {
            std::uint32_t pixel = 0;  // 0x00rrggbb
            std::memcpy(&pixel, row + std::size_t{4} * x, sizeof pixel);
            std::uint8_t* const to = &out.rgba[(std::size_t{y} * out.width + x) * 4];
            to[0] = static_cast<std::uint8_t>(pixel >> 16U);
            to[1] = static_cast<std::uint8_t>(pixel >> 8U);
            to[2] = static_cast<std::uint8_t>(pixel);
            to[3] = 255;
        }
    }
    XDestroyImage(image);
    return out;
}

}  // namespace sublet::test
