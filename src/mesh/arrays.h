// The vertices and triangles of a mesh as floats: what is encoded, and what decoding gives back.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "shaders/shared/mesh_format.h"

namespace sublet::mesh {

// Every attribute span is empty or as long as `positions`; elements are tightly packed floats (or 16-bit joints).
// Vertices that no triangle uses don't matter, whatever they hold.
struct MeshInput {
    std::span<const std::array<float, 3>> positions;       // object space; finite, at most 2^104
    std::span<const std::array<float, 3>> normals;         // unit length, or empty
    std::span<const std::array<float, 4>> tangents;        // xyz unit length, w = +1 or -1, or empty;
                                                           // left out where there are no normals
    std::span<const std::array<float, 2>> uv0;             // or empty
    std::span<const std::array<float, 2>> uv1;             // or empty
    std::span<const std::array<float, 4>> colors;          // linear RGBA in [0, 1], or empty
    std::span<const std::array<std::uint16_t, 4>> joints;  // or empty
    std::span<const std::array<float, 4>> weights;         // sum 1, or empty
    std::span<const std::uint32_t> indices;                // three per triangle, each < positions.size()
};

// The same, owned.
struct MeshArrays {
    std::vector<std::array<float, 3>> positions, normals;
    std::vector<std::array<float, 4>> tangents;
    std::vector<std::array<float, 2>> uv0, uv1;
    std::vector<std::array<float, 4>> colors;
    std::vector<std::array<std::uint16_t, 4>> joints;
    std::vector<std::array<float, 4>> weights;
    std::vector<std::uint32_t> indices;

    [[nodiscard]] MeshInput view() const {
        return {positions, normals, tangents, uv0, uv1, colors, joints, weights, indices};
    }
};

// An attribute of those structs.
struct Attribute {
    const char* name;      // of the member
    std::uint32_t stream;  // the type that carries it
    std::uint32_t bit;     // of streams_present that says so
};

// Calls visit(attribute, mesh.member...) for every attribute, positions first: of one mesh, or of several at a time.
template <typename Visit, typename... Mesh>
void for_each_attribute(Visit visit, Mesh&... mesh) {
    const auto of = [](const char* name, std::uint32_t stream) { return Attribute{name, stream, 1U << stream}; };
    visit(of("positions", shared::kStreamPosition), mesh.positions...);
    visit(of("normals", shared::kStreamNormalTangent), mesh.normals...);
    visit(Attribute{"tangents", shared::kStreamNormalTangent, shared::kHasTangentBit}, mesh.tangents...);
    visit(of("uv0", shared::kStreamUv), mesh.uv0...);
    visit(of("uv1", shared::kStreamUv1), mesh.uv1...);
    visit(of("colors", shared::kStreamColor), mesh.colors...);
    visit(of("joints", shared::kStreamBoneIndices), mesh.joints...);
    visit(of("weights", shared::kStreamBoneWeights), mesh.weights...);
}

}  // namespace sublet::mesh
