#include "render/scene/materials.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/log.h"
#include "shaders/shared/shade.h"

namespace sublet::render {
namespace {

using scene::TextureRef;
using enum scene::TextureUse;

scene::Scene scene_of(std::vector<scene::Material> materials, std::size_t textures = 6) {
    scene::Scene scene;
    scene.materials = std::move(materials);
    scene.images.resize(1);
    for (std::size_t i = 0; i < textures; ++i) scene.textures.push_back({0, i % 2 == 0 ? -1 : 0});
    scene.samplers.push_back({.min_filter = 9728});
    return scene;
}

TEST(Materials, OneWithoutTexturesUsesNothing) {
    scene::Material plain;
    plain.base_color = {0.1F, 0.2F, 0.3F, 0.4F};
    plain.metallic = 0.5F;
    plain.roughness = 0.25F;
    plain.double_sided = true;
    const SceneMaterials made = make_materials(scene_of({plain}), 100);
    ASSERT_EQ(made.materials.size(), 1U);
    const shared::Material& material = made.materials[0];
    EXPECT_EQ(material.base_color.z, 0.3F);
    EXPECT_EQ(material.metallic, 0.5F);
    EXPECT_EQ(material.roughness, 0.25F);
    EXPECT_EQ(material.flags, shared::kMaterialDoubleSided);
    EXPECT_EQ(material.base_color_texture.texture, shared::kNoTexture);
    EXPECT_EQ(material.normal_texture.texture, shared::kNoTexture);
    EXPECT_EQ(made.features, shared::kFeatureLit);
    EXPECT_TRUE(made.textures.empty());
    ASSERT_EQ(made.uv_transforms.size(), 1U);
    EXPECT_EQ(made.uv_transforms[0].rows[0].x, 1.0F);
    EXPECT_EQ(made.uv_transforms[0].rows[1].x, 0.0F);
}

TEST(Materials, TexturesAreCountedByUse) {
    scene::Material a;
    a.base_color_texture = {.texture = 2};
    a.metallic_roughness_texture = {.texture = 3};
    a.occlusion_texture = {.texture = 3, .strength = 0.5F};
    a.normal_texture = {.texture = 2, .uv_set = 1, .strength = 2.0F};  // as directions: not what the colour reads
    scene::Material b;
    b.base_color_texture = {.texture = 2};
    const SceneMaterials made = make_materials(scene_of({a, b}), 100);
    ASSERT_EQ(made.textures.size(), 3U);
    EXPECT_EQ(made.textures[0], (BoundTexture{2, kColor}));
    EXPECT_EQ(made.textures[1], (BoundTexture{2, kNormal}));
    EXPECT_EQ(made.textures[2], (BoundTexture{3, kData}));
    const shared::Material& first = made.materials[0];
    EXPECT_EQ(first.base_color_texture.texture, 0U);
    EXPECT_EQ(made.materials[1].base_color_texture.texture, 0U);
    EXPECT_EQ(first.normal_texture.texture, 1U);
    EXPECT_EQ(first.normal_texture.place, shared::kPlaceSecondSet);
    EXPECT_EQ(first.normal_scale, 2.0F);
    EXPECT_EQ(first.metallic_roughness_texture.texture, 2U);
    EXPECT_EQ(first.occlusion_texture.texture, 2U);
    EXPECT_EQ(first.occlusion_texture.place, shared::kPlaceIsotropic) << "its sampler takes the nearest texel";
    EXPECT_EQ(first.occlusion_strength, 0.5F);
    EXPECT_EQ(made.features, shared::kFeatureLit | shared::kFeatureUv | shared::kFeatureSecondUv |
                                 shared::kFeatureBaseColorMap | shared::kFeatureNormalMap |
                                 shared::kFeatureMetallicRoughnessMap | shared::kFeatureOcclusionMap);
}

TEST(Materials, EqualTransformsAreOne) {
    const TextureRef turned{.texture = 0, .offset = {0.5F, 0.25F}, .scale = {2.0F, 3.0F}, .rotation = 0.3F};
    scene::Material a;
    a.base_color_texture = turned;
    a.normal_texture = turned;
    scene::Material b;
    b.base_color_texture = {.texture = 0, .offset = {0.5F, 0.25F}};
    const SceneMaterials made = make_materials(scene_of({a, b}), 100);
    ASSERT_EQ(made.uv_transforms.size(), 3U);
    const std::uint32_t number = made.materials[0].base_color_texture.place >> shared::kPlaceTransformShift;
    EXPECT_EQ(number, made.materials[0].normal_texture.place >> shared::kPlaceTransformShift);
    // KHR_texture_transform's own example of a matrix: translation * rotation * scale.
    const shared::UvTransform& transform = made.uv_transforms[number];
    EXPECT_FLOAT_EQ(transform.rows[0].x, 2.0F * std::cos(0.3F));
    EXPECT_FLOAT_EQ(transform.rows[0].y, 3.0F * std::sin(0.3F));
    EXPECT_FLOAT_EQ(transform.rows[0].z, 0.5F);
    EXPECT_FLOAT_EQ(transform.rows[1].x, -2.0F * std::sin(0.3F));
    EXPECT_FLOAT_EQ(transform.rows[1].y, 3.0F * std::cos(0.3F));
    EXPECT_FLOAT_EQ(transform.rows[1].z, 0.25F);
}

TEST(Materials, UnlitAndDarkOnesReadNoMoreThanTheyShow) {
    scene::Material unlit;
    unlit.unlit = true;
    unlit.normal_texture.texture = 1;
    unlit.emissive = glm::vec3(1.0F);
    scene::Material dark;
    dark.emissive_texture.texture = 1;  // times a factor of 0
    EXPECT_EQ(make_materials(scene_of({unlit}), 100).features, 0U);
    EXPECT_EQ(make_materials(scene_of({dark}), 100).features, shared::kFeatureLit);
    dark.emissive = {0.0F, 2.0F, 0.0F};
    const SceneMaterials lit = make_materials(scene_of({dark}), 100);
    EXPECT_EQ(lit.features,
              shared::kFeatureLit | shared::kFeatureUv | shared::kFeatureEmission | shared::kFeatureEmissiveMap);
    EXPECT_EQ(lit.textures[0].use, kColor);
    EXPECT_EQ(lit.textures[0].read_by, ReadBy::kEmissionAlone);
    dark.sheen.color = glm::vec3(1.0F);
    dark.sheen.color_texture = dark.emissive_texture;
    const SceneMaterials shared_with = make_materials(scene_of({dark}), 100);
    ASSERT_EQ(shared_with.textures.size(), 1U);
    EXPECT_EQ(shared_with.textures[0].read_by, ReadBy::kOthers);
    EXPECT_EQ(lit.materials[0].emissive.y, 2.0F);
}

TEST(Materials, ExtensionsAddLobesWhereTheyAreUsed) {
    scene::Material plain;
    scene::Material glazed;
    glazed.clearcoat.factor = 0.75F;
    glazed.clearcoat.roughness = 0.25F;
    glazed.clearcoat.texture.texture = 1;
    glazed.clearcoat.normal_texture = {.texture = 2, .strength = 3.0F};
    scene::Material cloth;
    cloth.sheen.color = {1.0F, 0.5F, 0.25F};
    cloth.sheen.roughness = 0.5F;
    cloth.sheen.color_texture.texture = 3;
    cloth.specular.color_texture.texture = 3;
    scene::Material diamond;
    diamond.ior = 2.42F;
    scene::Material none;
    none.clearcoat.texture.texture = 4;  // times a factor of 0
    none.sheen.roughness = 0.5F;         // of no colour
    none.ior = 1.5F;
    const SceneMaterials made = make_materials(scene_of({plain, glazed, cloth, diamond, none}), 100);
    ASSERT_EQ(made.lobes.size(), 3U);
    EXPECT_EQ(made.materials[0].lobes, shared::kNoLobes);
    EXPECT_EQ(made.materials[4].lobes, shared::kNoLobes);
    const shared::MaterialLobes& coat = made.lobes[made.materials[1].lobes];
    EXPECT_EQ(coat.clearcoat, 0.75F);
    EXPECT_EQ(coat.clearcoat_roughness, 0.25F);
    EXPECT_EQ(coat.clearcoat_normal_scale, 3.0F);
    EXPECT_NEAR(coat.reflectance, 0.04F, 1e-6F);
    EXPECT_EQ(coat.specular.w, 1.0F);
    EXPECT_EQ(made.textures[coat.clearcoat_normal_texture.texture], (BoundTexture{2, kNormal}));
    const shared::MaterialLobes& fibres = made.lobes[made.materials[2].lobes];
    EXPECT_EQ(fibres.sheen.y, 0.5F);
    EXPECT_EQ(fibres.sheen.w, 0.5F);
    EXPECT_EQ(fibres.sheen_color_texture.texture, fibres.specular_color_texture.texture);
    EXPECT_EQ(made.textures[fibres.sheen_color_texture.texture], (BoundTexture{3, kColor}));
    EXPECT_NEAR(made.lobes[made.materials[3].lobes].reflectance, 0.1724F, 1e-4F);
    EXPECT_EQ(made.textures.size(), 3U);
    EXPECT_EQ(made.features, shared::kFeatureLit | shared::kFeatureUv | shared::kFeatureSpecular |
                                 shared::kFeatureSpecularColorMap | shared::kFeatureClearcoat |
                                 shared::kFeatureClearcoatMap | shared::kFeatureClearcoatNormalMap |
                                 shared::kFeatureSheen | shared::kFeatureSheenColorMap);
    cloth.unlit = true;
    EXPECT_EQ(make_materials(scene_of({cloth}), 100).features, 0U);
}

TEST(Materials, AnisotropyAndFilmsAreLobes) {
    scene::Material brushed;
    brushed.anisotropy.strength = 0.75F;
    brushed.anisotropy.rotation = 0.5F;
    scene::Material film;
    film.iridescence.factor = 0.5F;
    film.iridescence.ior = 1.7F;
    film.iridescence.thickness_texture.texture = 2;
    scene::Material none;
    none.anisotropy.texture.texture = none.iridescence.texture.texture = 3;  // times factors of 0
    const SceneMaterials made = make_materials(scene_of({brushed, film, none}), 100);
    ASSERT_EQ(made.lobes.size(), 2U);
    EXPECT_EQ(made.lobes[0].anisotropy, 0.75F);
    EXPECT_NEAR(made.lobes[0].anisotropy_direction.x, std::cos(0.5), 1e-6);
    EXPECT_NEAR(made.lobes[0].anisotropy_direction.y, std::sin(0.5), 1e-6);
    EXPECT_EQ(made.lobes[1].iridescence, 0.5F);
    EXPECT_EQ(made.lobes[1].film_ior, 1.7F);
    EXPECT_EQ(made.lobes[1].film_thickness_minimum, 100.0F);
    EXPECT_EQ(made.lobes[1].film_thickness_maximum, 400.0F);
    EXPECT_EQ(made.lobes[1].film_thickness_texture.texture, 0U);
    EXPECT_EQ(made.features, shared::kFeatureLit | shared::kFeatureUv | shared::kFeatureAnisotropy |
                                 shared::kFeatureIridescence | shared::kFeatureIridescenceThicknessMap);
    // Without a texture its direction follows the first coordinates all the same.
    EXPECT_EQ(make_materials(scene_of({brushed}), 100).features,
              shared::kFeatureLit | shared::kFeatureUv | shared::kFeatureAnisotropy);
    brushed.anisotropy.texture.texture = 1;
    EXPECT_EQ(make_materials(scene_of({brushed}), 100).textures[0].read_by, ReadBy::kAnisotropyAlone);
    brushed.emissive = glm::vec3(1.0F);
    brushed.occlusion_texture.texture = 1;
    EXPECT_EQ(make_materials(scene_of({brushed}), 100).textures[0].read_by, ReadBy::kOthers);
}

TEST(Materials, ADeviceOfFewTexturesKeepsBaseColours) {
    std::vector<scene::Material> materials(3);
    for (int i = 0; i < 3; ++i) {
        materials[static_cast<std::size_t>(i)].normal_texture.texture = i;
        materials[static_cast<std::size_t>(i)].base_color_texture.texture = i + 3;
    }
    NoteCollector collector;
    const SceneMaterials made = make_materials(scene_of(materials), 4);
    ASSERT_EQ(made.textures.size(), 4U);
    EXPECT_EQ(made.textures[2], (BoundTexture{5, kColor}));
    EXPECT_EQ(made.materials[0].normal_texture.texture, 3U);
    EXPECT_EQ(made.materials[2].normal_texture.texture, shared::kNoTexture);
    const std::vector<std::string> notes = collector.take();
    ASSERT_EQ(notes.size(), 1U);
    EXPECT_NE(notes[0].find("4 textures"), std::string::npos) << notes[0];
    EXPECT_NE(notes[0].find("2 more"), std::string::npos) << notes[0];
}

}  // namespace
}  // namespace sublet::render
