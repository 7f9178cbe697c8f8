// The .sublet container: a whole encoded scene in one file that is mapped, checked once, and read as it lies
// (docs/FORMAT.md).
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mesh/encode.h"
#include "mesh/short_bounds.h"
#include "mesh/view.h"
#include "scene/file_scenes.h"
#include "scene/import.h"
#include "scene/scene.h"
#include "scene/unchecked_groups.h"

namespace sublet {
class OpenFile;
class ThreadPool;
}  // namespace sublet

namespace sublet::scene {

class EncodeStore;

// How a file was encoded, kept in it.
struct EncodeInfo {
    std::string generator;  // program and version
    std::string source;     // file name, without its folder
    std::string style;      // as asked for
    int position_bits = 0;
    int uv_bits = 0;
    std::uint64_t source_bytes = 0;
};

// A scene ready to be drawn: geometry as encoded, in a mapped file or in memory, and everything else.
struct EncodedScene {
    Scene scene;
    mesh::GeometryView geometry;
    EncodeInfo info;
    std::vector<std::string> notes;       // what the import ignored or mended, clean
    std::uint64_t file_bytes = 0;         // of the container, images included; 0 when it was never a file
    std::shared_ptr<const void> storage;  // keeps what `geometry` points into alive
    // Where the file has geometry.payload, and that file; null: nowhere but there.
    std::shared_ptr<const OpenFile> payload_file;
    std::uint64_t payload_offset = 0;  // bytes
    // What of `geometry` is left to be checked; null: nothing.
    std::shared_ptr<const UncheckedGroups> unchecked;

    // Check what is left: of a mesh, and of all. Any thread. Throw Error.
    void check(std::uint32_t mesh) const;
    void check_all() const;
};

// The size of the first mesh group: the largest extent of its bounding box, in its own space, as its morph targets have
// it, or where a skin deforms it as its joints are.
[[nodiscard]] float mesh_size(const EncodedScene& scene);
// From a neighbour of the grid to the next, in units of the scene.
[[nodiscard]] float grid_distance(const EncodedScene& scene, const Grid& grid);
// The instances of the scene, or of the grid where there is one, with the materials of a variant:
// materials_of_variant(), which throws Error.
[[nodiscard]] std::vector<Instance> instances(const EncodedScene& scene, const Grid& grid,
                                              std::string_view variant = {});

struct EncodeTimes {  // seconds of wall clock, but as noted
    double import = 0, cluster = 0, pack = 0, bounds = 0, levels = 0, write = 0, total = 0;
    double encode_wall = 0;  // cluster + pack + bounds + levels, as the clock on the wall has it
};

// About how much memory a triangle takes while its mesh group is encoded.
inline constexpr std::uint64_t kEncodeBytesPerTriangle = 200;

// Where what is being encoded lies.
struct EncodeSpace {
    // Bytes that mesh groups which are being encoded may take, by that figure. One that takes more has it to itself.
    std::uint64_t memory = std::uint64_t{2} << 30U;
    // Where groups that are done go, and what an encoding that was stopped has left; null: they stay in memory.
    std::shared_ptr<EncodeStore> store = nullptr;
};

// Encodes every mesh, on all cores of `pool`, as it is read. The order of meshes is the scene's. `times`, if any, gets
// what reading took added to `import`. Throws Error as the reader does, naming the mesh group of what can't be encoded,
// and where every triangle is degenerate.
[[nodiscard]] EncodedScene encode_scene(GroupReader& reader, const mesh::EncodeOptions& options, ThreadPool& pool,
                                        EncodeTimes* times = nullptr, const EncodeSpace& space = {});
// The same of a scene that is in memory; consumes its triangles.
[[nodiscard]] EncodedScene encode_scene(ImportedScene&& imported, const mesh::EncodeOptions& options, ThreadPool& pool,
                                        EncodeTimes* times = nullptr);

// The scene with levels of detail of its meshes, or with the finest alone; they have some or not. It is in the plain
// coding then; all else stays as it is. Throws Error where an offset would need more than 32 bits.
[[nodiscard]] EncodedScene with_levels(EncodedScene scene, mesh::Levels levels, ThreadPool* pool = nullptr);

// The same scene, its geometry in this coding. Throws Error where an offset would need more than 32 bits.
[[nodiscard]] EncodedScene with_coding(EncodedScene scene, mesh::Coding coding, ThreadPool* pool = nullptr);

// Size in bytes of the container without its images, where the arrays of its geometry have so many elements.
// `bounds`: mesh::bound_sizes() of the geometry.
[[nodiscard]] std::uint64_t size_without_images(const EncodedScene& scene, const mesh::GeometryEnd& counts,
                                                const mesh::BoundSizes& bounds);

// Writes to a temporary beside `path` and renames: a failure leaves what was there.
void write_sublet(const std::filesystem::path& path, const EncodedScene& scene);

// Maps and checks a .sublet file, on all cores of `pool` where there is one. Throws Error naming file, section and
// value on anything foreign, truncated or corrupt. With `kTables` levels of detail that can come in groups are left
// unchecked, where the file has short bounds: it takes as long as its tables do.
[[nodiscard]] EncodedScene open_sublet(const std::filesystem::path& path, ThreadPool* pool = nullptr,
                                       mesh::Validate what = mesh::Validate::kAll);

struct SceneSource {
    // That loading it may read, its own first: for a .gltf or .glb those that its buffers and images name, whether they
    // are there or not, but none that the options forbid.
    std::vector<std::filesystem::path> files;
    FileScenes scenes;  // of a .gltf or .glb
};

// What a SCENE is made of. Nothing for an empty path. Throws Error as import_gltf does on a document that is malformed.
[[nodiscard]] SceneSource scene_source(const std::filesystem::path& path, const ImportOptions& import = {});

// Any SCENE of the command line, all of it in one coding: .sublet is opened; .gltf and .glb are imported and encoded in
// memory; an empty path is the built-in scene. Throws Error, too, where a scene is chosen of what has just one.
// Something of it may be left unchecked.
[[nodiscard]] EncodedScene load_scene(const std::filesystem::path& path, const mesh::EncodeOptions& options,
                                      ThreadPool& pool, const ImportOptions& import = {});

// Bytes of a bound in a file of the scene.
[[nodiscard]] mesh::BoundSizes bound_sizes(const EncodedScene& scene);

// Sizes and quality of what is encoded, in total and for each glTF mesh: the figures of `encode --json` and `info`. Of
// meshes with levels of detail they are those of the finest.
struct GeometryStats {
    std::uint64_t triangles = 0, vertices = 0 /* of the source */, encoded_vertices = 0, sublets = 0, meshlets = 0;
    std::uint64_t bytes = 0;  // everything but images
    // Those of morph targets are payload and headers too, their masks headers.
    std::uint64_t payload_bytes = 0, stream_header_bytes = 0, bounds_bytes = 0, uncompressed_bytes = 0;
    std::array<std::uint64_t, shared::kStreamTypes> stream_bytes{};  // of payload, by type
    std::uint64_t tangent_bits = 0;  // of those of normals and tangents, what tangents take
    std::array<std::uint64_t, shared::kMorphAttributes> morph_bytes{};  // of payload: what targets add, by attribute
    double sublet_radius_mean = 0, sublet_cone_cutoff_mean = 0, meshlet_radius_mean = 0, meshlet_cone_cutoff_mean = 0;
    double error_position_max = 0, error_position_rms = 0, error_position_max_relative = 0;
    std::uint64_t dropped_degenerate = 0, dropped_duplicate = 0;
    std::optional<std::uint64_t> dropped_by_grid;
};

// One level of detail, of all meshes that have some.
struct LevelStats {
    std::uint64_t meshlets = 0, sublets = 0 /* with triangles */, triangles = 0, vertices = 0, bytes = 0;
    std::uint64_t groups = 0;             // that contain its meshlets, and none that were simplified more often
    std::uint64_t roots = 0;              // groups of these that were not simplified
    double error_min = 0, error_max = 0;  // of what it was simplified to; 0 of the finest. Object space.
};

struct SceneStats {
    GeometryStats total;
    std::vector<GeometryStats> meshes;  // one for each mesh group
    std::vector<LevelStats> levels;     // the finest first; empty where no mesh has some
    std::uint64_t bytes = 0;            // of all levels: everything but images
};

// Linear in the sublets, on all cores of `pool` where there is one. Of validated geometry.
[[nodiscard]] SceneStats scene_stats(const EncodedScene& scene, ThreadPool* pool = nullptr);

// Images of one format, together.
struct ImageStats {
    std::string format;  // "image/png"; of KTX2 files that hold a format of Vulkan's that too
    std::uint64_t count = 0;
    std::uint64_t bytes = 0;          // in the file
    std::uint64_t texture_bytes = 0;  // on a device that reads blocks, mips included; those that can't be read: 0
};

// By name of the format.
[[nodiscard]] std::vector<ImageStats> image_stats(const Scene& scene);

struct ExportOptions {
    std::uint64_t most_decoding = std::uint64_t{1} << 32U;  // bytes that decoding an image, or morph targets, may take
    // Meshes as morph targets and joints deform them (the latter in the world), and neither of both.
    bool bake_pose = false;
};

// The CPU reference decoder's way back: a GLB with the scene's nodes, materials and images. Written like write_sublet.
// Images of formats that glTF lacks become PNG, or are left out (note_once()). Throws Error where a mesh takes too
// much.
void export_glb(const std::filesystem::path& path, const EncodedScene& scene, const ExportOptions& options = {});

}  // namespace sublet::scene
