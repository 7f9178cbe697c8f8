#include "render/scene/materials.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "base/count_text.h"
#include "base/log.h"
#include "shaders/shared/shade.h"
#include "shaders/shared/uv_transform.h"

namespace sublet::render {
namespace {

using scene::TextureRef;
using Source = scene::Material;

// A texture of a material: where the scene has it, and where the GPU's record, of type Target.
template <class Target>
struct Reference {
    const TextureRef& (*source)(const Source&);
    shared::TextureSlot Target::*slot;
    std::uint32_t feature;
    scene::TextureUse use = scene::TextureUse::kData;
};

// Those that matter most first.
using Core = shared::Material;
constexpr Reference<Core> kReferences[] = {
    {[](const Source& m) -> const TextureRef& { return m.base_color_texture; }, &Core::base_color_texture,
     shared::kFeatureBaseColorMap, scene::TextureUse::kColor},
    {[](const Source& m) -> const TextureRef& { return m.normal_texture; }, &Core::normal_texture,
     shared::kFeatureNormalMap, scene::TextureUse::kNormal},
    {[](const Source& m) -> const TextureRef& { return m.metallic_roughness_texture; },
     &Core::metallic_roughness_texture, shared::kFeatureMetallicRoughnessMap},
    {[](const Source& m) -> const TextureRef& { return m.emissive_texture; }, &Core::emissive_texture,
     shared::kFeatureEmissiveMap, scene::TextureUse::kColor},
    {[](const Source& m) -> const TextureRef& { return m.occlusion_texture; }, &Core::occlusion_texture,
     shared::kFeatureOcclusionMap},
};
using Lobes = shared::MaterialLobes;
constexpr Reference<Lobes> kLobeReferences[] = {
    {[](const Source& m) -> const TextureRef& { return m.specular.texture; }, &Lobes::specular_texture,
     shared::kFeatureSpecularMap},
    {[](const Source& m) -> const TextureRef& { return m.specular.color_texture; }, &Lobes::specular_color_texture,
     shared::kFeatureSpecularColorMap, scene::TextureUse::kColor},
    {[](const Source& m) -> const TextureRef& { return m.clearcoat.texture; }, &Lobes::clearcoat_texture,
     shared::kFeatureClearcoatMap},
    {[](const Source& m) -> const TextureRef& { return m.clearcoat.roughness_texture; },
     &Lobes::clearcoat_roughness_texture, shared::kFeatureClearcoatRoughnessMap},
    {[](const Source& m) -> const TextureRef& { return m.clearcoat.normal_texture; }, &Lobes::clearcoat_normal_texture,
     shared::kFeatureClearcoatNormalMap, scene::TextureUse::kNormal},
    {[](const Source& m) -> const TextureRef& { return m.sheen.color_texture; }, &Lobes::sheen_color_texture,
     shared::kFeatureSheenColorMap, scene::TextureUse::kColor},
    {[](const Source& m) -> const TextureRef& { return m.sheen.roughness_texture; }, &Lobes::sheen_roughness_texture,
     shared::kFeatureSheenRoughnessMap},
    {[](const Source& m) -> const TextureRef& { return m.transmission.texture; }, &Lobes::transmission_texture,
     shared::kFeatureTransmissionMap},
    {[](const Source& m) -> const TextureRef& { return m.volume.thickness_texture; }, &Lobes::thickness_texture,
     shared::kFeatureThicknessMap},
    {[](const Source& m) -> const TextureRef& { return m.anisotropy.texture; }, &Lobes::anisotropy_texture,
     shared::kFeatureAnisotropyMap},
    {[](const Source& m) -> const TextureRef& { return m.iridescence.texture; }, &Lobes::iridescence_texture,
     shared::kFeatureIridescenceMap},
    {[](const Source& m) -> const TextureRef& { return m.iridescence.thickness_texture; },
     &Lobes::film_thickness_texture, shared::kFeatureIridescenceThicknessMap},
};

// The lobes that a material has: kFeatureSpecular and those that follow, without their maps.
std::uint32_t lobes_of(const Source& material) {
    if (material.unlit) return 0;
    std::uint32_t out = 0;
    if (material.ior != Source{}.ior || material.specular != scene::Specular{}) out |= shared::kFeatureSpecular;
    if (material.clearcoat.factor > 0.0F) out |= shared::kFeatureClearcoat;
    if (material.sheen.color != glm::vec3(0.0F)) out |= shared::kFeatureSheen;
    if (is_transmissive(material)) out |= shared::kFeatureTransmission;
    if (material.anisotropy.strength > 0.0F) out |= shared::kFeatureAnisotropy;
    if (material.iridescence.factor > 0.0F) out |= shared::kFeatureIridescence;
    return out;
}

// Whether a texture, but of emission, can be seen in what a material looks like.
bool matters(const Source& material, std::uint32_t feature) {
    using namespace shared;
    constexpr std::uint32_t kSpecularMaps = kFeatureSpecularMap | kFeatureSpecularColorMap;
    constexpr std::uint32_t kClearcoatMaps =
        kFeatureClearcoatMap | kFeatureClearcoatRoughnessMap | kFeatureClearcoatNormalMap;
    constexpr std::uint32_t kSheenMaps = kFeatureSheenColorMap | kFeatureSheenRoughnessMap;
    constexpr std::uint32_t kIridescenceMaps = kFeatureIridescenceMap | kFeatureIridescenceThicknessMap;
    if (material.unlit) return feature == kFeatureBaseColorMap;
    const std::uint32_t lobes = lobes_of(material);
    if ((feature & kSpecularMaps) != 0) return (lobes & kFeatureSpecular) != 0;
    if ((feature & kClearcoatMaps) != 0) return (lobes & kFeatureClearcoat) != 0;
    if ((feature & kSheenMaps) != 0) return (lobes & kFeatureSheen) != 0;
    if (feature == kFeatureTransmissionMap) return (lobes & kFeatureTransmission) != 0;
    if (feature == kFeatureThicknessMap) {
        return (lobes & kFeatureTransmission) != 0 && material.volume.thickness > 0.0F;
    }
    if (feature == kFeatureAnisotropyMap) return (lobes & kFeatureAnisotropy) != 0;
    if ((feature & kIridescenceMaps) != 0) return (lobes & kFeatureIridescence) != 0;
    return true;
}

ReadBy read_by(std::uint32_t feature) {
    if (feature == shared::kFeatureEmissiveMap) return ReadBy::kEmissionAlone;
    return feature == shared::kFeatureAnisotropyMap ? ReadBy::kAnisotropyAlone : ReadBy::kOthers;
}

shared::UvTransform make_transform(const scene::TextureRef& reference) {
    return shared::uv_transform({reference.offset.x, reference.offset.y}, reference.rotation,
                                {reference.scale.x, reference.scale.y});
}

class Maker {
  public:
    Maker(const scene::Scene& scene, std::uint32_t most_textures, std::span<const scene::PlayedChannel> played)
        : scene_(scene), most_textures_(most_textures) {
        for (const scene::PlayedChannel& one : played) {
            const scene::AnimationChannel& channel = *one.channel;
            if (scene::is_of_texture(channel.path)) played_transforms_.insert({channel.material, channel.texture});
            if (scene::is_of_emission(channel.path)) played_emission_.insert(channel.material);
            if (channel.path == scene::AnimationPath::kRoughness) played_roughness_.insert(channel.material);
        }
        transforms_.emplace(key({}), 0U);
        out_.uv_transforms.push_back(make_transform({}));
    }

    SceneMaterials make() {
        out_.materials.resize(scene_.materials.size());
        for (std::size_t i = 0; i < scene_.materials.size(); ++i) set_factors(i, out_.materials[i]);
        for (const auto& reference : kReferences) {
            for (std::size_t i = 0; i < scene_.materials.size(); ++i) {
                out_.materials[i].*reference.slot = slot(i, reference);
            }
        }
        make_lobes();
        if (left_out_ != 0) {
            note_once("this device binds " + counted(most_textures_, "texture") +
                      " at once: " + std::to_string(left_out_) + " more of the scene " +
                      (left_out_ == 1 ? "is" : "are") + " left out");
        }
        return std::move(out_);
    }

  private:
    using TransformKey = std::array<float, 5>;
    static TransformKey key(const scene::TextureRef& r) {
        return {r.offset.x, r.offset.y, r.scale.x, r.scale.y, r.rotation};
    }

    // Whether it gives light, or may at another time.
    [[nodiscard]] bool emits(std::size_t material) const {
        return scene_.materials[material].emissive != glm::vec3(0.0F) ||
               played_emission_.contains(static_cast<int>(material));
    }

    void set_factors(std::size_t number, shared::Material& out) {
        const Source& source = scene_.materials[number];
        out.base_color = {source.base_color.x, source.base_color.y, source.base_color.z, source.base_color.w};
        out.emissive = {source.emissive.x, source.emissive.y, source.emissive.z,
                        source.alpha_mode == scene::AlphaMode::kMask    ? source.alpha_cutoff
                        : is_transmissive(source)                       ? 0.0F
                        : source.alpha_mode == scene::AlphaMode::kBlend ? shared::kLeastBlendedAlpha
                                                                        : 0.0F};
        out.metallic = source.metallic;
        out.roughness = source.roughness;
        out.normal_scale = source.normal_texture.strength;
        out.occlusion_strength = source.occlusion_texture.strength;
        out.flags =
            (source.double_sided ? shared::kMaterialDoubleSided : 0U) | (source.unlit ? shared::kMaterialUnlit : 0U);
        if (source.unlit) return;
        out_.features |= shared::kFeatureLit;
        if (emits(number)) out_.features |= shared::kFeatureEmission;
    }

    void make_lobes() {
        for (std::size_t i = 0; i < scene_.materials.size(); ++i) {
            const std::uint32_t features = lobes_of(scene_.materials[i]);
            out_.materials[i].lobes = shared::kNoLobes;
            if (features == 0) continue;
            out_.features |= features;
            // Meshes without tangents get them from texture coordinates, for which there need not be a texture.
            if ((features & shared::kFeatureAnisotropy) != 0) out_.features |= shared::kFeatureUv;
            out_.materials[i].lobes = static_cast<std::uint32_t>(out_.lobes.size());
            out_.lobes.push_back(lobe_factors(scene_.materials[i]));
            if ((features & shared::kFeatureTransmission) != 0) {
                const bool played = played_roughness_.contains(static_cast<int>(i));
                note_blur(played ? 1.0F : out_.materials[i].roughness, out_.lobes.back());
            }
        }
        for (const auto& reference : kLobeReferences) {
            for (std::size_t i = 0; i < scene_.materials.size(); ++i) {
                const std::uint32_t lobes = out_.materials[i].lobes;
                if (lobes != shared::kNoLobes) out_.lobes[lobes].*reference.slot = slot(i, reference);
            }
        }
        if (out_.lobes.empty()) out_.lobes.emplace_back();
    }

    void note_blur(float roughness, const Lobes& lobes) {
        const float ior = lobes.ior + lobes.absorption.w;
        out_.transmission_blur =
            std::max(out_.transmission_blur, roughness * std::clamp(2.0F * ior - 2.0F, 0.0F, 1.0F));
    }

    static Lobes lobe_factors(const Source& source) {
        Lobes out{};
        const scene::Specular& specular = source.specular;
        out.specular = {specular.color.x, specular.color.y, specular.color.z, specular.factor};
        out.sheen = {source.sheen.color.x, source.sheen.color.y, source.sheen.color.z, source.sheen.roughness};
        const float side = (source.ior - 1.0F) / (source.ior + 1.0F);
        out.reflectance = side * side;
        out.clearcoat = source.clearcoat.factor;
        out.clearcoat_roughness = source.clearcoat.roughness;
        out.clearcoat_normal_scale = source.clearcoat.normal_texture.strength;
        const scene::Anisotropy& anisotropy = source.anisotropy;
        out.anisotropy = anisotropy.strength;
        out.anisotropy_direction = {std::cos(anisotropy.rotation), std::sin(anisotropy.rotation)};
        const scene::Iridescence& iridescence = source.iridescence;
        out.iridescence = iridescence.factor;
        out.film_ior = iridescence.ior;
        out.film_thickness_minimum = iridescence.thickness_minimum;
        out.film_thickness_maximum = iridescence.thickness_maximum;
        set_transmission(source, out);
        return out;
    }

    static void set_transmission(const Source& source, Lobes& out) {
        const scene::Volume& volume = source.volume;
        out.transmission = source.transmission.factor;
        out.thickness = volume.thickness;
        out.ior = source.ior == 0.0F ? 1.0F : source.ior;  // of an infinite one all is reflected
        // By the law of Beer and Lambert; a colour of 0 absorbs all but what no picture shows.
        const auto absorption = [&](float color) {
            return -std::log(std::max(color, 1e-6F)) / volume.attenuation_distance;
        };
        const glm::vec3& color = volume.attenuation_color;
        // KHR_materials_dispersion: from 20 over the Abbe number.
        const float spread = (out.ior - 1.0F) * 0.025F * source.dispersion;
        out.absorption = {absorption(color.x), absorption(color.y), absorption(color.z), spread};
    }

    template <class Target>
    shared::TextureSlot slot(std::size_t number_of_material, const Reference<Target>& reference) {
        const Source& material = scene_.materials[number_of_material];
        const TextureRef& source = reference.source(material);
        shared::TextureSlot out{shared::kNoTexture, 0};
        if (source.texture < 0) return out;
        const bool is_emission = reference.feature == shared::kFeatureEmissiveMap && !material.unlit;
        if (!(is_emission ? emits(number_of_material) : matters(material, reference.feature))) return out;
        const bool cuts =
            reference.feature == shared::kFeatureBaseColorMap && material.alpha_mode != scene::AlphaMode::kOpaque;
        out.texture = number({source.texture, reference.use, read_by(reference.feature), cuts});
        if (out.texture == shared::kNoTexture) return out;
        out_.features |= reference.feature;
        out_.features |= source.uv_set == 1 ? shared::kFeatureSecondUv : shared::kFeatureUv;
        out.place = transform_number(static_cast<int>(number_of_material), material, source)
                    << shared::kPlaceTransformShift;
        if (source.uv_set == 1) out.place |= shared::kPlaceSecondSet;
        const int sampler = scene_.textures[static_cast<std::size_t>(source.texture)].sampler;
        if (sampler >= 0 && !is_anisotropic(scene_.samplers[static_cast<std::size_t>(sampler)])) {
            out.place |= shared::kPlaceIsotropic;
        }
        return out;
    }

    // In out_.uv_transforms. One that is played is nobody else's.
    std::uint32_t transform_number(int number, const Source& material, const TextureRef& source) {
        const auto next = static_cast<std::uint32_t>(out_.uv_transforms.size());
        for (auto played = played_transforms_.lower_bound({number, 0});
             played != played_transforms_.end() && played->first == number; ++played) {
            if (&scene::texture_of(material, played->second) != &source) continue;
            out_.uv_transforms.push_back(make_transform(source));
            return out_.played_transforms[*played] = next;
        }
        const auto [known, is_new] = transforms_.emplace(key(source), next);
        if (is_new) out_.uv_transforms.push_back(make_transform(source));
        return known->second;
    }

    // In out_.textures.
    std::uint32_t number(const BoundTexture& texture) {
        const auto known = numbers_.find({texture.texture, texture.use});
        if (known != numbers_.end()) {
            if (known->second != shared::kNoTexture) {
                BoundTexture& bound = out_.textures[known->second];
                if (texture.read_by != bound.read_by) bound.read_by = ReadBy::kOthers;
                bound.cuts = bound.cuts || texture.cuts;
            }
            return known->second;
        }
        const bool fits = out_.textures.size() < most_textures_;
        const std::uint32_t number = fits ? static_cast<std::uint32_t>(out_.textures.size()) : shared::kNoTexture;
        if (fits) {
            out_.textures.push_back(texture);
        } else {
            ++left_out_;
        }
        return numbers_[{texture.texture, texture.use}] = number;
    }

    const scene::Scene& scene_;
    std::uint32_t most_textures_;
    std::size_t left_out_ = 0;
    // What is played: textures of materials by their numbers, and materials.
    std::set<std::pair<int, std::uint32_t>> played_transforms_;
    std::set<int> played_emission_, played_roughness_;
    std::map<TransformKey, std::uint32_t> transforms_;
    std::map<std::pair<int, scene::TextureUse>, std::uint32_t> numbers_;
    SceneMaterials out_;
};

}  // namespace

bool is_transmissive(const scene::Material& material) {
    return !material.unlit && material.transmission.factor > 0.0F;
}

bool is_anisotropic(const scene::Sampler& sampler) {
    return sampler.min_filter == 9985 || sampler.min_filter == 9987;
}

SceneMaterials make_materials(const scene::Scene& scene, std::uint32_t most_textures,
                              std::span<const scene::PlayedChannel> played) {
    return Maker(scene, most_textures, played).make();
}

}  // namespace sublet::render
