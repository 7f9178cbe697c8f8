// A display without a screen, and hands to work on what is shown there.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/image_io.h"
#include "process.h"

namespace sublet::test {

class VirtualDisplay {
  public:
    // Starts Xvfb on a free display, 1280x800.
    VirtualDisplay();

    [[nodiscard]] const std::string& name() const { return name_; }  // ":7"; empty when it did not start
    // What a program needs in its environment to show itself there.
    [[nodiscard]] std::string variable() const { return "DISPLAY=" + name_; }

    // Runs xdotool; its stdout.
    std::string act(const std::vector<std::string>& arguments) const;
    // Waits until a window whose title holds `title` is shown; its id, or empty after a while.
    [[nodiscard]] std::string wait_for_window(const std::string& title) const;
    // Waits until the window has drawn a few frames with all that was done so far: what it answers to that is asked
    // for once in each turn of its loop. False when it does not answer.
    bool settle(const std::string& window) const;
    // Moves the pointer there in the window and clicks. It settles after each step.
    void click(const std::string& window, int x, int y) const;
    void drag(const std::string& window, int x0, int y0, int x1, int y1) const;
    [[nodiscard]] app::ColorImage screenshot() const;

  private:
    std::unique_ptr<Process> server_;
    std::string name_;
};

// Drops a file on a window, as a file manager would (the XDND protocol, version 5). False when the window did not take
// it.
bool drop_file(const std::string& display, const std::string& window, const std::string& path);

// Drags a file over a window, and ends before the window can answer. False: there is no such display.
bool drag_and_end(const std::string& display, const std::string& window);

// The text in the clipboard, as another program would paste it; empty when there is none.
std::string clipboard_text(const std::string& display);

// Asks a window to close, as a window manager does.
bool ask_to_close(const std::string& display, const std::string& window);

}  // namespace sublet::test
