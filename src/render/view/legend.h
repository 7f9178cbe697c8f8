// What the colours of a view mean.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "render/settings/settings.h"

namespace sublet::render {

struct LegendEntry {
    std::string_view name;
    std::array<std::uint8_t, 3> color;  // red, green, blue, as the picture has them (sRGB)
};

struct Legend {
    std::string_view text;             // view_help()
    std::vector<LegendEntry> entries;  // none where a colour has no name
};

[[nodiscard]] Legend legend_of(Show show);

}  // namespace sublet::render
