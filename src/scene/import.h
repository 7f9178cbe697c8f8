// glTF import: files to the scene model and plain triangles.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mesh/encode.h"
#include "scene/scene.h"

namespace sublet {
class Progress;
class ThreadPool;
}  // namespace sublet

namespace sublet::scene {

// What a mesh is made of in one of the scene's variants.
struct VariantMaterial {
    std::uint32_t variant = 0;
    std::uint32_t material = 0;
};

// A mesh, as floats: the triangles of one glTF primitive.
struct SourceMesh : mesh::MeshArrays {
    // The largest number of a joint with a weight: what a skin must have to move the mesh.
    struct LargestJoint {
        std::uint32_t joint = 0;
        std::size_t vertex = 0;  // in the file
        std::size_t set = 0;     // JOINTS_n
    };
    std::optional<LargestJoint> largest_joint;  // where joints move it
    std::uint32_t material = 0;
    std::vector<VariantMaterial> variants;  // where it has another material, ascending, each once
};

// The meshes of one glTF mesh.
struct SourceMeshGroup {
    std::string name;
    std::vector<SourceMesh> meshes;
    // As in MeshGroup. Every mesh has as many morph targets.
    std::vector<float> weights;
    std::vector<std::string> target_names;
};

struct ImportedScene {
    Scene scene;                          // encode_scene fills mesh_groups, mesh_materials, variants[].meshes
    std::vector<SourceMeshGroup> groups;  // one for each of scene.mesh_groups, in order
    std::vector<std::string> notes;       // what was ignored or mended, each once, clean (scene/notes.h)
    std::string source;                   // file name, without its folder
    std::uint64_t source_bytes = 0;       // of the file and of what it refers to
};

// A scene whose mesh groups come one after the other: their triangles need not be in memory all at a time.
class GroupReader {
  public:
    GroupReader() = default;
    virtual ~GroupReader() = default;
    GroupReader(const GroupReader&) = delete;
    GroupReader& operator=(const GroupReader&) = delete;

    // Of all groups, before any is read: what the file says. What can't be read counts too.
    [[nodiscard]] virtual std::uint64_t triangles() const = 0;
    // Of the group that is read next.
    [[nodiscard]] virtual std::uint64_t next_triangles() const = 0;
    // The next of scene.mesh_groups; nothing after the last one. `progress`, if any, advances by the triangles. Throws
    // Error.
    [[nodiscard]] virtual std::optional<SourceMeshGroup> next(Progress* progress) = 0;
    // The scene without its groups, once next() gave the last one. Throws Error.
    [[nodiscard]] virtual ImportedScene finish() = 0;
};

struct ImportOptions {
    bool allow_outside = false;  // URIs may name files outside of the folder of the scene
    std::string scene = {};      // the one of the file's that is read: FileScenes::find()
};

// Reads a .gltf or .glb, what takes long on all cores of `pool` where there is one. Throws Error naming the file, the
// field and the value on anything malformed, on an unknown required extension and on a scene without triangles;
// OutsideFolder (base/mapped_file.h) on a URI that leaves the scene's folder.
[[nodiscard]] ImportedScene import_gltf(const std::filesystem::path& path, const ImportOptions& options = {},
                                        ThreadPool* pool = nullptr);
// The same, group by group. Of a file whose materials enlarge texture coordinates (scene/uv_baking.h) all groups are
// read before the first one comes. `pool` must outlive it.
[[nodiscard]] std::unique_ptr<GroupReader> read_gltf(const std::filesystem::path& path,
                                                     const ImportOptions& options = {}, ThreadPool* pool = nullptr);

// The built-in scene: rooms with doorways and columns, materials of every kind with generated textures, foliage with
// alpha masks, mirrored and unevenly scaled instances. Deterministic: equal seeds give equal bytes. Its textures are
// made on all cores of `pool` where there is one.
[[nodiscard]] ImportedScene make_builtin_scene(std::uint32_t seed = 1, ThreadPool* pool = nullptr);

}  // namespace sublet::scene
