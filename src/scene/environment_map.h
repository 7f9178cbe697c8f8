// Pictures of the light all around: equirectangular, as Radiance .hdr and OpenEXR .exr files hold them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace sublet::scene {

// Wider ones are halved: at this width a texel is smaller than a pixel of most pictures that show it.
inline constexpr std::uint32_t kMostEnvironmentWidth = 8192;

struct EnvironmentMap {
    std::filesystem::path file;
    std::uint32_t width = 0, height = 0;  // twice as wide as high, at most kMostEnvironmentWidth
    // Half floats, linear, with Rec. 709's primaries; rows from the top (+y). Each from 0 to 65504, alpha 1. The middle
    // of a row is +x, to the right of it is +z, both ends are -x.
    std::unique_ptr<std::uint16_t[]> rgba;
    std::vector<std::string> notes;  // on what was mended

    [[nodiscard]] std::span<const std::byte> texels() const {
        return std::as_bytes(std::span(rgba.get(), std::size_t{4} * width * height));
    }
};

// Whether a file's name ends in .hdr or .exr, in any case.
[[nodiscard]] bool named_as_environment(const std::filesystem::path& file);

// Reads a picture; which of the two formats it has, its first bytes tell. Values that are none are mended, and a note
// says so. Takes at most `most_bytes` at a time for what it decodes. Throws Error naming the file: for one that is
// neither, or damaged, or not twice as wide as high; for what takes more memory; for a .exr where the program was built
// without OpenEXR.
[[nodiscard]] EnvironmentMap read_environment_map(const std::filesystem::path& file, std::uint64_t most_bytes);

// The same of bytes; `file` is for errors and notes.
[[nodiscard]] EnvironmentMap decode_environment_map(std::span<const std::byte> bytes, const std::filesystem::path& file,
                                                    std::uint64_t most_bytes);

}  // namespace sublet::scene
