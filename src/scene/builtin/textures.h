// Generated textures of the built-in scene: tileable, raw RGBA8, sRGB.
#pragma once

#include <cstdint>
#include <string>

#include "scene/scene.h"

namespace sublet::scene::builtin {

enum class Pattern { kPlaster, kBricks, kMarble, kLimestone, kWood, kBronze, kCheckerGlaze, kDamask, kStripes, kGrass };

// `size` x `size` pixels of a pattern in a main and a second colour (0xRRGGBB, sRGB).
[[nodiscard]] Image make_texture(const std::string& name, Pattern pattern, std::uint32_t size, std::uint32_t main,
                                 std::uint32_t second, std::uint32_t seed);

}  // namespace sublet::scene::builtin
