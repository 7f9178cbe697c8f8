// Looking inside: views of what culling does, lines over the picture, and what single pixels tell.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/vec2.hpp>
#include <set>

#include "harness.h"
#include "ids.h"
#include "render/settings/backend_info.h"
#include "render/shade/shade.h"
#include "render/view/legend.h"
#include "shaders/shared/view_colors.h"
#include "shapes.h"

namespace sublet::test::inspect_test {
namespace {

using render::Backend;
using render::Bounds;
using render::BoundsOf;
using render::CameraPose;
using render::FrameSettings;
using render::Picture;
using render::SelectionLevel;
using render::Show;

constexpr std::uint32_t kSize = 128;
constexpr float kNear = 0.1F;
// At the plane z = 0 a unit is 8 pixels, and the origin the corner of the four in the middle.
constexpr CameraPose kFront{.eye = {0.0F, 0.0F, 8.0F}, .target = {0.0F, 0.0F, 0.0F}, .fov_degrees = 90.0F};
constexpr CameraPose kShapes{.eye = {3.0F, 4.0F, 9.0F}, .target = {0.0F, 0.0F, 0.0F}, .fov_degrees = 60.0F};

Color named(std::uint32_t color) {
    return {static_cast<int>(color & 0xffU), static_cast<int>(color >> 8U & 0xffU),
            static_cast<int>(color >> 16U & 0xffU)};
}

// As inspect/culled.frag shades it: the colour times 0.55 to 1.
bool is_shade_of(const Color& color, std::uint32_t of) {
    const Color full = named(of);
    const std::size_t most = static_cast<std::size_t>(std::max_element(full.begin(), full.end()) - full.begin());
    const double share = static_cast<double>(color[most]) / full[most];
    if (share < 0.54 || share > 1.01) return false;
    for (std::size_t i = 0; i < 3; ++i) {
        if (std::abs(color[i] - share * full[i]) > 2.0) return false;
    }
    return true;
}

// What tests say at each level.
constexpr std::uint32_t kInstanceFrustum = shared::kVerdictInstance, kInstanceCone = kInstanceFrustum + 1,
                        kInstanceOcclusion = kInstanceFrustum + 2, kMeshletCone = shared::kVerdictMeshlet + 1,
                        kMeshletOcclusion = shared::kVerdictMeshlet + 2, kSubletCone = shared::kVerdictSublet + 1,
                        kSubletOcclusion = shared::kVerdictSublet + 2;

// What a pixel's colour says which test rejected it; 0: none.
std::uint32_t verdict_of(const Color& color) {
    for (std::uint32_t verdict = 1; verdict < shared::kVerdicts; ++verdict) {
        if (verdict != kInstanceCone && is_shade_of(color, shared::kVerdictColors[verdict])) return verdict;
    }
    return 0;
}

std::set<std::uint32_t> verdicts_of(const Picture& picture) {
    std::set<std::uint32_t> out;
    for (std::size_t i = 0; i < picture.depth.size(); ++i) {
        if (const std::uint32_t verdict = verdict_of(color_at(picture, i)); verdict != 0) out.insert(verdict);
    }
    return out;
}

std::vector<std::size_t> changed_pixels(const Picture& a, const Picture& b) {
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < a.depth.size(); ++i) {
        if (color_at(a, i) != color_at(b, i)) out.push_back(i);
    }
    return out;
}

glm::dvec2 center_of(std::size_t pixel, std::uint32_t width) {
    return {static_cast<double>(pixel % width) + 0.5, static_cast<double>(pixel / width) + 0.5};
}

// A quad of this width and height around `center`, its front to +z.
scene::SourceMesh make_card(const glm::vec3& center, float width, float height) {
    return make_quad(center - glm::vec3(width / 2, height / 2, 0.0F), {width, 0.0F, 0.0F}, {0.0F, height, 0.0F});
}

scene::ImportedScene make_cards(const std::vector<scene::SourceMesh>& cards) {
    scene::ImportedScene out;
    out.scene.materials.emplace_back();
    for (const scene::SourceMesh& card : cards) place(out, add_mesh(out, card, 0), glm::mat4(1.0F));
    return out;
}

FrameSettings showing(Show show, std::optional<Backend> backend = std::nullopt) {
    FrameSettings settings;
    settings.show = show;
    settings.backend = backend;
    return settings;
}

class Inspect : public testing::Test {
  protected:
    void TearDown() override { EXPECT_EQ(bench_.validation_messages(), 0U); }

    Picture shoot(const FrameSettings& settings, const CameraPose& pose = kFront, int frames = 1) {
        return bench_.shoot(settings, pose, kNear, kSize, kSize, frames).picture;
    }

    // The first one in which the shapes are seen.
    glm::uvec2 covered_pixel() {
        const std::vector<float> depth = shoot(showing(Show::kShaded, Backend::kDirect), kShapes).depth;
        const auto first = std::find_if(depth.begin(), depth.end(), [](float value) { return value > 0.0F; });
        const auto at = static_cast<std::uint32_t>(first - depth.begin());
        return {at % kSize, at / kSize};
    }

    // With an inspection.
    Picture inspect(const FrameSettings& settings, const CameraPose& pose, const render::Inspection& inspection) {
        bench_.render({{0, settings, pose, kNear, kSize, kSize, inspection}});
        bench_.renderer().finish();
        return bench_.renderer().read_picture(true, true);
    }

    Bench bench_;
};

TEST_F(Inspect, ViewsAreTheSameByEveryWay) {
    bench_.set_scene(encode(make_shapes()));
    bench_.reference(kShapes, kNear, kSize, kSize);
    const render::AmbiguousPixels ambiguous = bench_.ambiguous(kShapes, kNear, kSize, kSize);
    // What colours must not depend on: pixels where two pictures may differ.
    const auto differing = [&](const Picture& a, const Picture& b) {
        const std::vector<std::size_t> changed = changed_pixels(a, b);
        return std::count_if(changed.begin(), changed.end(), [&](std::size_t i) {
            return ambiguous.mask[i] == 0 && a.ids[i] == b.ids[i] && a.depth[i] == b.depth[i];
        });
    };
    for (const Show show : {Show::kDensity, Show::kHiz, Show::kOverdraw, Show::kCulled}) {
        SCOPED_TRACE(static_cast<int>(show));
        for (const bool culled : {false, true}) {
            std::optional<Picture> first;
            for (const Way& way : ways(bench_)) {
                // Direct draws test instances alone, and who draws whole meshlets no sublets.
                if (culled && (way.settings.backend == Backend::kDirect || !way.settings.cull_sublets)) continue;
                SCOPED_TRACE(way.name + (culled ? " culled" : " whole"));
                FrameSettings settings = culled ? way.settings : reference_settings(show);
                settings.backend = way.settings.backend;
                settings.cull_occlusion = false;
                settings.show = show;
                settings.hiz_level = 2;
                const Picture picture = shoot(settings, kShapes);
                std::set<Color> colors;
                for (std::size_t i = 0; i < picture.depth.size(); ++i) colors.insert(color_at(picture, i));
                EXPECT_GE(colors.size(), 4U);
                EXPECT_GE(coverage(picture), 0.2);
                if (!first) first = picture;
                if (show == Show::kHiz && way.settings.backend == Backend::kRaster)
                    continue;  // it has depths of its own
                EXPECT_EQ(differing(*first, picture), 0);
            }
        }
    }
}

TEST_F(Inspect, WideIdsShowTheSame) {
    for (const Backend backend : {Backend::kDirect, Backend::kRaster}) {
        SCOPED_TRACE(render::backend_name(backend));
        for (const Show show : {Show::kDensity, Show::kOverdraw, Show::kCulled}) {
            std::vector<Picture> pictures;
            for (const bool wide : {false, true}) {
                bench_.renderer().set_test_hooks({.wide_ids = wide});
                bench_.set_scene(encode(make_shapes()));
                FrameSettings settings = showing(show, backend);
                settings.wireframe = true;
                pictures.push_back(inspect(settings, kShapes, {.selection = {SelectionLevel::kMeshlet, 2, 9, 0}}));
            }
            EXPECT_TRUE(changed_pixels(pictures[0], pictures[1]).empty()) << static_cast<int>(show);
        }
    }
}

// Cards one behind the other, of which each is known to cover which pixels.
TEST_F(Inspect, OverdrawCountsTriangles) {
    const std::vector<float> widths{12.0F, 8.0F, 6.0F, 2.0F, 1.0F};
    std::vector<scene::SourceMesh> cards;
    for (std::size_t i = 0; i < widths.size(); ++i) {
        cards.push_back(make_card({0.0F, 0.0F, -1.0F * static_cast<float>(i)}, widths[i], widths[i]));
    }
    bench_.set_scene(encode(make_cards(cards)));
    FrameSettings settings = reference_settings(Show::kOverdraw);
    const Picture picture = shoot(settings);
    std::set<std::size_t> counts;
    for (std::size_t i = 0; i < picture.depth.size(); ++i) {
        const glm::dvec2 from_middle = glm::abs(center_of(i, kSize) - 64.0);
        const double aside = std::max(from_middle.x, from_middle.y);
        std::size_t count = 0;
        bool edge = std::abs(from_middle.x - from_middle.y) < 1.0;  // on a diagonal either triangle may have the pixel
        for (std::size_t c = 0; c < widths.size(); ++c) {
            const double reach = 64.0 * widths[c] / 2 / (8.0 + static_cast<double>(c));
            count += aside < reach ? 1 : 0;
            edge = edge || std::abs(aside - reach) < 0.1;
        }
        if (edge) continue;
        counts.insert(count);
        constexpr std::array<std::size_t, 6> kSteps{0, 0, 1, 2, 2, 3};
        EXPECT_EQ(picture.depth[i] > 0.0F, count > 0);
        if (count == 0) continue;
        EXPECT_EQ(color_at(picture, i), named(shared::kOverdrawColors[kSteps[count]])) << i << ": " << count;
    }
    EXPECT_EQ(counts.size(), 6U);
}

TEST_F(Inspect, OverdrawIsWhereSomethingIs) {
    scene::ImportedScene shapes = make_shapes();
    // It does not look at masks.
    for (scene::Material& material : shapes.scene.materials) material.alpha_mode = scene::AlphaMode::kOpaque;
    bench_.set_scene(encode(std::move(shapes)));
    for (const Backend backend : {Backend::kMdi, Backend::kCompact}) {
        const Picture picture = shoot(showing(Show::kOverdraw, backend), kShapes, 3);
        const Picture shaded = shoot(showing(Show::kBaseColor, backend), kShapes, 2);
        const Color background = color_at(shaded, 0);
        ASSERT_EQ(shaded.depth[0], 0.0F);
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < picture.depth.size(); ++i) {
            wrong += (picture.depth[i] > 0.0F) != (color_at(picture, i) != background) ? 1 : 0;
        }
        EXPECT_EQ(wrong, 0U);
    }
}

TEST_F(Inspect, DensityIsTheAreaOfATriangle) {
    // Cards side by side, two triangles each, and the pixels that one covers.
    for (const auto& [side, step] : std::vector<std::pair<float, std::size_t>>{
             {0.06F, 0}, {0.15F, 1}, {0.25F, 2}, {0.5F, 3}, {1.0F, 4}, {4.0F, 5}}) {
        SCOPED_TRACE(side);
        std::vector<scene::SourceMesh> cards;
        for (int y = -4; y < 4; ++y) {
            for (int x = -4; x < 4; ++x) {
                cards.push_back(make_card(
                    {side * (static_cast<float>(x) + 0.5F), side * (static_cast<float>(y) + 0.5F), 0.0F}, side, side));
            }
        }
        bench_.set_scene(encode(make_cards(cards)));
        const Picture picture = shoot(showing(Show::kDensity));
        std::size_t covered = 0;
        for (std::size_t i = 0; i < picture.depth.size(); ++i) {
            if (picture.depth[i] == 0.0F) continue;
            ++covered;
            EXPECT_EQ(color_at(picture, i), named(shared::kDensityColors[step]));
        }
        EXPECT_GE(covered, 9U);
    }
}

// The farthest depth of the pixels of a texel, from the picture's own. Glass is not in the pyramid.
TEST_F(Inspect, HizIsTheReductionOfDepth) {
    scene::ImportedScene shapes = make_shapes();
    for (scene::Material& material : shapes.scene.materials) material.transmission.factor = 0.0F;
    bench_.set_scene(encode(std::move(shapes)));
    for (const Backend backend : {Backend::kDirect, Backend::kMdi, Backend::kRaster}) {
        for (const bool occlusion : {false, true}) {
            for (const std::uint32_t level : {0U, 1U, 3U, 15U}) {
                SCOPED_TRACE(std::string(render::backend_name(backend)) + " level " + std::to_string(level));
                FrameSettings settings = showing(Show::kHiz, backend);
                settings.cull_occlusion = occlusion;
                settings.hiz_level = level;
                const Picture picture = shoot(settings, kShapes, 4);  // still: phase 1 draws all by then
                const std::uint32_t shift = std::clamp(level, 1U, 7U);
                const std::uint32_t texels = kSize >> shift;
                std::vector<float> farthest(std::size_t{texels} * texels, 1.0F);
                const auto texel = [&](std::size_t i) { return (i / kSize >> shift) * texels + (i % kSize >> shift); };
                for (std::size_t i = 0; i < picture.depth.size(); ++i) {
                    farthest[texel(i)] = std::min(farthest[texel(i)], picture.depth[i]);
                }
                std::size_t wrong = 0;
                for (std::size_t i = 0; i < picture.depth.size(); ++i) {
                    const int gray = static_cast<int>(std::lround(255.0 * std::pow(farthest[texel(i)], 0.25)));
                    wrong += near_to(color_at(picture, i), {gray, gray, gray}) ? 0 : 1;
                }
                EXPECT_EQ(wrong, 0U);
            }
        }
    }
}

// A card within the frozen camera's view, one far aside of it, and one behind the first.
TEST_F(Inspect, CulledTellsWhichTestRejected) {
    bench_.set_scene(
        encode(make_cards({make_card({0.0F, 0.0F, 0.0F}, 6.0F, 6.0F), make_card({20.0F, 0.0F, 0.0F}, 6.0F, 6.0F),
                           make_card({0.0F, 0.0F, -8.0F}, 4.0F, 4.0F)})));
    const IdReader reader(bench_.scene());
    const CameraPose aside{.eye = {10.0F, 3.0F, 24.0F}, .target = {10.0F, 0.0F, -4.0F}, .fov_degrees = 70.0F};
    const Picture whole = shoot(reference_settings(), aside);
    for (const Way& way : ways(bench_)) {
        SCOPED_TRACE(way.name);
        bench_.set_scene(scene::EncodedScene(bench_.scene()));
        FrameSettings settings = way.settings;
        settings.show = Show::kCulled;
        settings.freeze_culling = 2;
        shoot(settings, kFront, 3);
        const Picture picture = shoot(settings, aside);
        std::array<std::size_t, 3> seen{};
        for (std::size_t i = 0; i < whole.depth.size(); ++i) {
            if (whole.depth[i] == 0.0F) continue;
            const std::uint32_t instance = reader.read(whole.ids[i]).instance;
            const bool direct = way.settings.backend == Backend::kDirect;
            const std::array<std::uint32_t, 3> expected{0, kInstanceFrustum,
                                                        direct ? shared::kVerdictDrawn : kInstanceOcclusion};
            ++seen[instance];
            // The card behind is drawn over the one before it, depth being its own.
            if (instance == 0 && verdict_of(color_at(picture, i)) == kInstanceOcclusion) continue;
            EXPECT_EQ(verdict_of(color_at(picture, i)), expected[instance]) << i << " of " << instance;
        }
        for (const std::size_t pixels : seen) EXPECT_GE(pixels, 20U);
    }
}

TEST_F(Inspect, CulledShowsWhatTheTestsThatAreOnReject) {
    bench_.set_scene(encode(make_shapes()));
    const auto with = [&](bool instances, bool frustum, bool cone, bool occlusion) {
        FrameSettings settings = showing(Show::kCulled, Backend::kCompact);
        if (!bench_.device().capabilities().draw_count) settings.backend.reset();
        settings.cull_instances = instances;
        settings.cull_frustum = frustum;
        settings.cull_cone = cone;
        settings.cull_occlusion = occlusion;
        return shoot(settings, kShapes, 3);
    };
    const auto within = [](const std::set<std::uint32_t>& found, const std::set<std::uint32_t>& allowed) {
        return std::includes(allowed.begin(), allowed.end(), found.begin(), found.end());
    };
    // None is on: the dim picture alone, without its sky.
    const Picture none = with(false, false, false, false);
    const Picture shaded = shoot(showing(Show::kShaded), kShapes);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < none.depth.size(); ++i) {
        Color expected{render::kBackgroundColor[0], render::kBackgroundColor[1], render::kBackgroundColor[2]};
        if (none.depth[i] > 0.0F) {
            expected = color_at(shaded, i);
            for (int& channel : expected) channel = static_cast<int>(std::lround(0.8 * 0.25 * 255 + 0.2 * channel));
        }
        wrong += near_to(color_at(none, i), expected) ? 0 : 1;
    }
    EXPECT_EQ(wrong, 0U);
    const std::set<std::uint32_t> cones = verdicts_of(with(false, false, true, false));
    EXPECT_TRUE(within(cones, {kMeshletCone, kSubletCone}));
    EXPECT_TRUE(cones.contains(kSubletCone));
    const std::set<std::uint32_t> hidden = verdicts_of(with(false, false, false, true));
    EXPECT_TRUE(within(hidden, {kInstanceOcclusion, kMeshletOcclusion, kSubletOcclusion}));
    EXPECT_FALSE(hidden.empty());
}

// Meshlets that a card hides in part: what was visible is drawn whole, where there are no bits of sublets.
TEST_F(Inspect, CulledTellsOfNothingThatIsDrawn) {
    bench_.set_scene(encode(make_cards({make_torus(2.0F, 1.0F, 60, 30), make_card({4.0F, 0.0F, 4.0F}, 8.0F, 8.0F)})));
    using render::OcclusionDetail;
    for (const auto& [backend, detail] : {std::pair(Backend::kMdi, OcclusionDetail::kMeshlets),
                                          std::pair(Backend::kCompact, OcclusionDetail::kMeshlets),
                                          std::pair(Backend::kCompact, OcclusionDetail::kSublets)}) {
        FrameSettings settings = showing(Show::kCulled, backend);
        settings.cull_cone = false;
        settings.occlusion_detail = detail;
        const std::set<std::uint32_t> verdicts = verdicts_of(shoot(settings, kFront, 4));
        EXPECT_EQ(verdicts.contains(kSubletOcclusion), detail == OcclusionDetail::kSublets);
        EXPECT_TRUE(verdicts.contains(kMeshletOcclusion));
    }
}

TEST_F(Inspect, EdgesAreDrawnOnTrianglesAlone) {
    bench_.set_scene(encode(make_cards({make_card({0.0F, 0.0F, 0.0F}, 10.0F, 10.0F)})));
    for (const Show show : {Show::kShaded, Show::kDepth, Show::kOverdraw, Show::kHiz, Show::kMeshlets}) {
        FrameSettings settings = showing(show);
        const Picture plain = shoot(settings);
        settings.wireframe = true;
        const Picture edges = shoot(settings);
        const std::vector<std::size_t> changed = changed_pixels(plain, edges);
        EXPECT_GE(changed.size(), 300U);
        for (const std::size_t i : changed) {
            // Four sides at 40 pixels from the middle, and a diagonal: either one.
            const glm::dvec2 at = center_of(i, kSize) - 64.0;
            const double side = 40.0 - std::max(std::abs(at.x), std::abs(at.y));
            const double diagonal = std::min(std::abs(at.x - at.y), std::abs(at.x + at.y)) / std::sqrt(2.0);
            EXPECT_GT(edges.depth[i], 0.0F);
            EXPECT_LT(std::min(side, diagonal), 1.1);
        }
    }
}

// The silhouette of the one mesh's sphere.
TEST_F(Inspect, SpheresAreDrawnWhereTheyAre) {
    bench_.set_scene(encode(make_cards({make_card({0.0F, 0.0F, 0.0F}, 6.0F, 6.0F)})));
    const shared::vec4 sphere = bench_.scene().geometry.meshes[0].sphere;
    const double slope = std::asin(sphere.w / 8.0);
    const double radius = 64.0 * std::tan(slope);
    for (const Backend backend : {Backend::kDirect, Backend::kRaster}) {
        for (const BoundsOf of : {BoundsOf::kInstances, BoundsOf::kMeshlets, BoundsOf::kSublets}) {
            FrameSettings settings = showing(Show::kShaded, backend);
            const Picture plain = shoot(settings);
            settings.bounds = Bounds::kSpheres;
            settings.bounds_of = of;
            const std::vector<std::size_t> changed = changed_pixels(plain, shoot(settings));
            EXPECT_GE(changed.size(), 150U);
            for (const std::size_t i : changed) {
                EXPECT_NEAR(glm::length(center_of(i, kSize) - 64.0), radius, 1.5);
            }
        }
    }
}

TEST_F(Inspect, LinesAreDrawnWhereTheyAreAskedFor) {
    bench_.set_scene(encode(make_shapes()));
    FrameSettings settings;
    const Picture plain = shoot(settings, kShapes);
    settings.bounds_of = BoundsOf::kPicked;
    for (const Bounds bounds : {Bounds::kSpheres, Bounds::kBoxes, Bounds::kCones}) {
        settings.bounds = bounds;
        EXPECT_TRUE(changed_pixels(plain, shoot(settings, kShapes)).empty()) << "nothing is picked";
    }
    settings.bounds = Bounds::kOff;
    for (const SelectionLevel level : {SelectionLevel::kInstance, SelectionLevel::kSublet}) {
        const render::Inspection picked{.selection = {level, 0, 9, 0}};
        const Picture outlined = inspect(settings, kShapes, picked);
        for (const Bounds bounds : {Bounds::kSpheres, Bounds::kBoxes}) {
            settings.bounds = bounds;
            EXPECT_GE(changed_pixels(outlined, inspect(settings, kShapes, picked)).size(), 5U);
        }
        settings.bounds = Bounds::kOff;
    }
    FrameSettings cones;
    cones.bounds = Bounds::kCones;
    cones.bounds_of = BoundsOf::kSublets;
    EXPECT_GE(changed_pixels(plain, shoot(cones, kShapes)).size(), 100U);
    // Nobody's, and one of a scene that is gone.
    const render::Inspection gone{.selection = {SelectionLevel::kMeshlet, 100'000, 0, 0}};
    settings.bounds = Bounds::kSpheres;
    EXPECT_TRUE(changed_pixels(plain, inspect(settings, kShapes, gone)).empty());
}

TEST_F(Inspect, TheFrozenFrustumIsDrawnOnceThereIsOne) {
    bench_.set_scene(encode(make_cards({make_card({0.0F, 0.0F, -8.0F}, 6.0F, 6.0F)})));
    const CameraPose aside{.eye = {24.0F, 0.0F, 0.0F}, .target = {0.0F, 0.0F, 0.0F}, .fov_degrees = 90.0F};
    FrameSettings settings;
    const Picture plain = shoot(settings, aside);
    settings.frustum = true;
    EXPECT_TRUE(changed_pixels(plain, shoot(settings, aside)).empty());
    settings.freeze_culling = 0;
    shoot(settings, kFront);
    const Picture lines = shoot(settings, aside);
    // Seen from +x its sides open by 45 degrees each way, from the eye at z = 8 towards -z.
    const std::vector<std::size_t> changed = changed_pixels(plain, lines);
    EXPECT_GE(changed.size(), 100U);
    std::size_t yellow = 0;
    for (const std::size_t i : changed) yellow += near_to(color_at(lines, i), named(shared::kColorFrustum)) ? 1 : 0;
    EXPECT_GE(yellow, 50U);
    // They end behind the scene as it was posed: -z is to the right.
    const auto last_column = [&](const std::vector<std::size_t>& pixels) {
        std::size_t last = 0;
        for (const std::size_t i : pixels) last = std::max(last, i % kSize);
        return last;
    };
    render::Inspection posed;
    posed.frozen_bounds = glm::vec4(0.0F, 0.0F, 4.0F, 1.0F);
    const std::vector<std::size_t> shorter = changed_pixels(plain, inspect(settings, aside, posed));
    EXPECT_GE(shorter.size(), 20U);
    EXPECT_LT(last_column(shorter), kSize / 2) << "z = 3 is left of the middle";
    EXPECT_GT(last_column(changed), kSize / 2);
}

TEST_F(Inspect, SelectionsAreOutlinedAndNothingElseChanges) {
    bench_.set_scene(encode(make_shapes()));
    const IdReader reader(bench_.scene());
    for (const Backend backend : {Backend::kDirect, Backend::kRaster}) {
        const Picture plain = shoot(showing(Show::kShaded, backend), kShapes);
        const std::size_t middle = std::size_t{kSize} * (kSize / 2) + kSize / 2;
        std::size_t seen = middle;
        while (plain.depth[seen] == 0.0F) ++seen;
        const SeenTriangle at = reader.read(plain.ids[seen]);
        for (const SelectionLevel level : {SelectionLevel::kInstance, SelectionLevel::kMeshlet, SelectionLevel::kSublet,
                                           SelectionLevel::kTriangle}) {
            const auto selected = [&](std::size_t i) {
                if (plain.depth[i] == 0.0F) return false;
                const SeenTriangle other = reader.read(plain.ids[i]);
                return other.instance == at.instance &&
                       (level == SelectionLevel::kInstance ||
                        (level == SelectionLevel::kMeshlet && other.sublet / 8 == at.sublet / 8) ||
                        (level == SelectionLevel::kSublet && other.sublet == at.sublet) || other == at);
            };
            const Picture outlined = inspect(showing(Show::kShaded, backend), kShapes,
                                             {.selection = {level, at.instance, at.sublet, at.triangle}});
            std::size_t border = 0;
            std::size_t wrong = 0;
            for (std::size_t y = 1; y + 1 < kSize; ++y) {
                for (std::size_t x = 1; x + 1 < kSize; ++x) {
                    const std::size_t i = y * kSize + x;
                    const bool self = selected(i);
                    const bool edge = selected(i - 1) != self || selected(i + 1) != self ||
                                      selected(i - kSize) != self || selected(i + kSize) != self;
                    border += edge ? 1 : 0;
                    Color expected = edge ? named(shared::kColorSelection) : color_at(plain, i);
                    for (std::size_t c = 0; c < 3 && self && !edge; ++c) {
                        expected[c] = static_cast<int>(
                            std::lround(0.75 * expected[c] + 0.25 * named(shared::kColorSelection)[c]));
                    }
                    wrong += near_to(color_at(outlined, i), expected) ? 0 : 1;
                }
            }
            EXPECT_EQ(wrong, 0U);
            EXPECT_GE(border, 4U);
        }
    }
}

TEST_F(Inspect, ProbesTellWhatPixelsShow) {
    for (const bool wide : {false, true}) {
        bench_.renderer().set_test_hooks({.wide_ids = wide});
        bench_.set_scene(encode(make_shapes()));
        const IdReader reader(bench_.scene());
        EXPECT_FALSE(bench_.renderer().inspected().has_value());
        const glm::uvec2 first = covered_pixel();
        for (const Way& way : ways(bench_)) {
            SCOPED_TRACE(way.name + (wide ? " wide" : " narrow"));
            render::Inspection inspection{.probes = {first, {70, 50}, {0, 0}, {5000, 3}, {1, 1}},
                                          .nearest_depth = true};
            const Picture picture = inspect(way.settings, kShapes, inspection);
            const std::optional<render::InspectionResult> result = bench_.renderer().inspected();
            ASSERT_TRUE(result.has_value());
            ASSERT_EQ(result->probes.size(), shared::kMostProbes);
            EXPECT_EQ(result->size, glm::uvec2(kSize));
            EXPECT_EQ(result->nearest_depth, *std::max_element(picture.depth.begin(), picture.depth.end()));
            std::size_t covered = 0;
            for (std::size_t p = 0; p < result->probes.size(); ++p) {
                const render::Probe& probe = result->probes[p];
                EXPECT_EQ(probe.pixel, inspection.probes[p]);
                const std::size_t i = std::size_t{probe.pixel.y} * kSize + probe.pixel.x;
                const bool there = probe.pixel.x < kSize && picture.depth[i] > 0.0F;
                ASSERT_EQ(probe.covered, there);
                if (!there) continue;
                ++covered;
                EXPECT_EQ(probe.depth, picture.depth[i]);
                const SeenTriangle seen =
                    wide ? reader.read(picture.ids[2 * i], picture.ids[2 * i + 1]) : reader.read(picture.ids[i]);
                EXPECT_EQ(seen, (SeenTriangle{probe.instance, probe.sublet, probe.triangle}));
            }
            EXPECT_GE(covered, 1U);
        }
    }
}

// Nobody waits: a frame's answer is there once its slot comes round, and stays until a newer one is.
TEST_F(Inspect, ProbesComeBackLate) {
    bench_.renew();
    bench_.set_scene(encode(make_shapes()));
    const glm::uvec2 pixel = covered_pixel();
    std::vector<Bench::Request> views(1);
    views[0].pose = kShapes;
    views[0].near_plane = kNear;
    views[0].width = views[0].height = kSize;
    for (std::uint64_t frame = 0; frame < 6; ++frame) {
        views[0].inspection.probes.clear();
        if (frame < 4) views[0].inspection.probes.push_back(pixel);
        bench_.render(views);
        const std::optional<render::InspectionResult> result = bench_.renderer().inspected();
        ASSERT_EQ(result.has_value(), frame >= gpu::kFramesInFlight);
        if (!result) continue;
        EXPECT_EQ(result->frame, 1 + std::min<std::uint64_t>(frame - gpu::kFramesInFlight, 3)) << "one was before";
        EXPECT_TRUE(result->probes[0].covered);
        EXPECT_FALSE(result->nearest_depth.has_value());
    }
    bench_.set_scene(scene::EncodedScene(bench_.scene()));
    EXPECT_FALSE(bench_.renderer().inspected().has_value());
}

TEST(Legends, NameTheColorsOfScales) {
    for (const Show show :
         {Show::kDensity, Show::kOverdraw, Show::kCulled, Show::kPhase, Show::kPath, Show::kResidency, Show::kAge}) {
        const render::Legend legend = render::legend_of(show);
        EXPECT_FALSE(legend.text.empty());
        EXPECT_GE(legend.entries.size(), 2U);
        std::set<std::string_view> names;
        std::set<std::array<std::uint8_t, 3>> colors;
        for (const render::LegendEntry& entry : legend.entries) {
            EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
            EXPECT_TRUE(colors.insert(entry.color).second) << entry.name;
        }
    }
    EXPECT_TRUE(render::legend_of(Show::kShaded).entries.empty());
}

}  // namespace
}  // namespace sublet::test::inspect_test
