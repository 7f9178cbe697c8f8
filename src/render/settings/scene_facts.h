// What the plan of a frame must know of a scene, beside the device.
#pragma once

#include <cstdint>

#include "render/settings/expansion_strategy.h"

namespace sublet::render {

struct LevelSettings;

// All zero: nothing is known of a scene.
struct SceneFacts {
    ExpansionDemand meshlets;       // sources: instances; items: their meshlets
    std::uint64_t sublets = 0;      // of all levels, over all instances
    bool transmissive = false;      // some of its surfaces are: there are two layers of what is drawn
    bool blended = false;           // some of its surfaces blend
    bool wide_ids = false;          // ids of its triangles take two words
    bool moves = false;             // animations play that place some of it
    bool joints = false;            // some of it has joints, whether they move or not
    bool lights = false;            // it has punctual lights
    bool levels = false;            // some of it has levels of detail
    bool compact = false;           // its meshes are in the compact coding
    bool in_part = false;           // levels of detail come as they are seen (--vram-budget),
    bool textures_in_part = false;  // and so do textures (--texture-budget)
    // Meshlets that frames may have to look at.
    [[nodiscard]] ExpansionDemand demand(const LevelSettings& chosen) const;
    // Of the window that it is drawn in, in pixels; 0: not known.
    std::uint32_t width = 0, height = 0;
    bool in_window = false;  // whose frames follow one another, for somebody who looks at them
};

// What a scene has.
struct SceneTotals {
    struct Geometry {
        std::uint64_t meshlets = 0, sublets = 0, triangles = 0;
    };
    std::uint64_t meshes = 0;  // that some instance places
    std::uint64_t instances = 0;
    Geometry unique;     // of the finest level: each of those meshes once
    Geometry instanced;  // once for each instance
};

}  // namespace sublet::render
