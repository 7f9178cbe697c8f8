// Levels of detail of a whole scene: given, taken away, and counted; and its coding.
#include "mesh/levels.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "mesh/recode.h"
#include "mesh/short_bounds.h"
#include "mesh/sizes.h"
#include "scene/container.h"

namespace sublet::scene {
namespace {

using shared::kNoLodGroup;
using shared::kSubletsPerMeshlet;

std::uint32_t level_of(const mesh::GeometryView& geometry, const mesh::LodMeshlet& meshlet) {
    return meshlet.simplified_from == kNoLodGroup ? 0 : geometry.lod_groups[meshlet.simplified_from].level + 1;
}

// Adds a meshlet of a mesh: its sublets but for those that fill it up.
void add_meshlet(LevelStats& level, const mesh::MeshView& mesh, const mesh::BoundSizes& bounds, std::uint32_t meshlet) {
    ++level.meshlets;
    level.bytes += bounds.meshlet + sizeof(mesh::LodMeshlet);
    std::uint64_t bits = 0;
    const std::uint32_t end = std::min((meshlet + 1) * kSubletsPerMeshlet, mesh.header->sublet_count);
    for (std::uint32_t s = meshlet * kSubletsPerMeshlet; s < end; ++s) {
        const mesh::SubletSizes sizes = mesh::sublet_sizes(mesh, s);
        level.sublets += sizes.counts.triangles != 0 ? 1 : 0;
        level.triangles += sizes.counts.triangles;
        level.vertices += sizes.counts.vertices;
        level.bytes += bounds.sublet;
        bits += sizes.header_bits;
        for (const mesh::StreamSize& stream : sizes.streams) bits += stream.taken;
    }
    level.bytes += (bits + 31) / 32 * 4;
}

// Geometry of a scene's own, and what the scene had before: images are read where they lie in the file.
struct Storage {
    std::shared_ptr<const void> before;
    mesh::Geometry geometry;
};

EncodedScene with_geometry(EncodedScene scene, std::shared_ptr<Storage> storage) {
    storage->before = std::move(scene.storage);
    scene.geometry = storage->geometry.view();
    scene.storage = std::move(storage);
    scene.payload_file.reset();
    scene.unchecked.reset();
    return scene;
}

}  // namespace

EncodedScene with_levels(EncodedScene scene, mesh::Levels levels, ThreadPool* pool) {
    scene = with_coding(std::move(scene), mesh::Coding::kPlain, pool);
    auto storage = std::make_shared<Storage>();
    for (const MeshGroup& group : scene.scene.mesh_groups) {
        mesh::Geometry meshes = mesh::finest_level(scene.geometry, group.first_mesh, group.mesh_count);
        mesh::append(storage->geometry, mesh::add_levels(std::move(meshes), levels, pool).view());
    }
    return with_geometry(std::move(scene), std::move(storage));
}

EncodedScene with_coding(EncodedScene scene, mesh::Coding coding, ThreadPool* pool) {
    if (mesh::is_recoded(scene.geometry, coding)) return scene;
    scene.check_all();
    auto storage = std::make_shared<Storage>();
    storage->geometry = mesh::recode(scene.geometry, coding, pool);
    return with_geometry(std::move(scene), std::move(storage));
}

std::vector<LevelStats> level_stats(const EncodedScene& scene) {
    const mesh::GeometryView& geometry = scene.geometry;
    std::vector<LevelStats> out;
    if (geometry.lod_groups.empty()) return out;
    const auto at = [&out](std::uint32_t level) -> LevelStats& {
        out.resize(std::max<std::size_t>(out.size(), level + 1));
        return out[level];
    };
    for (const mesh::LodGroup& group : geometry.lod_groups) {
        LevelStats& level = at(group.level);
        ++level.groups;
        level.bytes += sizeof(mesh::LodGroup);
        if (std::isinf(group.error)) {
            ++level.roots;
            continue;
        }
        LevelStats& simplified = at(group.level + 1);
        const auto error = static_cast<double>(group.error);
        simplified.error_min = simplified.error_max > 0.0 ? std::min(simplified.error_min, error) : error;
        simplified.error_max = std::max(simplified.error_max, error);
    }
    const mesh::BoundSizes bounds = mesh::bound_sizes(geometry);
    for (std::uint32_t m = 0; m < geometry.meshes.size(); ++m) {
        const mesh::MeshView mesh = mesh::mesh_view(geometry, m);
        for (std::uint32_t i = 0; i < mesh.header->meshlet_count; ++i) {
            add_meshlet(at(level_of(geometry, geometry.lod_meshlets[mesh.header->first_meshlet + i])), mesh, bounds, i);
        }
    }
    return out;
}

}  // namespace sublet::scene
