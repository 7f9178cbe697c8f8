// The panels' font, which the executable carries.
#pragma once

#include <cstddef>
#include <span>

namespace sublet::app {

// A TrueType file: DejaVu Sans.
[[nodiscard]] std::span<const std::byte> font_file();

}  // namespace sublet::app
