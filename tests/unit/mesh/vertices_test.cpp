#include "mesh/vertices.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "mesh/mesh.h"
#include "shaders/shared/deform.h"
#include "test_meshes.h"

namespace sublet::mesh {
namespace {

using test::Random;

using Joints = std::array<std::uint16_t, 8>;
using Weights = std::array<float, 8>;

TEST(Vertices, InfluencesSumToAllPartsStrongestFirst) {
    Random random(11);
    constexpr Joints kJoints{10, 11, 12, 13, 14, 15, 16, 17};
    for (int i = 0; i < 20000; ++i) {
        Weights weights{};
        for (float& w : weights) w = random.below(3) == 0 ? 0.0F : random.uniform(0, 1);
        weights[random.below(8)] = random.uniform(0.01F, 2);
        const Influences found = quantize_influences(kJoints, weights);
        double total = 0;
        for (const float w : weights) total += static_cast<double>(w);
        std::uint32_t sum = 0;
        for (std::size_t k = 0; k < 8; ++k) {
            sum += found.parts[k];
            ASSERT_TRUE(k == 0 || found.parts[k] <= found.parts[k - 1]);
            if (found.parts[k] == 0) {
                ASSERT_EQ(found.joints[k], found.joints[0]);
                continue;
            }
            const double weight = static_cast<double>(weights.at(found.joints[k] - 10U)) / total;
            ASSERT_GT(weight, 0.0);
            ASSERT_NEAR(found.parts[k] / 4095.0, weight, 1.0 / 4095.0);
        }
        ASSERT_EQ(sum, shared::kWeightParts);
    }
}

TEST(Vertices, InfluencesOfStrangeWeights) {
    constexpr Joints kJoints{3, 4, 5, 6, 7, 8, 9, 10};
    const auto of = [&](const Weights& weights) { return quantize_influences(kJoints, weights); };
    EXPECT_EQ(of({}).parts, (Joints{4095}));
    EXPECT_EQ(of({}).joints, (Joints{3, 3, 3, 3, 3, 3, 3, 3}));
    EXPECT_EQ(of({0, 1, 0, 0}).joints[0], 4);
    EXPECT_EQ(of({1e30F, 1e30F, 1e-30F, -5}).parts, (Joints{2048, 2047}));
    EXPECT_EQ(of({0.25F, 0.25F, 0.25F, 0.25F}).joints, (Joints{3, 4, 5, 6, 3, 3, 3, 3}))
        << "equal ones keep their order";
    EXPECT_EQ(of({std::numeric_limits<float>::infinity(), 1}).parts, (Joints{4095}));
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
              7U | shared::kHasTangentBit | 1U << shared::kStreamBoneIndices | 1U << shared::kStreamJointWeights);
}

}  // namespace
}  // namespace sublet::mesh
