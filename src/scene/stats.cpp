// Sizes and quality of encoded geometry.
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "base/count_text.h"
#include "base/error.h"
#include "mesh/levels.h"
#include "mesh/morphs.h"
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

void finish(GeometryStats& stats) {
    const auto mean = [](double& sum, std::uint64_t count) {
        sum = count == 0 ? 0.0 : sum / static_cast<double>(count);
    };
    mean(stats.sublet_radius_mean, stats.sublets);
    mean(stats.sublet_cone_cutoff_mean, stats.sublets);
    mean(stats.meshlet_radius_mean, stats.meshlets);
    mean(stats.meshlet_cone_cutoff_mean, stats.meshlets);
}

GeometryStats sums(const mesh::GeometryView& geometry, const mesh::BoundSizes& bounds, const MeshGroup& group) {
    GeometryStats stats;
    stats.vertices = group.source_vertices;
    stats.uncompressed_bytes = group.uncompressed_bytes;
    stats.error_position_max = group.error_position_max;
    stats.error_position_rms = group.error_position_rms;
    stats.error_position_max_relative = group.error_position_max_relative;
    stats.dropped_degenerate = group.dropped_degenerate;
    stats.dropped_by_grid = group.dropped_by_grid;
    stats.dropped_duplicate = group.dropped_duplicate;
    for (std::uint32_t m = group.first_mesh; m < group.first_mesh + group.mesh_count; ++m) {
        const mesh::MeshView mesh = mesh::mesh_view(geometry, m);
        stats.triangles += mesh.header->triangle_count;
        stats.encoded_vertices += mesh.header->vertex_count;
        stats.sublets += mesh.sublet_bounds.size();
        stats.meshlets += mesh.meshlet_bounds.size();
        stats.bounds_bytes += mesh.sublet_bounds.size() * bounds.sublet + mesh.meshlet_bounds.size() * bounds.meshlet;
        stats.bytes += sizeof(mesh::MeshHeader);
        add_streams(stats, mesh);
        add_morphs(stats, mesh);
        add_bounds(mesh.sublet_bounds, stats.sublet_radius_mean, stats.sublet_cone_cutoff_mean);
        add_bounds(mesh.meshlet_bounds, stats.meshlet_radius_mean, stats.meshlet_cone_cutoff_mean);
    }
    stats.bytes += stats.payload_bytes + stats.stream_header_bytes + stats.bounds_bytes;
    return stats;
}

}  // namespace

mesh::BoundSizes bound_sizes(const EncodedScene& scene) {
    if (!scene.unchecked) return mesh::bound_sizes(scene.geometry);
    return {sizeof(format::ShortSubletBound), sizeof(format::ShortMeshletBound)};  // else nothing is left unchecked
}

std::vector<GeometryStats> mesh_stats(const EncodedScene& scene) {
    const mesh::FinestLevel finest(scene.geometry);
    const mesh::BoundSizes bounds = mesh::bound_sizes(finest.view());
    std::vector<GeometryStats> result;
    result.reserve(scene.scene.mesh_groups.size());
    for (const MeshGroup& group : scene.scene.mesh_groups) {
        result.push_back(sums(finest.view(), bounds, group));
        finish(result.back());
    }
    return result;
}

GeometryStats total_stats(const EncodedScene& scene) {
    const mesh::FinestLevel finest(scene.geometry);
    const mesh::BoundSizes bounds = mesh::bound_sizes(finest.view());
    GeometryStats total;
    total.dropped_by_grid = 0;
    double squares = 0.0;
    for (const MeshGroup& group : scene.scene.mesh_groups) {
        const GeometryStats stats = sums(finest.view(), bounds, group);
        total.triangles += stats.triangles;
        total.vertices += stats.vertices;
        total.encoded_vertices += stats.encoded_vertices;
        total.sublets += stats.sublets;
        total.meshlets += stats.meshlets;
        total.payload_bytes += stats.payload_bytes;
        total.stream_header_bytes += stats.stream_header_bytes;
        total.bounds_bytes += stats.bounds_bytes;
        total.uncompressed_bytes += stats.uncompressed_bytes;
        for (std::size_t type = 0; type < shared::kStreamTypes; ++type) {
            total.stream_bytes[type] += stats.stream_bytes[type];
        }
        total.tangent_bits += stats.tangent_bits;
        for (std::size_t a = 0; a < shared::kMorphAttributes; ++a) total.morph_bytes[a] += stats.morph_bytes[a];
        total.sublet_radius_mean += stats.sublet_radius_mean;
        total.sublet_cone_cutoff_mean += stats.sublet_cone_cutoff_mean;
        total.meshlet_radius_mean += stats.meshlet_radius_mean;
        total.meshlet_cone_cutoff_mean += stats.meshlet_cone_cutoff_mean;
        total.error_position_max = std::max(total.error_position_max, stats.error_position_max);
        total.error_position_max_relative =
            std::max(total.error_position_max_relative, stats.error_position_max_relative);
        squares += stats.error_position_rms * stats.error_position_rms * static_cast<double>(stats.vertices);
        total.dropped_degenerate += stats.dropped_degenerate;
        if (!stats.dropped_by_grid) total.dropped_by_grid.reset();
        if (total.dropped_by_grid) *total.dropped_by_grid += *stats.dropped_by_grid;
        total.dropped_duplicate += stats.dropped_duplicate;
    }
    finish(total);
    if (total.vertices > 0) total.error_position_rms = std::sqrt(squares / static_cast<double>(total.vertices));
    total.bytes = size_without_images(scene, finest.view());
    return total;
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
