// Where what moves may be: find_movers() holds it at every time, and little besides.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>
#include <string>
#include <vector>

#include "harness.h"
#include "mesh/mesh.h"
#include "render/scene/gpu_scene.h"
#include "render/scene/movers.h"
#include "scene/animation.h"
#include "scene/deform.h"
#include "shapes.h"

namespace sublet::test::movers_test {
namespace {

std::vector<glm::vec3> vertices(const scene::EncodedScene& posed, const scene::Instance& instance,
                                const std::vector<glm::mat4>& world) {
    std::vector<glm::vec3> out;
    const mesh::MeshView view = mesh::mesh_view(posed.geometry, instance.mesh);
    if (scene::is_deformed(posed, instance)) {
        for (std::uint32_t s = 0; s < view.header->sublet_count; ++s) {
            const std::vector<glm::vec3> some = scene::posed_vertices(posed, instance, world, s);
            out.insert(out.end(), some.begin(), some.end());
        }
        return out;
    }
    for (const std::array<float, 3>& p : mesh::decode(view, false).positions) {
        out.emplace_back(instance.transform * glm::vec4(p[0], p[1], p[2], 1.0F));
    }
    return out;
}

// All instances move but those from `still` on.
void hold_movers(const scene::EncodedScene& scene, std::size_t still) {
    Bench bench;
    const auto gpu_scene = render::upload_scene(bench.device(), scene, {});
    const std::vector<std::size_t> all = scene::chosen_animations(scene.scene, "all");
    ASSERT_EQ(gpu_scene->movers.size(), still);
    std::vector<float> nearest(gpu_scene->movers.size(), INFINITY);
    for (int i = 0; i < 60; ++i) {
        const scene::EncodedScene posed = scene::posed_placement(scene, all, 0.173 * i - 1.0);
        const std::vector<glm::mat4> world = scene::world_transforms(posed.scene);
        const std::vector<scene::Instance> instances = scene::instances(posed.scene);
        ASSERT_EQ(instances.size(), gpu_scene->instance_count);
        for (std::size_t k = 0; k < still; ++k) {
            const glm::vec4& sphere = gpu_scene->movers[k];
            for (const glm::vec3& p : vertices(posed, instances[k], world)) {
                const float spare = sphere.w - glm::distance(glm::vec3(sphere), p);
                ASSERT_GE(spare, 0.0F) << "instance " << k << ", moment " << i;
                nearest[k] = std::min(nearest[k], spare / sphere.w);
            }
        }
    }
    float sum = 0.0F;
    for (const float spare : nearest) sum += spare / static_cast<float>(nearest.size());
    ::testing::Test::RecordProperty("mean_share_of_the_radius_that_nothing_reaches", std::to_string(sum));
    EXPECT_LT(sum, 0.8F);
    EXPECT_EQ(bench.validation_messages(), 0U);
}

TEST(Movers, HoldWhatChainsMove) {
    const scene::EncodedScene scene = encode(make_moving());
    hold_movers(scene, scene::instances(scene.scene).size() - 1);
}

TEST(Movers, HoldWhatDeforms) {
    const scene::EncodedScene scene = encode(make_deforming_shapes());
    hold_movers(scene, scene::instances(scene.scene).size());
}

TEST(Movers, OfNothingThatPlaysThereAreNone) {
    Bench bench;
    const scene::EncodedScene scene = encode(make_deforming_shapes());
    const auto still = render::upload_scene(bench.device(), scene, {.grid = {}, .animation = "none"});
    EXPECT_TRUE(still->deform.any());
    EXPECT_TRUE(still->movers.empty());
}

TEST(Movers, MayBeEverywhere) {
    Bench bench;
    scene::ImportedScene shapes = make_deforming_shapes();
    for (scene::AnimationChannel& channel : shapes.scene.animations[0].channels) {
        if (channel.path == scene::AnimationPath::kScale) std::ranges::fill(channel.values, 1e30F);
    }
    const auto gpu_scene = render::upload_scene(bench.device(), encode(std::move(shapes)), {});
    std::size_t endless = 0;
    for (const glm::vec4& mover : gpu_scene->movers) {
        EXPECT_FALSE(std::isnan(mover.x));
        endless += std::isinf(mover.w) ? 1 : 0;
    }
    EXPECT_GT(endless, 0U);
}

// Where there are many, neighbours share a sphere.
TEST(Movers, AreFew) {
    Bench bench;
    scene::ImportedScene shapes = make_moving();
    const std::size_t nodes = shapes.scene.nodes.size();
    for (int i = 0; i < 40; ++i) {
        for (std::size_t k = 0; k < nodes; ++k) {
            scene::Node node = shapes.scene.nodes[k];
            if (node.mesh_group >= 0) shapes.scene.nodes.push_back(node);
        }
    }
    const auto gpu_scene = render::upload_scene(bench.device(), encode(std::move(shapes)), {});
    EXPECT_GT(gpu_scene->animation.moved_count, render::kMostMovers);
    EXPECT_EQ(gpu_scene->movers.size(), render::kMostMovers);
}

}  // namespace
}  // namespace sublet::test::movers_test
