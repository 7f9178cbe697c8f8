// Errors that an X server reports.
#pragma once

namespace sublet::app {

// From now on the program goes on after errors about windows of other programs that have gone: one that dragged a file
// here, or asked for the clipboard, and then ended. Xlib's own answer to any error is to end the program. To be called
// where GLFW uses X11, after its start.
void outlive_windows_of_others();

}  // namespace sublet::app
