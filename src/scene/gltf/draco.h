// Meshes of KHR_draco_mesh_compression, decoded into what accessors stand for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sublet::scene::gltf {

inline constexpr const char* kDracoExtension = "KHR_draco_mesh_compression";

// An attribute that is asked for.
struct DracoAttribute {
    std::uint32_t id = 0;           // Draco's own
    int components = 0;             // 1 to 4
    int component_type = 0;         // glTF's enumerant
    std::vector<std::byte> values;  // what is decoded: an element a vertex, packed
};

// What is decoded.
struct DracoTriangles {
    std::uint64_t most = 0;              // how many there may be, whatever the data say
    std::uint64_t named = 0;             // how many the data say there are: known even where they can't be decoded
    std::uint32_t vertices = 0;          // no more than triangles have corners
    std::vector<std::uint32_t> indices;  // three a triangle, not held to the vertices
};

// Decodes the attributes' values, and the triangles. Throws Error with the reason where the data are corrupt, and where
// they would take memory out of all proportion to their bytes; and where the program was built without Draco.
void decode_draco(std::span<const std::byte> bytes, DracoTriangles& triangles, std::span<DracoAttribute> attributes);

}  // namespace sublet::scene::gltf
