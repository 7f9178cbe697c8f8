#include "mesh/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "mesh/levels.h"
#include "mesh/morphs.h"
#include "mesh/sizes.h"
#include "mesh/stream.h"

namespace sublet::mesh {
namespace {

Distribution distribution(std::vector<double> values) {
    if (values.empty()) return {};
    std::ranges::sort(values);
    const auto at = [&](double share) {
        return values[static_cast<std::size_t>(std::lround(share * static_cast<double>(values.size() - 1)))];
    };
    const double sum = std::accumulate(values.begin(), values.end(), 0.0);
    return {values.front(), at(0.5), sum / static_cast<double>(values.size()), at(0.95), values.back()};
}

// Radii and cutoffs of bounds.
struct Bounds {
    std::vector<double> radii, cutoffs;

    void add(std::span<const Bound> bounds) {
        for (const Bound& bound : bounds) {
            radii.push_back(bound.sphere.w);
            cutoffs.push_back(std::min(bound.cone.w, 1.0F));
        }
    }
    // How many cones can't cull.
    [[nodiscard]] std::uint64_t without_cone() const {
        return static_cast<std::uint64_t>(std::ranges::count_if(cutoffs, [](double c) { return c >= 1.0; }));
    }
};

void add_stream(StreamStatistics& out, const StreamSize& stream) {
    ++out.sublets;
    out.elements += stream.elements;
    out.element_bits += stream.bits;
    ++out.sublets_by_width[stream.width];
}

void add_morphs(GeometryStatistics& out, const MeshView& mesh) {
    std::array<std::uint64_t, shared::kMorphAttributes> taken{};
    for (std::uint32_t s = 0; s < mesh.header->sublet_count; ++s) {
        for (const auto& [attribute, size] : target_sizes(mesh, s).streams) {
            add_stream(out.morphs[attribute], size);
            taken[attribute] += size.taken;
        }
    }
    for (std::uint32_t a = 0; a < shared::kMorphAttributes; ++a) out.morphs[a].payload_bytes += taken[a] / 8;
}

void add_mesh(GeometryStatistics& out, const MeshView& mesh) {
    std::array<std::uint64_t, shared::kStreamTypes> taken{};
    for (std::uint32_t s = 0; s < mesh.header->sublet_count; ++s) {
        const SubletSizes sizes = sublet_sizes(mesh, s);
        ++out.sublets_by_triangles[sizes.counts.triangles];
        ++out.sublets_by_vertices[sizes.counts.vertices];
        for (std::uint32_t type = 0; type < shared::kStreamTypes; ++type) {
            if (!has_stream(type, mesh.header->streams_present)) continue;
            add_stream(out.streams[type], sizes.streams[type]);
            taken[type] += sizes.streams[type].taken;
        }
    }
    for (std::uint32_t type = 0; type < shared::kStreamTypes; ++type)
        out.streams[type].payload_bytes += taken[type] / 8;
}

}  // namespace

GeometryStatistics statistics(const GeometryView& geometry) {
    GeometryStatistics out;
    Bounds sublets;
    Bounds meshlets;
    for (std::uint32_t m = 0; m < geometry.meshes.size(); ++m) {
        const FinestMesh finest(geometry, m);
        if (finest.mesh().morph != nullptr) add_morphs(out, finest.mesh());
        add_mesh(out, finest.mesh());
        sublets.add(finest.mesh().sublet_bounds);
        meshlets.add(finest.mesh().meshlet_bounds);
    }
    out.sublets_without_cone = sublets.without_cone();
    out.meshlets_without_cone = meshlets.without_cone();
    out.sublet_radius = distribution(std::move(sublets.radii));
    out.sublet_cutoff = distribution(std::move(sublets.cutoffs));
    out.meshlet_radius = distribution(std::move(meshlets.radii));
    out.meshlet_cutoff = distribution(std::move(meshlets.cutoffs));
    return out;
}

}  // namespace sublet::mesh
