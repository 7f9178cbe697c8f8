#include "render/scene/material_animation.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "scene/material_fields.h"

namespace sublet::render {
namespace {

using scene::AnimationPath;

// The word of a material that a channel of numbers drives; none of emission and of textures.
std::optional<std::size_t> word_of(AnimationPath path) {
    using shared::Material;
    constexpr std::pair<AnimationPath, std::size_t> kPlaces[] = {
        {AnimationPath::kBaseColor, offsetof(Material, base_color)},
        {AnimationPath::kMetallic, offsetof(Material, metallic)},
        {AnimationPath::kRoughness, offsetof(Material, roughness)},
        {AnimationPath::kNormalScale, offsetof(Material, normal_scale)},
        {AnimationPath::kOcclusionStrength, offsetof(Material, occlusion_strength)},
        {AnimationPath::kAlphaCutoff, offsetof(Material, emissive) + offsetof(shared::vec4, w)}};
    for (const auto& [played, at] : kPlaces) {
        if (played == path) return at / sizeof(float);
    }
    return std::nullopt;
}

class Drivers {
  public:
    Drivers(AnimationData& data, const scene::Scene& scene, const SceneMaterials& materials)
        : data_(data), scene_(scene), materials_(materials) {}

    void add(const scene::PlayedChannel& played) {
        const scene::AnimationChannel& channel = *played.channel;
        const auto material = static_cast<std::size_t>(channel.material);
        const std::size_t first_word = material * sizeof(shared::Material) / sizeof(float);
        if (scene::is_of_texture(channel.path)) {
            add_transform(played);
        } else if (scene::is_of_emission(channel.path)) {
            const glm::vec4& e = channel.emission;
            const std::size_t word = first_word + offsetof(shared::Material, emissive) / sizeof(float);
            shared::MaterialDriver& driver = driver_of(shared::kDriveEmission, word);
            set_still(driver, {e.x, e.y, e.z, e.w, 0.0F});
            driver.channels[channel.path == AnimationPath::kEmissiveStrength ? 1 : 0] = add_channel(played);
        } else {
            const bool masked = scene_.materials[material].alpha_mode == scene::AlphaMode::kMask;
            if (channel.path == AnimationPath::kAlphaCutoff && !masked) return;
            const std::size_t word = first_word + word_of(channel.path).value();
            shared::MaterialDriver& driver = driver_of(shared::kDriveNumbers, word);
            driver.channels[0] = add_channel(played);
        }
    }

  private:
    using Still = std::array<float, 5>;

    static void set_still(shared::MaterialDriver& driver, const Still& still) {
        std::ranges::copy(still, std::begin(driver.still));
    }

    void add_transform(const scene::PlayedChannel& played) {
        const scene::AnimationChannel& channel = *played.channel;
        const auto transform = materials_.played_transforms.find({channel.material, channel.texture});
        if (transform == materials_.played_transforms.end()) return;  // the texture is not bound
        const scene::TextureRef& t =
            scene::texture_of(scene_.materials[static_cast<std::size_t>(channel.material)], channel.texture);
        shared::MaterialDriver& driver = driver_of(shared::kDriveTransform, transform->second);
        set_still(driver, {t.offset.x, t.offset.y, t.rotation, t.scale.x, t.scale.y});
        driver.channels[channel.path == AnimationPath::kTextureOffset     ? 0
                        : channel.path == AnimationPath::kTextureRotation ? 1
                                                                          : 2] = add_channel(played);
    }

    std::uint32_t add_channel(const scene::PlayedChannel& played) {
        const std::size_t number = data_.channels.size() + data_.weight_channels.size() + data_.other_channels.size();
        data_.other_channels.push_back(add_keys_of(data_, played, scene::path_components(played.channel->path)));
        return static_cast<std::uint32_t>(number);
    }

    // The one of that target, which is new where no channel drove it yet.
    shared::MaterialDriver& driver_of(std::uint32_t kind, std::size_t target) {
        const auto [known, is_new] = known_.try_emplace({kind, target}, data_.drivers.size());
        if (is_new) {
            shared::MaterialDriver driver{};
            driver.kind = kind;
            driver.target = static_cast<std::uint32_t>(target);
            std::ranges::fill(driver.channels, shared::kNotDriven);
            data_.drivers.push_back(driver);
        }
        return data_.drivers[known->second];
    }

    AnimationData& data_;
    const scene::Scene& scene_;
    const SceneMaterials& materials_;
    std::map<std::pair<std::uint32_t, std::size_t>, std::size_t> known_;  // by kind and target
};

}  // namespace

void add_material_drivers(AnimationData& data, const scene::Scene& scene, const SceneMaterials& materials) {
    Drivers drivers(data, scene, materials);
    for (const scene::PlayedChannel& played : data.played_materials) drivers.add(played);
}

}  // namespace sublet::render
