#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>

#include "render/view/camera.h"
#include "render/view/sun.h"

namespace sublet::render {
namespace {

TEST(Light, TheSunStandsWhereItIsAskedFor) {
    EXPECT_NEAR(sun_direction({.elevation = 90.0F, .azimuth = 10.0F}).y, 1.0F, 1e-6F);
    EXPECT_NEAR(sun_direction({.elevation = 0.0F, .azimuth = 0.0F}).z, 1.0F, 1e-6F);
    EXPECT_NEAR(sun_direction({.elevation = 0.0F, .azimuth = 90.0F}).x, 1.0F, 1e-6F);
    EXPECT_LT(sun_direction({.elevation = -30.0F, .azimuth = 0.0F}).y, -0.49F);
    EXPECT_NEAR(glm::length(sun_direction({.elevation = 53.0F, .azimuth = 48.0F})), 1.0F, 1e-6F);
}

TEST(Light, AirReddensTheSun) {
    const glm::vec3 noon = sun_irradiance({.elevation = 80.0F}, EnvironmentKind::kSky);
    const glm::vec3 evening = sun_irradiance({.elevation = 2.0F}, EnvironmentKind::kSky);
    for (int i = 0; i < 3; ++i) {
        EXPECT_LT(noon[i], kSunIrradiance);
        EXPECT_LT(evening[i], noon[i]);
    }
    EXPECT_GT(noon.z / noon.x, 0.7F);
    EXPECT_LT(evening.z / evening.x, 0.1F);
    EXPECT_EQ(sun_irradiance({.elevation = -1.0F}, EnvironmentKind::kSky), glm::vec3(0.0F)) << "it has set";
    EXPECT_EQ(sun_irradiance({.elevation = -1.0F}, EnvironmentKind::kNone), glm::vec3(kSunIrradiance));
    EXPECT_EQ(sun_irradiance({.on = false}, EnvironmentKind::kNone), glm::vec3(0.0F));
}

// What a ray meets is drawn in the pixel that the ray is of.
TEST(Light, RaysGoWhereTheirPixelsLook) {
    const CameraPose pose{
        .eye = {1.0F, 2.0F, 3.0F}, .target = {-4.0F, 0.5F, 1.0F}, .fov_degrees = 70.0F, .roll_degrees = 20.0F};
    for (const Projection projection : {Projection::kPerspective, Projection::kOrthographic}) {
        const View view = make_view(pose, 0.1F, projection, 1.6F);
        const std::array<glm::vec3, 3> rays = pixel_rays(view);
        for (const glm::vec2 at : {glm::vec2(0.0F), glm::vec2(0.7F, -0.3F), glm::vec2(-0.9F, 0.8F)}) {
            const glm::vec3 ray = rays[0] * at.x + rays[1] * at.y + rays[2];
            const auto placed = [&](const glm::vec3& point) {
                const glm::vec4 clip = view.view_projection * glm::vec4(point, 1.0F);
                return glm::vec2(clip) / clip.w;
            };
            if (projection == Projection::kPerspective) {
                EXPECT_NEAR(glm::distance(placed(view.eye + 7.0F * ray), at), 0.0F, 1e-4F);
            } else {
                EXPECT_NEAR(glm::distance(placed(view.eye + 7.0F * ray), placed(view.eye)), 0.0F, 1e-4F);
            }
        }
    }
}

}  // namespace
}  // namespace sublet::render
