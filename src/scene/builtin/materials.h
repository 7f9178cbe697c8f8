// The materials of the built-in scene.
#pragma once

#include <cstdint>

#include "scene/import.h"

namespace sublet::scene::builtin {

enum MaterialId : std::uint32_t {
    kPlaster,
    kBrick,
    kLightMarble,
    kDarkMarble,
    kGranite,
    kStone,
    kTimber,
    kBronze,
    kBrass,
    kGold,
    kGlaze,
    kRedCloth,
    kBlueCloth,
    kGlass,
    kMeadow,
    kLeaves,
    kBark,
    kFlame,
    kStainedGlass,
};

// Fills materials, textures, images and samplers.
void make_materials(ImportedScene& scene, std::uint32_t seed, ThreadPool* pool);

}  // namespace sublet::scene::builtin
