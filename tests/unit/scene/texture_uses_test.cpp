// What textures and images are used for.
#include "scene/texture_uses.h"

#include <gtest/gtest.h>

namespace sublet::scene {
namespace {

TEST(TextureUses, SayWhatTexturesAndImagesAreFor) {
    Scene scene;
    scene.images.resize(4);
    scene.textures = {{0, -1}, {0, -1}, {1, -1}, {2, -1}};
    scene.materials.resize(2);
    scene.materials[0].base_color_texture.texture = 0;
    scene.materials[0].specular.texture.texture = 1;
    scene.materials[0].clearcoat.normal_texture.texture = 2;
    scene.materials[1].specular.color_texture.texture = 1;
    scene.materials[1].sheen.color_texture.texture = 3;
    using enum TextureUse;
    EXPECT_EQ(texture_uses(scene), (std::vector<TextureUses>{{kColor}, {kColor, kData}, {kNormal}, {kColor}}));
    EXPECT_EQ(image_uses(scene), (std::vector<TextureUses>{{kColor, kData}, {kNormal}, {kColor}, {}}));
    scene.materials[1] = {};
    scene.materials[1].emissive_texture.texture = 1;
    scene.materials[1].occlusion_texture.texture = 2;
    scene.materials[1].normal_texture.texture = 3;
    scene.materials[1].metallic_roughness_texture.texture = 3;
    EXPECT_EQ(texture_uses(scene),
              (std::vector<TextureUses>{{kColor}, {kColor, kData}, {kData, kNormal}, {kData, kNormal}}));
}

}  // namespace
}  // namespace sublet::scene
