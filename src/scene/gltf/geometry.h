// glTF primitives to meshes of plain triangles.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "scene/gltf/document.h"
#include "scene/import.h"

namespace sublet {
class Progress;
}

namespace sublet::scene::gltf {

// What messages call one.
[[nodiscard]] std::string primitive_field(std::size_t mesh, std::size_t primitive);

// Which TEXCOORD sets become the two UV streams of a mesh: those that its material's textures name.
struct UvSlots {
    std::array<int, 2> set{0, 1};
    int tangents = -1;  // which of the two tangents are made from; -1: the material needs none
};

// Counts what glTF primitives expand to. Many may share one accessor, so that the file's size alone bounds nothing.
class GeometryBudget {
  public:
    // Claims what reading meshes[mesh].primitives[primitive] takes, before anything is read. Throws Error when the
    // elements claimed so far are out of all proportion to the bytes read. What Draco's data hold is claimed when their
    // own header tells how much that is.
    void claim(Document& document, std::size_t mesh, std::size_t primitive);

    // How many elements may still be claimed.
    [[nodiscard]] std::uint64_t left(const Document& document) const;
    void claim(std::uint64_t elements) { claimed_ += elements; }

  private:
    std::uint64_t claimed_ = 0;
};

// The triangles of meshes[mesh].primitives[primitive]: strips and fans taken apart, vertices that no index names left
// out where they are many, equal vertices welded where the file has no indices, normals of unit length (flat ones where
// it has none, as glTF 2.0, 3.7.2.1 asks). Nothing for points and lines, which are the caller's to tell of; nothing,
// and a note, for a glTF primitive without positions. Throws Error naming the field on an index out of range,
// attributes of unequal count and values that are not finite, or too large to encode. Of morph targets POSITION, NORMAL
// and TANGENT are read, the latter two where the mesh has them itself; of one without normals each target turns the
// flat ones to what they are at weight 1. The material is left for the caller. `progress`, if any, advances by
// primitive_triangles(), whatever becomes of it.
[[nodiscard]] std::optional<SourceMesh> read_primitive(Document& document, std::size_t mesh, std::size_t primitive,
                                                       const UvSlots& uv_slots, GeometryBudget& budget,
                                                       Progress* progress);

// What the glTF primitives of a mode from 0 to 3 are, which has no triangles.
[[nodiscard]] const char* mode_name(int mode);

// How many morph targets the first glTF primitive of a mesh has: all should have as many.
[[nodiscard]] std::size_t morph_target_count(const Document& document, std::size_t mesh);
// Throws Error where they don't, or where the weights of the mesh are not as many.
void check_morph_targets(const Document& document, std::size_t mesh);

// What the accessors of a glTF primitive say: 0 of points and lines.
[[nodiscard]] std::uint64_t primitive_triangles(const tinygltf::Model& model, std::size_t mesh, std::size_t primitive);

}  // namespace sublet::scene::gltf
