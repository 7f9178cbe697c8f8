#include "scene/builtin/materials.h"

#include <utility>

#include "scene/builtin/textures.h"

namespace sublet::scene::builtin {
namespace {

class MaterialMaker {
  public:
    MaterialMaker(Scene& scene, std::uint32_t seed, ThreadPool* pool) : scene_(scene), seed_(seed), pool_(pool) {
        scene_.samplers.push_back({});  // trilinear, repeating
    }

    // The number of the first texture of a pattern; those of its other maps follow.
    int textures(const char* name, Pattern pattern, std::uint32_t size, std::uint32_t main, std::uint32_t second,
                 const Maps& maps) {
        const auto first = static_cast<int>(scene_.images.size());
        const std::uint32_t seed = seed_ * 101 + static_cast<std::uint32_t>(scene_.materials.size());
        for (Image& image : make_textures(name, pattern, size, main, second, seed, maps, pool_)) {
            scene_.textures.push_back({static_cast<int>(scene_.images.size()), 0});
            scene_.images.push_back(std::move(image));
        }
        return first;
    }

    // A material without metal, of one roughness where no map tells another.
    Material& add(const char* name, float roughness) {
        Material material;
        material.name = name;
        material.metallic = 0.0F;
        material.roughness = roughness;
        scene_.materials.push_back(std::move(material));
        return scene_.materials.back();
    }

    // One that a pattern gives its maps.
    Material& add(const char* name, Pattern pattern, std::uint32_t size, std::uint32_t main, std::uint32_t second,
                  float roughness, const Maps& maps = {}) {
        int next = textures(name, pattern, size, main, second, maps);
        Material& material = add(name, roughness);
        material.base_color_texture.texture = next++;
        if (maps.normal) material.normal_texture.texture = next++;
        if (maps.surface) {
            material.metallic_roughness_texture.texture = next;
            material.occlusion_texture.texture = next;
            material.metallic = 1.0F;
            material.roughness = 1.0F;
        }
        return material;
    }

  private:
    Scene& scene_;
    std::uint32_t seed_;
    ThreadPool* pool_;
};

TextureRef repeated(int texture, float times_u, float times_v, float strength = 1.0F) {
    TextureRef reference;
    reference.texture = texture;
    reference.scale = {times_u, times_v};
    reference.strength = strength;
    return reference;
}

void make_cloths(MaterialMaker& maker) {
    Material& red = maker.add("red cloth", Pattern::kDamask, 256, 0x7E1522, 0xD09A3C, 0.85F);
    red.sheen = {.color = {0.75F, 0.22F, 0.20F}, .color_texture = {}, .roughness = 0.35F, .roughness_texture = {}};
    red.double_sided = true;
    const int weave = maker.textures("weave", Pattern::kWeave, 128, 0, 0, {.color = false, .normal = true});
    red.normal_texture = repeated(weave, 5.0F, 11.0F);
    Material& blue = maker.add("blue cloth", Pattern::kStripes, 256, 0x1B3768, 0xDCD4C0, 0.85F);
    blue.sheen = {.color = {0.35F, 0.45F, 0.75F}, .color_texture = {}, .roughness = 0.35F, .roughness_texture = {}};
    blue.normal_texture = repeated(weave, 5.0F, 11.0F);
    blue.double_sided = true;
}

}  // namespace

void make_materials(ImportedScene& scene, std::uint32_t seed, ThreadPool* pool) {
    MaterialMaker maker(scene.scene, seed, pool);
    const Maps bumpy{.normal = true};
    const Maps varied{.surface = true};
    const Maps all{.normal = true, .surface = true};
    // In the order of MaterialId.
    maker.add("plaster", Pattern::kPlaster, 256, 0xDDD3BF, 0xCBBC9C, 0.9F, bumpy);
    maker.add("brick", Pattern::kBricks, 384, 0xA35A40, 0xBDB3A2, 1.0F, all);
    maker.add("light marble", Pattern::kWhiteMarble, 256, 0xE4E0D8, 0x8C8A88, 1.0F, varied);
    maker.add("dark marble", Pattern::kDarkMarble, 256, 0x1F3029, 0xB4BEB0, 1.0F, varied);
    maker.add("granite", Pattern::kGranite, 256, 0x55524F, 0x918C86, 1.0F, varied);
    maker.add("limestone", Pattern::kLimestone, 256, 0xD6CCB6, 0xBBAE92, 0.85F, bumpy);
    maker.add("timber", Pattern::kTimber, 256, 0x9A6B3F, 0x5E3B20, 1.0F, all);
    maker.add("bronze", Pattern::kBronze, 256, 0xC08A55, 0x5E9483, 1.0F, all);
    Material& brass = maker.add("brass", Pattern::kBrushed, 128, 0xE3C273, 0xB98E4A, 1.0F, varied);
    brass.anisotropy = {.strength = 0.7F, .rotation = 1.5707963F, .texture = {}};  // across the grooves

    const int dents = maker.textures("dents", Pattern::kHammered, 128, 0, 0, {.color = false, .normal = true});
    Material& gold = maker.add("gold", 0.27F);  // no texture of its colour
    gold.base_color = {1.0F, 0.70F, 0.29F, 1.0F};
    gold.metallic = 1.0F;
    gold.normal_texture.texture = dents;

    // The coat lies where the slip is, and a trace of it on the clay. Its map is the first channel, which for other
    // patterns is occlusion.
    Material& glaze = maker.add("glaze", Pattern::kPottery, 384, 0xC0643A, 0x1E1917, 1.0F, varied);
    glaze.clearcoat.factor = 1.0F;
    glaze.clearcoat.roughness = 0.06F;
    std::swap(glaze.clearcoat.texture, glaze.occlusion_texture);

    make_cloths(maker);

    Material& glass = maker.add("glass", 0.0F);
    glass.base_color = {0.84F, 0.93F, 0.89F, 1.0F};
    glass.transmission.factor = 1.0F;
    glass.volume.thickness = 1.6F;  // of a ball of radius 1: its diameter, less where a ray passes off its middle
    glass.volume.attenuation_distance = 2.0F;
    glass.volume.attenuation_color = {0.75F, 0.93F, 0.85F};

    maker.add("meadow", Pattern::kGrass, 256, 0x6F8A44, 0x50702F, 1.0F, bumpy);
    Material& leaves = maker.add("leaves", Pattern::kSprig, 256, 0x3C6A2C, 0x6E9440, 0.7F);
    leaves.alpha_mode = AlphaMode::kMask;
    leaves.double_sided = true;
    Material& bark = maker.add("bark", 0.95F);  // timber's grain, greyer and deeper
    bark.base_color = {0.62F, 0.58F, 0.55F, 1.0F};
    const Material& timber = scene.scene.materials[kTimber];
    bark.base_color_texture = timber.base_color_texture;
    bark.normal_texture = timber.normal_texture;
    bark.normal_texture.strength = 2.0F;
    Material& flame = maker.add("flame", 1.0F);
    flame.base_color = {0.0F, 0.0F, 0.0F, 1.0F};
    flame.emissive = {9.0F, 4.6F, 1.4F};
    Material& stained = maker.add("stained glass", Pattern::kLeaded, 256, 0xC23A20, 0x2352C8, 0.15F);
    stained.alpha_mode = AlphaMode::kBlend;
    stained.double_sided = true;
}

}  // namespace sublet::scene::builtin
