#include "app/view/x_errors.h"

#include "base/system.h"

namespace sublet::app {

namespace {

// Xlib's XErrorEvent. GLFW opens Xlib when it runs, and so does this: neither needs it where there is no X11. Its
// headers define macros that others trip over.
struct ErrorEvent {
    int type;
    void* display;
    unsigned long resource, serial;
    unsigned char error, request, minor;
};
using Handler = int (*)(void*, ErrorEvent*);

Handler before = nullptr;

int on_x_error(void* display, ErrorEvent* event) {
    constexpr unsigned char kBadWindow = 3;
    // The requests by which GLFW answers others: a property of their window is changed, deleted or read, or an event
    // is sent to it. Of its own window it asks much else.
    constexpr unsigned char kChangeProperty = 18;
    constexpr unsigned char kDeleteProperty = 19;
    constexpr unsigned char kGetProperty = 20;
    constexpr unsigned char kSendEvent = 25;
    const bool answers = event->request == kChangeProperty || event->request == kDeleteProperty ||
                         event->request == kGetProperty || event->request == kSendEvent;
    if (event->error == kBadWindow && answers) return 0;
    return before == nullptr ? 0 : before(display, event);
}

}  // namespace

void outlive_windows_of_others() {
    using SetHandler = Handler (*)(Handler);
    // The library stays open, as its handler stays set.
    const auto set = reinterpret_cast<SetHandler>(library_function("libX11.so.6", "XSetErrorHandler", true));
    if (set == nullptr) return;
    if (const Handler old = set(on_x_error); old != on_x_error) before = old;
}

}  // namespace sublet::app
