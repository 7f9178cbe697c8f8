// What a pick tells, against the encoded scene itself.
#include "app/pick_report.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/mat4x4.hpp>

#include "base/thread_pool.h"
#include "builtin_rooms.h"
#include "mesh/mesh.h"
#include "scene/import.h"

namespace sublet::app {
namespace {

using render::Selection;
using render::SelectionLevel;

Selection at(std::uint32_t instance, std::uint32_t sublet, std::uint32_t triangle) {
    return {SelectionLevel::kTriangle, instance, sublet, triangle};
}

TEST(PickReport, AddsUpToTheScenesOwnFigures) {
    const scene::EncodedScene& scene = builtin_rooms();
    const auto stats = scene::scene_stats(scene).meshes;
    std::size_t checked = 0;
    std::uint32_t instance = 0;
    for (const scene::Instance& placed : scene::instances(scene.scene)) {
        const mesh::MeshHeader& header = scene.geometry.meshes[placed.mesh];
        if (header.sublet_count == 0) continue;
        const std::uint32_t number = instance++;
        if (number % 16 != 0) continue;
        const auto group = static_cast<std::size_t>(scene.scene.nodes[placed.node].mesh_group);
        const std::optional<PickReport> report = describe(scene, {}, at(number, header.sublet_count - 1, 0));
        ASSERT_TRUE(report.has_value());
        EXPECT_EQ(report->node, placed.node);
        EXPECT_EQ(report->node_name, scene.scene.nodes[placed.node].name);
        EXPECT_EQ(report->mesh, placed.mesh);
        EXPECT_EQ(report->mesh_name, scene.scene.mesh_groups[group].name);
        EXPECT_EQ(report->material, placed.material);
        EXPECT_EQ(report->meshlet, (header.sublet_count - 1) / 8);
        EXPECT_EQ(report->of_mesh.triangles, header.triangle_count);
        EXPECT_EQ(report->of_mesh.vertices, header.vertex_count);
        EXPECT_LE(report->of_sublet.bytes, report->of_meshlet.bytes);
        EXPECT_LE(report->of_meshlet.bytes, report->of_mesh.bytes);
        if (scene.scene.mesh_groups[group].mesh_count != 1) continue;
        ++checked;
        EXPECT_EQ(report->of_mesh.stream_bytes, stats[group].stream_bytes);
        EXPECT_EQ(report->of_mesh.header_bytes, stats[group].stream_header_bytes);
        EXPECT_EQ(report->of_mesh.bounds_bytes, stats[group].bounds_bytes);
    }
    EXPECT_GE(checked, 5U);
}

TEST(PickReport, CountsWhatMorphTargetsAdd) {
    scene::ImportedScene imported = scene::make_builtin_scene(1);
    const auto group = std::find_if(imported.groups.begin(), imported.groups.end(),
                                    [](const scene::SourceMeshGroup& g) { return g.meshes.size() == 1; });
    ASSERT_NE(group, imported.groups.end());
    const auto index = static_cast<std::size_t>(group - imported.groups.begin());
    scene::SourceMesh& mesh = group->meshes[0];
    for (std::size_t target = 0; target < 40; ++target) {
        mesh::MorphArrays morph;
        for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
            const auto steps = static_cast<float>(v * v % 11);
            morph.positions.push_back({0.0F, v % 4 == target % 4 ? 0.1F * steps : 0.0F, 0.0F});
        }
        morph.normals = morph.positions;
        mesh.morphs.push_back(std::move(morph));
    }
    group->weights.assign(40, 0.0F);
    ThreadPool pool;
    const scene::EncodedScene scene = scene::encode_scene(std::move(imported), {}, pool);
    const scene::GeometryStats stats = scene::scene_stats(scene).meshes[index];
    std::uint32_t number = 0;
    for (const scene::Instance& placed : scene::instances(scene.scene)) {
        if (scene.geometry.meshes[placed.mesh].sublet_count == 0) continue;
        if (placed.mesh == scene.scene.mesh_groups[index].first_mesh) break;
        ++number;
    }
    const std::optional<PickReport> report = describe(scene, {}, at(number, 0, 0));
    ASSERT_TRUE(report.has_value());
    EXPECT_GT(stats.morph_bytes[0], 0U);
    EXPECT_GT(stats.morph_bytes[1], 0U);
    EXPECT_EQ(report->of_mesh.morph_bytes, stats.morph_bytes);
    EXPECT_EQ(report->of_mesh.header_bytes, stats.stream_header_bytes);
    EXPECT_GT(report->of_sublet.morph_bytes[0], 0U);
    EXPECT_LE(report->of_sublet.morph_bytes[0], stats.morph_bytes[0]);
}

TEST(PickReport, BoundsHoldTheTriangle) {
    const scene::EncodedScene& scene = builtin_rooms();
    std::size_t cones = 0;
    for (std::uint32_t instance = 0; instance < 100; ++instance) {
        const std::optional<PickReport> report = describe(scene, {}, at(instance, 0, 0));
        ASSERT_TRUE(report.has_value());
        for (const PickedPart* part : {&report->of_mesh, &report->of_meshlet, &report->of_sublet}) {
            for (const glm::vec3& corner : report->corners) {
                EXPECT_LE(glm::length(corner - part->bound.world_center), part->bound.world_radius * 1.0001F);
            }
        }
        EXPECT_FALSE(report->of_mesh.bound.cone.has_value());
        if (const auto& cone = report->of_sublet.bound.cone) {
            ++cones;
            EXPECT_NEAR(glm::length(cone->world_axis), 1.0F, 1e-4F);
            EXPECT_LT(cone->cutoff, 1.0F);
        }
    }
    EXPECT_GE(cones, 10U);
}

// A triangle on a joint that rises by 2 a second.
scene::EncodedScene rising() {
    scene::ImportedScene in;
    in.scene.materials.emplace_back();
    scene::SourceMesh mesh;
    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    mesh.indices = {0, 1, 2};
    mesh.joints.assign(3, {0, 0, 0, 0});
    mesh.weights.assign(3, {1, 0, 0, 0});
    in.groups.push_back({"triangle", {mesh}, {}, {}});
    in.scene.nodes.resize(2);
    in.scene.nodes[0].mesh_group = 0;
    in.scene.nodes[0].skin = 0;
    in.scene.skins.push_back({"bone", -1, {1}, {glm::mat4(1.0F)}});
    in.scene.animations.push_back(
        {"rise", {{.node = 1, .times = {0.0F, 4.0F}, .values = {0.0F, 0.0F, 0.0F, 0.0F, 8.0F, 0.0F}}}});
    ThreadPool pool;
    return scene::encode_scene(std::move(in), {}, pool);
}

TEST(PickReport, TellsWhereWhatDeformsIsAtThatTime) {
    const scene::EncodedScene scene = rising();
    render::SceneSettings still;
    still.animation = "none";
    const auto check = [&](const render::SceneSettings& settings, std::uint32_t instance, double time,
                           const glm::vec3& moved) {
        const PickReport bind = describe(scene, still, at(0, 0, 0)).value();
        const PickReport report = describe(scene, settings, at(instance, 0, 0), time).value();
        PickReport later = describe(scene, settings, at(instance, 0, 0), 0.25).value();
        place_again(later, scene, settings, time);
        EXPECT_EQ(pick_json(later), pick_json(report)) << "placed again, at " << time;
        EXPECT_TRUE(report.deforms);
        EXPECT_TRUE(pick_json(report)["deforms"].get<bool>());
        for (std::size_t i = 0; i < 3; ++i) {
            EXPECT_LE(glm::distance(report.corners[i], bind.corners[i] + moved), 1e-3F) << time;
        }
        for (const PickedPart* part : {&report.of_mesh, &report.of_meshlet, &report.of_sublet}) {
            EXPECT_LE(glm::distance(part->bound.world_center, glm::vec3(0.5F, 0.5F, 0.0F) + moved), 1e-3F) << time;
            EXPECT_NEAR(part->bound.world_radius, std::sqrt(0.5F), 1e-3F);
            EXPECT_FALSE(part->bound.cone.has_value()) << "none holds in every pose";
        }
    };
    check({}, 0, 0.0, {0, 0, 0});
    check({}, 0, 1.5, {0, 3, 0});
    check(still, 0, 1.5, {0, 0, 0});
    render::SceneSettings grid;
    grid.grid = {glm::uvec3(2, 1, 1), 10.0F};
    check(grid, 1, 1.0, {5, 2, 0});
    grid.stagger = 0.5F;
    check(grid, 0, 1.0, {-5, 2, 0});
    check(grid, 1, 1.0, {5, 3, 0});
}

TEST(PickReport, SaysNothingOfWhatIsNotThere) {
    const scene::EncodedScene& scene = builtin_rooms();
    const PickReport first = describe(scene, {}, at(0, 0, 0)).value();
    EXPECT_TRUE(describe(scene, {}, at(first.instances - 1, 0, 0)).has_value());
    EXPECT_FALSE(describe(scene, {}, at(first.instances, 0, 0)).has_value());
    EXPECT_FALSE(describe(scene, {}, at(0, first.sublets, 0)).has_value());
    EXPECT_FALSE(describe(scene, {}, at(0, 0, static_cast<std::uint32_t>(first.of_sublet.triangles))).has_value());
    EXPECT_FALSE(describe(scene, {}, {}).has_value());
    const scene::Grid grid{glm::uvec3(2, 1, 1), 10.0F};
    const PickReport of_grid = describe(scene, {grid}, at(1, 0, 0)).value();
    EXPECT_FALSE(of_grid.node.has_value());
    EXPECT_TRUE(pick_json(of_grid)["node"].is_null());
    EXPECT_EQ(pick_json(first)["parts"]["sublet"]["triangles"], first.of_sublet.triangles);
}

}  // namespace
}  // namespace sublet::app
