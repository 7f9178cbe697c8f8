#include "app/stats_report.h"

#include <algorithm>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "app/scene_report.h"
#include "app/text.h"
#include "mesh/morphs.h"
#include "mesh/recode.h"
#include "mesh/stream.h"

namespace sublet::app {

namespace {

using scene::GeometryStats;

double per(double amount, std::uint64_t count) {
    return count == 0 ? 0.0 : amount / static_cast<double>(count);
}

double bytes_per_triangle(const GeometryStats& stats) {
    return per(static_cast<double>(stats.bytes), stats.triangles);
}

// A fraction of a byte counts as one.
std::uint64_t tangent_bytes(const GeometryStats& stats) {
    return (stats.tangent_bits + 7) / 8;
}

Json figures(const GeometryStats& stats) {
    Json streams;
    for (const mesh::StreamType& stream : mesh::kStreams) {
        streams[stream.name]["bytes"] = stats.stream_bytes[stream.type];
    }
    streams[mesh::kStreams[shared::kStreamNormalTangent].name]["tangent_bytes"] = tangent_bytes(stats);
    for (std::size_t a = 0; a < shared::kMorphAttributes; ++a) {
        streams[mesh::kMorphs[a].stream_name]["bytes"] = stats.morph_bytes[a];
    }
    return {
        {"totals",
         {{"triangles", stats.triangles},
          {"vertices", stats.vertices},
          {"encoded_vertices", stats.encoded_vertices},
          {"sublets", stats.sublets},
          {"meshlets", stats.meshlets},
          {"bytes", stats.bytes},
          {"payload_bytes", stats.payload_bytes},
          {"stream_header_bytes", stats.stream_header_bytes},
          {"bounds_bytes", stats.bounds_bytes},
          {"uncompressed_bytes", stats.uncompressed_bytes},
          {"bytes_per_triangle", bytes_per_triangle(stats)},
          {"dropped_degenerate", stats.dropped_degenerate},
          {"dropped_by_grid", stats.dropped_by_grid ? Json(*stats.dropped_by_grid) : Json()},
          {"dropped_duplicate", stats.dropped_duplicate}}},
        {"streams", std::move(streams)},
        {"quality",
         {{"sublet_radius_mean", stats.sublet_radius_mean},
          {"sublet_cone_cutoff_mean", stats.sublet_cone_cutoff_mean},
          {"meshlet_radius_mean", stats.meshlet_radius_mean},
          {"meshlet_cone_cutoff_mean", stats.meshlet_cone_cutoff_mean}}},
        {"error",
         {{"position_max", stats.error_position_max},
          {"position_rms", stats.error_position_rms},
          {"position_max_relative", stats.error_position_max_relative}}},
    };
}

// A part of the file: its bytes, their share, what a triangle pays for it.
void add_part(Table& table, const std::string& name, std::uint64_t bytes, const GeometryStats& stats) {
    table.add({name, grouped(bytes), fixed(100.0 * per(static_cast<double>(bytes), stats.bytes), 1) + " %",
               fixed(per(static_cast<double>(bytes), stats.triangles), 2)});
}

void print_parts(std::ostream& out, const GeometryStats& stats) {
    Table table({"", "bytes", "share", "per triangle"});
    for (const mesh::StreamType& stream : mesh::kStreams) {
        const std::uint64_t bytes = stats.stream_bytes[stream.type];
        if (bytes > 0) add_part(table, stream.name, bytes, stats);
        if (stream.type == shared::kStreamNormalTangent && stats.tangent_bits > 0) {
            add_part(table, "  of it tangents", tangent_bytes(stats), stats);
        }
    }
    for (std::size_t a = 0; a < shared::kMorphAttributes; ++a) {
        if (stats.morph_bytes[a] > 0) add_part(table, mesh::kMorphs[a].stream_name, stats.morph_bytes[a], stats);
    }
    add_part(table, "stream headers", stats.stream_header_bytes, stats);
    add_part(table, "bounds", stats.bounds_bytes, stats);
    const std::uint64_t named = stats.payload_bytes + stats.stream_header_bytes + stats.bounds_bytes;
    if (stats.bytes > named) add_part(table, "scene and headers", stats.bytes - named, stats);
    add_part(table, "all but images", stats.bytes, stats);
    table.print(out, 2);
}

// What the file has beside the finest level.
struct LevelSums {
    std::uint64_t groups = 0, triangles = 0, sublets = 0, meshlets = 0, bytes = 0, roots = 0, stalled = 0;
};

LevelSums sum_levels(const scene::EncodedScene& scene, const scene::SceneStats& stats) {
    const std::vector<scene::LevelStats>& levels = stats.levels;
    LevelSums out;
    for (std::size_t i = 0; i < levels.size(); ++i) {
        out.groups += levels[i].groups;
        out.roots += levels[i].roots;
        if (i == 0) continue;
        out.triangles += levels[i].triangles;
        out.sublets += levels[i].sublets;
        out.meshlets += levels[i].meshlets;
    }
    out.bytes = stats.bytes - stats.total.bytes;
    // Each mesh that has levels ends in one root where all of it could be simplified.
    out.stalled = out.roots;
    for (const scene::MeshGroup& group : scene.scene.mesh_groups) {
        const auto meshes = scene.geometry.meshes.subspan(group.first_mesh, group.mesh_count);
        if (std::ranges::any_of(meshes, [](const auto& mesh) { return mesh.coarse_meshlets != 0; })) --out.stalled;
    }
    return out;
}

double fill(const scene::LevelStats& level) {
    return per(static_cast<double>(level.triangles), level.meshlets * shared::kMeshletSize);
}

// Nothing where no mesh has levels.
void add_levels_json(Json& json, const scene::EncodedScene& scene, const scene::SceneStats& stats) {
    const std::vector<scene::LevelStats>& levels = stats.levels;
    if (levels.empty()) return;
    const LevelSums sums = sum_levels(scene, stats);
    Json by_level = Json::array();
    for (const scene::LevelStats& level : levels) {
        by_level.push_back({{"meshlets", level.meshlets},
                            {"sublets", level.sublets},
                            {"triangles", level.triangles},
                            {"vertices", level.vertices},
                            {"fill", fill(level)},
                            {"error_min", level.error_min},
                            {"error_max", level.error_max},
                            {"groups", level.groups},
                            {"roots", level.roots},
                            {"bytes", level.bytes}});
    }
    json["lod"] = {{"levels", levels.size()}, {"groups", sums.groups},          {"triangles", sums.triangles},
                   {"sublets", sums.sublets}, {"meshlets", sums.meshlets},      {"bytes", sums.bytes},
                   {"roots", sums.roots},     {"stalled_groups", sums.stalled}, {"by_level", std::move(by_level)}};
    json["bytes_per_source_triangle"] = per(static_cast<double>(stats.bytes), stats.total.triangles);
}

void print_levels(std::ostream& out, const scene::EncodedScene& scene, const scene::SceneStats& stats) {
    const std::vector<scene::LevelStats>& levels = stats.levels;
    if (levels.empty()) return;
    const LevelSums sums = sum_levels(scene, stats);
    out << "\n  coarser levels of detail: " << counted(sums.triangles, "triangle") << " in "
        << counted(sums.meshlets, "meshlet") << ", " << counted(sums.bytes, "byte") << " ("
        << fixed(per(static_cast<double>(sums.bytes), stats.total.bytes), 2) << " times as many as the finest takes); "
        << counted(sums.groups, "group") << ", of which " << grouped(sums.stalled) << " could not be simplified\n";
    Table table(
        {"level", "meshlets", "triangles", "fill", "least error", "greatest error", "groups", "roots", "bytes"});
    for (std::size_t i = 0; i < levels.size(); ++i) {
        const scene::LevelStats& level = levels[i];
        table.add({std::to_string(i), grouped(level.meshlets), grouped(level.triangles),
                   fixed(100.0 * fill(level), 1) + " %", significant(level.error_min, 3),
                   significant(level.error_max, 3), grouped(level.groups), grouped(level.roots), grouped(level.bytes)});
    }
    table.print(out, 2);
}

void print_meshes(std::ostream& out, const scene::EncodedScene& scene, const std::vector<GeometryStats>& meshes) {
    Table table({"mesh", "triangles", "vertices", "encoded", "sublets", "meshlets", "bytes", "per triangle", "error"});
    for (std::size_t i = 0; i < meshes.size(); ++i) {
        const GeometryStats& mesh = meshes[i];
        const std::string& name = scene.scene.mesh_groups[i].name;
        table.add({name.empty() ? "#" + std::to_string(i) : name, grouped(mesh.triangles), grouped(mesh.vertices),
                   grouped(mesh.encoded_vertices), grouped(mesh.sublets), grouped(mesh.meshlets), grouped(mesh.bytes),
                   fixed(bytes_per_triangle(mesh), 2), significant(mesh.error_position_max, 3)});
    }
    table.print(out, 2);
}

std::string target_name(const scene::MeshGroup& group, std::size_t target) {
    const std::string name = group.target_names.empty() ? "" : group.target_names[target];
    return name.empty() ? "target " + std::to_string(target) : name;
}

// Of meshes that have some: how many, and the first names.
void print_targets(std::ostream& out, const scene::Scene& scene) {
    constexpr std::size_t kMostNames = 8;
    Table table({"morph targets of", "", ""});
    bool any = false;
    for (std::size_t i = 0; i < scene.mesh_groups.size(); ++i) {
        const scene::MeshGroup& group = scene.mesh_groups[i];
        if (group.weights.empty()) continue;
        any = true;
        std::string names;
        for (std::size_t t = 0; t < std::min(group.weights.size(), kMostNames); ++t) {
            names += (t == 0 ? "" : ", ") + target_name(group, t);
        }
        if (group.weights.size() > kMostNames) names += ", ..";
        table.add({group.name.empty() ? "#" + std::to_string(i) : group.name, grouped(group.weights.size()), names});
    }
    if (!any) return;
    out << '\n';
    table.print(out, 2);
}

}  // namespace

const char* coding_name(const scene::EncodedScene& scene) {
    const bool all_compact = !mesh::has_other_coding(scene.geometry, mesh::Coding::kCompact);
    return all_compact ? "compact" : mesh::has_other_coding(scene.geometry, mesh::Coding::kPlain) ? "mixed" : "plain";
}

Json stats_json(const scene::EncodedScene& scene, const scene::SceneStats& stats) {
    Json json = figures(stats.total);
    json["encoding"] = {{"generator", scene.info.generator},
                        {"source", scene.info.source},
                        {"source_bytes", scene.info.source_bytes},
                        {"style", scene.info.style},
                        {"coding", coding_name(scene)},
                        {"position_bits", scene.info.position_bits}};
    add_levels_json(json, scene, stats);
    add_scene_json(json, scene.scene, scene::instances(scene.scene).size());
    json["meshes"] = Json::array();
    for (std::size_t i = 0; i < stats.meshes.size(); ++i) {
        Json mesh{{"name", scene.scene.mesh_groups[i].name}};
        mesh.update(figures(stats.meshes[i]));
        const scene::MeshGroup& group = scene.scene.mesh_groups[i];
        if (group.mesh_count > 0) mesh["position_bits"] = scene.geometry.meshes[group.first_mesh].position_bits;
        mesh["morph_targets"] = Json::array();
        for (std::size_t t = 0; t < group.weights.size(); ++t) {
            mesh["morph_targets"].push_back({{"name", target_name(group, t)}, {"weight", group.weights[t]}});
        }
        json["meshes"].push_back(std::move(mesh));
    }
    return json;
}

void print_stats(std::ostream& out, const scene::EncodedScene& scene, const scene::SceneStats& all, bool per_mesh) {
    const GeometryStats& stats = all.total;
    out << "  " << counted(stats.triangles, "triangle") << ", " << counted(stats.vertices, "vertex", "vertices") << " ("
        << grouped(stats.encoded_vertices) << " encoded) in " << counted(stats.sublets, "sublet") << ", "
        << counted(stats.meshlets, "meshlet") << ", " << counted(scene.scene.mesh_groups.size(), "mesh", "meshes")
        << '\n';
    if (stats.dropped_degenerate + stats.dropped_duplicate > 0) {
        out << "  left out: " << grouped(stats.dropped_degenerate) << " degenerate ";
        if (stats.dropped_by_grid) out << '(' << grouped(*stats.dropped_by_grid) << " of them only on the grid) ";
        out << "and " << grouped(stats.dropped_duplicate)
            << (stats.dropped_duplicate == 1 ? " duplicate triangle\n" : " duplicate triangles\n");
    }
    out << "  " << counted(stats.bytes, "byte") << ", " << fixed(bytes_per_triangle(stats), 2)
        << " per triangle; uncompressed " << grouped(stats.uncompressed_bytes) << " ("
        << fixed(per(static_cast<double>(stats.uncompressed_bytes), stats.bytes), 2) << " times as much)\n\n";
    print_parts(out, stats);
    out << "\n  sublets:  mean radius " << significant(stats.sublet_radius_mean, 4) << ", mean cone cutoff "
        << fixed(stats.sublet_cone_cutoff_mean, 3) << "\n  meshlets: mean radius "
        << significant(stats.meshlet_radius_mean, 4) << ", mean cone cutoff "
        << fixed(stats.meshlet_cone_cutoff_mean, 3) << "\n  position error: at most "
        << significant(stats.error_position_max, 4) << " (" << significant(stats.error_position_max_relative, 3)
        << " of the diagonal), RMS " << significant(stats.error_position_rms, 4) << '\n';
    print_levels(out, scene, all);
    print_images(out, scene.scene);
    print_animations(out, scene.scene);
    print_targets(out, scene.scene);
    print_variants(out, scene.scene);
    if (per_mesh) {
        out << '\n';
        print_meshes(out, scene, all.meshes);
    }
}

}  // namespace sublet::app
