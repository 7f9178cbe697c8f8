#pragma once

#include <cstdint>
#include <span>

namespace sublet::gpu {

// The words of a file that the program carries (cmake/Embed.cmake). They are unpacked when they are first asked for,
// with those of the files that they are packed with, and kept. Behind the file's end, up to a whole word, they are
// zero. What is no such file, as SPIR-V from elsewhere, is returned as it is. Throws Error on what is damaged.
[[nodiscard]] std::span<const std::uint32_t> unpack(std::span<const std::uint32_t> embedded);

}  // namespace sublet::gpu
