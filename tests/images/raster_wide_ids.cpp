// The compute rasteriser in scenes with wide ids. There a pixel's word tells the last bits of its sublet's number, and
// a pass finds which sublet it is: colours, depths and triangles are those of narrow ids, to the bit. So are ties,
// where the bits hold all numbers; else other sublets may win those.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "base/thread_pool.h"
#include "harness.h"
#include "ids.h"
#include "render/settings/backend_info.h"
#include "scene/import.h"
#include "shaders/shared/scene.h"
#include "shapes.h"

namespace sublet::test::raster_wide_ids_test {
namespace {

using render::Backend;
using render::CameraPose;
using render::FrameSettings;
using render::Projection;

struct Look {
    CameraPose pose;
    float near_plane = 0.05F;
    std::uint32_t width = 131, height = 87;
    FrameSettings settings = {};
};

// From outside, from inside of the shapes, and through their surfaces.
const CameraPose kOutside{.eye = {5.0F, 3.0F, 4.0F}, .target = {0.0F, 0.0F, 0.0F}};
const CameraPose kInside{.eye = {0.1F, 0.2F, 0.3F}, .target = {1.0F, 0.0F, 0.4F}, .fov_degrees = 90.0F};
const CameraPose kThrough{.eye = {2.3F, 0.05F, 0.0F}, .target = {0.0F, 0.3F, 0.0F}, .fov_degrees = 100.0F};

// The same pixels, covered as the same and in part.
struct Seen {
    std::uint64_t covered = 0, large = 0, left = 0, phase2 = 0;
    std::set<std::uint32_t> ids;
};

constexpr std::uint32_t kAllBits = ~0U;

class RasterWideIds : public testing::Test {
  protected:
    // All looks one after another, a frame each, with narrow ids and with wide ones, of which words keep so many bits
    // of sublets' numbers. Hundreds of sublets share three.
    static Seen compare(const scene::EncodedScene& scene, const std::vector<Look>& looks,
                        const std::vector<std::string>& without = {}, const render::SceneSettings& settings = {},
                        const std::vector<std::uint32_t>& kept_bits = {kAllBits, 3}) {
        Bench bench(without);
        Seen seen;
        if (const auto reason = render::backend_unavailable(Backend::kRaster, bench.device().capabilities())) {
            ADD_FAILURE() << *reason;
            return seen;
        }
        const IdReader reader(scene, settings.grid);
        const std::vector<Bench::Shot> narrow = shoot_all(bench, scene, settings, looks, false);
        for (const std::uint32_t bits : kept_bits) {
            const std::vector<Bench::Shot> wide = shoot_all(bench, scene, settings, looks, true, bits);
            std::uint64_t others = 0;
            for (std::size_t i = 0; i < looks.size(); ++i) {
                SCOPED_TRACE("look " + std::to_string(i) + ", " + std::to_string(bits) + " bits");
                others += expect_same(narrow[i].picture, wide[i].picture, reader, seen);
                seen.large += wide[i].counters.raster_large;
                seen.left += wide[i].counters.raster_left;
                seen.phase2 += wide[i].counters.meshlets_drawn_phase2;
            }
            EXPECT_LE(others, bits == kAllBits ? 0 : seen.covered / 1000);
        }
        EXPECT_EQ(bench.validation_messages(), 0U);
        return seen;
    }

    static std::vector<Bench::Shot> shoot_all(Bench& bench, const scene::EncodedScene& scene,
                                              const render::SceneSettings& settings, const std::vector<Look>& looks,
                                              bool wide, std::uint32_t most_number_bits = kAllBits) {
        bench.renderer().set_test_hooks({.wide_ids = wide, .most_number_bits = most_number_bits});
        bench.set_scene(scene, settings);
        std::vector<Bench::Shot> out;
        for (Look look : looks) {
            look.settings.backend = Backend::kRaster;
            out.push_back(bench.shoot(look.settings, look.pose, look.near_plane, look.width, look.height));
        }
        return out;
    }

    // Returns the pixels at which another of those that tie is seen.
    static std::uint64_t expect_same(const render::Picture& narrow, const render::Picture& wide, const IdReader& reader,
                                     Seen& seen) {
        EXPECT_EQ(wide.ids.size(), 2 * narrow.ids.size());
        EXPECT_EQ(std::count(wide.ids.begin(), wide.ids.end(), shared::kNoTriangle), 0);
        EXPECT_EQ(wide.depth, narrow.depth);
        const std::vector<std::uint32_t> ids = reader.narrowed(wide).ids;
        std::uint64_t others = 0;
        for (std::size_t i = 0; i < ids.size(); ++i) others += ids[i] == narrow.ids[i] ? 0U : 1U;
        if (others == 0) {
            EXPECT_EQ(wide.rgba, narrow.rgba);
        }
        seen.covered += static_cast<std::uint64_t>(
            std::count_if(wide.depth.begin(), wide.depth.end(), [](float depth) { return depth > 0.0F; }));
        seen.ids.insert(narrow.ids.begin(), narrow.ids.end());
        return others;
    }
};

// Large and small triangles, some cut at the near plane.
TEST_F(RasterWideIds, OfShapesFromAnywhere) {
    std::vector<Look> looks;
    for (const CameraPose& pose : {kOutside, kInside, kThrough}) {
        for (const float near_plane : {0.002F, 0.05F, 1.5F}) {
            looks.push_back({pose, near_plane});
            looks.push_back({pose, near_plane, 400, 3});
            looks.push_back({pose, near_plane, 77, 221});
            looks.back().settings.projection = Projection::kOrthographic;
        }
    }
    const Seen seen = compare(encode(make_shapes()), looks);
    EXPECT_GT(seen.covered, 50000U);
    EXPECT_GT(seen.ids.size(), 5000U);
    EXPECT_GT(seen.phase2, 0U);
}

TEST_F(RasterWideIds, OfTheBuiltinScene) {
    Bench bench;
    bench.set_scene(encode(scene::make_builtin_scene()));
    const render::DefaultView view = render::default_view(bench.scene(), {}, {}, 16.0F / 9.0F);
    std::vector<Look> looks;
    for (const float near_plane : {0.01F, view.near_plane, 2.0F}) looks.push_back({view.pose, near_plane, 320, 180});
    EXPECT_GT(compare(bench.scene(), looks, {}, {}, {kAllBits, 7}).covered, 50000U);
}

// Triangles smaller than pixels: each pixel shows another sublet.
TEST_F(RasterWideIds, OfAGrid) {
    const render::SceneSettings grid{.grid = {glm::uvec3(5, 4, 3), 2.5F}};
    const CameraPose away{.eye = {26.0F, 18.0F, 21.0F}, .target = {0.0F, 0.0F, 0.0F}, .fov_degrees = 30.0F};
    const Seen seen = compare(encode(make_shapes()), {{away}, {kInside}}, {}, grid);
    EXPECT_GT(seen.covered, 5000U);
    EXPECT_GT(seen.ids.size(), 4000U);
}

// Numbers count what may be in the cuts: coarse and fine ones, all of them, and those of the finest level alone.
TEST_F(RasterWideIds, OfCuts) {
    ThreadPool pool;
    const scene::EncodedScene scene = scene::encode_scene(make_shapes(), {.levels = mesh::Levels::kOn}, pool);
    ASSERT_FALSE(scene.geometry.lod_groups.empty());
    const render::SceneSettings grid{.grid = {glm::uvec3(3, 2, 2), 4.0F}};
    std::vector<Look> looks;
    for (const CameraPose& pose : {kOutside, kInside, CameraPose{.eye = {60.0F, 20.0F, 50.0F}, .fov_degrees = 20.0F}}) {
        for (const float error : {0.0F, 1.0F, 6.0F}) {
            looks.push_back({pose, 0.05F, 131, 87});
            looks.back().settings.lod_error = error;
        }
        looks.push_back({pose, 0.05F, 93, 61});
        looks.back().settings.lod = false;
    }
    const Seen seen = compare(scene, looks, {}, grid, {kAllBits, 11});
    EXPECT_GT(seen.covered, 30000U);
    EXPECT_GT(seen.ids.size(), 5000U);
}

// Whoever draws: lanes, workgroups by either list, with 64-bit atomics and without, and whatever is shown.
TEST_F(RasterWideIds, ByEveryRoad) {
    std::vector<FrameSettings> all(1);
    for (const std::uint32_t limit : {0U, 7U, render::kMostRasterLimit}) {
        for (const render::Payload payload : {render::Payload::kEncoded, render::Payload::kDecoded}) {
            all.emplace_back();
            all.back().raster_limit = limit;
            all.back().payload = payload;
            all.back().compact_budget = limit == 0 && payload == render::Payload::kDecoded ? 64 : 0;
        }
    }
    all.emplace_back().subgroup = render::SubgroupPath::kGeneral;
    all.emplace_back().cull_occlusion = false;
    for (const render::Show show : {render::Show::kTriangles, render::Show::kPhase, render::Show::kPath}) {
        all.emplace_back().show = show;
    }
    std::vector<Look> looks;
    for (const CameraPose& pose : {kOutside, kInside, kThrough}) {
        for (const FrameSettings& settings : all) looks.push_back({pose, 0.05F, 93, 61, settings});
    }
    const scene::EncodedScene scene = encode(make_shapes());
    for (const std::vector<std::string>& without :
         {std::vector<std::string>{}, std::vector<std::string>{"int64-atomics"}}) {
        SCOPED_TRACE(without.empty() ? "all features" : "without " + without.front());
        const Seen seen = compare(scene, looks, without, {}, {3});
        EXPECT_GT(seen.covered, 50000U);
        EXPECT_GT(seen.large, 0U);
        EXPECT_GT(seen.left, 0U);
        EXPECT_GT(seen.phase2, 0U);
    }
}

// A mesh of six quads with their vertices in the same places, all in one sublet; two of them face away.
scene::ImportedScene make_stack() {
    scene::SourceMesh mesh;
    for (std::uint32_t copy = 0; copy < 6; ++copy) {
        const scene::SourceMesh quad = make_quad({-1.0F, -1.0F, 0.0F}, {2.0F, 0.0F, 0.0F}, {0.0F, 2.0F, 0.0F});
        const auto first = static_cast<std::uint32_t>(mesh.positions.size());
        mesh.positions.insert(mesh.positions.end(), quad.positions.begin(), quad.positions.end());
        mesh.normals.insert(mesh.normals.end(), quad.normals.begin(), quad.normals.end());
        mesh.uv0.insert(mesh.uv0.end(), quad.uv0.begin(), quad.uv0.end());
        mesh.uv1.insert(mesh.uv1.end(), quad.uv1.begin(), quad.uv1.end());
        // Triangles of equal vertices would be one.
        const float shade = static_cast<float>(copy) / 5.0F;
        mesh.colors.insert(mesh.colors.end(), quad.colors.size(), {shade, 1.0F - shade, shade, 1.0F});
        std::vector<std::uint32_t> indices = quad.indices;
        if (copy % 3 == 1) std::reverse(indices.begin(), indices.end());
        for (const std::uint32_t index : indices) mesh.indices.push_back(first + index);
    }
    scene::ImportedScene out;
    out.scene.materials.emplace_back();
    place(out, add_mesh(out, std::move(mesh), 0), glm::mat4(1.0F));
    return out;
}

std::vector<Look> tie_looks() {
    std::vector<Look> looks;
    for (const std::uint32_t limit : {0U, render::kMostRasterLimit}) {
        for (const CameraPose& pose : {CameraPose{.eye = {0.0F, 0.0F, 3.0F}, .target = {0.0F, 0.0F, 0.0F}},
                                       CameraPose{.eye = {0.0F, 0.0F, -3.0F}, .target = {0.0F, 0.0F, 0.0F}},
                                       CameraPose{.eye = {0.6F, 0.3F, 2.0F}, .target = {0.0F, 0.0F, 0.0F}},
                                       CameraPose{.eye = {0.9F, 0.1F, 0.1F}, .target = {-0.5F, 0.0F, 0.0F}}}) {
            // In a square window the first pose has centres on the quads' diagonals.
            looks.push_back({pose, 0.2F, 96, 96});
            looks.back().settings.raster_limit = limit;
        }
    }
    return looks;
}

TEST_F(RasterWideIds, TiesOfInstances) {
    EXPECT_GT(compare(encode(make_coplanar()), tie_looks()).covered, 10000U);
}

// Some pixels of a tile show one sublet, some the other, which has fewer triangles.
TEST_F(RasterWideIds, TiesOfUnequalInstances) {
    scene::ImportedScene scene = make_stack();
    place(scene, add_mesh(scene, make_quad({-0.4F, -0.3F, 0.0F}, {0.7F, 0.2F, 0.0F}, {-0.1F, 0.6F, 0.0F}), 0),
          glm::mat4(1.0F));
    // Three bits would be those of a sublet in its meshlet alone: of all of these surfaces, which tie.
    EXPECT_GT(compare(encode(std::move(scene)), tie_looks(), {}, {}, {kAllBits, 4}).covered, 10000U);
}

TEST_F(RasterWideIds, TiesWithinASublet) {
    const scene::EncodedScene scene = encode(make_stack());
    ASSERT_EQ(scene.geometry.meshes[0].sublet_count, 1U);
    ASSERT_EQ(scene.geometry.meshes[0].triangle_count, 12U);
    const Seen seen = compare(scene, tie_looks());
    EXPECT_GT(seen.covered, 10000U);
}

TEST_F(RasterWideIds, AreExplainedByDirectDraws) {
    Bench bench;
    bench.renderer().set_test_hooks({.wide_ids = true});
    bench.set_scene(encode(make_shapes()));
    FrameSettings settings;
    settings.backend = Backend::kRaster;
    for (const CameraPose& pose : {kOutside, kInside, kThrough}) {
        bench.shoot(settings, pose, 0.05F, 131, 87);
        EXPECT_EQ(bench.ambiguous(pose, 0.05F, 131, 87).raster.value().wrong_pixels, 0U);
    }
    CameraPose moved = kThrough;
    moved.eye.x += 0.02F;
    EXPECT_GT(bench.ambiguous(moved, 0.05F, 131, 87).raster.value().wrong_pixels, 500U);
    EXPECT_EQ(bench.validation_messages(), 0U);
}

}  // namespace
}  // namespace sublet::test::raster_wide_ids_test
