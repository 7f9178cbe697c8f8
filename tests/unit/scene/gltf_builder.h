// Small glTF files, made by the tests that read them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "scene/container.h"
#include "scene/import.h"

namespace sublet::scene::testing {

using nlohmann::json;

inline constexpr int kI8 = 5120, kU8 = 5121, kI16 = 5122, kU16 = 5123, kU32 = 5125, kF32 = 5126;

// A document and its one buffer. `json` may be changed at will before it is written.
class GltfBuilder {
  public:
    GltfBuilder();

    // Appends bytes, aligned to 4; returns the new buffer view. A stride of 0 is left out.
    int view(std::span<const std::byte> bytes, std::size_t stride = 0);

    // An accessor over a new buffer view. `components` numbers make an element: type SCALAR, VEC2, ... or MAT4.
    template <typename T>
    int accessor(const std::vector<T>& values, int components, int component_type, bool normalized = false) {
        const int at = view(std::as_bytes(std::span(values)));
        return accessor_over(at, 0, values.size() / static_cast<std::size_t>(components), components, component_type,
                             normalized);
    }
    int accessor_over(int view, std::size_t offset, std::size_t count, int components, int component_type,
                      bool normalized = false);

    // Adds a mesh with one glTF primitive of these attributes; returns the mesh.
    int mesh(const json& attributes, int indices = -1, int mode = 4);
    int node(const json& node);

    // A triangle in the plane z = 0 with normals, placed by one node.
    static GltfBuilder triangle();

    std::filesystem::path write_glb(const std::string& name) const;
    // With the buffer beside it, as NAME.bin, or as a data URI.
    std::filesystem::path write_gltf(const std::string& name, bool embed) const;

    json root;
    std::vector<std::byte> binary;
};

void write_bytes(const std::filesystem::path& path, std::span<const std::byte> bytes);
void write_text(const std::filesystem::path& path, const std::string& text);
std::vector<std::byte> read_bytes(const std::filesystem::path& path);
std::string base64(std::span<const std::byte> bytes);

// A path in a folder of the running test's own.
std::filesystem::path test_path(const std::string& name);

// The message of the Error that importing this file throws; fails the test when it throws none.
std::string import_error(const std::filesystem::path& path);

// Imported, and encoded by the default options.
EncodedScene encode_file(const std::filesystem::path& path);

// A sphere of rings x segments quads, with normals and texture coordinates, as one mesh of one node.
GltfBuilder sphere_gltf(int rings, int segments);

// A strip of two squares in the plane z = 0, from (0, 0) to (1, 1) by four vertices, on two joints. The second one,
// node 2, hangs on the first, node 1, and was bound at y = 1; it has made a quarter turn about z. Vertex 2 is on it,
// and half of vertex 3. The mesh's node, 0, is somewhere else.
GltfBuilder skinned_strip();

// The first mesh of a scene that must have one group.
const SourceMesh& only_mesh(const ImportedScene& scene);

bool has_note(const ImportedScene& scene, const std::string& part);

}  // namespace sublet::scene::testing
