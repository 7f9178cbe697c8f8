#include "app/view/axis_cross.h"

#include <gtest/gtest.h>

namespace sublet::app {
namespace {

TEST(AxisCross, ShowsAxesAsTheCameraDoes) {
    const auto front = seen_axes({{0.0F, 0.0F, 5.0F}, {0.0F, 0.0F, 0.0F}});
    EXPECT_EQ(front[2].axis, 2U) << "z comes towards the eye: it is drawn last";
    EXPECT_NEAR(front[2].direction.z, 1.0F, 1e-6F);
    for (const SeenAxis& seen : front) {
        if (seen.axis == 0) {
            EXPECT_NEAR(seen.direction.x, 1.0F, 1e-6F) << "x to the right";
        }
        if (seen.axis == 1) {
            EXPECT_NEAR(seen.direction.y, 1.0F, 1e-6F) << "y up";
        }
    }
    const auto top = seen_axes({{0.0F, 5.0F, 0.0F}, {0.0F, 0.0F, 0.0F}});
    EXPECT_EQ(top[2].axis, 1U);
    for (const SeenAxis& seen : top) {
        if (seen.axis == 2) {
            EXPECT_NEAR(seen.direction.y, -1.0F, 1e-6F) << "z down";
        }
    }
    // The picture turns clockwise: up points to the right.
    const auto rolled = seen_axes({{0.0F, 0.0F, 5.0F}, {0.0F, 0.0F, 0.0F}, 45.0F, 90.0F});
    for (const SeenAxis& seen : rolled) {
        if (seen.axis == 1) {
            EXPECT_NEAR(seen.direction.x, 1.0F, 1e-6F);
        }
    }
}

}  // namespace
}  // namespace sublet::app
