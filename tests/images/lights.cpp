// Punctual lights: clusters of a view leave out nothing that shines there, what a light's factors come to, and lights
// that move. Shading knows no backend: one draws.
#include <gtest/gtest.h>

#include <cmath>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/gtc/quaternion.hpp>
#include <string>
#include <utility>
#include <vector>

#include "harness.h"
#include "shaders/shared/lights.h"
#include "shapes.h"

namespace sublet::test::lights_test {
namespace {

using render::LightCounters;
using scene::AnimationPath;
using scene::LightType;

struct Seen {
    const char* name;
    render::CameraPose pose;
    float near_plane;
    std::uint32_t width, height;
    render::Projection projection = render::Projection::kPerspective;
};

// Odd sizes, planes near and far, from within and from outside, rolled.
const Seen kViews[] = {
    {"outside", {.eye = {3.0F, 5.0F, 16.0F}, .target = glm::vec3(0.0F)}, 0.1F, 200, 133},
    {"within", {.eye = {0.3F, 0.2F, 1.0F}, .target = {4.0F, 0.5F, -3.0F}, .fov_degrees = 100.0F}, 1e-5F, 131, 197},
    {"near plane that cuts", {.eye = {0.0F, 2.0F, 9.0F}, .target = glm::vec3(0.0F)}, 6.0F, 129, 65},
    {"rolled", {.eye = {9.0F, -3.0F, 2.0F}, .target = {0.0F, 1.0F, 0.0F}, .roll_degrees = 37.0F}, 0.01F, 193, 64},
    {"orthographic",
     {.eye = {6.0F, 7.0F, 8.0F}, .target = glm::vec3(0.0F)},
     0.1F,
     150,
     150,
     render::Projection::kOrthographic},
    {"from far away",
     {.eye = {900.0F, 800.0F, 1100.0F}, .target = glm::vec3(0.0F), .fov_degrees = 0.5F},
     1.0F,
     140,
     90},
};

class Lights : public ::testing::Test {
  protected:
    void SetUp() override {
        settings_.backend = render::Backend::kCompact;
        settings_.tone = render::Tone::kAces;
    }
    void TearDown() override { EXPECT_EQ(bench_.validation_messages(), 0U); }

    Bench::Shot shoot(const Seen& seen, const render::TestHooks& hooks = {}) {
        render::FrameSettings settings = settings_;
        settings.projection = seen.projection;
        bench_.renderer().set_test_hooks(hooks);
        return bench_.shoot(settings, seen.pose, seen.near_plane, seen.width, seen.height);
    }

    render::FrameSettings settings_;
    Bench bench_;
};

scene::Node node_of_light(int light, const glm::vec3& at, const glm::quat& rotation = {1.0F, 0.0F, 0.0F, 0.0F}) {
    scene::Node node;
    node.translation = at;
    node.rotation = rotation;
    node.light = light;
    return node;
}

// The shapes with lights of every kind: without a range, below a mirrored node, and one that is not visible.
scene::ImportedScene lit_shapes() {
    scene::ImportedScene out = make_shapes();
    scene::Scene& s = out.scene;
    s.lights = {
        {.name = {}, .type = LightType::kSpot, .color = {1.0F, 0.5F, 0.2F}, .intensity = 60.0F, .range = 9.0F},
        {.name = {}, .type = LightType::kDirectional, .color = {0.2F, 0.2F, 0.5F}, .intensity = 0.5F},
        {.name = {}, .type = LightType::kPoint, .color = {0.3F, 1.0F, 0.3F}, .intensity = 4.0F},
        {.name = {}, .type = LightType::kSpot, .intensity = 30.0F, .inner_cone = 0.2F, .outer_cone = 1.5707963F}};
    const glm::quat down = glm::angleAxis(-1.2F, glm::vec3(1.0F, 0.0F, 0.0F));
    scene::Node mirror;
    mirror.scale = {-1.0F, 2.0F, 1.0F};
    s.nodes.push_back(mirror);
    const int parent = static_cast<int>(s.nodes.size()) - 1;
    for (int light = 0; light < 4; ++light) {
        s.nodes.push_back(node_of_light(light, {2.0F, 2.0F - static_cast<float>(light), 1.0F}, down));
        if (light != 2) s.nodes.back().parent = parent;
    }
    s.nodes.push_back(node_of_light(2, glm::vec3(0.0F)));
    s.nodes.back().visible = false;
    return out;
}

// Every pixel by its cluster's list, and by all lights: the same to the bit. So it is where lists have no room.
TEST_F(Lights, ClustersLeaveOutNothing) {
    render::SceneSettings more;
    more.lights_scatter = 300;
    bench_.set_scene(encode(lit_shapes()), more);
    std::uint64_t wrong = 0;
    for (const Seen& seen : kViews) {
        SCOPED_TRACE(seen.name);
        const Bench::Shot all = shoot(seen, {.most_light_words = 0});
        const Bench::Shot listed = shoot(seen);
        ASSERT_TRUE(all.counters.lights && listed.counters.lights);
        const LightCounters counts = *listed.counters.lights;
        EXPECT_EQ(counts.lights, 304U);
        EXPECT_EQ(counts.everywhere, 3U);
        EXPECT_EQ(counts.too_long, 0U);
        EXPECT_GT(counts.in_view, 3U);
        EXPECT_GT(counts.listed, 0U);
        EXPECT_LT(counts.listed, counts.clusters * (counts.in_view - counts.everywhere)) << "some are left out";
        EXPECT_EQ(listed.picture.rgba, all.picture.rgba);
        EXPECT_GT(coverage(listed.picture), 0.05);

        const auto half = static_cast<std::uint32_t>(counts.listed / 2);
        const Bench::Shot few = shoot(seen, {.most_light_words = half});
        EXPECT_GT(few.counters.lights->too_long, 0U);
        EXPECT_LT(few.counters.lights->too_long, counts.clusters);
        EXPECT_EQ(few.counters.lights->listed, counts.listed);
        EXPECT_EQ(few.picture.rgba, all.picture.rgba);

        const Bench::Shot less = shoot(seen, {.fault = render::Fault::kLightsReachLess});
        wrong += less.picture.rgba != all.picture.rgba ? 1 : 0;
    }
    EXPECT_GE(wrong, 4U) << "clusters that are too small are noticed";
}

// As if the nodes had no lights, nor those lights shadows.
TEST_F(Lights, OfHiddenNodesAreOff) {
    settings_.shadows = render::Shadows::kOn;
    settings_.shadow_light_resolution = 128;
    const std::size_t nodes = lit_shapes().scene.nodes.size();
    std::vector<char> none(nodes, 0);
    bench_.set_scene(encode(lit_shapes()));
    const Bench::Shot lit = shoot(kViews[0]);
    std::uint32_t with_shadows = 0;
    for (std::size_t node = 0; node < nodes; ++node) {
        if (lit_shapes().scene.nodes[node].light < 0 || !lit_shapes().scene.nodes[node].visible) continue;
        SCOPED_TRACE(node);
        scene::ImportedScene less = lit_shapes();
        less.scene.nodes[node].light = -1;
        bench_.set_scene(encode(std::move(less)));
        const Bench::Shot expected = shoot(kViews[0]);
        bench_.set_scene(encode(lit_shapes()), {.grid = {}, .hide = std::to_string(node)});
        const Bench::Shot hidden = shoot(kViews[0]);
        EXPECT_EQ(hidden.picture.rgba, expected.picture.rgba);
        EXPECT_EQ(hidden.counters.shadows, expected.counters.shadows);
        EXPECT_NE(hidden.picture.rgba, lit.picture.rgba);
        with_shadows += hidden.counters.shadows->lights < lit.counters.shadows->lights ? 1 : 0;
        bench_.renderer().set_hidden(none);
        EXPECT_EQ(shoot(kViews[0]).picture.rgba, lit.picture.rgba) << "and on again";
    }
    EXPECT_GE(with_shadows, 2U);
}

// More than are kept of a block of clusters between the runs: the window has eight blocks, one behind another.
TEST_F(Lights, ManyReachABlock) {
    render::SceneSettings more;
    more.lights_scatter = 40000;
    bench_.set_scene(encode(make_shapes()), more);
    Seen seen = kViews[5];
    seen.width = 16;
    seen.height = 12;
    const Bench::Shot all = shoot(seen, {.most_light_words = 0});
    const Bench::Shot listed = shoot(seen);
    EXPECT_EQ(listed.counters.lights->too_long, 0U);
    EXPECT_GT(listed.counters.lights->in_view, 8 * shared::kMostBlockWords);
    EXPECT_EQ(listed.picture.rgba, all.picture.rgba);
}

TEST_F(Lights, SceneWithoutThemPaysNothing) {
    const Seen& seen = kViews[0];
    const auto passes = [&] {
        bench_.renderer().finish();
        std::string names;
        for (const gpu::PassTime& pass : bench_.renderer().times().passes) names += pass.name + '\n';
        return names;
    };
    bench_.set_scene(encode(make_shapes()));
    const Bench::Shot none = shoot(seen);
    EXPECT_FALSE(none.counters.lights);
    EXPECT_EQ(bench_.renderer().memory().lights, 0U);
    EXPECT_EQ(passes().find("cluster lights"), std::string::npos);

    bench_.set_scene(encode(lit_shapes()));
    const Bench::Shot lit = shoot(seen);
    EXPECT_NE(lit.picture.rgba, none.picture.rgba);
    EXPECT_GT(bench_.renderer().memory().lights, 4 * 64U);
    EXPECT_NE(passes().find("cluster lights"), std::string::npos);
    settings_.lights = false;
    const Bench::Shot off = shoot(seen);
    EXPECT_FALSE(off.counters.lights);
    EXPECT_EQ(off.picture.rgba, none.picture.rgba);
    EXPECT_EQ(passes().find("cluster lights"), std::string::npos);
}

// A grey wall that faces the camera, in the light of one light before it and nothing else.
class WallInLight : public Lights {
  protected:
    static constexpr float kAlbedo = 0.5F;
    static constexpr std::uint32_t kSize = 65;  // one pixel lies in the middle

    void SetUp() override {
        Lights::SetUp();
        settings_.environment.kind = render::EnvironmentKind::kNone;
        settings_.sun = render::Sun{.on = false};
        settings_.tone = render::Tone::kNone;
    }

    static scene::ImportedScene wall(std::vector<scene::Light> lights, std::vector<scene::Node> nodes) {
        scene::ImportedScene out;
        scene::Material material;
        material.base_color = {kAlbedo, kAlbedo, kAlbedo, 1.0F};
        material.metallic = 0.0F;
        material.roughness = 1.0F;
        material.specular.factor = 0.0F;
        out.scene.materials.push_back(material);
        scene::SourceMesh quad = make_quad({-4.0F, -4.0F, 0.0F}, {8.0F, 0.0F, 0.0F}, {0.0F, 8.0F, 0.0F});
        quad.colors.clear();
        place(out, add_mesh(out, std::move(quad), 0), glm::mat4(1.0F));
        out.scene.lights = std::move(lights);
        for (scene::Node& node : nodes) out.scene.nodes.push_back(std::move(node));
        return out;
    }

    // Of the middle of the picture, or so far to the right of it, in the wall's units. Red, from 0 to 1.
    double light_of(const Bench::Shot& shot, float right = 0.0F) {
        const auto x = static_cast<std::uint32_t>(32.0F + std::round(right * 65.0F / 4.0F));
        const double value = shot.picture.rgba[4 * (std::size_t{32} * kSize + x)] / 255.0;
        return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
    }
    Bench::Shot shoot_wall() {
        return shoot(
            {"wall", {.eye = {0.0F, 0.0F, 2.0F}, .target = glm::vec3(0.0F), .fov_degrees = 90.0F}, 0.1F, kSize, kSize});
    }
    double light_of(scene::Light light, const scene::Node& node, float right = 0.0F) {
        bench_.set_scene(encode(wall({std::move(light)}, {node})));
        return light_of(shoot_wall(), right);
    }
};

// In lux over pi, and candela over the square of the distance.
TEST_F(WallInLight, IsAsBrightAsItsUnitsSay) {
    const float albedo = kAlbedo / 3.14159265F;
    constexpr double kStep = 0.006;
    EXPECT_NEAR(light_of({.name = {}, .type = LightType::kDirectional, .intensity = 4.0F},
                         node_of_light(0, {5.0F, 1.0F, -3.0F})),
                4.0F * albedo, kStep);
    EXPECT_NEAR(light_of({.name = {}, .intensity = 9.0F}, node_of_light(0, {0.0F, 0.0F, 1.5F})), 9.0F / 2.25F * albedo,
                kStep);
    EXPECT_NEAR(light_of({.name = {}, .intensity = 9.0F, .range = 2.0F}, node_of_light(0, {0.0F, 0.0F, 1.5F})),
                9.0F / 2.25F * albedo * (1.0F - std::pow(0.75F, 4.0F)), kStep);
    EXPECT_EQ(light_of({.name = {}, .intensity = 9.0F, .range = 1.4F}, node_of_light(0, {0.0F, 0.0F, 1.5F})), 0.0);
    // 45 degrees aside, where a cone from 30 to 60 degrees is.
    const scene::Light spot{
        .name = {}, .type = LightType::kSpot, .intensity = 9.0F, .inner_cone = 0.5235988F, .outer_cone = 1.0471976F};
    const float side = std::sqrt(0.5F);
    const float part = (side - 0.5F) / (std::sqrt(0.75F) - 0.5F);
    EXPECT_NEAR(light_of(spot, node_of_light(0, {0.0F, 0.0F, 1.0F}), 1.0F), 9.0F / 2.0F * side * part * part * albedo,
                0.03);
    EXPECT_NEAR(light_of(spot, node_of_light(0, {0.0F, 0.0F, 1.5F})), 9.0F / 2.25F * albedo, kStep);
    const glm::quat away = glm::angleAxis(3.14159265F, glm::vec3(0.0F, 1.0F, 0.0F));
    EXPECT_EQ(light_of(spot, node_of_light(0, {0.0F, 0.0F, 1.5F}, away)), 0.0);
}

// Nodes move, factors are played, visibility too: as a file that stands so.
TEST_F(WallInLight, LightsMove) {
    const glm::quat aside = glm::angleAxis(0.8F, glm::vec3(0.0F, 1.0F, 0.0F));
    const std::vector<scene::Light> lights{{.name = {},
                                            .type = LightType::kSpot,
                                            .color = {1.0F, 1.0F, 1.0F},
                                            .intensity = 2.0F,
                                            .range = 4.0F,
                                            .inner_cone = 0.1F,
                                            .outer_cone = 0.3F},
                                           {.name = {}, .intensity = 1.0F, .range = 3.0F}};
    scene::ImportedScene moving =
        wall(lights, {node_of_light(0, {0.0F, 0.0F, 1.0F}), node_of_light(1, {1.0F, 1.0F, 1.0F}),
                      node_of_light(1, {-1.0F, 1.0F, 1.0F})});
    const auto channel = [](AnimationPath path, std::vector<float> values) {
        scene::AnimationChannel out{.path = path, .times = {0, 2}, .values = std::move(values)};
        if (scene::is_of_light(path)) out.light = 0;
        return out;
    };
    scene::Animation play{
        "play",
        {channel(AnimationPath::kLightColor, {1, 1, 1, 0, 1, 0}), channel(AnimationPath::kLightIntensity, {2, 6}),
         channel(AnimationPath::kLightRange, {4, 8}), channel(AnimationPath::kLightInnerCone, {0.1F, 0.3F}),
         channel(AnimationPath::kLightOuterCone, {0.3F, 0.7F}),
         channel(AnimationPath::kTranslation, {0, 0, 1, 1, 0, 2}), channel(AnimationPath::kVisibility, {1, 1})}};
    play.channels[5].node = 1;
    play.channels[6].node = 2;
    play.channels[6].interpolation = scene::Interpolation::kStep;
    play.channels[6].times = {0, 1};
    play.channels[6].values = {1, 0};
    scene::AnimationChannel turn = channel(AnimationPath::kRotation, {});
    turn.node = 1;
    turn.values = {0, 0, 0, 1, aside.x, aside.y, aside.z, aside.w};
    play.channels.push_back(turn);
    moving.scene.animations.push_back(play);
    bench_.set_scene(encode(std::move(moving)));
    bench_.renderer().set_time(0.0);
    const Bench::Shot before = shoot_wall();
    bench_.renderer().set_time(1.0);
    const Bench::Shot after = shoot_wall();
    EXPECT_EQ(bench_.renderer().animation().playing.size(), 1U);
    bench_.renderer().set_time(0.0);
    const Bench::Shot again = shoot_wall();
    EXPECT_EQ(again.picture.rgba, before.picture.rgba);

    // The light that is hidden and that no animation which plays shows stays so.
    scene::ImportedScene hidden = wall({{.name = {}, .intensity = 5.0F}}, {node_of_light(0, {0.0F, 0.0F, 1.0F})});
    hidden.scene.nodes.back().visible = false;
    scene::AnimationChannel show = channel(AnimationPath::kVisibility, {1, 1});
    show.node = static_cast<int>(hidden.scene.nodes.size()) - 1;
    show.interpolation = scene::Interpolation::kStep;
    hidden.scene.animations.push_back({"show", {show}});
    for (const bool plays : {true, false}) {
        render::SceneSettings settings;
        settings.animation = plays ? "all" : "none";
        bench_.set_scene(encode(scene::ImportedScene(hidden)), settings);
        EXPECT_EQ(light_of(shoot_wall()) > 0.1, plays);
    }

    std::vector<scene::Light> half = lights;
    half[0].color = {0.5F, 1.0F, 0.5F};
    half[0].intensity = 4.0F;
    half[0].range = 6.0F;
    half[0].inner_cone = 0.2F;
    half[0].outer_cone = 0.5F;
    bench_.set_scene(encode(wall(half, {node_of_light(0, {0.5F, 0.0F, 1.5F}, glm::angleAxis(0.4F, glm::vec3(0, 1, 0))),
                                        node_of_light(1, {-1.0F, 1.0F, 1.0F})})));
    const Bench::Shot still = shoot_wall();
    ASSERT_EQ(still.picture.rgba.size(), after.picture.rgba.size());
    int worst = 0;
    for (std::size_t i = 0; i < still.picture.rgba.size(); ++i) {
        worst = std::max(worst, std::abs(int{still.picture.rgba[i]} - int{after.picture.rgba[i]}));
    }
    EXPECT_LE(worst, 1) << "but for rounding";
    EXPECT_NE(after.picture.rgba, before.picture.rgba);
}

}  // namespace
}  // namespace sublet::test::lights_test
