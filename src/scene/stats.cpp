// Sizes and quality of encoded geometry.
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "base/count_text.h"
#include "base/error.h"
#include "mesh/levels.h"
#include "mesh/morphs.h"
#include "mesh/parallel.h"
#include "mesh/short_bounds.h"
#include "mesh/sizes.h"
#include "mesh/stream.h"
#include "scene/container.h"
#include "scene/images.h"
#include "scene/ktx2_file.h"
#include "scene/texture_uses.h"

namespace sublet::scene {
namespace {

// Payload and what describes it. Of a compact mesh all that is neither triangles nor values describes them.
void add_streams(GeometryStats& stats, const mesh::MeshView& mesh) {
    const mesh::RangeSizes sizes = mesh::range_sizes(mesh, 0, mesh.header->sublet_count);
    for (std::uint32_t type = 0; type < shared::kStreamTypes; ++type) {
        stats.stream_bytes[type] += sizes.stream_bytes[type];
    }
    stats.tangent_bits += sizes.tangent_bits;
    stats.stream_header_bytes += sizes.header_bytes;
    stats.payload_bytes += mesh.streams.size_bytes() + mesh.payload.size_bytes() - sizes.header_bytes;
}

void add_morphs(GeometryStats& stats, const mesh::MeshView& mesh) {
    if (mesh.morph == nullptr) return;
    const mesh::RangeTargetSizes sizes = mesh::range_target_sizes(mesh, 0, mesh.header->sublet_count);
    for (std::uint32_t a = 0; a < shared::kMorphAttributes; ++a) stats.morph_bytes[a] += sizes.value_bytes[a];
    stats.stream_header_bytes += sizes.header_bytes;
    stats.payload_bytes += mesh.morph_payload.size_bytes() + mesh.morph_streams.size_bytes() +
                           mesh.morph_masks.size_bytes() - sizes.header_bytes;
    stats.bytes += sizeof(mesh::MorphMesh);
}

// Sums in place of the means until `finish`.
void add_bounds(std::span<const mesh::Bound> bounds, double& radius, double& cutoff) {
    for (const mesh::Bound& bound : bounds) {
        radius += bound.sphere.w;
        cutoff += std::min(bound.cone.w, 1.0F);
    }
}

void add_counts(mesh::GeometryEnd& counts, const mesh::MeshView& mesh) {
    ++counts.meshes;
    counts.sublet_bounds += mesh.sublet_bounds.size();
    counts.meshlet_bounds += mesh.meshlet_bounds.size();
    counts.streams += mesh.streams.size();
    counts.payload += mesh.payload.size();
    counts.morphs += mesh.morph != nullptr ? 1 : 0;
    counts.morph_masks += mesh.morph_masks.size();
    counts.morph_streams += mesh.morph_streams.size();
    counts.morph_payload += mesh.morph_payload.size();
}

void finish(GeometryStats& stats) {
    const auto mean = [](double& sum, std::uint64_t count) {
        sum = count == 0 ? 0.0 : sum / static_cast<double>(count);
    };
    mean(stats.sublet_radius_mean, stats.sublets);
    mean(stats.sublet_cone_cutoff_mean, stats.sublets);
    mean(stats.meshlet_radius_mean, stats.meshlets);
    mean(stats.meshlet_cone_cutoff_mean, stats.meshlets);
}

std::uint32_t level_of(const mesh::GeometryView& geometry, const mesh::LodMeshlet& meshlet) {
    return meshlet.simplified_from == shared::kNoLodGroup ? 0 : geometry.lod_groups[meshlet.simplified_from].level + 1;
}

// Adds a meshlet of a mesh: its sublets but for those that fill it up.
void add_meshlet(LevelStats& level, const mesh::MeshView& mesh, const mesh::BoundSizes& bounds, std::uint32_t meshlet) {
    ++level.meshlets;
    level.bytes += bounds.meshlet + sizeof(mesh::LodMeshlet);
    std::uint64_t bits = 0;
    const std::uint32_t end = std::min((meshlet + 1) * shared::kSubletsPerMeshlet, mesh.header->sublet_count);
    for (std::uint32_t s = meshlet * shared::kSubletsPerMeshlet; s < end; ++s) {
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

LevelStats& level_at(std::vector<LevelStats>& levels, std::uint32_t level) {
    levels.resize(std::max<std::size_t>(levels.size(), level + 1));
    return levels[level];
}

// Of one mesh group: sums in place of means, elements of the arrays of its finest level, and meshlets of all levels.
struct GroupSums {
    GeometryStats stats;
    mesh::GeometryEnd counts;
    std::vector<LevelStats> levels;
};

GroupSums sums(const mesh::GeometryView& geometry, const mesh::BoundSizes& bounds, const MeshGroup& group) {
    GroupSums out;
    GeometryStats& stats = out.stats;
    stats.vertices = group.source_vertices;
    stats.uncompressed_bytes = group.uncompressed_bytes;
    stats.error_position_max = group.error_position_max;
    stats.error_position_rms = group.error_position_rms;
    stats.error_position_max_relative = group.error_position_max_relative;
    stats.dropped_degenerate = group.dropped_degenerate;
    stats.dropped_by_grid = group.dropped_by_grid;
    stats.dropped_duplicate = group.dropped_duplicate;
    for (std::uint32_t m = group.first_mesh; m < group.first_mesh + group.mesh_count; ++m) {
        const mesh::FinestMesh finest(geometry, m);
        const mesh::MeshView& mesh = finest.mesh();
        stats.triangles += mesh.header->triangle_count;
        stats.encoded_vertices += mesh.header->vertex_count;
        stats.sublets += mesh.sublet_bounds.size();
        stats.meshlets += mesh.meshlet_bounds.size();
        stats.bounds_bytes += mesh.sublet_bounds.size() * bounds.sublet + mesh.meshlet_bounds.size() * bounds.meshlet;
        stats.bytes += sizeof(mesh::MeshHeader);
        add_counts(out.counts, mesh);
        add_streams(stats, mesh);
        add_morphs(stats, mesh);
        add_bounds(mesh.sublet_bounds, stats.sublet_radius_mean, stats.sublet_cone_cutoff_mean);
        add_bounds(mesh.meshlet_bounds, stats.meshlet_radius_mean, stats.meshlet_cone_cutoff_mean);
        if (geometry.lod_groups.empty()) continue;
        const mesh::MeshView all = mesh::mesh_view(geometry, m);
        for (std::uint32_t i = 0; i < all.header->meshlet_count; ++i) {
            const std::uint32_t level = level_of(geometry, geometry.lod_meshlets[all.header->first_meshlet + i]);
            add_meshlet(level_at(out.levels, level), all, bounds, i);
        }
    }
    stats.bytes += stats.payload_bytes + stats.stream_header_bytes + stats.bounds_bytes;
    return out;
}

void add(GeometryStats& total, const GeometryStats& stats) {
    total.triangles += stats.triangles;
    total.vertices += stats.vertices;
    total.encoded_vertices += stats.encoded_vertices;
    total.sublets += stats.sublets;
    total.meshlets += stats.meshlets;
    total.payload_bytes += stats.payload_bytes;
    total.stream_header_bytes += stats.stream_header_bytes;
    total.bounds_bytes += stats.bounds_bytes;
    total.uncompressed_bytes += stats.uncompressed_bytes;
    for (std::size_t type = 0; type < shared::kStreamTypes; ++type)
        total.stream_bytes[type] += stats.stream_bytes[type];
    total.tangent_bits += stats.tangent_bits;
    for (std::size_t a = 0; a < shared::kMorphAttributes; ++a) total.morph_bytes[a] += stats.morph_bytes[a];
    total.sublet_radius_mean += stats.sublet_radius_mean;
    total.sublet_cone_cutoff_mean += stats.sublet_cone_cutoff_mean;
    total.meshlet_radius_mean += stats.meshlet_radius_mean;
    total.meshlet_cone_cutoff_mean += stats.meshlet_cone_cutoff_mean;
    total.error_position_max = std::max(total.error_position_max, stats.error_position_max);
    total.error_position_max_relative = std::max(total.error_position_max_relative, stats.error_position_max_relative);
    total.dropped_degenerate += stats.dropped_degenerate;
    if (!stats.dropped_by_grid) total.dropped_by_grid.reset();
    if (total.dropped_by_grid) *total.dropped_by_grid += *stats.dropped_by_grid;
    total.dropped_duplicate += stats.dropped_duplicate;
}

// What add_meshlet() counted of a group.
void add(std::vector<LevelStats>& total, const std::vector<LevelStats>& group) {
    for (std::uint32_t i = 0; i < group.size(); ++i) {
        LevelStats& level = level_at(total, i);
        level.meshlets += group[i].meshlets;
        level.sublets += group[i].sublets;
        level.triangles += group[i].triangles;
        level.vertices += group[i].vertices;
        level.bytes += group[i].bytes;
    }
}

void add_lod_groups(std::vector<LevelStats>& levels, std::span<const mesh::LodGroup> groups) {
    for (const mesh::LodGroup& group : groups) {
        LevelStats& level = level_at(levels, group.level);
        ++level.groups;
        level.bytes += sizeof(mesh::LodGroup);
        if (std::isinf(group.error)) {
            ++level.roots;
            continue;
        }
        LevelStats& simplified = level_at(levels, group.level + 1);
        const auto error = static_cast<double>(group.error);
        simplified.error_min = simplified.error_max > 0.0 ? std::min(simplified.error_min, error) : error;
        simplified.error_max = std::max(simplified.error_max, error);
    }
}

}  // namespace

mesh::BoundSizes bound_sizes(const EncodedScene& scene) {
    if (!scene.unchecked) return mesh::bound_sizes(scene.geometry);
    return {sizeof(format::ShortSubletBound), sizeof(format::ShortMeshletBound)};  // else nothing is left unchecked
}

SceneStats scene_stats(const EncodedScene& scene, ThreadPool* pool) {
    const std::vector<MeshGroup>& groups = scene.scene.mesh_groups;
    const mesh::BoundSizes bounds = mesh::bound_sizes(scene.geometry, pool);
    std::vector<GroupSums> parts(groups.size());
    mesh::for_ranges(pool, groups.size(), 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) parts[i] = sums(scene.geometry, bounds, groups[i]);
    });
    SceneStats out;
    GeometryStats& total = out.total;
    total.dropped_by_grid = 0;
    mesh::GeometryEnd counts;
    double squares = 0.0;
    for (GroupSums& part : parts) {
        GeometryStats& stats = part.stats;
        add(total, stats);
        squares += stats.error_position_rms * stats.error_position_rms * static_cast<double>(stats.vertices);
        mesh::for_each_array([](const char* /*name*/, std::uint64_t& sum, std::uint64_t count) { sum += count; },
                             counts, part.counts);
        add(out.levels, part.levels);
        finish(stats);
        out.meshes.push_back(stats);
    }
    finish(total);
    if (total.vertices > 0) total.error_position_rms = std::sqrt(squares / static_cast<double>(total.vertices));
    total.bytes = size_without_images(scene, counts, bounds);
    out.bytes = size_without_images(scene, mesh::end_of(scene.geometry), bounds);
    add_lod_groups(out.levels, scene.geometry.lod_groups);
    return out;
}

std::vector<ImageStats> image_stats(const Scene& scene) {
    std::map<std::string, ImageStats> by_format;
    const std::vector<TextureUses> uses = image_uses(scene);
    for (std::size_t i = 0; i < scene.images.size(); ++i) {
        const Image& image = scene.images[i];
        std::string format = image.mime_type;
        std::uint64_t texture = 0;
        try {
            const ImageHeader header = read_image_header(image, true);
            texture = uses[i].size() * texture_bytes(header.width, header.height, header.format);
            const bool blocks = header.has_mips && header.format != TexelFormat::kRgba8;
            if (blocks && !holds_basis_universal(image.bytes)) format += std::string(" ") + format_name(header.format);
        } catch (const Error&) {  // it takes no memory: its stand-in is drawn
        }
        ImageStats& stats = by_format[format];
        stats.format = format;
        ++stats.count;
        stats.bytes += image.bytes.size();
        stats.texture_bytes += texture;
    }
    std::vector<ImageStats> result;
    for (auto& [name, stats] : by_format) result.push_back(std::move(stats));
    return result;
}

}  // namespace sublet::scene
