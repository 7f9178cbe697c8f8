// Skinned meshes in .sublet files and back in GLB: what is kept, what is refused, what older files hold.
#include <gtest/gtest.h>

#include <functional>

#include "../mesh/older_files.h"
#include "../mesh/same_geometry.h"
#include "base/error.h"
#include "gltf_builder.h"
#include "scene/animation.h"
#include "scene/container.h"
#include "scene/deform.h"

namespace sublet::scene::testing {
namespace {

// A strip on two joints, with the second one's share of all vertices, and more joints for it where `eight`.
GltfBuilder waving_strip(bool eight) {
    GltfBuilder builder = skinned_strip();
    json& attributes = builder.root["meshes"][0]["primitives"][0]["attributes"];
    if (eight) {
        attributes["JOINTS_1"] = builder.accessor<std::uint8_t>(std::vector<std::uint8_t>(16, 1), 4, kU8);
        attributes["WEIGHTS_0"] = builder.accessor<float>(
            {.25F, .25F, .125F, .125F, 1, 0, 0, 0, .5F, .5F, 0, 0, .25F, .25F, .125F, .125F}, 4, kF32);
        attributes["WEIGHTS_1"] =
            builder.accessor<float>({.125F, .0625F, .0625F, 0, 0, 0, 0, 0, 0, 0, 0, 0, .25F, 0, 0, 0}, 4, kF32);
    }
    builder.root["skins"][0]["name"] = "bones";
    builder.root["nodes"][0]["name"] = "strip";
    const int times = builder.accessor<float>({0, 1}, 1, kF32);
    const int turns = builder.accessor<float>({0, 0, 0, 1, 0, 0.6F, 0, 0.8F}, 4, kF32);
    builder.root["animations"] =
        json::array({{{"samplers", json::array({{{"input", times}, {"output", turns}}})},
                      {"channels", json::array({{{"sampler", 0}, {"target", {{"node", 1}, {"path", "rotation"}}}}})}}});
    return builder;
}

TEST(SkinFiles, ComeBackFromGlbToTheByte) {
    for (const bool eight : {false, true}) {
        const EncodedScene once = encode_file(waving_strip(eight).write_glb("a.glb"));
        write_sublet(test_path("a.sublet"), once);
        const EncodedScene opened = open_sublet(test_path("a.sublet"));
        EXPECT_TRUE(mesh::test::same_geometry(opened.geometry, once.geometry));
        export_glb(test_path("b.glb"), opened);
        const EncodedScene twice = encode_file(test_path("b.glb"));
        EXPECT_TRUE(mesh::test::same_geometry(once.geometry, twice.geometry)) << eight;
        ASSERT_EQ(twice.scene.skins.size(), 1U);
        EXPECT_EQ(twice.scene.skins[0].name, "bones");
        EXPECT_EQ(twice.scene.skins[0].joints, once.scene.skins[0].joints);
        EXPECT_EQ(twice.scene.skins[0].inverse_bind, once.scene.skins[0].inverse_bind) << "the file's own";
        EXPECT_EQ(world_transforms(twice.scene), world_transforms(once.scene));
        EXPECT_EQ(twice.scene.animations.size(), 1U);
        EXPECT_EQ(twice.notes, once.notes);
    }
}

TEST(SkinFiles, AreBakedInAPose) {
    for (const bool eight : {false, true}) {
        GltfBuilder builder = waving_strip(eight);
        builder.root["skins"].push_back({{"joints", {2, 1}}});
        builder.node({{"mesh", 0}, {"skin", 1}, {"name", "other"}});
        builder.node({{"mesh", 0}, {"name", "still"}, {"translation", {0, 9, 0}}});
        EncodedScene scene = encode_file(builder.write_glb("a.glb"));
        const std::vector<std::size_t> playing{0};
        pose_nodes(scene.scene.nodes, scene.scene, playing, 0.5);
        scene.scene.animations.clear();
        const std::vector<glm::mat4> world = world_transforms(scene.scene);
        export_glb(test_path("b.glb"), scene, {.bake_pose = true});
        const ImportedScene baked = import_gltf(test_path("b.glb"));
        EXPECT_TRUE(baked.scene.skins.empty());
        ASSERT_EQ(baked.groups.size(), 3U);
        std::vector<std::string> found;
        const std::vector<glm::mat4> placed = world_transforms(baked.scene);
        for (std::size_t n = 0; n < baked.scene.nodes.size(); ++n) {
            const Node& node = baked.scene.nodes[n];
            if (node.mesh_group < 0) continue;
            found.push_back(node.name);
            const SourceMesh& mesh = baked.groups[static_cast<std::size_t>(node.mesh_group)].meshes.at(0);
            EXPECT_TRUE(mesh.joints.empty() && mesh.weights.empty() && mesh.joints1.empty() && mesh.weights1.empty());
            mesh::MeshArrays expected = mesh::decode(mesh::mesh_view(scene.geometry, 0));
            if (node.name == "still") {
                EXPECT_EQ(placed[n][3].y, 9.0F);
            } else {
                EXPECT_EQ(placed[n], glm::mat4(1.0F));
                deform(expected, skin_matrices(scene.scene.skins[node.name == "strip" ? 0 : 1], world));
            }
            EXPECT_EQ(mesh.positions, expected.positions) << node.name;
            EXPECT_EQ(mesh.indices, expected.indices);
        }
        std::sort(found.begin(), found.end());
        EXPECT_EQ(found, (std::vector<std::string>{"other", "still", "strip"}));
    }
}

TEST(SkinFiles, AreNotBakedBeyondFloats) {
    EncodedScene scene = encode_file(skinned_strip().write_glb("a.glb"));
    scene.scene.nodes[2].scale = glm::vec3(3e38F);
    scene.scene.skins[0].inverse_bind[1][3].y = 1e20F;
    EXPECT_THROW(export_glb(test_path("b.glb"), scene, {.bake_pose = true}), Error);
}

// Posed in the world, weights as bytes.
EncodedScene older_scene() {
    EncodedScene scene = encode_file(waving_strip(true).write_glb("a.glb"));
    auto geometry = std::make_shared<mesh::Geometry>(mesh::test::with_bone_weights(scene.geometry));
    scene.geometry = geometry->view();
    scene.storage = std::move(geometry);
    return scene;
}

TEST(OlderFiles, OpenAndStandWhereTheirVerticesAre) {
    const EncodedScene before = older_scene();
    write_sublet(test_path("old.sublet"), before);
    const EncodedScene after = open_sublet(test_path("old.sublet"));
    EXPECT_TRUE(mesh::test::same_geometry(after.geometry, before.geometry));
    EXPECT_EQ(after.scene.nodes[0].skin, 0);
    const std::vector<Instance> placed = instances(after, {});
    ASSERT_EQ(placed.size(), 1U);
    EXPECT_EQ(placed[0].skin, -1);
    EXPECT_EQ(placed[0].transform, glm::mat4(1.0F));
    EXPECT_GT(scene_stats(after).total.stream_bytes[shared::kStreamBoneWeights], 0U);
    EXPECT_EQ(scene_stats(after).total.stream_bytes[shared::kStreamJointWeights], 0U);
}

TEST(OlderFiles, MayNameJointsThatTheirSkinLacks) {
    EncodedScene scene = older_scene();
    scene.scene.skins[0].joints.pop_back();
    scene.scene.skins[0].inverse_bind.pop_back();
    write_sublet(test_path("old.sublet"), scene);
    EXPECT_NO_THROW((void)open_sublet(test_path("old.sublet"))) << "nothing looks them up";
}

TEST(OlderFiles, DecodeToTheSamePose) {
    const EncodedScene older = older_scene();
    export_glb(test_path("b.glb"), older);
    const ImportedScene back = import_gltf(test_path("b.glb"));
    ASSERT_EQ(back.scene.skins.size(), 1U);
    // What their joints make of them is what the file held.
    mesh::MeshArrays posed = mesh::decode(mesh::mesh_view(encode_file(test_path("b.glb")).geometry, 0));
    deform(posed, skin_matrices(back.scene.skins[0], world_transforms(back.scene)));
    const mesh::MeshArrays expected = mesh::decode(mesh::mesh_view(older.geometry, 0));
    ASSERT_EQ(posed.positions.size(), expected.positions.size());
    for (std::size_t v = 0; v < expected.positions.size(); ++v) {
        for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(posed.positions[v][c], expected.positions[v][c], 1e-4F);
    }
    // In a pose they stay where they are too, by no node.
    export_glb(test_path("c.glb"), older, {.bake_pose = true});
    const ImportedScene baked = import_gltf(test_path("c.glb"));
    EXPECT_TRUE(baked.scene.skins.empty());
    EXPECT_TRUE(only_mesh(baked).joints.empty());
    EXPECT_EQ(only_mesh(baked).positions, expected.positions);
    const std::vector<glm::mat4> world = world_transforms(baked.scene);
    for (std::size_t n = 0; n < world.size(); ++n) {
        if (baked.scene.nodes[n].mesh_group >= 0) {
            EXPECT_EQ(world[n], glm::mat4(1.0F));
        }
    }
}

struct BadSkin {
    const char* name;
    const char* message;
    std::function<void(EncodedScene&)> spoil;
};

class SkinChecks : public ::testing::TestWithParam<BadSkin> {};

TEST_P(SkinChecks, NameTheNode) {
    EncodedScene scene = encode_file(waving_strip(true).write_glb("a.glb"));
    Node unskinned;
    unskinned.mesh_group = 0;
    scene.scene.nodes.push_back(unskinned);
    write_sublet(test_path("good.sublet"), scene);
    EXPECT_NO_THROW((void)open_sublet(test_path("good.sublet")));
    GetParam().spoil(scene);
    write_sublet(test_path("bad.sublet"), scene);
    try {
        (void)open_sublet(test_path("bad.sublet"));
        ADD_FAILURE() << "was opened";
    } catch (const Error& error) {
        const std::string message = error.what();
        EXPECT_NE(message.find("bad.sublet: "), std::string::npos) << message;
        EXPECT_NE(message.find(GetParam().message), std::string::npos) << message;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Skins, SkinChecks,
    ::testing::Values(BadSkin{"few_joints", "nodes[0].skin: has 1 joints, but a vertex of its meshes names joint 1",
                              [](EncodedScene& e) {
                                  e.scene.skins[0].joints.pop_back();
                                  e.scene.skins[0].inverse_bind.pop_back();
                              }},
                      BadSkin{"no_joints", "nodes[0].skin: has 0 joints",
                              [](EncodedScene& e) {
                                  e.scene.skins[0].joints.clear();
                                  e.scene.skins[0].inverse_bind.clear();
                              }},
                      BadSkin{"another_skin", "nodes[3].skin: has 1 joints",
                              [](EncodedScene& e) {
                                  e.scene.skins.push_back({"small", -1, {0}, {glm::mat4(1.0F)}});
                                  e.scene.nodes[3].skin = 1;
                              }},
                      BadSkin{"beyond_floats", "skins[0].joints: have a matrix that is beyond single precision",
                              [](EncodedScene& e) {
                                  e.scene.nodes[1].scale = glm::vec3(1e20F);
                                  e.scene.skins[0].inverse_bind[1] *= 1e25F;
                              }}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace sublet::scene::testing
