// Values of settings that are more than a number or a name, as text and back. Each parse function takes what its text
// function writes; it throws Error, which names the setting and what it wants, for anything else.
#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "render/settings/settings.h"

namespace sublet::render {

// --without: names of device features, with commas between them.
[[nodiscard]] std::vector<std::string> parse_without(std::string_view value);
[[nodiscard]] std::string without_text(const std::vector<std::string>& names);

// --grid: counts like 13x13x13; nothing for no grid, which is zeros.
[[nodiscard]] glm::uvec3 parse_grid(std::string_view value);
[[nodiscard]] std::string grid_text(const glm::uvec3& grid);

// --pick: X,Y; nothing for no pixel.
[[nodiscard]] std::optional<glm::uvec2> parse_pixel(std::string_view value);
[[nodiscard]] std::string pixel_text(const std::optional<glm::uvec2>& pixel);

// --sun: ELEVATION,AZIMUTH in degrees, or off; nothing for the default.
[[nodiscard]] std::optional<Sun> parse_sun(std::string_view value);
[[nodiscard]] std::string sun_text(const std::optional<Sun>& sun);

// --ev: stops; nothing for auto.
[[nodiscard]] std::optional<float> parse_ev(std::string_view value);

// --lod-error: pixels; nothing for auto.
[[nodiscard]] std::optional<float> parse_lod_error(std::string_view value);

// Sizes in MiB, of the setting `name`, as bytes; nothing for 0, the default.
[[nodiscard]] std::uint64_t parse_mebibytes(std::string_view name, std::string_view value);
[[nodiscard]] std::string mebibytes_text(std::uint64_t bytes);

}  // namespace sublet::render
