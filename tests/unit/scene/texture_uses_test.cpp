// What textures and images are used for.
#include "scene/texture_uses.h"

#include <gtest/gtest.h>

#include <utility>

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

TEST(TextureUses, SayHowAlphaCountsInMips) {
    Scene scene;
    scene.images.resize(5);
    scene.textures = {{0, -1}, {1, -1}, {2, -1}, {3, -1}, {4, -1}, {-1, -1}};
    const auto add = [&scene](int texture, AlphaMode mode, float cutoff = 0.5F, float factor = 1.0F) {
        Material& material = scene.materials.emplace_back();
        material.base_color_texture.texture = texture;
        material.alpha_mode = mode;
        material.alpha_cutoff = cutoff;
        material.base_color.w = factor;
    };
    add(0, AlphaMode::kOpaque);
    add(1, AlphaMode::kBlend);
    add(2, AlphaMode::kOpaque);
    add(2, AlphaMode::kMask);  // whatever else uses it
    add(2, AlphaMode::kMask, 0.25F);
    add(3, AlphaMode::kMask, 0.25F, 0.5F);
    add(4, AlphaMode::kMask, 128.0F / 255.0F);
    add(5, AlphaMode::kMask);
    add(-1, AlphaMode::kMask);
    scene.materials[0].emissive_texture.texture = 1;
    const MipFilter plain;
    EXPECT_EQ(color_mip_filters(scene), (std::vector<MipFilter>{plain,
                                                                {.weigh_by_alpha = true},
                                                                {.weigh_by_alpha = true, .least_alpha = 128},
                                                                {.weigh_by_alpha = true, .least_alpha = 128},
                                                                {.weigh_by_alpha = true, .least_alpha = 128}}));
    // Masks that let all or nothing pass have no coverage to keep.
    for (const auto& [cutoff, factor] :
         {std::pair{0.0F, 1.0F}, {-1.0F, 1.0F}, {1.1F, 1.0F}, {0.5F, 0.0F}, {0.9F, 0.5F}}) {
        scene.materials.clear();
        add(0, AlphaMode::kMask, cutoff, factor);
        EXPECT_EQ(color_mip_filters(scene)[0], (MipFilter{.weigh_by_alpha = true})) << cutoff << ' ' << factor;
    }
}

}  // namespace
}  // namespace sublet::scene
