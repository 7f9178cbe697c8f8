// Nodes, materials, skins, animations, cameras and lights.
#include <gtest/gtest.h>

#include <cmath>
#include <glm/gtc/matrix_transform.hpp>

#include "base/error.h"
#include "gltf_builder.h"
#include "scene/container.h"
#include "scene/import.h"
#include "scene/png.h"
#include "temporary_folder.h"
#include "tests/unit/sanitizer.h"

namespace sublet::scene::testing {
namespace {

constexpr char kPng[] = "\x89PNG\r\n\x1A\n....";

std::span<const std::byte> png_bytes() {
    return std::as_bytes(std::span(kPng, sizeof kPng - 1));
}

std::string png_uri() {
    return "data:image/png;base64," + base64(png_bytes());
}

void expect_near(const glm::mat4& a, const glm::mat4& b, float tolerance = 1e-6F) {
    for (int i = 0; i < 16; ++i) EXPECT_NEAR(a[i / 4][i % 4], b[i / 4][i % 4], tolerance) << "element " << i;
}

TEST(ImportNodes, ReadsTransforms) {
    GltfBuilder builder = GltfBuilder::triangle();
    builder.root["nodes"][0]["children"] = {1};
    builder.root["nodes"][0]["translation"] = {1, 2, 3};
    builder.root["nodes"][0]["rotation"] = {0, 0, std::sqrt(0.5), std::sqrt(0.5)};
    builder.root["nodes"][0]["scale"] = {2, -3, 4};
    builder.root["nodes"].push_back({{"mesh", 0}, {"matrix", {1, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0, 5, 6, 7, 1}}});
    const Scene scene = import_gltf(builder.write_glb("a.glb")).scene;
    ASSERT_EQ(scene.nodes.size(), 2U);
    const glm::mat4 parent = glm::translate(glm::mat4(1.0F), {1, 2, 3}) *
                             glm::rotate(glm::mat4(1.0F), glm::radians(90.0F), {0, 0, 1}) *
                             glm::scale(glm::mat4(1.0F), {2, -3, 4});
    glm::mat4 child(1.0F);
    child[1] = {0, 0, 1, 0};
    child[2] = {0, -1, 0, 0};
    child[3] = {5, 6, 7, 1};
    const std::vector<glm::mat4> world = world_transforms(scene);
    expect_near(world[0], parent);
    expect_near(world[1], parent * child, 1e-5F);
    EXPECT_LT(glm::determinant(glm::mat3(world[0])), 0.0F);
}

TEST(ImportNodes, NormalisesRotations) {
    GltfBuilder builder = GltfBuilder::triangle();
    builder.root["nodes"][0]["rotation"] = {0, 0, 3, 3};
    EXPECT_NEAR(import_gltf(builder.write_glb("a.glb")).scene.nodes[0].rotation.w, std::sqrt(0.5F), 1e-6F);
    builder.root["nodes"][0]["rotation"] = {0, 0, 0, 0};
    EXPECT_EQ(import_gltf(builder.write_glb("b.glb")).scene.nodes[0].rotation.w, 1.0F);
}

TEST(ImportNodes, StoresParentsFirst) {
    GltfBuilder builder = GltfBuilder::triangle();
    // Children are listed before their parents in the file.
    builder.root["nodes"] = json::array({{{"mesh", 0}, {"name", "leaf"}},
                                         {{"children", {0}}, {"name", "middle"}},
                                         {{"children", {1}}, {"name", "root"}}});
    builder.root["scenes"][0]["nodes"] = {2};
    const Scene scene = import_gltf(builder.write_glb("a.glb")).scene;
    ASSERT_EQ(scene.nodes.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(scene.nodes[i].parent, static_cast<int>(i) - 1);
    EXPECT_EQ(scene.nodes[2].name, "leaf");
}

// Nodes 0 > 1 > 2, each a triangle one to the right of its parent, with `list` as the scene's nodes.
GltfBuilder chain(const json& list) {
    GltfBuilder builder = GltfBuilder::triangle();
    builder.root["nodes"] = json::array();
    for (int i = 0; i < 3; ++i) {
        builder.root["nodes"].push_back({{"mesh", 0}, {"name", std::to_string(i)}, {"translation", {1, 0, 0}}});
        if (i < 2) builder.root["nodes"].back()["children"] = {i + 1};
    }
    builder.root["scenes"][0]["nodes"] = list;
    return builder;
}

// Names of nodes and where they are along x, in order.
std::vector<std::pair<std::string, float>> placed(const Scene& scene) {
    const std::vector<glm::mat4> world = world_transforms(scene);
    std::vector<std::pair<std::string, float>> result;
    for (std::size_t i = 0; i < world.size(); ++i) result.emplace_back(scene.nodes[i].name, world[i][3].x);
    return result;
}

using Placed = std::vector<std::pair<std::string, float>>;

TEST(ImportNodes, DrawsANodeThatIsListedTwiceOnce) {
    const ImportedScene scene = import_gltf(chain({0, 0}).write_glb("a.glb"));
    EXPECT_EQ(placed(scene.scene), (Placed{{"0", 1.0F}, {"1", 2.0F}, {"2", 3.0F}}));
    EXPECT_EQ(scene.notes,
              (std::vector<std::string>{"scenes[0].nodes names nodes twice: each is drawn once (first node 0)"}));
}

TEST(ImportNodes, LeavesAListedChildWithItsParent) {
    for (const json& list : {json{2, 0}, json{0, 1, 2}}) {
        const ImportedScene scene = import_gltf(chain(list).write_glb("a.glb"));
        EXPECT_EQ(placed(scene.scene), (Placed{{"0", 1.0F}, {"1", 2.0F}, {"2", 3.0F}})) << list;
        ASSERT_EQ(scene.notes.size(), 1U);
        EXPECT_TRUE(has_note(
            scene, "each is drawn once, with its parent (first node " + std::to_string(list == json{2, 0} ? 2 : 1)));
    }
}

TEST(ImportNodes, MakesARootOfAListedChildWithoutItsParent) {
    const ImportedScene scene = import_gltf(chain({1}).write_glb("a.glb"));
    EXPECT_EQ(placed(scene.scene), (Placed{{"1", 1.0F}, {"2", 2.0F}}));
    EXPECT_EQ(scene.scene.nodes[0].parent, -1);
    ASSERT_EQ(scene.notes.size(), 1U);
    EXPECT_TRUE(has_note(scene, "drawn without its parent's transform (first node 1)"));
    // A child of it that is listed as well is no root of its own.
    EXPECT_EQ(placed(import_gltf(chain({2, 1}).write_glb("b.glb")).scene), placed(scene.scene));
}

TEST(ImportNodes, SharesMeshesAndEncodesEachOnce) {
    GltfBuilder builder = GltfBuilder::triangle();
    for (int i = 0; i < 9; ++i) builder.node({{"mesh", 0}, {"translation", {i, 0, 0}}});
    const ImportedScene scene = import_gltf(builder.write_glb("a.glb"));
    EXPECT_EQ(scene.groups.size(), 1U);
    for (const Node& node : scene.scene.nodes) EXPECT_EQ(node.mesh_group, 0);
}

TEST(ImportNodes, ReadsTheDefaultSceneAlone) {
    GltfBuilder builder = GltfBuilder::triangle();
    builder.root["nodes"].push_back({{"mesh", 0}, {"name", "second"}});
    builder.root["nodes"].push_back({{"mesh", 0}, {"name", "none"}});
    builder.root["scenes"].push_back({{"nodes", {1}}, {"name", "other"}});
    builder.root["scene"] = 1;
    ImportedScene scene = import_gltf(builder.write_glb("a.glb"));
    ASSERT_EQ(scene.scene.nodes.size(), 1U);
    EXPECT_EQ(scene.scene.nodes[0].name, "second");
    EXPECT_EQ(scene.scene.name, "other");
    EXPECT_TRUE(has_note(scene, "of 2 scenes, scene 1 (other) is read"));
    builder.root.erase("scene");
    scene = import_gltf(builder.write_glb("b.glb"));
    ASSERT_EQ(scene.scene.nodes.size(), 1U);
    EXPECT_EQ(scene.scene.nodes[0].name, "");
    builder.root.erase("scenes");
    EXPECT_EQ(import_gltf(builder.write_glb("c.glb")).scene.nodes.size(), 3U);
}

TEST(ImportNodes, ReadsTheSceneThatIsAskedFor) {
    GltfBuilder builder = GltfBuilder::triangle();
    builder.root["nodes"].push_back({{"mesh", 0}, {"name", "second"}});
    builder.root["nodes"].push_back({{"mesh", 0}, {"name", "third"}});
    builder.root["scenes"].push_back({{"nodes", {1}}, {"name", "other"}});
    builder.root["scenes"].push_back({{"nodes", {2}}, {"name", "0"}});
    const std::filesystem::path file = builder.write_glb("a.glb");
    const auto read = [&](const char* wanted) { return import_gltf(file, {.scene = wanted}).scene.nodes.at(0).name; };
    EXPECT_EQ(read(""), "") << "the file's own";
    EXPECT_EQ(read("other"), "second");
    EXPECT_EQ(read("1"), "second");
    EXPECT_EQ(read("2"), "third");
    EXPECT_EQ(read("0"), "third") << "a name comes before a number";
    EXPECT_EQ(read("00"), "");
    const FileScenes scenes = scene_source(file).scenes;
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(scenes.find(scenes.choice(i)), i);
    EXPECT_EQ(scenes.choice(0), "00");
    EXPECT_EQ(scenes.choice(1), "other");
    EXPECT_EQ(scenes.shown_name(0), "scene 0");

    const std::string refused = test::message_of<Error>([&] { static_cast<void>(read("othr")); });
    EXPECT_NE(refused.find("a.glb: scenes: there is no scene 'othr', but these: 0, 1 other, 2 0"), std::string::npos)
        << refused;
    EXPECT_NE(refused.find("did you mean 'other'?"), std::string::npos) << refused;
    builder.root.erase("scene");
    builder.root.erase("scenes");
    const std::filesystem::path whole = builder.write_glb("b.glb");
    EXPECT_TRUE(scene_source(whole).scenes.names.empty());
    EXPECT_THROW(static_cast<void>(import_gltf(whole, {.scene = "0"})), Error);
    EXPECT_EQ(import_gltf(whole).scene.nodes.size(), 3U);
}

TEST(ImportNodes, ReadsDeepHierarchies) {
    constexpr std::size_t kDepth = 100'000 / sublet::test::kSanitizerDivisor;
    GltfBuilder builder = GltfBuilder::triangle();
    json nodes = json::array();
    for (std::size_t i = 0; i < kDepth; ++i) {
        json node{{"translation", {1, 0, 0}}};
        if (i + 1 < kDepth) {
            node["children"] = {i + 1};
        } else {
            node["mesh"] = 0;
        }
        nodes.push_back(std::move(node));
    }
    builder.root["nodes"] = std::move(nodes);
    const Scene scene = import_gltf(builder.write_glb("a.glb")).scene;
    ASSERT_EQ(scene.nodes.size(), kDepth);
    EXPECT_EQ(world_transforms(scene).back()[3].x, static_cast<float>(kDepth));
}

TEST(ImportNodes, ReadsManyNodes) {
    constexpr std::size_t kCount = 100'000 / sublet::test::kSanitizerDivisor;
    GltfBuilder builder = GltfBuilder::triangle();
    json nodes = json::array();
    json roots = json::array();
    for (std::size_t i = 0; i < kCount; ++i) {
        nodes.push_back({{"mesh", 0}, {"translation", {i, 0, 0}}});
        roots.push_back(i);
    }
    builder.root["nodes"] = std::move(nodes);
    builder.root["scenes"][0]["nodes"] = std::move(roots);
    const ImportedScene scene = import_gltf(builder.write_glb("a.glb"));
    EXPECT_EQ(scene.scene.nodes.size(), kCount);
    EXPECT_EQ(scene.groups.size(), 1U);
}

TEST(ImportMaterials, ReadsEveryField) {
    GltfBuilder builder = GltfBuilder::triangle();
    builder.root["images"] = json::array({{{"uri", png_uri()}, {"name", "pixels"}}});
    builder.root["samplers"] =
        json::array({{{"minFilter", 9728}, {"magFilter", 9728}, {"wrapS", 33071}, {"wrapT", 33648}}, json::object()});
    builder.root["textures"] =
        json::array({{{"source", 0}}, {{"source", 0}, {"sampler", 0}}, {{"source", 0}, {"sampler", 1}}});
    builder.root["materials"] = json::array({{{"name", "all"},
                                              {"pbrMetallicRoughness",
                                               {{"baseColorFactor", {0.1, 0.2, 0.3, 0.4}},
                                                {"metallicFactor", 0.5},
                                                {"roughnessFactor", 0.6},
                                                {"baseColorTexture", {{"index", 1}}},
                                                {"metallicRoughnessTexture", {{"index", 2}}}}},
                                              {"normalTexture", {{"index", 0}, {"scale", 0.7}}},
                                              {"occlusionTexture", {{"index", 0}, {"strength", 0.8}}},
                                              {"emissiveTexture", {{"index", 0}}},
                                              {"emissiveFactor", {0.25, 0.5, 1}},
                                              {"alphaMode", "MASK"},
                                              {"alphaCutoff", 0.9},
                                              {"doubleSided", true}},
                                             json::object()});
    builder.root["meshes"][0]["primitives"][0]["material"] = 0;
    const ImportedScene imported = import_gltf(builder.write_glb("a.glb"));
    const Scene& scene = imported.scene;
    ASSERT_EQ(scene.materials.size(), 2U);
    const Material& all = scene.materials[0];
    EXPECT_EQ(all.name, "all");
    EXPECT_EQ(all.base_color, glm::vec4(0.1F, 0.2F, 0.3F, 0.4F));
    EXPECT_EQ(all.metallic, 0.5F);
    EXPECT_EQ(all.roughness, 0.6F);
    EXPECT_EQ(all.normal_texture.strength, 0.7F);
    EXPECT_EQ(all.occlusion_texture.strength, 0.8F);
    EXPECT_EQ(all.emissive, glm::vec3(0.25F, 0.5F, 1.0F));
    EXPECT_EQ(all.alpha_mode, AlphaMode::kMask);
    EXPECT_EQ(all.alpha_cutoff, 0.9F);
    EXPECT_TRUE(all.double_sided);
    EXPECT_FALSE(all.unlit);
    const Material plain = scene.materials[1];
    EXPECT_EQ(plain.base_color, glm::vec4(1.0F));
    EXPECT_EQ(plain.metallic, 1.0F);
    EXPECT_EQ(plain.base_color_texture.texture, -1);
    EXPECT_EQ(plain.alpha_mode, AlphaMode::kOpaque);
    EXPECT_FALSE(plain.double_sided);

    ASSERT_EQ(scene.images.size(), 1U);
    EXPECT_EQ(scene.images[0].mime_type, "image/png");
    EXPECT_EQ(scene.images[0].name, "pixels");
    const auto stored = std::as_bytes(std::span(scene.images[0].bytes));
    EXPECT_TRUE(std::equal(stored.begin(), stored.end(), png_bytes().begin(), png_bytes().end()));
    const auto sampler_of = [&](const TextureRef& reference) {
        const int sampler = scene.textures.at(static_cast<std::size_t>(reference.texture)).sampler;
        return sampler < 0 ? Sampler{} : scene.samplers.at(static_cast<std::size_t>(sampler));
    };
    EXPECT_EQ(sampler_of(all.base_color_texture).wrap_s, 33071);
    EXPECT_EQ(sampler_of(all.base_color_texture).wrap_t, 33648);
    EXPECT_EQ(sampler_of(all.base_color_texture).min_filter, 9728);
    EXPECT_EQ(sampler_of(all.metallic_roughness_texture).wrap_s, 10497);
    EXPECT_EQ(sampler_of(all.normal_texture).min_filter, 9987);
    EXPECT_FALSE(has_note(imported, "opaque")) << "masks are drawn";
}

TEST(ImportMaterials, TakesBlendedSurfacesWithoutANote) {
    GltfBuilder builder = GltfBuilder::triangle();
    builder.root["materials"] =
        json::array({{{"alphaMode", "BLEND"}, {"name", "Glass"}}, json::object(), {{"alphaMode", "BLEND"}}});
    builder.root["meshes"][0]["primitives"][0]["material"] = 0;
    const ImportedScene imported = import_gltf(builder.write_glb("blended.glb"));
    EXPECT_EQ(imported.scene.materials.at(0).alpha_mode, AlphaMode::kBlend);
    EXPECT_TRUE(imported.notes.empty());
}

TEST(ImportMaterials, ReadsImagesOfEveryOrigin) {
    GltfBuilder builder = GltfBuilder::triangle();
    // Each with bytes of its own: images of equal bytes become one.
    std::vector<std::byte> bytes(png_bytes().begin(), png_bytes().end());
    bytes.push_back(std::byte{1});
    const int view = builder.view(bytes);
    bytes.back() = std::byte{2};
    write_bytes(test_path("b c.png"), bytes);
    bytes.back() = std::byte{3};
    write_bytes(test_path("\xC3\xBC.jpg"), std::as_bytes(std::span("\xFF\xD8\xFF\xE0", 4)));
    builder.root["images"] = json::array({{{"bufferView", view}, {"mimeType", "image/png"}},
                                          {{"uri", "b%20c.png"}},
                                          {{"uri", "%C3%BC.jpg"}},
                                          {{"uri", "data:image/png;base64," + base64(bytes)}}});
    json materials = json::array();
    for (int i = 0; i < 4; ++i) {
        builder.root["textures"].push_back({{"source", i}});
        materials.push_back({{"pbrMetallicRoughness", {{"baseColorTexture", {{"index", i}}}}}});
    }
    builder.root["materials"] = materials;
    const ImportedScene scene = import_gltf(builder.write_glb("a.glb"));
    ASSERT_EQ(scene.scene.images.size(), 4U);
    for (const std::size_t i : {0U, 1U, 3U}) {
        EXPECT_EQ(scene.scene.images[i].mime_type, "image/png");
        EXPECT_EQ(scene.scene.images[i].bytes.size(), bytes.size());
    }
    EXPECT_EQ(scene.scene.images[2].mime_type, "image/jpeg");
    EXPECT_EQ(scene.scene.images[1].name, "b c.png");
    EXPECT_TRUE(scene.notes.empty());
}

TEST(ImportMaterials, DrawsWithoutImagesThatAreNotThere) {
    GltfBuilder builder = GltfBuilder::triangle();
    builder.root["images"] = json::array({{{"uri", "missing.png"}}, {{"uri", "data:image/webp;base64,UklGRg=="}}});
    builder.root["textures"] = json::array({{{"source", 0}}, {{"source", 1}}, json::object()});
    json materials = json::array();
    for (int i = 0; i < 3; ++i) {
        materials.push_back({{"pbrMetallicRoughness", {{"baseColorTexture", {{"index", i}}}}}});
    }
    builder.root["materials"] = materials;
    const ImportedScene scene = import_gltf(builder.write_glb("a.glb"));
    EXPECT_TRUE(scene.scene.images.empty());
    EXPECT_TRUE(scene.scene.textures.empty());
    for (const Material& material : scene.scene.materials) EXPECT_EQ(material.base_color_texture.texture, -1);
    EXPECT_TRUE(has_note(scene, "images[0].uri: "));
    EXPECT_TRUE(has_note(scene, "images[1] is of no format that is read"));
    EXPECT_TRUE(has_note(scene, "textures without an image"));
}

TEST(ImportCameras, ReadsBothKinds) {
    GltfBuilder builder = GltfBuilder::triangle();
    builder.root["cameras"] = json::array(
        {{{"type", "perspective"}, {"name", "eye"}, {"perspective", {{"yfov", 0.9}, {"znear", 0.25}}}},
         {{"type", "orthographic"}, {"orthographic", {{"xmag", 3}, {"ymag", 2}, {"znear", 0.5}, {"zfar", 100}}}}});
    builder.node({{"camera", 1}, {"translation", {0, 0, 5}}});
    const Scene scene = import_gltf(builder.write_glb("a.glb")).scene;
    ASSERT_EQ(scene.cameras.size(), 2U);
    EXPECT_EQ(scene.cameras[0].name, "eye");
    EXPECT_EQ(scene.cameras[0].vertical_fov, 0.9F);
    EXPECT_EQ(scene.cameras[0].near_plane, 0.25F);
    EXPECT_TRUE(scene.cameras[1].orthographic);
    EXPECT_EQ(scene.cameras[1].half_height, 2.0F);
    EXPECT_EQ(scene.nodes[1].camera, 1);
}

json perspective(double yfov, double znear) {
    return {{"type", "perspective"}, {"perspective", {{"yfov", yfov}, {"znear", znear}}}};
}

json orthographic(double xmag, double ymag, double znear) {
    return {{"type", "orthographic"},
            {"orthographic", {{"xmag", xmag}, {"ymag", ymag}, {"znear", znear}, {"zfar", 100}}}};
}

TEST(ImportCameras, MendsValuesThatNoViewHas) {
    GltfBuilder builder = GltfBuilder::triangle();
    builder.root["cameras"] = json::array(
        {perspective(0.9, 0), perspective(0.9, -1), perspective(0.9, 1e300), perspective(0.9, 1e-30), perspective(4, 1),
         perspective(0, 1), perspective(3.1415926, 1), orthographic(3, -2, 0), orthographic(3, 0, -5),
         orthographic(0, 2, 0.5), orthographic(0, 0, 1), orthographic(1e-20, 1e300, 1)});
    const ImportedScene imported = import_gltf(builder.write_glb("a.glb"));
    const std::vector<Camera>& cameras = imported.scene.cameras;
    ASSERT_EQ(cameras.size(), 12U);
    for (const std::size_t i : {0U, 1U, 2U, 3U, 7U, 8U}) EXPECT_EQ(cameras[i].near_plane, 0.0F) << i;
    for (const std::size_t i : {4U, 5U, 6U}) EXPECT_EQ(cameras[i].vertical_fov, Camera{}.vertical_fov) << i;
    const std::vector<float> heights{2, 3, 2, 1, 1};
    for (std::size_t i = 0; i < heights.size(); ++i) EXPECT_EQ(cameras[7 + i].half_height, heights[i]) << 7 + i;
    for (const char* note :
         {"cameras[0].perspective.znear is 0;", "cameras[1].perspective.znear is -1;",
          "cameras[2].perspective.znear is 1e+300;", "cameras[3].perspective.znear is 1e-30;",
          "cameras[4].perspective.yfov is 4,", "cameras[5].perspective.yfov is 0,",
          "cameras[6].perspective.yfov is 3.1", "cameras[7].orthographic.ymag is -2; 2 is used",
          "cameras[8].orthographic.ymag is 0; 3 is used", "cameras[8].orthographic.znear is -5;",
          "cameras[9].orthographic.xmag is 0;", "cameras[10].orthographic.ymag is 0; 1 is used",
          "cameras[10].orthographic.xmag is 0;", "cameras[11].orthographic.ymag is 1e+300; 1 is used",
          "cameras[11].orthographic.xmag is 1e-20;"}) {
        EXPECT_TRUE(has_note(imported, note)) << note;
    }
    EXPECT_FALSE(has_note(imported, "cameras[7].orthographic.znear")) << "0 is as good as any there";
    EXPECT_FALSE(has_note(imported, "cameras[9].orthographic.ymag"));
    EXPECT_EQ(imported.notes.size(), 15U);
}

TEST(ImportCameras, NotesANodeWithoutADirection) {
    GltfBuilder builder = GltfBuilder::triangle();
    builder.root["cameras"] = json::array({perspective(0.9, 1)});
    builder.node({{"camera", 0}, {"scale", {1, 1, 0}}});
    builder.node({{"camera", 0}, {"scale", {0, 1, 1}}});
    const ImportedScene imported = import_gltf(builder.write_glb("a.glb"));
    EXPECT_EQ(imported.scene.nodes[1].camera, 0);
    EXPECT_TRUE(has_note(imported, "nodes[1]: its camera is not used")) << imported.notes.size();
    EXPECT_EQ(imported.notes.size(), 1U);
}

TEST(ImportLights, ReadsEveryKind) {
    GltfBuilder builder = GltfBuilder::triangle();
    builder.root["extensionsUsed"] = {"KHR_lights_punctual"};
    builder.root["extensionsRequired"] = {"KHR_lights_punctual"};
    builder.root["extensions"]["KHR_lights_punctual"]["lights"] = json::array(
        {{{"type", "directional"}, {"intensity", 3}, {"color", {1, 0.5, 0.25}}},
         {{"type", "point"}, {"range", 7}},
         {{"type", "spot"}, {"spot", {{"innerConeAngle", 0.1}, {"outerConeAngle", 0.2}}}, {"name", "torch"}}});
    builder.node({{"extensions", {{"KHR_lights_punctual", {{"light", 2}}}}}});
    const ImportedScene imported = import_gltf(builder.write_glb("a.glb"));
    const Scene& scene = imported.scene;
    ASSERT_EQ(scene.lights.size(), 3U);
    EXPECT_EQ(scene.lights[0].type, LightType::kDirectional);
    EXPECT_EQ(scene.lights[0].intensity, 3.0F);
    EXPECT_EQ(scene.lights[0].color, glm::vec3(1.0F, 0.5F, 0.25F));
    EXPECT_EQ(scene.lights[1].type, LightType::kPoint);
    EXPECT_EQ(scene.lights[1].range, 7.0F);
    EXPECT_EQ(scene.lights[2].type, LightType::kSpot);
    EXPECT_EQ(scene.lights[2].outer_cone, 0.2F);
    EXPECT_EQ(scene.lights[2].name, "torch");
    EXPECT_EQ(scene.nodes[1].light, 2);
    EXPECT_TRUE(imported.notes.empty());
}

TEST(ImportAnimations, ReadsChannels) {
    GltfBuilder builder = skinned_strip();
    const int times = builder.accessor<float>({0, 0.5F, 2}, 1, kF32);
    const int moves = builder.accessor<float>({0, 0, 0, 1, 0, 0, 2, 0, 0}, 3, kF32);
    const int turns = builder.accessor<std::int16_t>({0, 0, 0, 32767, 0, 0, 32767, 0, 0, 0, 0, 32767}, 4, kI16, true);
    const int cubic = builder.accessor<float>(std::vector<float>(27, 0.5F), 3, kF32);
    builder.root["animations"] = json::array(
        {{{"name", "wave"},
          {"samplers", json::array({{{"input", times}, {"output", moves}, {"interpolation", "STEP"}},
                                    {{"input", times}, {"output", turns}},
                                    {{"input", times}, {"output", cubic}, {"interpolation", "CUBICSPLINE"}}})},
          {"channels", json::array({{{"sampler", 0}, {"target", {{"node", 1}, {"path", "translation"}}}},
                                    {{"sampler", 1}, {"target", {{"node", 2}, {"path", "rotation"}}}},
                                    {{"sampler", 2}, {"target", {{"node", 0}, {"path", "scale"}}}},
                                    {{"sampler", 0}, {"target", {{"path", "translation"}}}}})}}});
    const ImportedScene scene = import_gltf(builder.write_glb("a.glb"));
    ASSERT_EQ(scene.scene.animations.size(), 1U);
    const Animation& wave = scene.scene.animations[0];
    EXPECT_EQ(wave.name, "wave");
    ASSERT_EQ(wave.channels.size(), 3U) << "a channel without a node is left out";
    EXPECT_EQ(wave.channels[0].interpolation, Interpolation::kStep);
    EXPECT_EQ(wave.channels[0].times, (std::vector<float>{0, 0.5F, 2}));
    EXPECT_EQ(wave.channels[1].path, AnimationPath::kRotation);
    EXPECT_EQ(wave.channels[1].values[3], 1.0F);
    EXPECT_EQ(wave.channels[2].interpolation, Interpolation::kCubicSpline);
    EXPECT_EQ(wave.channels[2].values.size(), 27U);
}

TEST(ImportScene, KeepsImagesOfEqualBytesOnce) {
    const std::vector<std::uint8_t> red = encode_png(1, 1, std::vector<std::uint8_t>{255, 0, 0, 255});
    const std::vector<std::uint8_t> blue = encode_png(1, 1, std::vector<std::uint8_t>{0, 0, 255, 255});
    GltfBuilder builder = GltfBuilder::triangle();
    write_bytes(test_path("red.png"), std::as_bytes(std::span(red)));
    const int view = builder.view(std::as_bytes(std::span(red)));
    const int again = builder.view(std::as_bytes(std::span(red)));
    const std::string uri = "data:image/png;base64," + base64(std::as_bytes(std::span(red)));
    builder.root["images"] = {{{"bufferView", view}},  {{"bufferView", view}},
                              {{"bufferView", again}}, {{"uri", uri}},
                              {{"uri", "red.png"}},    {{"uri", "./red.png"}},
                              {{"uri", uri}},          {{"bufferView", builder.view(std::as_bytes(std::span(blue)))}}};
    for (int i = 0; i < 8; ++i) {
        builder.root["textures"].push_back({{"source", i}});
        builder.root["materials"].push_back({{"emissiveTexture", {{"index", i}}}});
    }
    const Scene scene = import_gltf(builder.write_glb("a.glb")).scene;
    ASSERT_EQ(scene.images.size(), 2U);
    EXPECT_EQ(scene.images[0].bytes, red);
    EXPECT_EQ(scene.images[1].bytes, blue);
    ASSERT_EQ(scene.textures.size(), 8U);
    for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(scene.textures[i].image, i < 7 ? 0 : 1) << i;
}

}  // namespace
}  // namespace sublet::scene::testing
