// glTF as people's files are: sparse accessors, quantisation, instancing, odd names.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>

#include "gltf_builder.h"
#include "meshopt_files.h"
#include "scene/container.h"
#include "scene/import.h"
#include "tests/unit/sanitizer.h"

namespace sublet::scene::testing {
namespace {

using Vec2 = std::array<float, 2>;
using Vec3 = std::array<float, 3>;

json& attributes(GltfBuilder& builder) {
    return builder.root["meshes"][0]["primitives"][0]["attributes"];
}

// --- Sparse accessors, and those without a buffer view

// Makes the positions of the triangle sparse: element 1 becomes (5, 6, 7).
void make_sparse(GltfBuilder& builder, bool with_base) {
    const std::uint16_t at[] = {1};
    const float value[] = {5, 6, 7};
    const int indices = builder.view(std::as_bytes(std::span(at)));
    const int values = builder.view(std::as_bytes(std::span(value)));
    json& accessor = builder.root["accessors"][0];
    accessor["sparse"] = {{"count", 1},
                          {"indices", {{"bufferView", indices}, {"componentType", kU16}}},
                          {"values", {{"bufferView", values}}}};
    if (!with_base) accessor.erase("bufferView");
}

TEST(ImportSparse, ReplacesElements) {
    GltfBuilder builder = GltfBuilder::triangle();
    make_sparse(builder, true);
    EXPECT_EQ(only_mesh(import_gltf(builder.write_glb("a.glb"))).positions,
              (std::vector<Vec3>{{0, 0, 0}, {5, 6, 7}, {0, 1, 0}}));
}

TEST(ImportSparse, StartsFromZerosWithoutABufferView) {
    GltfBuilder builder = GltfBuilder::triangle();
    make_sparse(builder, false);
    EXPECT_EQ(only_mesh(import_gltf(builder.write_glb("a.glb"))).positions,
              (std::vector<Vec3>{{0, 0, 0}, {5, 6, 7}, {0, 0, 0}}));
}

TEST(ImportSparse, ReadsAttributesOfZeros) {
    GltfBuilder builder = GltfBuilder::triangle();
    builder.root["accessors"].push_back({{"componentType", kF32}, {"count", 3}, {"type", "VEC2"}});
    attributes(builder)["TEXCOORD_0"] = 3;
    EXPECT_EQ(only_mesh(import_gltf(builder.write_glb("a.glb"))).uv0, (std::vector<Vec2>(3, Vec2{0, 0})));
}

TEST(ImportSparse, ReplacesAmongSelectedVerticesToo) {
    // Only some vertices of a large array are read: those replaced must be found among them.
    GltfBuilder builder;
    std::vector<float> points;
    for (int i = 0; i < 50; ++i) points.insert(points.end(), {static_cast<float>(i), 0, 0});
    const int position = builder.accessor(points, 3, kF32);
    const std::uint8_t at[] = {3, 20, 21, 40};
    const float values[] = {100, 1, 0, 101, 2, 0, 102, 3, 0, 103, 4, 0};
    builder.root["accessors"][0]["sparse"] = {
        {"count", 4},
        {"indices", {{"bufferView", builder.view(std::as_bytes(std::span(at)))}, {"componentType", kU8}}},
        {"values", {{"bufferView", builder.view(std::as_bytes(std::span(values)))}}}};
    const int indices = builder.accessor<std::uint8_t>({21, 2, 40, 2, 49, 20}, 1, kU8);
    builder.node({{"mesh", builder.mesh({{"POSITION", position}}, indices)}});
    const ImportedScene scene = import_gltf(builder.write_glb("a.glb"));
    const SourceMesh& mesh = only_mesh(scene);
    const auto corner = [&](std::size_t i) { return mesh.positions[mesh.indices[i]]; };
    EXPECT_EQ(corner(0), (Vec3{102, 3, 0}));
    EXPECT_EQ(corner(1), (Vec3{2, 0, 0}));
    EXPECT_EQ(corner(2), (Vec3{103, 4, 0}));
    EXPECT_EQ(corner(4), (Vec3{49, 0, 0}));
    EXPECT_EQ(corner(5), (Vec3{101, 2, 0}));
}

TEST(ImportSparse, ChecksItself) {
    const auto expect = [](const char* message, auto&& spoil) {
        GltfBuilder builder = GltfBuilder::triangle();
        make_sparse(builder, true);
        spoil(builder.root["accessors"][0]["sparse"]);
        const std::string got = import_error(builder.write_glb("a.glb"));
        EXPECT_NE(got.find("accessors[0].sparse"), std::string::npos) << got;
        EXPECT_NE(got.find(message), std::string::npos) << got;
    };
    expect("is 4, but the accessor has 3", [](json& s) { s["count"] = 4; });
    expect("leave the buffer view", [](json& s) { s["count"] = 3; });
    expect("leave the buffer view", [](json& s) { s["values"]["byteOffset"] = 4; });
    expect("is 5126", [](json& s) { s["indices"]["componentType"] = kF32; });
    expect("is missing", [](json& s) { s.erase("values"); });
    expect("is 77", [](json& s) { s["indices"]["bufferView"] = 77; });
    expect("element 0 is 16544",
           [](json& s) { s["indices"]["bufferView"] = s["values"]["bufferView"], s["indices"]["byteOffset"] = 2; });
}

TEST(ImportSparse, RefusesIndicesThatDoNotAscend) {
    GltfBuilder builder = GltfBuilder::triangle();
    make_sparse(builder, true);
    const std::uint16_t at[] = {1, 1};
    const float values[] = {1, 2, 3, 4, 5, 6};
    json& sparse = builder.root["accessors"][0]["sparse"];
    sparse["count"] = 2;
    sparse["indices"]["bufferView"] = builder.view(std::as_bytes(std::span(at)));
    sparse["values"]["bufferView"] = builder.view(std::as_bytes(std::span(values)));
    EXPECT_NE(import_error(builder.write_glb("a.glb")).find("does not ascend"), std::string::npos);
}

// --- KHR_mesh_quantization

TEST(ImportQuantization, ReadsIntegers) {
    GltfBuilder builder;
    builder.root["extensionsUsed"] = {"KHR_mesh_quantization"};
    builder.root["extensionsRequired"] = {"KHR_mesh_quantization"};
    // Elements of a vertex attribute start at multiples of four bytes.
    const std::vector<std::int16_t> positions{0, 0, 0, 0, 300, 0, 0, 0, 0, -300, 0, 0};
    const std::vector<std::int8_t> normals{0, 0, 127, 0, 0, 0, 127, 0, 0, 0, 127, 0};
    const std::vector<std::uint16_t> uvs{0, 4096, 2048, 0, 1, 2};
    const int position = builder.accessor_over(builder.view(std::as_bytes(std::span(positions)), 8), 0, 3, 3, kI16);
    const int normal = builder.accessor_over(builder.view(std::as_bytes(std::span(normals)), 4), 0, 3, 3, kI8, true);
    const int uv = builder.accessor(uvs, 2, kU16);
    builder.node({{"mesh", builder.mesh({{"POSITION", position}, {"NORMAL", normal}, {"TEXCOORD_0", uv}})},
                  {"scale", {0.01, 0.01, 0.01}}});
    const ImportedScene scene = import_gltf(builder.write_glb("a.glb"));
    const SourceMesh& mesh = only_mesh(scene);
    ASSERT_EQ(mesh.positions.size(), 3U);
    EXPECT_EQ(mesh.positions[mesh.indices[1]], (Vec3{300, 0, 0}));
    EXPECT_EQ(mesh.positions[mesh.indices[2]], (Vec3{0, -300, 0}));
    EXPECT_EQ(mesh.normals[0], (Vec3{0, 0, 1}));
    EXPECT_EQ(mesh.uv0[mesh.indices[0]], (Vec2{0, 4096}));
    EXPECT_TRUE(scene.notes.empty());
}

// --- EXT_mesh_gpu_instancing

TEST(ImportInstancing, MakesANodeOfEachInstance) {
    GltfBuilder builder = GltfBuilder::triangle();
    const std::vector<float> t{0, 0, 0, 5, 0, 0};
    const std::vector<std::int16_t> r{0, 0, 0, 32767, 0, 0, 23170, 23170};
    const std::vector<float> s{1, 1, 1, 2, -2, 2};
    builder.root["extensionsRequired"] = {"EXT_mesh_gpu_instancing"};
    builder.root["nodes"][0]["translation"] = {0, 10, 0};
    builder.root["nodes"][0]["extensions"]["EXT_mesh_gpu_instancing"]["attributes"] = {
        {"TRANSLATION", builder.accessor(t, 3, kF32)},
        {"ROTATION", builder.accessor(r, 4, kI16, true)},
        {"SCALE", builder.accessor(s, 3, kF32)}};
    const ImportedScene imported = import_gltf(builder.write_glb("a.glb"));
    EXPECT_EQ(imported.groups.size(), 1U);
    const EncodedScene scene = encode_file(test_path("a.glb"));
    const std::vector<Instance> list = instances(scene.scene);
    ASSERT_EQ(list.size(), 2U);
    EXPECT_EQ(list[0].transform[3], glm::vec4(0, 10, 0, 1));
    EXPECT_EQ(list[1].transform[3], glm::vec4(5, 10, 0, 1));
    EXPECT_NEAR(list[1].transform[0].y, 2.0F, 1e-4) << "x, doubled, turned to y";
    EXPECT_NEAR(list[1].transform[1].x, 2.0F, 1e-4) << "y, doubled and mirrored, turned to x";
    EXPECT_EQ(imported.scene.nodes[0].mesh_group, -1) << "the node itself places nothing any more";
}

TEST(ImportInstancing, ChecksItself) {
    GltfBuilder builder = GltfBuilder::triangle();
    json& list = builder.root["nodes"][0]["extensions"]["EXT_mesh_gpu_instancing"]["attributes"];
    list["TRANSLATION"] = builder.accessor<float>({0, 0, 0, 5, 0, 0}, 3, kF32);
    list["SCALE"] = builder.accessor<float>({1, 1, 1}, 3, kF32);
    EXPECT_NE(import_error(builder.write_glb("a.glb")).find("another has"), std::string::npos);
    list.erase("SCALE");
    list["ROTATION"] = list["TRANSLATION"];
    EXPECT_NE(import_error(builder.write_glb("b.glb")).find("ROTATION: must have 4 components"), std::string::npos);
    list.clear();
    list["_COLOR"] = 0;
    const ImportedScene scene = import_gltf(builder.write_glb("c.glb"));
    EXPECT_TRUE(has_note(scene, "EXT_mesh_gpu_instancing without"));
    EXPECT_EQ(scene.scene.nodes[0].mesh_group, 0);
}

// --- Materials

GltfBuilder textured() {
    GltfBuilder builder = GltfBuilder::triangle();
    const std::string png = "data:image/png;base64," + base64(std::as_bytes(std::span("\x89PNG\r\n\x1A\n", 8)));
    builder.root["images"] = json::array({{{"uri", png}}});
    builder.root["textures"] = json::array({{{"source", 0}}});
    builder.root["materials"] = json::array({{{"pbrMetallicRoughness", {{"baseColorTexture", {{"index", 0}}}}}}});
    builder.root["meshes"][0]["primitives"][0]["material"] = 0;
    return builder;
}

TEST(ImportTextureTransform, IsRead) {
    GltfBuilder builder = textured();
    attributes(builder)["TEXCOORD_1"] = builder.accessor<float>({0.5F, 0, 0.5F, 0, 0.5F, 0}, 2, kF32);
    json& info = builder.root["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"];
    info["extensions"]["KHR_texture_transform"] = {
        {"offset", {0.25, 0.5}}, {"rotation", 1.5}, {"scale", {2, 3}}, {"texCoord", 1}};
    builder.root["extensionsRequired"] = {"KHR_texture_transform"};
    const ImportedScene scene = import_gltf(builder.write_glb("a.glb"));
    const TextureRef& reference = scene.scene.materials[0].base_color_texture;
    EXPECT_EQ(reference.offset, glm::vec2(0.25F, 0.5F));
    EXPECT_EQ(reference.scale, glm::vec2(2, 3));
    EXPECT_EQ(reference.rotation, 1.5F);
    EXPECT_EQ(reference.uv_set, 1) << "the extension's set, not the texture's";
    EXPECT_TRUE(scene.notes.empty());
}

TEST(ImportTextureExtensions, LeaveOutWhatTheyAloneHold) {
    for (const char* extension : {"EXT_texture_avif", "GOOGLE_texture_basis", "MSFT_texture_dds"}) {
        GltfBuilder builder = textured();
        builder.root["extensionsUsed"] = {extension};
        builder.root["extensionsRequired"] = {extension};
        builder.root["images"].push_back({{"uri", "nowhere"}});
        // The first texture has the PNG to fall back to, the second nothing.
        builder.root["textures"][0]["extensions"][extension]["source"] = 1;
        builder.root["textures"].push_back({{"extensions", {{extension, {{"source", 1}}}}}});
        builder.root["materials"].push_back(
            {{"pbrMetallicRoughness",
              {{"baseColorFactor", {0.5, 0.25, 0.125, 1}}, {"baseColorTexture", {{"index", 1}}}}}});
        const ImportedScene scene = import_gltf(builder.write_glb("a.glb"));
        ASSERT_EQ(scene.scene.textures.size(), 1U) << extension;
        EXPECT_EQ(scene.scene.materials[0].base_color_texture.texture, 0);
        EXPECT_EQ(scene.scene.images[scene.scene.textures[0].image].mime_type, "image/png");
        EXPECT_EQ(scene.scene.materials[1].base_color_texture.texture, -1);
        EXPECT_EQ(scene.scene.materials[1].base_color, glm::vec4(0.5F, 0.25F, 0.125F, 1));
        EXPECT_TRUE(has_note(scene, std::string(extension) + " is not read")) << extension;
        EXPECT_TRUE(has_note(scene, "textures without an image of a format that is read are left out"));
        EXPECT_EQ(scene.notes.size(), 2U) << "each once";
    }
}

TEST(ImportMaterialExtensions, AreReadAsFarAsTheModelGoes) {
    GltfBuilder builder = textured();
    json& material = builder.root["materials"][0];
    material["emissiveFactor"] = {0.5, 1, 0};
    material["extensions"] = {{"KHR_materials_emissive_strength", {{"emissiveStrength", 8}}},
                              {"KHR_materials_unlit", json::object()},
                              {"KHR_materials_clearcoat", {{"clearcoatFactor", 1}}}};
    builder.root["extensionsUsed"] = {"KHR_materials_emissive_strength", "KHR_materials_unlit",
                                      "KHR_materials_clearcoat", "EXT_unheard_of"};
    builder.root["extensionsRequired"] = {"KHR_materials_clearcoat"};
    const ImportedScene scene = import_gltf(builder.write_glb("a.glb"));
    EXPECT_EQ(scene.scene.materials[0].emissive, glm::vec3(4, 8, 0));
    EXPECT_TRUE(scene.scene.materials[0].unlit);
    EXPECT_EQ(scene.scene.materials[0].clearcoat.factor, 1.0F);
    EXPECT_TRUE(has_note(scene, "the optional extension EXT_unheard_of is ignored"));
    EXPECT_EQ(scene.notes.size(), 1U) << "nothing of what is drawn";
}

TEST(ImportMaterialExtensions, ApproximateSpecularGlossiness) {
    GltfBuilder builder = textured();
    builder.root["materials"][0]["pbrMetallicRoughness"] = {{"metallicFactor", 0.5}};
    builder.root["materials"][0]["extensions"]["KHR_materials_pbrSpecularGlossiness"] = {
        {"diffuseFactor", {0.5, 0.25, 0, 1}}, {"glossinessFactor", 0.75}, {"diffuseTexture", {{"index", 0}}}};
    const ImportedScene scene = import_gltf(builder.write_glb("a.glb"));
    const Material& material = scene.scene.materials[0];
    EXPECT_EQ(material.base_color, glm::vec4(0.5F, 0.25F, 0, 1));
    EXPECT_EQ(material.metallic, 0.0F);
    EXPECT_EQ(material.roughness, 0.25F);
    EXPECT_EQ(material.base_color_texture.texture, 0);
    EXPECT_TRUE(has_note(scene, "KHR_materials_pbrSpecularGlossiness is approximated"));
}

TEST(ImportMaterialExtensions, PreferMetallicRoughnessWhereItIsComplete) {
    for (const json& pbr : {json{{"baseColorFactor", {1, 0, 1, 1}}, {"roughnessFactor", 0.5}},
                            json{{"baseColorTexture", {{"index", 0}}}, {"roughnessFactor", 0.5}}}) {
        GltfBuilder builder = textured();
        builder.root["materials"][0]["pbrMetallicRoughness"] = pbr;
        builder.root["materials"][0]["extensions"]["KHR_materials_pbrSpecularGlossiness"] = {
            {"diffuseFactor", {0.5, 0.25, 0, 1}}, {"glossinessFactor", 0.75}};
        const ImportedScene scene = import_gltf(builder.write_glb("a.glb"));
        const Material& material = scene.scene.materials[0];
        const bool texture = pbr.contains("baseColorTexture");
        EXPECT_EQ(material.base_color, texture ? glm::vec4(1) : glm::vec4(1, 0, 1, 1)) << pbr;
        EXPECT_EQ(material.base_color_texture.texture, texture ? 0 : -1) << pbr;
        EXPECT_EQ(material.roughness, 0.5F);
        EXPECT_EQ(scene.notes, (std::vector<std::string>{"KHR_materials_pbrSpecularGlossiness is ignored beside "
                                                         "metallic-roughness data: material 0"}));
    }
}

TEST(ImportExtensions, IgnoredOnesNameWhoHasThem) {
    GltfBuilder builder = GltfBuilder::triangle();
    builder.root["extensionsUsed"] = {"EXT_unheard_of", "KHR_materials_diffuse_transmission", "KHR_materials_unlit"};
    builder.root["nodes"][0]["extensions"]["EXT_unheard_of"] = 7;
    const json leaf{{"KHR_materials_diffuse_transmission", json::object()}, {"KHR_materials_unlit", json::object()}};
    for (int i = 0; i < 10; ++i) {
        builder.root["materials"].push_back({{"name", i == 0 ? "Leaf" : ""}, {"extensions", leaf}});
    }
    EXPECT_EQ(import_gltf(builder.write_glb("a.glb")).notes,
              (std::vector<std::string>{
                  "the optional extension EXT_unheard_of is ignored: node 0",
                  "KHR_materials_diffuse_transmission is ignored: what it says of the scene is left out: material 0 "
                  "(Leaf), material 1, material 2, material 3, material 4, material 5 and 4 more"}));
}

TEST(ImportExtensions, UnknownOnesMayHoldAnything) {
    GltfBuilder builder = GltfBuilder::triangle();
    builder.root["nodes"][0]["extensions"]["MSFT_lod"] = {{"ids", {1e300, -5, "x"}}};
    builder.root["nodes"][0]["extensions"]["KHR_audio"] = {{"wrong", nullptr}};
    builder.root["nodes"][0]["extras"] = {{"deep", {{"deeper", {1, 2, 3}}}}};
    builder.root["extensions"]["KHR_audio"] = {{"emitters", 5}};
    builder.root["accessors"][0]["extensions"] = json::array({1, 2});
    builder.root["scenes"][0]["extensions"] = "none";
    EXPECT_EQ(import_gltf(builder.write_glb("a.glb")).groups.size(), 1U);
}

// --- Morph targets, names and paths

TEST(ImportNumbers, MayBeWrittenAsFloats) {
    GltfBuilder builder = textured();
    make_sparse(builder, true);
    compress_view(builder, 1, meshopt_vertices(builder.binary.data() + 36, 3, 12), 3, 12, "ATTRIBUTES");
    attributes(builder)["TEXCOORD_1"] = builder.accessor<float>({0.5F, 0, 0.5F, 0, 0.5F, 0}, 2, kF32);
    add_fallback_buffer(builder);
    builder.root["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"]["texCoord"] = 1;
    const ImportedScene plain = import_gltf(builder.write_glb("a.glb"));
    // Every integer of the document.
    const std::function<void(json&)> make_floats = [&](json& value) {
        if (value.is_number_integer()) value = value.get<double>();
        if (value.is_structured()) {
            for (json& inner : value) make_floats(inner);
        }
    };
    make_floats(builder.root);
    ASSERT_NE(builder.root.dump().find("\"count\":3.0"), std::string::npos);
    const ImportedScene floats = import_gltf(builder.write_glb("b.glb"));
    EXPECT_EQ(only_mesh(floats).positions, only_mesh(plain).positions);
    EXPECT_EQ(only_mesh(floats).normals, only_mesh(plain).normals);
    EXPECT_EQ(only_mesh(floats).uv0, only_mesh(plain).uv0);
    EXPECT_EQ(only_mesh(floats).indices, only_mesh(plain).indices);
    EXPECT_EQ(floats.scene.materials[0].base_color_texture.texture, 0);
    EXPECT_EQ(floats.notes, plain.notes);
}

TEST(ImportNumbers, MayBeLargeIntegersWhereTheyAreFloats) {
    GltfBuilder builder = textured();
    builder.root["materials"][0]["emissiveFactor"] = {1, 1, 1};
    builder.root["materials"][0]["extensions"]["KHR_materials_emissive_strength"]["emissiveStrength"] = 5000000000;
    EXPECT_EQ(import_gltf(builder.write_glb("a.glb")).scene.materials[0].emissive, glm::vec3(5e9F));
}

TEST(ImportDataUris, MayBePercentEncodedAndInCapitals) {
    const GltfBuilder builder = GltfBuilder::triangle();
    const SourceMesh plain = only_mesh(import_gltf(builder.write_glb("a.glb")));
    std::string percent;
    for (const std::byte byte : builder.binary) {
        constexpr char kDigits[] = "0123456789aBcDeF";
        percent += {'%', kDigits[static_cast<unsigned>(byte) >> 4U], kDigits[static_cast<unsigned>(byte) & 15U]};
    }
    std::string escaped;  // base64 of which every character is percent-encoded
    for (const char c : base64(builder.binary)) {
        constexpr char kDigits[] = "0123456789ABCDEF";
        const auto byte = static_cast<unsigned char>(c);
        escaped += {'%', kDigits[byte >> 4U], kDigits[byte & 15U]};
    }
    for (const std::string& uri :
         {"data:application/octet-stream," + percent, "DATA:application/octet-stream;BASE64," + base64(builder.binary),
          "Data:," + percent, "data:;base64," + escaped}) {
        json root = builder.root;
        root["buffers"][0]["uri"] = uri;
        write_text(test_path("a.gltf"), root.dump());
        const ImportedScene scene = import_gltf(test_path("a.gltf"));
        EXPECT_EQ(only_mesh(scene).positions, plain.positions) << uri;
        EXPECT_EQ(only_mesh(scene).indices, plain.indices) << uri;
    }
    // What is not encoded stands for itself.
    json root = builder.root;
    root["buffers"][0]["uri"] = "data:text/plain,hello%21";
    write_text(test_path("a.gltf"), root.dump());
    EXPECT_NE(import_error(test_path("a.gltf")).find("only 6 bytes are there"), std::string::npos);
}

TEST(ImportPaths, MayBeUnicodeAndPercentEncoded) {
    const GltfBuilder builder = GltfBuilder::triangle();
    const std::string name = "d\xC3\xB6ner \xE6\xBC\xA2 50%.bin";
    write_bytes(test_path("sub folder/" + name), builder.binary);
    json root = builder.root;
    for (const std::string& uri :
         {std::string("sub%20folder/d%C3%B6ner%20%E6%BC%A2%2050%25.bin"), "sub folder/" + name,
          "./sub%20folder/../sub%20folder/" + std::string("d\xC3\xB6ner%20%E6%BC%A2%2050%.bin")}) {
        root["buffers"][0]["uri"] = uri;
        const auto path = test_path("\xC3\x9Cml\xC3\xA4ut.gltf");
        write_text(path, root.dump());
        const ImportedScene scene = import_gltf(path);
        EXPECT_EQ(scene.groups.size(), 1U) << uri;
        EXPECT_EQ(scene.source, "\xC3\x9Cml\xC3\xA4ut.gltf");
    }
}

TEST(ImportPaths, TakesANameThatOnlyLooksEncoded) {
    const GltfBuilder builder = GltfBuilder::triangle();
    write_bytes(test_path("a%20b.bin"), builder.binary);
    json root = builder.root;
    root["buffers"][0]["uri"] = "a%20b.bin";
    write_text(test_path("a.gltf"), root.dump());
    EXPECT_EQ(import_gltf(test_path("a.gltf")).groups.size(), 1U);
}

TEST(ImportNames, AreKept) {
    GltfBuilder builder = GltfBuilder::triangle();
    builder.root["meshes"][0]["name"] = "\xE7\x8C\xAB \"quoted\" \\ \n";
    builder.root["nodes"][0]["name"] = std::string("nul\0inside", 10);
    const ImportedScene scene = import_gltf(builder.write_glb("a.glb"));
    EXPECT_EQ(scene.groups[0].name, "\xE7\x8C\xAB \"quoted\" \\ \n");
    EXPECT_EQ(scene.scene.nodes[0].name, std::string("nul\0inside", 10));
}

// --- Time

TEST(ImportTime, GrowsNoFasterThanMeshes) {
    // 10,000 meshes of their own, each placed once: must take seconds at most, encoded and opened again.
    constexpr std::size_t kCount = 10'000 / sublet::test::kSanitizerDivisor;
    GltfBuilder builder;
    const int position = builder.accessor<float>({0, 0, 0, 1, 0, 0, 0, 1, 0}, 3, kF32);
    const int indices = builder.accessor<std::uint8_t>({0, 1, 2}, 1, kU8);
    json meshes = json::array();
    json nodes = json::array();
    json roots = json::array();
    for (std::size_t i = 0; i < kCount; ++i) {
        meshes.push_back(
            {{"primitives", json::array({{{"attributes", {{"POSITION", position}}}, {"indices", indices}}})}});
        nodes.push_back({{"mesh", i}});
        roots.push_back(i);
    }
    builder.root["meshes"] = meshes;
    builder.root["nodes"] = nodes;
    builder.root["scenes"][0]["nodes"] = roots;
    const EncodedScene scene = encode_file(builder.write_glb("a.glb"));
    EXPECT_EQ(scene.geometry.meshes.size(), kCount);
    write_sublet(test_path("a.sublet"), scene);
    EXPECT_EQ(instances(open_sublet(test_path("a.sublet")).scene).size(), kCount);
}

}  // namespace
}  // namespace sublet::scene::testing
