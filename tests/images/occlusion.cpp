// Two-phase occlusion culling: the picture stays the reference's in every frame, whatever happens between frames, and
// things are really culled.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "harness.h"
#include "render/settings/backend_info.h"
#include "shapes.h"

namespace sublet::test::occlusion_test {
namespace {

using render::Backend;
using render::CameraPose;
using render::FrameSettings;
using render::OcclusionDetail;

// With bits of the finest detail: a CPU does not go below meshlets by itself.
std::vector<Way> forms() {
    std::vector<Way> out;
    for (Way& way : tried_ways()) {
        const render::BackendInfo& info = render::backend_info(*way.settings.backend);
        if (!render::culls_on_gpu(info)) continue;  // takes no part
        std::optional<OcclusionDetail>& finest = way.settings.occlusion_detail;
        if (info.survivors == render::Survivors::kSublets) finest = OcclusionDetail::kSublets;
        if (info.primitives == render::PrimitiveCulling::kCompute) finest = OcclusionDetail::kPrimitives;
        out.push_back(std::move(way));
    }
    out.push_back({"compact_meshlets", {}});
    out.back().settings.backend = Backend::kCompact;
    out.back().settings.occlusion_detail = OcclusionDetail::kMeshlets;
    return out;
}

constexpr float kNear = 0.05F;

// A block of spheres and tori, most of them behind others.
render::SceneSettings dense_grid() {
    return {.grid = {glm::uvec3(4, 4, 4), 0.7F}};
}

class Occlusion : public testing::TestWithParam<Way> {
  protected:
    void SetUp() override {
        if (const auto reason =
                render::backend_unavailable(*GetParam().settings.backend, bench_.device().capabilities())) {
            GTEST_SKIP() << *reason;
        }
    }
    void TearDown() override { EXPECT_EQ(bench_.validation_messages(), 0U); }

    // A scene of that name, of which nothing is known to be visible.
    void show(const std::string& name, const render::SceneSettings& settings = {}) {
        static std::map<std::string, scene::EncodedScene> scenes;
        auto found = scenes.find(name);
        if (found == scenes.end()) {
            found = scenes.emplace(name, encode(name == "rooms" ? scene::make_builtin_scene() : make_shapes())).first;
        }
        bench_.set_scene(found->second, settings);
        scene_ = name;
    }

    // One more frame, held to the reference.
    Bench::Shot expect_exact(const FrameSettings& settings, const CameraPose& pose, std::uint32_t width,
                             std::uint32_t height, const std::string& what, float near_plane = kNear,
                             std::uint32_t view_id = 0) {
        Bench::Shot shot = bench_.shoot(settings, pose, near_plane, width, height, 1, view_id);
        const render::Projection projection = settings.projection.value_or(render::Projection::kPerspective);
        static References references;  // of all forms
        const Bench::Shot& reference =
            references.shot(bench_, scene_, pose, near_plane, width, height, projection, GetParam().settings.backend);
        render::AmbiguousPixels ambiguous;  // counted where pictures differ: as a rule they don't
        ambiguous.mask.resize(reference.picture.depth.size());
        Difference difference = compare(reference.picture, shot.picture, ambiguous);
        if (difference.depth + difference.color != 0) {
            ambiguous = references.ambiguous(bench_, scene_, pose, near_plane, width, height, projection);
            difference = compare(reference.picture, shot.picture, ambiguous);
        }
        EXPECT_GE(shot.counters.meshlets_tested,
                  shot.counters.meshlets_drawn_phase1 + shot.counters.meshlets_drawn_phase2);
        EXPECT_EQ(difference.depth, 0U) << what;
        EXPECT_EQ(difference.color, 0U) << what;
        if (difference.depth + difference.color != 0) {
            save(reference.picture, GetParam().name + "_reference");
            save(shot.picture, GetParam().name);
        }
        covered_ += coverage(reference.picture);
        ++pictures_;
        return shot;
    }

    Bench bench_;
    std::string scene_;
    double covered_ = 0.0;
    int pictures_ = 0;
};

// A flight around and through a dense block, with jumps; odd sizes that change on the way.
TEST_P(Occlusion, EveryFrameOfAFlight) {
    show("block", dense_grid());
    const FrameSettings settings = GetParam().settings;
    constexpr std::array<std::array<std::uint32_t, 2>, 5> kSizes{
        std::array<std::uint32_t, 2>{131, 87}, {131, 87}, {64, 64}, {7, 5}, {1, 1}};
    std::uint64_t phase1 = 0;
    std::uint64_t phase2 = 0;
    for (int frame = 0; frame < 27; ++frame) {
        const bool jump = frame % 9 == 8;
        const float t = 0.07F * static_cast<float>(frame) + (jump ? 2.5F : 0.0F);
        const float distance = frame % 10 == 9 ? 0.4F : 6.0F + 3.0F * std::cos(0.9F * t);
        CameraPose pose{.eye = {distance * std::cos(t), 1.5F * std::sin(1.7F * t), distance * std::sin(t)},
                        .target = {0.3F, 0.1F, 0.0F},
                        .fov_degrees = frame % 7 == 6 ? 100.0F : 50.0F};
        const auto& size = kSizes[static_cast<std::size_t>(frame / 8) % kSizes.size()];
        const Bench::Shot shot = expect_exact(settings, pose, size[0], size[1], "frame " + std::to_string(frame),
                                              frame % 3 == 0 ? 0.3F : kNear);
        phase1 += shot.counters.meshlets_drawn_phase1;
        phase2 += shot.counters.meshlets_drawn_phase2;
    }
    EXPECT_GT(covered_ / pictures_, 0.3);
    EXPECT_GT(phase1, 0U);
    EXPECT_GT(phase2, 0U);
}

TEST_P(Occlusion, OrthographicViews) {
    show("block", dense_grid());
    FrameSettings settings = GetParam().settings;
    settings.projection = render::Projection::kOrthographic;
    for (int frame = 0; frame < 6; ++frame) {
        const float t = 0.5F * static_cast<float>(frame);
        expect_exact(settings, {.eye = {9.0F * std::cos(t), 2.0F, 9.0F * std::sin(t)}, .target = {0.0F, 0.0F, 0.0F}},
                     90, 61, "frame " + std::to_string(frame));
    }
    EXPECT_GT(covered_ / pictures_, 0.15);
}

// With nothing moving, the first phase draws all that is visible and the second nothing; and far less is drawn.
TEST_P(Occlusion, SettlesAndCulls) {
    show("block", dense_grid());
    FrameSettings settings = GetParam().settings;
    const CameraPose pose{.eye = {8.0F, 1.0F, 5.0F}, .target = {0.0F, 0.0F, 0.0F}};
    const Bench::Shot first = expect_exact(settings, pose, 240, 160, "first");
    EXPECT_EQ(first.counters.meshlets_drawn_phase1, 0U) << "nothing was known to be visible";
    EXPECT_GT(first.counters.meshlets_drawn_phase2, 0U);
    expect_exact(settings, pose, 240, 160, "second");
    const Bench::Shot still = expect_exact(settings, pose, 240, 160, "third");
    EXPECT_GT(still.counters.meshlets_drawn_phase1, 0U);
    EXPECT_EQ(still.counters.meshlets_drawn_phase2, 0U);
    settings.cull_occlusion = false;
    const Bench::Shot off = expect_exact(settings, pose, 240, 160, "off");
    EXPECT_EQ(off.counters.meshlets_drawn_phase2, 0U);
    EXPECT_LE(still.counters.primitives_drawn * 10, off.counters.primitives_drawn * 9);
    EXPECT_LE(still.counters.instances_visible, off.counters.instances_visible);
    // Switched on again: right in that very frame.
    settings.cull_occlusion = true;
    expect_exact(settings, pose, 240, 160, "on again");
    // Of a jump, nothing stays behind.
    const CameraPose elsewhere{.eye = {-7.0F, 3.0F, -6.0F}, .target = {0.0F, 0.0F, 0.0F}};
    expect_exact(settings, elsewhere, 240, 160, "elsewhere");
    bench_.shoot(settings, elsewhere, kNear, 240, 160, 2);
    bench_.shoot(settings, pose, kNear, 240, 160, 2);
    const Bench::Shot back = expect_exact(settings, pose, 240, 160, "back");
    EXPECT_EQ(back.counters.meshlets_drawn_phase1, still.counters.meshlets_drawn_phase1);
    EXPECT_EQ(back.counters.meshlets_drawn_phase2, 0U);
}

// Inside the built-in rooms: a walk along the nave, and walls that fill the view.
TEST_P(Occlusion, BuiltinRooms) {
    show("rooms");
    FrameSettings settings = GetParam().settings;
    for (int frame = 0; frame < 6; ++frame) {
        const float z = -1.0F - 7.0F * static_cast<float>(frame);
        const CameraPose pose{
            .eye = {1.0F, 1.7F, z}, .target = {frame % 2 == 0 ? 1.0F : 9.0F, 1.7F, z - 6.0F}, .fov_degrees = 60.0F};
        expect_exact(settings, pose, 160, 90, "walk " + std::to_string(frame));
    }
    const std::array<CameraPose, 2> walls{
        CameraPose{.eye = {4.5F, 1.7F, -11.5F}, .target = {4.5F, 1.7F, -30.0F}, .fov_degrees = 60.0F},
        CameraPose{.eye = {12.5F, 1.7F, -12.9F}, .target = {12.5F, 1.7F, 0.0F}, .fov_degrees = 60.0F}};
    for (const CameraPose& pose : walls) {
        settings.cull_occlusion = false;
        const Bench::Shot off = bench_.shoot(settings, pose, kNear, 160, 90);
        settings.cull_occlusion = true;
        bench_.shoot(settings, pose, kNear, 160, 90, 2);
        const Bench::Shot on = expect_exact(settings, pose, 160, 90, "wall");
        EXPECT_LE(on.counters.meshlets_drawn_phase1 * 5, off.counters.meshlets_drawn_phase1);
        EXPECT_EQ(on.counters.meshlets_drawn_phase2, 0U);
    }
    EXPECT_GT(covered_ / pictures_, 0.9);
}

// Every way to deal out lanes finds the same visible meshlets, from frame to frame.
TEST_P(Occlusion, EveryExpansion) {
    if (render::backend_info(*GetParam().settings.backend).survivors == render::Survivors::kNone) {
        GTEST_SKIP() << "its task shaders expand by themselves";
    }
    show("block", dense_grid());
    FrameSettings settings = GetParam().settings;
    const CameraPose pose{.eye = {8.0F, 1.0F, 5.0F}, .target = {0.0F, 0.0F, 0.0F}};
    const Bench::Shot expected = bench_.shoot(settings, pose, kNear, 120, 80, 4);
    std::size_t tried = 0;
    for (const render::ExpansionStrategy strategy : render::all_expansions()) {
        settings.expansion = strategy;
        if (render::expansion_unavailable(strategy, bench_.device().capabilities())) {
            continue;
        }
        ++tried;
        const std::string name(render::expansion_name(strategy));
        bench_.shoot(settings, {.eye = {-7.0F, 3.0F, -6.0F}, .target = {0.0F, 0.0F, 0.0F}}, kNear, 120, 80, 1);
        expect_exact(settings, pose, 120, 80, name);
        expect_exact(settings, pose, 120, 80, name);
        const Bench::Shot shot = expect_exact(settings, pose, 120, 80, name);
        EXPECT_EQ(shot.counters.meshlets_tested, expected.counters.meshlets_tested) << name;
        EXPECT_EQ(shot.counters.meshlets_drawn_phase1, expected.counters.meshlets_drawn_phase1) << name;
        EXPECT_EQ(shot.counters.meshlets_drawn_phase2, 0U) << name;
        EXPECT_EQ(shot.counters.overflow, 0U) << name;
    }
    EXPECT_GE(tried, 5U);
}

// Two views drawn in turn keep their own record of what was visible.
TEST_P(Occlusion, TwoViews) {
    show("block", dense_grid());
    const FrameSettings settings = GetParam().settings;
    const std::array<CameraPose, 2> poses{CameraPose{.eye = {8.0F, 1.0F, 5.0F}, .target = {0.0F, 0.0F, 0.0F}},
                                          CameraPose{.eye = {-7.0F, -2.0F, 3.0F}, .target = {0.0F, 1.0F, 0.0F}}};
    std::array<Bench::Shot, 2> shots;
    for (int frame = 0; frame < 3; ++frame) {
        for (std::uint32_t view = 0; view < 2; ++view) {
            shots[view] =
                expect_exact(settings, poses[view], 120 + 11 * view, 80, "view " + std::to_string(view), kNear, view);
        }
    }
    for (const Bench::Shot& shot : shots) {
        EXPECT_GT(shot.counters.meshlets_drawn_phase1, 0U);
        EXPECT_EQ(shot.counters.meshlets_drawn_phase2, 0U);
    }
    EXPECT_NE(shots[0].counters.meshlets_drawn_phase1, shots[1].counters.meshlets_drawn_phase1);
}

// Another scene, with more and with fewer meshlets than the one whose visibility is known: nothing of that stays, and
// there is room for all that is visible.
TEST_P(Occlusion, SceneChanges) {
    const FrameSettings settings = GetParam().settings;
    const CameraPose pose{.eye = {6.0F, 3.0F, 5.0F}, .target = {0.0F, 0.0F, 0.0F}};
    for (int i = 0; i < 3; ++i) {
        if (i == 1) {
            show("shapes");
        } else {
            show("block", dense_grid());
        }
        const Bench::Shot first = expect_exact(settings, pose, 120, 80, "scene " + std::to_string(i));
        EXPECT_EQ(first.counters.meshlets_drawn_phase1, 0U);
        expect_exact(settings, pose, 120, 80, "scene " + std::to_string(i));
        const Bench::Shot still = expect_exact(settings, pose, 120, 80, "scene " + std::to_string(i));
        EXPECT_GT(still.counters.meshlets_drawn_phase1, 0U);
        EXPECT_EQ(still.counters.meshlets_drawn_phase2, 0U);
    }
}

// The counters of several frames at once are the last one's, whatever number a scene's first frame has.
TEST_P(Occlusion, CountersAreTheLastFrames) {
    const CameraPose pose{.eye = {6.0F, 3.0F, 5.0F}, .target = {0.0F, 0.0F, 0.0F}};
    for (int i = 0; i < 2; ++i) {
        show("block", dense_grid());
        const Bench::Shot second = bench_.shoot(GetParam().settings, pose, kNear, 120, 80, 2);
        EXPECT_GT(second.counters.meshlets_drawn_phase1, 0U);
        bench_.shoot(GetParam().settings, pose, kNear, 120, 80);  // now an odd number of frames
    }
}

// What was visible when culling froze is what is drawn from elsewhere.
TEST_P(Occlusion, FrozenCulling) {
    show("block", dense_grid());
    FrameSettings settings = GetParam().settings;
    settings.freeze_culling = 3;
    const CameraPose pose{.eye = {8.0F, 1.0F, 5.0F}, .target = {0.0F, 0.0F, 0.0F}};
    // From somewhat aside: of what was seen, single triangles at that, nothing faces the other way.
    const CameraPose aside{.eye = {2.0F, 1.0F, 9.0F}, .target = {0.0F, 0.0F, 0.0F}};
    const Bench::Shot before = bench_.shoot(settings, pose, kNear, 160, 100, 4);
    const Bench::Shot same = bench_.shoot(settings, pose, kNear, 160, 100);
    EXPECT_EQ(same.counters.meshlets_drawn_phase1, before.counters.meshlets_drawn_phase1);
    EXPECT_EQ(same.counters.meshlets_drawn_phase2, 0U);
    EXPECT_EQ(compare(before.picture, same.picture, bench_.ambiguous(pose, kNear, 160, 100)).depth, 0U);
    const Bench::Shot frozen = bench_.shoot(settings, aside, kNear, 160, 100);
    EXPECT_EQ(frozen.counters.meshlets_drawn_phase1, before.counters.meshlets_drawn_phase1);
    EXPECT_GT(coverage(frozen.picture), 0.02);
    settings.freeze_culling = -1;
    expect_exact(settings, aside, 160, 100, "thawed");
}

// Where tables of bits are far shorter than the scene, what others set draws things early, and nothing more: no
// triangle that a sublet of few has not, whatever lies behind them.
TEST_P(Occlusion, SharedBitsChangeNothing) {
    show("rooms");
    FrameSettings settings = GetParam().settings;
    if (render::backend_info(*settings.backend).primitives != render::PrimitiveCulling::kNone) {
        settings.payload = render::Payload::kEncoded;
    }
    const auto pose = [](int frame) {
        const float z = -1.0F - 2.0F * static_cast<float>(std::max(frame - 2, 0));
        return CameraPose{.eye = {1.0F, 1.7F, z}, .target = {9.0F, 1.7F, z - 6.0F}, .fov_degrees = 60.0F};
    };
    const Bench::Shot own = bench_.shoot(settings, pose(0), kNear, 160, 90, 3);
    bench_.renderer().set_test_hooks({.most_bit_words = 2});
    for (int frame = 0; frame < 6; ++frame) {
        const Bench::Shot shot = expect_exact(settings, pose(frame), 160, 90, "frame " + std::to_string(frame));
        if (frame == 2) {
            EXPECT_GT(shot.counters.meshlets_drawn_phase1, own.counters.meshlets_drawn_phase1);
        }
    }
    EXPECT_GT(covered_ / pictures_, 0.9);
}

// Mistakes that these tests must notice.
TEST_P(Occlusion, NoticesALevelTooFine) {
    show("block", dense_grid());
    const FrameSettings settings = GetParam().settings;
    bench_.renderer().set_test_hooks({.fault = render::Fault::kPyramidLevelTooFine});
    std::uint64_t wrong = 0;
    for (int frame = 0; frame < 12 && wrong == 0; ++frame) {
        const float t = 0.4F * static_cast<float>(frame);
        const CameraPose pose{.eye = {8.0F * std::cos(t), 1.0F, 8.0F * std::sin(t)}, .target = {0.0F, 0.0F, 0.0F}};
        const Bench::Shot shot = bench_.shoot(settings, pose, kNear, 240, 160);
        const Bench::Shot reference =
            bench_.reference(pose, kNear, 240, 160, render::Projection::kPerspective, GetParam().settings.backend);
        wrong += compare(reference.picture, shot.picture, bench_.ambiguous(pose, kNear, 240, 160)).depth;
    }
    EXPECT_GT(wrong, 0U);
}

TEST_P(Occlusion, NoticesBitsThatStay) {
    show("block", dense_grid());
    FrameSettings settings = GetParam().settings;
    const CameraPose pose{.eye = {8.0F, 1.0F, 5.0F}, .target = {0.0F, 0.0F, 0.0F}};
    const Bench::Shot right = bench_.shoot(settings, pose, kNear, 240, 160, 4);
    bench_.renderer().set_test_hooks({.fault = render::Fault::kVisibilityNotCleared});
    bench_.shoot(settings, {.eye = {-7.0F, 3.0F, -6.0F}, .target = {0.0F, 0.0F, 0.0F}}, kNear, 240, 160, 3);
    const Bench::Shot stale = bench_.shoot(settings, pose, kNear, 240, 160, 4);
    EXPECT_GT(stale.counters.meshlets_drawn_phase1, right.counters.meshlets_drawn_phase1);
}

INSTANTIATE_TEST_SUITE_P(All, Occlusion, testing::ValuesIn(forms()),
                         [](const testing::TestParamInfo<Way>& info) { return test_name(info.param); });

}  // namespace
}  // namespace sublet::test::occlusion_test
