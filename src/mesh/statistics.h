// What encoded geometry looks like inside: for reports, not for drawing.
#pragma once

#include <array>
#include <cstdint>

#include "mesh/view.h"

namespace sublet::mesh {

// One stream type over all sublets that carry it. Sizes in bits and bytes of payload, headers left out (StreamSize).
struct StreamStatistics {
    std::uint64_t sublets = 0;
    std::uint64_t elements = 0;      // values: vertices, or triangles for kStreamPrimitive
    std::uint64_t element_bits = 0;  // sum over elements; payload_bytes * 8 less padding
    std::uint64_t payload_bytes = 0;
    std::array<std::uint64_t, 65> sublets_by_width{};  // by total bits of a value, 0 to 64
};

struct Distribution {  // all 0 when there is nothing
    double min = 0, median = 0, mean = 0, p95 = 0, max = 0;
};

struct GeometryStatistics {
    std::array<StreamStatistics, shared::kStreamTypes> streams;
    // What morph targets add to positions, normals and tangents: a stream for each target that moves a sublet.
    std::array<StreamStatistics, shared::kMorphAttributes> morphs;
    std::array<std::uint64_t, shared::kSubletSize + 1> sublets_by_vertices{};
    std::array<std::uint64_t, shared::kSubletSize + 1> sublets_by_triangles{};
    Distribution sublet_radius, meshlet_radius;  // object-space units
    Distribution sublet_cutoff, meshlet_cutoff;  // 1: a cone that can't cull
    std::uint64_t sublets_without_cone = 0, meshlets_without_cone = 0;
};

// Of validated geometry; of its finest level alone. Linear in it, but for the sorts behind medians.
[[nodiscard]] GeometryStatistics statistics(const GeometryView& geometry);

}  // namespace sublet::mesh
