// Raw images as PNG, for files that know no raw ones.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sublet::scene {

// `rgba` has 4 * width * height bytes, rows from the top. Throws Error when it has not, or when memory runs out.
[[nodiscard]] std::vector<std::uint8_t> encode_png(std::uint32_t width, std::uint32_t height,
                                                   std::span<const std::uint8_t> rgba);

}  // namespace sublet::scene
