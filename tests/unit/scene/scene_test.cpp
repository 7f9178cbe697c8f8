// World transforms and instances.
#include "scene/scene.h"

#include <gtest/gtest.h>

#include <glm/gtc/matrix_transform.hpp>

namespace sublet::scene {
namespace {

TEST(Scene, MultipliesTransformsFromTheRoot) {
    Scene scene;
    scene.nodes.resize(3);
    scene.nodes[0].translation = {1, 2, 3};
    scene.nodes[0].scale = {2, 2, -2};
    scene.nodes[1].parent = 0;
    scene.nodes[1].rotation = glm::angleAxis(glm::radians(90.0F), glm::vec3(0, 1, 0));
    scene.nodes[2].parent = 1;
    scene.nodes[2].has_matrix = true;
    scene.nodes[2].matrix = glm::translate(glm::mat4(1.0F), {0, 0, 1});
    const std::vector<glm::mat4> world = world_transforms(scene);
    const glm::vec4 origin = world[2] * glm::vec4(0, 0, 0, 1);  // (0,0,1) turned to (1,0,0), doubled, moved
    EXPECT_NEAR(origin.x, 3.0F, 1e-6);
    EXPECT_NEAR(origin.y, 2.0F, 1e-6);
    EXPECT_NEAR(origin.z, 3.0F, 1e-6);
    EXPECT_LT(glm::determinant(glm::mat3(world[2])), 0.0F);
}

TEST(Scene, MakesAnInstanceOfEachMeshOfEachNode) {
    Scene scene;
    scene.mesh_groups.resize(2);
    scene.mesh_groups[0].mesh_count = 2;
    scene.mesh_groups[1].first_mesh = 2;
    scene.mesh_groups[1].mesh_count = 1;
    scene.mesh_materials = {5, 6, 7};
    scene.nodes.resize(4);
    scene.nodes[0].mesh_group = 1;
    scene.nodes[0].translation = {1, 0, 0};
    scene.nodes[2].mesh_group = 0;
    scene.nodes[3].mesh_group = 1;
    scene.nodes[3].skin = 0;
    scene.nodes[3].translation = {9, 9, 9};
    const std::vector<Instance> list = instances(scene);
    ASSERT_EQ(list.size(), 4U);
    EXPECT_EQ(instance_count(scene), 4U);
    EXPECT_EQ(list[0].mesh, 2U);
    EXPECT_EQ(list[0].material, 7U);
    EXPECT_EQ(list[0].node, 0U);
    EXPECT_EQ(list[0].transform[3].x, 1.0F);
    EXPECT_EQ(list[1].mesh, 0U);
    EXPECT_EQ(list[1].material, 5U);
    EXPECT_EQ(list[2].mesh, 1U);
    EXPECT_EQ(list[2].node, 2U);
    EXPECT_EQ(list[3].transform, glm::mat4(1.0F)) << "joints, not the node, place a skinned mesh";
}

}  // namespace
}  // namespace sublet::scene
