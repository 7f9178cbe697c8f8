// Morph targets of glTF files: what is read, what is refused, and what comes back from a .sublet file.
#include <gtest/gtest.h>

#include <algorithm>

#include "../mesh/same_geometry.h"
#include "base/error.h"
#include "gltf_builder.h"
#include "scene/animation.h"
#include "scene/container.h"
#include "scene/deform.h"

namespace sublet::scene::testing {
namespace {

using Vec3 = std::array<float, 3>;

json& morph_primitive(GltfBuilder& builder) {
    return builder.root["meshes"][0]["primitives"][0];
}

// The triangle with two targets: one lifts its corners to different heights and turns their normals, the other moves
// the second corner.
GltfBuilder morphing_triangle() {
    GltfBuilder builder = GltfBuilder::triangle();
    const int lift = builder.accessor<float>({0, 0, 1, 0, 0, 2, 0, 0, 3}, 3, kF32);
    const int turn = builder.accessor<float>({0.5F, 0, 0, 0, 0.5F, 0, 0, 0, 0}, 3, kF32);
    const int push = builder.accessor<float>({0, 0, 0, 1, 0, 0, 0, 0, 0}, 3, kF32);
    morph_primitive(builder)["targets"] = {{{"POSITION", lift}, {"NORMAL", turn}}, {{"POSITION", push}}};
    builder.root["meshes"][0]["weights"] = {0.25, 0};
    builder.root["meshes"][0]["extras"]["targetNames"] = {"lift", "push"};
    return builder;
}

void animate_weights(GltfBuilder& builder, const std::vector<float>& times, const std::vector<float>& values,
                     const char* interpolation = "LINEAR") {
    const int input = builder.accessor(times, 1, kF32);
    const int output = builder.accessor(values, 1, kF32);
    json sampler{{"input", input}, {"output", output}, {"interpolation", interpolation}};
    json channel{{"sampler", 0}, {"target", {{"node", 0}, {"path", "weights"}}}};
    builder.root["animations"].push_back({{"samplers", json::array({sampler})}, {"channels", json::array({channel})}});
}

EncodedScene encoded_morphs(const GltfBuilder& builder) {
    return encode_file(builder.write_glb("a.glb"));
}

TEST(ImportMorphs, ReadsTargetsWeightsAndNames) {
    GltfBuilder builder = morphing_triangle();
    builder.root["nodes"].push_back({{"mesh", 0}, {"weights", {0, 1}}});
    builder.root["scenes"][0]["nodes"].push_back(1);
    const ImportedScene scene = import_gltf(builder.write_glb("a.glb"));
    const SourceMesh& mesh = only_mesh(scene);
    ASSERT_EQ(mesh.morphs.size(), 2U);
    EXPECT_EQ(mesh.morphs[0].positions, (std::vector<Vec3>{{0, 0, 1}, {0, 0, 2}, {0, 0, 3}}));
    EXPECT_EQ(mesh.morphs[0].normals[1], (Vec3{0, 0.5F, 0}));
    EXPECT_TRUE(mesh.morphs[1].normals.empty() && mesh.morphs[1].tangents.empty());
    EXPECT_EQ(scene.groups[0].weights, (std::vector<float>{0.25F, 0}));
    EXPECT_EQ(scene.groups[0].target_names, (std::vector<std::string>{"lift", "push"}));
    EXPECT_TRUE(scene.scene.nodes[0].weights.empty());
    EXPECT_EQ(scene.scene.nodes[1].weights, (std::vector<float>{0, 1}));
    EXPECT_TRUE(scene.notes.empty());
}

TEST(ImportMorphs, ReadsQuantisedAndSparseAccessors) {
    GltfBuilder builder = morphing_triangle();
    builder.root["extensionsUsed"] = {"KHR_mesh_quantization"};
    builder.root["extensionsRequired"] = {"KHR_mesh_quantization"};
    json& targets = morph_primitive(builder)["targets"];
    targets = json::array();
    // Bytes by value, 4 apart; shorts and bytes that are fractions.
    const std::vector<std::int8_t> bytes{1, -2, 3, 0, 4, 5, 6, 0, -7, 8, 9, 0};
    const int view = builder.view(std::as_bytes(std::span(bytes)), 4);
    targets.push_back({{"POSITION", builder.accessor_over(view, 0, 3, 3, kI8)}});
    targets.push_back(
        {{"POSITION", builder.accessor<std::int16_t>({32767, 0, -32767, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 3, kI16, true)},
         {"NORMAL", builder.accessor_over(view, 0, 3, 3, kI8, true)}});
    builder.root["accessors"].back()["count"] = 3;
    // Elements 0 and 2 of nothing; element 1 of the last.
    json sparse{{"componentType", kF32}, {"type", "VEC3"}, {"count", 3}};
    sparse["sparse"] = {
        {"count", 2}, {"indices", {{"componentType", kU8}, {"bufferView", 0}}}, {"values", {{"bufferView", 0}}}};
    const std::vector<std::uint8_t> at{0, 2};
    const std::vector<float> values{1, 2, 3, 4, 5, 6};
    sparse["sparse"]["indices"]["bufferView"] = builder.view(std::as_bytes(std::span(at)));
    sparse["sparse"]["values"]["bufferView"] = builder.view(std::as_bytes(std::span(values)));
    targets.push_back({{"POSITION", builder.root["accessors"].size()}});
    builder.root["accessors"].push_back(sparse);
    builder.root["meshes"][0].erase("weights");
    builder.root["accessors"][targets[1]["POSITION"].get<std::size_t>()]["count"] = 3;
    const ImportedScene scene = import_gltf(builder.write_glb("a.glb"));
    const SourceMesh& mesh = only_mesh(scene);
    ASSERT_EQ(mesh.morphs.size(), 3U);
    EXPECT_EQ(mesh.morphs[0].positions, (std::vector<Vec3>{{1, -2, 3}, {4, 5, 6}, {-7, 8, 9}}));
    EXPECT_EQ(mesh.morphs[1].positions[0], (Vec3{1, 0, -1}));
    EXPECT_FLOAT_EQ(mesh.morphs[1].normals[2][0], -7.0F / 127.0F);
    EXPECT_EQ(mesh.morphs[2].positions, (std::vector<Vec3>{{1, 2, 3}, {0, 0, 0}, {4, 5, 6}}));
    EXPECT_EQ(scene.groups[0].weights, (std::vector<float>{0, 0, 0}));
}

TEST(ImportMorphs, MeshesWithoutNormalsStayFlatWhereTargetsTurnThem) {
    GltfBuilder builder = morphing_triangle();
    morph_primitive(builder)["attributes"].erase("NORMAL");
    const ImportedScene scene = import_gltf(builder.write_glb("a.glb"));
    const SourceMesh& mesh = only_mesh(scene);
    EXPECT_TRUE(has_note(scene, "ignored where the mesh has none"));
    ASSERT_EQ(mesh.morphs[0].normals.size(), 3U);
    // At weight 1 the corners are (0,0,1), (1,0,2), (0,1,3).
    const float length = std::sqrt(6.0F);
    for (std::size_t v = 0; v < 3; ++v) {
        EXPECT_NEAR(mesh.normals[v][0] + mesh.morphs[0].normals[v][0], -1.0F / length, 1e-6F);
        EXPECT_NEAR(mesh.normals[v][1] + mesh.morphs[0].normals[v][1], -2.0F / length, 1e-6F);
        EXPECT_NEAR(mesh.normals[v][2] + mesh.morphs[0].normals[v][2], 1.0F / length, 1e-6F);
    }
}

TEST(ImportMorphs, VerticesThatTargetsMoveApartAreNotWelded) {
    GltfBuilder builder;
    const std::vector<float> square{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0};
    std::vector<float> added(18, 0.0F);
    added[9] = 0.5F;  // of the first corner of the second triangle alone
    const int mesh = builder.mesh({{"POSITION", builder.accessor(square, 3, kF32)}});
    morph_primitive(builder)["targets"] = {{{"POSITION", builder.accessor(added, 3, kF32)}}};
    builder.node({{"mesh", mesh}});
    const auto vertices = [&] {
        return mesh::decode(mesh::mesh_view(encoded_morphs(builder).geometry, 0)).positions.size();
    };
    EXPECT_EQ(vertices(), 5U) << "of the diagonal's corners one is shared, one is not";
    morph_primitive(builder).erase("targets");
    EXPECT_EQ(vertices(), 4U);
}

TEST(ImportMorphs, NormalsOfAnyLengthTurnAsTheyWould) {
    GltfBuilder builder = morphing_triangle();
    morph_primitive(builder)["attributes"]["NORMAL"] = builder.accessor<float>({0, 0, 2, 0, 0, 1, 0, 0, 1}, 3, kF32);
    const ImportedScene scene = import_gltf(builder.write_glb("a.glb"));
    EXPECT_EQ(only_mesh(scene).normals[0], (Vec3{0, 0, 1}));
    EXPECT_EQ(only_mesh(scene).morphs[0].normals[0], (Vec3{0.25F, 0, 0}));
}

struct WrongMorphs {
    const char* name;
    const char* part;
    void (*change)(GltfBuilder&);
};

TEST(ImportMorphs, WhatIsWrongIsNamed) {
    const WrongMorphs wrong[] = {
        {"target", "meshes[0].primitives[0].targets[1]: must be an object of indices",
         [](GltfBuilder& b) { morph_primitive(b)["targets"][1] = 4; }},
        {"index", "meshes[0].primitives[0].targets[1].POSITION: is 99",
         [](GltfBuilder& b) { morph_primitive(b)["targets"][1]["POSITION"] = 99; }},
        {"count", "meshes[0].primitives[0].targets[1].POSITION: has 2 elements, but POSITION has 3",
         [](GltfBuilder& b) {
             morph_primitive(b)["targets"][1]["POSITION"] = b.accessor<float>({0, 0, 0, 1, 1, 1}, 3, kF32);
         }},
        {"components", "must be VEC3 for a morph target",
         [](GltfBuilder& b) {
             morph_primitive(b)["targets"][1]["POSITION"] = b.accessor<float>({0, 0, 1, 1, 2, 2}, 2, kF32);
         }},
        {"finite", "meshes[0].primitives[0].targets[0].POSITION: component 2 of element 1 is infinite",
         [](GltfBuilder& b) {
             morph_primitive(b)["targets"][0]["POSITION"] =
                 b.accessor<float>({0, 0, 0, 0, 0, INFINITY, 0, 0, 0}, 3, kF32);
         }},
        {"weights", "meshes[0].weights: has 3 numbers for 2 morph targets",
         [](GltfBuilder& b) {
             b.root["meshes"][0]["weights"] = {1, 2, 3};
         }},
        {"primitives", "meshes[0].primitives[1].targets: are 0, but primitives[0] has 2",
         [](GltfBuilder& b) {
             b.root["meshes"][0]["primitives"].push_back(morph_primitive(b));
             b.root["meshes"][0]["primitives"][1].erase("targets");
         }},
        {"channel", "has 3 elements for 2 keys of 2 morph targets",
         [](GltfBuilder& b) {
             animate_weights(b, {0, 1}, {0, 1, 2});
         }},
    };
    for (const WrongMorphs& bad : wrong) {
        GltfBuilder builder = morphing_triangle();
        bad.change(builder);
        const std::string message = import_error(builder.write_glb("a.glb"));
        EXPECT_NE(message.find(bad.part), std::string::npos) << bad.name << ": " << message;
    }
}

TEST(ImportMorphs, TargetsThatNameMoreThanTheFileHoldsAreRefused) {
    GltfBuilder builder = sphere_gltf(60, 60);
    json targets = json::array();
    for (int t = 0; t < 3000; ++t) targets.push_back(json::object());
    morph_primitive(builder)["targets"] = targets;
    const std::string message = import_error(builder.write_glb("a.glb"));
    EXPECT_NE(message.find("out of all proportion"), std::string::npos) << message;
}

TEST(ImportMorphs, WhatIsIgnoredIsNoted) {
    GltfBuilder builder = morphing_triangle();
    morph_primitive(builder)["targets"][0]["COLOR_0"] = morph_primitive(builder)["targets"][0]["POSITION"];
    morph_primitive(builder)["targets"][0]["TANGENT"] = morph_primitive(builder)["targets"][0]["NORMAL"];
    const ImportedScene scene = import_gltf(builder.write_glb("a.glb"));
    EXPECT_TRUE(has_note(scene, "what else they have is ignored"));
    EXPECT_TRUE(has_note(scene, "ignored where the mesh has none"));

    GltfBuilder still = GltfBuilder::triangle();
    still.root["meshes"][0]["weights"] = {1};
    still.root["nodes"][0]["weights"] = {1};
    animate_weights(still, {0, 1}, {0, 1});
    const ImportedScene plain = import_gltf(still.write_glb("b.glb"));
    EXPECT_TRUE(has_note(plain, "weights of meshes without morph targets"));
    EXPECT_TRUE(has_note(plain, "weights of nodes without morph targets"));
    EXPECT_TRUE(has_note(plain, "animations of the weights of nodes"));
    EXPECT_TRUE(plain.scene.animations.empty() && plain.scene.nodes[0].weights.empty());
    EXPECT_TRUE(plain.groups[0].weights.empty());
}

TEST(MorphWeights, FollowTheirChannels) {
    GltfBuilder builder = morphing_triangle();
    builder.node({{"mesh", 0}, {"weights", {0.5, 0.75}}});
    animate_weights(builder, {0, 1, 2}, {0, 1, 1, 0, 0.5F, 0.5F});
    animate_weights(builder, {0, 1}, {0, 8, 4, 8}, "STEP");
    // In-tangents, values, out-tangents, of both targets each.
    animate_weights(builder, {0, 2}, {0, 0, 1, 2, 3, -1, 0, 1, 5, 6, 0, 0}, "CUBICSPLINE");
    const EncodedScene encoded = encoded_morphs(builder);
    const Scene& scene = encoded.scene;
    const auto at = [&](std::size_t animation, double time) {
        return morph_weights(scene, 0, std::vector<std::size_t>{animation}, time);
    };
    using Weights = std::vector<float>;
    EXPECT_EQ(morph_weights(scene, 0, {}, 0.5), (Weights{0.25F, 0}));
    EXPECT_EQ(morph_weights(scene, 1, {}, 0.5), (Weights{0.5F, 0.75F}));
    EXPECT_EQ(at(0, 0.25), (Weights{0.25F, 0.75F}));
    EXPECT_EQ(at(0, 1.5), (Weights{0.75F, 0.25F}));
    EXPECT_EQ(at(0, 2.25), (Weights{0.25F, 0.75F})) << "it loops";
    EXPECT_EQ(at(1, 0.9), (Weights{0, 8}));
    const Weights cubic = at(2, 0.5);
    // The Hermite spline of the specification, at t = 0.25 of two seconds.
    const double t = 0.25;
    const double h0 = 2 * t * t * t - 3 * t * t + 1;
    const double h1 = t * t * t - 2 * t * t + t;
    const double h2 = -2 * t * t * t + 3 * t * t;
    const double h3 = t * t * t - t * t;
    EXPECT_NEAR(cubic[0], h0 * 1 + 2 * h1 * 3 + h2 * 5 + 2 * h3 * 0, 1e-6);
    EXPECT_NEAR(cubic[1], h0 * 2 + 2 * h1 * -1 + h2 * 6 + 2 * h3 * 1, 1e-6);
    // The first that plays counts, and nodes take what plays.
    const std::vector<std::size_t> all{0, 1, 2};
    EXPECT_EQ(played_weights(scene, all).size(), 1U);
    EXPECT_TRUE(played_channels(scene, all).empty());
    std::vector<Node> nodes = scene.nodes;
    pose_nodes(nodes, scene, all, 0.25);
    EXPECT_EQ(nodes[0].weights, (Weights{0.25F, 0.75F}));
    EXPECT_EQ(nodes[1].weights, (Weights{0.5F, 0.75F}));
}

// Two meshes of one group, of which targets move one; names for one target; a node with weights of its own.
GltfBuilder morphing_scene() {
    GltfBuilder builder = morphing_triangle();
    json still = morph_primitive(builder);
    still["material"] = 0;
    builder.root["materials"] = json::array({json::object()});
    const int nothing = builder.accessor<float>(std::vector<float>(9, 0.0F), 3, kF32);
    still["targets"] = {{{"POSITION", nothing}}, {{"POSITION", nothing}}};
    builder.root["meshes"][0]["primitives"].push_back(still);
    builder.root["meshes"][0]["extras"]["targetNames"] = {"lift", 7};
    builder.node({{"mesh", 0}, {"weights", {0.5, -1}}});
    animate_weights(builder, {0, 1}, {0, 1, 1, 0});
    return builder;
}

TEST(MorphFiles, ComeBackFromSubletAndGlb) {
    const EncodedScene once = encoded_morphs(morphing_scene());
    ASSERT_EQ(once.geometry.morphs.size(), 1U) << "what no target moves needs no record";
    write_sublet(test_path("a.sublet"), once);
    const EncodedScene opened = open_sublet(test_path("a.sublet"));
    EXPECT_TRUE(mesh::test::same_geometry(once.geometry, opened.geometry));
    export_glb(test_path("b.glb"), opened);
    const EncodedScene twice = encode_file(test_path("b.glb"));
    EXPECT_TRUE(mesh::test::same_geometry(once.geometry, twice.geometry));
    for (const EncodedScene* scene : {&opened, &twice}) {
        EXPECT_EQ(scene->scene.mesh_groups[0].weights, (std::vector<float>{0.25F, 0}));
        EXPECT_EQ(scene->scene.mesh_groups[0].target_names, (std::vector<std::string>{"lift", ""}));
        EXPECT_TRUE(scene->scene.nodes[0].weights.empty());
        EXPECT_EQ(scene->scene.nodes[1].weights, (std::vector<float>{0.5F, -1}));
        ASSERT_EQ(scene->scene.animations.size(), 1U);
        EXPECT_EQ(scene->scene.animations[0].channels[0].path, AnimationPath::kWeights);
        EXPECT_EQ(scene->scene.animations[0].channels[0].values, (std::vector<float>{0, 1, 1, 0}));
        EXPECT_TRUE(scene->notes.empty());
    }
}

TEST(MorphFiles, AreBakedInAPose) {
    EncodedScene scene = encoded_morphs(morphing_scene());
    pose_nodes(scene.scene.nodes, Scene(scene.scene), std::vector<std::size_t>{0}, 0.25);
    scene.scene.animations.clear();
    export_glb(test_path("pose.glb"), scene, {.bake_pose = true});
    const ImportedScene baked = import_gltf(test_path("pose.glb"));
    ASSERT_EQ(baked.groups.size(), 2U) << "one for each node's weights";
    for (std::size_t n = 0; n < 2; ++n) {
        const Node& node = baked.scene.nodes[n];
        EXPECT_TRUE(node.weights.empty());
        const SourceMeshGroup& group = baked.groups[static_cast<std::size_t>(node.mesh_group)];
        EXPECT_TRUE(group.weights.empty() && group.meshes[0].morphs.empty());
        mesh::MeshArrays expected = mesh::decode(mesh::mesh_view(scene.geometry, 0));
        const std::vector<float> weights = n == 0 ? std::vector<float>{0.25F, 0.75F} : std::vector<float>{0.5F, -1};
        EXPECT_EQ(scene.scene.nodes[n].weights, weights);
        deform(expected, {}, weights);
        EXPECT_EQ(group.meshes[0].positions, expected.positions);
    }
}

// Files without targets keep their bytes: they have none of the sections.
TEST(MorphFiles, WithoutTargetsHaveNoSections) {
    write_sublet(test_path("plain.sublet"), encoded_morphs(GltfBuilder::triangle()));
    const auto file = mesh::try_open(test_path("plain.sublet"));
    ASSERT_TRUE(file);
    for (const mesh::FileSection& section : file->sections) {
        EXPECT_FALSE(section.type > 0x80000000U + 39 && section.type < 0x80000000U + 50) << section.type;
    }
}

TEST(MorphFiles, WhatIsWrongInTheSceneIsFound) {
    const auto error_with = [](const auto& change) -> std::string {
        EncodedScene scene = encoded_morphs(morphing_scene());
        change(scene.scene);
        write_sublet(test_path("bad.sublet"), scene);
        try {
            (void)open_sublet(test_path("bad.sublet"));
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    };
    const auto expect = [&](const char* part, const auto& change) {
        const std::string found = error_with(change);
        EXPECT_NE(found.find(part), std::string::npos) << "'" << found << "' lacks '" << part << "'";
    };
    EXPECT_EQ(error_with([](Scene&) {}), "");
    expect("meshes[0].morphs.target_count: 2: its mesh group has 3", [](Scene& s) {
        s.mesh_groups[0].weights.push_back(1);
        s.mesh_groups[0].target_names.emplace_back();
        s.nodes[1].weights.push_back(0);
        s.animations.clear();
    });
    expect("weight", [](Scene& s) { s.mesh_groups[0].weights[1] = INFINITY; });
    expect("node_weights[0].node", [](Scene& s) { s.nodes[1].weights.pop_back(); });
    expect("node_weights[1].weight", [](Scene& s) { s.nodes[1].weights[1] = NAN; });
    expect("node_weights[0].node", [](Scene& s) { s.nodes[1].mesh_group = -1; });
    expect("channels[0].value_count", [](Scene& s) { s.animations[0].channels[0].values.pop_back(); });
    expect("channels[0].path", [](Scene& s) { s.nodes[0].mesh_group = -1; });
}

TEST(ImportMorphs, DecodingTakesNoMoreThanItMay) {
    const EncodedScene scene = encoded_morphs(morphing_triangle());
    try {
        export_glb(test_path("a.glb.glb"), scene, {.most_decoding = 100});
        ADD_FAILURE() << "two targets of three vertices take more than 100 bytes";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("mesh 0: its 2 morph targets may take 288 bytes"), std::string::npos)
            << error.what();
    }
    EXPECT_FALSE(std::filesystem::exists(test_path("a.glb.glb")));
    export_glb(test_path("a.glb.glb"), scene, {.most_decoding = 288});
}

}  // namespace
}  // namespace sublet::scene::testing
