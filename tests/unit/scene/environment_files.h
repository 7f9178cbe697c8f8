// Pictures of light as files, made by the tests that read them.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace sublet::scene::testing {

// Linear red, green and blue of a texel.
using Radiance = std::array<float, 3>;
using LightAt = std::function<Radiance(std::uint32_t x, std::uint32_t y)>;

// A Radiance file; `runs`: its rows are run-length encoded, which widths from 8 to 32767 can be.
std::string hdr_file(std::uint32_t width, std::uint32_t height, const LightAt& light, bool runs = true);

struct ExrKind {
    std::vector<std::string> channels{"B", "G", "R"};  // sorted; those but R, G and B hold what R does
    bool half = false;                                 // else 32-bit floats
    std::int32_t first_x = 0, first_y = 0;             // of the data window
    std::int32_t display_width = 0;                    // 0: that of the data window
    std::int32_t x_sampling = 1;                       // as the header has it
};

// An OpenEXR file of scan lines, uncompressed. Values are within what half floats hold.
std::string exr_file(std::uint32_t width, std::uint32_t height, const LightAt& light, const ExrKind& kind = {});

}  // namespace sublet::scene::testing
