// Meshes of KHR_draco_mesh_compression, decoded into what accessors stand for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
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

// What the file's accessors say, which the data must keep to: they are known before anything is decoded.
struct DracoSize {
    std::uint64_t vertices = 0;
    std::uint64_t triangles = 0;
    bool exact = true;  // else there may be fewer triangles
};

// Decodes the attributes' values, and the indices, three a triangle: not held to the vertices that there are. Throws
// Error with the reason where the data are corrupt or not as told, and where they would take memory out of all
// proportion to their bytes; and where the program was built without Draco.
[[nodiscard]] std::vector<std::uint32_t> decode_draco(std::span<const std::byte> bytes, const DracoSize& size,
                                                      std::span<DracoAttribute> attributes);

}  // namespace sublet::scene::gltf
