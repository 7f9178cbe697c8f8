#include "app/view/refinement.h"

#include <gtest/gtest.h>

#include "render/shade/average.h"

namespace sublet::app {
namespace {

PictureSubject subject() {
    PictureSubject out;
    out.near_plane = 0.1F;
    out.size = {64, 48};
    return out;
}

TEST(Refinement, DrawsAPlainFrameThenEachSampleOnceThenAddsNothing) {
    Refinement refinement(3);
    const PictureSubject picture = subject();
    EXPECT_FALSE(refinement.underway()) << "nothing was drawn";
    const Refinement::Frame plain = refinement.next(picture);
    EXPECT_EQ(plain.averaged, 0U);
    EXPECT_EQ(plain.shift, glm::vec2(0.0F));
    for (std::uint32_t sample = 3; sample-- > 0;) {
        EXPECT_TRUE(refinement.underway());
        EXPECT_FALSE(refinement.complete());
        const Refinement::Frame frame = refinement.next(picture);
        EXPECT_EQ(frame.averaged, 3 - sample);
        EXPECT_EQ(frame.shift, render::sample_shift(sample, picture.size)) << "the last one first";
        EXPECT_FALSE(frame.repeated);
        EXPECT_EQ(refinement.reached(), 3 - sample);
    }
    for (int i = 0; i < 2; ++i) {
        EXPECT_FALSE(refinement.underway());
        EXPECT_TRUE(refinement.complete());
        const Refinement::Frame again = refinement.next(picture);
        EXPECT_EQ(again.averaged, 3U);
        EXPECT_EQ(again.shift, glm::vec2(0.0F)) << "through the middle";
        EXPECT_TRUE(again.repeated);
    }
}

TEST(Refinement, StartsAnewWhateverChanges) {
    PictureSubject moved = subject();
    moved.pose.eye.x += 1.0F;
    PictureSubject nearer = subject();
    nearer.near_plane = 0.2F;
    PictureSubject flat = subject();
    flat.projection = render::Projection::kOrthographic;
    PictureSubject larger = subject();
    larger.size.x = 65;
    PictureSubject other = subject();
    other.plan.wireframe = true;
    PictureSubject outlined = subject();
    outlined.selection.level = render::SelectionLevel::kMeshlet;
    for (const PictureSubject& changed : {moved, nearer, flat, larger, other, outlined}) {
        Refinement refinement(4);
        static_cast<void>(refinement.next(subject()));
        EXPECT_EQ(refinement.next(subject()).averaged, 1U);
        EXPECT_EQ(refinement.next(changed).averaged, 0U);
        EXPECT_EQ(refinement.next(changed).averaged, 1U);
        refinement.restart();
        EXPECT_FALSE(refinement.underway());
        EXPECT_EQ(refinement.next(changed).averaged, 0U);
    }
}

TEST(Refinement, OfOneSampleIsNone) {
    Refinement refinement(1);
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(refinement.next(subject()).averaged, 0U);
        EXPECT_FALSE(refinement.underway());
        EXPECT_FALSE(refinement.complete());
    }
    refinement.set_samples(2);
    EXPECT_EQ(refinement.next(subject()).averaged, 0U);
    EXPECT_EQ(refinement.next(subject()).averaged, 1U);
    refinement.set_samples(2);
    EXPECT_EQ(refinement.next(subject()).averaged, 2U) << "the same number changes nothing";
}

// What was blended with frames before it becomes one frame alone.
TEST(Refinement, OfOneSampleEndsWhatIsBlended) {
    PictureSubject blended = subject();
    blended.plan.taa = true;
    Refinement refinement(1);
    EXPECT_EQ(refinement.next(blended).averaged, 0U);
    EXPECT_TRUE(refinement.underway());
    const Refinement::Frame alone = refinement.next(blended);
    EXPECT_EQ(alone.averaged, 1U);
    EXPECT_EQ(alone.shift, glm::vec2(0.0F));
    EXPECT_FALSE(alone.repeated);
    EXPECT_FALSE(refinement.underway());
    EXPECT_TRUE(refinement.next(blended).repeated);
}

}  // namespace
}  // namespace sublet::app
