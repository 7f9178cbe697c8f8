// WebP files made by libwebp's encoder, for the tests that read them. There where the program is built with libwebp.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sublet::scene::testing {

struct WebpKind {
    bool lossless = false;
    bool alpha = false;  // else the texels' alpha is left out
};

// RGBA8 texels, rows from the top: a gradient, with alpha from 1 to 255.
std::vector<std::uint8_t> gradient(std::uint32_t width, std::uint32_t height);

// A WebP of these texels: 4 * width * height bytes. Lossless ones decode to the same bytes.
std::string webp_file(std::uint32_t width, std::uint32_t height, const std::vector<std::uint8_t>& rgba,
                      const WebpKind& kind);

}  // namespace sublet::scene::testing
