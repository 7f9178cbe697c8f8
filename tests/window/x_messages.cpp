// First: X11's headers define macros that others trip over.
#include "virtual_display.h"

#include <X11/Xatom.h>
#include <X11/Xlib.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <memory>
#include <optional>
#include <thread>

namespace sublet::test {
namespace {

constexpr long kVersion = 5;

struct CloseDisplay {
    void operator()(Display* display) const { XCloseDisplay(display); }
};

// One drag, from the source's side: https://www.freedesktop.org/wiki/Specifications/XDND/
class Drag {
  public:
    Drag(Display* display, Window target, std::string path)
        : display_(display), target_(target), uri_("file://" + std::move(path) + "\r\n") {
        source_ = XCreateSimpleWindow(display_, DefaultRootWindow(display_), 0, 0, 1, 1, 0, 0, 0);
        XSetSelectionOwner(display_, atom("XdndSelection"), source_, CurrentTime);
    }
    ~Drag() { XDestroyWindow(display_, source_); }
    Drag(const Drag&) = delete;
    Drag& operator=(const Drag&) = delete;

    bool drop() {
        enter();
        const std::optional<long> status = answer("XdndStatus");
        if (!status || (*status & 1) == 0) return false;
        send("XdndDrop", {static_cast<long>(source_), 0, CurrentTime, 0, 0});
        const std::optional<long> finished = answer("XdndFinished");
        return finished && *finished != 0;  // GLFW says how many bytes it took, not just that it did
    }

    // Comes over the target, and waits for nothing.
    void enter() {
        send("XdndEnter", {static_cast<long>(source_), kVersion << 24, static_cast<long>(atom("text/uri-list")), 0, 0});
        send("XdndPosition", {static_cast<long>(source_), 0, (400L << 16) | 300L, CurrentTime,
                              static_cast<long>(atom("XdndActionCopy"))});
    }

  private:
    Atom atom(const char* name) const { return XInternAtom(display_, name, False); }

    void send(const char* type, const std::array<long, 5>& data) {
        XEvent event{};
        event.xclient.type = ClientMessage;
        event.xclient.display = display_;
        event.xclient.window = target_;
        event.xclient.message_type = atom(type);
        event.xclient.format = 32;
        std::copy(data.begin(), data.end(), event.xclient.data.l);
        XSendEvent(display_, target_, False, NoEventMask, &event);
        XFlush(display_);
    }

    // Waits for the target's message of this type, giving it what it asks for meanwhile; the message's flags.
    std::optional<long> answer(const char* type) {
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
        while (std::chrono::steady_clock::now() < deadline) {
            if (XPending(display_) == 0) {
                std::this_thread::sleep_for(std::chrono::milliseconds(10));
                continue;
            }
            XEvent event{};
            XNextEvent(display_, &event);
            if (event.type == SelectionRequest) give(event.xselectionrequest);
            if (event.type == ClientMessage && event.xclient.message_type == atom(type)) return event.xclient.data.l[1];
        }
        return std::nullopt;
    }

    void give(const XSelectionRequestEvent& request) {
        XChangeProperty(display_, request.requestor, request.property, request.target, 8, PropModeReplace,
                        reinterpret_cast<const unsigned char*>(uri_.data()), static_cast<int>(uri_.size()));
        XEvent event{};
        event.xselection.type = SelectionNotify;
        event.xselection.display = display_;
        event.xselection.requestor = request.requestor;
        event.xselection.selection = request.selection;
        event.xselection.target = request.target;
        event.xselection.property = request.property;
        event.xselection.time = request.time;
        XSendEvent(display_, request.requestor, False, NoEventMask, &event);
        XFlush(display_);
    }

    Display* display_;
    Window target_;
    Window source_;
    std::string uri_;
};

}  // namespace

std::string clipboard_text(const std::string& display_name) {
    const std::unique_ptr<Display, CloseDisplay> owned(XOpenDisplay(display_name.c_str()));
    Display* const display = owned.get();
    if (display == nullptr) return {};
    const Window window = XCreateSimpleWindow(display, DefaultRootWindow(display), 0, 0, 1, 1, 0, 0, 0);
    const Atom text = XInternAtom(display, "UTF8_STRING", False);
    const Atom place = XInternAtom(display, "SUBLET_PASTED", False);
    XConvertSelection(display, XInternAtom(display, "CLIPBOARD", False), text, place, window, CurrentTime);
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (std::chrono::steady_clock::now() < deadline) {
        if (XPending(display) == 0) {
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
            continue;
        }
        XEvent event{};
        XNextEvent(display, &event);
        if (event.type != SelectionNotify) continue;
        if (event.xselection.property == None) return {};
        Atom type = None;
        int bits = 0;
        unsigned long count = 0;
        unsigned long left = 0;
        unsigned char* bytes = nullptr;
        XGetWindowProperty(display, window, place, 0, 1 << 16, True, text, &type, &bits, &count, &left, &bytes);
        std::string pasted = bytes == nullptr ? "" : std::string(reinterpret_cast<const char*>(bytes), count);
        XFree(bytes);
        return pasted;
    }
    return {};
}

bool ask_to_close(const std::string& display_name, const std::string& window) {
    const std::unique_ptr<Display, CloseDisplay> display(XOpenDisplay(display_name.c_str()));
    if (!display) return false;
    XEvent event{};
    event.xclient.type = ClientMessage;
    event.xclient.display = display.get();
    event.xclient.window = std::stoul(window);
    event.xclient.message_type = XInternAtom(display.get(), "WM_PROTOCOLS", False);
    event.xclient.format = 32;
    event.xclient.data.l[0] = static_cast<long>(XInternAtom(display.get(), "WM_DELETE_WINDOW", False));
    event.xclient.data.l[1] = CurrentTime;
    return XSendEvent(display.get(), event.xclient.window, False, NoEventMask, &event) != 0;
}

bool drop_file(const std::string& display_name, const std::string& window, const std::string& path) {
    const std::unique_ptr<Display, CloseDisplay> display(XOpenDisplay(display_name.c_str()));
    return display && Drag(display.get(), std::stoul(window), path).drop();
}

bool drag_and_end(const std::string& display_name, const std::string& window) {
    const std::unique_ptr<Display, CloseDisplay> display(XOpenDisplay(display_name.c_str()));
    if (!display) return false;
    Drag(display.get(), std::stoul(window), "/nothing").enter();
    return true;
}

}  // namespace sublet::test
