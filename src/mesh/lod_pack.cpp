#include "mesh/lod_pack.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace sublet::mesh {

OrderedLevels order_levels(const Lod& lod, std::uint32_t mesh) {
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < lod.meshlets.size(); ++i) {
        if (lod.meshlets[i].mesh == mesh) order.push_back(i);
    }
    // The finest keep their order: it is that of a mesh without levels.
    const auto key = [&](std::uint32_t i) {
        const LodPart& part = lod.meshlets[i];
        return std::tuple(-static_cast<std::int64_t>(part.level), part.level == 0 ? 0 : part.group, i);
    };
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });

    const Clusters& from = lod.clusters[mesh];
    OrderedLevels out;
    for (const std::uint32_t i : order) {
        const LodPart& part = lod.meshlets[i];
        out.meshlets.push_back({part.group, part.simplified_from});
        Sublet next;
        for (std::uint32_t s = part.first_sublet; s < part.first_sublet + part.sublet_count; ++s) {
            const Sublet& sublet = from.sublets[s];
            next = sublet;
            next.first_vertex = static_cast<std::uint32_t>(out.clusters.vertices.size());
            next.first_triangle = static_cast<std::uint32_t>(out.clusters.triangles.size());
            out.clusters.sublets.push_back(next);
            const auto vertices = from.vertices.begin() + sublet.first_vertex;
            out.clusters.vertices.insert(out.clusters.vertices.end(), vertices, vertices + sublet.vertex_count);
            const auto triangles = from.triangles.begin() + sublet.first_triangle;
            out.clusters.triangles.insert(out.clusters.triangles.end(), triangles, triangles + sublet.triangle_count);
        }
        if (part.level == 0) continue;
        ++out.coarse_meshlets;
        next.first_vertex = static_cast<std::uint32_t>(out.clusters.vertices.size());
        next.first_triangle = static_cast<std::uint32_t>(out.clusters.triangles.size());
        next.vertex_count = next.triangle_count = 0;
        while (out.clusters.sublets.size() % shared::kSubletsPerMeshlet != 0) out.clusters.sublets.push_back(next);
    }
    return out;
}

std::vector<LodGroup> place_groups(const Lod& lod, const PositionGrid& grid) {
    // What each must hold, by its number.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> within;
    for (const LodPart& part : lod.meshlets) {
        if (part.simplified_from != shared::kNoLodGroup) within.emplace_back(part.group, part.simplified_from);
    }
    std::sort(within.begin(), within.end());
    within.erase(std::unique(within.begin(), within.end()), within.end());

    const auto scale = static_cast<double>(grid.scale);
    std::vector<LodGroup> out;
    auto held = within.begin();
    for (std::uint32_t g = 0; g < lod.groups.size(); ++g) {
        const LodNode& node = lod.groups[g];
        LodGroup group{};
        std::array<float, 3> center{};
        double moved = 0.0;  // by rounding, squared
        for (std::size_t k = 0; k < 3; ++k) {
            const double exact = static_cast<double>(grid.origin[k]) + scale * static_cast<double>(node.center[k]);
            center[k] = static_cast<float>(exact);
            moved += (static_cast<double>(center[k]) - exact) * (static_cast<double>(center[k]) - exact);
        }
        // Positions are rounded too as they decode: by as much as a coordinate of the origin's size can be.
        double radius = scale * static_cast<double>(node.radius) + 2.0 * std::sqrt(moved);
        for (const float x : center) radius += std::abs(static_cast<double>(x)) * 1.2e-7;
        for (; held != within.end() && held->first == g; ++held) {
            const shared::vec4& sphere = out[held->second].sphere;
            const double x = static_cast<double>(sphere.x) - static_cast<double>(center[0]);
            const double y = static_cast<double>(sphere.y) - static_cast<double>(center[1]);
            const double z = static_cast<double>(sphere.z) - static_cast<double>(center[2]);
            radius = std::max(radius, std::sqrt(x * x + y * y + z * z) + static_cast<double>(sphere.w));
        }
        // Beyond what floats that compare the spheres may lose.
        group.sphere = {center[0], center[1], center[2], static_cast<float>(radius * (1.0 + 1e-6))};
        group.error = node.error * grid.scale;
        group.level = node.level;
        out.push_back(group);
    }
    return out;
}

}  // namespace sublet::mesh
