#include "mesh/vertices.h"

#include <gtest/gtest.h>

#include <cmath>

#include "mesh/mesh.h"
#include "test_meshes.h"

namespace sublet::mesh {
namespace {

using test::Random;

std::uint32_t byte_sum(std::uint32_t word) {
    return (word & 255U) + (word >> 8U & 255U) + (word >> 16U & 255U) + (word >> 24U);
}

TEST(Vertices, WeightsSumToExactly255) {
    Random random(11);
    for (int i = 0; i < 20000; ++i) {
        std::array<float, 4> weights{random.uniform(0, 1), random.uniform(0, 1), random.uniform(0, 1),
                                     random.uniform(0, 1)};
        for (float& w : weights) {
            if (random.below(3) == 0) w = 0;
        }
        weights[random.below(4)] = random.uniform(0.01F, 2);
        const std::uint32_t word = quantize_weights(weights);
        ASSERT_EQ(byte_sum(word), 255U);
        const std::array<float, 4> back = decode_unorm8(word);
        const float sum = weights[0] + weights[1] + weights[2] + weights[3];
        for (std::size_t k = 0; k < 4; ++k) {
            ASSERT_NEAR(back[k], weights[k] / sum, 1.0F / 255.0F);
            ASSERT_TRUE(weights[k] > 0.0F || back[k] == 0.0F);
        }
    }
    EXPECT_EQ(quantize_weights({0, 0, 0, 0}), 255U);
    EXPECT_EQ(byte_sum(quantize_weights({1e30F, 1e30F, 1e-30F, -5})), 255U);
    EXPECT_EQ(quantize_weights({0, 1, 0, 0}), 255U << 8U);
}

TEST(Vertices, ColoursRoundToTheNearestByte) {
    EXPECT_EQ(quantize_unorm8({0, 1, 0.5F, 2}), 0xff80ff00U);
    EXPECT_EQ(quantize_unorm8({-1, 1.0F / 255, 254.4F / 255, 0}), 0x00fe0100U);
}

TEST(Vertices, ATangentKeepsItsSignAndDirection) {
    Random random(12);
    for (int i = 0; i < 20000; ++i) {
        const std::array<float, 3> n = random.direction();
        const std::array<float, 3> t = random.direction();
        const float sign = random.below(2) == 0 ? -1.0F : 1.0F;
        const std::uint32_t word = quantize_normal_tangent(n, {t[0], t[1], t[2], sign});
        const std::array<float, 4> back = decode_tangent(word);
        ASSERT_EQ(back[3], sign);
        ASSERT_GT(back[0] * t[0] + back[1] * t[1] + back[2] * t[2], std::cos(0.02F));
        const std::array<float, 3> normal = decode_normal(word);
        ASSERT_GT(normal[0] * n[0] + normal[1] * n[1] + normal[2] * n[2], std::cos(0.0115F));
    }
}

TEST(Vertices, WeldsWhatIsEqualInEveryWordAndDropsTheUnused) {
    VertexTable table;
    table.stride = 3;
    table.words = {1, 2, 3, /**/ 1, 2, 4, /**/ 1, 2, 3, /**/ 9, 9, 9, /**/ 1, 2, 4};
    const std::vector<std::uint32_t> remap = weld_vertices(table, {1, 1, 1, 0, 1});
    EXPECT_EQ(remap, (std::vector<std::uint32_t>{0, 1, 0, ~0U, 1}));
    EXPECT_EQ(table.words, (std::vector<std::uint32_t>{1, 2, 3, 1, 2, 4}));
}

TEST(Vertices, StyleAndStreamsFollowTheAttributes) {
    Random random(13);
    test::TestMesh mesh = test::make_plane(1);
    EXPECT_EQ(choose_style(mesh.view(), Style::kAuto), shared::kStyleWireframe);
    mesh.tangents.assign(4, {1, 0, 0, 1});
    EXPECT_EQ(choose_style(mesh.view(), Style::kAuto), shared::kStyleWireframe)
        << "tangents are of no use without normals";
    EXPECT_EQ(choose_streams(mesh.view(), shared::kStyleTextured), 3U);
    mesh.normals.assign(4, {0, 0, 1});
    EXPECT_EQ(choose_style(mesh.view(), Style::kAuto), shared::kStyleTextured);
    EXPECT_EQ(choose_streams(mesh.view(), shared::kStyleTextured), 7U | shared::kHasTangentBit);
    EXPECT_EQ(choose_streams(mesh.view(), shared::kStyleWireframe), 3U);
    mesh.joints.assign(4, {0, 0, 0, 0});
    mesh.weights.assign(4, {1, 0, 0, 0});
    EXPECT_EQ(choose_style(mesh.view(), Style::kAuto), shared::kStyleSkinned);
    EXPECT_EQ(choose_streams(mesh.view(), shared::kStyleTextured), 7U | shared::kHasTangentBit);
    EXPECT_EQ(choose_streams(mesh.view(), shared::kStyleSkinned),
              7U | shared::kHasTangentBit | 1U << shared::kStreamBoneWeights | 1U << shared::kStreamBoneIndices);
}

}  // namespace
}  // namespace sublet::mesh
