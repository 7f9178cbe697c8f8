// Depth alone: what pictures have, to the bit, by every backend, through masks, transmissive surfaces and wide ids.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "harness.h"
#include "render/settings/backend_info.h"
#include "shapes.h"

namespace sublet::test::depth_output_test {
namespace {

using render::Backend;
using render::CameraPose;
using render::FrameSettings;

constexpr std::uint32_t kDepthView = 7;

struct Size {
    std::uint32_t width, height;
};

// From outside, from inside of the shapes, close to one.
const std::vector<CameraPose> kPoses{{.eye = {5.0F, 3.0F, 4.0F}, .target = {0.0F, 0.0F, 0.0F}},
                                     {.eye = {0.1F, 0.2F, 0.3F}, .target = {1.0F, 0.0F, 0.4F}, .fov_degrees = 90.0F},
                                     {.eye = {2.3F, 0.05F, 0.0F}, .target = {0.0F, 0.3F, 0.0F}}};

// The shapes, of which every third material lets light through.
scene::ImportedScene make_glassy_shapes() {
    scene::ImportedScene out = make_shapes();
    for (std::size_t i = 0; i < out.scene.materials.size(); i += 3) {
        out.scene.materials[i].transmission.factor = 0.7F;
    }
    return out;
}

std::size_t differing(const std::vector<float>& a, const std::vector<float>& b) {
    if (a.size() != b.size()) return a.size() + b.size();
    std::size_t out = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        out += std::bit_cast<std::uint32_t>(a[i]) == std::bit_cast<std::uint32_t>(b[i]) ? 0 : 1;
    return out;
}

class DepthOutput : public testing::TestWithParam<Way> {
  protected:
    // Frames of both kinds, whose cameras move on: the second phase has something to find.
    void hold(Bench& bench, const FrameSettings& settings, const Size& size) {
        std::uint64_t covered = 0;
        for (const CameraPose& pose : kPoses) {
            const Bench::Shot shot = bench.shoot(settings, pose, 0.05F, size.width, size.height);
            const std::vector<float> depth =
                bench.shoot_depth(settings, pose, 0.05F, size.width, size.height, kDepthView);
            EXPECT_EQ(differing(shot.picture.depth, depth), 0U);
            covered +=
                static_cast<std::uint64_t>(std::count_if(depth.begin(), depth.end(), [](float d) { return d > 0.0F; }));
            const render::Counters counters = bench.renderer().counters();
            EXPECT_GT(counters.primitives_drawn, 0U);
            if (settings.cull_occlusion) phase_2_ += counters.meshlets_drawn_phase2;
        }
        EXPECT_GT(covered, std::uint64_t{size.width} * size.height / 4);
        EXPECT_EQ(bench.validation_messages(), 0U);
    }
    static FrameSettings settings(bool occlusion, render::Payload payload) {
        FrameSettings out = GetParam().settings;
        out.cull_occlusion = occlusion;
        out.payload = payload;
        return out;
    }
    std::uint64_t phase_2_ = 0;
};

TEST_P(DepthOutput, IsThatOfPictures) {
    Bench bench;
    if (const auto reason = render::backend_unavailable(*GetParam().settings.backend, bench.device().capabilities())) {
        GTEST_SKIP() << *reason;
    }
    {
        SCOPED_TRACE("masks");
        bench.set_scene(encode(make_shapes()));
        hold(bench, settings(true, render::Payload::kEncoded), {131, 87});
    }
    {
        SCOPED_TRACE("glass");
        bench.set_scene(encode(make_glassy_shapes()));
        hold(bench, settings(false, render::Payload::kDecoded), {64, 65});
    }
    {
        SCOPED_TRACE("glass, wide ids");
        bench.renderer().set_test_hooks({.wide_ids = true});
        bench.set_scene(encode(make_glassy_shapes()));
        hold(bench, settings(true, render::Payload::kEncoded), {131, 87});
        bench.renderer().set_test_hooks({});
    }
    if (GetParam().settings.backend != Backend::kDirect) {
        EXPECT_GT(phase_2_, 0U);
    }
}

INSTANTIATE_TEST_SUITE_P(All, DepthOutput, testing::ValuesIn(tried_ways()),
                         [](const auto& info) { return test_name(info.param); });

// A mistake in the second phase is seen in depths too.
TEST(DepthOutputFaults, ALevelTooFineIsNoticed) {
    Bench bench;
    bench.renderer().set_test_hooks({.fault = render::Fault::kPyramidLevelTooFine});
    bench.set_scene(encode(make_shapes()), {.grid = {glm::uvec3(5), 3.0F}});
    FrameSettings settings;
    settings.backend = Backend::kCompact;
    settings.cull_occlusion = true;
    std::size_t wrong = 0;
    for (int i = 0; i < 8 && wrong == 0; ++i) {
        const CameraPose pose{.eye = {9.0F - static_cast<float>(i), 3.0F, 8.0F}, .target = {0.0F, 0.0F, 0.0F}};
        const std::vector<float> depth = bench.shoot_depth(settings, pose, 0.05F, 160, 120, kDepthView);
        wrong += differing(bench.reference(pose, 0.05F, 160, 120).picture.depth, depth);
    }
    EXPECT_GT(wrong, 0U);
    bench.renderer().set_test_hooks({});
}

}  // namespace
}  // namespace sublet::test::depth_output_test
