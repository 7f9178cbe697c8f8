// Which lights have shadow maps, and where these lie: what is lit lies in one, and they hold still.
#include "render/view/light_shadow.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <glm/geometric.hpp>
#include <random>
#include <vector>

#include "shaders/shared/shadow.h"

namespace sublet::render::light_shadow_test {
namespace {

const glm::vec4 kScene{0.0F, 0.0F, 0.0F, 50.0F};

View camera(const glm::vec3& eye, const glm::vec3& target, Projection projection = Projection::kPerspective) {
    return make_view({.eye = eye, .target = target}, 0.01F, projection, 1.5F);
}

std::vector<LightShadow> fit(const View& view, const std::vector<CastingLight>& lights,
                             const ShadowSettings& settings = {}) {
    return fit_light_shadows(view, 1080, CastingLights(lights, {}), kScene, settings, LevelSettings{});
}

ShadowSettings budget_of(std::uint32_t maps) {
    ShadowSettings settings;
    settings.shadow_budget =
        std::uint64_t{maps} * settings.shadow_light_resolution * settings.shadow_light_resolution * 4;
    return settings;
}

std::vector<std::uint32_t> numbers(const std::vector<LightShadow>& shadows) {
    std::vector<std::uint32_t> out;
    for (const LightShadow& shadow : shadows) out.push_back(shadow.light);
    return out;
}

using Numbers = std::vector<std::uint32_t>;

TEST(LightShadow, TheLargestOnTheScreenHaveMaps) {
    std::vector<CastingLight> lights;
    for (std::uint32_t i = 0; i < 4; ++i) {
        lights.push_back(
            {.number = 10 + i, .position = {0.0F, 0.0F, -5.0F * static_cast<float>(i + 1)}, .range = 2.0F});
    }
    lights[2].range = 20.0F;
    lights[3].cone = 0.8F;
    const View view = camera({0.0F, 0.0F, 1.0F}, {0.0F, 0.0F, 0.0F});
    EXPECT_EQ(numbers(fit(view, lights)), (Numbers{12, 10, 11, 13}));
    EXPECT_EQ(numbers(fit(view, lights, budget_of(12))), (Numbers{12, 10}));
    EXPECT_EQ(numbers(fit(view, lights, budget_of(11))), (Numbers{12, 13})) << "where a point has no room a spot may";
    EXPECT_EQ(numbers(fit(view, lights, budget_of(1))), Numbers{13});
    EXPECT_EQ(fit(view, lights)[3].maps.size(), 1U);
    EXPECT_EQ(fit(view, lights)[0].maps.size(), 6U);
    // Behind the camera, where the ranges of all but one end.
    EXPECT_EQ(numbers(fit(camera({0.0F, 0.0F, 1.0F}, {0.0F, 0.0F, 5.0F}), lights)), Numbers{12});
    lights[0].range = 0.0F;
    EXPECT_EQ(numbers(fit(view, lights))[0], 10U) << "it has no end";
    // As many maps as there are at most.
    lights.assign(100, {.range = 3.0F, .cone = 0.9F});
    for (std::uint32_t i = 0; i < 100; ++i) lights[i].number = i;
    EXPECT_EQ(fit(view, lights, budget_of(1000)).size(), shared::kLightMaps);
    EXPECT_EQ(fit(view, lights, budget_of(1000))[5].light, 5U) << "equals by their numbers";
}

// Of many lights, some of which move, have no range or lie in one place, the same are taken as by looking at each.
TEST(LightShadow, BlocksHideNoLight) {
    std::mt19937 random(5);
    std::uniform_real_distribution<float> number(-1.0F, 1.0F);
    for (int round = 0; round < 60; ++round) {
        std::vector<CastingLight> still;
        std::vector<CastingLight> moving;
        std::vector<CastingLight> all;
        for (std::uint32_t i = 0; i < 1500; ++i) {
            CastingLight light{.number = i, .position = {number(random), number(random), number(random)}};
            light.position *= i % 50 == 0 ? 1.0F : 50.0F;
            light.range = i % 401 == 400 && round % 2 == 0 ? 0.0F : 1.0F + std::abs(number(random));
            light.cone = i % 3 == 0 ? 0.9F : -1.0F;
            if (i % 7 == 6) light = {.number = i, .position = {3.0F, 4.0F, 5.0F}, .range = 2.0F};
            (i % 100 == 99 ? moving : still).push_back(light);
            all.push_back(light);
        }
        CastingLights lights(still, moving);
        for (std::size_t i = 0; i < moving.size(); ++i) {
            const glm::vec3 position = 30.0F * glm::vec3(number(random), number(random), number(random));
            lights.move(i, position, {1.0F, 0.0F, 0.0F});
            all[moving[i].number].position = position;
        }
        const Projection projection = round % 3 == 0 ? Projection::kOrthographic : Projection::kPerspective;
        const View view = camera({20.0F * number(random), 3.0F, 20.0F}, {number(random), 0.0F, 0.0F}, projection);
        const auto sees = [&](const CastingLight& light, float range) {
            return std::ranges::all_of(view.planes, [&](const glm::vec4& plane) {
                return glm::dot(glm::vec3(plane), light.position) + plane.w >= -range;
            });
        };
        std::vector<std::pair<float, std::uint32_t>> expected;
        for (const CastingLight& light : all) {
            const float end = glm::length(light.position) + kScene.w;
            const float range = light.range > 0.0F ? std::min(light.range, end) : end;
            if (!sees(light, range)) continue;
            const float away = glm::distance(light.position, view.eye);
            expected.emplace_back(view.orthographic ? -range : -range / away, light.number);
        }
        std::ranges::sort(expected);
        std::uint32_t left = shared::kLightMaps;
        Numbers first;
        for (const auto& [size, light] : expected) {
            const std::uint32_t maps = all[light].cone > 0.0F ? 1 : 6;
            if (maps > left) continue;
            left -= maps;
            first.push_back(light);
        }
        ASSERT_EQ(numbers(fit_light_shadows(view, 1080, lights, kScene, budget_of(1000), {})), first) << round;
        ASSERT_GT(first.size(), 10U);
    }
}

// What a light falls on lies in a map, as far from its edge as filtering reads, at the depth that its distance is.
TEST(LightShadow, WhatIsLitLiesInAMap) {
    std::mt19937 random(3);
    std::normal_distribution<float> normal;
    const auto direction = [&] { return glm::normalize(glm::vec3(normal(random), normal(random), normal(random))); };
    const View view = camera({0.0F, 0.0F, 9.0F}, {0.0F, 0.0F, 0.0F});
    for (int i = 0; i < 3000; ++i) {
        CastingLight light{.position = direction() * 3.0F, .range = 8.0F, .direction = direction()};
        if (i % 3 != 0) light.cone = i % 3 == 1 ? 0.5F + 0.49F * std::abs(std::sin(static_cast<float>(i))) : 0.2F;
        const auto shadows = fit(view, {light});
        ASSERT_EQ(shadows.size(), 1U);
        glm::vec3 along = direction();
        if (light.cone > 0.0F) {  // within the cone, up to its edge
            const glm::vec3 aside = glm::normalize(glm::cross(along, light.direction));
            const float angle = std::acos(light.cone) * std::abs(std::sin(0.7F * static_cast<float>(i)));
            along = std::cos(angle) * light.direction + std::sin(angle) * aside;
        }
        const glm::vec3 size = glm::abs(along);
        const int axis = size.x >= std::max(size.y, size.z) ? 0 : size.y >= size.z ? 1 : 2;
        const std::size_t face = shadows[0].maps.size() == 1 ? 0 : 2 * axis + (along[axis] < 0.0F ? 1 : 0);
        const ShadowMapView& map = shadows[0].maps.at(face);
        const float distance = 0.1F + 7.0F * std::abs(normal(random));
        const glm::vec4 clip = map.view.view_projection * glm::vec4(light.position + along * distance, 1.0F);
        ASSERT_GT(clip.w, 0.0F);
        const float edge = 1.0F - std::max(std::abs(clip.x), std::abs(clip.y)) / clip.w;
        EXPECT_GE(edge * 0.5F * static_cast<float>(map.size), 3.0F) << "texels";
        EXPECT_TRUE(distance > light.range || clip.z > map.cleared * clip.w) << "it is not taken for what is beyond";
        EXPECT_NEAR(clip.z / clip.w, map.view.near_plane / glm::dot(along * distance, map.view.forward), 1e-3F);
        // A texel's width.
        const float width = 2.0F / map.view.projection[0][0] / static_cast<float>(map.size);
        EXPECT_NEAR(map.texel, width, 1e-5F * width);
    }
}

// Maps do not turn with the camera, and bear with small steps of it; their levels are right wherever the eye may be.
TEST(LightShadow, HoldStill) {
    const std::vector<CastingLight> lights{{.position = {0.0F, 0.0F, 0.0F}, .range = 2.0F}};
    const glm::vec3 eye{0.5F, 0.3F, 20.1F};
    const auto first = fit(camera(eye, {0.0F, 0.0F, 0.0F}), lights);
    EXPECT_EQ(first[0].maps, fit(camera(eye, {3.0F, 0.5F, 0.0F}), lights)[0].maps);
    EXPECT_EQ(first[0].maps, fit(camera(eye + glm::vec3(0.05F), {0.0F, 0.0F, 0.0F}), lights)[0].maps);
    EXPECT_NE(first[0].maps, fit(camera(eye + glm::vec3(5.0F), {0.0F, 0.0F, 0.0F}), lights)[0].maps);
    for (const ShadowMapView& map : first[0].maps) {
        ASSERT_TRUE(map.view.levels);
        EXPECT_LE(glm::distance(map.view.levels->eye, eye), map.view.levels->slack);
        EXPECT_GT(map.view.levels->least, 10.0F);
        EXPECT_LE(map.view.levels->least, glm::length(eye) - 2.0F) << "nothing lit is nearer";
        EXPECT_TRUE(map.view.light_passes);
    }
    LevelSettings none;
    none.lod = false;
    const View view = camera(eye, {0.0F, 0.0F, 0.0F});
    EXPECT_FALSE(fit_light_shadows(view, 1080, CastingLights(lights, {}), kScene, {}, none)[0].maps[0].view.levels);
    // From within its range there is no least distance.
    EXPECT_EQ(fit(camera({0.0F, 0.0F, 1.0F}, {0.0F, 0.0F, 0.0F}), lights)[0].maps[0].view.levels->least, 0.0F);
}

}  // namespace
}  // namespace sublet::render::light_shadow_test
