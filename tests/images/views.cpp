// Several views in one frame: each has its picture, its culling and its counters, whatever the others do.
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "gpu/barriers.h"
#include "gpu/upload.h"
#include "harness.h"
#include "render/settings/backend_info.h"
#include "render/view/picture_state.h"
#include "shapes.h"

namespace sublet::test::views_test {
namespace {

using render::Backend;
using render::CameraPose;

// Two cameras that go their own ways around a dense block, by two backends, at two sizes.
struct Pair {
    Backend first, second;
};

CameraPose first_pose(int frame) {
    const float t = 0.2F * static_cast<float>(frame);
    return {.eye = {6.0F * std::cos(t), 1.0F, 6.0F * std::sin(t)}, .target = {0.2F, 0.0F, 0.0F}, .fov_degrees = 50.0F};
}

CameraPose second_pose(int frame) {
    const float t = 2.0F - 0.3F * static_cast<float>(frame);
    return {.eye = {3.0F * std::cos(t), -2.0F, 4.0F * std::sin(t)}, .target = {0.0F, 0.4F, 0.0F}, .fov_degrees = 70.0F};
}

class Views : public testing::TestWithParam<Pair> {
  protected:
    void SetUp() override {
        for (const Backend backend : {GetParam().first, GetParam().second}) {
            if (const auto reason = render::backend_unavailable(backend, bench_.device().capabilities())) {
                GTEST_SKIP() << *reason;
            }
        }
        bench_.set_scene(encode(make_shapes()), {.grid = {glm::uvec3(4, 4, 4), 0.7F}});
    }
    void TearDown() override { EXPECT_EQ(bench_.validation_messages(), 0U); }

    [[nodiscard]] std::vector<Bench::Request> requests(int frame) const {
        std::vector<Bench::Request> out(2);
        out[0] = {.view_id = 1, .settings = {}, .pose = first_pose(frame), .width = 131, .height = 87};
        out[1] = {.view_id = 2, .settings = {}, .pose = second_pose(frame), .width = 90, .height = 61};
        out[0].settings.backend = GetParam().first;
        out[1].settings.backend = GetParam().second;
        return out;
    }

    // `picture` shows what direct draws do, ambiguous pixels left out.
    void expect_picture(const render::Picture& picture, const Bench::Request& request, const std::string& what) {
        const Bench::Shot reference = bench_.reference(request.pose, request.near_plane, request.width, request.height,
                                                       render::Projection::kPerspective, request.settings.backend);
        const render::AmbiguousPixels ambiguous =
            bench_.ambiguous(request.pose, request.near_plane, request.width, request.height);
        const Difference difference = compare(reference.picture, picture, ambiguous);
        EXPECT_EQ(difference.depth + difference.color, 0U) << what;
        EXPECT_GT(coverage(picture), 0.2) << what;
    }

    Bench bench_;
};

TEST_P(Views, OfOneFrameEachHaveTheirPictureAndTheirCounters) {
    render::Counters alone[2];
    for (const int only : {0, 1}) {
        for (int frame = 0; frame < 3; ++frame) {
            std::vector<Bench::Request> one{requests(frame)[static_cast<std::size_t>(only)]};
            one[0].view_id = 3 + static_cast<std::uint32_t>(only);
            bench_.render(one);
        }
        bench_.renderer().finish();
        alone[only] = bench_.renderer().counters();
    }
    static_cast<void>(bench_.renderer().take_results());
    for (int frame = 0; frame < 3; ++frame) {
        const std::vector<Bench::Request> both = requests(frame);
        bench_.render(both);
        bench_.renderer().finish();
        const std::vector<render::FrameResult> results = bench_.renderer().take_results();
        ASSERT_EQ(results.size(), 1U);
        ASSERT_EQ(results[0].views.size(), 2U);
        std::vector<render::Picture> pictures;
        for (const Bench::Request& request : both) {
            pictures.push_back(bench_.renderer().read_picture(true, true, request.view_id));
        }
        for (std::size_t i = 0; i < both.size(); ++i) {
            const std::string what = "frame " + std::to_string(frame) + " view " + std::to_string(i);
            EXPECT_EQ(results[0].views[i].view, both[i].view_id);
            expect_picture(pictures[i], both[i], what);
            if (frame < 2) continue;
            // The same history gives the same work.
            const render::Counters& counters = results[0].views[i].counters;
            EXPECT_EQ(counters.meshlets_drawn_phase1, alone[i].meshlets_drawn_phase1) << what;
            EXPECT_EQ(counters.meshlets_drawn_phase2, alone[i].meshlets_drawn_phase2) << what;
            EXPECT_EQ(counters.primitives_drawn, alone[i].primitives_drawn) << what;
            EXPECT_GT(counters.meshlets_drawn_phase1, 0U) << what;
        }
        static_cast<void>(bench_.renderer().take_results());
    }
}

TEST_P(Views, OneMayBeFrozenAndShowSomethingElse) {
    std::vector<Bench::Request> both;
    for (int frame = 0; frame < 4; ++frame) {
        both = requests(frame);
        both[1].settings.freeze_culling = 2;
        both[1].settings.show = render::Show::kTriangles;
        if (frame == 3) both[1].pose = second_pose(-8);  // to the other side
        bench_.render(both);
    }
    bench_.renderer().finish();
    const render::Picture first = bench_.renderer().read_picture(true, true, 1);
    const render::Picture second = bench_.renderer().read_picture(true, true, 2);
    expect_picture(first, both[0], "first");
    const Bench::Shot whole = bench_.reference(both[1].pose, both[1].near_plane, both[1].width, both[1].height);
    EXPECT_LT(coverage(second), coverage(whole.picture)) << "culled from where the camera was";
    EXPECT_GT(coverage(second), 0.0);
}

// Left of the divider one picture, right of it the other, to the bit; and each has its time.
TEST_P(Views, SideBySideAreThePicturesOfBoth) {
    constexpr std::uint32_t kWidth = 131;
    constexpr std::uint32_t kHeight = 87;
    std::vector<Bench::Request> both = requests(0);
    for (Bench::Request& request : both) {
        request.pose = first_pose(0);
        request.width = kWidth;
        request.height = kHeight;
    }
    both[1].settings.show = render::Show::kMeshlets;
    const gpu::Image window(bench_.device(),
                            {.extent = {kWidth, kHeight},
                             .format = VK_FORMAT_B8G8R8A8_UNORM,  // as windows have it
                             .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
                             .name = "a window"});
    bench_.renderer().finish();
    static_cast<void>(bench_.renderer().take_results());  // of frames before
    for (const std::uint32_t divider : {0U, 1U, 64U, kWidth}) {
        bench_.render(both, [&](gpu::Frame& frame) {
            gpu::image_barrier(frame.commands, window, VK_IMAGE_LAYOUT_UNDEFINED,
                               VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, gpu::kNothing, gpu::kColorAttachment);
            for (std::size_t i = 0; i < 2; ++i) {
                const render::Columns columns = i == 0 ? render::Columns{0, divider} : render::Columns{divider, kWidth};
                bench_.renderer().draw_window_part({window.view(), window.format()}, columns, both[i].view_id);
            }
            gpu::image_barrier(frame.commands, window, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                               VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, gpu::kColorAttachment, gpu::kTransferRead);
        });
        bench_.renderer().finish();
        const std::vector<std::byte> texels =
            gpu::read_image(bench_.device(), window, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
        const render::Picture pictures[]{bench_.renderer().read_picture(true, true, both[0].view_id),
                                         bench_.renderer().read_picture(true, true, both[1].view_id)};
        std::size_t wrong = 0, between = 0;
        for (std::size_t i = 0; i < std::size_t{kWidth} * kHeight; ++i) {
            const bool left = i % kWidth < divider;
            const std::uint8_t* const expected = &pictures[left ? 0 : 1].rgba[4 * i];
            const std::uint8_t* const other = &pictures[left ? 1 : 0].rgba[4 * i];
            for (std::size_t c = 0; c < 3; ++c) {
                wrong += std::to_integer<std::uint8_t>(texels[4 * i + 2 - c]) != expected[c] ? 1 : 0;
                between += expected[c] != other[c] ? 1 : 0;
            }
        }
        EXPECT_EQ(wrong, 0U) << divider;
        EXPECT_GT(between, 1000U) << "the sides differ";
    }
    if (!bench_.device().capabilities().timestamps) return;
    for (const render::FrameResult& frame : bench_.renderer().take_results()) {
        ASSERT_EQ(frame.views.size(), 2U);
        ASSERT_TRUE(frame.views[0].gpu_ms && frame.views[1].gpu_ms);
        EXPECT_GT(*frame.views[0].gpu_ms, 0.0);
        EXPECT_GT(*frame.views[1].gpu_ms, 0.0);
        EXPECT_LE(*frame.views[0].gpu_ms + *frame.views[1].gpu_ms, frame.times.ms * 1.0001);
        double passes = 0.0;
        for (const gpu::PassTime& pass : frame.times.passes) passes += pass.ms;
        EXPECT_GE(*frame.views[0].gpu_ms + *frame.views[1].gpu_ms, passes * 0.9999) << "all passes are a view's";
    }
}

TEST_P(Views, AreDrawnOnceInAFrameThatWasBegun) {
    std::vector<Bench::Request> both = requests(0);
    both[1].view_id = both[0].view_id;
    EXPECT_THROW(bench_.render(both), Error);
    bench_.render(requests(1));  // another frame may follow
    bench_.renderer().finish();
    const render::Picture first = bench_.renderer().read_picture(true, true, 1);
    expect_picture(first, requests(1)[0], "after a frame that was abandoned");
    const render::View view = render::make_view(both[0].pose, 0.1F, render::Projection::kPerspective, 1.0F);
    const render::FramePlan plan = render::resolve({}, bench_.device().capabilities());
    EXPECT_THROW(bench_.renderer().draw(view, plan, 8, 8), Error);
    EXPECT_THROW(bench_.renderer().end(), Error);
}

TEST_P(Views, APassOfTheCallersIsInTheListAndWithinTheFrame) {
    if (!bench_.device().capabilities().timestamps) GTEST_SKIP() << "this device has no timestamps";
    const gpu::Buffer filled(bench_.device(), {.size = 4U << 20U, .name = "filled by the test"});
    bench_.render(requests(0), [&](gpu::Frame& frame) {
        const auto pass = bench_.renderer().pass("own");
        vkCmdFillBuffer(frame.commands, filled.handle(), 0, VK_WHOLE_SIZE, 1);
    });
    bench_.renderer().finish();
    const gpu::FrameTimes& times = bench_.renderer().times();
    ASSERT_FALSE(times.passes.empty());
    EXPECT_EQ(times.passes.back().name, "own");
    EXPECT_GT(times.passes.back().ms, 0.0);
    double sum = 0.0;
    for (const gpu::PassTime& time : times.passes) sum += time.ms;
    EXPECT_LE(sum, times.ms * 1.000001);
    EXPECT_THROW(static_cast<void>(bench_.renderer().pass("too late")), Error);
}

INSTANTIATE_TEST_SUITE_P(All, Views,
                         testing::Values(Pair{Backend::kCompact, Backend::kMdi}, Pair{Backend::kMdi, Backend::kMdi},
                                         Pair{Backend::kMeshIndirect, Backend::kTaskMesh},
                                         Pair{Backend::kRaster, Backend::kRaster},
                                         Pair{Backend::kRaster, Backend::kCompact}));

}  // namespace
}  // namespace sublet::test::views_test
