#include "render/scene/scene_levels.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/thread_pool.h"
#include "mesh/sizes.h"
#include "shaders/shared/passes.h"

namespace sublet::render {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Around the spheres of the groups of these meshlets. They mostly lie within the largest.
shared::vec4 sphere_of(std::span<const mesh::LodMeshlet> meshlets, std::span<const shared::LodGroup> groups) {
    shared::vec4 out{0.0F, 0.0F, 0.0F, -1.0F};
    for (const mesh::LodMeshlet& meshlet : meshlets) {
        if (meshlet.group != shared::kNoLodGroup && groups[meshlet.group].sphere.w > out.w) {
            out = groups[meshlet.group].sphere;
        }
    }
    const shared::vec4 largest = out;
    for (const mesh::LodMeshlet& meshlet : meshlets) {
        if (meshlet.group == shared::kNoLodGroup) continue;
        const shared::vec4& s = groups[meshlet.group].sphere;
        const float away = std::hypot(s.x - largest.x, s.y - largest.y, s.z - largest.z);
        constexpr float kRounded = 1.0F + 4.0F * std::numeric_limits<float>::epsilon();
        if (away + s.w > largest.w) out.w = std::max(out.w, (away + s.w) * kRounded);
    }
    return out;
}

// The places of a mesh's meshlets in the cut, and its record among the groups.
void place_mesh(LevelsData& out, const mesh::GeometryView& geometry, std::uint32_t i) {
    const shared::MeshHeader& mesh = geometry.meshes[i];
    const auto meshlets = geometry.lod_meshlets.subspan(mesh.first_meshlet, mesh.meshlet_count);
    shared::LodGroup& of_mesh = out.groups[out.mesh_groups + i];
    of_mesh.sphere = sphere_of(meshlets, geometry.lod_groups);
    of_mesh.reserved[0] = finest_level(mesh::mesh_view(geometry, i)).triangles;
    const auto error_of = [&](std::uint32_t group) {
        return group == shared::kNoLodGroup ? kInfinity : geometry.lod_groups[group].error;
    };
    std::vector<std::uint32_t> order(mesh.meshlet_count);
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, std::greater{}, [&](std::uint32_t m) { return error_of(meshlets[m].group); });
    float least = kInfinity;  // of the errors of what meshlets up to here were simplified from
    std::uint32_t most_meshlet = 0;
    for (std::uint32_t place = 0; place < mesh.meshlet_count; ++place) {
        const auto [group, from] = meshlets[order[place]];
        for (const std::uint32_t g : {group, from}) {
            if (g == shared::kNoLodGroup || out.groups[g].reserved[1] == 0) continue;
            of_mesh.error = std::max(of_mesh.error, out.groups[g].error);
        }
        least = std::min(least, from == shared::kNoLodGroup ? 0.0F : geometry.lod_groups[from].error);
        shared::CutPlace& cut = out.places[mesh.first_meshlet + place];
        cut.meshlet = order[place];
        cut.group = group;
        cut.simplified_from = from;
        cut.error = error_of(group);
        cut.least_error = least;
        cut.most_meshlet = most_meshlet = std::max(most_meshlet, order[place]);
        out.places[mesh.first_meshlet + order[place]].place_of = place;
    }
    std::uint32_t least_meshlet = mesh.meshlet_count;
    for (std::uint32_t place = mesh.meshlet_count; place-- > 0;) {
        least_meshlet = std::min(least_meshlet, order[place]);
        out.places[mesh.first_meshlet + place].least_meshlet = least_meshlet;
    }
}

}  // namespace

LevelsData make_levels(const mesh::GeometryView& geometry, std::span<const shared::MeshHeader> deforming,
                       std::span<const char> absent_groups) {
    LevelsData out;
    if (geometry.lod_groups.empty()) return out;
    out.groups.assign(geometry.lod_groups.begin(), geometry.lod_groups.end());
    out.mesh_groups = static_cast<std::uint32_t>(out.groups.size());
    for (std::size_t g = 0; g < absent_groups.size(); ++g) {
        out.groups[g].reserved[1] = std::bit_cast<std::uint32_t>(absent_groups[g] != 0 ? kInfinity : 0.0F);
    }
    shared::LodGroup none{};
    none.sphere.w = -1.0F;
    out.groups.resize(out.groups.size() + geometry.meshes.size(), none);
    for (const shared::MeshHeader& mesh : deforming) {
        none.reserved[0] = mesh.triangle_count;
        out.groups.push_back(none);
    }
    out.places.resize(geometry.lod_meshlets.size());
    ThreadPool pool;
    pool.parallel_for(geometry.meshes.size(), 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) place_mesh(out, geometry, static_cast<std::uint32_t>(i));
    });
    return out;
}

std::vector<char> streamed_groups(const Residency& residency) {
    std::vector<char> out;
    if (residency.whole()) return out;
    out.resize(residency.groups->group_count());
    for (std::uint32_t g = 0; g < out.size(); ++g) out[g] = residency.groups->group(g).run_count != 0 ? 1 : 0;
    return out;
}

void set_demands(LevelsData& levels, const Residency& residency) {
    const GroupSize& pool = residency.pool.size;
    for (std::uint32_t g = 0; g < residency.groups->group_count(); ++g) {
        const GroupSize& size = residency.groups->group(g).size;
        const double part = std::max({static_cast<double>(size.sublets) / pool.sublets,
                                      static_cast<double>(size.vertices) / pool.vertices,
                                      static_cast<double>(size.payload) / pool.payload});
        levels.groups[g].reserved[0] =
            static_cast<std::uint32_t>(std::ceil(std::ldexp(part, static_cast<int>(shared::kDemandBits))));
    }
}

FinestLevel finest_level(const mesh::MeshView& view) {
    const shared::MeshHeader& mesh = *view.header;
    const std::uint32_t coarse = mesh.coarse_meshlets * shared::kSubletsPerMeshlet;
    FinestLevel out{mesh.meshlet_count - mesh.coarse_meshlets, mesh.sublet_count - coarse, mesh.triangle_count};
    if (coarse != 0) out.triangles -= mesh::sublet_place(view, coarse).first_triangle;
    return out;
}

}  // namespace sublet::render
