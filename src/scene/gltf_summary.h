// What a .gltf or .glb file holds, told without reading its triangles.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "scene/import.h"
#include "scene/scene.h"

namespace sublet::scene {

struct GltfSummary {
    bool binary = false;      // a .glb, by its content
    std::uint64_t bytes = 0;  // of the file and of what was read for it
    std::string version, generator;

    struct SceneOfFile {
        std::string name;
        std::uint64_t roots = 0;  // nodes
    };
    std::vector<SceneOfFile> scenes;
    int drawn_scene = -1;  // -1: the file has none, and all nodes are drawn

    // Counts are those that accessors name. A number that is larger than 64 bits hold is the largest that they do.
    struct Mesh {
        std::string name;
        std::uint64_t primitives = 0;
        std::uint64_t undrawn_primitives = 0;  // of these, points and lines
        std::uint64_t triangles = 0;
        std::uint64_t vertices = 0;             // those that several primitives share count once
        std::vector<std::string> target_names;  // one for each morph target; "" for one without
        std::uint64_t nodes = 0;                // of the drawn scene, that place it
    };
    std::vector<Mesh> meshes;

    struct SkinOfFile {
        std::string name;
        std::uint64_t joints = 0;
    };
    std::vector<SkinOfFile> skins;

    struct ExtensionOfFile {
        std::string name;
        bool required = false;
        std::string unsupported;  // what becomes of the file without it; empty: it is read
    };
    std::vector<ExtensionOfFile> extensions;  // required or used, by name

    // As the import reads it, without meshes: nodes of the drawn scene, which name `meshes` in mesh_group, materials,
    // textures, images, animations, lights, cameras, names of variants.
    Scene scene;
    std::vector<std::string> notes;  // of all but the meshes, clean

    [[nodiscard]] std::uint64_t triangles() const;
    [[nodiscard]] std::uint64_t vertices() const;
    [[nodiscard]] std::uint64_t primitives() const;
    // Primitives of all nodes of the drawn scene that may be seen, points and lines left out.
    [[nodiscard]] std::uint64_t instances() const;
};

// Reads as import_gltf() does, within its bounds, and throws what it does, but for what concerns meshes alone. A file
// that requires extensions which are not known is told of too.
[[nodiscard]] GltfSummary summarize_gltf(const std::filesystem::path& path, const ImportOptions& options = {});

}  // namespace sublet::scene
