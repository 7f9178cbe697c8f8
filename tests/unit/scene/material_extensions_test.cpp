// What extensions of glTF say of materials: read, mended, kept in the file and given back.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <set>
#include <string>

#include "base/error.h"
#include "gltf_builder.h"
#include "mesh/container_format.h"
#include "mesh/sections.h"
#include "scene/container.h"
#include "scene/gltf/extensions.h"
#include "scene/material_fields.h"
#include "scene/png.h"

namespace sublet::scene::testing {
namespace {

// Documents with two materials: one that has every field of every extension, each with a value of its own, and a plain
// one. Each texture reference names a texture of its own.
GltfBuilder rich_materials() {
    GltfBuilder builder = GltfBuilder::triangle();
    json& material = builder.root["materials"][0];
    material["name"] = "rich";
    Material any;
    int number = 0;
    int textures = 0;
    for_each_extension_field(
        [&](const MaterialField& field, auto& value) {
            json& written = material["extensions"][field.extension][field.name];
            if constexpr (kIsTexture<decltype(value)>) {
                const std::vector<std::uint8_t> pixel{static_cast<std::uint8_t>(textures), 0, 0, 255};
                const std::vector<std::uint8_t> png = encode_png(1, 1, pixel);
                const int view = builder.view(std::as_bytes(std::span(png)));
                builder.root["images"].push_back({{"bufferView", view}, {"mimeType", "image/png"}});
                builder.root["textures"].push_back({{"source", textures}});
                written["index"] = textures++;
                written["extensions"]["KHR_texture_transform"]["offset"] = {0.5, textures};
                if (field.use == TextureUse::kNormal) written["scale"] = 0.75;
            } else {
                json list = json::array();
                // Within every range, but for what is 1 and more.
                for (std::size_t i = 0; i < components(value).size(); ++i) {
                    list.push_back((field.range.least == 1.0F ? 2.0 : 0.25) + 0.0078125 * ++number);
                }
                written = list.size() == 1 ? list[0] : list;
            }
        },
        any);
    builder.root["materials"][1]["name"] = "plain";
    builder.root["meshes"][0]["primitives"][0]["material"] = 0;
    return builder;
}

// The section's bytes in a file; empty where it has none.
std::vector<std::byte> section_bytes(const std::filesystem::path& path, format::SectionType type) {
    const std::vector<std::byte> file = read_bytes(path);
    const mesh::Sections sections(file, path.string());
    if (!sections.has(type)) return {};
    const auto bytes = sections.get<std::byte>(type);
    return {bytes.begin(), bytes.end()};
}

TEST(MaterialExtensions, EveryFieldIsRead) {
    const ImportedScene imported = import_gltf(rich_materials().write_glb("a.glb"));
    const Material& material = imported.scene.materials.at(0);
    const Material plain;
    int number = 0;
    int texture = 0;
    for_each_extension_field(
        [&](const MaterialField& field, const auto& value, const auto& otherwise) {
            EXPECT_FALSE(value == otherwise) << field.name;
            if constexpr (kIsTexture<decltype(value)>) {
                EXPECT_EQ(value.texture, texture++) << field.name;
                EXPECT_EQ(value.offset, glm::vec2(0.5F, texture)) << field.name;
                EXPECT_EQ(value.strength, field.use == TextureUse::kNormal ? 0.75F : 1.0F) << field.name;
            } else {
                for (const float component : components(value)) {
                    EXPECT_EQ(component, (field.range.least == 1.0F ? 2.0F : 0.25F) + 0.0078125F * ++number)
                        << field.name;
                }
            }
        },
        material, plain);
    EXPECT_EQ(number, 24);
    EXPECT_EQ(texture, 12);
    // The list itself could be wrong: some by their names.
    EXPECT_EQ(material.ior, 2.0078125F);
    EXPECT_EQ(material.specular.color.z, 0.25F + 5 * 0.0078125F);
    EXPECT_EQ(material.clearcoat.normal_texture.texture, 4);
    EXPECT_EQ(material.volume.attenuation_distance, 0.25F + 14 * 0.0078125F);
    EXPECT_EQ(material.iridescence.thickness_texture.texture, 11);
    EXPECT_EQ(material.dispersion, 0.25F + 24 * 0.0078125F);
    EXPECT_FALSE(has_extension_fields(imported.scene.materials.at(1)));
    EXPECT_TRUE(imported.notes.empty()) << imported.notes[0];
}

TEST(MaterialExtensions, SurviveTheFileAndTheWayBack) {
    const EncodedScene first = encode_file(rich_materials().write_glb("a.glb"));
    write_sublet(test_path("a.sublet"), first);
    const EncodedScene opened = open_sublet(test_path("a.sublet"));
    EXPECT_EQ(opened.scene.materials, first.scene.materials);
    export_glb(test_path("a2.glb"), opened);
    EncodedScene again = encode_file(test_path("a2.glb"));
    EXPECT_EQ(again.scene.materials, first.scene.materials);
    again.info = opened.info;    // of the source
    again.notes = opened.notes;  // the exported file lists its extensions, this source does not
    write_sublet(test_path("b.sublet"), again);
    EXPECT_EQ(read_bytes(test_path("a.sublet")), read_bytes(test_path("b.sublet")));
}

// docs/FORMAT.md says where everything lies.
TEST(MaterialExtensions, LieInTheFileAsItsDescriptionSays) {
    GltfBuilder builder = rich_materials();
    std::swap(builder.root["materials"][0], builder.root["materials"][1]);
    write_sublet(test_path("a.sublet"), encode_file(builder.write_glb("a.glb")));
    const auto bytes = section_bytes(test_path("a.sublet"), format::SectionType::kMaterialExtensions);
    ASSERT_EQ(bytes.size(), 488U) << "of the one material that has some";
    const auto number = [&](std::size_t at) {
        float value = 0;
        std::memcpy(&value, &bytes.at(at), 4);
        return value;
    };
    const auto index = [&](std::size_t at) {
        std::int32_t value = 0;
        std::memcpy(&value, &bytes.at(at), 4);
        return value;
    };
    EXPECT_EQ(index(0), 1);
    EXPECT_EQ(number(8), 2.0078125F) << "ior";
    EXPECT_EQ(number(12), 0.25F + 2 * 0.0078125F) << "specular";
    EXPECT_EQ(number(28), 0.25F + 6 * 0.0078125F) << "clearcoat";
    EXPECT_EQ(number(60), 0.25F + 14 * 0.0078125F) << "attenuation distance";
    EXPECT_EQ(number(88), 2.0F + 21 * 0.0078125F) << "iridescence's index of refraction";
    EXPECT_EQ(number(100), 0.25F + 24 * 0.0078125F) << "dispersion";
    for (int texture = 0; texture < 12; ++texture) {
        EXPECT_EQ(index(104 + 32 * static_cast<std::size_t>(texture)), texture);
        EXPECT_EQ(number(104 + 32 * static_cast<std::size_t>(texture) + 12), static_cast<float>(texture + 1));
    }
}

TEST(MaterialExtensions, TakeNoPlaceWhereThereAreNone) {
    GltfBuilder builder = rich_materials();
    builder.root["materials"][0]["extensions"] = {{"KHR_materials_ior", {{"ior", 1.5}}},
                                                  {"KHR_materials_clearcoat", json::object()}};
    write_sublet(test_path("a.sublet"), encode_file(builder.write_glb("a.glb")));
    using enum format::SectionType;
    for (const format::SectionType type : {kMaterialExtensions, kVariants, kVariantNames, kVariantMeshes}) {
        const std::vector<std::byte> file = read_bytes(test_path("a.sublet"));
        EXPECT_FALSE(mesh::Sections(file, "a.sublet").has(type));
    }
}

TEST(MaterialExtensions, ValuesOutOfRangeAreMendedWithANote) {
    const auto imported = [](const char* extension, const char* field, const json& value) {
        GltfBuilder builder = rich_materials();
        builder.root["materials"][0]["extensions"] = {{extension, {{field, value}}}};
        return import_gltf(builder.write_glb("a.glb"));
    };
    const auto expect_note = [](const ImportedScene& scene, const std::string& note) {
        ASSERT_EQ(scene.notes.size(), 1U);
        EXPECT_EQ(scene.notes[0], note);
    };
    ImportedScene scene = imported("KHR_materials_ior", "ior", 0.5);
    EXPECT_EQ(scene.scene.materials[0].ior, 1.0F);
    expect_note(scene, "materials[0].extensions.KHR_materials_ior.ior: 0.5 is out of range; 1 is used");
    scene = imported("KHR_materials_ior", "ior", 0);
    EXPECT_EQ(scene.scene.materials[0].ior, 0.0F) << "has a meaning of its own";
    EXPECT_TRUE(scene.notes.empty());
    scene = imported("KHR_materials_clearcoat", "clearcoatFactor", 3);
    EXPECT_EQ(scene.scene.materials[0].clearcoat.factor, 1.0F);
    expect_note(scene, "materials[0].extensions.KHR_materials_clearcoat.clearcoatFactor: 3 is out of range; 1 is used");
    scene = imported("KHR_materials_sheen", "sheenColorFactor", {0.5, -1, 0.25});
    EXPECT_EQ(scene.scene.materials[0].sheen.color, glm::vec3(0.5F, 0, 0.25F));
    expect_note(scene, "materials[0].extensions.KHR_materials_sheen.sheenColorFactor: -1 is out of range; 0 is used");
    scene = imported("KHR_materials_volume", "attenuationDistance", 0);
    EXPECT_EQ(scene.scene.materials[0].volume.attenuation_distance, std::numeric_limits<float>::infinity());
    expect_note(scene,
                "materials[0].extensions.KHR_materials_volume.attenuationDistance: 0 is out of range; inf is used");
    scene = imported("KHR_materials_specular", "specularColorFactor", {4, 1, 1});
    EXPECT_EQ(scene.scene.materials[0].specular.color.r, 4.0F) << "may exceed 1";
    EXPECT_TRUE(scene.notes.empty());
}

TEST(MaterialExtensions, MalformedFieldsAreRefusedByName) {
    const auto message = [](const char* extension, const json& value) {
        GltfBuilder builder = rich_materials();
        builder.root["materials"][0]["extensions"] = {{extension, value}};
        return import_error(builder.write_glb("a.glb"));
    };
    const std::string at = "materials[0].extensions.";
    EXPECT_NE(message("KHR_materials_ior", {{"ior", "glass"}})
                  .find(at + "KHR_materials_ior.ior: must be a number in the range of single precision, but is "
                             "\"glass\""),
              std::string::npos);
    EXPECT_NE(message("KHR_materials_sheen", {{"sheenColorFactor", {1, 1}}})
                  .find(at + "KHR_materials_sheen.sheenColorFactor: must have 3 numbers, but has 2"),
              std::string::npos);
    EXPECT_NE(message("KHR_materials_clearcoat", {{"clearcoatTexture", {{"index", 99}}}})
                  .find(at + "KHR_materials_clearcoat.clearcoatTexture.index: is 99, but the file has 12 textures"),
              std::string::npos);
    EXPECT_NE(message("KHR_materials_volume", 7).find(at + "KHR_materials_volume: must be an object"),
              std::string::npos);
}

TEST(MaterialExtensions, AreNotedOnceEach) {
    GltfBuilder builder = rich_materials();
    builder.root["extensionsUsed"] = {"KHR_materials_volume", "KHR_materials_diffuse_transmission",
                                      "KHR_materials_unlit", "KHR_materials_variants"};
    builder.root["extensionsRequired"] = {"KHR_materials_volume"};
    const ImportedScene scene = import_gltf(builder.write_glb("a.glb"));
    EXPECT_EQ(scene.notes,
              (std::vector<std::string>{
                  "KHR_materials_diffuse_transmission is ignored: what it says of the scene is left out"}));
}

TEST(MaterialExtensions, GetTheUvSetsThatAreLeft) {
    GltfBuilder builder = rich_materials();
    json& material = builder.root["materials"][0];
    material["pbrMetallicRoughness"]["baseColorTexture"] = {{"index", 0}, {"texCoord", 3}};
    material["emissiveTexture"] = {{"index", 1}, {"texCoord", 2}};
    material["extensions"] = {{"KHR_materials_clearcoat",
                               {{"clearcoatTexture", {{"index", 2}, {"texCoord", 5}}},
                                {"clearcoatRoughnessTexture", {{"index", 3}, {"texCoord", 4}}},
                                {"clearcoatNormalTexture", {{"index", 4}, {"texCoord", 2}}}}}};
    const ImportedScene scene = import_gltf(builder.write_glb("a.glb"));
    const Material& read = scene.scene.materials[0];
    EXPECT_EQ(read.base_color_texture.uv_set, 0);
    EXPECT_EQ(read.emissive_texture.uv_set, 1);
    EXPECT_EQ(read.clearcoat.normal_texture.uv_set, 1);
    EXPECT_EQ(read.clearcoat.texture.uv_set, 0);
    const std::string note = "of more than two UV sets of a material the first two are kept";
    EXPECT_EQ(std::count(scene.notes.begin(), scene.notes.end(), note), 1);
}

// --- The one list of extensions, and what docs/MODELS.md tells of it.

std::string documented_word(const gltf::Extension& extension) {
    switch (extension.support) {
        case gltf::ExtensionSupport::kLibrary:
            return std::string("supported where the program was built with ") + extension.library->name;
        case gltf::ExtensionSupport::kRead:
            return "supported";
        case gltf::ExtensionSupport::kIgnored:
            return "ignored with a note";
        default:
            return "its images are not read: PNG or JPEG instead";
    }
}

TEST(Extensions, AreToldByTheDocumentation) {
    std::ifstream file(SUBLET_MODELS_MD);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    ASSERT_FALSE(text.empty()) << SUBLET_MODELS_MD;
    std::set<std::string_view> names;
    for (const gltf::Extension& extension : gltf::known_extensions()) {
        EXPECT_TRUE(names.insert(extension.name).second) << extension.name << " is listed twice";
        const std::string line = "| " + std::string(extension.name) + " | " + documented_word(extension);
        EXPECT_NE(text.find("\n" + line), std::string::npos) << "MODELS.md lacks: " << line;
    }
}

TEST(Extensions, HaveEveryOneThatAddsFields) {
    const Material any;
    for_each_extension_field(
        [](const MaterialField& field, const auto&) { EXPECT_TRUE(gltf::is_read(field.extension)) << field.extension; },
        any);
}

}  // namespace
}  // namespace sublet::scene::testing
