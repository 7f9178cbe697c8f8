// Tangents for normal maps, against a reference and by what they must be on surfaces that anyone can tell.
#include "mesh/tangents.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "base/thread_pool.h"
#include "tangents_reference.h"
#include "test_meshes.h"

namespace sublet::mesh::test {
namespace {

using Vec2 = std::array<float, 2>;
using Vec3 = std::array<float, 3>;
using Vec4 = std::array<float, 4>;

TangentInput input(const TestMesh& mesh) {
    return {mesh.positions, mesh.normals, mesh.uv0, mesh.indices};
}

Vec4 at_corner(const TangentMesh& mesh, std::size_t corner) {
    return mesh.tangents[mesh.indices[corner]];
}

// What holds of any mesh: the same triangles, tangents of unit length at right angles to normals.
void expect_sound(const TestMesh& mesh, const TangentMesh& made) {
    ASSERT_EQ(made.indices.size(), mesh.indices.size());
    ASSERT_EQ(made.sources.size(), made.tangents.size());
    std::set<std::pair<std::uint32_t, Vec4>> vertices;
    for (std::size_t c = 0; c < mesh.indices.size(); ++c) {
        ASSERT_LT(made.indices[c], made.sources.size());
        ASSERT_EQ(made.sources[made.indices[c]], mesh.indices[c]);
        const Vec4 t = at_corner(made, c);
        const Vec3& n = mesh.normals[mesh.indices[c]];
        ASSERT_NEAR(t[0] * t[0] + t[1] * t[1] + t[2] * t[2], 1.0F, 1e-5F);
        ASSERT_NEAR(t[0] * n[0] + t[1] * n[1] + t[2] * n[2], 0.0F, 1e-5F);
        ASSERT_EQ(std::abs(t[3]), 1.0F);
        vertices.emplace(mesh.indices[c], t);
    }
    EXPECT_EQ(vertices.size(), made.sources.size()) << "no vertex is there twice, and none is unused";
}

void expect_like_reference(const TestMesh& mesh, ThreadPool* pool) {
    const TangentMesh made = make_tangents(input(mesh), pool);
    expect_sound(mesh, made);
    const std::vector<ReferenceTangent> reference = reference_tangents(input(mesh));
    for (std::size_t c = 0; c < mesh.indices.size(); ++c) {
        const Vec4 t = at_corner(made, c);
        const ReferenceTangent& r = reference[c];
        ASSERT_EQ(t[3], static_cast<float>(r.sign)) << "corner " << c;
        if (r.direction == std::array<double, 3>{}) continue;
        for (std::size_t i = 0; i < 3; ++i) ASSERT_NEAR(t[i], r.direction[i], 2e-5) << "corner " << c;
    }
}

// An n x n grid of quads over a wavy surface, its UVs those of its plane, a little off.
TestMesh make_waves(std::uint32_t n, Random& random) {
    TestMesh mesh = make_plane(n);
    mesh.normals.clear();
    mesh.uv0.clear();
    for (Vec3& p : mesh.positions) {
        mesh.uv0.push_back({p[0] + random.uniform(-0.02F, 0.02F), 1.0F - p[1] + random.uniform(-0.02F, 0.02F)});
        const float dx = 0.9F * std::cos(3.0F * p[0]);
        const float dy = -0.8F * std::sin(4.0F * p[1]);
        p[2] = 0.3F * std::sin(3.0F * p[0]) + 0.2F * std::cos(4.0F * p[1]);
        const float length = std::sqrt(dx * dx + dy * dy + 1.0F);
        mesh.normals.push_back({-dx / length, -dy / length, 1.0F / length});
    }
    return mesh;
}

void shuffle_triangles(TestMesh& mesh, Random& random) {
    for (auto t = static_cast<std::uint32_t>(mesh.indices.size() / 3); t > 1; --t) {
        const std::uint32_t other = random.below(t);
        std::swap_ranges(mesh.indices.begin() + 3 * (t - 1), mesh.indices.begin() + 3 * t,
                         mesh.indices.begin() + 3 * other);
    }
    for (std::size_t t = 0; t < mesh.indices.size() / 3; ++t) {
        const auto begin = mesh.indices.begin() + static_cast<std::ptrdiff_t>(3 * t);
        std::rotate(begin, begin + random.below(3), begin + 3);
    }
}

// A vertex of its own for each corner.
TestMesh unshared(const TestMesh& mesh) {
    TestMesh result;
    for (const std::uint32_t v : mesh.indices) {
        result.indices.push_back(static_cast<std::uint32_t>(result.positions.size()));
        result.positions.push_back(mesh.positions[v]);
        result.normals.push_back(mesh.normals[v]);
        result.uv0.push_back(mesh.uv0[v]);
    }
    return result;
}

// A square of two triangles that faces +z; U to the right, V down.
TestMesh make_square() {
    TestMesh mesh;
    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    mesh.normals.assign(4, {0, 0, 1});
    mesh.uv0 = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    mesh.indices = {0, 1, 2, 0, 2, 3};
    return mesh;
}

TEST(Tangents, FollowTheTextureOfASquare) {
    TestMesh mesh = make_square();
    const TangentMesh upright = make_tangents(input(mesh));
    EXPECT_EQ(upright.tangents, (std::vector<Vec4>(4, Vec4{1, 0, 0, 1}))) << "the bitangent is up: against V";
    for (Vec2& uv : mesh.uv0) uv[0] = -uv[0];
    EXPECT_EQ(make_tangents(input(mesh)).tangents, (std::vector<Vec4>(4, Vec4{-1, 0, 0, -1}))) << "mirrored";
    for (Vec2& uv : mesh.uv0) uv = {uv[1], uv[0]};  // U down, V to the left
    EXPECT_EQ(make_tangents(input(mesh)).tangents, (std::vector<Vec4>(4, Vec4{0, -1, 0, 1}))) << "turned";
}

TEST(Tangents, SplitVerticesWhereTheTextureIsMirrored) {
    constexpr std::uint32_t kQuads = 8;
    TestMesh mesh = make_plane(kQuads);
    mesh.normals.assign(mesh.positions.size(), {0, 0, 1});
    for (const Vec3& p : mesh.positions) mesh.uv0.push_back({std::abs(p[0] - 0.5F), 1.0F - p[1]});
    const TangentMesh made = make_tangents(input(mesh));
    expect_sound(mesh, made);
    EXPECT_EQ(made.sources.size(), mesh.positions.size() + kQuads + 1) << "those on the line are there twice";
    for (std::size_t c = 0; c < mesh.indices.size(); ++c) {
        const std::size_t first = c / 3 * 3;
        float x = 0;
        for (std::size_t k = first; k < first + 3; ++k) x += mesh.positions[mesh.indices[k]][0] / 3.0F;
        EXPECT_EQ(at_corner(made, c), x > 0.5F ? (Vec4{1, 0, 0, 1}) : (Vec4{-1, 0, 0, -1}));
    }
}

TEST(Tangents, AreTheReferences) {
    ThreadPool pool(3);
    for (std::uint32_t seed = 0; seed < 40; ++seed) {
        Random random(seed);
        TestMesh mesh = make_waves(2 + random.below(7), random);
        // Seams: other UVs for some triangles. Mirrors: a fold in U. Triangles without area in the texture, and ones
        // that are lines in space.
        if (seed % 2 == 1) {
            for (Vec2& uv : mesh.uv0) uv[0] = std::abs(uv[0] - 0.4F);
        }
        if (seed % 3 == 1) {
            mesh = unshared(mesh);
            for (std::size_t c = 0; c < mesh.uv0.size(); ++c) mesh.uv0[c][0] += c / 3 % 5 == 0 ? 2.0F : 0.0F;
        }
        if (seed % 4 >= 2) {
            for (std::size_t v = 0; v < mesh.uv0.size(); ++v) {
                if (random.below(4) == 0) mesh.uv0[v] = {0.25F, 0.25F};
            }
        }
        if (seed % 5 >= 3) {
            const std::size_t corners = mesh.indices.size();
            for (std::size_t c = 0; c + 1 < corners; c += 7) {
                const std::uint32_t v = mesh.indices[c];
                mesh.indices.insert(mesh.indices.end(), {v, mesh.indices[c + 1], v});
            }
        }
        shuffle_triangles(mesh, random);
        SCOPED_TRACE(seed);
        expect_like_reference(mesh, seed % 2 == 0 ? &pool : nullptr);
    }
}

TEST(Tangents, AreTheReferencesOnTrianglesThatMakeNoSurface) {
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
        Random random(seed + 100);
        TestMesh mesh = make_soup(random, 150);
        mesh.normals.clear();
        mesh.uv0.clear();
        for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
            mesh.normals.push_back(random.direction());
            mesh.uv0.push_back({random.uniform(-2, 2), random.uniform(-2, 2)});
        }
        SCOPED_TRACE(seed);
        expect_like_reference(mesh, nullptr);
    }
}

TEST(Tangents, DependOnNeitherThreadsNorSharedVertices) {
    Random random(7);
    TestMesh mesh = make_waves(90, random);  // more than one range of work
    for (Vec2& uv : mesh.uv0) uv[0] = std::abs(uv[0] - 0.4F);
    shuffle_triangles(mesh, random);
    const TangentMesh alone = make_tangents(input(mesh));
    for (const unsigned threads : {2U, 5U}) {
        ThreadPool pool(threads);
        const TangentMesh made = make_tangents(input(mesh), &pool);
        EXPECT_EQ(made.indices, alone.indices);
        EXPECT_EQ(made.sources, alone.sources);
        EXPECT_EQ(made.tangents, alone.tangents);
    }
    const TangentMesh apart = make_tangents(input(unshared(mesh)));
    for (std::size_t c = 0; c < mesh.indices.size(); ++c) ASSERT_EQ(at_corner(apart, c), at_corner(alone, c));
}

TEST(Tangents, TakeANeighboursWhereATriangleHasNone) {
    // Beside the square, a triangle without area in the texture, and one that is a line in space.
    TestMesh mesh = make_square();
    mesh.positions.push_back({2, 0, 0});
    mesh.normals.push_back({0, 0, 1});
    mesh.uv0.push_back({1, 3});
    mesh.indices.insert(mesh.indices.end(), {1, 4, 2, 2, 3, 2});
    const TangentMesh made = make_tangents(input(mesh));
    expect_sound(mesh, made);
    const Vec4 right{1, 0, 0, 1};
    for (const std::size_t c : {6U, 8U, 9U, 10U, 11U}) EXPECT_EQ(at_corner(made, c), right) << c;
    EXPECT_EQ(made.sources.size(), 5U) << "nothing is split for them";
}

TEST(Tangents, AreSoundWithoutAnyTexture) {
    TestMesh mesh = make_sphere(12, 20);
    mesh.normals = mesh.positions;
    mesh.uv0.assign(mesh.positions.size(), {0, 0});
    const TangentMesh made = make_tangents(input(mesh));
    expect_sound(mesh, made);
    EXPECT_EQ(made.sources.size(), mesh.positions.size());
    for (const Vec4& tangent : made.tangents) EXPECT_EQ(tangent[3], 1.0F);

    const TangentMesh nothing = make_tangents({});
    EXPECT_TRUE(nothing.indices.empty() && nothing.sources.empty() && nothing.tangents.empty());
}

TEST(Tangents, TellTheTrianglesOfAHubApart) {
    // A fan in which no two triangles share an edge: each has a group, and a vertex of its own at the hub. (Looking
    // through the hub's vertices for each of its triangles would take minutes.)
    constexpr std::uint32_t kTriangles = 200'000;
    Random random(5);
    TestMesh mesh;
    mesh.positions.push_back({0, 0, 0});
    mesh.uv0.push_back({0, 0});
    for (std::uint32_t t = 0; t < kTriangles; ++t) {
        for (std::uint32_t k = 0; k < 2; ++k) {
            mesh.positions.push_back({random.uniform(-1, 1), random.uniform(-1, 1), 0});
            mesh.uv0.push_back({random.uniform(-1, 1), random.uniform(-1, 1)});
        }
        mesh.indices.insert(mesh.indices.end(), {0, 2 * t + 1, 2 * t + 2});
    }
    mesh.normals.assign(mesh.positions.size(), {0, 0, 1});
    const TangentMesh made = make_tangents(input(mesh));
    const auto at_hub = std::count(made.sources.begin(), made.sources.end(), 0U);
    EXPECT_GT(at_hub, kTriangles * 9 / 10) << "but for equal directions by chance";
}

}  // namespace
}  // namespace sublet::mesh::test
