// What of a scene is in VRAM where not all has room.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "render/scene/residency.h"
#include "shaders/shared/scene.h"
#include "tests/unit/occlusion/ball.h"

namespace sublet::render {
namespace {

class ResidencyTest : public testing::Test {
  protected:
    [[nodiscard]] Residency plan(std::uint64_t budget) const {
        return plan_residency(geometry_.view(), {budget, {}, false});
    }

    // Whether each group that is there lies in groups that are.
    [[nodiscard]] bool is_closed(const Residency& there) const {
        for (const auto& [group, from] : geometry_.lod_meshlets) {
            if (from != shared::kNoLodGroup && there.absent_groups[from] == 0 && there.absent_groups[group] != 0) {
                return false;
            }
        }
        return true;
    }

    mesh::Geometry geometry_ = make_ball();
};

TEST_F(ResidencyTest, OfAllIsTheFile) {
    const Residency there = plan(UINT64_MAX);
    EXPECT_TRUE(there.whole());
    EXPECT_EQ(there.bytes, there.whole_bytes);
    EXPECT_EQ(there.resident_groups, geometry_.lod_groups.size());
    EXPECT_EQ(there.sublets, geometry_.sublet_bounds.size());
    EXPECT_EQ(there.payload_words, geometry_.payload.size());
    ASSERT_EQ(there.meshes.size(), geometry_.meshes.size());
    for (std::size_t m = 0; m < there.meshes.size(); ++m) {
        const shared::MeshHeader& mesh = geometry_.meshes[m];
        EXPECT_EQ(there.meshes[m].first_sublet, mesh.first_sublet);
        EXPECT_EQ(there.meshes[m].first_vertex, mesh.first_vertex);
        EXPECT_EQ(there.meshes[m].first_attribute, mesh.first_attribute);
        EXPECT_EQ(there.meshes[m].payload_offset, mesh.payload_offset);
        for (std::uint32_t i = 0; i < mesh.meshlet_count; ++i) {
            EXPECT_EQ(there.first_sublet[mesh.first_meshlet + i], mesh.first_sublet + i * shared::kSubletsPerMeshlet);
        }
    }
}

TEST_F(ResidencyTest, HoldsToItsBudgetAndIsClosed) {
    const Residency least = plan(0);
    const std::uint64_t all = plan(UINT64_MAX).bytes;
    ASSERT_LT(least.bytes, all / 2);
    std::uint32_t groups = UINT32_MAX;
    float error = 0.0F;
    std::size_t different = 0;
    for (std::uint64_t budget = all - 1; budget > least.bytes; budget -= std::min(budget, all / 50)) {
        const Residency there = plan(budget);
        ASSERT_FALSE(there.whole());
        EXPECT_LE(there.bytes, budget);
        EXPECT_TRUE(is_closed(there)) << budget;
        EXPECT_LE(there.resident_groups, groups);
        EXPECT_GE(there.error, error) << "what is left out first is what matters least";
        different += there.resident_groups < groups ? 1 : 0;
        groups = there.resident_groups;
        error = there.error;
    }
    EXPECT_GT(different, 5U);
    // What was not simplified is there whatever the budget is.
    for (std::size_t g = 0; g < geometry_.lod_groups.size(); ++g) {
        EXPECT_EQ(least.absent_groups[g] != 0, !std::isinf(geometry_.lod_groups[g].error));
    }
    EXPECT_TRUE(is_closed(least));
}

// In the plain coding all is there: so are all groups.
TEST_F(ResidencyTest, OfThePlainCodingAllIsThere) {
    const mesh::Result<mesh::Geometry> plain = mesh::try_recode(geometry_.view(), mesh::Coding::kPlain);
    const Residency there = plan_residency(plain->view(), {.budget = 0});
    EXPECT_TRUE(there.whole());
    EXPECT_EQ(there.resident_groups, there.groups);
    EXPECT_EQ(there.bytes, there.whole_bytes);
}

// Errors count as far as instances stretch them.
TEST_F(ResidencyTest, GoesByTheSizeInTheWorld) {
    const std::uint64_t budget = plan(UINT64_MAX).bytes / 2;
    const std::vector<float> scales(geometry_.meshes.size(), 3.0F);
    const Residency once = plan(budget);
    const Residency thrice = plan_residency(geometry_.view(), {budget, scales, false});
    EXPECT_EQ(thrice.absent_groups, once.absent_groups);
    EXPECT_FLOAT_EQ(thrice.error, 3.0F * once.error);
    // With leads vertices take more.
    EXPECT_LT(plan_residency(geometry_.view(), {budget, {}, true}).resident_groups, once.resident_groups + 1);
    EXPECT_GT(plan_residency(geometry_.view(), {UINT64_MAX, {}, true}).bytes, plan(UINT64_MAX).bytes);
}

// What is there decodes to what the file does, by the records and blocks that the GPU gets.
TEST_F(ResidencyTest, PayloadAndBoundsAreThoseOfTheFile) {
    const Residency there = plan(plan(UINT64_MAX).bytes * 2 / 3);
    ASSERT_FALSE(there.whole());
    const std::vector<std::uint32_t> payload = resident_payload(geometry_.view(), there);
    const std::vector<shared::Bound> bounds = resident_sublet_bounds(geometry_.view(), there);
    ASSERT_EQ(payload.size(), there.payload_words);
    ASSERT_EQ(bounds.size(), there.sublets);
    std::uint64_t vertices = 0;
    std::size_t absent = 0;
    for (std::uint32_t m = 0; m < there.meshes.size(); ++m) {
        const mesh::MeshView file = mesh::mesh_view(geometry_.view(), m);
        const shared::MeshHeader& mesh = *file.header;
        mesh::MeshView own = file;
        own.header = &there.meshes[m];
        own.payload = std::span(payload).subspan(there.meshes[m].payload_offset, there.meshes[m].payload_size);
        EXPECT_EQ(there.meshes[m].first_vertex, vertices);
        for (std::uint32_t s = 0; s < mesh.sublet_count; ++s) {
            const std::uint32_t place = there.first_sublet[mesh.first_meshlet + s / shared::kSubletsPerMeshlet];
            if (place == shared::kAbsent) {
                ++absent;
                continue;
            }
            const mesh::DecodedSublet a = mesh::decode_sublet(file, s);
            const mesh::DecodedSublet b = mesh::decode_sublet(own, s);
            EXPECT_EQ(a.triangles, b.triangles);
            EXPECT_EQ(a.positions, b.positions);
            const shared::Bound& bound = bounds[place + s % shared::kSubletsPerMeshlet];
            EXPECT_EQ(bound.sphere.x, file.sublet_bounds[s].sphere.x);
            EXPECT_EQ(bound.cone.x, file.sublet_bounds[s].cone.x);
            vertices += a.vertex_count;
        }
    }
    EXPECT_EQ(vertices, there.vertices);
    EXPECT_GT(absent, 10U);
}

}  // namespace
}  // namespace sublet::render
