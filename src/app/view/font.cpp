#include "app/view/font.h"

// The assembler takes a file in as it is: an array in C++ of its bytes would take the compiler long.
#ifdef _WIN32
#define SUBLET_READ_ONLY ".section .rdata, \"dr\"\n"
#else
#define SUBLET_READ_ONLY ".section .rodata\n"
#endif
__asm__(SUBLET_READ_ONLY
        ".global sublet_font_begin\n"
        ".global sublet_font_end\n"
        ".balign 16\n"
        "sublet_font_begin:\n"
        ".incbin \"" SUBLET_FONT
        "\"\n"
        "sublet_font_end:\n"
        ".byte 0\n"
        ".text\n");

extern "C" const std::byte sublet_font_begin[];
extern "C" const std::byte sublet_font_end[];

namespace sublet::app {

std::span<const std::byte> font_file() {
    return {sublet_font_begin, sublet_font_end};
}

}  // namespace sublet::app
