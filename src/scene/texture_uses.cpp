#include "scene/texture_uses.h"

#include <cmath>

namespace sublet::scene {
namespace {

// The least alpha of a texel, of 255, that a material's mask lets through; 0 where all or none pass.
std::uint8_t least_alpha(const Material& material) {
    constexpr double kRounding = 1e-4;  // a cutoff of 128 / 255 is no exact float
    const double least =
        255.0 * static_cast<double>(material.alpha_cutoff) / static_cast<double>(material.base_color.w);
    return least > kRounding && least <= 255.0 ? static_cast<std::uint8_t>(std::ceil(least - kRounding))
                                               : std::uint8_t{0};
}

}  // namespace

std::vector<TextureUses> texture_uses(const Scene& scene) {
    std::vector<TextureUses> uses(scene.textures.size());
    for (const Material& material : scene.materials) {
        for_each_texture(
            [&uses](const TextureRef& reference, TextureUse use, Channels) {
                if (reference.texture >= 0) uses[static_cast<std::size_t>(reference.texture)].insert(use);
            },
            material);
    }
    return uses;
}

std::vector<TextureUses> image_uses(const Scene& scene) {
    std::vector<TextureUses> uses(scene.images.size());
    const std::vector<TextureUses> of_textures = texture_uses(scene);
    for (std::size_t i = 0; i < of_textures.size(); ++i) {
        uses[static_cast<std::size_t>(scene.textures[i].image)].insert(of_textures[i].begin(), of_textures[i].end());
    }
    return uses;
}

std::vector<MipFilter> color_mip_filters(const Scene& scene) {
    std::vector<MipFilter> filters(scene.images.size());
    for (const Material& material : scene.materials) {
        const int texture = material.base_color_texture.texture;
        if (texture < 0 || material.alpha_mode == AlphaMode::kOpaque) continue;
        const int image = scene.textures[static_cast<std::size_t>(texture)].image;
        if (image < 0) continue;
        MipFilter& filter = filters[static_cast<std::size_t>(image)];
        filter.weigh_by_alpha = true;
        if (material.alpha_mode == AlphaMode::kMask && filter.least_alpha == 0) {
            filter.least_alpha = least_alpha(material);
        }
    }
    return filters;
}

}  // namespace sublet::scene
