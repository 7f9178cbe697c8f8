// What geometry leaves for the shading pass, and what that makes of it: ids name the triangles that pixels show, wide
// ones the same as narrow ones, in every frame of a still scene; and every view is the same by every way of drawing.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <glm/geometric.hpp>
#include <map>
#include <set>
#include <stdexcept>

#include "harness.h"
#include "ids.h"
#include "mesh/mesh.h"
#include "render/settings/backend_info.h"
#include "shapes.h"

namespace sublet::test::shading_test {
namespace {

using render::FrameSettings;
using render::Show;

constexpr std::uint32_t kWidth = 131;
constexpr std::uint32_t kHeight = 87;
constexpr float kNear = 0.02F;

const std::vector<render::CameraPose>& poses() {
    static const std::vector<render::CameraPose> all{
        {.eye = {5.0F, 3.0F, 4.0F}, .target = {0.0F, 0.0F, 0.0F}},
        {.eye = {2.3F, 0.05F, 0.0F}, .target = {0.0F, 0.3F, 0.0F}, .fov_degrees = 100.0F},
    };
    return all;
}

Bench::Shot shoot(Bench& bench, const FrameSettings& settings, const render::CameraPose& pose, int frames) {
    return bench.shoot(settings, pose, kNear, kWidth, kHeight, frames);
}

void expect_same(const Bench::Shot& reference, const Bench::Shot& shot, const render::AmbiguousPixels& ambiguous,
                 const std::string& name) {
    const Difference difference = compare(reference.picture, shot.picture, ambiguous);
    EXPECT_EQ(difference.depth, 0U);
    EXPECT_EQ(difference.color, 0U);
    if (difference.depth + difference.color == 0) return;
    save(reference.picture, name + "_reference");
    save(shot.picture, name);
}

// Ids of one word and of two, with and without fragments that know the number of their primitive.
TEST(ShadingIds, WideOnesSayTheSame) {
    for (const std::vector<std::string>& without :
         {std::vector<std::string>{}, std::vector<std::string>{"geometry-shader"}}) {
        SCOPED_TRACE(without.empty() ? "all features" : "without " + without.front());
        Bench bench(without);
        const scene::EncodedScene scene = encode(make_shapes());
        const IdReader reader(scene);
        bench.set_scene(scene);
        std::vector<Bench::Shot> references;
        std::vector<render::AmbiguousPixels> ambiguous;
        for (const render::CameraPose& pose : poses()) {
            references.push_back(bench.reference(pose, kNear, kWidth, kHeight));
            ambiguous.push_back(bench.ambiguous(pose, kNear, kWidth, kHeight));
            EXPECT_GE(coverage(references.back().picture), 0.2);
            EXPECT_EQ(references.back().picture.ids.size(), std::size_t{kWidth} * kHeight);
        }
        for (const bool wide : {false, true}) {
            SCOPED_TRACE(wide ? "wide" : "narrow");
            bench.renderer().set_test_hooks({.wide_ids = wide});
            bench.set_scene(scene);
            for (const Way& way : ways(bench)) {
                if (!without.empty() && render::backend_info(*way.settings.backend).mesh_shader) continue;
                if (way.settings.backend == render::Backend::kRaster) continue;  // raster_wide_ids.cpp
                SCOPED_TRACE(way.name);
                for (std::size_t i = 0; i < poses().size(); ++i) {
                    Bench::Shot shot = shoot(bench, way.settings, poses()[i], 2);
                    ASSERT_EQ(shot.picture.ids.size(), std::size_t{kWidth} * kHeight * (wide ? 2 : 1));
                    if (wide) shot.picture = reader.narrowed(shot.picture);
                    expect_same(references[i], shot, ambiguous[i], way.name + (wide ? "_wide" : "_narrow"));
                }
            }
        }
        EXPECT_EQ(bench.validation_messages(), 0U);
    }
}

// How a pixel's centre lies to a triangle of the scene, in double precision.
struct Covering {
    double outside = 0.0;      // pixels from the triangle, if not within it
    double depth = 0.0;        // of the triangle's plane there
    double depth_slack = 0.0;  // by how much a device's may differ
    bool front = false;        // a side is seen that is drawn
};

Covering covering(const scene::EncodedScene& scene, const IdReader& reader, const SeenTriangle& seen,
                  const render::View& view, std::size_t pixel) {
    const scene::Instance& instance = reader.instances()[seen.instance];
    const mesh::MeshView mesh = mesh::mesh_view(scene.geometry, instance.mesh);
    const mesh::DecodedSublet sublet = mesh::decode_sublet(mesh, seen.sublet);
    const glm::dmat4 to_clip = glm::dmat4(view.view_projection) * glm::dmat4(instance.transform);
    std::array<glm::dvec3, 3> window;  // pixels times w, w
    for (std::size_t i = 0; i < 3; ++i) {
        const auto p = mesh::dequantize_position(*mesh.header, sublet.positions[sublet.triangles[seen.triangle][i]]);
        const glm::dvec4 clip = to_clip * glm::dvec4(p[0], p[1], p[2], 1.0);
        window[i] = {0.5 * kWidth * (clip.x + clip.w), 0.5 * kHeight * (clip.y + clip.w), clip.w};
    }
    const auto column = pixel % kWidth;
    const auto row = pixel / kWidth;
    const glm::dvec3 center(static_cast<double>(column) + 0.5, static_cast<double>(row) + 0.5, 1.0);
    const double area = glm::dot(window[0], glm::cross(window[1], window[2]));
    Covering out;
    glm::dvec3 inverse_w(0.0);  // as a function of the pixel
    for (std::size_t i = 0; i < 3; ++i) {
        const glm::dvec3 edge = glm::cross(window[(i + 1) % 3], window[(i + 2) % 3]) / area;
        out.outside = std::max(out.outside, -glm::dot(edge, center) / glm::length(glm::dvec2(edge)));
        inverse_w += edge;
    }
    out.depth = view.near_plane * glm::dot(inverse_w, center);
    out.depth_slack = view.near_plane * glm::length(glm::dvec2(inverse_w)) * 0.01 + 0x1p-20;
    const bool mirrored = glm::determinant(glm::dmat3(instance.transform)) < 0.0;
    out.front = scene.scene.materials[instance.material].double_sided || (area < 0.0) != mirrored;
    return out;
}

// The triangle that an id names really covers the pixel, at the depth that was left there.
TEST(ShadingIds, NameTheTriangleThatIsSeen) {
    Bench bench;
    bench.set_scene(encode(make_shapes()));
    const IdReader reader(bench.scene());
    std::set<std::uint32_t> triangles;
    for (const render::CameraPose& pose : poses()) {
        const render::Picture picture = bench.reference(pose, kNear, kWidth, kHeight).picture;
        const render::AmbiguousPixels ambiguous = bench.ambiguous(pose, kNear, kWidth, kHeight);
        const render::View view = render::make_view(pose, kNear, render::Projection::kPerspective,
                                                    static_cast<float>(kWidth) / static_cast<float>(kHeight));
        // Pixels where this id is wrong, in all that something covers.
        const auto wrong = [&](const std::function<std::uint32_t(std::uint32_t)>& change) {
            std::size_t count = 0;
            for (std::size_t i = 0; i < picture.depth.size(); ++i) {
                if (picture.depth[i] == 0.0F) continue;
                try {
                    const Covering at = covering(bench.scene(), reader, reader.read(change(picture.ids[i])), view, i);
                    const bool snapped = (ambiguous.mask[i] & 2) != 0;
                    const bool right = at.outside <= 0.01 && (at.front || snapped) &&
                                       std::abs(picture.depth[i] - at.depth) <= at.depth_slack;
                    count += right ? 0 : 1;
                } catch (const std::out_of_range&) {
                    ++count;
                }
            }
            return count;
        };
        const auto covered = static_cast<std::size_t>(
            std::count_if(picture.depth.begin(), picture.depth.end(), [](float depth) { return depth > 0.0F; }));
        EXPECT_GE(covered, 2000U);
        EXPECT_EQ(wrong([](std::uint32_t id) { return id; }), 0U);
        EXPECT_GE(wrong([](std::uint32_t id) { return id + 1; }) * 100, covered * 95) << "a wrong triangle is noticed";
        EXPECT_GE(wrong([](std::uint32_t id) { return id + 32; }) * 100, covered * 95) << "a wrong sublet is noticed";
        triangles.insert(picture.ids.begin(), picture.ids.end());
    }
    EXPECT_GE(triangles.size(), 2000U);
    EXPECT_EQ(bench.validation_messages(), 0U);
}

TEST(ShadingIds, OfAStillSceneStay) {
    Bench bench;
    bench.set_scene(encode(make_shapes()));
    const render::CameraPose& pose = poses()[1];
    const Bench::Shot reference = bench.reference(pose, kNear, kWidth, kHeight);
    const render::AmbiguousPixels ambiguous = bench.ambiguous(pose, kNear, kWidth, kHeight);
    for (const Way& way : ways(bench)) {
        SCOPED_TRACE(way.name);
        const Bench::Shot first = shoot(bench, way.settings, pose, 3);
        const Bench::Shot second = shoot(bench, way.settings, pose, 1);
        std::size_t changed = 0;
        for (std::size_t i = 0; i < first.picture.ids.size(); ++i) {
            const bool tie = (ambiguous.mask[i] & 1) != 0;
            changed += first.picture.ids[i] != second.picture.ids[i] && !tie ? 1 : 0;
        }
        EXPECT_EQ(changed, 0U);
        EXPECT_EQ(first.picture.depth, second.picture.depth);
    }
    EXPECT_EQ(bench.validation_messages(), 0U);
}

constexpr Color kGreen{51, 153, 77};  // drawn in phase 1, as are all pixels where there is one phase
constexpr Color kRed{230, 77, 51};

// Pixels of this colour among those that something covers.
std::size_t count(const render::Picture& picture, const Color& color) {
    std::size_t out = 0;
    for (std::size_t i = 0; i < picture.depth.size(); ++i) {
        out += picture.depth[i] > 0.0F && near_to(color_at(picture, i), color) ? 1 : 0;
    }
    return out;
}

std::size_t covered(const render::Picture& picture) {
    return static_cast<std::size_t>(
        std::count_if(picture.depth.begin(), picture.depth.end(), [](float depth) { return depth > 0.0F; }));
}

TEST(ShadingViews, AreTheSameByEveryWay) {
    Bench bench;
    bench.set_scene(encode(make_shapes()));
    for (const render::CameraPose& pose : poses()) {
        bench.reference(pose, kNear, kWidth, kHeight);
        const render::AmbiguousPixels ambiguous = bench.ambiguous(pose, kNear, kWidth, kHeight);
        for (auto show = Show::kShaded; show <= Show::kPath; show = static_cast<Show>(static_cast<int>(show) + 1)) {
            const std::string name = "view_" + std::to_string(static_cast<int>(show));
            SCOPED_TRACE(name);
            const Bench::Shot reference = shoot(bench, reference_settings(show), pose, 1);
            std::set<Color> colors;
            for (std::size_t i = 0; i < reference.picture.depth.size(); ++i) {
                if (reference.picture.depth[i] > 0.0F) colors.insert(color_at(reference.picture, i));
            }
            EXPECT_GE(colors.size(), show == Show::kPhase || show == Show::kPath ? 1U
                                     : show == Show::kMaterials                  ? 3U
                                                                                 : 10U);
            for (const Way& way : ways(bench)) {
                SCOPED_TRACE(way.name);
                FrameSettings settings = way.settings;
                settings.show = show;
                // Phase 1 draws all from the third frame on.
                const Bench::Shot shot = shoot(bench, settings, pose, show == Show::kPhase ? 3 : 1);
                if (way.settings.backend != render::Backend::kRaster) {
                    expect_same(reference, shot, ambiguous, name + "_" + way.name);
                    continue;
                }
                FrameSettings plain = reference_settings(show, way.settings.backend);
                expect_same(shoot(bench, plain, pose, 1), shot, ambiguous, name + "_" + way.name);
            }
        }
    }
    EXPECT_EQ(bench.validation_messages(), 0U);
}

// What a view tells of a triangle is what its colour goes by.
struct FalseColors {
    Show show;
    std::function<std::uint32_t(const SeenTriangle&)> key;
};

TEST(ShadingViews, FalseColorsTellNeighboursApart) {
    Bench bench;
    bench.set_scene(encode(make_shapes()));
    const IdReader reader(bench.scene());
    const auto sublet = [&](const SeenTriangle& t) { return reader.narrow({t.instance, t.sublet, 0}); };
    const std::vector<FalseColors> views{
        {Show::kInstances, [](const SeenTriangle& t) { return t.instance; }},
        {Show::kMeshlets,
         [&](const SeenTriangle& t) {
             return sublet({t.instance, t.sublet / 8 * 8, 0});
         }},
        {Show::kSublets, sublet},
        {Show::kTriangles, [&](const SeenTriangle& t) { return reader.narrow(t); }},
        {Show::kMaterials, [&](const SeenTriangle& t) { return reader.instances()[t.instance].material; }},
    };
    for (const FalseColors& view : views) {
        SCOPED_TRACE(static_cast<int>(view.show));
        const render::Picture picture = shoot(bench, reference_settings(view.show), poses()[0], 1).picture;
        std::map<std::uint32_t, Color> colors;
        std::size_t torn = 0;  // one number, two colours
        std::size_t pairs = 0;
        std::size_t alike = 0;  // neighbours with different numbers that an eye can't tell apart
        const auto key_at = [&](std::size_t i) { return view.key(reader.read(picture.ids[i])); };
        for (std::size_t i = 0; i < picture.depth.size(); ++i) {
            if (picture.depth[i] == 0.0F) continue;
            torn += colors.try_emplace(key_at(i), color_at(picture, i)).first->second == color_at(picture, i) ? 0 : 1;
            for (const std::size_t j : {i + 1, i + kWidth}) {
                if (j >= picture.depth.size() || picture.depth[j] == 0.0F || key_at(i) == key_at(j)) continue;
                const Color a = color_at(picture, i);
                const Color b = color_at(picture, j);
                ++pairs;
                alike += std::max({std::abs(a[0] - b[0]), std::abs(a[1] - b[1]), std::abs(a[2] - b[2])}) < 8 ? 1 : 0;
            }
        }
        EXPECT_EQ(torn, 0U);
        EXPECT_GE(pairs, 100U);
        EXPECT_LE(alike * 50, pairs);
    }
}

// Bands of two tints, each twice as far away as the one before. Where one ends, either may be right.
bool shows_distance(const Color& color, float distance) {
    const float octaves = std::log2(distance);
    const float within = octaves - std::floor(octaves);
    if (std::min(within, 1.0F - within) < 1e-3F) return true;
    const bool even = std::remainder(std::floor(octaves), 2.0F) == 0.0F;
    const std::array<float, 3> tint = even ? std::array{1.0F, 0.96F, 0.82F} : std::array{0.62F, 0.86F, 1.0F};
    Color expected{};
    for (std::size_t i = 0; i < 3; ++i) {
        expected.at(i) = static_cast<int>(std::lround(255.0F * tint.at(i) * (1.0F - 0.75F * within)));
    }
    return near_to(color, expected);
}

// Values that a picture shows are what they are.
TEST(ShadingViews, ShowValues) {
    Bench bench;
    bench.set_scene(encode(make_shapes()));
    for (const render::CameraPose& pose : poses()) {
        const render::Picture weights = shoot(bench, reference_settings(Show::kBarycentrics), pose, 1).picture;
        FrameSettings of_depth = reference_settings(Show::kDepth);
        const bool last = &pose == &poses().back();
        of_depth.projection = last ? render::Projection::kOrthographic : render::Projection::kPerspective;
        const render::Picture depth = shoot(bench, of_depth, pose, 1).picture;
        const render::View view =
            render::make_view(pose, kNear, *of_depth.projection, static_cast<float>(kWidth) / kHeight);
        const render::Picture normals = shoot(bench, reference_settings(Show::kNormals), pose, 1).picture;
        std::size_t wrong_sum = 0;
        std::size_t wrong_depth = 0;
        std::size_t wrong_length = 0;
        for (std::size_t i = 0; i < depth.depth.size(); ++i) {
            if (depth.depth[i] == 0.0F) continue;
            wrong_depth += shows_distance(color_at(depth, i), *render::surface_distance(view, depth.depth[i])) ? 0 : 1;
        }
        for (std::size_t i = 0; i < weights.depth.size(); ++i) {
            if (weights.depth[i] == 0.0F) continue;
            const Color w = color_at(weights, i);
            wrong_sum += std::abs(w[0] + w[1] + w[2] - 255) <= 2 ? 0 : 1;
            const Color n = color_at(normals, i);
            const glm::dvec3 normal = glm::dvec3(n[0], n[1], n[2]) / 127.5 - 1.0;
            wrong_length += std::abs(glm::length(normal) - 1.0) <= 0.02 ? 0 : 1;
        }
        EXPECT_EQ(wrong_sum, 0U);
        EXPECT_EQ(wrong_depth, 0U);
        EXPECT_EQ(wrong_length, 0U);
    }
}

// Red is what the second phase drew: all of the first frame, nothing of a still scene's third, some after a cut.
TEST(ShadingViews, PhaseTellsWhatWasNewlySeen) {
    for (const render::Backend backend : {render::Backend::kMdi, render::Backend::kCompact, render::Backend::kRaster}) {
        SCOPED_TRACE(render::backend_name(backend));
        Bench bench;
        bench.set_scene(encode(make_shapes()));
        FrameSettings settings;
        settings.backend = backend;
        settings.show = Show::kPhase;
        // The next scene's ids are those that its pixels had: none of it was drawn before.
        shoot(bench, settings, poses()[0], 3);
        bench.set_scene(encode(make_shapes()));
        const render::Picture first = shoot(bench, settings, poses()[0], 1).picture;
        EXPECT_GE(covered(first), 2000U);
        EXPECT_EQ(count(first, kRed), covered(first));
        for (int frame = 3; frame < 6; ++frame) {
            const render::Picture still = shoot(bench, settings, poses()[0], frame == 3 ? 2 : 1).picture;
            EXPECT_EQ(count(still, kGreen), covered(still)) << "frame " << frame;
        }
        const render::Picture cut = shoot(bench, settings, poses()[1], 1).picture;
        EXPECT_GT(count(cut, kRed), 0U);
        EXPECT_EQ(count(cut, kRed) + count(cut, kGreen), covered(cut));
        const render::Picture settled = shoot(bench, settings, poses()[1], 2).picture;
        EXPECT_EQ(count(settled, kGreen), covered(settled));
        EXPECT_EQ(bench.validation_messages(), 0U);
    }
}

}  // namespace
}  // namespace sublet::test::shading_test
