// Mips of an image: levels of half the width and height, rounded down, until one texel is left.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "scene/material_fields.h"
#include "scene/texels.h"

namespace sublet::scene {

// How the texels of a level become one of the next. Alpha is a mean whatever the use.
struct MipFilter {
    // kColor: the mean in linear light. kData: the mean. kNormal: the direction of the sum; where there is no blue, Z
    // is what X and Y leave of a unit length.
    TextureUse use = TextureUse::kColor;
    // kColor: texels count by their alpha, so that no colour shows of those that nobody sees.
    bool weigh_by_alpha = false;
    // Not 0: the least alpha that a mask lets through, of 255. Each level's alpha is scaled, so that as large a share
    // of its texels passes as of the image's. Means alone would make leaves and fences vanish far away.
    std::uint8_t least_alpha = 0;

    // NOLINTNEXTLINE(modernize-use-nullptr): of what the compiler makes of it
    auto operator<=>(const MipFilter&) const = default;
};

// The levels from `first` on, as RGBA8, of which level 0 is the image itself: `rgba` has 4 * width * height bytes.
// `first` is 1 at least; nothing where there is no such level. A texel covers a box of the level before, which may cut
// texels of odd sides: they count by the part that lies in it, so that nothing shifts. Between levels values are
// floats.
[[nodiscard]] std::vector<TexelLevel> make_mips(std::span<const std::uint8_t> rgba, std::uint32_t width,
                                                std::uint32_t height, const MipFilter& filter, unsigned first = 1);

// Gives the texels of a normal map that have no blue the Z that X and Y leave of a unit length.
void complete_normals(std::span<std::uint8_t> rgba);

}  // namespace sublet::scene
