// KHR_node_visibility: read, kept in the file, and given back.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "gltf_builder.h"
#include "scene/container.h"

namespace sublet::scene::testing {
namespace {

constexpr const char* kNodeVisibility = "KHR_node_visibility";

json node(const char* name, const json& visible = nullptr) {
    json out{{"name", name}, {"mesh", 0}};
    if (!visible.is_null()) out["extensions"][kNodeVisibility] = {{"visible", visible}};
    return out;
}

GltfBuilder four_nodes() {
    GltfBuilder builder = GltfBuilder::triangle();
    builder.root["nodes"] = {node("seen"), node("hidden", false), node("below", true), node("shown", true)};
    builder.root["nodes"][1]["children"] = {2};
    builder.root["scenes"] = json::array({{{"nodes", {0, 1, 3}}}});
    builder.root["extensionsUsed"] = {kNodeVisibility};
    return builder;
}

std::vector<std::string> drawn(const EncodedScene& scene) {
    std::vector<std::string> names;
    for (const Instance& instance : instances(scene, {})) names.push_back(scene.scene.nodes[instance.node].name);
    EXPECT_EQ(instance_count(scene.scene), names.size());
    return names;
}

TEST(Visibility, HidesANodeAndAllBelowIt) {
    const ImportedScene imported = import_gltf(four_nodes().write_glb("a.glb"));
    EXPECT_TRUE(imported.notes.empty());
    EXPECT_EQ(drawn_nodes(imported.scene), (std::vector<char>{1, 0, 0, 1}));
    EXPECT_EQ(drawn(encode_file(test_path("a.glb"))), (std::vector<std::string>{"seen", "shown"}));
    GltfBuilder instanced = four_nodes();
    const int places = instanced.accessor<float>({0, 0, 0, 1, 0, 0}, 3, kF32);
    instanced.root["nodes"][1]["extensions"]["EXT_mesh_gpu_instancing"]["attributes"]["TRANSLATION"] = places;
    EXPECT_EQ(drawn(encode_file(instanced.write_glb("b.glb"))), (std::vector<std::string>{"seen", "shown"}));
}

TEST(Visibility, SurvivesTheFileAndTheWayBack) {
    const EncodedScene first = encode_file(four_nodes().write_glb("a.glb"));
    write_sublet(test_path("a.sublet"), first);
    const EncodedScene opened = open_sublet(test_path("a.sublet"));
    EXPECT_EQ(drawn(opened), drawn(first));
    EXPECT_TRUE(opened.scene.nodes[2].visible) << "only what hangs on it hides it";
    export_glb(test_path("b.glb"), opened);
    EncodedScene again = encode_file(test_path("b.glb"));
    EXPECT_EQ(drawn(again), drawn(first));
    again.info = opened.info;
    write_sublet(test_path("b.sublet"), again);
    EXPECT_EQ(read_bytes(test_path("a.sublet")), read_bytes(test_path("b.sublet")));
}

TEST(Visibility, ABakedSkinStaysHidden) {
    GltfBuilder strip = skinned_strip();
    strip.root["nodes"][0]["extensions"][kNodeVisibility]["visible"] = false;
    export_glb(test_path("b.glb"), encode_file(strip.write_glb("a.glb")), {.bake_pose = true});
    const ImportedScene baked = import_gltf(test_path("b.glb"));
    EXPECT_EQ(instance_count(baked.scene), 0U);
    EXPECT_FALSE(baked.groups.empty());
}

TEST(Visibility, AnythingElseIsAnError) {
    GltfBuilder builder = four_nodes();
    builder.root["nodes"][1]["extensions"][kNodeVisibility]["visible"] = "no";
    EXPECT_NE(import_error(builder.write_glb("a.glb")).find("nodes[1].extensions.KHR_node_visibility.visible"),
              std::string::npos);
}

}  // namespace
}  // namespace sublet::scene::testing
