// KTX2 files (Khronos, "KTX File Format Specification 2.0") of a two-dimensional image: what their headers say,
// checked, and a writer.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "scene/texels.h"

namespace sublet::scene {

struct Ktx2Level {
    std::span<const std::uint8_t> bytes;  // as they lie in the file
    std::uint64_t size = 0;               // once they are decompressed
};

// What a file holds. Basis Universal's textures are transcoded; everything else is a format of Vulkan's.
enum class Ktx2Kind : std::uint8_t { kEtc1s, kUastc, kVulkan };

struct Ktx2File {
    std::uint32_t width = 0, height = 0;
    Ktx2Kind kind = Ktx2Kind::kVulkan;
    bool zstandard = false;              // levels are compressed
    std::vector<Ktx2Level> levels;       // the largest first: one, or all that the image has
    std::uint64_t codebook_entries = 0;  // kEtc1s
    // kVulkan:
    TexelFormat format = TexelFormat::kRgba8;
    std::uint32_t channels = 0;  // of one byte each; 0: blocks of `format`
    Swizzle swizzle = kNoSwizzle;
};

// Throws Error with the reason on files of other kinds, and on such that point out of themselves or have too few bytes
// for their size. Of an image without all its mips the first level alone is given.
[[nodiscard]] Ktx2File read_ktx2(std::span<const std::uint8_t> bytes);

// Whether a KTX2 file holds a texture of Basis Universal, which glTF's KHR_texture_basisu asks for.
[[nodiscard]] inline bool holds_basis_universal(std::span<const std::uint8_t> bytes) {
    constexpr std::size_t kFormat = 12;  // Vulkan's; 0: none
    const auto is_zero = [](std::uint8_t byte) { return byte == 0; };
    return bytes.size() >= kFormat + 4 && std::all_of(&bytes[kFormat], &bytes[kFormat] + 4, is_zero);
}

// A level of a file of kind kVulkan as it was before it was compressed: `to` has level.size bytes. Throws Error when
// the data are corrupt.
void decompress_level(const Ktx2File& file, const Ktx2Level& level, std::span<std::uint8_t> to);

// All levels of an image, the largest first, in blocks of BC4, BC5 or BC7, as a file compressed by Zstandard. `srgb`:
// colours are encoded. The same bytes for the same levels.
[[nodiscard]] std::vector<std::uint8_t> write_ktx2(std::span<const TexelLevel> levels, bool srgb,
                                                   const Swizzle& swizzle);

}  // namespace sublet::scene
