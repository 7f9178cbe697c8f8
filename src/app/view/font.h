// The panels' font, which the executable carries.
#pragma once

#include <cstddef>
#include <span>

struct ImFontAtlas;

namespace sublet::app {

// A TrueType file: DejaVu Sans.
[[nodiscard]] std::span<const std::byte> font_file();

// Adds it, so many pixels high, with the letters of European scripts and the signs that the panels use. `density`: of
// the window (Window::density).
void add_font(ImFontAtlas& atlas, float pixels, float density);

}  // namespace sublet::app
