// encode_scene and load_scene: from an imported scene to one that is ready to be drawn.
#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/path_text.h"
#include "base/progress.h"
#include "base/stopwatch.h"
#include "base/thread_pool.h"
#include "mesh/arrays.h"
#include "mesh/recode.h"
#include "mesh/view.h"
#include "scene/container.h"
#include "scene/file_kind.h"
#include "scene/gltf/document.h"
#include "scene/gltf/nodes.h"
#include "scene/grid_notes.h"
#include "scene/notes.h"

namespace sublet::scene {
namespace {

constexpr std::string_view style_name(mesh::Style style) {
    constexpr std::array<std::string_view, 4> kNames{"auto", "wireframe", "textured", "skinned"};
    return kNames.at(static_cast<std::size_t>(style));
}

std::uint64_t uncompressed_bytes(const SourceMesh& mesh) {
    std::uint64_t bytes = mesh.indices.size() * sizeof(mesh.indices[0]);
    const auto add = [&](const mesh::Attribute&, const auto& values) { bytes += values.size() * sizeof(values[0]); };
    mesh::for_each_attribute(add, mesh);
    for (const mesh::MorphArrays& morph : mesh.morphs) {
        bytes += (morph.positions.size() + morph.normals.size() + morph.tangents.size()) * sizeof(morph.positions[0]);
    }
    return bytes;
}

MeshGroup group_of(const SourceMeshGroup& source, const mesh::EncodeStats& stats) {
    MeshGroup group;
    group.name = source.name;
    group.mesh_count = static_cast<std::uint32_t>(source.meshes.size());
    group.source_triangles = stats.source_triangles;
    group.source_vertices = stats.source_vertices;
    for (const SourceMesh& mesh : source.meshes) group.uncompressed_bytes += uncompressed_bytes(mesh);
    group.dropped_degenerate = stats.dropped_degenerate;
    group.dropped_by_grid = stats.dropped_by_grid;
    group.dropped_duplicate = stats.dropped_duplicate;
    group.error_position_max = stats.error.position_max;
    group.error_position_rms = stats.error.position_rms;
    group.error_position_max_relative = stats.error.position_max_relative;
    group.weights = source.weights;
    group.target_names = source.target_names;
    return group;
}

// Of the next mesh of the scene.
void add_materials(const SourceMesh& mesh, Scene& scene) {
    const auto index = static_cast<std::uint32_t>(scene.mesh_materials.size());
    scene.mesh_materials.push_back(mesh.material);
    for (const VariantMaterial& other : mesh.variants) {
        scene.variants[other.variant].meshes.push_back({index, other.material});
    }
}

struct Encoded {
    mesh::Geometry geometry;
    MeshGroup group;
    mesh::EncodeStats stats;
};

std::uint64_t triangles_of(const SourceMeshGroup& source) {
    std::uint64_t triangles = 0;
    for (const SourceMesh& mesh : source.meshes) triangles += mesh.indices.size() / 3;
    return triangles;
}

// `pool`: for what lies within the group; null: the caller does it.
Encoded encode_group(SourceMeshGroup&& source, std::size_t index, const mesh::EncodeOptions& options, ThreadPool* pool,
                     Progress& progress) {
    std::vector<mesh::MeshInput> inputs;
    inputs.reserve(source.meshes.size());
    for (const SourceMesh& mesh : source.meshes) inputs.push_back(mesh.view());
    std::string name = "mesh group " + std::to_string(index);
    if (!source.name.empty()) name += " (" + source.name + ")";
    mesh::EncodedMeshes encoded = mesh::encode(inputs, options, name, pool, &progress);
    Encoded result{std::move(encoded.geometry), group_of(source, encoded.stats), encoded.stats};
    source = {};  // its triangles are not needed any more: what is held at a time stays in proportion
    return result;
}

// Takes the skins of nodes away whose meshes joints do not deform: the style left them out. Returns whether there were.
bool drop_skins(EncodedScene& encoded) {
    bool dropped = false;
    for (Node& node : encoded.scene.nodes) {
        if (node.skin < 0) continue;
        const MeshGroup& group = encoded.scene.mesh_groups[static_cast<std::size_t>(node.mesh_group)];
        const auto meshes = encoded.geometry.meshes.subspan(group.first_mesh, group.mesh_count);
        if (std::ranges::any_of(meshes, mesh::deforms)) continue;
        node.skin = -1;
        dropped = true;
    }
    return dropped;
}

// Thread-seconds of the stages, scaled so that they add up to the time that passed.
void set_times(EncodeTimes& times, const mesh::EncodeSeconds& seconds, double wall) {
    const double sum = seconds.cluster + seconds.pack + seconds.bounds + seconds.levels;
    const double scale = sum > 0.0 ? wall / sum : 0.0;
    times.cluster = seconds.cluster * scale;
    times.pack = seconds.pack * scale;
    times.bounds = seconds.bounds * scale;
    times.levels = seconds.levels * scale;
    times.encode_wall = wall;
}

}  // namespace

EncodedScene encode_scene(ImportedScene&& imported, const mesh::EncodeOptions& options, ThreadPool& pool,
                          EncodeTimes* times) {
    const Stopwatch clock;
    std::vector<SourceMeshGroup> sources = std::move(imported.groups);
    std::uint64_t triangles = 0;
    for (const SourceMeshGroup& source : sources) triangles += triangles_of(source);
    EncodedScene encoded;
    encoded.scene = std::move(imported.scene);
    encoded.scene.mesh_groups.clear();
    encoded.scene.mesh_materials.clear();
    for (Variant& variant : encoded.scene.variants) variant.meshes.clear();
    for (const SourceMeshGroup& source : sources) {
        for (const SourceMesh& mesh : source.meshes) add_materials(mesh, encoded.scene);
    }

    std::vector<Encoded> results(sources.size());
    {
        Progress progress("encode", triangles, "triangles", mesh::kEncodeSteps);
        pool.parallel_for(sources.size(), 1, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                // Threads that each have a group of their own do not wait for one another.
                const bool is_large = triangles_of(sources[i]) * pool.thread_count() * 2 > triangles;
                results[i] = encode_group(std::move(sources[i]), i, options, is_large ? &pool : nullptr, progress);
            }
        });
    }
    auto geometry = std::make_shared<mesh::Geometry>();
    mesh::EncodeSeconds seconds;
    if (results.size() == 1) *geometry = std::move(results[0].geometry);
    std::vector<GridLoss> losses;
    losses.reserve(results.size());
    std::uint32_t meshes = 0;
    for (Encoded& result : results) {
        losses.push_back({result.group.name, result.stats});
        result.group.first_mesh = std::exchange(meshes, meshes + result.group.mesh_count);
        encoded.scene.mesh_groups.push_back(std::move(result.group));
        seconds.cluster += result.stats.seconds.cluster;
        seconds.pack += result.stats.seconds.pack;
        seconds.bounds += result.stats.seconds.bounds;
        seconds.levels += result.stats.seconds.levels;
        if (results.size() > 1) {
            mesh::append(*geometry, result.geometry.view());
            result.geometry = {};
        }
    }
    if (geometry->meshlet_bounds.empty()) {
        throw Error(imported.source, "scene", "every triangle is degenerate: nothing is left to draw");
    }
    encoded.geometry = geometry->view();
    encoded.storage = std::move(geometry);
    encoded.notes = std::move(imported.notes);
    encoded.info.source = std::move(imported.source);
    encoded.info.source_bytes = imported.source_bytes;
    encoded.info.style = style_name(options.style);
    encoded.info.position_bits =
        options.position_bits == mesh::kAutoPositionBits ? mesh::kDefaultPositionBits : options.position_bits;
    encoded.info.uv_bits = options.uv_bits;
    if (drop_skins(encoded)) {
        encoded.notes.push_back("meshes lose their joints by the style " + encoded.info.style +
                                ": they are drawn in their bind pose, where their nodes are");
    }
    for (std::string& note : grid_notes(losses, options.coding)) encoded.notes.push_back(std::move(note));
    encoded.notes = clean_notes(encoded.notes);  // names of meshes are in them
    if (times != nullptr) set_times(*times, seconds, clock.seconds());
    return encoded;
}

SceneSource scene_source(const std::filesystem::path& path, const ImportOptions& import) {
    if (path.empty()) return {};
    SceneSource out{.files = {path}, .scenes = {}};
    if (file_kind(path) == FileKind::kSublet) return out;
    const gltf::Document document(path, import.allow_outside);
    const std::vector<std::filesystem::path> named = document.files();
    out.files.insert(out.files.end(), named.begin(), named.end());
    out.scenes = gltf::scenes_of(document);
    return out;
}

EncodedScene load_scene(const std::filesystem::path& path, const mesh::EncodeOptions& options, ThreadPool& pool,
                        const ImportOptions& import) {
    const bool encoded = !path.empty() && file_kind(path) == FileKind::kSublet;
    if ((encoded || path.empty()) && !import.scene.empty()) {
        throw Error(path.empty() ? "built-in scene" : path_text(path), "",
                    "has one scene: --scene '" + import.scene + "' is for the scenes of .gltf and .glb files");
    }
    if (encoded) {
        EncodedScene scene = open_sublet(path, &pool, mesh::Validate::kTables);
        const bool compact = !mesh::has_other_coding(scene.geometry, mesh::Coding::kCompact) ||
                             std::ranges::any_of(scene.geometry.meshes, mesh::has_wide_positions);
        return with_coding(std::move(scene), compact ? mesh::Coding::kCompact : mesh::Coding::kPlain, &pool);
    }
    ImportedScene imported = path.empty() ? make_builtin_scene(1, &pool) : import_gltf(path, import, &pool);
    return encode_scene(std::move(imported), options, pool);
}

}  // namespace sublet::scene
