// The funnel: every item of every step is accounted for, once, by every backend; and what two backends count is equal.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "harness.h"
#include "render/settings/backend_info.h"
#include "shapes.h"

namespace sublet::test::funnel_test {
namespace {

using render::Backend;
using render::BackendInfo;
using render::CameraPose;
using render::FrameSettings;
using render::Funnel;
using render::OcclusionDetail;
using render::PrimitiveCulling;
using render::Survivors;

constexpr float kNear = 0.05F;
constexpr std::uint32_t kWidth = 131;
constexpr std::uint32_t kHeight = 87;

// Around a block of shapes, in the middle of it, and past it.
const std::vector<CameraPose>& poses() {
    static const std::vector<CameraPose> all{
        {.eye = {8.0F, 1.0F, 5.0F}, .target = {0.0F, 0.0F, 0.0F}},
        {.eye = {0.1F, 0.2F, 0.3F}, .target = {1.0F, 0.0F, 0.4F}, .fov_degrees = 90.0F},
        {.eye = {3.0F, 0.5F, 0.0F}, .target = {3.0F, 0.2F, 9.0F}, .fov_degrees = 60.0F}};
    return all;
}

render::SceneSettings dense_grid(std::uint64_t survivor_budget = 0) {
    return {.grid = {glm::uvec3(4, 4, 4), 0.7F}, .survivor_budget = survivor_budget};
}

std::uint64_t covered(const render::Picture& picture) {
    return static_cast<std::uint64_t>(
        std::count_if(picture.depth.begin(), picture.depth.end(), [](float depth) { return depth != 0.0F; }));
}

using Fields = std::map<std::string, std::optional<std::uint64_t>>;

Fields fields(const Funnel::Step& step) {
    const Funnel::Rejected& r = step.rejected;
    return {{"total", step.total},
            {"frustum", r.frustum},
            {"cone", r.cone},
            {"backface", r.backface},
            {"no_pixel", r.no_pixel},
            {"occlusion", r.occlusion},
            {"undivided", r.undivided},
            {"frozen", r.frozen},
            {"drawn_phase1", step.drawn_phase1},
            {"drawn_phase2", step.drawn_phase2}};
}

void expect_equal(const std::optional<Funnel::Step>& a, const std::optional<Funnel::Step>& b, const char* what) {
    ASSERT_EQ(a.has_value(), b.has_value()) << what;
    if (!a) return;
    const Fields left = fields(*a);
    const Fields right = fields(*b);
    for (const auto& [name, count] : left) EXPECT_EQ(count, right.at(name)) << what << " " << name;
}

void expect_equal(const Funnel& a, const Funnel& b) {
    expect_equal(a.instances, b.instances, "instances");
    expect_equal(a.meshlets, b.meshlets, "meshlets");
    expect_equal(a.sublets, b.sublets, "sublets");
    expect_equal(a.triangles, b.triangles, "triangles");
    EXPECT_EQ(a.pixels.covered, b.pixels.covered);
}

class FunnelOf : public testing::TestWithParam<Way> {
  protected:
    void SetUp() override {
        settings_ = GetParam().settings;
        if (const auto reason = render::backend_unavailable(*settings_.backend, bench_.device().capabilities())) {
            GTEST_SKIP() << *reason;
        }
    }
    void TearDown() override { EXPECT_EQ(bench_.validation_messages(), 0U); }

    [[nodiscard]] const BackendInfo& info() const { return render::backend_info(*GetParam().settings.backend); }
    [[nodiscard]] bool lists() const { return info().survivors != Survivors::kNone; }

    // What the backend keeps bits of, coarsest first.
    [[nodiscard]] std::vector<OcclusionDetail> details() const {
        std::vector<OcclusionDetail> out{OcclusionDetail::kMeshlets};
        if (info().survivors == Survivors::kSublets) out.push_back(OcclusionDetail::kSublets);
        if (info().primitives == PrimitiveCulling::kCompute) out.push_back(OcclusionDetail::kPrimitives);
        return out;
    }

    // One more frame, all of whose items are accounted for.
    Funnel frame(const FrameSettings& settings, const CameraPose& pose, std::uint32_t width = kWidth,
                 std::uint32_t height = kHeight) {
        const Bench::Shot shot = bench_.shoot(settings, pose, kNear, width, height);
        const render::Counters& counters = shot.counters;
        EXPECT_TRUE(counters.funnel.has_value());
        if (!counters.funnel) return {};
        const Funnel& funnel = *counters.funnel;
        const render::SceneTotals totals = bench_.renderer().totals();
        EXPECT_EQ(funnel.instances.total, totals.instances);
        EXPECT_EQ(funnel.instances.total, funnel.instances.rejected.sum() + funnel.instances.drawn());
        EXPECT_EQ(funnel.pixels.total, std::uint64_t{width} * height);
        EXPECT_EQ(funnel.pixels.covered, covered(shot.picture));
        EXPECT_TRUE(funnel.meshlets.has_value() && funnel.triangles.has_value());
        if (!funnel.meshlets || !funnel.triangles) return funnel;
        const Funnel::Step& meshlets = *funnel.meshlets;
        EXPECT_EQ(meshlets.total, meshlets.rejected.sum() + meshlets.drawn());
        EXPECT_LE(meshlets.total, totals.instanced.meshlets);
        const bool whole = settings.backend == Backend::kMdi || settings.backend == Backend::kGenerated;
        EXPECT_EQ(funnel.sublets.has_value(), settings.cull_sublets || !whole);
        if (funnel.sublets) {
            EXPECT_EQ(funnel.sublets->total, funnel.sublets->rejected.sum() + funnel.sublets->drawn());
            EXPECT_GE(funnel.sublets->total, meshlets.drawn());
            EXPECT_LE(funnel.sublets->total, meshlets.drawn() * shared::kSubletsPerMeshlet);
        }
        const Funnel::Step& triangles = *funnel.triangles;
        EXPECT_EQ(triangles.total, triangles.rejected.sum() + triangles.drawn());
        EXPECT_EQ(triangles.drawn(), counters.primitives_drawn);
        if (render::culls_on_gpu(info())) {
            EXPECT_EQ(meshlets.drawn_phase1, counters.meshlets_drawn_phase1);
            EXPECT_EQ(meshlets.drawn_phase2, counters.meshlets_drawn_phase2);
            EXPECT_LE(counters.meshlets_tested, meshlets.total);
        }
        return funnel;
    }

    Funnel settled(const FrameSettings& settings, const CameraPose& pose, std::uint32_t width = kWidth,
                   std::uint32_t height = kHeight) {
        bench_.shoot(settings, pose, kNear, width, height, 2);
        return frame(settings, pose, width, height);
    }

    Bench bench_;
    FrameSettings settings_;
};

// Without occlusion culling each item is tested once: nothing is left over that no counter has.
TEST_P(FunnelOf, OnePhase) {
    settings_.cull_occlusion = false;
    bench_.set_scene(encode(make_shapes()), dense_grid());
    std::uint64_t outside = 0;
    std::uint64_t away = 0;
    for (const CameraPose& pose : poses()) {
        const Funnel funnel = frame(settings_, pose);
        EXPECT_EQ(funnel.instances.rejected.occlusion.value_or(0), 0U);
        EXPECT_EQ(funnel.meshlets->rejected.occlusion.value_or(0), 0U);
        if (funnel.sublets) {
            EXPECT_EQ(funnel.sublets->rejected.occlusion.value_or(0), 0U);
        }
        outside += funnel.instances.rejected.frustum.value_or(0);
        away += funnel.meshlets->rejected.cone.value_or(0);
        // All instances are of one mesh: those that pass have their share of the meshlets.
        const render::SceneTotals totals = bench_.renderer().totals();
        ASSERT_EQ(totals.meshes, 1U);
        EXPECT_EQ(funnel.meshlets->total, funnel.instances.drawn() * totals.unique.meshlets);
    }
    EXPECT_GT(outside, 0U);
    if (render::culls_on_gpu(info())) {
        EXPECT_GT(away, 0U);
    }
}

// With no test at all everything goes on, down to the scene's last triangle.
TEST_P(FunnelOf, NoCulling) {
    settings_.cull_occlusion = settings_.cull_instances = settings_.cull_frustum = settings_.cull_cone = false;
    settings_.cull_sublets = settings_.cull_primitives = false;
    for (const bool builtin : {false, true}) {
        if (builtin) {
            bench_.set_scene(encode(scene::make_builtin_scene()));
        } else {
            bench_.set_scene(encode(make_shapes()), dense_grid());
        }
        const Funnel funnel = frame(settings_, poses()[0]);
        const render::SceneTotals totals = bench_.renderer().totals();
        EXPECT_EQ(funnel.instances.drawn(), totals.instances);
        EXPECT_EQ(funnel.meshlets->drawn(), totals.instanced.meshlets);
        if (funnel.sublets) {
            EXPECT_EQ(funnel.sublets->drawn(), totals.instanced.sublets);
        }
        EXPECT_EQ(funnel.triangles->total, totals.instanced.triangles);
        // The compute rasteriser still finds what leaves no pixel.
        if (info().primitives != PrimitiveCulling::kRaster) {
            EXPECT_EQ(funnel.triangles->drawn(), totals.instanced.triangles);
        }
        EXPECT_GE(totals.instanced.triangles, totals.unique.triangles);
    }
}

// With a camera that moves and jumps, phase 1 draws what phase 2 then finds hidden: it counts once all the same.
TEST_P(FunnelOf, TwoPhasesOnTheMove) {
    if (!render::culls_on_gpu(info())) GTEST_SKIP() << "takes no part";
    for (const OcclusionDetail detail : details()) {
        SCOPED_TRACE(static_cast<int>(detail));
        settings_.occlusion_detail = detail;
        bench_.set_scene(encode(make_shapes()), dense_grid());
        std::uint64_t hidden = 0;
        std::uint64_t first = 0;
        std::uint64_t second = 0;
        for (int i = 0; i < 10; ++i) {
            const float t = 0.09F * static_cast<float>(i) + (i % 4 == 3 ? 2.0F : 0.0F);
            const float distance = 6.0F + 3.0F * std::cos(0.9F * t);
            const Funnel funnel =
                frame(settings_, {.eye = {distance * std::cos(t), 1.5F * std::sin(1.7F * t), distance * std::sin(t)},
                                  .target = {0.3F, 0.1F, 0.0F},
                                  .fov_degrees = 50.0F});
            hidden += funnel.instances.rejected.occlusion.value_or(0) +
                      funnel.meshlets->rejected.occlusion.value_or(0) +
                      funnel.triangles->rejected.occlusion.value_or(0);
            first += funnel.meshlets->drawn_phase1;
            second += funnel.meshlets->drawn_phase2;
        }
        EXPECT_GT(hidden, 0U);
        EXPECT_GT(first, 0U);
        EXPECT_GT(second, 0U);
    }
}

// The frustum rejects the same instances whether occlusion is tested or not. With nothing moving, phase 2 draws
// nothing, and a frame is as the one before.
TEST_P(FunnelOf, Settles) {
    if (!render::culls_on_gpu(info())) GTEST_SKIP() << "takes no part";
    bench_.set_scene(encode(make_shapes()), dense_grid());
    for (const CameraPose& pose : poses()) {
        settings_.cull_occlusion = false;
        const Funnel off = frame(settings_, pose);
        settings_.cull_occlusion = true;
        const Funnel on = settled(settings_, pose);
        EXPECT_EQ(on.instances.rejected.frustum, off.instances.rejected.frustum);
        EXPECT_EQ(on.meshlets->drawn_phase2, 0U);
        EXPECT_EQ(on.triangles->drawn_phase2, 0U);
        expect_equal(on, frame(settings_, pose));
        EXPECT_LE(on.triangles->drawn(), off.triangles->drawn());
        EXPECT_EQ(on.pixels.covered, off.pixels.covered);
    }
}

// Lists so short that frames take many rounds: the same funnel as of one round.
TEST_P(FunnelOf, RoundsCountAsOne) {
    if (!lists()) GTEST_SKIP() << "has no list";
    if (info().backend == Backend::kGenerated) GTEST_SKIP() << "the driver says how much of its list fits";
    std::vector<Funnel> whole;
    for (const std::uint64_t budget : {0U, 16384U}) {
        bench_.set_scene(encode(make_shapes()), dense_grid(budget));
        std::size_t at = 0;
        for (const bool occlusion : {false, true}) {
            for (const OcclusionDetail detail : details()) {
                if (!occlusion && detail != OcclusionDetail::kMeshlets) continue;
                settings_.cull_occlusion = occlusion;
                settings_.occlusion_detail = detail;
                const Funnel funnel = settled(settings_, poses()[0]);
                EXPECT_EQ(bench_.renderer().counters().rounds > 1, budget != 0);
                if (budget == 0) {
                    whole.push_back(funnel);
                } else {
                    SCOPED_TRACE(std::string(occlusion ? "occlusion " : "") + std::to_string(static_cast<int>(detail)));
                    expect_equal(funnel, whole[at]);
                }
                ++at;
            }
        }
    }
    // What is drawn without lists is not counted, and so neither step is.
    settings_.cull_occlusion = false;
    bench_.renderer().set_test_hooks({.most_rounds = 1});
    const Bench::Shot shot = bench_.shoot(settings_, poses()[0], kNear, kWidth, kHeight);
    ASSERT_TRUE(shot.counters.funnel.has_value());
    EXPECT_FALSE(shot.counters.funnel->meshlets || shot.counters.funnel->sublets || shot.counters.funnel->triangles);
    EXPECT_EQ(shot.counters.funnel->pixels.covered, covered(shot.picture));
}

TEST_P(FunnelOf, EveryExpansionGivesTheSame) {
    // One of each kind of list: the others' passes are the same.
    if (info().backend != Backend::kCompact && info().backend != Backend::kMdi) {
        GTEST_SKIP() << "expands by itself, or as compact does";
    }
    bench_.set_scene(encode(scene::make_builtin_scene()));
    const CameraPose pose{.eye = {1.0F, 1.7F, -8.0F}, .target = {9.0F, 1.7F, -14.0F}, .fov_degrees = 60.0F};
    for (const bool occlusion : {false, true}) {
        settings_.cull_occlusion = occlusion;
        std::optional<Funnel> expected;
        std::size_t tried = 0;
        for (const render::ExpansionStrategy strategy : render::all_expansions()) {
            SCOPED_TRACE(render::expansion_name(strategy));
            if (render::expansion_unavailable(strategy, bench_.device().capabilities())) continue;
            settings_.expansion = strategy;
            const Funnel funnel = settled(settings_, pose, 48, 27);
            if (expected) {
                expect_equal(funnel, *expected);
            } else {
                expected = funnel;
            }
            ++tried;
        }
        EXPECT_GE(tried, 5U);
        settings_.expansion.reset();
    }
}

// What the frozen frame drew is drawn; what it did not see is not said to be hidden from here.
TEST_P(FunnelOf, FrozenCulling) {
    bench_.set_scene(encode(make_shapes()), dense_grid());
    settings_.freeze_culling = 3;
    const Funnel before = [&] {
        settled(settings_, poses()[0]);
        return frame(settings_, poses()[0]);
    }();
    for (const CameraPose& pose : poses()) {
        const Funnel frozen = frame(settings_, pose);
        EXPECT_EQ(frozen.meshlets->drawn(), before.meshlets->drawn());
        EXPECT_EQ(frozen.meshlets->drawn_phase2, 0U);
        if (!render::culls_on_gpu(info())) continue;
        ASSERT_TRUE(frozen.meshlets->rejected.frozen.has_value());
        EXPECT_GT(*frozen.instances.rejected.frozen + *frozen.meshlets->rejected.frozen, 0U);
        EXPECT_EQ(frozen.meshlets->rejected.occlusion, 0U);
    }
}

TEST_P(FunnelOf, WideIdsChangeNothing) {
    std::optional<Funnel> narrow;
    for (const bool wide : {false, true}) {
        bench_.renderer().set_test_hooks({.wide_ids = wide});
        bench_.set_scene(encode(make_shapes()), dense_grid());
        const Funnel funnel = settled(settings_, poses()[1]);
        if (narrow) expect_equal(funnel, *narrow);
        narrow = funnel;
    }
}

TEST_P(FunnelOf, OddWindowsAndFramesThatDoNotCount) {
    bench_.set_scene(encode(make_shapes()), dense_grid());
    for (const std::uint32_t size : {1U, 7U, 8U, 65U}) frame(settings_, poses()[1], size, size + 2);
    settings_.collect_counters = false;
    const Bench::Shot shot = bench_.shoot(settings_, poses()[1], kNear, kWidth, kHeight);
    EXPECT_FALSE(shot.counters.funnel.has_value());
    EXPECT_EQ(shot.counters.meshlets_tested, 0U);
}

INSTANTIATE_TEST_SUITE_P(All, FunnelOf, testing::ValuesIn(tried_ways()),
                         [](const testing::TestParamInfo<Way>& info) { return test_name(info.param); });

// What two backends both count is equal.
TEST(Funnels, AreEqualWhereBackendsCountTheSame) {
    Bench bench;
    bench.set_scene(encode(make_shapes()), dense_grid());
    for (const bool occlusion : {false, true}) {
        for (const CameraPose& pose : poses()) {
            std::optional<Funnel> first;
            std::optional<Funnel::Step> sublets;
            std::optional<Funnel::Step> by_compute;
            std::optional<Funnel::Step> by_mesh_shaders;
            std::size_t compared = 0;
            for (const Way& way : ways(bench)) {
                const BackendInfo& info = render::backend_info(*way.settings.backend);
                SCOPED_TRACE(way.name + (occlusion ? " with occlusion culling" : ""));
                if (!render::culls_on_gpu(info)) continue;
                // Its depths are its own, and what they hide may differ.
                if (occlusion && info.primitives == PrimitiveCulling::kRaster) continue;
                FrameSettings settings = way.settings;
                settings.cull_occlusion = occlusion;
                settings.occlusion_detail = OcclusionDetail::kMeshlets;
                const Funnel funnel = *bench.shoot(settings, pose, kNear, kWidth, kHeight, 3).counters.funnel;
                ++compared;
                if (!first) first = funnel;
                expect_equal(funnel.instances, first->instances, "instances");
                expect_equal(funnel.meshlets, first->meshlets, "meshlets");
                if (!funnel.sublets) continue;
                if (!sublets) sublets = funnel.sublets;
                expect_equal(funnel.sublets, sublets, "sublets");
                EXPECT_EQ(funnel.triangles->total, first->triangles->total);
                std::optional<Funnel::Step>* same = info.primitives == PrimitiveCulling::kCompute ? &by_compute
                                                    : info.primitives == PrimitiveCulling::kMeshShader
                                                        ? &by_mesh_shaders
                                                        : nullptr;
                if (same == nullptr) continue;
                if (!*same) *same = funnel.triangles;
                expect_equal(funnel.triangles, *same, "triangles");
            }
            EXPECT_GE(compared, 4U);
            if (!by_compute || !by_mesh_shaders) continue;
            // Mesh shaders don't try single pixel centres: the one thing that differs.
            EXPECT_EQ(by_compute->rejected.frustum, by_mesh_shaders->rejected.frustum);
            EXPECT_EQ(by_compute->rejected.backface, by_mesh_shaders->rejected.backface);
            EXPECT_GE(by_compute->rejected.no_pixel, by_mesh_shaders->rejected.no_pixel);
        }
    }
    EXPECT_EQ(bench.validation_messages(), 0U);
}

// Meshes once, and times their instances. What is in the file and is not placed counts as neither.
TEST(SceneTotals, UniqueAndInstanced) {
    Bench bench;
    bench.set_scene(encode(make_shapes()));
    const render::SceneTotals once = bench.renderer().totals();
    EXPECT_EQ(once.instances, scene::instances(bench.scene().scene).size());
    std::uint64_t triangles = 0;
    for (const scene::Instance& instance : scene::instances(bench.scene().scene)) {
        triangles += bench.scene().geometry.meshes[instance.mesh].triangle_count;
    }
    EXPECT_EQ(once.instanced.triangles, triangles);
    bench.set_scene(encode(make_shapes()), dense_grid());
    const render::SceneTotals grid = bench.renderer().totals();
    EXPECT_EQ(grid.instances, 64U * grid.meshes);
    EXPECT_EQ(grid.instanced.triangles, grid.unique.triangles * 64);
    EXPECT_EQ(grid.instanced.meshlets, grid.unique.meshlets * 64);
    EXPECT_EQ(grid.instanced.sublets, grid.unique.sublets * 64);
}

// All purposes together are what the allocator has given out.
TEST(MemoryByPurpose, AddsUp) {
    Bench bench;
    bench.set_scene(encode(make_shapes()), dense_grid());
    for (const Way& way : ways(bench)) {
        SCOPED_TRACE(way.name);
        bench.shoot(way.settings, poses()[0], kNear, kWidth, kHeight);
        const render::MemoryUse memory = bench.renderer().memory();
        EXPECT_EQ(memory.scene, memory.instances + memory.materials);
        EXPECT_EQ(memory.transient, memory.survivors + memory.triangles + memory.occlusion);
        EXPECT_EQ(memory.geometry + memory.decoded + memory.scene + memory.transient + memory.targets +
                      memory.environment + memory.other,
                  bench.device().memory_usage().used);
        EXPECT_GT(memory.instances, 0U);
        EXPECT_GT(memory.materials, 0U);
        EXPECT_GT(memory.targets, 0U);
        EXPECT_GT(memory.environment, 0U);
    }
    const render::MemoryUse all = bench.renderer().memory();
    EXPECT_GT(all.survivors, 0U);
    EXPECT_GT(all.triangles, 0U);
    EXPECT_GT(all.occlusion, 0U);
    // Two phases' states of all rounds, and what is read back of them, are the most of the rest.
    EXPECT_LT(all.other, 4U << 20U);
}

}  // namespace
}  // namespace sublet::test::funnel_test
