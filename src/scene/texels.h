// Texels in memory as they go to the GPU: a level of an image, uncompressed or in blocks.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>

namespace sublet::scene {

// How texels lie in memory. The block-compressed formats have blocks of 4x4 texels, rows of blocks from the top; at the
// right and lower edge a block may reach beyond the level.
enum class TexelFormat : std::uint8_t {
    kRgba8,
    kBc1,  // RGB, and an alpha of 0 or 1
    kBc3,  // RGBA
    kBc4,  // R
    kBc5,  // RG
    kBc7,  // RGBA
};

// "RGBA8", "BC7"
[[nodiscard]] const char* format_name(TexelFormat format);

// The side of a block in texels: 1 or 4.
[[nodiscard]] std::uint32_t block_side(TexelFormat format);
// Bytes of a block, or of a texel.
[[nodiscard]] std::uint32_t block_bytes(TexelFormat format);

// Bytes of a level of that size.
[[nodiscard]] std::uint64_t level_bytes(TexelFormat format, std::uint32_t width, std::uint32_t height);

// Which channel of the texels each component is read from: 'r', 'g', 'b' or 'a', or it is '0' or '1'.
using Swizzle = std::array<char, 4>;
inline constexpr Swizzle kNoSwizzle{'r', 'g', 'b', 'a'};

// One level: rows from the top.
struct TexelLevel {
    struct Free {
        void operator()(std::uint8_t* bytes) const { std::free(bytes); }
    };

    std::uint32_t width = 0, height = 0;
    std::unique_ptr<std::uint8_t[], Free> data;
    TexelFormat format = TexelFormat::kRgba8;

    [[nodiscard]] std::span<std::uint8_t> span() const {
        return {data.get(), static_cast<std::size_t>(level_bytes(format, width, height))};
    }
    [[nodiscard]] std::span<const std::byte> bytes() const { return std::as_bytes(span()); }
};

// Throws std::bad_alloc.
[[nodiscard]] TexelLevel allocate_level(std::uint32_t width, std::uint32_t height,
                                        TexelFormat format = TexelFormat::kRgba8);

// A side of an image that is halved so many times.
[[nodiscard]] std::uint32_t halved(std::uint32_t side, unsigned halvings);

// How many levels an image has, itself included. Its sides are not 0.
[[nodiscard]] unsigned level_count(std::uint32_t width, std::uint32_t height);

// What an image takes as a texture, mips included.
[[nodiscard]] std::uint64_t texture_bytes(std::uint32_t width, std::uint32_t height,
                                          TexelFormat format = TexelFormat::kRgba8);

}  // namespace sublet::scene
