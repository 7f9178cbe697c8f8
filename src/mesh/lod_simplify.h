// A group of meshlets with fewer triangles.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "mesh/lod_group.h"

namespace sublet::mesh {

// Vertices at one place of which simplifying makes one, which may keep it from collapsing edges between them.
enum class Wedges : std::uint8_t {
    kAlike,   // those with equal texture coordinates and colours, and normals within 10 degrees
    kSmooth,  // within 60 degrees
    kAll,     // all of one mesh
};

// Where in a mesh's vertices those words are that simplifying looks at; nothing without the stream.
struct SimplifiedWords {
    std::optional<std::uint32_t> normal, uv, uv1, color;

    explicit SimplifiedWords(const VertexTable& table);
    // How many of the numbers that simplifying weighs come before nothing but zeros.
    [[nodiscard]] std::size_t attributes() const;
};

// Of meshes that levels are made of.
struct SimplifiedMeshes {
    std::vector<SimplifiedWords> words;
    std::size_t attribute_count = 0;  // the most that one has

    explicit SimplifiedMeshes(std::span<const VertexTable> tables);
};

// Simplifies one group, again and again: what the ways have in common is found once.
class Simplifier {
  public:
    // The vertices at positions of the group of which `locked` is not 0 stay. All of them outlive it.
    Simplifier(const GroupMeshes& meshes, const SimplifiedMeshes& simplified, const IndexedGroup& group,
               std::span<const char> locked);

    // As many triangles as `target`, or as few as can be, by collapsing edges to one of their ends: no vertex is new.
    // Whether the boundary stayed is for the caller to see. Nothing where these wedges are those of the last call: the
    // same would come out.
    [[nodiscard]] std::optional<std::vector<Triangle>> simplify(std::size_t target, Wedges wedges);

  private:
    [[nodiscard]] bool alike(const GroupVertex& a, const GroupVertex& b, Wedges wedges) const;
    [[nodiscard]] std::vector<std::uint32_t> stand_ins(Wedges wedges) const;

    const GroupMeshes meshes_;
    const SimplifiedMeshes& simplified_;
    const IndexedGroup& group_;
    // Of each vertex.
    std::vector<Point> positions_;
    std::vector<float> attributes_;
    std::vector<unsigned char> locked_;
    // Of the last call.
    std::vector<std::uint32_t> stands_;
    std::size_t attribute_count_ = 0;
};

}  // namespace sublet::mesh
