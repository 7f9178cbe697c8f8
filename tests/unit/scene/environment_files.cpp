#include "environment_files.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <glm/gtc/packing.hpp>

namespace sublet::scene::testing {
namespace {

std::array<std::uint8_t, 4> rgbe(const Radiance& light) {
    const float most = std::max({light[0], light[1], light[2]});
    if (most < 1e-32F) return {};
    int exponent = 0;
    const float scale = std::frexp(most, &exponent) * 256.0F / most;
    return {static_cast<std::uint8_t>(light[0] * scale), static_cast<std::uint8_t>(light[1] * scale),
            static_cast<std::uint8_t>(light[2] * scale), static_cast<std::uint8_t>(exponent + 128)};
}

template <typename T>
void put(std::string& out, T value) {
    const auto bytes = std::bit_cast<std::array<char, sizeof(T)>>(value);
    out.append(bytes.data(), bytes.size());
}

void put_attribute(std::string& out, const std::string& name, const std::string& type, const std::string& value) {
    out += name + '\0' + type + '\0';
    put(out, static_cast<std::int32_t>(value.size()));
    out += value;
}

}  // namespace

std::string hdr_file(std::uint32_t width, std::uint32_t height, const LightAt& light, bool runs) {
    std::string out =
        "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y " + std::to_string(height) + " +X " + std::to_string(width) + "\n";
    for (std::uint32_t y = 0; y < height; ++y) {
        std::vector<std::array<std::uint8_t, 4>> row(width);
        for (std::uint32_t x = 0; x < width; ++x) row[x] = rgbe(light(x, y));
        if (!runs) {
            for (const auto& texel : row) out.append(texel.begin(), texel.end());
            continue;
        }
        out += {2, 2, static_cast<char>(width >> 8U), static_cast<char>(width & 255U)};
        for (std::size_t c = 0; c < 4; ++c) {
            for (std::size_t x = 0; x < width;) {
                std::size_t count = 1;
                while (x + count < width && count < 127 && row[x + count][c] == row[x][c]) ++count;
                out += {static_cast<char>(128 + count), static_cast<char>(row[x][c])};
                x += count;
            }
        }
    }
    return out;
}

std::string exr_file(std::uint32_t width, std::uint32_t height, const LightAt& light, const ExrKind& kind) {
    std::string out("\x76\x2f\x31\x01\x02\x00\x00\x00", 8);
    std::string list;
    for (const std::string& channel : kind.channels) {
        list += channel + '\0';
        put(list, std::int32_t{kind.half ? 1 : 2});
        put(list, std::int32_t{0});
        put(list, kind.x_sampling);
        put(list, std::int32_t{1});
    }
    put_attribute(out, "channels", "chlist", list + '\0');
    put_attribute(out, "compression", "compression", std::string(1, '\0'));
    const auto window = [&](std::uint32_t wide) {
        std::string box;
        for (const std::int32_t value : {kind.first_x, kind.first_y, kind.first_x + static_cast<std::int32_t>(wide) - 1,
                                         kind.first_y + static_cast<std::int32_t>(height) - 1}) {
            put(box, value);
        }
        return box;
    };
    put_attribute(out, "dataWindow", "box2i", window(width));
    put_attribute(out, "displayWindow", "box2i",
                  window(kind.display_width == 0 ? width : static_cast<std::uint32_t>(kind.display_width)));
    put_attribute(out, "lineOrder", "lineOrder", std::string(1, '\0'));
    put_attribute(out, "pixelAspectRatio", "float", std::string("\x00\x00\x80\x3f", 4));
    put_attribute(out, "screenWindowCenter", "v2f", std::string(8, '\0'));
    put_attribute(out, "screenWindowWidth", "float", std::string("\x00\x00\x80\x3f", 4));
    out += '\0';
    const std::size_t row = kind.channels.size() * width * (kind.half ? 2 : 4);
    const std::size_t first = out.size() + 8 * std::size_t{height};
    for (std::uint32_t y = 0; y < height; ++y) put(out, static_cast<std::uint64_t>(first + y * (8 + row)));
    for (std::uint32_t y = 0; y < height; ++y) {
        put(out, kind.first_y + static_cast<std::int32_t>(y));
        put(out, static_cast<std::int32_t>(row));
        for (const std::string& channel : kind.channels) {
            for (std::uint32_t x = 0; x < width; ++x) {
                const float value = light(x, y)[channel == "G" ? 1 : channel == "B" ? 2 : 0];
                if (kind.half) {
                    put(out, glm::packHalf1x16(value));
                } else {
                    put(out, value);
                }
            }
        }
    }
    return out;
}

}  // namespace sublet::scene::testing
