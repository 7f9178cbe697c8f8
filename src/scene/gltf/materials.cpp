#include "scene/gltf/materials.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "base/number_text.h"
#include "scene/image_formats.h"
#include "scene/material_fields.h"

namespace sublet::scene::gltf {
namespace {

const tinygltf::Value* extension(const tinygltf::ExtensionMap& extensions, const char* name) {
    const auto found = extensions.find(name);
    return found == extensions.end() ? nullptr : &found->second;
}

const tinygltf::Value* member(const tinygltf::Value& object, const char* name) {
    return object.Has(name) ? &object.Get(name) : nullptr;
}

float number(const tinygltf::Value& object, const char* name, float otherwise) {
    const tinygltf::Value* found = member(object, name);
    return found == nullptr ? otherwise : static_cast<float>(found->GetNumberAsDouble());
}

glm::vec2 pair(const tinygltf::Value& object, const char* name, glm::vec2 otherwise) {
    const tinygltf::Value* found = member(object, name);
    if (found == nullptr) return otherwise;
    return {static_cast<float>(found->Get(0).GetNumberAsDouble()),
            static_cast<float>(found->Get(1).GetNumberAsDouble())};
}

// A texture reference as glTF has it: UV sets by their TEXCOORD number.
TextureRef read_reference(int texture, int uv_set, const tinygltf::ExtensionMap& extensions, double strength = 1.0) {
    TextureRef reference;
    reference.texture = texture;
    reference.uv_set = uv_set;
    reference.strength = static_cast<float>(strength);
    if (const tinygltf::Value* transform = extension(extensions, "KHR_texture_transform")) {
        reference.offset = pair(*transform, "offset", reference.offset);
        reference.scale = pair(*transform, "scale", reference.scale);
        reference.rotation = number(*transform, "rotation", 0.0F);
        if (const tinygltf::Value* set = member(*transform, "texCoord")) reference.uv_set = set->GetNumberAsInt();
    }
    return reference;
}

TextureRef read_reference(const tinygltf::TextureInfo& info) {
    return read_reference(info.index, info.texCoord, info.extensions);
}

// The same within an extension, which tinygltf leaves as it is.
TextureRef read_reference(const tinygltf::Value& info) {
    tinygltf::ExtensionMap extensions;
    if (const tinygltf::Value* map = member(info, "extensions")) {
        if (const tinygltf::Value* transform = member(*map, "KHR_texture_transform")) {
            extensions["KHR_texture_transform"] = *transform;
        }
    }
    const tinygltf::Value* set = member(info, "texCoord");
    return read_reference(info.Get("index").GetNumberAsInt(), set == nullptr ? 0 : set->GetNumberAsInt(), extensions,
                          number(info, "scale", 1.0F));
}

void read_field(const tinygltf::Value& source, float& value) {
    value = static_cast<float>(source.GetNumberAsDouble());
}

void read_field(const tinygltf::Value& source, glm::vec3& value) {
    std::size_t i = 0;
    for (float& component : components(value)) read_field(source.Get(i++), component);
}

void read_field(const tinygltf::Value& source, TextureRef& value) {
    value = read_reference(source);
}

constexpr const char* kSpecularGlossiness = "KHR_materials_pbrSpecularGlossiness";

// The older model of a material, where it is what the material looks like. The extension wants it preferred. Current
// readers don't know it any more, so writers see to the core model: where that is complete, which is where it has a
// base colour, factor or texture, it counts.
const tinygltf::Value* specular_glossiness(const tinygltf::Material& source) {
    if (source.values.count("baseColorFactor") + source.values.count("baseColorTexture") > 0) return nullptr;
    return extension(source.extensions, kSpecularGlossiness);
}

// Factor and, as w, strength.
glm::vec4 emission_of(const tinygltf::Material& source) {
    glm::vec4 out(0.0F, 0.0F, 0.0F, 1.0F);
    for (int i = 0; i < 3; ++i) out[i] = static_cast<float>(source.emissiveFactor[static_cast<std::size_t>(i)]);
    if (const tinygltf::Value* strength = extension(source.extensions, "KHR_materials_emissive_strength")) {
        out.w = number(*strength, "emissiveStrength", 1.0F);
    }
    return out;
}

Material read_material(const tinygltf::Material& source) {
    Material material;
    material.name = source.name;
    const tinygltf::PbrMetallicRoughness& pbr = source.pbrMetallicRoughness;
    for (int i = 0; i < 4; ++i) {
        material.base_color[i] = static_cast<float>(pbr.baseColorFactor[static_cast<std::size_t>(i)]);
    }
    material.base_color_texture = read_reference(pbr.baseColorTexture);
    material.metallic = static_cast<float>(pbr.metallicFactor);
    material.roughness = static_cast<float>(pbr.roughnessFactor);
    material.metallic_roughness_texture = read_reference(pbr.metallicRoughnessTexture);
    material.normal_texture = read_reference(source.normalTexture.index, source.normalTexture.texCoord,
                                             source.normalTexture.extensions, source.normalTexture.scale);
    material.occlusion_texture = read_reference(source.occlusionTexture.index, source.occlusionTexture.texCoord,
                                                source.occlusionTexture.extensions, source.occlusionTexture.strength);
    const glm::vec4 emission = emission_of(source);
    material.emissive = glm::vec3(emission) * emission.w;
    material.emissive_texture = read_reference(source.emissiveTexture);
    if (source.alphaMode == "MASK") material.alpha_mode = AlphaMode::kMask;
    if (source.alphaMode == "BLEND") material.alpha_mode = AlphaMode::kBlend;
    material.alpha_cutoff = static_cast<float>(source.alphaCutoff);
    material.double_sided = source.doubleSided;
    material.unlit = extension(source.extensions, "KHR_materials_unlit") != nullptr;
    for_each_extension_field(
        [&source](const MaterialField& field, auto& value) {
            const tinygltf::Value* object = extension(source.extensions, field.extension);
            const tinygltf::Value* found = object == nullptr ? nullptr : member(*object, field.name);
            if (found != nullptr) read_field(*found, value);
        },
        material);
    // The older model, as far as this one can say it: its specular colour is lost.
    if (const tinygltf::Value* old = specular_glossiness(source)) {
        material.base_color = glm::vec4(1.0F);
        if (const tinygltf::Value* diffuse = member(*old, "diffuseFactor")) {
            for (int i = 0; i < 4; ++i) {
                material.base_color[i] =
                    static_cast<float>(diffuse->Get(static_cast<std::size_t>(i)).GetNumberAsDouble());
            }
        }
        material.metallic = 0.0F;
        material.roughness = 1.0F - number(*old, "glossinessFactor", 1.0F);
        material.base_color_texture = {};
        material.metallic_roughness_texture = {};
        if (const tinygltf::Value* texture = member(*old, "diffuseTexture")) {
            material.base_color_texture = read_reference(*texture);
        }
    }
    return material;
}

// What materials[index] has beyond the range of a field takes the value that comes nearest.
void mend_fields(Document& document, std::size_t index, Material& material) {
    for_each_extension_field(
        [&](const MaterialField& field, auto& value) {
            if constexpr (!kIsTexture<decltype(value)>) {
                for (float& number : components(value)) {
                    if (field.range.contains(number)) continue;
                    const float mended = field.range.mended(number);
                    document.note("materials[" + std::to_string(index) + "].extensions." + field.extension + "." +
                                  field.name + ": " + number_text(number) + " is out of range; " + number_text(mended) +
                                  " is used");
                    number = mended;
                }
            }
        },
        material);
}

UvSlots choose_slots(const Material& material) {
    std::vector<int> sets;  // as named, the most important texture's first
    for_each_texture(
        [&sets](const TextureRef& reference, TextureUse, Channels) {
            if (reference.texture >= 0 && std::ranges::find(sets, reference.uv_set) == sets.end()) {
                sets.push_back(reference.uv_set);
            }
        },
        material);
    UvSlots slots;
    if (std::ranges::all_of(sets, [](int set) { return set <= 1; })) return slots;
    slots.set[0] = sets[0];
    slots.set[1] = sets.size() > 1 ? sets[1] : 0;
    if (sets.size() == 1 && sets[0] == 0) slots.set[1] = 1;
    return slots;
}

// The images of a texture in the order in which they are to be tried: those of formats that can't be decoded last.
std::vector<int> images_of(const tinygltf::Texture& texture) {
    std::vector<int> best;
    std::vector<int> last;
    for (const ImageFormat& format : image_formats()) {
        if (format.extension == nullptr) continue;
        const tinygltf::Value* named = extension(texture.extensions, format.extension);
        if (named == nullptr) continue;
        (format.is_decoded() ? best : last).push_back(named->Get("source").GetNumberAsInt());
    }
    if (texture.source >= 0) best.push_back(texture.source);
    best.insert(best.end(), last.begin(), last.end());
    return best;
}

// Brings in textures and their images as they are asked for, each once; images of equal bytes once in all.
class TextureTable {
  public:
    TextureTable(Document& document, Scene& scene)
        : document_(document),
          scene_(scene),
          textures_(document.model().textures.size(), kUnknown),
          images_(document.image_count(), kUnknown) {}

    // The scene's index of a texture of the document; -1 when it cannot be shown.
    int texture(int index) {
        int& known = textures_[static_cast<std::size_t>(index)];
        if (known != kUnknown) return known;
        const tinygltf::Texture& source = document_.model().textures[static_cast<std::size_t>(index)];
        const std::vector<int> images = images_of(source);
        if (images.empty()) document_.note("textures without an image of a format that is read are left out");
        int image = -1;
        for (std::size_t i = 0; i < images.size() && image < 0; ++i) image = this->image(images[i]);
        if (image < 0) return known = -1;
        scene_.textures.push_back({image, source.sampler});
        return known = static_cast<int>(scene_.textures.size()) - 1;
    }

  private:
    static constexpr int kUnknown = -2;

    int image(int index) {
        int& known = images_[static_cast<std::size_t>(index)];
        if (known != kUnknown) return known;
        const std::optional<Document::ImageSource> source = document_.image(static_cast<std::size_t>(index));
        if (!source) return known = -1;
        const std::span<const std::byte> bytes = source->bytes;
        const ImageFormat* const format =
            image_format_of({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
        if (format == nullptr) {
            document_.note("images[" + std::to_string(index) + "] is of no format that is read: drawn without it");
            return known = -1;
        }
        return known = keep(*source, format->mime_type, index);
    }

    // The scene's image of these bytes, which several of the document may share.
    int keep(const Document::ImageSource& source, const char* type, int index) {
        const std::string_view bytes(reinterpret_cast<const char*>(source.bytes.data()), source.bytes.size());
        const auto [place, new_place] = places_.emplace(std::pair(bytes.data(), bytes.size()), 0);
        if (!new_place) return place->second;
        // Images of a file that overlap would be copied over and over.
        kept_bytes_ += bytes.size();
        if (kept_bytes_ > document_.bytes_read()) {
            document_.fail("images[" + std::to_string(index) + "]",
                           "the images up to here take " + std::to_string(kept_bytes_) +
                               " bytes, but all that was read has " + std::to_string(document_.bytes_read()));
        }
        const auto [content, new_content] = contents_.emplace(bytes, static_cast<int>(scene_.images.size()));
        place->second = content->second;
        if (!new_content) return content->second;
        Image image;
        image.name = source.name;
        image.mime_type = type;
        image.bytes.assign(bytes.begin(), bytes.end());
        scene_.images.push_back(std::move(image));
        return content->second;
    }

    Document& document_;
    Scene& scene_;
    std::vector<int> textures_;
    std::vector<int> images_;
    // The scene's images by where their bytes lie, and by what they are.
    std::map<std::pair<const char*, std::size_t>, int> places_;
    std::map<std::string_view, int> contents_;
    std::uint64_t kept_bytes_ = 0;
};

void read_samplers(const Document& document, Scene& scene) {
    for (const tinygltf::Sampler& source : document.model().samplers) {
        Sampler sampler;
        if (source.minFilter >= 0) sampler.min_filter = source.minFilter;
        if (source.magFilter >= 0) sampler.mag_filter = source.magFilter;
        sampler.wrap_s = source.wrapS;
        sampler.wrap_t = source.wrapT;
        const std::string field = "samplers[" + std::to_string(scene.samplers.size()) + "]";
        const auto check = [&](const char* name, int value, std::initializer_list<int> allowed) {
            if (std::ranges::find(allowed, value) != allowed.end()) return;
            document.fail(field + "." + name, "is " + std::to_string(value) + ", which glTF does not have");
        };
        check("minFilter", sampler.min_filter, {9728, 9729, 9984, 9985, 9986, 9987});
        check("magFilter", sampler.mag_filter, {9728, 9729});
        check("wrapS", sampler.wrap_s, {33071, 33648, 10497});
        check("wrapT", sampler.wrap_t, {33071, 33648, 10497});
        scene.samplers.push_back(sampler);
    }
}

}  // namespace

std::vector<UvSlots> uv_slots_of_materials(const Document& document) {
    std::vector<UvSlots> slots;
    slots.reserve(document.model().materials.size());
    for (const tinygltf::Material& source : document.model().materials) {
        slots.push_back(choose_slots(read_material(source)));
    }
    return slots;
}

glm::vec4 emission_of(const Document& document, std::size_t material) {
    return emission_of(document.model().materials[material]);
}

void read_materials(Document& document, Scene& scene) {
    read_samplers(document, scene);
    TextureTable textures(document, scene);
    NameList approximated;
    NameList ignored;
    for (const tinygltf::Material& source : document.model().materials) {
        Material material = read_material(source);
        const UvSlots slots = choose_slots(material);
        mend_fields(document, scene.materials.size(), material);
        const auto keep = [&](TextureRef& reference, TextureUse, Channels) {
            if (reference.texture < 0) return;
            reference.texture = textures.texture(reference.texture);
            if (reference.uv_set == slots.set[0]) {
                reference.uv_set = 0;
            } else if (reference.uv_set == slots.set[1]) {
                reference.uv_set = 1;
            } else {
                document.note("of more than two UV sets of a material the first two are kept");
                reference.uv_set = 0;
            }
        };
        for_each_texture(keep, material);
        if (specular_glossiness(source) != nullptr) {
            approximated.add(numbered_name("material", scene.materials.size(), source.name));
        } else if (source.extensions.count(kSpecularGlossiness) != 0) {
            ignored.add(numbered_name("material", scene.materials.size(), source.name));
        }
        scene.materials.push_back(std::move(material));
    }
    const std::string name = kSpecularGlossiness;
    if (!approximated.empty()) {
        document.note(name + " is approximated: its specular colour is ignored: " + approximated.text());
    }
    if (!ignored.empty()) document.note(name + " is ignored beside metallic-roughness data: " + ignored.text());
}

}  // namespace sublet::scene::gltf
