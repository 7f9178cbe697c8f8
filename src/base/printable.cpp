#include "base/printable.h"

#include <cstddef>

namespace sublet {
namespace {

void append_escape(std::string& out, unsigned code) {
    constexpr const char* kDigits = "0123456789ABCDEF";
    switch (code) {
        case '\t':
            out += "\\t";
            break;
        case '\n':
            out += "\\n";
            break;
        case '\r':
            out += "\\r";
            break;
        default:
            out += "\\x";
            out += kDigits[code >> 4U];
            out += kDigits[code & 0xFU];
    }
}

}  // namespace

std::string printable(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    for (std::size_t i = 0; i < text.size(); ++i) {
        // U+0080 to U+009F, which are two bytes in UTF-8, are control characters as well.
        const bool second = byte(i) == 0xC2 && i + 1 < text.size() && byte(i + 1) >= 0x80 && byte(i + 1) < 0xA0;
        if (second) {
            append_escape(out, byte(++i));
        } else if (byte(i) < 0x20 || byte(i) == 0x7F) {
            append_escape(out, byte(i));
        } else {
            out += text[i];
        }
    }
    return out;
}

}  // namespace sublet
