#include "scene/node_reach.h"

#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <random>
#include <string>

namespace sublet::scene {
namespace {

class Randoms {
  public:
    float number(float low, float high) { return std::uniform_real_distribution<float>(low, high)(random_); }
    int whole(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
    glm::vec3 vector(float size) { return {number(-size, size), number(-size, size), number(-size, size)}; }
    glm::quat rotation() { return glm::normalize(glm::quat(number(0.1F, 1), number(-1, 1), number(-1, 1), 0.3F)); }

  private:
    std::mt19937 random_{11};
};

// A row of nodes, each with as many channels as chance has it.
Scene random_chain(Randoms& random) {
    Scene scene;
    Animation animation{"", {}};
    const int length = random.whole(1, 6);
    for (int i = 0; i < length; ++i) {
        Node node;
        node.parent = i - 1;
        node.translation = random.vector(2.0F);
        node.rotation = random.rotation();
        node.scale = random.vector(1.5F);
        if (random.whole(0, 3) == 0) {
            node.matrix = local_transform(node);
            node.matrix[1][0] += 0.5F;  // sheared
            node.has_matrix = true;
        }
        scene.nodes.push_back(node);
        for (const AnimationPath path :
             {AnimationPath::kTranslation, AnimationPath::kRotation, AnimationPath::kScale}) {
            if (random.whole(0, 1) == 0) continue;
            AnimationChannel channel;
            channel.node = i;
            channel.path = path;
            channel.interpolation = static_cast<Interpolation>(random.whole(0, 2));
            channel.times = {0.0F, 0.7F, 2.0F};
            const std::size_t values =
                3 * path_components(path) * (channel.interpolation == Interpolation::kCubicSpline ? 3 : 1);
            for (std::size_t v = 0; v < values; ++v) channel.values.push_back(random.number(-1.5F, 1.5F));
            animation.channels.push_back(channel);
        }
    }
    scene.animations.push_back(animation);
    return scene;
}

TEST(NodeReach, HoldsEveryPose) {
    Randoms random;
    const std::vector<std::size_t> all{0};
    double nearest = 1.0;
    for (int round = 0; round < 300; ++round) {
        const Scene scene = random_chain(random);
        const std::size_t leaf = scene.nodes.size() - 1;
        const glm::vec4 sphere(random.vector(1.0F), random.number(0.0F, 1.0F));
        const glm::vec4 reach = NodeReach(scene, all).of(leaf, sphere);
        const MovingNode node(scene, all, leaf);
        for (int i = 0; i < 50; ++i) {
            const glm::mat4 world = node.world(0.041 * i);
            const glm::vec3 direction = glm::normalize(random.vector(1.0F) + 1e-6F);
            const glm::vec3 at(world * glm::vec4(glm::vec3(sphere) + sphere.w * direction, 1.0F));
            const double away = glm::distance(glm::dvec3(at), glm::dvec3(reach));
            ASSERT_LE(away, reach.w) << "round " << round << ", time " << 0.041 * i;
            nearest = std::min(nearest, 1.0 - away / reach.w);
        }
    }
    EXPECT_LT(nearest, 0.05);
}

TEST(NodeReach, OfOneWayIsItsLength) {
    Scene scene;
    scene.nodes.resize(2);
    scene.nodes[0].translation = {10, 0, 0};
    scene.nodes[0].rotation = glm::angleAxis(0.5F, glm::vec3(0, 1, 0));
    scene.nodes[1].parent = 0;
    scene.animations.push_back({"", {}});
    scene.animations[0].channels.push_back(
        {.node = 1, .path = AnimationPath::kTranslation, .times = {0, 1}, .values = {-1, 0, 0, 3, 0, 0}});
    const std::vector<std::size_t> all{0};
    const glm::vec4 moved = NodeReach(scene, all).of(1, {0, 0, 0, 0.5F});
    EXPECT_NEAR(moved.w, 2.5F, 1e-3F);
    EXPECT_NEAR(moved.x, 10.0F + std::cos(0.5F), 1e-3F);
    const glm::vec4 still = NodeReach(scene, {}).of(1, {0, 0, 0, 0.5F});
    EXPECT_NEAR(still.w, 0.5F, 1e-3F) << "rotations make nothing larger";
    scene.nodes[0].translation.x = 1e38F;
    scene.nodes[0].scale = glm::vec3(3e38F);
    EXPECT_TRUE(std::isinf(NodeReach(scene, all).of(1, {0, 0, 0, 0.5F}).w));
}

}  // namespace
}  // namespace sublet::scene
