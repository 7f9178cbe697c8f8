// Skins: joints, weights, bind poses.
#include <gtest/gtest.h>

#include <algorithm>

#include "gltf_builder.h"
#include "scene/import.h"

namespace sublet::scene::testing {
namespace {

using Four = std::array<float, 4>;
using Joints = std::array<std::uint16_t, 4>;

json& attributes_of(GltfBuilder& builder) {
    return builder.root["meshes"][0]["primitives"][0]["attributes"];
}

// Weights of the strip's four vertices: the same for each.
void set_weights(GltfBuilder& builder, const char* name, const Four& of_each) {
    std::vector<float> weights;
    for (int v = 0; v < 4; ++v) weights.insert(weights.end(), of_each.begin(), of_each.end());
    attributes_of(builder)[name] = builder.accessor(weights, 4, kF32);
}

std::size_t notes_of_weights(const ImportedScene& scene) {
    return static_cast<std::size_t>(std::count_if(scene.notes.begin(), scene.notes.end(), [](const std::string& note) {
        return note.find("joint weights that are negative") != std::string::npos;
    }));
}

TEST(ImportSkins, KeepsTheBindPose) {
    const ImportedScene scene = import_gltf(skinned_strip().write_glb("a.glb"));
    const SourceMesh& mesh = only_mesh(scene);
    EXPECT_EQ(mesh.positions[3], (std::array<float, 3>{1, 1, 0})) << "neither joints nor the node move it";
    EXPECT_EQ(mesh.normals[3], (std::array<float, 3>{0, 0, 1}));
    EXPECT_EQ(mesh.joints[3], (Joints{1, 0, 0, 0}));
    EXPECT_EQ(mesh.weights[3], (Four{0.5F, 0.5F, 0, 0}));
    EXPECT_TRUE(mesh.joints1.empty() && mesh.weights1.empty());
    ASSERT_EQ(scene.scene.skins.size(), 1U);
    EXPECT_EQ(scene.scene.nodes[0].skin, 0);
    EXPECT_EQ(scene.scene.skins[0].joints, (std::vector<int>{1, 2}));
    EXPECT_EQ(scene.scene.skins[0].inverse_bind[1][3].y, -1.0F);
    EXPECT_EQ(notes_of_weights(scene), 0U);
    EXPECT_FALSE(has_note(scene, "no inverse"));
}

TEST(ImportSkins, BringsInJointsOutsideOfTheScene) {
    GltfBuilder builder = skinned_strip();
    builder.root["scenes"][0]["nodes"] = {0};
    const ImportedScene scene = import_gltf(builder.write_glb("a.glb"));
    ASSERT_EQ(scene.scene.nodes.size(), 3U);
    EXPECT_EQ(scene.scene.nodes[2].parent, 1);
    EXPECT_EQ(scene.scene.nodes[1].mesh_group, -1);
}

TEST(ImportSkins, ReadsAMeshOnceWhateverItsSkins) {
    GltfBuilder builder = skinned_strip();
    builder.root["skins"].push_back({{"joints", {2, 1}}});
    builder.node({{"mesh", 0}, {"skin", 1}});
    builder.node({{"mesh", 0}, {"skin", 0}});
    builder.node({{"mesh", 0}});
    const ImportedScene scene = import_gltf(builder.write_glb("a.glb"));
    EXPECT_EQ(scene.groups.size(), 1U);
    std::vector<int> skins;
    for (const Node& node : scene.scene.nodes) {
        if (node.mesh_group == 0) skins.push_back(node.skin);
    }
    EXPECT_EQ(skins, (std::vector<int>{0, 1, 0, -1}));
}

TEST(ImportSkins, KeepsEightInfluences) {
    GltfBuilder builder = skinned_strip();
    attributes_of(builder)["JOINTS_1"] = builder.accessor<std::uint8_t>(std::vector<std::uint8_t>(16, 1), 4, kU8);
    set_weights(builder, "WEIGHTS_0", {0.25F, 0.125F, 0.125F, 0.125F});
    set_weights(builder, "WEIGHTS_1", {0.125F, 0.125F, 0.125F, 0});
    const ImportedScene scene = import_gltf(builder.write_glb("a.glb"));
    const SourceMesh& mesh = only_mesh(scene);
    EXPECT_EQ(mesh.weights[3], (Four{0.25F, 0.125F, 0.125F, 0.125F}));
    EXPECT_EQ(mesh.weights1[3], (Four{0.125F, 0.125F, 0.125F, 0}));
    EXPECT_EQ(mesh.joints[3], (Joints{1, 0, 0, 0}));
    EXPECT_EQ(mesh.joints1[3], (Joints{1, 1, 1, 0})) << "one without a weight is 0";
    EXPECT_EQ(notes_of_weights(scene), 0U);
    EXPECT_FALSE(has_note(scene, "eight strongest"));
}

TEST(ImportSkins, KeepsTheEightStrongestOfMore) {
    GltfBuilder builder = skinned_strip();
    for (const char* name : {"JOINTS_1", "JOINTS_2"}) {
        attributes_of(builder)[name] = builder.accessor<std::uint8_t>(std::vector<std::uint8_t>(16, 1), 4, kU8);
    }
    set_weights(builder, "WEIGHTS_0", {0.0625F, 0.0625F, 0.0625F, 0.0625F});
    set_weights(builder, "WEIGHTS_1", {0.0625F, 0.0625F, 0.0625F, 0.0625F});
    set_weights(builder, "WEIGHTS_2", {0.25F, 0.25F, 0, 0});
    const ImportedScene scene = import_gltf(builder.write_glb("a.glb"));
    const SourceMesh& mesh = only_mesh(scene);
    EXPECT_EQ(mesh.joints[0], (Joints{1, 1, 0, 0})) << "strongest first, and of equal ones the first";
    float sum = 0;
    for (const Four& weights : {mesh.weights[0], mesh.weights1[0]}) {
        for (const float w : weights) sum += w;
    }
    EXPECT_NEAR(sum, 1.0F, 1e-6F);
    EXPECT_NEAR(mesh.weights[0][0], 0.25F / 0.875F, 1e-6F);
    EXPECT_TRUE(has_note(scene, "eight strongest"));
    EXPECT_EQ(notes_of_weights(scene), 0U) << "they summed to one in the file";

    set_weights(builder, "WEIGHTS_2", {0, 0, 0, 0});
    set_weights(builder, "WEIGHTS_0", {0.5F, 0.125F, 0.0625F, 0.0625F});
    EXPECT_FALSE(has_note(import_gltf(builder.write_glb("a.glb")), "eight strongest")) << "nothing is lost";
}

TEST(ImportSkins, ScalesWeightsThatDoNotSumToOne) {
    GltfBuilder builder = skinned_strip();
    const auto read = [&](const Four& weights) {
        set_weights(builder, "WEIGHTS_0", weights);
        return import_gltf(builder.write_glb("a.glb"));
    };
    ImportedScene scene = read({0.5F, 0.25F, 0, 0});
    EXPECT_NEAR(only_mesh(scene).weights[0][0], 2.0F / 3.0F, 1e-6F);
    EXPECT_EQ(notes_of_weights(scene), 1U) << "once for all vertices";
    scene = read({1.0F, 0.5F, -1.0F, 0});
    EXPECT_NEAR(only_mesh(scene).weights[0][0], 2.0F / 3.0F, 1e-6F);
    EXPECT_EQ(only_mesh(scene).weights[0][2], 0.0F);
    EXPECT_EQ(notes_of_weights(scene), 1U);
    scene = read({0.5F, 0.5009F, 0, 0});
    EXPECT_EQ(notes_of_weights(scene), 0U) << "what rounding leaves";
    scene = read({0.5F, 0.502F, 0, 0});
    EXPECT_EQ(notes_of_weights(scene), 1U);
    scene = read({0, 0, 0, 0});
    EXPECT_EQ(only_mesh(scene).weights[0], (Four{1, 0, 0, 0}));
    EXPECT_TRUE(has_note(scene, "all zero"));
    EXPECT_EQ(notes_of_weights(scene), 0U);
    scene = read({-1, -2, 0, 0});
    EXPECT_EQ(only_mesh(scene).weights[0], (Four{1, 0, 0, 0}));
    EXPECT_TRUE(has_note(scene, "all zero"));
}

TEST(ImportSkins, NotesMatricesWithoutAnInverse) {
    GltfBuilder builder = skinned_strip();
    std::vector<float> flat(32, 0.0F);
    for (const std::size_t m : {0U, 16U}) flat[m] = flat[m + 5] = flat[m + 15] = 1.0F;
    builder.root["skins"][0]["inverseBindMatrices"] = builder.accessor(flat, 16, kF32);
    const ImportedScene scene = import_gltf(builder.write_glb("a.glb"));
    EXPECT_EQ(std::count_if(scene.notes.begin(), scene.notes.end(),
                            [](const std::string& note) { return note.find("no inverse") != std::string::npos; }),
              1);
}

TEST(ImportSkins, IgnoresTheSkinOfAMeshWithoutJoints) {
    GltfBuilder builder = skinned_strip();
    attributes_of(builder).erase("JOINTS_0");
    const ImportedScene scene = import_gltf(builder.write_glb("a.glb"));
    EXPECT_EQ(scene.scene.nodes[0].skin, -1);
    EXPECT_TRUE(has_note(scene, "the skin of a mesh without joints is ignored"));
}

}  // namespace
}  // namespace sublet::scene::testing
