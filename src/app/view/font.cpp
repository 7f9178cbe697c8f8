#include "app/view/font.h"

#include <imgui.h>

#include <array>
#include <cstdint>

#include "gpu/embedded.h"

namespace sublet::app {

namespace {

// Generated (cmake/Embed.cmake).
constexpr std::uint32_t kFont[] =
#include "generated/font.inc"
    ;

constexpr std::array<ImWchar, 17> kGlyphs{
    0x0020, 0x024f,  // Latin
    0x0370, 0x03ff,  // Greek
    0x0400, 0x052f,  // Cyrillic
    0x1e00, 0x1eff,  // Latin with more accents
    0x2010, 0x2027,  // dashes, quotes, ellipsis
    0x20a0, 0x20bf,  // currencies
    0x2190, 0x21ff,  // arrows
    0x25a0, 0x25ff,  // shapes: play, pause, record
    0,
};

}  // namespace

std::span<const std::byte> font_file() {
    return std::as_bytes(gpu::unpack(kFont));
}

void add_font(ImFontAtlas& atlas, float pixels, float density) {
    ImFontConfig font;
    font.FontDataOwnedByAtlas = false;
    font.RasterizerDensity = density;
    font.OversampleH = 2;
    font.OversampleV = 1;
    const std::span<const std::byte> file = font_file();
    // ImGui only reads it.
    void* data = const_cast<std::byte*>(file.data());  // NOLINT(cppcoreguidelines-pro-type-const-cast)
    atlas.AddFontFromMemoryTTF(data, static_cast<int>(file.size()), pixels, &font, kGlyphs.data());
}

}  // namespace sublet::app
