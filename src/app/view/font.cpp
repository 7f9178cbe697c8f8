#include "app/view/font.h"

// The assembler takes a file in as it is: an array in C++ of its bytes would take the compiler long.
#ifdef _WIN32
#define SUBLET_READ_ONLY ".section .rdata, \"dr\"\n"
#else
#define SUBLET_READ_ONLY ".section .rodata\n"
#endif
__asm__(SUBLET_READ_ONLY
        ".global kSubletFontBegin\n"
        ".global kSubletFontEnd\n"
        ".balign 16\n"
        "kSubletFontBegin:\n"
        ".incbin \"" SUBLET_FONT
        "\"\n"
        "kSubletFontEnd:\n"
        ".byte 0\n"
        ".text\n");

extern "C" const std::byte kSubletFontBegin[];
extern "C" const std::byte kSubletFontEnd[];

namespace sublet::app {

std::span<const std::byte> font_file() {
    return {kSubletFontBegin, kSubletFontEnd};
}

}  // namespace sublet::app
