// Levels of detail: every backend draws the same cut, to the bit, and a cut looks like the finest level.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <glm/gtc/matrix_transform.hpp>
#include <string>

#include "base/thread_pool.h"
#include "render/settings/backend_info.h"
#include "tests/images/harness.h"
#include "tests/images/shapes.h"

namespace sublet::test::levels_test {
namespace {

using render::Backend;
using render::CameraPose;
using render::FrameSettings;

constexpr float kNear = 0.05F;
constexpr std::uint32_t kWidth = 131, kHeight = 87;

scene::EncodedScene encode_levels(scene::ImportedScene&& imported) {
    ThreadPool pool;
    return scene::encode_scene(std::move(imported), {.levels = mesh::Levels::kOn}, pool);
}

// Encoded once: mirrored, sheared, masked, double-sided and transmissive instances.
const scene::EncodedScene& shapes() {
    static const scene::EncodedScene kScene = encode_levels(make_shapes());
    return kScene;
}

// Close, at a distance, far away, from within, and from above.
std::vector<CameraPose> poses() {
    return {{.eye = {4.0F, 1.0F, 5.0F}, .target = {0.3F, 0.1F, 0.0F}, .fov_degrees = 60.0F},
            {.eye = {-16.0F, 5.0F, 9.0F}, .target = {0.0F, 0.0F, 0.0F}, .fov_degrees = 40.0F},
            {.eye = {40.0F, -20.0F, 90.0F}, .target = {0.0F, 0.0F, 0.0F}, .fov_degrees = 8.0F},
            {.eye = {0.4F, 0.3F, 0.1F}, .target = {5.0F, 1.0F, -1.0F}, .fov_degrees = 100.0F}};
}

class Levels : public testing::TestWithParam<Way> {
  protected:
    void SetUp() override {
        if (const auto reason =
                render::backend_unavailable(*GetParam().settings.backend, bench_.device().capabilities())) {
            GTEST_SKIP() << *reason;
        }
    }
    void TearDown() override { EXPECT_EQ(bench_.validation_messages(), 0U); }

    // Holds a frame to direct draws, or to the compute rasteriser's own pictures without culling, of the same cut.
    Bench::Shot expect_exact(FrameSettings settings, const CameraPose& pose, const std::string& what, int frames = 2) {
        settings.backend = GetParam().settings.backend;
        settings.cull_sublets = GetParam().settings.cull_sublets;
        const Bench::Shot shot = bench_.shoot(settings, pose, kNear, kWidth, kHeight, frames);
        FrameSettings plain = reference_settings(render::Show::kShaded, settings.backend);
        plain.lod = settings.lod;
        plain.lod_error = settings.lod_error;
        plain.projection = settings.projection;
        const Bench::Shot reference = bench_.shoot(plain, pose, kNear, kWidth, kHeight, 1, 7);
        const render::AmbiguousPixels ambiguous = bench_.ambiguous(
            pose, kNear, kWidth, kHeight, settings.projection.value_or(render::Projection::kPerspective));
        const Difference difference = compare(reference.picture, shot.picture, ambiguous);
        EXPECT_EQ(difference.depth, 0U) << what;
        EXPECT_EQ(difference.color, 0U) << what;
        if (difference.depth + difference.color != 0) {
            save(reference.picture, GetParam().name + "_reference");
            save(shot.picture, GetParam().name);
        }
        EXPECT_GT(coverage(shot.picture), 0.02) << what;
        return shot;
    }

    Bench bench_;
};

TEST_P(Levels, DrawTheCut) {
    bench_.set_scene(shapes());
    for (const CameraPose& pose : poses()) {
        for (const float error : {0.0F, 1.0F, 5.0F}) {
            FrameSettings settings;
            settings.lod_error = error;
            expect_exact(settings, pose, "error " + std::to_string(error));
        }
    }
    FrameSettings settings;
    settings.cull_occlusion = false;
    settings.lod_error = 2.0F;
    const std::uint64_t coarse = expect_exact(settings, poses()[1], "without occlusion").counters.primitives_tested;
    settings.lod = false;
    const std::uint64_t finest = expect_exact(settings, poses()[1], "finest").counters.primitives_tested;
    EXPECT_LT(coarse * 2, finest) << "the cut is not what was drawn";
    settings = {};
    settings.projection = render::Projection::kOrthographic;
    expect_exact(settings, poses()[1], "orthographic");
}

// Lists too short for a frame, and what is left then drawn without lists: no meshlet but those of the cut.
TEST_P(Levels, DrawTheCutInRoundsAndWithoutLists) {
    if (render::backend_info(*GetParam().settings.backend).survivors == render::Survivors::kNone) {
        GTEST_SKIP() << "has no list";
    }
    bench_.set_scene(shapes(), {.grid = {}, .survivor_budget = 1024});
    for (const std::uint32_t rounds : {64U, 1U}) {
        bench_.renderer().set_test_hooks({.most_rounds = rounds});
        const Bench::Shot shot = expect_exact({}, poses()[1], std::to_string(rounds) + " rounds");
        EXPECT_GT(shot.counters.rounds, 1U);
        EXPECT_TRUE(rounds != 1 || shot.counters.rounds == 2) << "what is left is drawn without lists";
    }
}

INSTANTIATE_TEST_SUITE_P(All, Levels, testing::ValuesIn(all_ways()),
                         [](const testing::TestParamInfo<Way>& info) { return test_name(info.param); });

class LevelsOfABench : public testing::Test {
  protected:
    void TearDown() override { EXPECT_EQ(bench_.validation_messages(), 0U); }

    Bench bench_;
};

bool same(const render::Picture& a, const render::Picture& b) {
    return a.depth == b.depth && a.rgba == b.rgba;
}

TEST_F(LevelsOfABench, EveryExpansionDealsOutTheCut) {
    bench_.set_scene(shapes());
    for (const render::ExpansionStrategy strategy : render::all_expansions()) {
        SCOPED_TRACE(std::string(render::expansion_name(strategy)));
        if (render::expansion_unavailable(strategy, bench_.device().capabilities())) continue;
        FrameSettings settings;
        settings.backend = Backend::kCompact;
        settings.expansion = strategy;
        const Bench::Shot shot = bench_.shoot(settings, poses()[1], kNear, kWidth, kHeight, 2);
        EXPECT_GT(shot.counters.meshlets_tested, 0U);
        const Bench::Shot reference = bench_.reference(poses()[1], kNear, kWidth, kHeight);
        const Difference difference =
            compare(reference.picture, shot.picture, bench_.ambiguous(poses()[1], kNear, kWidth, kHeight));
        EXPECT_EQ(difference.depth + difference.color, 0U);
    }
}

// A file's finest level is the file without levels, to the bit.
TEST_F(LevelsOfABench, OffIsTheFinest) {
    const scene::EncodedScene without = encode(make_shapes());
    for (const Backend backend : {Backend::kDirect, Backend::kCompact}) {
        FrameSettings settings;
        settings.backend = backend;
        for (const CameraPose& pose : poses()) {
            bench_.set_scene(without);
            const render::Picture plain = bench_.shoot(settings, pose, kNear, kWidth, kHeight, 2).picture;
            bench_.set_scene(shapes());
            settings.lod = false;
            EXPECT_TRUE(same(plain, bench_.shoot(settings, pose, kNear, kWidth, kHeight, 2).picture));
            settings.lod = true;
        }
    }
}

// A cut that moves with the camera, through walls of bits that are of other meshlets: exact in every frame. And one
// that is frozen stays as it is.
TEST_F(LevelsOfABench, TheCutMovesAndFreezes) {
    bench_.set_scene(shapes());
    FrameSettings settings;
    settings.backend = Backend::kCompact;
    settings.lod_error = 2.0F;
    std::uint64_t second = 0;
    for (int frame = 0; frame < 16; ++frame) {
        const float t = 0.11F * static_cast<float>(frame);
        const float distance = 4.0F + 20.0F * static_cast<float>(frame) / 16.0F;
        const CameraPose pose{.eye = {distance * std::cos(t), 1.0F, distance * std::sin(t)}, .target = {}};
        const Bench::Shot shot = bench_.shoot(settings, pose, kNear, kWidth, kHeight);
        FrameSettings plain = reference_settings();
        plain.lod_error = settings.lod_error;
        const Bench::Shot reference = bench_.shoot(plain, pose, kNear, kWidth, kHeight, 1, 7);
        const Difference difference =
            compare(reference.picture, shot.picture, bench_.ambiguous(pose, kNear, kWidth, kHeight));
        EXPECT_EQ(difference.depth + difference.color, 0U) << frame;
        second += shot.counters.meshlets_drawn_phase2;
    }
    EXPECT_GT(second, 0U);
    settings.cull_occlusion = false;
    settings.cull_frustum = settings.cull_cone = false;
    settings.freeze_culling = 0;
    const std::uint64_t near =
        bench_.shoot(settings, poses()[0], kNear, kWidth, kHeight, 2, 3).counters.primitives_tested;
    const std::uint64_t far =
        bench_.shoot(settings, poses()[2], kNear, kWidth, kHeight, 1, 3).counters.primitives_tested;
    EXPECT_EQ(near, far);
    settings.freeze_culling = -1;
    EXPECT_LT(bench_.shoot(settings, poses()[2], kNear, kWidth, kHeight, 1, 4).counters.primitives_tested, near);
}

// Instances that animations move: direct draws leave their cut to the GPU.
TEST_F(LevelsOfABench, OfWhatMoves) {
    bench_.set_scene(encode_levels(make_moving()), {.grid = {}, .animation = "all"});
    for (const Backend backend : {Backend::kCompact, Backend::kMdi}) {
        FrameSettings settings;
        settings.backend = backend;
        settings.time = 0.7;
        settings.lod_error = 2.0F;
        const Bench::Shot shot = bench_.shoot(settings, poses()[1], kNear, kWidth, kHeight, 2);
        FrameSettings plain = reference_settings();
        plain.time = settings.time;
        plain.lod_error = settings.lod_error;
        const Bench::Shot reference = bench_.shoot(plain, poses()[1], kNear, kWidth, kHeight, 1, 7);
        const Difference difference =
            compare(reference.picture, shot.picture, bench_.ambiguous(poses()[1], kNear, kWidth, kHeight));
        EXPECT_EQ(difference.depth + difference.color, 0U);
        EXPECT_GT(coverage(shot.picture), 0.02);
    }
}

}  // namespace
}  // namespace sublet::test::levels_test
