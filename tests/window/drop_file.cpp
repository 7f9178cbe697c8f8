// drop_file DISPLAY WINDOW PATH: drops a file on a window, as a file manager would. For scripts/soak.sh: xdotool has no
// drag and drop. `close` in place of PATH asks the window to close. PATH is written as in a URI.
#include <cstring>

#include "virtual_display.h"

int main(int argc, char** argv) {
    if (argc != 4) return 2;
    const bool closes = std::strcmp(argv[3], "close") == 0;
    const bool taken =
        closes ? sublet::test::ask_to_close(argv[1], argv[2]) : sublet::test::drop_file(argv[1], argv[2], argv[3]);
    return taken ? 0 : 1;
}
