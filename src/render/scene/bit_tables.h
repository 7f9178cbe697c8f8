// How large the tables are that two phases keep bits of what was visible in.
#pragma once

#include <cstdint>

#include "gpu/capabilities.h"
#include "render/settings/scene_facts.h"

namespace sublet::render {

// Words of the tables (shaders/cull/chain.glsl), powers of two: for tasks, and for triangles of sublets.
struct BitTables {
    std::uint32_t tasks = 1, sublets = 1;

    friend bool operator==(const BitTables&, const BitTables&) = default;
};

// Those of a scene: of all that it has, or less, so that several tasks share a word. `cut`: levels of detail are
// chosen.
[[nodiscard]] BitTables bit_tables(const SceneFacts& scene, const gpu::Capabilities& capabilities, bool cut);

}  // namespace sublet::render
