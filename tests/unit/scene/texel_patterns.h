// Texels to compress, and how near others are to them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "scene/images.h"
#include "scene/texels.h"

namespace sublet::scene::testing {

// Like a photograph of a wall: slow shades, edges and grain.
inline TexelLevel wall(std::uint32_t width, std::uint32_t height, bool with_alpha = false) {
    TexelLevel level = allocate_level(width, height);
    std::uint32_t seed = 12345;
    for (std::uint32_t y = 0; y < height; ++y) {
        for (std::uint32_t x = 0; x < width; ++x) {
            const bool joint = (y % 32 < 3) || ((x + (y / 32 % 2) * 24) % 48 < 3);
            const double shade = 20.0 * std::sin(0.04 * x) * std::cos(0.03 * y);
            const double base[3] = {joint ? 150.0 : 170.0, joint ? 145.0 : 90.0, joint ? 140.0 : 60.0};
            std::uint8_t* const texel = &level.data[std::ptrdiff_t{4} * (std::ptrdiff_t{y} * width + x)];
            for (int c = 0; c < 3; ++c) {
                seed = seed * 1664525U + 1013904223U;
                const double grain = static_cast<double>(seed >> 24U) / 255.0 * 16.0 - 8.0;
                texel[c] = static_cast<std::uint8_t>(std::clamp(base[c] + shade + grain, 0.0, 255.0));
            }
            const double distance = std::hypot(x - 0.5 * width, y - 0.5 * height);
            texel[3] = with_alpha ? static_cast<std::uint8_t>(std::clamp(300.0 - 8.0 * distance, 0.0, 255.0)) : 255;
        }
    }
    return level;
}

// A normal map of bumps.
inline TexelLevel bumps(std::uint32_t side) {
    TexelLevel level = allocate_level(side, side);
    for (std::uint32_t y = 0; y < side; ++y) {
        for (std::uint32_t x = 0; x < side; ++x) {
            const double dx = 0.6 * std::cos(0.35 * x);
            const double dy = 0.6 * std::sin(0.21 * y + 0.1 * x);
            const double scale = 127.5 / std::sqrt(dx * dx + dy * dy + 1.0);
            const double direction[3] = {dx * scale, dy * scale, scale};
            std::uint8_t* const texel = &level.data[std::ptrdiff_t{4} * (std::ptrdiff_t{y} * side + x)];
            for (int c = 0; c < 3; ++c) texel[c] = static_cast<std::uint8_t>(direction[c] + 128.0);
            texel[3] = 255;
        }
    }
    return level;
}

inline Image raw_image(const TexelLevel& level) {
    return {"raw", kRawImageType, level.width, level.height, {level.span().begin(), level.span().end()}};
}

inline Image file_image(const std::string& file) {
    return {"file", kKtx2Type, 0, 0, {file.begin(), file.end()}};
}

inline std::vector<std::uint8_t> texels_of(const TexelLevel& level) {
    return {level.span().begin(), level.span().end()};
}

inline double psnr(const TexelLevel& a, const TexelLevel& b, const std::string& channels) {
    double squares = 0.0;
    double count = 0.0;
    for (std::size_t i = 0; i < a.span().size(); ++i) {
        if (channels.find("rgba"[i % 4]) == std::string::npos) continue;
        const double d = static_cast<double>(a.span()[i]) - static_cast<double>(b.span()[i]);
        squares += d * d;
        count += 1.0;
    }
    return squares == 0.0 ? 1000.0 : 10.0 * std::log10(255.0 * 255.0 * count / squares);
}

}  // namespace sublet::scene::testing
