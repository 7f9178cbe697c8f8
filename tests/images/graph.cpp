// The execution graph, played by compute or by the driver, beside mesh-sublets, whose tests it shares, and a graph that
// loses what its queues have no room for. (backends.cpp and the exactness program hold its pictures to the reference.)
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "harness.h"
#include "render/settings/backend_info.h"
#include "shapes.h"
#include "tests/gpu/validation.h"

namespace sublet::test::graph_test {
namespace {

using render::Backend;
using render::OcclusionDetail;

constexpr render::CameraPose kPose{.eye = {8.0F, 5.0F, 7.0F}, .target = {0.0F, 0.0F, 0.0F}};

render::SceneSettings grid(std::uint64_t budget, glm::uvec3 copies = {4, 3, 3}) {
    render::SceneSettings settings;
    settings.grid = {copies, 1.5F};
    settings.survivor_budget = budget;
    return settings;
}

constexpr std::uint64_t kFraction = 6144;  // bytes of queues, for a fraction of what survives

// What tests found at each step, as it settles.
std::vector<std::uint64_t> steps(Bench& bench, Backend backend, OcclusionDetail detail, bool rounds) {
    render::FrameSettings settings;
    settings.backend = backend;
    settings.occlusion_detail = detail;
    const render::Counters counters = bench.shoot(settings, kPose, 0.02F, 131, 87, 3).counters;
    EXPECT_EQ(counters.rounds > 1, rounds);
    const render::Funnel& funnel = counters.funnel.value();
    // Phase 1 draws all sublets of a meshlet that has a bit, and none by itself.
    EXPECT_EQ(funnel.sublets->rejected.occlusion.value_or(0) > 0, detail == OcclusionDetail::kSublets);
    std::vector<std::uint64_t> out;
    for (const auto& step : {funnel.meshlets, funnel.sublets, funnel.triangles}) {
        const render::Funnel::Rejected& rejected = step->rejected;
        for (const auto& part : {rejected.frustum, rejected.cone, rejected.backface, rejected.occlusion}) {
            out.push_back(part.value_or(0));
        }
        out.insert(out.end(), {step->total, step->drawn_phase1, step->drawn_phase2});
    }
    return out;
}

TEST(Graph, FindsWhatMeshSubletsFind) {
    Bench bench;
    if (const auto reason = render::backend_unavailable(Backend::kMeshSublets, bench.device().capabilities())) {
        GTEST_SKIP() << *reason;
    }
    constexpr std::array kDetails{OcclusionDetail::kMeshlets, OcclusionDetail::kSublets};
    const scene::EncodedScene shapes = encode(make_shapes());
    bench.set_scene(shapes, grid(0));
    std::map<OcclusionDetail, std::vector<std::uint64_t>> expected;
    for (const OcclusionDetail detail : kDetails) {
        expected[detail] = steps(bench, Backend::kMeshSublets, detail, false);
        EXPECT_EQ(steps(bench, Backend::kGraph, detail, false), expected[detail]);
    }
    bench.set_scene(shapes, grid(kFraction));
    for (const OcclusionDetail detail : kDetails) {
        EXPECT_EQ(steps(bench, Backend::kGraph, detail, true), expected[detail]);
    }
    EXPECT_EQ(bench.validation_messages(), 0U);
}

TEST(Graph, NoticesQueuesThatDrop) {
    Bench bench;
    bench.set_scene(encode(make_shapes()), grid(kFraction));
    const Bench::Shot reference = bench.reference(kPose, 0.02F, 131, 87);
    bench.renderer().set_test_hooks({.fault = render::Fault::kQueuesDrop});
    render::FrameSettings settings;
    settings.backend = Backend::kGraph;
    const Bench::Shot shot = bench.shoot(settings, kPose, 0.02F, 131, 87, 2);
    EXPECT_GT(compare(reference.picture, shot.picture, bench.ambiguous(kPose, 0.02F, 131, 87)).depth, 0U);
}

constexpr glm::uvec3 kSeveralGroups{9, 6, 6};  // of 128 instances

// By the driver, one payload for all instances, or one for each workgroup of them.
TEST(GraphAmdx, FindsWhatMeshSubletsFind) {
    Bench bench(gpu::DeviceOptions{.validation = validation_knows_new_extensions()});
    if (const auto reason = render::backend_unavailable(Backend::kGraphAmdx, bench.device().capabilities())) {
        GTEST_SKIP() << *reason;
    }
    // Others' lists are too short. It has none.
    bench.set_scene(encode(make_shapes()), grid(kFraction, kSeveralGroups));
    ASSERT_GT(bench.renderer().facts().meshlets.sources, 2U * 128U) << "several workgroups";
    for (const OcclusionDetail detail : {OcclusionDetail::kMeshlets, OcclusionDetail::kSublets}) {
        const std::vector<std::uint64_t> expected = steps(bench, Backend::kMeshSublets, detail, true);
        EXPECT_EQ(steps(bench, Backend::kGraphAmdx, detail, false), expected);
        bench.renderer().set_test_hooks({.most_graph_groups = 1});
        EXPECT_EQ(steps(bench, Backend::kGraphAmdx, detail, false), expected);
        bench.renderer().set_test_hooks({});
    }
}

TEST(GraphAmdx, NoticesPayloadsThatAreLost) {
    Bench bench(gpu::DeviceOptions{.validation = validation_knows_new_extensions()});
    if (const auto reason = render::backend_unavailable(Backend::kGraphAmdx, bench.device().capabilities())) {
        GTEST_SKIP() << *reason;
    }
    bench.set_scene(encode(make_shapes()), grid(0, kSeveralGroups));
    const Bench::Shot reference = bench.reference(kPose, 0.02F, 131, 87);
    const auto lost = [&](render::Fault fault) {
        bench.renderer().set_test_hooks({.fault = fault, .most_graph_groups = 1});
        render::FrameSettings settings;
        settings.backend = Backend::kGraphAmdx;
        const Bench::Shot shot = bench.shoot(settings, kPose, 0.02F, 131, 87, 2);
        return compare(reference.picture, shot.picture, bench.ambiguous(kPose, 0.02F, 131, 87)).depth;
    };
    EXPECT_EQ(lost(render::Fault::kNone), 0U);
    EXPECT_GT(lost(render::Fault::kQueuesDrop), 0U);
}

}  // namespace
}  // namespace sublet::test::graph_test
