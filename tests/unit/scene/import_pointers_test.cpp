// KHR_animation_pointer: pointers to what channels can name play as channels do, others are told of.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "gltf_builder.h"
#include "scene/import.h"

namespace sublet::scene::testing {
namespace {

// A triangle that two keys of its first node's rotation turn, by a pointer.
GltfBuilder pointing(const json& pointer) {
    GltfBuilder builder = GltfBuilder::triangle();
    const int times = builder.accessor<float>({0, 1}, 1, kF32);
    const int values = builder.accessor<float>({0, 0, 0, 1, 0, 1, 0, 0}, 4, kF32);
    json channel{{"sampler", 0}, {"target", {{"path", "pointer"}}}};
    channel["target"]["extensions"]["KHR_animation_pointer"]["pointer"] = pointer;
    builder.root["animations"] = json::array(
        {{{"samplers", json::array({{{"input", times}, {"output", values}}})}, {"channels", json::array({channel})}}});
    builder.root["extensionsUsed"] = {"KHR_animation_pointer"};
    return builder;
}

TEST(AnimationPointers, NodesPlayAsByChannels) {
    const ImportedScene pointed = import_gltf(pointing("/nodes/0/rotation").write_glb("a.glb"));
    EXPECT_TRUE(pointed.notes.empty());
    GltfBuilder plain = pointing("/nodes/0/rotation");
    plain.root["animations"][0]["channels"][0]["target"] = {{"node", 0}, {"path", "rotation"}};
    const ImportedScene expected = import_gltf(plain.write_glb("b.glb"));
    ASSERT_EQ(pointed.scene.animations.size(), 1U);
    ASSERT_EQ(pointed.scene.animations[0].channels.size(), 1U);
    const AnimationChannel& is = pointed.scene.animations[0].channels[0];
    const AnimationChannel& to = expected.scene.animations.at(0).channels.at(0);
    EXPECT_EQ(is.node, to.node);
    EXPECT_EQ(is.path, AnimationPath::kRotation);
    EXPECT_EQ(is.times, to.times);
    EXPECT_EQ(is.values, to.values);
}

TEST(AnimationPointers, OneNoteSaysWhichOthersAreIgnored) {
    GltfBuilder builder = pointing("/materials/0/extensions/KHR_materials_sheen/sheenColorFactor");
    const auto add = [&](const char* pointer) {
        json more = builder.root["animations"][0]["channels"][0];
        more["target"]["extensions"]["KHR_animation_pointer"]["pointer"] = pointer;
        builder.root["animations"][0]["channels"].push_back(more);
    };
    for (const char* const pointer : {"/cameras/12/perspective/yfov", "/cameras/3/perspective/yfov", "nonsense",
                                      "/nodes/0/name", "/materials/0/normalTexture/scale"}) {
        add(pointer);
    }
    json without = builder.root["animations"][0]["channels"][0];
    without["target"].erase("extensions");
    builder.root["animations"][0]["channels"].push_back(without);
    builder.root["materials"] = json::array({json::object()});
    builder.root["extensionsRequired"] = {"KHR_animation_pointer"};
    const ImportedScene imported = import_gltf(builder.write_glb("a.glb"));
    EXPECT_TRUE(imported.scene.animations.empty());
    EXPECT_EQ(imported.notes,
              (std::vector<std::string>{
                  "KHR_animation_pointer: animations of /cameras/*/perspective/yfov, "
                  "/materials/*/extensions/KHR_materials_sheen/sheenColorFactor, /materials/*/normalTexture/scale, "
                  "/nodes/*/name, nonsense, nothing are ignored; those of nodes, of lights, and of materials' main "
                  "factors and texture transforms, play"}));
}

TEST(AnimationPointers, NodesThatAreNotThereAreErrors) {
    const char* const field = "animations[0].channels[0].target.extensions.KHR_animation_pointer.pointer";
    for (const char* const pointer :
         {"/nodes/7/rotation", "/nodes//scale", "/nodes/-1/scale", "/nodes/12345678901/weights"}) {
        const std::string error = import_error(pointing(pointer).write_glb("a.glb"));
        EXPECT_NE(error.find(field), std::string::npos) << error;
        EXPECT_NE(error.find("must name one of the 1 nodes"), std::string::npos) << error;
    }
    EXPECT_NE(import_error(pointing(3).write_glb("a.glb")).find(field), std::string::npos);
    GltfBuilder material = pointing("/materials/1/alphaCutoff");
    material.root["materials"] = json::array({json::object()});
    EXPECT_NE(import_error(material.write_glb("a.glb")).find("must name one of the 1 materials"), std::string::npos);
    EXPECT_NE(import_error(pointing("/nodes/1/extensions/KHR_node_visibility/visible").write_glb("a.glb")).find(field),
              std::string::npos);
    GltfBuilder without = pointing("");
    without.root["animations"][0]["channels"][0]["target"]["extensions"]["KHR_animation_pointer"] = json::object();
    EXPECT_NE(import_error(without.write_glb("a.glb")).find(field), std::string::npos);
}

}  // namespace
}  // namespace sublet::scene::testing
