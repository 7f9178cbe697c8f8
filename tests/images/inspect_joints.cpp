// Joints over the picture, against where the evaluator has them.
#include <gtest/gtest.h>

#include <algorithm>
#include <glm/geometric.hpp>
#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "harness.h"
#include "scene/animation.h"
#include "shapes.h"

namespace sublet::test::inspect_joints_test {
namespace {

using render::CameraPose;
using render::FrameSettings;
using render::Picture;

constexpr std::uint32_t kSize = 256;
constexpr float kNear = 0.1F;
constexpr CameraPose kShapes{.eye = {3.0F, 4.0F, 9.0F}, .target = {0.0F, 0.0F, 0.0F}, .fov_degrees = 60.0F};
constexpr double kMark = 4.0;  // pixels from the middle of a mark to a corner

struct Line {
    glm::dvec2 from, to;  // pixels

    [[nodiscard]] double distance(const glm::dvec2& point) const {
        const glm::dvec2 along = to - from;
        const double square = glm::dot(along, along);
        const double t = square > 0.0 ? std::clamp(glm::dot(point - from, along) / square, 0.0, 1.0) : 0.0;
        return glm::distance(point, from + t * along);
    }
};

std::optional<glm::dvec2> pixel_of(const render::View& view, const glm::vec3& point) {
    const glm::dvec4 clip = glm::dmat4(view.view_projection) * glm::dvec4(point, 1.0);
    if (clip.w < 0.5) return std::nullopt;
    return (glm::dvec2(clip) / clip.w * 0.5 + 0.5) * double{kSize};
}

// All lines that are to be there.
std::vector<Line> lines_of(const scene::EncodedScene& scene, const render::SceneSettings& settings, double time) {
    const render::View view = render::make_view(kShapes, kNear, render::Projection::kPerspective, 1.0F);
    const auto playing = scene::chosen_animations(scene.scene, settings.animation);
    std::vector<Line> out;
    std::set<std::pair<int, std::size_t>> done;
    const std::vector<scene::Instance> instances = scene::instances(scene, settings.grid);
    for (std::size_t number = 0; number < instances.size(); ++number) {
        const scene::Instance& instance = instances[number];
        const std::size_t place = settings.grid.empty() ? 0 : number / scene.scene.mesh_groups[0].mesh_count;
        if (instance.skin < 0 || !done.emplace(instance.skin, place).second) continue;
        scene::Scene posed = scene.scene;
        scene::pose_nodes(posed.nodes, scene.scene, playing, time + static_cast<double>(place) * settings.stagger);
        const std::vector<glm::mat4> world = scene::world_transforms(posed);
        const scene::Skin& skin = posed.skins[static_cast<std::size_t>(instance.skin)];
        const auto pixel = [&](std::size_t joint) -> std::optional<glm::dvec2> {
            if (glm::determinant(skin.inverse_bind[joint]) == 0.0F) return std::nullopt;
            const glm::vec4& at = world[static_cast<std::size_t>(skin.joints[joint])][3];
            return pixel_of(view, glm::vec3(instance.transform * at));
        };
        for (std::size_t joint = 0; joint < skin.joints.size(); ++joint) {
            const auto at = pixel(joint);
            if (!at) continue;
            for (int corner = 0; corner < 4; ++corner) {
                const auto offset = [](int i) {
                    return kMark * glm::dvec2(i == 0 ? 1 : i == 2 ? -1 : 0, i == 1 ? 1 : i == 3 ? -1 : 0);
                };
                out.push_back({*at + offset(corner), *at + offset((corner + 1) % 4)});
            }
            // A joint of these skins hangs on the one before.
            const auto above = joint == 0 ? std::nullopt : pixel(joint - 1);
            if (above) out.push_back({*at, *above});
        }
    }
    return out;
}

// Pixels change along all of these lines, and nowhere else.
void expect_lines(const Picture& plain, const Picture& drawn, const std::vector<Line>& lines, const std::string& what) {
    std::vector<char> changed(std::size_t{kSize} * kSize);
    std::size_t count = 0, aside = 0;
    for (std::size_t i = 0; i < changed.size(); ++i) {
        for (std::size_t c = 0; c < 3; ++c) {
            if (plain.rgba[4 * i + c] != drawn.rgba[4 * i + c]) changed[i] = 1;
        }
        if (changed[i] == 0) continue;
        ++count;
        const glm::dvec2 middle(static_cast<double>(i % kSize) + 0.5, static_cast<double>(i / kSize) + 0.5);
        const bool near =
            std::any_of(lines.begin(), lines.end(), [&](const Line& line) { return line.distance(middle) <= 1.2; });
        aside += near ? 0 : 1;
    }
    EXPECT_GT(count, 500U) << what;
    EXPECT_EQ(aside, 0U) << what;
    std::size_t missing = 0, asked = 0;
    for (const Line& line : lines) {
        for (const double t : {0.15, 0.35, 0.5, 0.65, 0.85}) {
            const glm::dvec2 at = glm::mix(line.from, line.to, t);
            if (!(at.x > 3 && at.y > 3 && at.x < kSize - 3 && at.y < kSize - 3)) continue;
            bool found = false;
            for (int y = -1; y <= 1; ++y) {
                for (int x = -1; x <= 1; ++x) {
                    found = found || changed[(static_cast<std::size_t>(at.y) + static_cast<std::size_t>(y)) * kSize +
                                             static_cast<std::size_t>(at.x) + static_cast<std::size_t>(x)] != 0;
                }
            }
            ++asked;
            missing += found ? 0 : 1;
        }
    }
    EXPECT_GT(asked, 500U) << what;
    EXPECT_EQ(missing, 0U) << what;
}

void expect_joints(Bench& bench, const render::SceneSettings& scene, double time, FrameSettings settings,
                   const std::string& what) {
    bench.renderer().set_time(time);
    const Picture plain = bench.shoot(settings, kShapes, kNear, kSize, kSize).picture;
    settings.joints = true;
    const Picture drawn = bench.shoot(settings, kShapes, kNear, kSize, kSize).picture;
    expect_lines(plain, drawn, lines_of(bench.scene(), scene, time), what);
    EXPECT_EQ(plain.depth, drawn.depth) << what;
}

TEST(InspectJoints, AreWhereTheEvaluatorHasThemOverEveryBackend) {
    Bench bench;
    bench.set_scene(encode(make_deforming_shapes()));
    for (const Way& way : ways(bench)) expect_joints(bench, {}, 0.83, way.settings, way.name);
    EXPECT_EQ(bench.validation_messages(), 0U);
}

TEST(InspectJoints, EachPlaceOfAGridShowsItsOwnPose) {
    Bench bench;
    render::SceneSettings settings;
    settings.grid = {glm::uvec3(3, 2, 2), 2.0F};
    for (const float stagger : {0.0F, 0.27F}) {
        settings.stagger = stagger;
        bench.set_scene(encode(make_deforming_shapes()), settings);
        expect_joints(bench, settings, 0.4, {}, std::to_string(stagger));
    }
    EXPECT_EQ(bench.validation_messages(), 0U);
}

TEST(InspectJoints, OneWhosePlaceIsLostIsLeftOut) {
    scene::ImportedScene shapes = make_deforming_shapes();
    for (scene::Skin& skin : shapes.scene.skins) skin.inverse_bind[4] = glm::mat4(0.0F);
    Bench bench;
    bench.set_scene(encode(std::move(shapes)));
    expect_joints(bench, {}, 0.5, {}, "lost");
}

TEST(InspectJoints, ASceneWithoutJointsStaysAsItIs) {
    Bench bench;
    bench.set_scene(encode(make_shapes()));
    FrameSettings settings;
    const Picture plain = bench.shoot(settings, kShapes, kNear, kSize, kSize).picture;
    settings.joints = true;
    EXPECT_EQ(bench.shoot(settings, kShapes, kNear, kSize, kSize).picture.rgba, plain.rgba);
}

}  // namespace
}  // namespace sublet::test::inspect_joints_test
