// Tangents for normal maps, as the tools that bake such maps assume them and glTF asks for (2.0, 3.7.2.1): MikkTSpace.
// The algorithm is published in Morten S. Mikkelsen, "Simulation of Wrinkled Surfaces Revisited", 2008.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace sublet {
class Progress;
class ThreadPool;
}  // namespace sublet

namespace sublet::mesh {

// What tangents are made from. All numbers are finite.
struct TangentInput {
    std::span<const std::array<float, 3>> positions;
    std::span<const std::array<float, 3>> normals;  // unit length; as many as positions
    std::span<const std::array<float, 2>> uv;       // V points down, as in glTF; as many as positions
    std::span<const std::uint32_t> indices;         // three per triangle, each < positions.size()
};

// The same triangles over vertices that have a tangent each. A vertex is there once for each tangent that its triangles
// need; one that no triangle uses is gone.
struct TangentMesh {
    std::vector<std::uint32_t> indices;          // in the order of TangentInput::indices
    std::vector<std::uint32_t> sources;          // for each vertex the one of the input that it was
    std::vector<std::array<float, 4>> tangents;  // xyz: unit length, at a right angle to the normal, the way that U
                                                 // grows; w: the bitangent is w * cross(normal, xyz), w is +1 or -1
};

// Makes the tangents of a mesh. They depend on the surface and its texture coordinates, not on which of its equal
// vertices are shared. Takes time in n log n of the triangles at worst. The same input gives the same result, whatever
// the pool. A corner to which no triangle gives a direction, since none of them has area in the texture, gets any
// tangent, with w = +1. `progress`, if any, advances by kTangentSteps times the triangles.
[[nodiscard]] TangentMesh make_tangents(const TangentInput& input, ThreadPool* pool = nullptr,
                                        Progress* progress = nullptr);
inline constexpr std::uint64_t kTangentSteps = 4;

}  // namespace sublet::mesh
