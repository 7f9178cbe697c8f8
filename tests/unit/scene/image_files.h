// Image files of any format and size, honest or not, made by the tests that read them.
#pragma once

#include <cstdint>
#include <string>

namespace sublet::scene::testing {

struct PngKind {
    std::uint32_t width = 1, height = 1;
    std::uint8_t depth = 8, color_type = 6;  // as PNG numbers them
    bool interlaced = false;
};

// Bytes of all its rows before compression, each with its filter byte.
std::uint64_t png_raw_bytes(const PngKind& kind);

// A PNG of this header whose data are `zlib`; with a palette of black where its colours need one.
std::string png_file(const PngKind& kind, const std::string& zlib);

// A zlib stream of so many zeros: a byte for each 158 of them.
std::string deflated_zeros(std::uint64_t count);

// A grey JPEG, one component or three, baseline or progressive; a progressive one's only scan is there `scans` times.
std::string jpeg_file(std::uint32_t width, std::uint32_t height, int components, bool progressive, int scans = 1);

}  // namespace sublet::scene::testing
