// The meshes of the built-in scene, each made once and placed many times, and its materials.
#pragma once

#include <cstdint>

#include "scene/import.h"

namespace sublet::scene::builtin {

enum MaterialId : std::uint32_t {
    kPlaster,
    kBrick,
    kLightMarble,
    kDarkMarble,
    kStone,
    kTimber,
    kBronze,
    kGlaze,
    kRedCloth,
    kBlueCloth,
    kMeadow,
    kFoliage,
    kGold,
};

// Indices into ImportedScene::meshes.
enum PartId : int {
    kNaveFloor,     // 12 x 12 m of tiles, top at y = 0
    kAisleFloor,    // 8 x 12 m
    kNaveWall,      // along X, 12 m, a wide door
    kNaveSideWall,  // 12 m, two doors
    kAisleWall,     // 8 m, a door
    kOuterWall,     // 12 m, two windows
    kNaveCeiling,   // 12.48 x 12.48 m round a skylight
    kAisleCeiling,  // 8.48 x 12.48 m
    kPier,          // where walls meet
    kColumn,
    kBeam,    // along X, 8 m
    kPlinth,  // under everything
    kPedestal,
    kKnot,
    kSphere,
    kAmphora,
    kJar,
    kCrate,
    kBanner,
    kBlueBanner,
    kStairs,
    kLamp,
    kLand,
    kTree,
    kRock,
    kPartCount,
};

// Fills materials, textures, images, samplers and meshes.
void make_parts(ImportedScene& scene, std::uint32_t seed);

// The height of the land at a point; flat under the building.
[[nodiscard]] double land_height(double x, double z);

}  // namespace sublet::scene::builtin
