// Where the sun's shadow maps lie: what can be seen lies in one, and they hold still.
#include "render/view/sun_shadow.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <random>
#include <vector>

#include "render/view/sun.h"

namespace sublet::render {
namespace {

const glm::vec4 kScene{3.0F, -2.0F, 1.0F, 50.0F};
const glm::vec3 kSun = sun_direction({});

View camera(const glm::vec3& eye, const glm::vec3& target, Projection projection = Projection::kPerspective) {
    return make_view({.eye = eye, .target = target}, 0.01F, projection, 1.5F);
}

std::vector<ShadowMapView> fit(const View& view, const ShadowSettings& settings = {}) {
    return fit_sun_shadow(view, 1080, kSun, kScene, settings, LevelSettings{});
}

// Texels from a map's edge, and depth.
glm::vec3 within(const ShadowMapView& map, const glm::vec3& point) {
    const glm::vec4 clip = map.view.view_projection * glm::vec4(point, 1.0F);
    return {1.0F - std::abs(clip.x), 1.0F - std::abs(clip.y), clip.z};
}

TEST(SunShadow, AllOfTheSceneLiesInTheLastMap) {
    std::mt19937 random(3);
    std::normal_distribution<float> normal;
    for (int i = 0; i < 200; ++i) {
        const glm::vec3 towards = glm::normalize(glm::vec3(normal(random), normal(random), normal(random)));
        const auto maps = fit_sun_shadow(camera({normal(random) * 60.0F, 3.0F, 9.0F}, {0.0F, 0.0F, 0.0F}), 1080,
                                         towards, kScene, {}, LevelSettings{});
        ASSERT_FALSE(maps.empty());
        ASSERT_LE(maps.size(), shared::kShadowMaps);
        const glm::vec3 on_sphere = glm::normalize(glm::vec3(normal(random), normal(random), normal(random)));
        const glm::vec3 at = within(maps.back(), glm::vec3(kScene) + kScene.w * on_sphere);
        EXPECT_GT(std::min(at.x, at.y), 0.0F);
        EXPECT_GT(at.z, 0.0F);
        EXPECT_LT(at.z, 1.0F);
        // Nearer to the sun is deeper in reversed depth.
        EXPECT_GT(within(maps.back(), glm::vec3(kScene) + towards).z, within(maps.back(), glm::vec3(kScene)).z);
    }
}

TEST(SunShadow, ReachesCastersThatHaveLeftTheScene) {
    const View view = camera({20.0F, 4.0F, 7.0F}, {0.0F, 0.0F, 0.0F});
    const glm::vec3 far_up = glm::vec3(kScene) + 10.0F * kScene.w * kSun;
    const glm::vec4 everywhere{0.0F, 0.0F, 0.0F, std::numeric_limits<float>::infinity()};
    const glm::vec4 around(far_up - 2.0F * kSun, 3.0F);
    for (const std::vector<glm::vec4>& movers : {std::vector<glm::vec4>{}, {around}, {around, everywhere}}) {
        const bool moves = !movers.empty();
        const auto maps = fit_sun_shadow(view, 1080, kSun, kScene, {}, LevelSettings{}, movers);
        EXPECT_NEAR(maps.back().depth,
                    kScene.w * (movers.size() == 2 ? 17.0F
                                : moves            ? 11.0F
                                                   : 2.0F),
                    0.3F * kScene.w)
            << "no deeper than it need be";
        const glm::vec3 at = within(maps.back(), far_up);
        EXPECT_GT(at.x, 0.9F);
        EXPECT_EQ(at.z > 0.0F && at.z < 1.0F, moves);
        // In units, depth is the same.
        const glm::vec3 below = within(maps.back(), glm::vec3(kScene) - 0.5F * kScene.w * kSun);
        const glm::vec3 above = within(maps.back(), glm::vec3(kScene) + 0.5F * kScene.w * kSun);
        EXPECT_NEAR((above.z - below.z) * maps.back().depth, kScene.w, 1e-3F * kScene.w);
    }
}

// Around the camera, each map three times as wide as the one within.
TEST(SunShadow, MapsLieAroundTheCamera) {
    const glm::vec3 eye{20.0F, 4.0F, 7.0F};
    const auto maps = fit(camera(eye, {0.0F, 0.0F, 0.0F}));
    ASSERT_EQ(maps.size(), 4U);
    for (std::size_t i = 0; i < maps.size(); ++i) {
        EXPECT_EQ(maps[i].layer, i);
        if (i != 0) {
            EXPECT_NEAR(maps[i].texel / maps[i - 1].texel, 3.0F, 1e-4F);
        }
        if (i + 1 == maps.size()) continue;
        const glm::vec3 at = within(maps[i], eye);
        EXPECT_GT(std::min(at.x, at.y), 0.9F) << "the middle, but for a step";
    }
}

// They know nothing of where the camera looks; and where it moves, steps are whole texels.
TEST(SunShadow, MapsHoldStill) {
    const glm::vec3 eye{20.0F, 4.0F, 7.0F};
    auto maps = fit(camera(eye, {0.0F, 0.0F, 0.0F}));
    EXPECT_EQ(fit(camera(eye, {90.0F, 30.0F, -7.0F})), maps);
    std::size_t moved = 0;
    for (int i = 1; i < 400; ++i) {
        const auto later = fit(camera(eye + 0.01F * static_cast<float>(i) * glm::vec3(1.0F, 0.2F, -0.4F), {}));
        ASSERT_EQ(later.size(), maps.size());
        for (std::size_t m = 0; m < maps.size(); ++m) {
            if (later[m] == maps[m]) continue;
            ++moved;
            const glm::vec4 from = maps[m].view.view_projection * glm::vec4(eye, 1.0F);
            const glm::vec4 to = later[m].view.view_projection * glm::vec4(eye, 1.0F);
            for (int axis = 0; axis < 2; ++axis) {
                const float texels = (to[axis] - from[axis]) * 1024.0F;
                EXPECT_NEAR(texels, std::round(texels / 128.0F) * 128.0F, 0.05F);
            }
        }
        maps = later;
    }
    EXPECT_GT(moved, 10U);
    EXPECT_LT(moved, 100U);
}

// From far away small maps would be finer than any pixel. Near by, or with an orthographic camera that shows little,
// they are not.
TEST(SunShadow, MapsThatAreTooFineAreLeftOut) {
    EXPECT_EQ(fit(camera({0.0F, 0.0F, 5000.0F}, {})).size(), 1U);
    EXPECT_EQ(fit(camera({0.0F, 0.0F, 30.0F}, {})).size(), 4U);
    EXPECT_EQ(fit(camera({0.0F, 0.0F, 5000.0F}, {}, Projection::kOrthographic)).size(), 1U);
    EXPECT_EQ(fit(camera({0.0F, 0.0F, 1.0F}, {}, Projection::kOrthographic)).size(), 4U);
}

// A distance makes the last map smaller, and has it go with the camera.
TEST(SunShadow, ADistanceEndsTheLastMap) {
    ShadowSettings near;
    near.shadow_distance = 9.0F;
    const glm::vec3 eye{20.0F, 4.0F, 7.0F};
    const auto maps = fit(camera(eye, {}), near);
    ASSERT_EQ(maps.size(), 4U);
    EXPECT_NEAR(maps.back().texel, 18.0F / 2048.0F, 1e-5F);
    const glm::vec3 at = within(maps.back(), eye);
    EXPECT_GT(std::min(at.x, at.y), 0.9F);
    near.shadow_distance = 1000.0F;
    EXPECT_EQ(fit(camera(eye, {}), near), fit(camera(eye, {})));
}

// Levels of detail are the camera's, seen from a place that holds still, no farther from it than the slack.
TEST(SunShadow, LevelsAreTheCameras) {
    for (int i = 0; i < 100; ++i) {
        const glm::vec3 eye = glm::vec3(0.37F, 0.11F, -0.23F) * static_cast<float>(i);
        const View view = camera(eye, {100.0F, 0.0F, 0.0F});
        float inner = 0.0F;
        for (const ShadowMapView& map : fit(view)) {
            ASSERT_TRUE(map.view.levels);
            EXPECT_LE(glm::distance(map.view.levels->eye, eye), map.view.levels->slack);
            EXPECT_EQ(map.view.levels->scale, level_scale(view, 1080, 1.0F));
            // Nothing nearer is looked up in it.
            EXPECT_LE(map.view.levels->least, inner);
            inner = 0.5F * map.texel * 2048.0F;
        }
        LevelSettings none;
        none.lod = false;
        EXPECT_FALSE(fit_sun_shadow(view, 1080, kSun, kScene, {}, none)[0].view.levels);
    }
}

}  // namespace
}  // namespace sublet::render
