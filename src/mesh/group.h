// Sublets into meshlets: which eight belong together.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/thread_pool.h"

namespace sublet::mesh {

// What grouping looks at: the area-weighted centre of a sublet's triangles, in the grid's units, the unit vector of
// their mean normal (zero when they cancel out), and their area.
struct SubletShape {
    std::array<float, 3> center{};
    std::array<float, 3> normal{};
    float area = 0.0F;
};

// An order of the sublets in which every eight from the beginning make a compact meshlet of similar normals. Depends on
// the shapes alone, not on the pool; takes n log n steps.
[[nodiscard]] std::vector<std::uint32_t> group_sublets(std::span<const SubletShape> shapes, ThreadPool* pool);

}  // namespace sublet::mesh
