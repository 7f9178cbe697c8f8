// Shadows of point and spot lights: those that rays find, by every backend alike, whether maps are kept or drawn,
// however short lists are and however few lights have maps.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/gtc/quaternion.hpp>
#include <string>
#include <utility>
#include <vector>

#include "harness.h"
#include "rays.h"
#include "render/settings/backend_info.h"
#include "render/view/light_shadow.h"
#include "shapes.h"

namespace sublet::test::light_shadows_test {
namespace {

using render::Backend;
using render::CameraPose;
using render::FrameSettings;
using scene::LightType;

constexpr std::uint32_t kWidth = 120, kHeight = 90;
constexpr float kNear = 0.05F;
const std::vector<CameraPose> kPoses{{.eye = {9.0F, 7.0F, 8.0F}, .target = {0.0F, 0.0F, 0.0F}},
                                     {.eye = {3.0F, 0.5F, 3.5F}, .target = {0.0F, -1.0F, 0.0F}, .fov_degrees = 70.0F}};

scene::Node node_of_light(int light, const glm::vec3& at, const glm::vec3& target = {0.0F, 0.0F, 0.0F}) {
    scene::Node node;
    node.translation = at;
    node.rotation = glm::quatLookAt(glm::normalize(target - at), glm::vec3(0.1F, 1.0F, 0.2F));
    node.light = light;
    return node;
}

// The shapes over a floor, in the light of two points and two spots, one of them wide; 14 maps.
scene::ImportedScene make_lit_shapes() {
    scene::ImportedScene out = make_shapes();
    const int floor = add_mesh(out, make_quad({-12.0F, -4.5F, 12.0F}, {24.0F, 0.0F, 0.0F}, {0.0F, 0.0F, -24.0F}), 0);
    place(out, floor, glm::mat4(1.0F));
    out.scene.lights = {
        {.name = {}, .intensity = 300.0F, .range = 30.0F},
        {.name = {}, .type = LightType::kSpot, .intensity = 900.0F},
        {.name = {}, .type = LightType::kSpot, .intensity = 300.0F, .range = 25.0F, .outer_cone = 1.4F}};
    for (const scene::Node& node : {node_of_light(0, {4.0F, 7.0F, 3.0F}), node_of_light(1, {-8.0F, 8.0F, 2.0F}),
                                    node_of_light(2, {1.0F, 9.0F, -7.0F})}) {
        out.scene.nodes.push_back(node);
    }
    return out;
}

// Their first light moves, and one of the shapes.
scene::ImportedScene make_moving_lit_shapes() {
    scene::ImportedScene out = make_lit_shapes();
    scene::Animation play{"play", {}};
    for (const std::size_t node : {out.scene.nodes.size() - 3, std::size_t{1}}) {
        scene::Node& moves = out.scene.nodes[node];
        if (moves.has_matrix) moves.translation = glm::vec3(moves.matrix[3]);
        moves.has_matrix = false;  // which glTF does not let move
        const glm::vec3 from = moves.translation;
        play.channels.push_back({.node = static_cast<int>(node),
                                 .path = scene::AnimationPath::kTranslation,
                                 .times = {0, 2},
                                 .values = {from.x, from.y, from.z, from.x - 4.0F, from.y + 0.5F, from.z - 2.0F}});
    }
    out.scene.animations.push_back(play);
    return out;
}

FrameSettings with_shadows(FrameSettings settings) {
    settings.shadows = render::Shadows::kOn;
    settings.shadow_light_resolution = 256;
    settings.environment.kind = render::EnvironmentKind::kNone;
    settings.sun = render::Sun{.on = false};
    return settings;
}

class LightShadows : public testing::Test {
  protected:
    render::Picture shoot(const FrameSettings& settings, const CameraPose& pose, int frames = 1) {
        shot_ = bench_.shoot(settings, pose, kNear, kWidth, kHeight, frames);
        return shot_.picture;
    }
    ~LightShadows() override { bench_.renderer().set_test_hooks({}); }
    void TearDown() override { EXPECT_EQ(bench_.validation_messages(), 0U); }

    Bench bench_;
    Bench::Shot shot_;
};

// Maps are drawn with culling, in two phases, as the camera moves. The reference draws them without.
TEST_F(LightShadows, AreTheSameByEveryBackend) {
    bench_.set_scene(encode(make_lit_shapes()));
    std::size_t dark = 0;
    for (const Backend backend : {Backend::kMdi, Backend::kCompact, Backend::kRaster}) {
        if (render::backend_unavailable(backend, bench_.device().capabilities())) continue;
        SCOPED_TRACE(render::backend_name(backend));
        for (const CameraPose& pose : kPoses) {
            FrameSettings settings;
            settings.backend = backend;
            const render::Picture reference =
                shoot(with_shadows(reference_settings(render::Show::kShaded, backend)), pose);
            ASSERT_TRUE(shot_.counters.shadows);
            EXPECT_EQ(shot_.counters.shadows->maps, 13U);
            EXPECT_EQ(shot_.counters.shadows->lights, 3U);
            if (backend == Backend::kMdi) {
                FrameSettings lit = with_shadows(reference_settings());
                lit.shadows = render::Shadows::kSun;
                dark += differing_colors(reference, shoot(lit, pose));
                EXPECT_FALSE(shot_.counters.shadows);
            }
            EXPECT_EQ(differing_colors(shoot(with_shadows(settings), pose, 2), reference), 0U);
        }
    }
    EXPECT_GT(dark, std::size_t{kWidth} * kHeight / 8) << "little of it is shadow";
}

// A light and a caster move.
TEST_F(LightShadows, OfMapsThatAreKeptAreThoseOfMapsThatAreDrawn) {
    bench_.set_scene(encode(make_moving_lit_shapes()));
    FrameSettings kept = with_shadows({});
    kept.backend = Backend::kMdi;
    FrameSettings drawn = kept;
    drawn.shadow_cache = false;
    render::Picture before;
    for (int i = 0; i < 12; ++i) {
        // Stands still for three frames, but that the camera turns.
        bench_.renderer().set_time(0.1 * (i - i % 3));
        CameraPose pose = kPoses[0];
        pose.target.y += 0.2F * static_cast<float>(i % 3);
        const render::Picture expected = bench_.shoot(drawn, pose, kNear, kWidth, kHeight, 1, 1).picture;
        EXPECT_EQ(bench_.renderer().counters().shadows->drawn, 13U);
        const render::Picture picture = shoot(kept, pose);
        EXPECT_EQ(differing_colors(picture, expected), 0U) << i;
        if (i % 3 == 0) {
            EXPECT_GT(shot_.counters.shadows->drawn, 6U) << i << ": the light's own, and where the caster is";
            EXPECT_TRUE(i == 0 || shot_.counters.shadows->drawn < 13U) << i;
        } else {
            EXPECT_EQ(shot_.counters.shadows->drawn, 0U) << i;
        }
        if (i % 3 == 0 && i != 0) {
            EXPECT_NE(picture.rgba, before.rgba);
        }
        if (i % 3 == 0) before = picture;
    }
}

// Joints and morph targets move them.
TEST_F(LightShadows, FollowWhatDeforms) {
    scene::ImportedScene shapes = make_deforming_shapes();
    const int floor = add_mesh(shapes, make_quad({-12.0F, -4.5F, 12.0F}, {24.0F, 0.0F, 0.0F}, {0.0F, 0.0F, -24.0F}), 0);
    place(shapes, floor, glm::mat4(1.0F));
    shapes.scene.lights = {{.name = {}, .intensity = 4000.0F, .range = 60.0F}};
    for (const glm::vec3& at : {glm::vec3(14.0F, 4.0F, 3.0F), glm::vec3(-3.0F, 16.0F, -14.0F)}) {
        shapes.scene.nodes.push_back(node_of_light(0, at));
    }
    bench_.set_scene(encode(std::move(shapes)));
    FrameSettings kept = with_shadows({});
    kept.backend = Backend::kMdi;
    FrameSettings drawn = kept;
    drawn.shadow_cache = false;
    render::Picture before;
    for (int i = 0; i < 6; ++i) {
        bench_.renderer().set_time(0.23 * i);
        const render::Picture expected = bench_.shoot(drawn, kPoses[0], kNear, kWidth, kHeight, 1, 1).picture;
        EXPECT_EQ(bench_.renderer().counters().shadows->drawn, 12U);
        const render::Picture picture = shoot(kept, kPoses[0]);
        EXPECT_EQ(differing_colors(picture, expected), 0U) << i;
        EXPECT_GT(shot_.counters.shadows->drawn, 0U) << i;
        EXPECT_NE(picture.rgba, std::exchange(before, picture).rgba);
    }
}

TEST_F(LightShadows, TakeShortListsAndFewRounds) {
    FrameSettings settings = with_shadows({});
    for (const auto& [backend, rounds] : {std::pair{Backend::kMdi, ~0U}, std::pair{Backend::kRaster, 1U}}) {
        if (render::backend_unavailable(backend, bench_.device().capabilities())) continue;
        SCOPED_TRACE(std::string(render::backend_name(backend)) + ", rounds " + std::to_string(rounds));
        settings.backend = backend;
        bench_.renderer().set_test_hooks({});
        bench_.set_scene(encode(make_lit_shapes()));
        const render::Picture expected = shoot(settings, kPoses[0]);
        bench_.renderer().set_test_hooks({.most_rounds = rounds});
        bench_.set_scene(encode(make_lit_shapes()), {.grid = {}, .survivor_budget = 1024});
        EXPECT_EQ(differing_colors(shoot(settings, kPoses[0]), expected), 0U);
        EXPECT_GT(shot_.counters.rounds, 1U);
    }
}

// A light moves, so that maps have what they had not.
TEST_F(LightShadows, NoticeWhatCullingDrops) {
    bench_.set_scene(encode(make_moving_lit_shapes()));
    FrameSettings settings = with_shadows({});
    settings.backend = Backend::kCompact;
    const FrameSettings reference = with_shadows(reference_settings());
    std::size_t wrong = 0;
    for (int i = 0; i < 10; ++i) {
        for (const render::Fault fault : {render::Fault::kPyramidLevelTooFine, render::Fault::kNone}) {
            bench_.renderer().set_time(0.12 * i);
            bench_.renderer().set_test_hooks({.fault = fault});
            const std::uint32_t view = fault == render::Fault::kNone ? 1 : 0;
            const render::Picture picture = bench_.shoot(settings, kPoses[0], kNear, kWidth, kHeight, 1, view).picture;
            bench_.renderer().set_test_hooks({});
            const std::size_t differ = differing_colors(picture, shoot(reference, kPoses[0]));
            if (fault == render::Fault::kNone) {
                EXPECT_EQ(differ, 0U) << i;
            } else {
                wrong += differ;
            }
        }
    }
    EXPECT_GT(wrong, 0U);
}

// Lights that have no room shine as without shadows.
TEST_F(LightShadows, ABudgetTakesTheLargest) {
    bench_.set_scene(encode(make_lit_shapes()));
    FrameSettings settings = with_shadows({});
    settings.backend = Backend::kMdi;
    constexpr std::uint64_t kMap = 256 * 256 * 4;
    std::size_t dark = 0;
    FrameSettings off = settings;
    off.shadows = render::Shadows::kOff;
    const render::Picture none = shoot(off, kPoses[0]);
    for (const auto& [maps, lights, has] :
         {std::tuple{0U, 0U, 0U}, {1U, 1U, 1U}, {6U, 1U, 6U}, {7U, 2U, 7U}, {12U, 2U, 7U}, {13U, 3U, 13U}}) {
        settings.shadow_budget = std::max<std::uint64_t>(maps * kMap, 1);
        const std::size_t now = differing_colors(shoot(settings, kPoses[0]), none);
        EXPECT_EQ(shot_.counters.shadows->lights, lights) << maps;
        EXPECT_EQ(shot_.counters.shadows->maps, has) << maps;
        EXPECT_TRUE(maps == 0 ? now == 0 : now > 0) << maps;
        EXPECT_TRUE(maps == 6 || now >= dark) << maps;
        dark = now;
    }
}

double linear(std::uint8_t value) {
    const double x = value / 255.0;
    return x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4);
}

// Where all rays from around a point to a light agree, a picture agrees with them: around, that is within two texels
// and the half of one that compares.
TEST_F(LightShadows, AreThoseOfRays) {
    scene::ImportedScene scene;
    scene.scene.materials.emplace_back();
    scene.scene.materials[0].double_sided = true;
    Triangles triangles;
    triangles.add(scene, make_quad({-6.0F, 0.0F, 6.0F}, {12.0F, 0.0F, 0.0F}, {0.0F, 0.0F, -12.0F}), glm::mat4(1.0F));
    triangles.add(scene, make_quad({-6.0F, 0.0F, -5.0F}, {12.0F, 0.0F, 0.0F}, {0.0F, 5.0F, 0.0F}), glm::mat4(1.0F));
    triangles.add(scene, make_torus(1.0F, 0.35F, 16, 10), glm::translate(glm::mat4(1.0F), {0.0F, 1.0F, 0.0F}));
    triangles.add(scene, make_torus(0.8F, 0.2F, 16, 8),
                  glm::rotate(glm::translate(glm::mat4(1.0F), {2.5F, 1.5F, -1.0F}), 1.2F, {1.0F, 0.0F, 0.4F}));
    triangles.add(scene, make_quad({-3.0F, 0.0F, -1.0F}, {0.0F, 0.0F, 2.0F}, {0.3F, 2.0F, 0.0F}), glm::mat4(1.0F));
    struct Case {
        scene::Light light;
        glm::vec3 at;
    };
    const Case cases[] = {
        {{.name = {}, .intensity = 60.0F}, {0.6F, 2.4F, 1.5F}},
        {{.name = {}, .intensity = 60.0F, .range = 20.0F}, {-1.5F, 1.1F, 0.4F}},
        {{.name = {}, .type = LightType::kSpot, .intensity = 200.0F}, {2.0F, 5.0F, 3.0F}},
        {{.name = {}, .type = LightType::kSpot, .intensity = 100.0F, .outer_cone = 1.4F}, {-2.0F, 3.5F, 2.0F}}};
    const std::vector<CameraPose> poses{{.eye = {4.0F, 3.0F, 5.0F}, .target = {0.0F, 0.5F, 0.0F}},
                                        {.eye = {-2.0F, 4.0F, 1.5F}, .target = {0.0F, 0.0F, 0.0F}},
                                        {.eye = {1.5F, 0.6F, 1.8F}, .target = {0.0F, 0.4F, -0.5F}}};
    FrameSettings settings = with_shadows({});
    settings.shadow_light_resolution = 512;
    settings.backend = Backend::kMdi;
    for (const Case& c : cases) {
        SCOPED_TRACE(&c - cases);
        scene::ImportedScene lit = scene;
        lit.scene.lights = {c.light};
        lit.scene.nodes.push_back(node_of_light(0, c.at));
        bench_.set_scene(encode(std::move(lit)));
        std::size_t bright = 0;
        std::size_t dark = 0;
        std::size_t unsure = 0;
        std::size_t wrong = 0;
        for (const CameraPose& pose : poses) {
            settings.show = render::Show::kNormals;
            const render::Picture normals = shoot(settings, pose);
            settings.show = render::Show::kShaded;
            settings.shadows = render::Shadows::kOff;
            const render::Picture open = shoot(settings, pose);
            settings.shadows = render::Shadows::kOn;
            const render::Picture picture = shoot(settings, pose);
            const render::View view = render::make_view(pose, kNear, render::Projection::kPerspective,
                                                        static_cast<float>(kWidth) / static_cast<float>(kHeight));
            const bool one = c.light.type == LightType::kSpot && c.light.outer_cone < 1.0F;
            const double texel = 2.0 * (one ? std::tan(c.light.outer_cone) : 1.0) / 500.0;  // at a distance of 1
            for (std::uint32_t i = 0; i < kWidth * kHeight; i += 3) {
                const std::uint8_t shown = open.rgba[4 * i + 1];
                if (picture.depth[i] == 0.0F || shown < 50 || shown > 240) continue;
                const glm::vec2 at = (glm::vec2(i % kWidth, i / kWidth) + 0.5F) / glm::vec2(kWidth, kHeight);
                const glm::dvec3 place(*render::surface_point(view, at, picture.depth[i]));
                const glm::dvec3 to_light = glm::dvec3(c.at) - place;
                const double distance = glm::length(to_light);
                const glm::dvec3 towards = to_light / distance;
                const glm::dvec3 right = glm::normalize(glm::cross(towards, glm::dvec3(0.3, 1.0, 0.2)));
                const glm::dvec3 up = glm::cross(towards, right);
                const double reach = 2.5 * texel * distance;
                const glm::dvec3 normal = normal_of(normals, i);
                const double facing = glm::dot(normal, towards);
                std::size_t met = 0;
                for (int k = 0; k < 9 && std::abs(facing) > 0.25; ++k) {
                    const glm::dvec2 step(glm::ivec2(k % 3, k / 3) - 1);
                    const glm::dvec3 aside = reach * (step.x * right + step.y * up);
                    // On the plane that is seen, and off it by somewhat less and more than the bias.
                    for (const double bias : {0.3, 0.5}) {
                        const double along = bias * reach - glm::dot(aside, normal) / facing;
                        const glm::dvec3 from = place + aside + towards * along;
                        met += triangles.meets(from, glm::dvec3(c.at) - from, 0.98) ? 1 : 0;
                    }
                }
                if ((met != 0 && met != 18) || std::abs(facing) <= 0.25) {
                    ++unsure;
                    continue;
                }
                ++(met == 0 ? bright : dark);
                const double share = linear(picture.rgba[4 * i + 1]) / linear(shown);
                wrong += (share > 0.5) != (met == 0) ? 1 : 0;
            }
        }
        EXPECT_GT(bright, 700U);
        EXPECT_GT(dark, 100U);
        EXPECT_LT(unsure, (bright + dark) / 2);
        EXPECT_EQ(wrong, 0U) << bright << " bright, " << dark << " dark, " << unsure << " unsure";
    }
}

}  // namespace
}  // namespace sublet::test::light_shadows_test
