// Shadows of the sun: those that rays find, by every backend alike, whether maps are kept or drawn, however short lists
// are.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <numbers>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/thread_pool.h"
#include "harness.h"
#include "rays.h"
#include "render/settings/backend_info.h"
#include "render/view/sun.h"
#include "render/view/sun_shadow.h"
#include "shaders/shared/view_colors.h"
#include "shapes.h"

namespace sublet::test::shadows_test {
namespace {

using render::Backend;
using render::CameraPose;
using render::FrameSettings;
using render::Show;

constexpr std::uint32_t kWidth = 120, kHeight = 90;
constexpr float kNear = 0.05F;
const std::vector<CameraPose> kPoses{{.eye = {9.0F, 7.0F, 8.0F}, .target = {0.0F, 0.0F, 0.0F}},
                                     {.eye = {3.0F, 0.5F, 3.5F}, .target = {0.0F, -1.0F, 0.0F}, .fov_degrees = 70.0F},
                                     {.eye = {-4.0F, 9.0F, 0.5F}, .target = {0.5F, -4.0F, 0.0F}}};

// The shapes over a floor.
scene::ImportedScene make_shapes_on_floor() {
    scene::ImportedScene out = make_shapes();
    const int floor = add_mesh(out, make_quad({-12.0F, -4.5F, 12.0F}, {24.0F, 0.0F, 0.0F}, {0.0F, 0.0F, -24.0F}), 0);
    place(out, floor, glm::mat4(1.0F));
    return out;
}

FrameSettings with_shadows(FrameSettings settings) {
    settings.shadows = render::Shadows::kSun;
    settings.shadow_resolution = 512;
    settings.environment.kind = render::EnvironmentKind::kNone;
    return settings;
}

// A pane above a floor, of glass or not.
scene::ImportedScene make_pane(bool glass) {
    scene::ImportedScene out;
    for (int i = 0; i < 2; ++i) out.scene.materials.emplace_back();
    if (glass) out.scene.materials[1].transmission.factor = 0.9F;
    const int floor = add_mesh(out, make_quad({-3.0F, 0.0F, 3.0F}, {6.0F, 0.0F, 0.0F}, {0.0F, 0.0F, -6.0F}), 0);
    const int pane = add_mesh(out, make_quad({-1.0F, 1.0F, 1.0F}, {2.0F, 0.0F, 0.0F}, {0.0F, 0.0F, -2.0F}), 1);
    place(out, floor, glm::mat4(1.0F));
    place(out, pane, glm::mat4(1.0F));
    return out;
}

class Shadows : public testing::Test {
  protected:
    render::Picture shoot(const FrameSettings& settings, const CameraPose& pose, int frames = 1) {
        shot_ = bench_.shoot(settings, pose, kNear, kWidth, kHeight, frames);
        return shot_.picture;
    }
    ~Shadows() override { bench_.renderer().set_test_hooks({}); }
    void TearDown() override { EXPECT_EQ(bench_.validation_messages(), 0U); }

    Bench bench_;
    Bench::Shot shot_;
};

// Maps are drawn with culling, in two phases, as the camera moves. The reference draws them without.
TEST_F(Shadows, AreTheSameByEveryBackend) {
    bench_.set_scene(encode(make_shapes_on_floor()));
    std::size_t dark = 0;
    for (const Backend backend : {Backend::kMdi, Backend::kCompact, Backend::kRaster}) {
        if (render::backend_unavailable(backend, bench_.device().capabilities())) continue;
        SCOPED_TRACE(render::backend_name(backend));
        for (const CameraPose& pose : kPoses) {
            FrameSettings settings;
            settings.backend = backend;
            const render::Picture reference = shoot(with_shadows(reference_settings(Show::kShaded, backend)), pose);
            if (backend == Backend::kMdi) {
                FrameSettings lit = reference_settings();
                lit.environment.kind = render::EnvironmentKind::kNone;
                dark += differing_colors(reference, shoot(lit, pose));
            }
            EXPECT_EQ(differing_colors(shoot(with_shadows(settings), pose, 2), reference), 0U);
            ASSERT_TRUE(shot_.counters.shadows);
            EXPECT_GE(shot_.counters.shadows->maps, 2U);
        }
    }
    EXPECT_GT(dark, std::size_t{kWidth} * kHeight / 8) << "little of it is shadow";
}

TEST_F(Shadows, OfMapsThatAreKeptAreThoseOfMapsThatAreDrawn) {
    bench_.set_scene(encode(make_shapes_on_floor()));
    FrameSettings kept = with_shadows({});
    kept.backend = Backend::kMdi;
    FrameSettings drawn = kept;
    drawn.shadow_cache = false;
    std::size_t maps = 0;
    std::size_t redrawn = 0;
    for (int i = 0; i < 24; ++i) {
        const float turn = 0.4F * static_cast<float>(i % 8);
        const int round = i / 8;
        const float away = 6.0F - 0.1F * static_cast<float>(i);  // turns on its place, then moves
        const CameraPose pose{.eye = {away, 2.0F, 3.0F + 0.02F * static_cast<float>(round)},
                              .target = {away - std::cos(turn), 1.5F, 3.0F - std::sin(turn)}};
        const render::Picture expected = bench_.shoot(drawn, pose, kNear, kWidth, kHeight, 1, 1).picture;
        const render::Counters counters = bench_.renderer().counters();
        EXPECT_EQ(counters.shadows->drawn, counters.shadows->maps);
        EXPECT_EQ(differing_colors(shoot(kept, pose), expected), 0U) << i;
        maps += shot_.counters.shadows->maps;
        redrawn += shot_.counters.shadows->drawn;
    }
    EXPECT_GT(redrawn, 4U) << "the camera moved";
    EXPECT_LT(redrawn, maps / 2);
    // The sun, and what casts.
    const CameraPose& pose = kPoses[0];
    const auto drawn_now = [&](const FrameSettings& settings) {
        static_cast<void>(shoot(settings, pose, 1));
        return shot_.counters.shadows->drawn;
    };
    static_cast<void>(drawn_now(kept));
    EXPECT_EQ(drawn_now(kept), 0U);
    kept.sun = render::Sun{.elevation = 50.0F};
    EXPECT_GT(drawn_now(kept), 0U);
    std::vector<char> hidden(bench_.scene().scene.nodes.size(), 0);
    hidden[3] = 1;
    const render::Picture before = shot_.picture;
    bench_.renderer().set_hidden(hidden);
    EXPECT_GT(drawn_now(kept), 0U);
    EXPECT_GT(differing_colors(before, shot_.picture), 0U) << "a shadow is gone";
    EXPECT_EQ(drawn_now(kept), 0U);
}

// What is left after the last round leaves out glass, as the lists do: some of the shapes are of it.
TEST_F(Shadows, TakeShortListsAndFewRounds) {
    FrameSettings settings = with_shadows({});
    for (const auto& [backend, rounds] :
         {std::pair{Backend::kMdi, ~0U}, std::pair{Backend::kMdi, 1U}, std::pair{Backend::kRaster, 1U}}) {
        if (render::backend_unavailable(backend, bench_.device().capabilities())) continue;
        SCOPED_TRACE(std::string(render::backend_name(backend)) + ", rounds " + std::to_string(rounds));
        settings.backend = backend;
        bench_.renderer().set_test_hooks({});
        bench_.set_scene(encode(make_shapes_on_floor()));
        const render::Picture expected = shoot(settings, kPoses[0]);
        bench_.renderer().set_test_hooks({.most_rounds = rounds});
        bench_.set_scene(encode(make_shapes_on_floor()), {.grid = {}, .survivor_budget = 1024});
        EXPECT_EQ(differing_colors(shoot(settings, kPoses[0]), expected), 0U);
        EXPECT_GT(shot_.counters.rounds, 1U);
    }
}

TEST_F(Shadows, WithoutASunThereAreNoMaps) {
    bench_.set_scene(encode(make_pane(false)));
    FrameSettings settings = with_shadows({});
    settings.backend = Backend::kMdi;
    static_cast<void>(shoot(settings, kPoses[0]));
    EXPECT_TRUE(shot_.counters.shadows);
    settings.sun_strength = 0.0F;
    static_cast<void>(shoot(settings, kPoses[0]));
    EXPECT_FALSE(shot_.counters.shadows);
    settings.sun_strength = 1.0F;
    settings.environment.kind = render::EnvironmentKind::kSky;
    settings.sun = render::Sun{.elevation = -5.0F};
    static_cast<void>(shoot(settings, kPoses[0]));
    EXPECT_FALSE(shot_.counters.shadows) << "the sky's sun is below the horizon";
}

TEST_F(Shadows, NoticeWhatCullingDrops) {
    bench_.set_scene(encode(make_shapes_on_floor()), {.grid = {glm::uvec3(5, 2, 5), 1.2F}});
    FrameSettings settings = with_shadows({});
    settings.backend = Backend::kCompact;
    settings.shadow_cache = false;  // the second time maps are drawn in two phases
    std::vector<render::Picture> right;
    std::size_t wrong = 0;
    for (const render::Fault fault : {render::Fault::kNone, render::Fault::kPyramidLevelTooFine}) {
        bench_.renderer().set_test_hooks({.fault = fault});
        for (int i = 0; i < 6; ++i) {
            settings.sun = render::Sun{.elevation = 20.0F + 8.0F * static_cast<float>(i)};
            const render::Picture picture = shoot(settings, kPoses[0]);
            if (fault == render::Fault::kNone) {
                right.push_back(picture);
            } else {
                wrong += differing_colors(picture, right[i]);
            }
        }
    }
    EXPECT_GT(wrong, 0U);
}

// Channels of a view's colour: how bright it is beside the colour itself.
double share_of(const render::Picture& picture, std::size_t pixel) {
    double most = -1.0;
    for (const std::uint32_t color : shared::kShadowMapColors) {
        // All channels have the same factor.
        double low = 1e9;
        double high = -1e9;
        for (unsigned c = 0; c < 3; ++c) {
            const double of = color >> (8 * c) & 255U;
            low = std::min(low, (picture.rgba[4 * pixel + c] - 0.5) / of);
            high = std::max(high, (picture.rgba[4 * pixel + c] + 0.5) / of);
        }
        const double factor = picture.rgba[4 * pixel + 1] / static_cast<double>(color >> 8U & 255U);
        if (high - low < 0.06) most = std::max(most, std::clamp((factor - 0.3) / 0.7, 0.0, 1.0));
    }
    return most;
}

TEST_F(Shadows, GlassCastsNone) {
    for (const Backend backend : {Backend::kDirect, Backend::kMdi}) {
        if (render::backend_unavailable(backend, bench_.device().capabilities())) continue;
        SCOPED_TRACE(render::backend_name(backend));
        for (const bool glass : {false, true}) {
            bench_.set_scene(encode(make_pane(glass)));
            FrameSettings settings = with_shadows({});
            settings.backend = backend;
            settings.show = Show::kShadowMaps;
            const render::Picture picture = shoot(settings, {.eye = {0.0F, 0.4F, 4.0F}, .target = {0.0F, 0.2F, 0.0F}});
            std::size_t dark = 0;
            for (std::size_t i = 0; i < picture.depth.size(); ++i) {
                dark += picture.depth[i] > 0.0F && share_of(picture, i) < 0.5 ? 1 : 0;
            }
            EXPECT_EQ(dark > 100, !glass) << dark;
            EXPECT_TRUE(!glass || dark == 0) << dark;
        }
    }
}

// Towards the sun: its shadow stays where it is.
TEST_F(Shadows, ReachWhatHasLeftTheScene) {
    scene::ImportedScene scene = make_pane(false);
    scene.scene.nodes[1].has_matrix = false;  // which glTF does not let move
    const glm::vec3 away = 50.0F * render::sun_direction({});
    scene.scene.animations.push_back(
        {"leaves", {{.node = 1, .times = {0, 1}, .values = {0, 0, 0, away.x, away.y, away.z}}}});
    bench_.set_scene(encode(std::move(scene)));
    FrameSettings settings = with_shadows({});
    settings.backend = Backend::kMdi;
    settings.show = Show::kShadowMaps;
    std::size_t dark[2] = {};
    for (int time = 0; time < 2; ++time) {
        bench_.renderer().set_time(0.999 * time);
        const render::Picture picture = shoot(settings, {.eye = {0.0F, 0.4F, 4.0F}, .target = {0.0F, 0.2F, 0.0F}});
        for (std::size_t i = 0; i < picture.depth.size(); ++i) {
            dark[time] += picture.depth[i] > 0.0F && share_of(picture, i) < 0.5 ? 1 : 0;
        }
    }
    EXPECT_GT(dark[0], 100U);
    EXPECT_GT(dark[1], 100U);
}

// Where all rays from around a point to the sun agree, a picture agrees with them: around, that is within two texels
// and the half of one that compares.
TEST_F(Shadows, AreThoseOfRays) {
    scene::ImportedScene scene;
    scene.scene.materials.emplace_back();
    scene.scene.materials[0].double_sided = true;
    Triangles triangles;
    const auto add = [&](scene::SourceMesh mesh, const glm::mat4& transform) {
        triangles.add(scene, std::move(mesh), transform);
    };
    add(make_quad({-6.0F, 0.0F, 6.0F}, {12.0F, 0.0F, 0.0F}, {0.0F, 0.0F, -12.0F}), glm::mat4(1.0F));
    add(make_torus(1.0F, 0.35F, 16, 10), glm::translate(glm::mat4(1.0F), {0.0F, 1.0F, 0.0F}));
    add(make_torus(0.8F, 0.2F, 16, 8),
        glm::rotate(glm::translate(glm::mat4(1.0F), {2.5F, 1.5F, -1.0F}), 1.2F, {1.0F, 0.0F, 0.4F}));
    add(make_quad({-3.0F, 0.0F, -1.0F}, {0.0F, 0.0F, 2.0F}, {0.3F, 2.0F, 0.0F}), glm::mat4(1.0F));
    bench_.set_scene(encode(std::move(scene)));
    FrameSettings settings = with_shadows({});
    settings.backend = Backend::kMdi;
    settings.show = Show::kShadowMaps;
    std::size_t lit = 0;
    std::size_t dark = 0;
    std::size_t unsure = 0;
    std::size_t wrong = 0;
    const std::vector<CameraPose> poses{{.eye = {4.0F, 3.0F, 5.0F}, .target = {0.0F, 0.5F, 0.0F}},
                                        {.eye = {-2.0F, 4.0F, 1.5F}, .target = {0.0F, 0.0F, 0.0F}},
                                        {.eye = {1.5F, 0.6F, 1.8F}, .target = {0.0F, 0.4F, -0.5F}}};
    for (const render::Sun& sun : {render::Sun{}, render::Sun{.elevation = 25.0F, .azimuth = 200.0F}}) {
        settings.sun = sun;
        const glm::dvec3 towards(render::sun_direction(sun));
        const glm::dvec3 right = glm::normalize(glm::cross(towards, glm::dvec3(0.3, 1.0, 0.2)));
        const glm::dvec3 up = glm::cross(towards, right);
        for (const CameraPose& pose : poses) {
            settings.show = Show::kNormals;
            const render::Picture normals = shoot(settings, pose);
            settings.show = Show::kShadowMaps;
            const render::Picture picture = shoot(settings, pose);
            const render::View view = render::make_view(pose, kNear, render::Projection::kPerspective,
                                                        static_cast<float>(kWidth) / static_cast<float>(kHeight));
            const auto maps = render::fit_sun_shadow(view, kHeight, render::sun_direction(sun),
                                                     render::scene_bounds(bench_.scene(), {}), settings, settings);
            for (std::uint32_t i = 0; i < kWidth * kHeight; i += 3) {
                if (picture.depth[i] == 0.0F) continue;
                const glm::uvec2 pixel(i % kWidth, i / kWidth);
                const glm::vec2 at = (glm::vec2(pixel) + 0.5F) / glm::vec2(kWidth, kHeight);
                const glm::dvec3 place(*render::surface_point(view, at, picture.depth[i]));
                const double share = share_of(picture, i);
                ASSERT_GE(share, 0.0);
                // Of the map that it lies in: the smallest that is wide enough.
                const auto map = std::ranges::find_if(maps, [&](const render::ShadowMapView& m) {
                    const glm::vec4 clip = m.view.view_projection * glm::vec4(glm::vec3(place), 1.0F);
                    return std::max(std::abs(clip.x), std::abs(clip.y)) < 0.99F;
                });
                ASSERT_NE(map, maps.end());
                const double reach = 2.5 * map->texel;
                const glm::dvec3 normal = normal_of(normals, i);
                const double facing = glm::dot(normal, towards);
                std::size_t met = 0;
                for (int k = 0; k < 9 && std::abs(facing) > 0.25; ++k) {
                    const glm::dvec2 step(glm::ivec2(k % 3, k / 3) - 1);
                    const glm::dvec3 aside = reach * (step.x * right + step.y * up);
                    // On the plane that is seen, and a little off it.
                    const double along = 0.5 * reach - glm::dot(aside, normal) / facing;
                    met += triangles.meets(place + aside + towards * along, towards) ? 1 : 0;
                }
                if ((met != 0 && met != 9) || std::abs(facing) <= 0.25) {
                    ++unsure;
                    continue;
                }
                ++(met == 0 ? lit : dark);
                wrong += (share > 0.5) != (met == 0) ? 1 : 0;
            }
        }
    }
    EXPECT_GT(lit, 3000U);
    EXPECT_GT(dark, 500U);
    EXPECT_LT(unsure, (lit + dark) / 3);
    EXPECT_EQ(wrong, 0U) << lit << " lit, " << dark << " dark, " << unsure << " unsure";
}

// Levels of detail: a ball shades its own far side alone.
TEST_F(Shadows, OfLevelsOfDetailLieWhereTheirCastersAre) {
    scene::ImportedScene scene;
    scene.scene.materials.emplace_back();
    scene::SourceMesh ball;
    constexpr std::uint32_t kRows = 96, kColumns = 192;
    for (std::uint32_t i = 0; i < (kRows + 1) * kColumns; ++i) {
        const glm::uvec2 place(i % kColumns, i / kColumns);
        const float v = std::numbers::pi_v<float> * static_cast<float>(place.y) / kRows;
        const float u = 2.0F * std::numbers::pi_v<float> * static_cast<float>(place.x) / kColumns;
        const glm::vec3 p(std::sin(v) * std::cos(u), std::cos(v), -std::sin(v) * std::sin(u));
        ball.positions.push_back({p.x, p.y, p.z});
        ball.normals.push_back({p.x, p.y, p.z});
    }
    for (std::uint32_t row = 0; row < kRows; ++row) {
        for (std::uint32_t column = 0; column < kColumns; ++column) {
            const std::uint32_t a = row * kColumns + column;
            const std::uint32_t b = row * kColumns + (column + 1) % kColumns;
            if (row != 0) ball.indices.insert(ball.indices.end(), {a, a + kColumns, b});
            if (row + 1 != kRows) ball.indices.insert(ball.indices.end(), {b, a + kColumns, b + kColumns});
        }
    }
    place(scene, add_mesh(scene, std::move(ball), 0), glm::mat4(1.0F));
    ThreadPool pool;
    bench_.set_scene(scene::encode_scene(std::move(scene), {.levels = mesh::Levels::kOn}, pool),
                     {.grid = {glm::uvec3(5, 1, 5), 3.0F}});
    FrameSettings settings = with_shadows({});
    settings.backend = Backend::kMdi;
    settings.show = Show::kShadowMaps;
    settings.sun = render::Sun{.elevation = 75.0F, .azimuth = 30.0F};
    const glm::vec3 towards = render::sun_direction(*settings.sun);
    std::size_t faces = 0;
    std::size_t dimmed = 0;
    int coarse = 0;
    for (const float away : {4.0F, 12.0F, 60.0F}) {
        const CameraPose pose{.eye = glm::vec3(0.5F, 0.8F, 0.4F) * away, .target = {0.0F, 0.0F, 0.0F}};
        settings.show = Show::kNormals;
        const render::Picture normals = shoot(settings, pose);
        settings.show = Show::kShadowMaps;
        const render::Picture picture = shoot(settings, pose);
        for (std::size_t i = 0; i < picture.depth.size(); ++i) {
            if (picture.depth[i] == 0.0F) continue;
            if (glm::dot(normal_of(normals, i), towards) < 0.3F) continue;
            ++faces;
            const double share = share_of(picture, i);
            ASSERT_GT(share, 0.5) << "pixel " << i << ", from " << away;
            dimmed += share < 0.95 ? 1 : 0;
        }
        // Some of the instances have other levels than the finest.
        settings.show = Show::kShaded;
        static_cast<void>(shoot(settings, pose));
        ASSERT_TRUE(shot_.counters.cut);
        coarse += away > 10.0F && shot_.counters.cut->triangles < shot_.counters.cut->finest_triangles ? 1 : 0;
    }
    EXPECT_EQ(coarse, 2);
    EXPECT_GT(faces, 2000U);
    EXPECT_LE(dimmed * 100, faces) << dimmed << " of " << faces;
}

}  // namespace
}  // namespace sublet::test::shadows_test
