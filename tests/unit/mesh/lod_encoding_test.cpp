// Levels of detail in encoded meshes: they come and go and leave the finest as they are; faults in them are noticed.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

#include "mesh/encode.h"
#include "mesh/levels.h"
#include "mesh/mesh.h"
#include "same_geometry.h"
#include "test_meshes.h"

namespace sublet::mesh {
namespace {

Geometry encode_balls(Levels levels) {
    test::Random random(4);
    test::TestMesh ball = test::make_sphere(40, 60);
    ball.normals.clear();
    test::add_attributes(ball, Style::kTextured, random, false);
    const std::array<test::TestMesh, 2> balls{ball, test::make_sphere(16, 20)};
    const std::array<MeshInput, 2> inputs{balls[0].view(), balls[1].view()};
    EncodeOptions options;
    options.levels = levels;
    options.coding = Coding::kPlain;  // as add_levels() takes them
    return encode(inputs, options, "balls").geometry;
}

TEST(LodEncoding, KeepsTheFinestAsTheyAre) {
    const Geometry without = encode_balls(Levels::kOff);
    const Geometry with = encode_balls(Levels::kOn);
    ASSERT_GT(with.meshes[0].coarse_meshlets, 0U);
    EXPECT_FALSE(check(with.view(), "with").has_value());
    EXPECT_TRUE(test::same_geometry(finest_level(with.view(), 0, 2), without));
    EXPECT_TRUE(test::same_geometry(finest_level(without.view(), 0, 2), without));
    EXPECT_TRUE(test::same_geometry(add_levels(finest_level(with.view(), 0, 2), Levels::kOn, nullptr), with));
}

// Faults that a reader must notice.
TEST(LodEncoding, IsChecked) {
    EncodeOptions options;
    options.levels = Levels::kOn;
    const Geometry good = test::encode_one(test::make_sphere(40, 60), options).geometry;
    ASSERT_FALSE(check(good.view(), "good").has_value());
    const auto expect = [&](const char* field, const std::function<void(Geometry&)>& change) {
        Geometry bad = good;
        change(bad);
        const std::optional<Failure> failure = check(bad.view(), "bad");
        ASSERT_TRUE(failure.has_value()) << field;
        EXPECT_NE(failure->line().find(field), std::string::npos) << failure->line();
    };
    const std::uint32_t coarse = good.meshes[0].coarse_meshlets;
    const std::uint32_t top = good.lod_meshlets[0].group;
    const std::uint32_t below = good.lod_meshlets[0].simplified_from;
    expect("lod_meshlets", [](Geometry& g) { g.lod_meshlets.pop_back(); });
    expect("simplified_from", [](Geometry& g) { g.meshes[0].coarse_meshlets = g.meshes[0].meshlet_count; });
    expect("coarse_meshlets", [](Geometry& g) {
        g.lod_meshlets.clear();
        g.lod_groups.clear();
    });
    expect("simplified_from", [](Geometry& g) { ++g.meshes[0].coarse_meshlets; });
    expect("simplified_from", [&](Geometry& g) { g.lod_meshlets[0].simplified_from = top; });
    expect("simplified_from", [&](Geometry& g) { g.lod_meshlets[coarse].simplified_from = 0; });
    expect(".group", [](Geometry& g) { g.lod_meshlets[0].group = static_cast<std::uint32_t>(g.lod_groups.size()); });
    expect(".error", [&](Geometry& g) { g.lod_groups[below].error = -1.0F; });
    expect(".error", [&](Geometry& g) { g.lod_groups[top].error = 0.0F; });
    expect(".sphere", [&](Geometry& g) { g.lod_groups[top].sphere.w *= 0.5F; });
    expect(".sphere", [&](Geometry& g) { g.lod_groups[top].sphere.x = NAN; });
    expect(".reserved", [&](Geometry& g) { g.lod_groups[top].reserved[1] = 1; });
    expect(".group", [&](Geometry& g) { std::swap(g.lod_meshlets[0], g.lod_meshlets[coarse - 1]); });
    expect(".group", [&](Geometry& g) { g.lod_meshlets[coarse].group = shared::kNoLodGroup; });
    expect(".error", [&](Geometry& g) { g.lod_groups[g.lod_meshlets[coarse - 1].group].error *= 1e6F; });
    expect(".level", [&](Geometry& g) { g.lod_groups[top].level = g.lod_groups[below].level; });
    expect(".level", [&](Geometry& g) { g.lod_groups[top].level = 64; });
    expect("contains no meshlet", [](Geometry& g) { g.lod_groups.push_back(g.lod_groups.back()); });
}

}  // namespace
}  // namespace sublet::mesh
