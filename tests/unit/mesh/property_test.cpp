// What must hold for any mesh: decode(encode(x)) is x within quantisation, triangle for triangle.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

#include "base/thread_pool.h"
#include "mesh/arrays.h"
#include "mesh/encode.h"
#include "mesh/grid.h"
#include "mesh/stream.h"
#include "same_geometry.h"
#include "test_meshes.h"

namespace sublet::mesh {
namespace {

using test::Random;
using test::TestMesh;

const char* name_of(Style style) {
    return style == Style::kWireframe ? "wireframe" : style == Style::kTextured ? "textured" : "skinned";
}

// The same triangles, each in the same winding, once each; within the limits; positions within half a grid step.
void expect_round_trip(const TestMesh& mesh, const EncodedMeshes& encoded) {
    const MeshView view = mesh_view(encoded.geometry.view(), 0);
    const MeshHeader& header = *view.header;
    const test::TriangleCounts decoded = test::decoded_triangles(view);
    ASSERT_EQ(decoded, test::expected_triangles(mesh, header));
    ASSERT_EQ(decoded.size(), header.triangle_count);
    ASSERT_EQ(encoded.stats.source_triangles,
              header.triangle_count + encoded.stats.dropped_degenerate + encoded.stats.dropped_duplicate);
    if (header.triangle_count == 0) return;
    float largest = 0;
    for (const auto& p : mesh.positions) {
        for (const float x : p) largest = std::max(largest, std::abs(x));
    }
    const double step = header.aabb_min.w;
    EXPECT_LE(encoded.stats.error.position_max, std::sqrt(3.0) * (0.5 * step + 0x1p-23 * largest));
}

class Property : public testing::TestWithParam<Style> {};

INSTANTIATE_TEST_SUITE_P(Styles, Property, testing::Values(Style::kWireframe, Style::kTextured, Style::kSkinned),
                         [](const auto& info) { return name_of(info.param); });

TEST_P(Property, RandomMeshesComeBack) {
    Random random(50);
    ThreadPool pool(2);
    for (const std::uint32_t triangles : {1U, 2U, 3U, 10U, 31U, 32U, 33U, 100U, 257U, 1000U, 5000U}) {
        for (int round = 0; round < 6; ++round) {
            TestMesh mesh;
            switch (round % 3) {
                case 0:
                    mesh = test::make_soup(random, triangles);
                    break;
                case 1: {
                    const auto side = static_cast<std::uint32_t>(std::sqrt(triangles / 2.0));
                    mesh = test::make_sphere(2 + side, 3 + side);
                    mesh.normals.clear();
                    break;
                }
                default:
                    mesh = test::make_plane(1 + static_cast<std::uint32_t>(std::sqrt(triangles / 2.0)));
                    break;
            }
            const float size = std::ldexp(random.uniform(1, 2), static_cast<int>(random.below(160)) - 80);
            const float offset = random.below(2) == 0 ? 0.0F : random.uniform(-10, 10) * size;
            for (auto& p : mesh.positions) {
                for (float& x : p) x = x * size + offset;
            }
            add_attributes(mesh, GetParam(), random, round < 4);
            EncodeOptions options;
            options.position_bits = 4 + static_cast<int>(random.below(18));
            options.uv_bits = 4 + static_cast<int>(random.below(13));
            const EncodedMeshes encoded = test::encode_one(mesh, options, &pool);
            ASSERT_NO_FATAL_FAILURE(expect_round_trip(mesh, encoded)) << triangles << " triangles, round " << round;
        }
    }
}

TEST_P(Property, AHundredThousandTrianglesComeBack) {
    Random random(51);
    ThreadPool pool(2);
    TestMesh mesh = test::make_soup(random, 100000);
    add_attributes(mesh, GetParam(), random, true);
    ASSERT_NO_FATAL_FAILURE(expect_round_trip(mesh, test::encode_one(mesh, {}, &pool)));
}

// A mesh of each kind, with every attribute of the style.
TestMesh any_mesh(std::uint32_t round, Style style, Random& random) {
    const std::uint32_t size = 1 + random.below(40);
    TestMesh mesh = round % 3 == 0   ? test::make_soup(random, size * size)
                    : round % 3 == 1 ? test::make_sphere(1 + size, 2 + size)
                                     : test::make_plane(size);
    const float scale = std::ldexp(random.uniform(1, 2), static_cast<int>(random.below(20)) - 10);
    const float shift = random.below(2) == 0 ? 0.0F : random.uniform(-100, 100) * scale;
    for (auto& p : mesh.positions) {
        for (float& x : p) x = x * scale + shift;
    }
    mesh.normals.clear();
    add_attributes(mesh, style, random, round % 2 == 0);
    return mesh;
}

TEST_P(Property, WhatWasDecodedEncodesToTheSameBytes) {
    Random random(53);
    const auto again = [](const EncodedMeshes& encoded) {
        return test::encode_one(decode(mesh_view(encoded.geometry.view(), 0)));
    };
    int compared = 0;
    for (std::uint32_t round = 0; round < 60; ++round) {
        const EncodedMeshes first = test::encode_one(any_mesh(round, GetParam(), random));
        const EncodedMeshes second = again(first);
        EXPECT_TRUE(test::same_geometry(second.geometry, again(second).geometry)) << round;
        // Rounded to a smaller one, a mesh may fit a finer grid; vertices of dropped triangles count for the first
        // grid.
        const MeshHeader& a = first.geometry.meshes[0];
        const MeshHeader& b = second.geometry.meshes[0];
        const bool finer = b.position_exponent < a.position_exponent || b.uv_exponent < a.uv_exponent;
        if (finer || first.stats.dropped_degenerate > 0) continue;
        EXPECT_TRUE(test::same_geometry(first.geometry, second.geometry)) << round;
        ++compared;
    }
    EXPECT_GT(compared, 25);
}

TEST_P(Property, TheOrderOfTheSourceDoesNotMatter) {
    Random random(54);
    for (std::uint32_t round = 0; round < 20; ++round) {
        const TestMesh mesh = any_mesh(round, GetParam(), random);
        // Triangles in another order, each begun with another corner, of vertices in another order.
        std::vector<std::uint32_t> triangles(mesh.indices.size() / 3);
        std::vector<std::uint32_t> vertices(mesh.positions.size());
        for (std::vector<std::uint32_t>* order : {&triangles, &vertices}) {
            std::iota(order->begin(), order->end(), 0U);
            for (std::size_t i = order->size(); i > 1; --i) {
                std::swap((*order)[i - 1], (*order)[random.below(static_cast<std::uint32_t>(i))]);
            }
        }
        TestMesh shuffled;
        std::vector<std::uint32_t> number(vertices.size());
        const auto permute = [&](const Attribute&, const auto& from, auto& to) {
            for (const std::uint32_t v : vertices) {
                if (!from.empty()) to.push_back(from[v]);
            }
        };
        for_each_attribute(permute, mesh, shuffled);
        for (std::size_t i = 0; i < vertices.size(); ++i) number[vertices[i]] = static_cast<std::uint32_t>(i);
        for (const std::uint32_t t : triangles) {
            const std::uint32_t turn = random.below(3);
            for (std::uint32_t k = 0; k < 3; ++k) {
                shuffled.indices.push_back(number[mesh.indices[3 * t + (turn + k) % 3]]);
            }
        }
        EXPECT_TRUE(test::same_geometry(test::encode_one(mesh).geometry, test::encode_one(shuffled).geometry)) << round;
    }
}

TEST_P(Property, AttributesStayWithinTheirErrors) {
    Random random(52);
    TestMesh mesh = test::make_plane(30);
    add_attributes(mesh, GetParam(), random, true);
    const EncodedMeshes encoded = test::encode_one(mesh);
    const MeshView view = mesh_view(encoded.geometry.view(), 0);
    const MeshArrays decoded = decode(view);
    ASSERT_EQ(decoded.positions.size(), mesh.positions.size()) << "welded across sublets";
    // Vertices of the plane are told apart by their positions, which its grid holds within a step.
    std::map<std::pair<long, long>, std::size_t> source;
    const auto key = [](const std::array<float, 3>& p) {
        return std::pair{std::lround(p[0] * 30), std::lround(p[1] * 30)};
    };
    for (std::size_t i = 0; i < mesh.positions.size(); ++i) source[key(mesh.positions[i])] = i;
    const double uv_step = std::ldexp(1.0, view.header->uv_exponent) * 0.5;
    for (std::size_t v = 0; v < decoded.positions.size(); ++v) {
        const std::size_t i = source.at(key(decoded.positions[v]));
        if (GetParam() == Style::kWireframe) continue;
        const auto cosine = [](const auto& a, const auto& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; };
        EXPECT_GT(cosine(decoded.normals[v], mesh.normals[i]), std::cos(0.0115));
        EXPECT_GT(cosine(decoded.tangents[v], mesh.tangents[i]), std::cos(0.02));
        EXPECT_EQ(decoded.tangents[v][3], mesh.tangents[i][3]);
        for (std::size_t k = 0; k < 2; ++k) {
            EXPECT_NEAR(decoded.uv0[v][k], mesh.uv0[i][k], uv_step * 0.51);
            EXPECT_NEAR(decoded.uv1[v][k], mesh.uv1[i][k], uv_step * 0.51);
        }
        for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(decoded.colors[v][k], mesh.colors[i][k], 0.5 / 255 + 1e-6);
        if (GetParam() != Style::kSkinned) continue;
        float sum = 0;
        for (const float w : mesh.weights[i]) sum += w;
        for (const float w : mesh.weights1[i]) sum += w;
        std::map<std::uint16_t, double> left;  // by joint: a vertex may name one twice
        double found = 0;
        for (std::size_t k = 0; k < 8; ++k) {
            const auto& [joints, weights] =
                k < 4 ? std::tie(mesh.joints, mesh.weights) : std::tie(mesh.joints1, mesh.weights1);
            left[joints[i][k % 4]] += weights[i][k % 4] / sum;
        }
        for (std::size_t k = 0; k < 8; ++k) {
            const float weight = k < 4 ? decoded.weights[v][k] : decoded.weights1[v][k - 4];
            const std::uint16_t joint = k < 4 ? decoded.joints[v][k] : decoded.joints1[v][k - 4];
            EXPECT_TRUE(weight > 0.0F || joint == 0);
            if (weight > 0.0F) left.at(joint) -= weight;
            found += weight;
        }
        EXPECT_NEAR(found, 1.0, 1e-6);
        for (const auto& [joint, rest] : left) EXPECT_NEAR(rest, 0.0, 2.0 / 4095) << joint;
    }
}

TEST_P(Property, UnweldedDecodingKeepsSubletsApart) {
    Random random(53);
    TestMesh mesh = test::make_sphere(10, 20);
    mesh.normals.clear();
    add_attributes(mesh, GetParam(), random, true);
    const EncodedMeshes encoded = test::encode_one(mesh);
    const MeshView view = mesh_view(encoded.geometry.view(), 0);
    const MeshArrays apart = decode(view, false);
    EXPECT_EQ(apart.positions.size(), view.header->vertex_count);
    EXPECT_EQ(apart.indices.size(), std::size_t{view.header->triangle_count} * 3);
    const MeshArrays welded = decode(view);
    EXPECT_EQ(welded.positions.size(), mesh.positions.size());
    for (std::size_t i = 0; i < apart.indices.size(); ++i) {
        ASSERT_EQ(apart.positions[apart.indices[i]], welded.positions[welded.indices[i]]);
    }
}

}  // namespace
}  // namespace sublet::mesh
