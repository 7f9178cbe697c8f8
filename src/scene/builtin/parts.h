// The meshes of the built-in scene, each made once and placed many times.
#pragma once

#include <array>
#include <cstdint>

#include "scene/builtin/materials.h"
#include "scene/import.h"

namespace sublet::scene::builtin {

// Indices into ImportedScene::meshes.
enum PartId : int {
    kNaveFloor,     // 12 x 12 m of marble tiles, top at y = 0
    kAisleFloor,    // 8 x 12 m of rough and polished stone
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
    kBush,
    kRock,
    kShelf,  // three steps, 2.7 m wide, their middle at the origin
    kStand,  // a ring for a ball
    kBalls,  // of radius 1, one for each of kBallMaterials
};

// What the balls of the still life are made of, from the lowest step up, from left to right.
inline constexpr std::array kBallMaterials{kLightMarble, kDarkMarble, kGranite,   kStone,    kBrick,   kGold,   kBrass,
                                           kBronze,      kGlaze,      kBlueCloth, kRedCloth, kPlaster, kTimber, kGlass};
inline constexpr int kPartCount = kBalls + static_cast<int>(kBallMaterials.size());

// Fills materials, textures, images, samplers and meshes.
void make_parts(ImportedScene& scene, std::uint32_t seed, ThreadPool* pool);

// The height of the land at a point; flat under the building.
[[nodiscard]] double land_height(double x, double z);

}  // namespace sublet::scene::builtin
