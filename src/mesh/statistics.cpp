#include "mesh/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
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

// Radii and cutoffs of `bounds`; returns how many cones can't cull.
std::uint64_t bound_statistics(std::span<const Bound> bounds, Distribution& radius, Distribution& cutoff) {
    std::vector<double> radii;
    std::vector<double> cutoffs;
    radii.reserve(bounds.size());
    cutoffs.reserve(bounds.size());
    for (const Bound& bound : bounds) {
        radii.push_back(bound.sphere.w);
        cutoffs.push_back(std::min(bound.cone.w, 1.0F));
    }
    const auto open = std::ranges::count_if(cutoffs, [](double c) { return c >= 1.0; });
    radius = distribution(std::move(radii));
    cutoff = distribution(std::move(cutoffs));
    return static_cast<std::uint64_t>(open);
}

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

GeometryStatistics statistics(const GeometryView& all_levels) {
    const FinestLevel finest(all_levels);
    const GeometryView& geometry = finest.view();
    GeometryStatistics out;
    for (const MorphMesh& morph : geometry.morphs) add_morphs(out, mesh_view(geometry, morph.mesh));
    for (std::uint32_t m = 0; m < geometry.meshes.size(); ++m) add_mesh(out, mesh_view(geometry, m));
    out.sublets_without_cone = bound_statistics(geometry.sublet_bounds, out.sublet_radius, out.sublet_cutoff);
    out.meshlets_without_cone = bound_statistics(geometry.meshlet_bounds, out.meshlet_radius, out.meshlet_cutoff);
    return out;
}

}  // namespace sublet::mesh
