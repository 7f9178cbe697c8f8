// KHR_materials_variants: read, kept in the file, chosen and given back.
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "base/error.h"
#include "gltf_builder.h"
#include "scene/container.h"

namespace sublet::scene::testing {
namespace {

constexpr const char* kExtension = "KHR_materials_variants";

// Two glTF primitives in one mesh, four materials and two variants: one changes both primitives, one the second alone.
GltfBuilder two_variants() {
    GltfBuilder builder = GltfBuilder::triangle();
    builder.root["extensionsUsed"] = {kExtension};
    builder.root["extensions"][kExtension]["variants"] = {{{"name", "midnight"}}, {{"name", "beach"}}};
    for (int i = 0; i < 4; ++i) builder.root["materials"].push_back({{"name", "m" + std::to_string(i)}});
    json& primitives = builder.root["meshes"][0]["primitives"];
    primitives.push_back(primitives[0]);
    primitives[0]["material"] = 0;
    primitives[0]["extensions"][kExtension]["mappings"] = {{{"material", 2}, {"variants", {0}}}};
    primitives[1]["material"] = 1;
    primitives[1]["extensions"][kExtension]["mappings"] = {{{"material", 3}, {"variants", {1, 0}}}};
    return builder;
}

TEST(Variants, ChangeTheMaterialsOfTheirMeshes) {
    const EncodedScene scene = encode_file(two_variants().write_glb("a.glb"));
    ASSERT_EQ(scene.scene.variants.size(), 2U);
    EXPECT_EQ(scene.scene.variants[0], (Variant{"midnight", {{0, 2}, {1, 3}}}));
    EXPECT_EQ(scene.scene.variants[1], (Variant{"beach", {{1, 3}}}));
    EXPECT_TRUE(scene.notes.empty());
    using Materials = std::vector<std::uint32_t>;
    EXPECT_EQ(materials_of_variant(scene.scene, ""), (Materials{0, 1}));
    EXPECT_EQ(materials_of_variant(scene.scene, "midnight"), (Materials{2, 3}));
    EXPECT_EQ(materials_of_variant(scene.scene, "beach"), (Materials{0, 3}));
    EXPECT_EQ(instances(scene, {}, "midnight").at(1).material, 3U);
    EXPECT_EQ(instances(scene, {}).at(1).material, 1U);
    EXPECT_EQ(instances(scene, {glm::uvec3(2, 1, 1)}, "midnight").at(2).material, 2U);
}

TEST(Variants, ThatAreNotThereAreAnErrorWithTheNames) {
    const auto message = [](const Scene& scene, const char* variant) {
        try {
            (void)materials_of_variant(scene, variant);
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string("no error");
    };
    EXPECT_EQ(message(encode_file(two_variants().write_glb("a.glb")).scene, "midnigt"),
              "the scene has no material variant 'midnigt', but these: midnight, beach; did you mean 'midnight'?");
    EXPECT_EQ(message(encode_file(GltfBuilder::triangle().write_glb("b.glb")).scene, "beach"),
              "the scene has no material variant 'beach': it has none");
}

TEST(Variants, SurviveTheFileAndTheWayBack) {
    const EncodedScene first = encode_file(two_variants().write_glb("a.glb"));
    write_sublet(test_path("a.sublet"), first);
    const EncodedScene opened = open_sublet(test_path("a.sublet"));
    EXPECT_EQ(opened.scene.variants, first.scene.variants);
    export_glb(test_path("b.glb"), opened);
    EncodedScene again = encode_file(test_path("b.glb"));
    EXPECT_EQ(again.scene.variants, first.scene.variants);
    EXPECT_EQ(again.scene.mesh_materials, first.scene.mesh_materials);
    again.info = opened.info;
    write_sublet(test_path("b.sublet"), again);
    EXPECT_EQ(read_bytes(test_path("a.sublet")), read_bytes(test_path("b.sublet")));
}

TEST(Variants, OfGlTFThatIsNotAsItShouldBeAreMendedOrRefused) {
    const auto import = [](auto&& spoil) {
        GltfBuilder builder = two_variants();
        spoil(builder.root["extensions"][kExtension]["variants"],
              builder.root["meshes"][0]["primitives"][0]["extensions"][kExtension]["mappings"]);
        return builder.write_glb("a.glb");
    };
    const ImportedScene twice = import_gltf(import([](json& variants, json& mappings) {
        variants[1]["name"] = "midnight";
        mappings.push_back({{"material", 1}, {"variants", {0}}});
    }));
    EXPECT_TRUE(has_note(twice, "variants[1].name is empty or another's"));
    EXPECT_TRUE(has_note(twice, "mappings name a variant more than once: the first counts"));
    EXPECT_EQ(twice.groups[0].meshes[0].variants.at(0).material, 2U);
    const auto error = [&](auto&& spoil) { return import_error(import(spoil)); };
    const std::string mapping = "meshes[0].primitives[0].extensions.KHR_materials_variants.mappings[0].";
    EXPECT_NE(error([](json&, json& mappings) {
                  mappings[0]["material"] = 9;
              }).find(mapping + "material: is 9, but the file has 4 materials"),
              std::string::npos);
    EXPECT_NE(error([](json&, json& mappings) {
                  mappings[0]["variants"] = {2};
              }).find(mapping + "variants[0]: is 2, but the file has 2 variants"),
              std::string::npos);
    EXPECT_NE(error([](json& variants, json&) {
                  variants[0].erase("name");
              }).find("extensions.KHR_materials_variants.variants[0].name: is missing"),
              std::string::npos);
}

TEST(Variants, NoteMaterialsOfOtherUvSets) {
    GltfBuilder builder = two_variants();
    builder.root["images"] = json::array({{{"uri", "nowhere.png"}}});
    builder.root["textures"] = json::array({{{"source", 0}}});
    builder.root["materials"][2]["emissiveTexture"] = {{"index", 0}, {"texCoord", 2}};
    const ImportedScene scene = import_gltf(builder.write_glb("a.glb"));
    EXPECT_TRUE(has_note(scene, "materials that name other UV sets than their mesh's own"));
}

}  // namespace
}  // namespace sublet::scene::testing
