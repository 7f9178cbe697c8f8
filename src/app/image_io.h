// Picture files: 8-bit colour as PNG, light as OpenEXR, depth as OpenEXR or PFM. Files are written whole or not at all.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sublet::app {

// RGBA, 4 bytes a pixel, rows from the top.
struct ColorImage {
    std::uint32_t width = 0, height = 0;
    std::vector<std::uint8_t> rgba;
};

// Any PNG, as 8-bit RGBA. Throws Error when it is missing, no PNG, corrupt, or larger than 32,768 pixels a side.
[[nodiscard]] ColorImage read_png(const std::filesystem::path& path);

// `rgba` holds 4 * width * height bytes. `command` (UTF-8), unless it is empty, is kept in the file as the text
// "Command", which viewers of pictures show among its properties. Equal pictures with different texts are different
// files: `render` writes none.
void write_png(const std::filesystem::path& path, std::uint32_t width, std::uint32_t height,
               std::span<const std::uint8_t> rgba, std::string_view command = {});
// That text; nothing when the file has none. Throws Error when it is missing or no PNG.
[[nodiscard]] std::optional<std::string> read_png_command(const std::filesystem::path& path);

// `values` holds width * height floats, rows from the top; the file holds them to the bit.
// Grey PFM: rows from the bottom, little-endian.
void write_pfm(const std::filesystem::path& path, std::uint32_t width, std::uint32_t height,
               std::span<const float> values);
// OpenEXR with one 32-bit float channel, Z, or with `rgb` three of them for R, G and B: 3 * width * height floats then,
// those of a pixel side by side. Uncompressed scan lines; the file holds the floats to the bit.
void write_exr(const std::filesystem::path& path, std::uint32_t width, std::uint32_t height,
               std::span<const float> values, bool rgb = false);

// True for the ending of pictures of light, .exr, in any case.
[[nodiscard]] bool is_light_file(const std::filesystem::path& path);
// True for the endings that write_depth knows: .exr and .pfm, in any case.
[[nodiscard]] bool is_depth_file(const std::filesystem::path& path);
// As the file's ending says. Throws Error for an ending it does not know.
void write_depth(const std::filesystem::path& path, std::uint32_t width, std::uint32_t height,
                 std::span<const float> values);

}  // namespace sublet::app
