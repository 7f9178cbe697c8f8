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
#include "mesh/recode.h"
#include "mesh/view.h"
#include "scene/container.h"
#include "scene/encode_store.h"
#include "scene/file_kind.h"
#include "scene/gltf/document.h"
#include "scene/gltf/nodes.h"
#include "scene/grid_notes.h"
#include "scene/group_encoder.h"
#include "scene/notes.h"

namespace sublet::scene {
namespace {

constexpr std::string_view style_name(mesh::Style style) {
    constexpr std::array<std::string_view, 4> kNames{"auto", "wireframe", "textured", "skinned"};
    return kNames.at(static_cast<std::size_t>(style));
}

// Groups that are in memory already.
class HeldGroups final : public GroupReader {
  public:
    explicit HeldGroups(ImportedScene&& scene) : scene_(std::move(scene)) {}

    [[nodiscard]] std::uint64_t triangles() const override {
        std::uint64_t sum = 0;
        for (const SourceMeshGroup& group : scene_.groups) sum += triangles_of(group);
        return sum;
    }
    [[nodiscard]] std::uint64_t next_triangles() const override {
        return next_ < scene_.groups.size() ? triangles_of(scene_.groups[next_]) : 0;
    }
    [[nodiscard]] std::optional<SourceMeshGroup> next(Progress* progress) override {
        if (next_ == scene_.groups.size()) return std::nullopt;
        if (progress != nullptr) progress->advance(next_triangles());
        return std::move(scene_.groups[next_++]);
    }
    [[nodiscard]] ImportedScene finish() override { return std::move(scene_); }

  private:
    ImportedScene scene_;
    std::size_t next_ = 0;
};

// Of the next mesh of the scene.
void add_materials(const DoneGroup::Mesh& mesh, Scene& scene) {
    const auto index = static_cast<std::uint32_t>(scene.mesh_materials.size());
    scene.mesh_materials.push_back(mesh.material);
    for (const VariantMaterial& other : mesh.variants) {
        scene.variants[other.variant].meshes.push_back({index, other.material});
    }
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
void set_times(EncodeTimes& times, double reading, const mesh::EncodeSeconds& seconds, double wall) {
    const double encoding = seconds.cluster + seconds.pack + seconds.bounds + seconds.levels;
    const double scale = encoding > 0.0 ? wall / (reading + encoding) : 0.0;
    times.import += reading * scale;
    times.cluster = seconds.cluster * scale;
    times.pack = seconds.pack * scale;
    times.bounds = seconds.bounds * scale;
    times.levels = seconds.levels * scale;
    times.encode_wall = encoding * scale;
}

}  // namespace

EncodedScene encode_scene(GroupReader& reader, const mesh::EncodeOptions& options, ThreadPool& pool, EncodeTimes* times,
                          const EncodeSpace& space) {
    const Stopwatch clock;
    const std::size_t done_before = space.store ? space.store->groups() : 0;
    std::vector<DoneGroup> groups;
    mesh::Geometry geometry;
    double reading = 0;
    {
        GroupEncoder encoder(reader, options, pool, space);
        encoder.run();
        groups = std::move(encoder.groups());
        geometry = std::move(encoder.geometry());
        reading = encoder.reading_seconds();
    }
    ImportedScene imported = reader.finish();
    EncodedScene encoded;
    encoded.scene = std::move(imported.scene);
    encoded.scene.mesh_groups.clear();
    encoded.scene.mesh_materials.clear();
    for (Variant& variant : encoded.scene.variants) variant.meshes.clear();
    mesh::EncodeSeconds seconds;
    std::vector<GridLoss> losses;
    losses.reserve(groups.size());
    for (DoneGroup& done : groups) {
        losses.push_back({done.group.name, done.stats});
        seconds.cluster += done.stats.seconds.cluster;
        seconds.pack += done.stats.seconds.pack;
        seconds.bounds += done.stats.seconds.bounds;
        seconds.levels += done.stats.seconds.levels;
        done.group.first_mesh = static_cast<std::uint32_t>(encoded.scene.mesh_materials.size());
        for (const DoneGroup::Mesh& mesh : done.meshes) add_materials(mesh, encoded.scene);
        encoded.scene.mesh_groups.push_back(std::move(done.group));
    }
    if (space.store) {
        encoded.geometry = space.store->finish();
        // What a process before this one left is outside data, for all that its hashes say.
        if (done_before > 0) mesh::validate(encoded.geometry, "what was encoded before", &pool);
        encoded.storage = space.store;
    } else {
        auto storage = std::make_shared<mesh::Geometry>(std::move(geometry));
        encoded.geometry = storage->view();
        encoded.storage = std::move(storage);
    }
    if (encoded.geometry.meshlet_bounds.empty()) {
        throw Error(imported.source, "scene", "every triangle is degenerate: nothing is left to draw");
    }
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
    if (times != nullptr) set_times(*times, reading, seconds, clock.seconds());
    return encoded;
}

EncodedScene encode_scene(ImportedScene&& imported, const mesh::EncodeOptions& options, ThreadPool& pool,
                          EncodeTimes* times) {
    HeldGroups groups(std::move(imported));
    return encode_scene(groups, options, pool, times, {.memory = UINT64_MAX});
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
    if (path.empty()) return encode_scene(make_builtin_scene(1, &pool), options, pool);
    return encode_scene(*read_gltf(path, import, &pool), options, pool);
}

}  // namespace sublet::scene
