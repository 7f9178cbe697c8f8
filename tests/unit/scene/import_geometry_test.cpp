// What the import makes of glTF primitives and their accessors.
#include <gtest/gtest.h>

#include <cmath>

#include "gltf_builder.h"
#include "scene/import.h"

namespace sublet::scene::testing {
namespace {

using Vec2 = std::array<float, 2>;
using Vec3 = std::array<float, 3>;
using Vec4 = std::array<float, 4>;

// Corners of all triangles, each rotated so that its least corner comes first: the same surface gives the same list
// whatever the order of vertices, as long as windings agree.
std::vector<std::array<Vec3, 3>> corners(const SourceMesh& mesh) {
    std::vector<std::array<Vec3, 3>> result;
    for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3) {
        std::array<Vec3, 3> triangle{mesh.positions[mesh.indices[i]], mesh.positions[mesh.indices[i + 1]],
                                     mesh.positions[mesh.indices[i + 2]]};
        std::rotate(triangle.begin(), std::min_element(triangle.begin(), triangle.end()), triangle.end());
        result.push_back(triangle);
    }
    std::sort(result.begin(), result.end());
    return result;
}

TEST(ImportGeometry, ReadsEveryKindOfFileAlike) {
    const GltfBuilder builder = GltfBuilder::triangle();
    for (const auto& path :
         {builder.write_glb("a.glb"), builder.write_gltf("b.gltf", true), builder.write_gltf("c.gltf", false)}) {
        const ImportedScene scene = import_gltf(path);
        const SourceMesh& mesh = only_mesh(scene);
        EXPECT_EQ(mesh.positions, (std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}})) << path;
        EXPECT_EQ(mesh.normals, (std::vector<Vec3>(3, Vec3{0, 0, 1})));
        EXPECT_EQ(mesh.indices, (std::vector<std::uint32_t>{0, 1, 2}));
        EXPECT_TRUE(mesh.tangents.empty() && mesh.uv0.empty() && mesh.uv1.empty() && mesh.colors.empty() &&
                    mesh.joints.empty() && mesh.weights.empty());
        EXPECT_TRUE(scene.notes.empty());
        EXPECT_EQ(scene.source, path.filename().string());
    }
}

TEST(ImportGeometry, TellsFilesByTheirContent) {
    GltfBuilder builder = GltfBuilder::triangle();
    const auto glb = builder.write_glb("a.glb");
    const auto renamed = test_path("b.gltf");
    std::filesystem::copy_file(glb, renamed, std::filesystem::copy_options::overwrite_existing);
    EXPECT_EQ(import_gltf(renamed).groups.size(), 1U);
    const auto text = builder.write_gltf("c.gltf", true);
    std::vector<std::byte> bytes = read_bytes(text);
    const std::byte mark[] = {std::byte{0xEF}, std::byte{0xBB}, std::byte{0xBF}};
    bytes.insert(bytes.begin(), std::begin(mark), std::end(mark));
    write_bytes(text, bytes);
    EXPECT_EQ(import_gltf(text).groups.size(), 1U) << "with a byte order mark";
}

class ImportIndices : public ::testing::TestWithParam<int> {};

TEST_P(ImportIndices, ReadsAllWidths) {
    GltfBuilder builder;
    const int position = builder.accessor<float>({0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0}, 3, kF32);
    int indices = -1;
    if (GetParam() == kU8) indices = builder.accessor<std::uint8_t>({3, 2, 1}, 1, kU8);
    if (GetParam() == kU16) indices = builder.accessor<std::uint16_t>({3, 2, 1}, 1, kU16);
    if (GetParam() == kU32) indices = builder.accessor<std::uint32_t>({3, 2, 1}, 1, kU32);
    builder.node({{"mesh", builder.mesh({{"POSITION", position}}, indices)}});
    const ImportedScene scene = import_gltf(builder.write_glb("a.glb"));
    EXPECT_EQ(corners(only_mesh(scene)), (std::vector<std::array<Vec3, 3>>{{{{0, 1, 0}, {1, 0, 0}, {1, 1, 0}}}}));
    EXPECT_EQ(only_mesh(scene).positions.size(), 3U) << "the vertex that no index names is left out";
}

INSTANTIATE_TEST_SUITE_P(Widths, ImportIndices, ::testing::Values(kU8, kU16, kU32));

TEST(ImportGeometry, TakesStripsAndFansApart) {
    const std::vector<float> points{0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 2, 0};
    const std::vector<std::array<Vec3, 3>> strip_triangles{
        {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}}, {{{0, 1, 0}, {1, 0, 0}, {1, 1, 0}}}, {{{0, 1, 0}, {1, 1, 0}, {0, 2, 0}}}};
    GltfBuilder strip;
    strip.node({{"mesh", strip.mesh({{"POSITION", strip.accessor(points, 3, kF32)}}, -1, 5)}});
    EXPECT_EQ(corners(only_mesh(import_gltf(strip.write_glb("strip.glb")))), strip_triangles);

    GltfBuilder indexed;
    const int indices = indexed.accessor<std::uint8_t>({0, 1, 2, 3, 4, 4, 4}, 1, kU8);  // ends in stitches
    indexed.node({{"mesh", indexed.mesh({{"POSITION", indexed.accessor(points, 3, kF32)}}, indices, 5)}});
    std::vector<std::array<Vec3, 3>> read = corners(only_mesh(import_gltf(indexed.write_glb("indexed.glb"))));
    EXPECT_EQ(read.size(), 5U) << "stitches are triangles of the source: the encoder counts them as degenerate";
    const auto without_area = [](const auto& t) { return t[0] == t[1] || t[1] == t[2] || t[2] == t[0]; };
    read.erase(std::remove_if(read.begin(), read.end(), without_area), read.end());
    EXPECT_EQ(read, strip_triangles);

    GltfBuilder fan;
    const std::vector<float> ring{0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
    fan.node({{"mesh", fan.mesh({{"POSITION", fan.accessor(ring, 3, kF32)}}, -1, 6)}});
    EXPECT_EQ(
        corners(only_mesh(import_gltf(fan.write_glb("fan.glb")))),
        (std::vector<std::array<Vec3, 3>>{{{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}}}, {{{0, 0, 0}, {1, 1, 0}, {0, 1, 0}}}}));
}

TEST(ImportGeometry, WeldsWhatHasNoIndices) {
    GltfBuilder builder;
    const std::vector<float> square{0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0};
    std::vector<float> normals;
    for (int i = 0; i < 6; ++i) normals.insert(normals.end(), {0, 0, 1});
    builder.node({{"mesh", builder.mesh({{"POSITION", builder.accessor(square, 3, kF32)},
                                         {"NORMAL", builder.accessor(normals, 3, kF32)}})}});
    const ImportedScene scene = import_gltf(builder.write_glb("a.glb"));
    EXPECT_EQ(only_mesh(scene).positions.size(), 4U);
    EXPECT_EQ(only_mesh(scene).indices.size(), 6U);
}

TEST(ImportGeometry, MakesFlatNormals) {
    // Two faces of a roof share an edge: their corners must not share normals.
    GltfBuilder builder;
    const int position = builder.accessor<float>({-1, 0, 0, 0, 1, 0, 0, 1, 1, 1, 0, 0}, 3, kF32);
    const int tangent = builder.accessor<float>(std::vector<float>(16, 1.0F), 4, kF32);
    const int indices = builder.accessor<std::uint16_t>({0, 2, 1, 1, 2, 3}, 1, kU16);
    builder.node({{"mesh", builder.mesh({{"POSITION", position}, {"TANGENT", tangent}}, indices)}});
    const ImportedScene scene = import_gltf(builder.write_glb("a.glb"));
    const SourceMesh& mesh = only_mesh(scene);
    ASSERT_EQ(mesh.positions.size(), 6U);
    ASSERT_EQ(mesh.normals.size(), 6U);
    EXPECT_TRUE(mesh.tangents.empty()) << "tangents without normals must be ignored";
    const float s = std::sqrt(0.5F);
    for (std::size_t corner = 0; corner < 6; ++corner) {
        const Vec3 expected = corner < 3 ? Vec3{-s, s, 0} : Vec3{s, s, 0};
        for (std::size_t c = 0; c < 3; ++c) {
            EXPECT_NEAR(mesh.normals[mesh.indices[corner]][c], expected[c], 1e-6);
        }
    }
    // Within one face, corners are shared again.
    GltfBuilder flat;
    const int square = flat.accessor<float>({0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0}, 3, kF32);
    const int two = flat.accessor<std::uint16_t>({0, 1, 2, 0, 2, 3}, 1, kU16);
    flat.node({{"mesh", flat.mesh({{"POSITION", square}}, two)}});
    EXPECT_EQ(only_mesh(import_gltf(flat.write_glb("b.glb"))).positions.size(), 4U);
}

TEST(ImportGeometry, MendsNormalsAndTangents) {
    GltfBuilder builder;
    const float nan = std::nanf("");
    const int position = builder.accessor<float>({0, 0, 0, 1, 0, 0, 0, 1, 0}, 3, kF32);
    const int normal = builder.accessor<float>({0, 0, 5, 0, 0, 0, nan, 0, 1}, 3, kF32);
    const int tangent = builder.accessor<float>({3, 0, 0, -0.5F, 0, 0, 0, 1, 0, 2, 0, 1}, 4, kF32);
    builder.node({{"mesh", builder.mesh({{"POSITION", position}, {"NORMAL", normal}, {"TANGENT", tangent}})}});
    const ImportedScene scene = import_gltf(builder.write_glb("a.glb"));
    const SourceMesh& mesh = only_mesh(scene);
    for (const Vec3& n : mesh.normals) EXPECT_EQ(n, (Vec3{0, 0, 1}));
    EXPECT_EQ(mesh.tangents[0], (Vec4{1, 0, 0, -1}));
    EXPECT_EQ(mesh.tangents[2], (Vec4{0, 1, 0, 1}));
    const Vec4& made = mesh.tangents[1];
    EXPECT_NEAR(made[0] * made[0] + made[1] * made[1] + made[2] * made[2], 1.0F, 1e-6);
    EXPECT_EQ(made[3], 1.0F);
    EXPECT_TRUE(has_note(scene, "normals without a direction"));
    EXPECT_TRUE(has_note(scene, "tangents without a direction"));
}

TEST(ImportGeometry, MendsNormalsByTrianglesWithArea) {
    // The first triangles of the strip have none.
    GltfBuilder builder;
    const int position = builder.accessor<float>({0, 0, 0, 0, 1, 0, 0, 0, 1}, 3, kF32);
    const int normal = builder.accessor<float>(std::vector<float>(9, 0.0F), 3, kF32);
    const int indices = builder.accessor<std::uint8_t>({0, 0, 0, 1, 2}, 1, kU8);
    builder.node({{"mesh", builder.mesh({{"POSITION", position}, {"NORMAL", normal}}, indices, 5)}});
    const ImportedScene scene = import_gltf(builder.write_glb("a.glb"));
    for (const Vec3& n : only_mesh(scene).normals) EXPECT_EQ(n, (Vec3{1, 0, 0}));
}

TEST(ImportGeometry, ReadsInterleavedAttributes) {
    struct Vertex {
        Vec3 position;
        std::array<std::int8_t, 4> normal;  // normalised, with a byte of padding
        std::array<std::uint16_t, 2> uv;
        std::array<std::uint8_t, 4> color;
    };
    static_assert(sizeof(Vertex) == 24);
    const std::vector<Vertex> vertices{{{0, 0, 0}, {0, 0, 127, 9}, {0, 65535}, {255, 0, 51, 255}},
                                       {{1, 0, 0}, {0, 0, 127, 9}, {65535, 0}, {0, 255, 0, 0}},
                                       {{0, 1, 0}, {0, -128, 0, 9}, {32768, 1}, {102, 0, 0, 51}}};
    GltfBuilder builder;
    const int view = builder.view(std::as_bytes(std::span(vertices)), sizeof(Vertex));
    const json attributes{{"POSITION", builder.accessor_over(view, 0, 3, 3, kF32)},
                          {"NORMAL", builder.accessor_over(view, 12, 3, 3, kI8, true)},
                          {"TEXCOORD_0", builder.accessor_over(view, 16, 3, 2, kU16, true)},
                          {"COLOR_0", builder.accessor_over(view, 20, 3, 4, kU8, true)}};
    builder.node({{"mesh", builder.mesh(attributes, builder.accessor<std::uint8_t>({0, 1, 2}, 1, kU8))}});
    const ImportedScene scene = import_gltf(builder.write_glb("a.glb"));
    const SourceMesh& mesh = only_mesh(scene);
    EXPECT_EQ(mesh.positions[1], (Vec3{1, 0, 0}));
    EXPECT_EQ(mesh.normals[0], (Vec3{0, 0, 1}));
    EXPECT_EQ(mesh.normals[2], (Vec3{0, -1, 0})) << "-128 is clamped to -1";
    EXPECT_EQ(mesh.uv0[1], (Vec2{1, 0}));
    EXPECT_EQ(mesh.uv0[2], (Vec2{32768.0F / 65535.0F, 1.0F / 65535.0F}));
    EXPECT_EQ(mesh.colors[0], (Vec4{1, 0, 0.2F, 1}));
    EXPECT_EQ(mesh.colors[2], (Vec4{0.4F, 0, 0, 0.2F}));
}

struct Component {
    const char* name;
    int type;
    bool normalized;
    float first, second;  // what stored 127 (of bytes), 16384 (of shorts) or 0.5 and their negatives or zero become
};

class ImportComponents : public ::testing::TestWithParam<Component> {};

TEST_P(ImportComponents, ConvertsUv) {
    const Component& component = GetParam();
    GltfBuilder builder = GltfBuilder::triangle();
    int uv = -1;
    const auto repeat = [](auto a, auto b) { return std::vector<decltype(a)>{a, b, a, b, a, b}; };
    // Elements of a vertex attribute start at multiples of 4: bytes and shorts get a stride.
    const auto strided = [&](const auto& values) {
        std::vector<std::byte> bytes(3 * 4);
        using T = std::decay_t<decltype(values[0])>;
        for (std::size_t v = 0; v < 3; ++v) std::memcpy(&bytes[v * 4], &values[v * 2], 2 * sizeof(T));
        return builder.accessor_over(builder.view(bytes, 4), 0, 3, 2, component.type, component.normalized);
    };
    switch (component.type) {
        case kI8:
            uv = strided(repeat(std::int8_t{127}, std::int8_t{-127}));
            break;
        case kU8:
            uv = strided(repeat(std::uint8_t{255}, std::uint8_t{0}));
            break;
        case kI16:
            uv = strided(repeat(std::int16_t{32767}, std::int16_t{-32768}));
            break;
        case kU16:
            uv = strided(repeat(std::uint16_t{65535}, std::uint16_t{0}));
            break;
        default:
            uv = builder.accessor(repeat(0.25F, -4.5F), 2, kF32);
    }
    builder.root["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_0"] = uv;
    const ImportedScene scene = import_gltf(builder.write_glb("a.glb"));
    EXPECT_EQ(only_mesh(scene).uv0, (std::vector<Vec2>(3, Vec2{component.first, component.second})));
}

INSTANTIATE_TEST_SUITE_P(Types, ImportComponents,
                         ::testing::Values(Component{"i8n", kI8, true, 1, -1}, Component{"i8", kI8, false, 127, -127},
                                           Component{"u8n", kU8, true, 1, 0}, Component{"u8", kU8, false, 255, 0},
                                           Component{"i16n", kI16, true, 1, -1},
                                           Component{"i16", kI16, false, 32767, -32768},
                                           Component{"u16n", kU16, true, 1, 0}, Component{"u16", kU16, false, 65535, 0},
                                           Component{"f32", kF32, false, 0.25F, -4.5F}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(ImportGeometry, ReadsColorsOfThreeComponents) {
    GltfBuilder builder = GltfBuilder::triangle();
    builder.root["meshes"][0]["primitives"][0]["attributes"]["COLOR_0"] =
        builder.accessor<float>({0.5F, 2, -1, 0, 0.25F, 1, 1, 1, 1}, 3, kF32);
    const ImportedScene scene = import_gltf(builder.write_glb("a.glb"));
    EXPECT_EQ(only_mesh(scene).colors, (std::vector<Vec4>{{0.5F, 1, 0, 1}, {0, 0.25F, 1, 1}, {1, 1, 1, 1}}));
}

TEST(ImportGeometry, ReadsUvSetsThatTheMaterialNames) {
    GltfBuilder builder = GltfBuilder::triangle();
    json& primitive = builder.root["meshes"][0]["primitives"][0];
    for (int set = 0; set < 4; ++set) {
        const float at = static_cast<float>(set) / 8;
        primitive["attributes"]["TEXCOORD_" + std::to_string(set)] =
            builder.accessor<float>({at, 0, at, 0, at, 0}, 2, kF32);
    }
    const std::string pixel = "data:image/png;base64," + base64(std::as_bytes(std::span("\x89PNG\r\n\x1A\n", 8)));
    builder.root["images"] = json::array({{{"uri", pixel}}});
    builder.root["textures"] = json::array({{{"source", 0}}});
    builder.root["materials"] =
        json::array({{{"pbrMetallicRoughness", {{"baseColorTexture", {{"index", 0}, {"texCoord", 3}}}}},
                      {"normalTexture", {{"index", 0}, {"texCoord", 1}}}}});
    primitive["material"] = 0;
    const ImportedScene scene = import_gltf(builder.write_glb("a.glb"));
    const SourceMesh& result = only_mesh(scene);
    EXPECT_EQ(result.uv0[0], (Vec2{0.375F, 0}));
    EXPECT_EQ(result.uv1[0], (Vec2{0.125F, 0}));
    EXPECT_EQ(scene.scene.materials[0].base_color_texture.uv_set, 0);
    EXPECT_EQ(scene.scene.materials[0].normal_texture.uv_set, 1);
    EXPECT_TRUE(has_note(scene, "TEXCOORD_0 is ignored"));
}

TEST(ImportGeometry, MakesAMeshOfEachGltfPrimitive) {
    GltfBuilder builder = GltfBuilder::triangle();
    json& primitives = builder.root["meshes"][0]["primitives"];
    primitives.push_back(primitives[0]);
    primitives.push_back(primitives[0]);
    builder.root["materials"] = json::array({{{"name", "a"}}, {{"name", "b"}}});
    primitives[0]["material"] = 1;
    primitives[1]["material"] = 0;
    const ImportedScene scene = import_gltf(builder.write_glb("a.glb"));
    ASSERT_EQ(scene.groups[0].meshes.size(), 3U);
    EXPECT_EQ(scene.groups[0].meshes[0].material, 1U);
    EXPECT_EQ(scene.groups[0].meshes[1].material, 0U);
    EXPECT_EQ(scene.groups[0].meshes[2].material, 2U) << "the default one, added at the end";
    EXPECT_EQ(scene.scene.materials.size(), 3U);
}

TEST(ImportGeometry, LeavesOutWhatHasNoTriangles) {
    GltfBuilder builder = GltfBuilder::triangle();
    json& primitives = builder.root["meshes"][0]["primitives"];
    json lines = primitives[0];
    lines["mode"] = 1;
    primitives.push_back(lines);
    primitives.push_back(lines);
    primitives.back()["indices"] = builder.accessor<std::uint16_t>({0, 1}, 1, kU16);
    primitives.push_back({{"attributes", json::object()}});
    builder.root["meshes"][0]["name"] = "Fence";
    builder.root["meshes"].push_back({{"primitives", {lines}}});
    builder.root["meshes"][1]["primitives"][0]["mode"] = 0;
    builder.root["meshes"].push_back(builder.root["meshes"][1]);
    builder.node({{"mesh", 1}});
    builder.node({{"mesh", 2}});
    const ImportedScene scene = import_gltf(builder.write_glb("a.glb"));
    EXPECT_EQ(scene.groups[0].meshes.size(), 1U);
    EXPECT_TRUE(has_note(scene,
                         "glTF primitives that are lines (mode 1) are left out, as only triangles are drawn: mesh 0 "
                         "(Fence)"));
    EXPECT_TRUE(has_note(scene,
                         "glTF primitives that are points (mode 0) are left out, as only triangles are drawn: mesh 1, "
                         "mesh 2"));
    EXPECT_TRUE(has_note(scene, "without POSITION"));
}

TEST(ImportGeometry, ReadsOnlyTheUsedPartOfSharedVertices) {
    // A thousand glTF primitives share one array of 60,000 vertices: reading all of it for each would take minutes.
    GltfBuilder builder;
    std::vector<float> points;
    for (int i = 0; i < 60000; ++i) {
        points.insert(points.end(), {static_cast<float>(i), static_cast<float>(i % 7), static_cast<float>(i % 3)});
    }
    const int position = builder.accessor(points, 3, kF32);
    json primitives = json::array();
    for (std::uint32_t i = 0; i < 1000; ++i) {
        const int indices = builder.accessor<std::uint32_t>({i * 60, i * 60 + 1, i * 60 + 9}, 1, kU32);
        primitives.push_back({{"attributes", {{"POSITION", position}}}, {"indices", indices}});
    }
    builder.root["meshes"] = json::array({{{"primitives", primitives}}});
    builder.node({{"mesh", 0}});
    const ImportedScene scene = import_gltf(builder.write_glb("a.glb"));
    ASSERT_EQ(scene.groups[0].meshes.size(), 1000U);
    EXPECT_EQ(scene.groups[0].meshes[500].positions.size(), 3U);
    EXPECT_EQ(scene.groups[0].meshes[500].positions[2][0], 30009.0F);
}

TEST(ImportGeometry, AGltfPrimitiveThatRepeatsAnotherOfItsMeshIsLeftOut) {
    GltfBuilder builder = GltfBuilder::triangle();
    builder.root["materials"] = json::array({json::object(), json::object()});
    json& primitives = builder.root["meshes"][0]["primitives"];
    json other = primitives[0];
    other["material"] = 1;
    primitives.push_back(primitives[0]);
    primitives.push_back(other);
    primitives.push_back(other);
    const ImportedScene scene = import_gltf(builder.write_glb("a.glb"));
    ASSERT_EQ(scene.groups[0].meshes.size(), 2U);
    const SourceMesh& first = scene.groups[0].meshes[0];
    const SourceMesh& second = scene.groups[0].meshes[1];
    EXPECT_EQ(first.material, 2U) << "the default one";
    EXPECT_EQ(second.material, 1U);
    EXPECT_EQ(first.positions, second.positions);
    EXPECT_EQ(first.normals, second.normals);
    EXPECT_EQ(first.indices, second.indices);
    EXPECT_TRUE(has_note(scene, "repeat another"));
}

// Which texture coordinates a glTF primitive is read with depends on its material.
TEST(ImportGeometry, GltfPrimitivesWhoseMaterialsReadOtherTextureCoordinatesDoNotShare) {
    GltfBuilder builder = GltfBuilder::triangle();
    json& attributes = builder.root["meshes"][0]["primitives"][0]["attributes"];
    for (int set = 0; set < 4; ++set) {
        attributes["TEXCOORD_" + std::to_string(set)] =
            builder.accessor(std::vector<float>(6, static_cast<float>(set)), 2, kF32);
    }
    write_text(test_path("a.png"), "\x89PNG\r\n\x1A\n");
    builder.root["images"] = json::array({{{"uri", "a.png"}}});
    builder.root["textures"] = json::array({{{"source", 0}}});
    for (const int set : {2, 3}) {
        builder.root["materials"].push_back({{"emissiveTexture", {{"index", 0}, {"texCoord", set}}}});
    }
    json& primitives = builder.root["meshes"][0]["primitives"];
    primitives.push_back(primitives[0]);
    primitives[0]["material"] = 0;
    primitives[1]["material"] = 1;
    const ImportedScene scene = import_gltf(builder.write_glb("a.glb"));
    EXPECT_EQ(scene.groups[0].meshes.at(0).uv0[0][0], 2.0F);
    EXPECT_EQ(scene.groups[0].meshes.at(1).uv0[0][0], 3.0F);
}

}  // namespace
}  // namespace sublet::scene::testing
