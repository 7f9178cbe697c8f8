// What the grid of positions takes of meshes, the bits that automatic positions get for it, and what notes tell of
// both.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "base/thread_pool.h"
#include "gltf_builder.h"
#include "mesh/triangles.h"
#include "scene/container.h"
#include "scene/grid_notes.h"

namespace sublet::scene::testing {
namespace {

EncodedScene encode(const GltfBuilder& builder, int bits = mesh::kAutoPositionBits,
                    mesh::Coding coding = mesh::Coding::kCompact) {
    ThreadPool pool(2);
    mesh::EncodeOptions options;
    options.position_bits = bits;
    options.coding = coding;
    return encode_scene(import_gltf(builder.write_glb("a.glb")), options, pool);
}

// A triangle across 8 units, where a step of 14, 15, .. 21 bits is 2^-11, 2^-12, .. 2^-18; and `sizes`, right triangles
// with legs of so many units.
GltfBuilder triangles_of(const std::vector<float>& sizes) {
    std::vector<float> positions{0, 0, 0, 7.9F, 0, 0, 0, 7.9F, 0};
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const float x = 0.007F * static_cast<float>(i);
        positions.insert(positions.end(), {x, 1, 0, x + sizes[i], 1, 0, x, 1 + sizes[i], 0});
    }
    GltfBuilder builder;
    builder.node({{"mesh", builder.mesh({{"POSITION", builder.accessor(positions, 3, kF32)}})}});
    builder.root["meshes"][0]["name"] = "gravel";
    return builder;
}

std::vector<float> sizes(std::size_t large, std::size_t small, float size, std::size_t smaller = 0) {
    std::vector<float> result(large, 0.05F);
    result.resize(large + small, size);
    result.resize(large + small + smaller, 0x1.8p-20F);
    return result;
}

TEST(Grid, TellsOfMoreThanHalfAPercent) {
    const EncodedScene few = encode(triangles_of(sizes(994, 0, 0, 5)));
    EXPECT_EQ(scene_stats(few).total.dropped_by_grid, 5U);
    EXPECT_EQ(scene_stats(few).meshes[0].dropped_by_grid, 5U);
    EXPECT_TRUE(few.notes.empty());

    GltfBuilder builder = triangles_of(sizes(993, 0, 0, 6));
    const std::string start =
        "the grid of 14-bit positions is too coarse for 6 of 1,000 triangles of mesh 0 (gravel): they are left out; "
        "--position-bits ";
    for (const auto& [coding, bits] : {std::pair(mesh::Coding::kPlain, 16), std::pair(mesh::Coding::kCompact, 21)}) {
        const std::vector<std::string> expected{start + std::to_string(bits) + " would leave out 6"};
        EXPECT_EQ(encode(builder, mesh::kAutoPositionBits, coding).notes, expected);
        EXPECT_EQ(encode(builder, 14, coding).notes, expected);
        const std::vector<std::string> most = encode(builder, bits, coding).notes;
        ASSERT_EQ(most.size(), 1U);
        EXPECT_TRUE(most[0].ends_with("left out; --position-bits can be no more than " + std::to_string(bits)))
            << most[0];
    }

    // Another is told of by itself.
    builder.root["meshes"].push_back(builder.root["meshes"][0]);
    builder.node({{"mesh", 1}});
    EXPECT_EQ(encode(builder).notes.size(), 2U);
}

// More bits are taken where they keep triangles, and no more of them than that takes.
TEST(Grid, AMeshGetsTheBitsThatItNeeds) {
    struct Case {
        float size;
        std::size_t smaller;  // that no grid keeps
        std::uint32_t bits;
        const char* end;  // of the note
    };
    for (const Case& wanted :
         {Case{0x1p-10F, 0, 14, ""}, Case{0x1.1p-12F, 0, 15, ": none is left out now"},
          Case{0x1.1p-13F, 0, 16, ": none is left out now"}, Case{0x1.1p-12F, 10, 15, ": 10 are left out now"},
          Case{0x1.1p-17F, 0, 20, ": none is left out now"}, Case{0x1.1p-18F, 0, 21, ": none is left out now"},
          Case{0x1.8p-20F, 0, 14, "--position-bits 21 would leave out 20"}}) {
        GltfBuilder builder = triangles_of(sizes(80, 20, wanted.size, wanted.smaller));
        const EncodedScene scene = encode(builder);
        ASSERT_EQ(scene.geometry.meshes[0].position_bits, wanted.bits) << wanted.size;
        EXPECT_EQ(scene.info.position_bits, 14);
        ASSERT_EQ(scene.notes.size(), *wanted.end == '\0' ? 0U : 1U) << wanted.size;
        if (!scene.notes.empty()) {
            EXPECT_TRUE(scene.notes[0].ends_with(wanted.end)) << scene.notes[0];
        }
        if (wanted.bits == 14) continue;
        const EncodedScene coarse = encode(builder, 14);
        EXPECT_EQ(coarse.geometry.meshes[0].position_bits, 14U) << "what is asked for stays";
        const std::string start = "positions of mesh 0 (gravel) have " + std::to_string(wanted.bits) +
                                  " bits in place of 14, which would leave out " +
                                  std::to_string(*scene_stats(coarse).total.dropped_by_grid) + " of its " +
                                  std::to_string(101 + wanted.smaller) + " triangles: ";
        EXPECT_TRUE(scene.notes[0].starts_with(start)) << scene.notes[0];
        // As if they had been asked for.
        const EncodedScene asked = encode(builder, static_cast<int>(wanted.bits));
        EXPECT_TRUE(std::equal(asked.geometry.payload.begin(), asked.geometry.payload.end(),
                               scene.geometry.payload.begin(), scene.geometry.payload.end()));
        // The other mesh keeps what it has.
        const int position = builder.accessor<float>({0, 0, 0, 0.3F, 0, 0, 0, 0.7F, 0}, 3, kF32);
        builder.node({{"mesh", builder.mesh({{"POSITION", position}})}});
        const EncodedScene both = encode(builder);
        EXPECT_EQ(both.geometry.meshes[0].position_bits, wanted.bits);
        EXPECT_EQ(both.geometry.meshes[1].position_bits, 14U);
    }
}

// Whatever bits a mesh has: what was decoded is encoded to the same integers again.
TEST(Grid, ADecodedMeshKeepsItsBits) {
    ThreadPool pool(2);
    for (const float size :
         {0.05F, 0x1.1p-12F, 0x1.3p-12F, 0x1.1p-13F, 0x1.2p-13F, 0x1.3p-13F, 0x1.3p-16F, 0x1.1p-18F}) {
        // Of so few one is more than 0.5 %.
        for (const std::size_t large : {2, 80}) {
            const EncodedScene scene = encode(triangles_of(sizes(large, 1 + large / 4, size)));
            export_glb(test_path("back.glb"), scene);
            const EncodedScene back = load_scene(test_path("back.glb"), {}, pool);
            EXPECT_EQ(back.geometry.meshes[0].position_bits, scene.geometry.meshes[0].position_bits) << size;
            EXPECT_TRUE(std::equal(back.geometry.payload.begin(), back.geometry.payload.end(),
                                   scene.geometry.payload.begin(), scene.geometry.payload.end()))
                << size;
            EXPECT_TRUE(back.notes.empty()) << back.notes[0];
        }
    }
}

// Triangles on a line, as levels have where a wall meets the edge of a longer one: rounding has bent the line.
TEST(Grid, TakesNothingFromCornersOnALine) {
    std::vector<float> positions{-20, -20, -20, 20, -20, -20, -20, 20, 20};
    std::size_t bent = 0;
    for (int i = 0; i < 50; ++i) {
        const float x = 0.3F * static_cast<float>(i);
        const std::array<float, 3> a{x, 17.3F, -3.1F};
        const std::array<float, 3> b{x - 9.7F, 17.3F, -3.1F};
        const std::array<float, 3> middle{x - 4.1F, std::nextafter(17.3F, 18.0F), -3.1F};
        for (const auto& corner : {a, b, middle}) positions.insert(positions.end(), corner.begin(), corner.end());
        bent += mesh::is_higher_than(a, b, middle, 0.0) ? 1 : 0;
        EXPECT_FALSE(mesh::has_source_area(a, b, middle)) << i;
    }
    EXPECT_GT(bent, 25U) << "they have some area, by their coordinates";
    GltfBuilder builder;
    builder.node({{"mesh", builder.mesh({{"POSITION", builder.accessor(positions, 3, kF32)}})}});
    const EncodedScene scene = encode(builder);
    EXPECT_EQ(scene_stats(scene).total.triangles, 1U);
    EXPECT_EQ(scene_stats(scene).total.dropped_degenerate, 50U);
    EXPECT_EQ(scene_stats(scene).total.dropped_by_grid, 0U);
    EXPECT_EQ(scene.geometry.meshes[0].position_bits, 14U);
    EXPECT_TRUE(scene.notes.empty()) << scene.notes[0];
}

}  // namespace
}  // namespace sublet::scene::testing
