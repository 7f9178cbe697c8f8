#include "app/view/picture_questions.h"

#include <gtest/gtest.h>

#include "render/view/camera.h"

namespace sublet::app {
namespace {

constexpr glm::uvec2 kSize{200, 100};

// What a frame answers that was asked of what `questions` asks now, with something everywhere.
render::InspectionResult answer(PictureQuestions& questions, std::uint64_t frame) {
    render::InspectionResult seen;
    seen.frame = frame;
    seen.size = kSize;
    seen.view = render::make_view({}, 0.1F, render::Projection::kPerspective, 2.0F);
    for (const glm::uvec2& pixel : questions.inspection().probes) {
        seen.probes.push_back({.pixel = pixel, .covered = true, .depth = 0.05F});
    }
    seen.nearest_depth = 0.05F;
    return seen;
}

TEST(PictureQuestions, AClickIsAnsweredByAFrameThatWasAskedOfIt) {
    PictureQuestions questions;
    questions.ask({10, 20}, kSize);
    const render::InspectionResult before = answer(questions, 7);
    questions.ask_of({.pixel = {30, 40}});
    questions.ask({10, 20}, kSize);
    EXPECT_TRUE(questions.click_waits());
    EXPECT_FALSE(questions.take(before));  // no frame was asked yet
    questions.asked(8, {1.5});
    EXPECT_FALSE(questions.click_waits());
    questions.asked(9, {2.5});  // the first one counts
    EXPECT_FALSE(questions.take(before));
    const auto answered = questions.take(answer(questions, 8));
    ASSERT_TRUE(answered);
    EXPECT_EQ(answered->probe.pixel, glm::uvec2(30, 40));
    EXPECT_EQ(answered->times, scene::AnimationTimes(1.5));
    EXPECT_TRUE(answered->point);
    EXPECT_FALSE(questions.take(answer(questions, 9))) << "it is answered once";
}

TEST(PictureQuestions, TheReleaseAfterADoubleClickIsNoClickOfItsOwn) {
    PictureQuestions questions;
    questions.ask_of({.pixel = {30, 40}, .pivot = true});
    questions.asked(1, {});
    questions.ask_of({.pixel = {31, 40}});
    EXPECT_FALSE(questions.click_waits());
    questions.ask({0, 0}, kSize);
    const auto answered = questions.take(answer(questions, 1));
    ASSERT_TRUE(answered);
    EXPECT_TRUE(answered->click.pivot);
    EXPECT_EQ(answered->click.pixel, glm::uvec2(30, 40));
}

TEST(PictureQuestions, TheSurfaceIsKnownNearWhereThePointerWas) {
    PictureQuestions questions;
    questions.ask({100, 50}, kSize);
    EXPECT_FALSE(questions.nearest());
    EXPECT_FALSE(questions.take(answer(questions, 1)));
    CameraInput near, far, outside;
    questions.tell(near, glm::uvec2(105, 50));
    questions.tell(far, glm::uvec2(150, 50));
    questions.tell(outside, std::nullopt);
    EXPECT_TRUE(near.surface);
    EXPECT_FALSE(far.surface);
    EXPECT_FALSE(outside.surface);
    EXPECT_TRUE(outside.ahead);
    ASSERT_TRUE(questions.nearest());
    EXPECT_NEAR(*questions.nearest(), 2.0F, 1e-4F);  // near plane / depth
}

TEST(PictureQuestions, FramesThatRefineAPictureDoNotTellTheNearestPoint) {
    PictureQuestions questions;
    questions.ask({0, 0}, kSize);
    render::InspectionResult seen = answer(questions, 1);
    seen.view.shift = {0.001F, 0.0F};
    EXPECT_FALSE(questions.take(seen));
    EXPECT_FALSE(questions.nearest());
    questions.forget();
    CameraInput input;
    questions.tell(input, glm::uvec2(0));
    EXPECT_FALSE(input.ahead);
}

}  // namespace
}  // namespace sublet::app
