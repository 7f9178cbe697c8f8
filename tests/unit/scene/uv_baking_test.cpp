#include "scene/uv_baking.h"

#include <gtest/gtest.h>

namespace sublet::scene {
namespace {

constexpr float kScale = 8192.0F;

// Two meshes, each of a material of its own, whose coordinates are a 16-bit grid's first eight steps, enlarged.
ImportedScene small_coordinates() {
    ImportedScene out;
    out.scene.textures.resize(1);
    for (std::uint32_t i = 0; i < 2; ++i) {
        Material material;
        for (TextureRef* reference : {&material.base_color_texture, &material.normal_texture}) {
            reference->texture = 0;
            reference->offset = {0.1F, 0.05F};
            reference->scale = {kScale, 0.5F * kScale};
        }
        out.scene.materials.push_back(material);
        SourceMesh mesh;
        mesh.material = i;
        for (int step = 0; step < 8; ++step) {
            const float at = static_cast<float>(step) / 65535.0F;
            mesh.uv0.push_back({at, at});
        }
        out.groups.emplace_back().meshes.push_back(mesh);
    }
    return out;
}

TextureRef& base(ImportedScene& scene, std::size_t material) {
    return scene.scene.materials[material].base_color_texture;
}
SourceMesh& mesh(ImportedScene& scene, std::size_t number) {
    return scene.groups[number].meshes[0];
}

void expect_baked(ImportedScene& scene, std::size_t number) {
    EXPECT_EQ(base(scene, number).scale, glm::vec2(1.0F));
    EXPECT_EQ(base(scene, number).offset, glm::vec2(0.0F));
    EXPECT_EQ(scene.scene.materials[number].normal_texture.scale, glm::vec2(1.0F));
    for (int step = 0; step < 8; ++step) {
        const float at = static_cast<float>(step) / 65535.0F;
        const std::array<float, 2>& uv = mesh(scene, number).uv0[static_cast<std::size_t>(step)];
        EXPECT_FLOAT_EQ(uv[0], 0.1F + kScale * at);
        EXPECT_FLOAT_EQ(uv[1], 0.05F + 0.5F * kScale * at);
    }
}

void expect_left(ImportedScene& scene, std::size_t number, const ImportedScene& before) {
    EXPECT_EQ(scene.scene.materials[number], before.scene.materials[number]);
    EXPECT_EQ(mesh(scene, number).uv0, before.groups[number].meshes[0].uv0);
}

TEST(UvBaking, EnlargingTransformsGoIntoTheCoordinates) {
    ImportedScene scene = small_coordinates();
    bake_enlarging_transforms(scene);
    expect_baked(scene, 0);
    expect_baked(scene, 1);
}

TEST(UvBaking, EachSetIsAlone) {
    ImportedScene scene = small_coordinates();
    mesh(scene, 0).uv1 = mesh(scene, 0).uv0;
    scene.scene.materials[0].occlusion_texture = {.texture = 0, .uv_set = 1, .scale = {2.0F, 2.0F}};
    const ImportedScene before = scene;
    bake_enlarging_transforms(scene);
    expect_baked(scene, 0);
    EXPECT_EQ(mesh(scene, 0).uv1, before.groups[0].meshes[0].uv1);
    EXPECT_EQ(scene.scene.materials[0].occlusion_texture, before.scene.materials[0].occlusion_texture);
}

TEST(UvBaking, OthersAreLeft) {
    struct Case {
        const char* name;
        void (*change)(ImportedScene&);
    };
    const Case cases[] = {
        {"turned", [](ImportedScene& s) { base(s, 0).rotation = 0.1F; }},
        {"mirrored", [](ImportedScene& s) { base(s, 0).scale.x = -kScale; }},
        {"hardly enlarged",
         [](ImportedScene& s) {
             base(s, 0).scale = s.scene.materials[0].normal_texture.scale = {4.0F, 4.0F};
         }},
        {"textures that differ", [](ImportedScene& s) { base(s, 0).offset.x = 0.2F; }},
        {"repeated often",
         [](ImportedScene& s) {
             mesh(s, 0).uv0[3] = {0.01F, 0.0F};
         }},
    };
    for (const Case& one : cases) {
        SCOPED_TRACE(one.name);
        ImportedScene scene = small_coordinates();
        one.change(scene);
        const ImportedScene before = scene;
        bake_enlarging_transforms(scene);
        expect_left(scene, 0, before);
        expect_baked(scene, 1);
    }
}

// A material that another mesh can't do without stays, and so does the mesh that shares it.
// Nothing else would keep what they say.
TEST(UvBaking, MaterialsWithoutCoordinatesAreLeft) {
    ImportedScene unused = small_coordinates();
    unused.groups.pop_back();
    const Material before = unused.scene.materials[1];
    bake_enlarging_transforms(unused);
    expect_baked(unused, 0);
    EXPECT_EQ(unused.scene.materials[1], before);

    ImportedScene bare = small_coordinates();
    mesh(bare, 1).uv0.clear();
    const ImportedScene source = bare;
    bake_enlarging_transforms(bare);
    expect_baked(bare, 0);
    expect_left(bare, 1, source);
}

TEST(UvBaking, SharedMaterialsStayWithAllTheirMeshes) {
    ImportedScene scene = small_coordinates();
    mesh(scene, 1).variants.push_back({0, 0});
    base(scene, 1).rotation = 1.0F;
    const ImportedScene before = scene;
    bake_enlarging_transforms(scene);
    expect_left(scene, 0, before);
    expect_left(scene, 1, before);
}

TEST(UvBaking, VariantsThatAgreeAreChangedTogether) {
    ImportedScene scene = small_coordinates();
    mesh(scene, 1).variants.push_back({0, 0});
    bake_enlarging_transforms(scene);
    expect_baked(scene, 0);
    expect_baked(scene, 1);
}

}  // namespace
}  // namespace sublet::scene
