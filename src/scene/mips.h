// Mips of an image: levels of half the width and height, rounded down, until one texel is left.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <vector>

#include "scene/material_fields.h"

namespace sublet::scene {

// One level: RGBA8, rows from the top.
struct TexelLevel {
    struct Free {
        void operator()(std::uint8_t* bytes) const { std::free(bytes); }
    };

    std::uint32_t width = 0, height = 0;
    std::unique_ptr<std::uint8_t[], Free> rgba;

    [[nodiscard]] std::span<const std::byte> bytes() const {
        return std::as_bytes(std::span(rgba.get(), std::size_t{4} * width * height));
    }
};

// Throws std::bad_alloc.
[[nodiscard]] TexelLevel allocate_level(std::uint32_t width, std::uint32_t height);

// How the texels of a level become one of the next. Alpha is a mean whatever the use.
struct MipFilter {
    // kColor: the mean in linear light. kData: the mean. kNormal: the direction of the sum.
    TextureUse use = TextureUse::kColor;
    // kColor: texels count by their alpha, so that no colour shows of those that nobody sees.
    bool weigh_by_alpha = false;
    // Not 0: the least alpha that a mask lets through, of 255. Each level's alpha is scaled, so that as large a share
    // of its texels passes as of the image's. Means alone would make leaves and fences vanish far away.
    std::uint8_t least_alpha = 0;

    auto operator<=>(const MipFilter&) const = default;
};

// A side of an image that is halved so many times.
[[nodiscard]] std::uint32_t halved(std::uint32_t side, unsigned halvings);

// How many levels an image has, itself included. Its sides are not 0.
[[nodiscard]] unsigned level_count(std::uint32_t width, std::uint32_t height);

// The levels from `first` on, of which level 0 is the image itself: `rgba` has 4 * width * height bytes. `first` is
// 1 at least; nothing where there is no such level. A texel covers a box of the level before, which may cut texels of
// odd sides: they count by the part that lies in it, so that nothing shifts. Between levels values are floats.
[[nodiscard]] std::vector<TexelLevel> make_mips(std::span<const std::uint8_t> rgba, std::uint32_t width,
                                                std::uint32_t height, const MipFilter& filter, unsigned first = 1);

}  // namespace sublet::scene
