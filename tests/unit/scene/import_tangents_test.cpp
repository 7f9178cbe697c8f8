// Which meshes the import makes tangents for.
#include <gtest/gtest.h>

#include "base/thread_pool.h"
#include "gltf_builder.h"
#include "scene/container.h"

namespace sublet::scene::testing {
namespace {

using Vec4 = std::array<float, 4>;

constexpr const char* kPixel =
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJg"
    "gg==";

// A square that faces +z, with two materials: 0 has a normal map, by TEXCOORD_1; 1 has none. By TEXCOORD_0, U is to
// the right; by TEXCOORD_1, up. V is 90 degrees clockwise of U, so that nothing is mirrored.
struct Square {
    GltfBuilder builder;
    json attributes;
    int indices = -1;

    Square() {
        attributes["POSITION"] = builder.accessor<float>({0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0}, 3, kF32);
        attributes["NORMAL"] = builder.accessor<float>({0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1}, 3, kF32);
        attributes["TEXCOORD_0"] = builder.accessor<float>({0, 1, 1, 1, 1, 0, 0, 0}, 2, kF32);
        attributes["TEXCOORD_1"] = builder.accessor<float>({0, 0, 0, 1, 1, 1, 1, 0}, 2, kF32);
        indices = builder.accessor<std::uint8_t>({0, 1, 2, 0, 2, 3}, 1, kU8);
        builder.root["images"] = json::array({{{"uri", kPixel}}});
        builder.root["textures"] = json::array({{{"source", 0}}});
        builder.root["materials"] =
            json::array({{{"normalTexture", {{"index", 0}, {"texCoord", 1}}}}, {{"name", "plain"}}});
    }

    // Adds a node with the square as a mesh of one glTF primitive of each of these materials.
    void add(std::initializer_list<int> materials) {
        json primitives = json::array();
        for (const int material : materials) {
            primitives.push_back({{"attributes", attributes}, {"indices", indices}, {"material", material}});
        }
        builder.root["meshes"].push_back({{"primitives", primitives}});
        builder.node({{"mesh", builder.root["meshes"].size() - 1}});
    }

    [[nodiscard]] ImportedScene read() const { return import_gltf(builder.write_glb("a.glb")); }
};

TEST(ImportTangents, AreMadeByTheNormalMapsTextureCoordinates) {
    Square square;
    square.add({0});
    const ImportedScene scene = square.read();
    EXPECT_EQ(scene.groups[0].meshes[0].tangents, (std::vector<Vec4>(4, Vec4{0, 1, 0, 1})));
    EXPECT_TRUE(has_note(scene, "tangents of 1 mesh are made from texture coordinates"));

    square.builder.root["materials"][0]["normalTexture"]["texCoord"] = 0;
    EXPECT_EQ(square.read().groups[0].meshes[0].tangents, (std::vector<Vec4>(4, Vec4{1, 0, 0, 1})));
}

TEST(ImportTangents, AreMadeOnlyWhereANormalMapNeedsThem) {
    Square square;
    square.add({1, 0});  // the same geometry
    square.add({0, 1});
    const ImportedScene scene = square.read();
    for (const SourceMeshGroup& group : scene.groups) {
        for (const SourceMesh& mesh : group.meshes) EXPECT_EQ(mesh.tangents.empty(), mesh.material == 1);
    }
    EXPECT_TRUE(has_note(scene, "tangents of 2 meshes are made"));

    square.attributes.erase("TEXCOORD_1");
    square.builder.root["meshes"].clear();
    square.builder.root["nodes"].clear();
    square.builder.root["scenes"][0]["nodes"].clear();
    square.add({0});
    const ImportedScene without = square.read();
    EXPECT_TRUE(without.groups[0].meshes[0].tangents.empty()) << "no texture coordinates to make them from";
    EXPECT_FALSE(has_note(without, "tangents of"));
}

// Along the direction that makes them rough: by its texture's coordinates, else by the first set.
TEST(ImportTangents, AreMadeForAnisotropy) {
    Square square;
    square.add({1});
    json& extensions = square.builder.root["materials"][1]["extensions"];
    json& anisotropy = extensions["KHR_materials_anisotropy"];
    anisotropy["anisotropyStrength"] = 0.5;
    const ImportedScene scene = square.read();
    EXPECT_EQ(scene.groups[0].meshes[0].tangents, (std::vector<Vec4>(4, Vec4{1, 0, 0, 1})));
    EXPECT_TRUE(has_note(scene, "tangents of 1 mesh are made from texture coordinates"));

    anisotropy["anisotropyTexture"] = {{"index", 0}, {"texCoord", 1}};
    EXPECT_EQ(square.read().groups[0].meshes[0].tangents, (std::vector<Vec4>(4, Vec4{0, 1, 0, 1})));

    anisotropy["anisotropyStrength"] = 0;
    EXPECT_TRUE(square.read().groups[0].meshes[0].tangents.empty());
}

TEST(ImportTangents, GivenOnesStayUnlessNormalsAreMissing) {
    Square square;
    std::vector<float> given;
    for (int i = 0; i < 4; ++i) given.insert(given.end(), {-1, 0, 0, -1});
    square.attributes["TANGENT"] = square.builder.accessor(given, 4, kF32);
    square.add({0, 1});
    const ImportedScene scene = square.read();
    for (const SourceMesh& mesh : scene.groups[0].meshes) {
        EXPECT_EQ(mesh.tangents, (std::vector<Vec4>(4, Vec4{-1, 0, 0, -1})));
    }
    EXPECT_FALSE(has_note(scene, "tangents of"));

    square.attributes.erase("NORMAL");
    square.add({0});
    const ImportedScene flat = square.read();
    EXPECT_EQ(flat.groups[1].meshes[0].tangents, (std::vector<Vec4>(4, Vec4{0, 1, 0, 1}))) << "glTF 2.0, 3.7.2.1";
}

TEST(ImportTangents, SplitVerticesWithAllTheirAttributes) {
    // A mirrored copy of U left and right of the square's diagonal from corner 0 to corner 2.
    Square square;
    square.attributes["TEXCOORD_1"] = square.builder.accessor<float>({0, 0, 1, 0, 1, 1, 1, 0}, 2, kF32);
    square.attributes["COLOR_0"] =
        square.builder.accessor<float>({1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1, 1, 1, 1, 1}, 4, kF32);
    square.add({0});
    const ImportedScene scene = square.read();
    const SourceMesh& mesh = scene.groups[0].meshes[0];
    ASSERT_EQ(mesh.positions.size(), 6U);
    ASSERT_TRUE(mesh.colors.size() == 6 && mesh.uv0.size() == 6 && mesh.normals.size() == 6);
    for (std::size_t c = 0; c < 6; ++c) {
        const std::uint32_t v = mesh.indices[c];
        EXPECT_EQ(mesh.tangents[v], c < 3 ? (Vec4{1, 0, 0, -1}) : (Vec4{0, 1, 0, 1}));
        // Red is at the left alone.
        EXPECT_EQ(mesh.colors[v][0], mesh.positions[v][0] == 0.0F ? 1.0F : 0.0F);
    }
}

TEST(ImportTangents, AreEncodedAndCounted) {
    ThreadPool pool(2);
    for (const int material : {0, 1}) {
        Square square;
        square.add({material});
        const EncodedScene scene = encode_scene(square.read(), {}, pool);
        const std::uint32_t streams = scene.geometry.meshes[0].streams_present;
        EXPECT_EQ((streams & shared::kHasTangentBit) != 0, material == 0);
        EXPECT_EQ(scene_stats(scene).total.tangent_bits, 0U)
            << "all vertices have the same one: the stream's header holds it";
    }
    // A ball's tangents differ.
    GltfBuilder ball = sphere_gltf(10, 20);
    ball.root["images"] = json::array({{{"uri", kPixel}}});
    ball.root["textures"] = json::array({{{"source", 0}}});
    ball.root["materials"] = json::array({{{"normalTexture", {{"index", 0}}}}});
    ball.root["meshes"][0]["primitives"][0]["material"] = 0;
    const EncodedScene scene = encode_scene(import_gltf(ball.write_glb("ball.glb")), {}, pool);
    const GeometryStats stats = scene_stats(scene).total;
    EXPECT_GT(stats.tangent_bits, 0U);
    EXPECT_LT(stats.tangent_bits, 8 * stats.stream_bytes[shared::kStreamNormalTangent]);
    EXPECT_LE(stats.tangent_bits, 16 * stats.encoded_vertices);
    EXPECT_EQ(scene_stats(scene).meshes[0].tangent_bits, stats.tangent_bits);
}

}  // namespace
}  // namespace sublet::scene::testing
