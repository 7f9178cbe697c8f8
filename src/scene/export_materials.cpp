#include "scene/export_materials.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "base/error.h"
#include "base/log.h"
#include "scene/image_formats.h"
#include "scene/images.h"
#include "scene/ktx2_file.h"
#include "scene/material_fields.h"
#include "scene/notes.h"
#include "scene/png.h"
#include "scene/texture_uses.h"

namespace sublet::scene {
namespace {

using nlohmann::json;

constexpr const char* kEmissiveStrength = "KHR_materials_emissive_strength";

class MaterialExporter {
  public:
    MaterialExporter(const Scene& scene, std::uint64_t most_decoding, GlbWriter& file)
        : scene_(scene), most_decoding_(most_decoding), file_(file) {}

    std::vector<int> write() {
        note_played();
        add_samplers();
        add_images();
        add_textures();
        add_materials();
        return std::move(textures_);
    }

  private:
    // What pointers name has to be there, as it is where nothing plays it.
    void note_played() {
        for (const Animation& animation : scene_.animations) {
            for (const AnimationChannel& channel : animation.channels) {
                if (is_of_emission(channel.path)) emissions_.emplace(channel.material, channel.emission);
                if (is_of_texture(channel.path)) {
                    const Material& material = scene_.materials[static_cast<std::size_t>(channel.material)];
                    pointed_textures_.insert(&texture_of(material, channel.texture));
                }
            }
        }
    }

    void add_samplers() {
        for (const Sampler& sampler : scene_.samplers) {
            file_.add("samplers", {{"minFilter", sampler.min_filter},
                                   {"magFilter", sampler.mag_filter},
                                   {"wrapS", sampler.wrap_s},
                                   {"wrapT", sampler.wrap_t}});
        }
    }

    // Of a KTX2 file that glTF does not know. Normal maps of two channels get their third. Throws Error where it can't
    // be decoded.
    std::vector<std::uint8_t> png_of_blocks(const Image& image, bool is_normal_map) const {
        const ImageHeader header = read_image_header(image);
        if (header.decode_bytes > most_decoding_) {
            throw Error("decoding it takes up to " + std::to_string(header.decode_bytes >> 20U) + " MiB");
        }
        const std::vector<TexelLevel> levels = decode_image(image, header, {});
        const std::span<std::uint8_t> rgba = levels[0].span();
        if (is_normal_map) complete_normals(rgba);
        return encode_png(levels[0].width, levels[0].height, rgba);
    }

    void add_images() {
        const std::vector<TextureUses> uses = image_uses(scene_);
        for (std::size_t i = 0; i < scene_.images.size(); ++i) {
            const Image& image = scene_.images[i];
            std::span<const std::byte> bytes = std::as_bytes(std::span(image.bytes));
            std::vector<std::uint8_t> png;
            std::string type = image.mime_type;
            if (type == kRawImageType) png = encode_png(image.width, image.height, image.bytes);
            if (type == kKtx2Type && !holds_basis_universal(image.bytes)) {
                try {
                    png = png_of_blocks(image, uses[i].count(TextureUse::kNormal) > 0);
                } catch (const Error& error) {
                    note_once(numbered_name("image", i, image.name) + " is left out: " + error.what());
                    images_.push_back(-1);
                    image_types_.emplace_back();
                    continue;
                }
            }
            if (!png.empty()) {
                bytes = std::as_bytes(std::span(png));
                type = "image/png";
            }
            image_types_.push_back(type);
            json object{{"mimeType", type}, {"bufferView", file_.add_view(bytes, GlbWriter::kNoTarget)}};
            set_name(object, image.name);
            images_.push_back(static_cast<int>(file_.add("images", std::move(object))));
        }
    }

    void add_textures() {
        for (const Texture& texture : scene_.textures) {
            const auto from = static_cast<std::size_t>(texture.image);
            const int image = images_[from];
            if (image < 0) {
                textures_.push_back(-1);
                continue;
            }
            json object = json::object();
            const ImageFormat* const format = find_image_format(image_types_[from]);
            if (format != nullptr && format->extension != nullptr) {
                file_.require_extension(format->extension);
                object["extensions"][format->extension]["source"] = image;
            } else {
                object["source"] = image;
            }
            if (texture.sampler >= 0) object["sampler"] = texture.sampler;
            textures_.push_back(static_cast<int>(file_.add("textures", std::move(object))));
        }
    }

    // Whether there is a texture, and its image is not left out.
    [[nodiscard]] bool has(const TextureRef& reference) const {
        return reference.texture >= 0 && textures_[static_cast<std::size_t>(reference.texture)] >= 0;
    }

    json texture_info(const TextureRef& reference, const char* strength = nullptr) {
        json info{{"index", textures_[static_cast<std::size_t>(reference.texture)]}};
        if (reference.uv_set != 0) info["texCoord"] = reference.uv_set;
        if (strength != nullptr && reference.strength != 1.0F) info[strength] = reference.strength;
        json transform;
        if (reference.offset != glm::vec2(0.0F)) transform["offset"] = {reference.offset.x, reference.offset.y};
        if (reference.scale != glm::vec2(1.0F)) transform["scale"] = {reference.scale.x, reference.scale.y};
        if (reference.rotation != 0.0F) transform["rotation"] = reference.rotation;
        if (pointed_textures_.contains(&reference) && transform.is_null()) transform = json::object();
        if (!transform.is_null()) {
            file_.use_extension("KHR_texture_transform");
            info["extensions"]["KHR_texture_transform"] = std::move(transform);
        }
        return info;
    }

    void add_texture(json& object, const char* name, const TextureRef& reference, const char* strength = nullptr) {
        if (has(reference)) object[name] = texture_info(reference, strength);
    }

    void add_materials() {
        for (std::size_t m = 0; m < scene_.materials.size(); ++m) {
            const Material& material = scene_.materials[m];
            json pbr;
            // What is glTF's default may be one that the source did not state.
            if (material.metallic != 1.0F) pbr["metallicFactor"] = material.metallic;
            if (material.roughness != 1.0F) pbr["roughnessFactor"] = material.roughness;
            const glm::vec4& color = material.base_color;
            pbr["baseColorFactor"] = {color.r, color.g, color.b, color.a};
            add_texture(pbr, "baseColorTexture", material.base_color_texture);
            add_texture(pbr, "metallicRoughnessTexture", material.metallic_roughness_texture);
            json object{{"pbrMetallicRoughness", std::move(pbr)}, {"doubleSided", material.double_sided}};
            set_name(object, material.name);
            add_texture(object, "normalTexture", material.normal_texture, "scale");
            add_texture(object, "occlusionTexture", material.occlusion_texture, "strength");
            add_texture(object, "emissiveTexture", material.emissive_texture);
            add_emission(object, material, m);
            if (material.alpha_mode == AlphaMode::kMask) {
                object["alphaMode"] = "MASK";
                object["alphaCutoff"] = material.alpha_cutoff;
            } else if (material.alpha_mode == AlphaMode::kBlend) {
                object["alphaMode"] = "BLEND";
            }
            add_extension_fields(object, material);
            if (material.unlit) {
                file_.use_extension("KHR_materials_unlit");
                object["extensions"]["KHR_materials_unlit"] = json::object();
            }
            file_.add("materials", std::move(object));
        }
    }

    // What differs from a material without the extensions.
    void add_extension_fields(json& object, const Material& material) {
        const Material plain;
        for_each_extension_field(
            [&](const MaterialField& field, const auto& value, const auto& otherwise) {
                if (value == otherwise) return;
                json written;
                if constexpr (kIsTexture<decltype(value)>) {
                    if (!has(value)) return;
                    written = texture_info(value, field.use == TextureUse::kNormal ? "scale" : nullptr);
                } else if constexpr (std::is_same_v<decltype(value), const float&>) {
                    written = value;
                } else {
                    written = {value.r, value.g, value.b};
                }
                file_.use_extension(field.extension);
                object["extensions"][field.extension][field.name] = std::move(written);
            },
            material, plain);
    }

    // Factors are at most 1; what is brighter takes the extension, and what is played by pointers.
    void add_emission(json& object, const Material& material, std::size_t number) {
        const float brightest = std::max({material.emissive.r, material.emissive.g, material.emissive.b});
        const float strength = std::max(brightest, 1.0F);
        const auto played = emissions_.find(static_cast<int>(number));
        const bool is_played = played != emissions_.end();
        if (!is_played && !(brightest > 0.0F)) return;
        const glm::vec4 emission = is_played ? played->second : glm::vec4(material.emissive / strength, strength);
        object["emissiveFactor"] = {emission.r, emission.g, emission.b};
        if (is_played || strength > 1.0F) {
            file_.use_extension(kEmissiveStrength);
            object["extensions"][kEmissiveStrength]["emissiveStrength"] = emission.w;
        }
    }

    const Scene& scene_;
    std::uint64_t most_decoding_;
    GlbWriter& file_;
    std::vector<std::string> image_types_;  // as they are written
    std::vector<int> images_, textures_;    // as they are written; -1: left out
    // What animations play by pointers.
    std::map<int, glm::vec4> emissions_;  // of materials: factor, and strength
    std::set<const TextureRef*> pointed_textures_;
};

}  // namespace

std::vector<int> export_materials(const Scene& scene, std::uint64_t most_decoding, GlbWriter& file) {
    return MaterialExporter(scene, most_decoding, file).write();
}

}  // namespace sublet::scene
