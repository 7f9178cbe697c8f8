// How much of a scene's geometry has room in VRAM, and the groups that share the rest.
#include "render/scene/residency.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "shaders/shared/scene.h"
#include "tests/unit/occlusion/ball.h"

namespace sublet::render {
namespace {

class ResidencyTest : public testing::Test {
  protected:
    [[nodiscard]] Residency plan(std::uint64_t budget) const { return plan_residency(geometry_.view(), {budget}); }

    mesh::Geometry geometry_ = make_ball(96);
};

TEST_F(ResidencyTest, OfAllIsTheFile) {
    const Residency there = plan(UINT64_MAX);
    EXPECT_TRUE(there.whole());
    EXPECT_EQ(there.bytes, there.whole_bytes);
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

TEST_F(ResidencyTest, HoldsToItsBudget) {
    const Residency least = plan(0);
    const std::uint64_t all = plan(UINT64_MAX).bytes;
    ASSERT_LT(least.bytes, all / 2);
    std::uint32_t sublets = UINT32_MAX;
    for (std::uint64_t budget = all * 3 / 4; budget > least.bytes; budget -= std::min(budget, all / 50)) {
        const Residency there = plan(budget);
        ASSERT_FALSE(there.whole());
        EXPECT_LE(there.bytes, std::max(budget, least.bytes));
        EXPECT_GT(there.bytes, std::min(budget, all) * 9 / 10) << "what there is room for is used";
        EXPECT_LE(there.pool.size.sublets, sublets);
        sublets = there.pool.size.sublets;
        EXPECT_EQ(there.sublets, there.pool.first_sublet + there.pool.size.sublets);
        EXPECT_EQ(there.vertices, there.pool.first_vertex + there.pool.size.vertices);
        EXPECT_EQ(there.payload_words, there.pool.first_payload + there.pool.size.payload + 1);
    }
    // What is never left out has room whatever the budget is, and so have two groups of any size.
    const GroupTable& groups = *least.groups;
    EXPECT_GE(least.pool.size.payload, groups.roots().payload + 2 * groups.largest().payload);
    EXPECT_GE(least.pool.size.vertices, groups.roots().vertices + 2 * groups.largest().vertices);
    // Each mesh keeps what its payload begins with.
    const std::vector<std::uint32_t> words = resident_payload(geometry_.view());
    EXPECT_EQ(words.size(), least.pool.first_payload);
    for (std::size_t m = 0; m < least.meshes.size(); ++m) {
        const shared::MeshHeader& file = geometry_.meshes[m];
        EXPECT_TRUE(std::equal(words.begin() + least.meshes[m].payload_offset,
                               words.begin() + least.meshes[m].payload_offset + head_words(file),
                               geometry_.payload.begin() + file.payload_offset));
    }
}

// In the plain coding all is there.
TEST_F(ResidencyTest, OfThePlainCodingAllIsThere) {
    const mesh::Result<mesh::Geometry> plain = mesh::try_recode(geometry_.view(), mesh::Coding::kPlain);
    const Residency there = plan_residency(plain->view(), {.budget = 0});
    EXPECT_TRUE(there.whole());
    EXPECT_EQ(there.bytes, there.whole_bytes);
}

TEST_F(ResidencyTest, VerticesWithLeadsTakeMore) {
    EXPECT_GT(plan_residency(geometry_.view(), {UINT64_MAX, true}).bytes, plan(UINT64_MAX).bytes);
}

// Every meshlet is in one run of its group; groups and meshes find each other; and what lies in the file adds up.
TEST_F(ResidencyTest, GroupsHaveAllMeshlets) {
    const GroupTable groups(geometry_.view());
    ASSERT_EQ(groups.group_count(), geometry_.lod_groups.size());
    std::vector<int> found(geometry_.meshlet_bounds.size());
    GroupSize all;
    for (std::uint32_t g = 0; g < groups.group_count(); ++g) {
        GroupSize size;
        for (const GroupTable::Run& run : groups.runs(g)) {
            for (std::uint32_t i = 0; i < run.count; ++i) {
                const std::uint32_t meshlet = geometry_.meshes[run.mesh].first_meshlet + run.first + i;
                ++found[meshlet];
                EXPECT_EQ(geometry_.lod_meshlets[meshlet].group, g);
                size += groups.meshlet(meshlet).size;
            }
        }
        EXPECT_EQ(size.payload, groups.group(g).size.payload);
        EXPECT_EQ(size.vertices, groups.group(g).size.vertices);
        all += size;
        for (const std::uint32_t parent : groups.parents(g)) {
            EXPECT_TRUE(std::ranges::count(groups.children(parent), g) == 1);
            EXPECT_GE(groups.group(parent).error, groups.group(g).error);
        }
        EXPECT_EQ(groups.parents(g).empty(), std::isinf(groups.group(g).error));
        for (const std::uint32_t mesh : groups.meshes(g)) {
            EXPECT_TRUE(std::ranges::count(groups.groups_of_mesh(mesh), g) == 1);
        }
    }
    EXPECT_EQ(std::ranges::count(found, 1), std::ssize(found));
    EXPECT_EQ(all.sublets, geometry_.sublet_bounds.size());
    std::uint64_t vertices = 0, words = 0;
    for (const shared::MeshHeader& mesh : geometry_.meshes) {
        vertices += mesh.vertex_count;
        words += mesh.payload_size - head_words(mesh) - 1;
    }
    EXPECT_EQ(all.vertices, vertices);
    EXPECT_EQ(all.payload, words);
}

// A file may change once it was checked: what is read then lies within it all the same.
TEST_F(ResidencyTest, RecordsThatAreHostileStayInTheFile) {
    std::mt19937 random(3);  // NOLINT(cert-msc51-cpp): the same bits each time
    for (int round = 0; round < 200; ++round) {
        mesh::Geometry flipped = geometry_;
        for (const shared::MeshHeader& mesh : flipped.meshes) {
            for (int i = 0; i < 30; ++i) {
                flipped.payload[mesh.payload_offset + random() % head_words(mesh)] ^= 1U << (random() % 32);
            }
        }
        const GroupTable groups(flipped.view());
        for (const shared::MeshHeader& mesh : flipped.meshes) {
            for (std::uint32_t i = 0; i < mesh.meshlet_count; ++i) {
                const GroupTable::Meshlet& of = groups.meshlet(mesh.first_meshlet + i);
                ASSERT_GE(of.payload, mesh.payload_offset);
                ASSERT_LE(of.payload + of.size.payload, mesh.payload_offset + mesh.payload_size);
                ASSERT_LE(of.size.vertices, shared::kMeshletSize);
                ASSERT_LE(of.triangles, shared::kMeshletSize);
            }
        }
    }
}

}  // namespace
}  // namespace sublet::render
