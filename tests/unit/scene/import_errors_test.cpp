// What bad glTF gets: one line that names file, field and value.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <functional>
#include <limits>

#include "../base/this_system.h"
#include "base/error.h"
#include "gltf_builder.h"
#include "scene/import.h"

namespace sublet::scene::testing {
namespace {

struct BadDocument {
    const char* name;
    const char* field;  // both must be in the message
    const char* message;
    std::function<void(GltfBuilder&)> spoil;
};

class ImportErrors : public ::testing::TestWithParam<BadDocument> {};

TEST_P(ImportErrors, NamesFieldAndValue) {
    GltfBuilder builder = GltfBuilder::triangle();
    ASSERT_NO_THROW((void)import_gltf(builder.write_glb("good.glb")));
    GetParam().spoil(builder);
    for (const auto& path : {builder.write_glb("bad.glb"), builder.write_gltf("bad.gltf", false)}) {
        const std::string message = import_error(path);
        EXPECT_NE(message.find(GetParam().field), std::string::npos) << message;
        EXPECT_NE(message.find(GetParam().message), std::string::npos) << message;
    }
}

json& primitive(GltfBuilder& builder) {
    return builder.root["meshes"][0]["primitives"][0];
}

// A skin of node 0 alone, on the mesh; without matrices where there are none.
void add_skin(GltfBuilder& builder, int joints, const std::vector<float>& matrices) {
    json skin{{"joints", json::array()}};
    for (int j = 0; j < joints; ++j) skin["joints"].push_back(0);
    if (!matrices.empty()) skin["inverseBindMatrices"] = builder.accessor(matrices, 16, kF32);
    builder.root["skins"] = json::array({skin});
    builder.root["nodes"][0]["skin"] = 0;
}

// One for each vertex of the triangle, and a skin of one joint.
void add_influences(GltfBuilder& builder, std::array<std::uint8_t, 3> joint, std::array<float, 3> weight) {
    add_skin(builder, 1, {});
    std::vector<std::uint8_t> joints(12, 0);
    std::vector<float> weights(12, 0.0F);
    for (std::size_t v = 0; v < 3; ++v) {
        joints[v * 4] = joint[v];
        weights[v * 4] = weight[v];
    }
    primitive(builder)["attributes"]["JOINTS_0"] = builder.accessor(joints, 4, kU8);
    primitive(builder)["attributes"]["WEIGHTS_0"] = builder.accessor(weights, 4, kF32);
}

const BadDocument kBadDocuments[] = {
    {"no_asset", "asset", "is missing", [](auto& b) { b.root.erase("asset"); }},
    {"old_version", "asset.version", "\"1.0\"", [](auto& b) { b.root["asset"]["version"] = "1.0"; }},
    {"required_extension", "extensionsRequired", "EXT_future",
     [](auto& b) { b.root["extensionsRequired"] = {"EXT_future"}; }},
    {"wrong_type", "nodes[0].mesh", "\"first\"", [](auto& b) { b.root["nodes"][0]["mesh"] = "first"; }},
    {"nodes_not_array", "nodes", "an object",
     [](auto& b) {
         b.root["nodes"] = {{"a", 1}};
     }},
    {"node_not_object", "nodes[0]", "must be an object", [](auto& b) { b.root["nodes"][0] = 7; }},
    {"mesh_index", "nodes[0].mesh", "is 5, but the file has 1 meshes", [](auto& b) { b.root["nodes"][0]["mesh"] = 5; }},
    {"negative_index", "nodes[0].mesh", "-1", [](auto& b) { b.root["nodes"][0]["mesh"] = -1; }},
    {"huge_index", "nodes[0].mesh", "4294967296", [](auto& b) { b.root["nodes"][0]["mesh"] = 4294967296; }},
    {"accessor_index", "meshes[0].primitives[0].attributes.POSITION", "is 99",
     [](auto& b) { primitive(b)["attributes"]["POSITION"] = 99; }},
    {"scene_index", "scene", "is 3", [](auto& b) { b.root["scene"] = 3; }},
    {"short_matrix", "nodes[0].matrix", "must have 16",
     [](auto& b) {
         b.root["nodes"][0]["matrix"] = {1, 2, 3};
     }},
    {"huge_number", "nodes[0].translation[1]", "1e+300",
     [](auto& b) {
         b.root["nodes"][0]["translation"] = {0, 1e300, 0};
     }},
    {"projective_matrix", "nodes[0].matrix", "not affine",
     [](auto& b) { b.root["nodes"][0]["matrix"] = {1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}; }},
    {"overflowing_transform", "nodes[1]", "beyond single precision",
     [](auto& b) {
         b.root["nodes"][0]["scale"] = {1e30, 1e30, 1e30};
         b.root["nodes"][0]["children"] = {1};
         b.root["nodes"].push_back({{"scale", {1e30, 1e30, 1e30}}, {"mesh", 0}});
     }},
    {"cycle", "nodes[0].children", "cycle",
     [](auto& b) {
         b.root["nodes"].push_back({{"children", {0}}});
         b.root["nodes"][0]["children"] = {1};
     }},
    {"self_cycle", "nodes[0].children", "cycle", [](auto& b) { b.root["nodes"][0]["children"] = {0}; }},
    {"unreachable_cycle", "nodes[1].children", "cycle",
     [](auto& b) {
         b.root["nodes"].push_back({{"children", {2}}});
         b.root["nodes"].push_back({{"children", {1}}});
     }},
    {"two_parents", "nodes[2].children[0]", "child of node 1",
     [](auto& b) {
         b.root["nodes"].push_back({{"children", {3}}});
         b.root["nodes"].push_back({{"children", {3}}});
         b.root["nodes"].push_back(json::object());
     }},
    {"empty_scene", "scene", "no triangles", [](auto& b) { b.root["scenes"][0]["nodes"] = json::array(); }},
    {"no_meshes", "scene", "no triangles", [](auto& b) { b.root["nodes"][0].erase("mesh"); }},
    {"points_alone", "meshes[0].primitives[0].mode", "is 0 (points): the scene has points and lines alone",
     [](auto& b) { primitive(b)["mode"] = 0; }},
    {"line_strips_alone", "meshes[0].primitives[0].mode", "is 3 (a line strip): the scene has points and lines alone",
     [](auto& b) { primitive(b)["mode"] = 3; }},
    {"unknown_mode", "meshes[0].primitives[0].mode", "is 7", [](auto& b) { primitive(b)["mode"] = 7; }},
    {"index_out_of_range", "meshes[0].primitives[0].indices", "element 2 is 3, but POSITION has 3 vertices",
     [](auto& b) {
         primitive(b)["indices"] = b.template accessor<std::uint16_t>({0, 1, 3}, 1, kU16);
     }},
    {"float_indices", "componentType", "5126",
     [](auto& b) {
         primitive(b)["indices"] = b.template accessor<float>({0, 1, 2}, 1, kF32);
     }},
    {"vector_indices", "type", "SCALAR",
     [](auto& b) {
         primitive(b)["indices"] = b.template accessor<std::uint16_t>({0, 1, 2, 0}, 2, kU16);
     }},
    {"position_type", "type", "VEC3",
     [](auto& b) {
         primitive(b)["attributes"]["POSITION"] = b.template accessor<float>({0, 1, 2, 3}, 2, kF32);
     }},
    {"unequal_counts", "attributes.NORMAL", "has 2 elements, but POSITION has 3",
     [](auto& b) {
         primitive(b)["attributes"]["NORMAL"] = b.template accessor<float>({0, 0, 1, 0, 0, 1}, 3, kF32);
     }},
    {"nan_position", "attributes.POSITION", "component 1 of element 2 is not a number",
     [](auto& b) {
         const float nan = std::numeric_limits<float>::quiet_NaN();
         primitive(b)["attributes"]["POSITION"] = b.template accessor<float>({0, 0, 0, 1, 0, 0, 0, nan, 0}, 3, kF32);
     }},
    {"infinite_position", "attributes.POSITION", "component 0 of element 1 is infinite",
     [](auto& b) {
         const float infinity = std::numeric_limits<float>::infinity();
         primitive(b)["attributes"]["POSITION"] =
             b.template accessor<float>({0, 0, 0, -infinity, 0, 0, 0, 1, 0}, 3, kF32);
     }},
    {"nan_uv", "attributes.TEXCOORD_0", "not a number",
     [](auto& b) {
         const float nan = std::numeric_limits<float>::quiet_NaN();
         primitive(b)["attributes"]["TEXCOORD_0"] = b.template accessor<float>({0, 0, 0, 0, nan, 0}, 2, kF32);
     }},
    {"accessor_past_view", "accessors[0]", "leave bufferViews[0]",
     [](auto& b) { b.root["accessors"][0]["count"] = 4; }},
    {"accessor_offset", "accessors[0]", "leave bufferViews[0]",
     [](auto& b) { b.root["accessors"][0]["byteOffset"] = 4; }},
    {"absurd_count", "accessors[0]", "leave bufferViews[0]",
     [](auto& b) { b.root["accessors"][0]["count"] = 4000000000; }},
    {"beyond_64_bits", "accessors[0].count", "not negative", [](auto& b) { b.root["accessors"][0]["count"] = 1e30; }},
    {"fractional_count", "accessors[0].count", "2.5", [](auto& b) { b.root["accessors"][0]["count"] = 2.5; }},
    {"negative_float", "nodes[0].mesh", "-1.0", [](auto& b) { b.root["nodes"][0]["mesh"] = -1.0; }},
    {"huge_mode", "meshes[0].primitives[0].mode", "4294967300", [](auto& b) { primitive(b)["mode"] = 4294967300; }},
    {"huge_sparse_count", "accessors[0].sparse.count", "4294967295",
     [](auto& b) {
         b.root["accessors"][0]["sparse"] = {{"count", 4294967295},
                                             {"indices", {{"bufferView", 2}, {"componentType", kU16}}},
                                             {"values", {{"bufferView", 0}}}};
     }},
    {"beyond_32_bits", "accessors[0].count", "9007199254740992",
     [](auto& b) { b.root["accessors"][0]["count"] = 9007199254740992; }},
    {"overflowing_offset", "accessors[0]", "leave bufferViews[0]",
     [](auto& b) { b.root["accessors"][0]["byteOffset"] = 9007199254740992; }},
    {"component_type", "accessors[0].componentType", "5124",
     [](auto& b) { b.root["accessors"][0]["componentType"] = 5124; }},
    {"accessor_type", "type", "VEC9", [](auto& b) { b.root["accessors"][0]["type"] = "VEC9"; }},
    {"view_past_buffer", "bufferViews[0]", "buffers[0], which has",
     [](auto& b) { b.root["bufferViews"][0]["byteLength"] = 100000; }},
    {"view_offset", "bufferViews[0]", "buffers[0], which has",
     [](auto& b) { b.root["bufferViews"][0]["byteOffset"] = 9007199254740000; }},
    {"stride_too_small", "bufferViews[0].byteStride", "is 4, less than",
     [](auto& b) { b.root["bufferViews"][0]["byteStride"] = 4; }},
    {"buffer_past_file", "buffers[0].byteLength", "truncated",
     [](auto& b) { b.root["buffers"][0]["byteLength"] = 100000; }},
    {"absurd_buffer", "buffers[0].byteLength", "9007199254740992",
     [](auto& b) { b.root["buffers"][0]["byteLength"] = 9007199254740992; }},
    {"zeros_without_end", "count", "without a bufferView",
     [](auto& b) {
         b.root["accessors"][0].erase("bufferView");
         b.root["accessors"][0]["count"] = 2000000000;
     }},
    {"image_of_nothing", "images[0]", "neither uri nor bufferView",
     [](auto& b) {
         b.root["images"] = json::array({json::object()});
         b.root["textures"] = json::array({{{"source", 0}}});
         b.root["materials"] = json::array({{{"emissiveTexture", {{"index", 0}}}}});
     }},
    {"sampler_filter", "samplers[0].minFilter", "is 12",
     [](auto& b) {
         b.root["samplers"] = {{{"minFilter", 12}}};
     }},
    {"camera_type", "JSON", "fisheye",
     [](auto& b) {
         b.root["cameras"] = {{{"type", "fisheye"}}};
     }},
    {"skin_without_joints", "skins[0].joints", "is empty",
     [](auto& b) {
         b.root["skins"] = json::array({{{"joints", json::array()}}});
         b.root["nodes"][0]["skin"] = 0;
     }},
    {"skin_of_few_matrices", "skins[0].inverseBindMatrices", "has 1 matrices for 2",
     [](auto& b) {
         const int matrices = b.accessor(std::vector<float>(16, 1.0F), 16, kF32);
         b.root["nodes"].push_back(json::object());
         b.root["skins"] = json::array({{{"joints", {0, 1}}, {"inverseBindMatrices", matrices}}});
         b.root["nodes"][0]["skin"] = 0;
     }},
    {"skin_matrix_not_finite", "skins[0].inverseBindMatrices", "not finite",
     [](auto& b) { add_skin(b, 1, std::vector<float>(16, std::numeric_limits<float>::infinity())); }},
    {"skin_matrix_of_vectors", "skins[0].inverseBindMatrices", "must be MAT4",
     [](auto& b) {
         add_skin(b, 1, {});
         b.root["skins"][0]["inverseBindMatrices"] = 0;
     }},
    {"skin_beyond_floats", "skins[0].inverseBindMatrices", "element 0 takes what its joint moves beyond",
     [](auto& b) {
         add_skin(b, 1, std::vector<float>(16, 1e30F));
         b.root["nodes"][0]["scale"] = {1e20, 1e20, 1e20};
     }},
    {"joint_out_of_range", "meshes[0].primitives[0].attributes.JOINTS_0", "vertex 2 names joint 9, but its skin has 1",
     [](auto& b) {
         add_influences(b, {0, 0, 9}, {1, 1, 0.5F});
     }},
    {"joint_of_the_second_set", "meshes[0].primitives[0].attributes.JOINTS_1",
     "vertex 1 names joint 7, but its skin has 1",
     [](auto& b) {
         add_influences(b, {0, 0, 0}, {1, 1, 1});
         const json& first = primitive(b)["attributes"];
         primitive(b)["attributes"]["WEIGHTS_1"] = first["WEIGHTS_0"];
         primitive(b)["attributes"]["JOINTS_1"] =
             b.template accessor<std::uint8_t>({0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0}, 4, kU8);
     }},
    {"joint_of_another_skin", "meshes[0].primitives[0].attributes.JOINTS_0",
     "vertex 0 names joint 1, but its skin has 1",
     [](auto& b) {
         add_influences(b, {1, 0, 0}, {1, 1, 1});
         b.root["nodes"].push_back({{"mesh", 0}, {"skin", 1}});
         b.root["scenes"][0]["nodes"].push_back(1);
         b.root["skins"].push_back(b.root["skins"][0]);
         b.root["skins"][0]["joints"] = {0, 1};
     }},
    {"joint_beyond_16_bits", "meshes[0].primitives[0].attributes.JOINTS_0", "vertex 1 names joint 65536",
     [](auto& b) {
         add_influences(b, {0, 0, 0}, {1, 1, 1});
         std::vector<std::uint32_t> joints(12, 0);
         joints[4] = 65536;
         primitive(b)["attributes"]["JOINTS_0"] = b.accessor(joints, 4, kU32);
     }},
    {"weight_not_a_number", "meshes[0].primitives[0].attributes.WEIGHTS_0", "component 0 of element 1 is not a number",
     [](auto& b) {
         add_influences(b, {0, 0, 0}, {1, std::numeric_limits<float>::quiet_NaN(), 1});
     }},
    {"weight_infinite", "meshes[0].primitives[0].attributes.WEIGHTS_0", "component 0 of element 2 is infinite",
     [](auto& b) {
         add_influences(b, {0, 0, 0}, {1, 1, std::numeric_limits<float>::infinity()});
     }},
    {"descending_times", "animations[0].samplers[0].input", "key 1 does not ascend",
     [](auto& b) {
         const int times = b.template accessor<float>({1, 0}, 1, kF32);
         const int values = b.accessor(std::vector<float>(6, 0.0F), 3, kF32);
         b.root["animations"] = json::array(
             {{{"samplers", json::array({{{"input", times}, {"output", values}}})},
               {"channels", json::array({{{"sampler", 0}, {"target", {{"node", 0}, {"path", "translation"}}}}})}}});
     }},
    {"channel_sampler", "animations[0].channels[0].sampler", "is 4",
     [](auto& b) {
         b.root["animations"] = json::array(
             {{{"samplers", json::array()},
               {"channels", json::array({{{"sampler", 4}, {"target", {{"node", 0}, {"path", "translation"}}}}})}}});
     }},
    {"amplified_materials", "primitives[", "out of all proportion",
     [](auto& b) {
         // The same, of one index array that differs in its material alone.
         json copy = primitive(b);
         copy["indices"] = b.accessor(std::vector<std::uint32_t>(30000, 1), 1, kU32);
         for (int i = 0; i < 1000; ++i) {
             copy["material"] = i;
             b.root["materials"].push_back(json::object());
             b.root["meshes"][0]["primitives"].push_back(copy);
         }
     }},
    {"overlapping_images", "images[1]", "all that was read has",
     [](auto& b) {
         // Two views of almost all of the file each.
         std::vector<std::byte> bytes(100'000);
         for (const std::size_t at : {0U, 8U}) std::memcpy(&bytes[at], "\x89PNG\r\n\x1A\n", 8);
         const int whole = b.view(bytes);
         json part = b.root["bufferViews"][static_cast<std::size_t>(whole)];
         part["byteOffset"] = part["byteOffset"].template get<std::size_t>() + 8;
         part["byteLength"] = part["byteLength"].template get<std::size_t>() - 8;
         b.root["bufferViews"].push_back(part);
         for (int i = 0; i < 2; ++i) {
             b.root["images"].push_back({{"bufferView", whole + i}});
             b.root["textures"].push_back({{"source", i}});
             b.root["materials"].push_back({{"emissiveTexture", {{"index", i}}}});
         }
     }},
    {"amplified_geometry", "primitives[", "out of all proportion",
     [](auto& b) {
         // Many glTF primitives of one index array: a small file that would become terabytes.
         const std::vector<std::uint32_t> list(30000, 1);
         const int indices = b.view(std::as_bytes(std::span(list)));
         json copy = primitive(b);
         for (int i = 0; i < 1000; ++i) {
             copy["indices"] = b.accessor_over(indices, 0, 30000, 1, kU32);
             b.root["meshes"][0]["primitives"].push_back(copy);
         }
     }},
};

INSTANTIATE_TEST_SUITE_P(Documents, ImportErrors, ::testing::ValuesIn(kBadDocuments),
                         [](const auto& info) { return std::string(info.param.name); });

// Of each: a second mesh that can't be read, and stands in nobody's way.
TEST(ImportLeavesOut, AMeshThatCantBeRead) {
    struct BadMesh {
        const char* why;
        std::function<void(GltfBuilder&, json&)> spoil;  // the second mesh
    };
    const float infinity = std::numeric_limits<float>::infinity();
    const BadMesh bad[] = {
        {"attributes.NORMAL: has 2 elements, but POSITION has 3",
         [](auto& b, json& mesh) {
             mesh["primitives"][0]["attributes"]["NORMAL"] = b.template accessor<float>({0, 0, 1, 0, 0, 1}, 3, kF32);
         }},
        {"attributes.POSITION: component 0 of element 1 is infinite",
         [&](auto& b, json& mesh) {
             mesh["primitives"][0]["attributes"]["POSITION"] =
                 b.template accessor<float>({0, 0, 0, infinity, 0, 0, 0, 1, 0}, 3, kF32);
         }},
        {"attributes.POSITION: component 0 of element 1 is 1e+35, larger than 2^104",
         [](auto& b, json& mesh) {
             mesh["primitives"][0]["attributes"]["POSITION"] =
                 b.template accessor<float>({0, 0, 0, 1e35F, 0, 0, 0, 1, 0}, 3, kF32);
         }},
        {"indices: element 2 is 3, but POSITION has 3 vertices",
         [](auto& b, json& mesh) {
             mesh["primitives"][0]["indices"] = b.template accessor<std::uint16_t>({0, 1, 3}, 1, kU16);
         }},
        {"mode: is 7; glTF has 0 to 6", [](auto&, json& mesh) { mesh["primitives"][0]["mode"] = 7; }},
        {"targets: are 0, but primitives[0] has 1",
         [](auto&, json& mesh) {
             mesh["primitives"].push_back(mesh["primitives"][0]);
             mesh["primitives"][0]["targets"] = json::array({{{"POSITION", 0}}});
         }},
        {"meshes[1].weights: has 3 numbers for 1 morph targets",
         [](auto&, json& mesh) {
             mesh["primitives"][0]["targets"] = json::array({{{"POSITION", 0}}});
             mesh["weights"] = {1, 2, 3};
         }},
        {"count: is 9007199254740992, more than 32-bit indices reach",
         [](auto& b, json& mesh) {
             const int indices = b.template accessor<std::uint16_t>({0, 1, 2}, 1, kU16);
             b.root["accessors"][static_cast<std::size_t>(indices)]["count"] = 9007199254740992;
             mesh["primitives"][0]["indices"] = indices;
         }},
        {"buffers[1].uri: ",
         [](auto& b, json& mesh) {
             b.root["buffers"].push_back({{"byteLength", 36}, {"uri", "missing.bin"}});
             b.root["bufferViews"].push_back({{"buffer", 1}, {"byteLength", 36}});
             mesh["primitives"][0]["attributes"]["POSITION"] =
                 b.accessor_over(static_cast<int>(b.root["bufferViews"].size()) - 1, 0, 3, 3, kF32);
         }},
    };
    for (const BadMesh& mesh : bad) {
        GltfBuilder builder = GltfBuilder::triangle();
        json second = builder.root["meshes"][0];
        second["name"] = "Wheel";
        mesh.spoil(builder, second);
        builder.root["meshes"].push_back(second);
        builder.node({{"mesh", 1}, {"weights", {1}}});
        const ImportedScene scene = import_gltf(builder.write_glb("a.glb"));
        EXPECT_EQ(only_mesh(scene).indices.size(), 3U) << mesh.why;
        EXPECT_EQ(scene.scene.nodes[0].mesh_group, 0) << mesh.why;
        EXPECT_EQ(scene.scene.nodes[1].mesh_group, -1) << mesh.why;
        EXPECT_TRUE(scene.scene.nodes[1].weights.empty()) << mesh.why;
        EXPECT_TRUE(has_note(scene, "mesh 1 (Wheel) is left out: ")) << mesh.why;
        EXPECT_TRUE(has_note(scene, mesh.why)) << mesh.why << " is not: " << scene.notes.back();
    }
}

TEST(ImportLeavesOut, OnlyTheGltfPrimitiveThatCantBeRead) {
    GltfBuilder builder = GltfBuilder::triangle();
    json bad = primitive(builder);
    bad["indices"] = builder.accessor<std::uint16_t>({0, 1, 3}, 1, kU16);
    builder.root["meshes"][0]["primitives"].push_back(bad);
    const ImportedScene scene = import_gltf(builder.write_glb("a.glb"));
    EXPECT_EQ(only_mesh(scene).indices.size(), 3U);
    EXPECT_TRUE(has_note(scene, "glTF primitive 1 of mesh 0 is left out: meshes[0].primitives[1].indices: element 2"));
}

TEST(ImportLeavesOut, AMeshWhoseJointsItsSkinLacks) {
    GltfBuilder builder = GltfBuilder::triangle();
    builder.root["meshes"].push_back(builder.root["meshes"][0]);
    add_influences(builder, {0, 0, 9}, {1, 1, 1});
    builder.node({{"mesh", 1}});
    const ImportedScene scene = import_gltf(builder.write_glb("a.glb"));
    EXPECT_EQ(scene.groups.size(), 1U);
    EXPECT_EQ(scene.scene.nodes[0].mesh_group, -1);
    EXPECT_EQ(scene.scene.nodes[0].skin, -1);
    EXPECT_EQ(scene.scene.nodes[1].mesh_group, 0);
    EXPECT_TRUE(has_note(scene, "mesh 0 is left out: meshes[0].primitives[0].attributes.JOINTS_0: vertex 2 names"));
}

TEST(ImportLeavesOut, WeightsOfANodeThatAreNotAsMany) {
    GltfBuilder builder = GltfBuilder::triangle();
    primitive(builder)["targets"] = json::array({{{"POSITION", 0}}});
    builder.root["nodes"][0]["weights"] = {1, 2};
    const ImportedScene scene = import_gltf(builder.write_glb("a.glb"));
    EXPECT_TRUE(scene.scene.nodes[0].weights.empty());
    EXPECT_TRUE(has_note(scene, "nodes[0].weights has 2 numbers, but the mesh has 1 morph targets: the mesh's own"));
}

TEST(ImportLeavesOut, AnImageThatIsNotThere) {
    GltfBuilder builder = GltfBuilder::triangle();
    builder.root["bufferViews"].push_back({{"buffer", 0}, {"byteLength", 1000000}});
    builder.root["images"] = json::array({{{"bufferView", 3}, {"mimeType", "image/png"}, {"name", "wood"}}});
    builder.root["textures"] = json::array({{{"source", 0}}});
    builder.root["materials"] = json::array({{{"emissiveTexture", {{"index", 0}}}}});
    const ImportedScene scene = import_gltf(builder.write_glb("a.glb"));
    EXPECT_TRUE(scene.scene.images.empty() && scene.scene.textures.empty());
    EXPECT_TRUE(has_note(scene, "image 0 (wood): bufferViews[3]: takes bytes 0 to 1000000 of buffers[0], which has"));
}

// Nothing is left: the first reason is the error.
TEST(ImportLeavesOut, NoScene) {
    GltfBuilder builder = GltfBuilder::triangle();
    primitive(builder)["mode"] = 9;
    const std::string message = import_error(builder.write_glb("a.glb"));
    EXPECT_TRUE(
        message.ends_with("a.glb: meshes[0].primitives[0].mode: is 9; glTF has 0 to 6; nothing else in the "
                          "scene can be drawn"))
        << message;
}

TEST(ImportErrorsOfFiles, MissingFile) {
    EXPECT_NE(import_error(test_path("nowhere.glb")).find(system_message(test::kNoFile)), std::string::npos);
}

TEST(ImportErrorsOfFiles, Folder) {
    EXPECT_NE(import_error(test_path("x").parent_path()).find("directory"), std::string::npos);
}

TEST(ImportErrorsOfFiles, EmptyFile) {
    write_text(test_path("a.gltf"), "");
    EXPECT_NE(import_error(test_path("a.gltf")).find("empty"), std::string::npos);
}

TEST(ImportErrorsOfFiles, TruncatedAnywhere) {
    const std::vector<std::byte> whole = read_bytes(GltfBuilder::triangle().write_glb("good.glb"));
    for (std::size_t size = 1; size < whole.size(); size += 7) {
        write_bytes(test_path("bad.glb"), std::span(whole).first(size));
        const std::string message = import_error(test_path("bad.glb"));
        if (size >= 4) {
            EXPECT_NE(message.find("truncated"), std::string::npos) << message;
        }
    }
}

TEST(ImportErrorsOfFiles, LyingGlbHeaders) {
    const std::vector<std::byte> whole = read_bytes(GltfBuilder::triangle().write_glb("good.glb"));
    for (const std::size_t offset : {4U, 8U, 12U, 16U, 20U}) {
        for (const std::uint32_t value : {0U, 1U, 0x7FFFFFFFU, 0xFFFFFFFFU}) {
            std::vector<std::byte> bad = whole;
            std::memcpy(&bad[offset], &value, sizeof value);
            write_bytes(test_path("bad.glb"), bad);
            EXPECT_FALSE(import_error(test_path("bad.glb")).empty()) << offset << ' ' << value;
        }
    }
}

TEST(ImportErrorsOfFiles, MissingBuffer) {
    const auto path = GltfBuilder::triangle().write_gltf("a.gltf", false);
    std::filesystem::remove(test_path("a.gltf.bin"));
    const std::string message = import_error(path);
    EXPECT_NE(message.find("buffers[0].uri"), std::string::npos) << message;
    EXPECT_NE(message.find("a.gltf.bin"), std::string::npos) << message;
}

TEST(ImportErrorsOfFiles, TruncatedBuffer) {
    const GltfBuilder builder = GltfBuilder::triangle();
    const auto path = builder.write_gltf("a.gltf", false);
    write_bytes(test_path("a.gltf.bin"), std::span(builder.binary).first(20));
    EXPECT_NE(import_error(path).find("only 20 bytes are there"), std::string::npos);
}

TEST(ImportErrorsOfFiles, UrisThatAreNoRelativePaths) {
    for (const char* uri : {"https://example.org/a.bin", "/etc/passwd", "", "file:///etc/passwd", "a%00.bin"}) {
        GltfBuilder builder = GltfBuilder::triangle();
        builder.root["buffers"][0]["uri"] = uri;
        write_text(test_path("a.gltf"), builder.root.dump());
        EXPECT_NE(import_error(test_path("a.gltf")).find("buffers[0].uri"), std::string::npos) << uri;
    }
}

TEST(ImportErrorsOfFiles, BadBase64) {
    for (const char* data : {"data:application/octet-stream;base64,AAA!", "data:application/octet-stream;base64,AAAAA",
                             "data:;base64,AAA%21", "data:", "DATA:;BASE64"}) {
        GltfBuilder builder = GltfBuilder::triangle();
        builder.root["buffers"][0]["uri"] = data;
        write_text(test_path("a.gltf"), builder.root.dump());
        EXPECT_NE(import_error(test_path("a.gltf")).find("base64"), std::string::npos) << data;
    }
}

TEST(ImportErrorsOfFiles, BufferThatIsAFolderOrAPipe) {
    GltfBuilder builder = GltfBuilder::triangle();
    builder.root["buffers"][0]["uri"] = "..";
    write_text(test_path("a.gltf"), builder.root.dump());
    EXPECT_NE(import_error(test_path("a.gltf")).find("buffers[0].uri"), std::string::npos);
}

TEST(ImportErrorsOfFiles, MalformedJson) {
    const std::string deep(200'000, '[');
    std::string deep_object;
    for (int i = 0; i < 50'000; ++i) deep_object += "{\"a\":";
    for (const std::string& text :
         {std::string("{"), std::string("hello"), std::string("[]"), std::string("{\"asset\": {\"version\": 2}}"),
          std::string("{\"asset\": {\"version\": \"2.0\"}, \"nodes\": [1e999]}"), std::string("{\"a\": \"\xFF\xFE\"}"),
          std::string("\0\0\0\0", 4), std::string("null"), deep, deep_object,
          std::string("{\"asset\": {\"version\": \"2.0\"}, \"extras\": ") + deep}) {
        write_text(test_path("a.gltf"), text);
        EXPECT_FALSE(import_error(test_path("a.gltf")).empty()) << text.substr(0, 40);
    }
}

TEST(ImportErrorsOfFiles, EveryByteOfAGlbChanged) {
    // Nothing but success or an Error may come of it.
    const auto path = GltfBuilder::triangle().write_glb("a.glb");
    const std::vector<std::byte> good = read_bytes(path);
    std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
    for (std::size_t i = 0; i < good.size(); ++i) {
        for (const int flip : {0x01, 0x80, 0xFF, 0x00}) {
            file.seekp(static_cast<std::streamoff>(i));
            file.put(static_cast<char>(good[i] ^ static_cast<std::byte>(flip)));
            file.flush();
            ASSERT_TRUE(file.good());
            try {
                (void)import_gltf(path);
            } catch (const Error&) {
                EXPECT_NE(flip, 0);
            }
        }
    }
}

}  // namespace
}  // namespace sublet::scene::testing
