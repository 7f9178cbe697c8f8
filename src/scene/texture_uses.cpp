#include "scene/texture_uses.h"

namespace sublet::scene {

std::vector<TextureUses> texture_uses(const Scene& scene) {
    std::vector<TextureUses> uses(scene.textures.size());
    for (const Material& material : scene.materials) {
        for_each_texture(
            [&uses](const TextureRef& reference, TextureUse use) {
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

}  // namespace sublet::scene
