// Generated textures of the built-in scene: tileable, raw RGBA8.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scene/scene.h"

namespace sublet {
class ThreadPool;
}

namespace sublet::scene::builtin {

enum class Pattern {
    kPlaster,
    kBricks,
    kWhiteMarble,  // broad soft veins and clouds
    kDarkMarble,   // a net of thin bright veins
    kGranite,
    kLimestone,
    kTimber,
    kBronze,  // the second colour is patina
    kBrushed,
    kHammered,
    kPottery,  // the second colour is a glossy slip: friezes on bare clay
    kDamask,
    kStripes,
    kWeave,
    kGrass,
    kSprig,   // leaves on a twig; nothing around them
    kLeaded,  // panes that let light through, in lead that does not
};

// What of a pattern becomes an image.
struct Maps {
    bool color = true;  // sRGB; alpha is the pattern's own
    bool normal = false;
    // R: occlusion; or, of pottery, where the slip is. G: roughness. B: metalness. Of half the size: what it tells
    // changes less from texel to texel.
    bool surface = false;
};

// The images of a pattern `size` texels wide and high, in the order of Maps, in a main and a second colour (0xRRGGBB,
// sRGB). All tell of the same bumps and stains. `size` is even. Rows are made on all cores of `pool` where there is
// one.
[[nodiscard]] std::vector<Image> make_textures(const std::string& name, Pattern pattern, std::uint32_t size,
                                               std::uint32_t main, std::uint32_t second, std::uint32_t seed,
                                               const Maps& maps, ThreadPool* pool);

}  // namespace sublet::scene::builtin
