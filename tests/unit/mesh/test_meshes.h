// Small meshes that the tests of this folder make for themselves.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <random>
#include <vector>

#include "mesh/encode.h"
#include "mesh/mesh.h"

namespace sublet::mesh::test {

using TestMesh = MeshArrays;

class Random {
  public:
    explicit Random(std::uint32_t seed) : engine_(seed) {}
    // In [0, n).
    std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(engine_() % n); }
    // In [low, high).
    float uniform(float low, float high) { return low + (high - low) * static_cast<float>(engine_() >> 8U) * 0x1p-24F; }
    std::array<float, 3> direction();
    // Each component in [-size, size).
    std::array<float, 3> vector(float size) {
        return {uniform(-size, size), uniform(-size, size), uniform(-size, size)};
    }

  private:
    std::mt19937 engine_;  // the standard says which numbers it gives, unlike the distributions
};

// A sphere of radius 1 about the origin: rings x segments quads, poles closed; counter-clockwise seen from outside.
TestMesh make_sphere(std::uint32_t rings, std::uint32_t segments);

// A flat n x n grid of quads over [0, 1]^2 in the plane z = 0, facing +Z.
TestMesh make_plane(std::uint32_t n);

// Triangles between random vertices: not manifold, with repeated, degenerate and duplicate ones among them.
TestMesh make_soup(Random& random, std::uint32_t triangles);

// Gives a mesh every attribute of a style: random where `varied`, else the same for all vertices.
void add_attributes(TestMesh& mesh, Style style, Random& random, bool varied);

// A small one with every attribute, that up to four joints a vertex deform.
TestMesh make_small_skinned();

// The encoding of one mesh, validated.
EncodedMeshes encode_one(const TestMesh& mesh, const EncodeOptions& options = {}, ThreadPool* pool = nullptr);
// The same in the plain coding.
EncodedMeshes encode_plain(const TestMesh& mesh, EncodeOptions options = {}, ThreadPool* pool = nullptr);

// A vertex as integers: the three of its position, then attribute words. A triangle of them, rotated so that the
// least comes first.
using VertexWords = std::vector<std::uint32_t>;
using TriangleWords = std::array<VertexWords, 3>;
using TriangleCounts = std::map<TriangleWords, int>;

// The triangles of an encoded mesh, and those that its source should give once degenerate and duplicate ones are gone.
TriangleCounts decoded_triangles(const MeshView& mesh);
TriangleCounts expected_triangles(const TestMesh& source, const MeshHeader& header);

}  // namespace sublet::mesh::test
