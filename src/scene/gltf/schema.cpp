#include "scene/gltf/schema.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/error.h"
#include "scene/animation_pointer.h"
#include "scene/gltf/draco.h"
#include "scene/image_formats.h"
#include "scene/material_fields.h"

namespace sublet::scene::gltf {
namespace {

using nlohmann::json;

constexpr int kMaxDepth = 128;
constexpr std::uint64_t kMaxSmall = std::numeric_limits<int>::max();
constexpr std::uint64_t kMaxCount = std::uint64_t{1} << 53U;  // the largest integer that any JSON writer keeps exact

enum class Kind {
    kIndex,      // into the array `target`
    kIndices,    // an array of them
    kIndexMap,   // an object of them
    kCount,      // an integer, 0 or more
    kSmall,      // an integer, 0 to 2^31 - 1
    kNumber,     // in the range of single precision
    kAnyNumber,  // its reader mends it
    kNumbers,    // an array of `length` numbers (0: any length)
    kString,
    kBool,
    kObject,
    kArray,  // of objects
};

struct Rule {
    const char* name;
    Kind kind;
    bool required = false;
    const char* target = nullptr;
    std::size_t length = 0;
};

constexpr Rule kBuffer[] = {{"byteLength", Kind::kCount, true}, {"uri", Kind::kString}};
constexpr Rule kBufferView[] = {{"buffer", Kind::kIndex, true, "buffers"},
                                {"byteOffset", Kind::kCount},
                                {"byteLength", Kind::kCount, true},
                                {"byteStride", Kind::kCount}};
constexpr Rule kMeshopt[] = {{"buffer", Kind::kIndex, true, "buffers"},
                             {"byteOffset", Kind::kCount},
                             {"byteLength", Kind::kCount, true},
                             {"byteStride", Kind::kCount, true},
                             {"count", Kind::kCount, true},
                             {"mode", Kind::kString, true},
                             {"filter", Kind::kString}};
constexpr Rule kAccessor[] = {{"bufferView", Kind::kIndex, false, "bufferViews"},
                              {"byteOffset", Kind::kCount},
                              {"componentType", Kind::kSmall, true},
                              {"count", Kind::kCount, true},
                              {"type", Kind::kString, true},
                              {"normalized", Kind::kBool},
                              {"sparse", Kind::kObject}};
constexpr Rule kSparse[] = {
    {"count", Kind::kSmall, true}, {"indices", Kind::kObject, true}, {"values", Kind::kObject, true}};
constexpr Rule kSparseIndices[] = {{"bufferView", Kind::kIndex, true, "bufferViews"},
                                   {"byteOffset", Kind::kCount},
                                   {"componentType", Kind::kSmall, true}};
constexpr Rule kSparseValues[] = {{"bufferView", Kind::kIndex, true, "bufferViews"}, {"byteOffset", Kind::kCount}};
constexpr Rule kMesh[] = {{"name", Kind::kString}, {"primitives", Kind::kArray, true}, {"weights", Kind::kNumbers}};
constexpr Rule kPrimitive[] = {{"attributes", Kind::kIndexMap, true, "accessors"},
                               {"indices", Kind::kIndex, false, "accessors"},
                               {"material", Kind::kIndex, false, "materials"},
                               {"mode", Kind::kSmall},
                               {"targets", Kind::kArray}};
constexpr Rule kDracoRules[] = {{"bufferView", Kind::kIndex, true, "bufferViews"}, {"attributes", Kind::kObject, true}};
constexpr Rule kNode[] = {{"name", Kind::kString},
                          {"camera", Kind::kIndex, false, "cameras"},
                          {"children", Kind::kIndices, false, "nodes"},
                          {"skin", Kind::kIndex, false, "skins"},
                          {"mesh", Kind::kIndex, false, "meshes"},
                          {"matrix", Kind::kNumbers, false, nullptr, 16},
                          {"rotation", Kind::kNumbers, false, nullptr, 4},
                          {"scale", Kind::kNumbers, false, nullptr, 3},
                          {"translation", Kind::kNumbers, false, nullptr, 3},
                          {"weights", Kind::kNumbers}};
constexpr Rule kNodeLight[] = {{"light", Kind::kIndex, true, "lights"}};
constexpr Rule kNodeVisibility[] = {{"visible", Kind::kBool}};
constexpr Rule kInstancing[] = {{"attributes", Kind::kIndexMap, true, "accessors"}};
constexpr Rule kScene[] = {{"name", Kind::kString}, {"nodes", Kind::kIndices, false, "nodes"}};
constexpr Rule kMaterial[] = {{"name", Kind::kString},
                              {"alphaMode", Kind::kString},
                              {"alphaCutoff", Kind::kNumber},
                              {"doubleSided", Kind::kBool},
                              {"emissiveFactor", Kind::kNumbers, false, nullptr, 3},
                              {"pbrMetallicRoughness", Kind::kObject},
                              {"normalTexture", Kind::kObject},
                              {"occlusionTexture", Kind::kObject},
                              {"emissiveTexture", Kind::kObject}};
constexpr Rule kMetallicRoughness[] = {{"baseColorFactor", Kind::kNumbers, false, nullptr, 4},
                                       {"metallicFactor", Kind::kNumber},
                                       {"roughnessFactor", Kind::kNumber},
                                       {"baseColorTexture", Kind::kObject},
                                       {"metallicRoughnessTexture", Kind::kObject}};
constexpr Rule kSpecularGlossinessRules[] = {{"diffuseFactor", Kind::kNumbers, false, nullptr, 4},
                                             {"glossinessFactor", Kind::kNumber},
                                             {"diffuseTexture", Kind::kObject}};
constexpr Rule kEmissiveStrengthRules[] = {{"emissiveStrength", Kind::kNumber}};
constexpr Rule kTextureInfo[] = {{"index", Kind::kIndex, true, "textures"},
                                 {"texCoord", Kind::kSmall},
                                 {"scale", Kind::kNumber},
                                 {"strength", Kind::kNumber}};
constexpr Rule kTextureTransform[] = {{"offset", Kind::kNumbers, false, nullptr, 2},
                                      {"scale", Kind::kNumbers, false, nullptr, 2},
                                      {"rotation", Kind::kNumber},
                                      {"texCoord", Kind::kSmall}};
constexpr Rule kTexture[] = {{"source", Kind::kIndex, false, "images"}, {"sampler", Kind::kIndex, false, "samplers"}};
constexpr Rule kTextureOfFormat[] = {{"source", Kind::kIndex, true, "images"}};
constexpr Rule kImage[] = {{"name", Kind::kString},
                           {"uri", Kind::kString},
                           {"mimeType", Kind::kString},
                           {"bufferView", Kind::kIndex, false, "bufferViews"}};
constexpr Rule kSampler[] = {
    {"minFilter", Kind::kSmall}, {"magFilter", Kind::kSmall}, {"wrapS", Kind::kSmall}, {"wrapT", Kind::kSmall}};
constexpr Rule kSkin[] = {{"name", Kind::kString},
                          {"joints", Kind::kIndices, true, "nodes"},
                          {"skeleton", Kind::kIndex, false, "nodes"},
                          {"inverseBindMatrices", Kind::kIndex, false, "accessors"}};
constexpr Rule kAnimation[] = {
    {"name", Kind::kString}, {"channels", Kind::kArray, true}, {"samplers", Kind::kArray, true}};
constexpr Rule kAnimationSampler[] = {{"input", Kind::kIndex, true, "accessors"},
                                      {"output", Kind::kIndex, true, "accessors"},
                                      {"interpolation", Kind::kString}};
constexpr Rule kChannel[] = {{"sampler", Kind::kSmall, true}, {"target", Kind::kObject, true}};
constexpr Rule kChannelTarget[] = {{"node", Kind::kIndex, false, "nodes"}, {"path", Kind::kString, true}};
constexpr Rule kPointer[] = {{"pointer", Kind::kString, true}};
constexpr Rule kCamera[] = {{"name", Kind::kString},
                            {"type", Kind::kString, true},
                            {"perspective", Kind::kObject},
                            {"orthographic", Kind::kObject}};
constexpr Rule kPerspective[] = {{"yfov", Kind::kAnyNumber, true},
                                 {"znear", Kind::kAnyNumber, true},
                                 {"zfar", Kind::kAnyNumber},
                                 {"aspectRatio", Kind::kAnyNumber}};
constexpr Rule kOrthographic[] = {{"xmag", Kind::kAnyNumber, true},
                                  {"ymag", Kind::kAnyNumber, true},
                                  {"zfar", Kind::kAnyNumber, true},
                                  {"znear", Kind::kAnyNumber, true}};
constexpr Rule kLight[] = {
    {"name", Kind::kString},      {"type", Kind::kString, true}, {"color", Kind::kNumbers, false, nullptr, 3},
    {"intensity", Kind::kNumber}, {"range", Kind::kNumber},      {"spot", Kind::kObject}};
constexpr Rule kSpot[] = {{"innerConeAngle", Kind::kNumber}, {"outerConeAngle", Kind::kNumber}};
constexpr Rule kVariantList[] = {{"variants", Kind::kArray, true}};
constexpr Rule kVariant[] = {{"name", Kind::kString, true}};
constexpr Rule kPrimitiveVariants[] = {{"mappings", Kind::kArray, true}};
constexpr Rule kVariantMapping[] = {{"material", Kind::kIndex, true, "materials"},
                                    {"variants", Kind::kIndices, true, "variants"}};
constexpr Rule kRoot[] = {{"scene", Kind::kIndex, false, "scenes"}};
constexpr const char* kRootArrays[] = {"accessors", "animations", "bufferViews", "buffers", "cameras",
                                       "images",    "materials",  "meshes",      "nodes",   "samplers",
                                       "scenes",    "skins",      "textures"};

std::string item(const std::string& array, std::size_t index) {
    return array + "[" + std::to_string(index) + "]";
}

// The value as the file has it, cut short, for messages.
std::string shown(const json& value) {
    if (value.is_object()) return "an object";
    if (value.is_array()) return "an array of " + std::to_string(value.size());
    std::string text = value.dump();
    constexpr std::size_t kLongest = 40;
    if (text.size() > kLongest) text = text.substr(0, kLongest) + "...";
    return text;
}

// The extension that names other materials for glTF primitives.
constexpr const char* kVariantsExtension = "KHR_materials_variants";

class Checker {
  public:
    Checker(json& root, const std::string& file) : root_(root), file_(file) {
        for (const char* name : kRootArrays) sizes_[name] = array_size(root, name, name);
        sizes_["lights"] = 0;
        if (json* lights = extension(root, "KHR_lights_punctual", "")) {
            sizes_["lights"] = array_size(*lights, "lights", "extensions.KHR_lights_punctual.lights");
        }
        if (json* variants = extension(root, kVariantsExtension, "")) {
            sizes_["variants"] = array_size(*variants, "variants", "extensions.KHR_materials_variants.variants");
        }
    }

    void run() {
        check_object(root_, "", kRoot);
        each("buffers", kBuffer);
        each("bufferViews", kBufferView, [&](json& view, const std::string& path) {
            for (const char* name : {"EXT_meshopt_compression", "KHR_meshopt_compression"}) {
                check_extension(view, path, name, kMeshopt);
            }
        });
        each("accessors", kAccessor, [&](json& accessor, const std::string& path) {
            if (json* sparse = member(accessor, "sparse")) {
                check_object(*sparse, path + ".sparse", kSparse);
                check_object((*sparse)["indices"], path + ".sparse.indices", kSparseIndices);
                check_object((*sparse)["values"], path + ".sparse.values", kSparseValues);
            }
        });
        each("meshes", kMesh, [&](json& mesh, const std::string& path) {
            each_of(
                mesh["primitives"], path + ".primitives", kPrimitive, [&](json& primitive, const std::string& where) {
                    check_targets(primitive, where);
                    if (json* draco = extension(primitive, kDracoExtension, where)) {
                        check_draco(*draco, where + ".extensions." + kDracoExtension);
                    }
                    if (json* variants = check_extension(primitive, where, kVariantsExtension, kPrimitiveVariants)) {
                        each_of((*variants)["mappings"], where + ".extensions." + kVariantsExtension + ".mappings",
                                kVariantMapping);
                    }
                });
        });
        each("nodes", kNode, [&](json& node, const std::string& path) {
            check_extension(node, path, "KHR_lights_punctual", kNodeLight);
            check_extension(node, path, "KHR_node_visibility", kNodeVisibility);
            check_extension(node, path, "EXT_mesh_gpu_instancing", kInstancing);
        });
        each("scenes", kScene);
        each("materials", kMaterial, [&](json& material, const std::string& path) { check_material(material, path); });
        each("textures", kTexture, [&](json& texture, const std::string& path) {
            for (const ImageFormat& format : image_formats()) {
                if (format.extension != nullptr) check_extension(texture, path, format.extension, kTextureOfFormat);
            }
        });
        each("images", kImage);
        each("samplers", kSampler);
        each("skins", kSkin);
        each("animations", kAnimation, [&](json& animation, const std::string& path) {
            each_of(animation["samplers"], path + ".samplers", kAnimationSampler);
            each_of(animation["channels"], path + ".channels", kChannel, [&](json& channel, const std::string& where) {
                check_object(channel["target"], where + ".target", kChannelTarget);
                check_pointer(channel["target"], where + ".target");
                if (channel["sampler"].get<std::uint64_t>() >= animation["samplers"].size()) {
                    fail(where + ".sampler", "is " + shown(channel["sampler"]) + ", but the animation has " +
                                                 std::to_string(animation["samplers"].size()) + " samplers");
                }
            });
        });
        each("cameras", kCamera, [&](json& camera, const std::string& path) {
            check_member(camera, path, "perspective", kPerspective);
            check_member(camera, path, "orthographic", kOrthographic);
        });
        if (json* lights = extension(root_, "KHR_lights_punctual", "")) {
            if (json* list = member(*lights, "lights")) {
                each_of(*list, "extensions.KHR_lights_punctual.lights", kLight,
                        [&](json& light, const std::string& path) { check_member(light, path, "spot", kSpot); });
            }
        }
        if (json* variants = check_extension(root_, "", kVariantsExtension, kVariantList)) {
            each_of((*variants)["variants"], "extensions.KHR_materials_variants.variants", kVariant);
        }
    }

  private:
    [[noreturn]] void fail(const std::string& path, const std::string& message) const {
        throw Error(file_, path, message);
    }

    static json* member(json& object, const char* name) {
        const auto found = object.find(name);
        return found == object.end() ? nullptr : &*found;
    }

    json* extension(json& object, const char* name, const std::string& path) const {
        json* extensions = member(object, "extensions");
        if (extensions == nullptr) return nullptr;
        const std::string where = path.empty() ? "extensions" : path + ".extensions";
        if (!extensions->is_object()) fail(where, "must be an object, but is " + shown(*extensions));
        json* found = member(*extensions, name);
        if (found != nullptr && !found->is_object()) {
            fail(where + "." + name, "must be an object, but is " + shown(*found));
        }
        return found;
    }

    // The extension where the object has it.
    json* check_extension(json& object, const std::string& path, const char* name, std::span<const Rule> rules) const {
        json* const found = extension(object, name, path);
        if (found != nullptr) check_object(*found, (path.empty() ? "" : path + ".") + "extensions." + name, rules);
        return found;
    }

    std::size_t array_size(json& object, const char* name, const std::string& path) const {
        json* array = member(object, name);
        if (array == nullptr) return 0;
        if (!array->is_array()) {
            fail(path,
                 "must be an array, but is " + shown(*array) + (array->is_object() ? " (is this glTF 1.0?)" : ""));
        }
        return array->size();
    }

    void check_member(json& object, const std::string& path, const char* name, std::span<const Rule> rules) const {
        if (json* found = member(object, name)) check_object(*found, path + "." + name, rules);
    }

    void check_texture(json& object, const std::string& path, const char* name) const {
        json* info = member(object, name);
        if (info == nullptr) return;
        const std::string where = path + "." + name;
        check_object(*info, where, kTextureInfo);
        check_extension(*info, where, "KHR_texture_transform", kTextureTransform);
    }

    // A pointer to what a node's channel can be becomes such a channel; others stay what they are.
    void check_pointer(json& target, const std::string& path) const {
        json* const found = check_extension(target, path, kAnimationPointer, kPointer);
        if (found == nullptr) return;
        const std::string where = path + ".extensions." + kAnimationPointer;
        const std::string pointer = (*found)["pointer"].get<std::string>();
        if (const auto item = item_pointer(pointer, "materials"); item && material_property(item->property)) {
            check_pointed(item->index, "materials", (*found)["pointer"], where);
        }
        if (const auto item = item_pointer(pointer, kLightsPath); item && light_property(item->property)) {
            check_pointed(item->index, "lights", (*found)["pointer"], where);
        }
        const std::optional<ItemPointer> item = item_pointer(pointer, "nodes");
        if (!item) return;
        constexpr std::string_view kProperties[] = {"translation", "rotation", "scale", "weights", kVisibilityPath};
        if (std::ranges::find(kProperties, item->property) == std::end(kProperties)) return;
        target["node"] = check_pointed(item->index, "nodes", (*found)["pointer"], where);
        target["path"] = item->property;
    }

    // The index of a pointer into the array.
    std::size_t check_pointed(std::string_view index, const char* array, const json& pointer,
                              const std::string& where) const {
        constexpr std::size_t kMostDigits = 9;
        const bool is_index =
            !index.empty() && index.size() <= kMostDigits && index.find_first_not_of("0123456789") == std::string::npos;
        if (!is_index || std::stoul(std::string(index)) >= sizes_.at(array)) {
            fail(where + ".pointer", "must name one of the " + std::to_string(sizes_.at(array)) + " " + array +
                                         ", but is " + shown(pointer));
        }
        return std::stoul(std::string(index));
    }

    void check_targets(json& primitive, const std::string& path) const {
        json* const targets = member(primitive, "targets");
        for (std::size_t i = 0; targets != nullptr && i < targets->size(); ++i) {
            const std::string name = item("targets", i);
            check_value((*targets)[i], path, {name.c_str(), Kind::kIndexMap, true, "accessors"});
        }
    }

    void check_draco(json& draco, const std::string& path) const {
        check_object(draco, path, kDracoRules);
        for (auto& [name, id] : draco["attributes"].items()) {
            check_value(id, path + ".attributes", {name.c_str(), Kind::kSmall});
        }
    }

    void check_material(json& material, const std::string& path) const {
        for (const char* name : {"normalTexture", "occlusionTexture", "emissiveTexture"}) {
            check_texture(material, path, name);
        }
        if (json* pbr = member(material, "pbrMetallicRoughness")) {
            const std::string where = path + ".pbrMetallicRoughness";
            check_object(*pbr, where, kMetallicRoughness);
            check_texture(*pbr, where, "baseColorTexture");
            check_texture(*pbr, where, "metallicRoughnessTexture");
        }
        constexpr const char* kGlossiness = "KHR_materials_pbrSpecularGlossiness";
        if (json* pbr = check_extension(material, path, kGlossiness, kSpecularGlossinessRules)) {
            check_texture(*pbr, path + ".extensions." + kGlossiness, "diffuseTexture");
        }
        check_extension(material, path, "KHR_materials_emissive_strength", kEmissiveStrengthRules);
        const Material any;  // its fields have the types that are asked for
        for_each_extension_field(
            [&](const MaterialField& field, const auto& value) {
                json* object = extension(material, field.extension, path);
                if (object == nullptr) return;
                const std::string where = path + ".extensions." + field.extension;
                if constexpr (kIsTexture<decltype(value)>) {
                    check_texture(*object, where, field.name);
                } else if constexpr (std::is_same_v<decltype(value), const float&>) {
                    check_object(*object, where, std::array{Rule{field.name, Kind::kNumber}});
                } else {
                    check_object(*object, where, std::array{Rule{field.name, Kind::kNumbers, false, nullptr, 3}});
                }
            },
            any);
    }

    using Further = std::function<void(json&, const std::string& path)>;

    void each(const char* name, std::span<const Rule> rules, const Further& further = {}) const {
        if (json* array = member(root_, name)) each_of(*array, name, rules, further);
    }

    void each_of(json& array, const std::string& path, std::span<const Rule> rules, const Further& further = {}) const {
        for (std::size_t i = 0; i < array.size(); ++i) {
            const std::string where = item(path, i);
            check_object(array[i], where, rules);
            if (further) further(array[i], where);
        }
    }

    void check_object(json& object, const std::string& path, std::span<const Rule> rules) const {
        if (!object.is_object()) fail(path, "must be an object, but is " + shown(object));
        for (const Rule& rule : rules) {
            json* value = member(object, rule.name);
            if (value != nullptr) {
                check_value(*value, path, rule);
            } else if (rule.required) {
                fail(path.empty() ? rule.name : path + "." + rule.name, "is missing");
            }
        }
    }

    void check_value(json& value, const std::string& path, const Rule& rule) const {
        const auto where = [&] { return path.empty() ? std::string(rule.name) : path + "." + rule.name; };
        const auto expect = [&](bool holds, const char* what) {
            if (!holds) fail(where(), std::string("must be ") + what + ", but is " + shown(value));
        };
        switch (rule.kind) {
            case Kind::kIndex:
                check_index(value, rule, where);
                break;
            case Kind::kIndices:
                expect(value.is_array(), "an array of indices");
                for (std::size_t i = 0; i < value.size(); ++i) {
                    check_index(value[i], rule, [&] { return item(where(), i); });
                }
                break;
            case Kind::kIndexMap:
                expect(value.is_object(), "an object of indices");
                for (auto it = value.begin(); it != value.end(); ++it) {
                    check_index(it.value(), rule, [&] { return where() + "." + it.key(); });
                }
                break;
            case Kind::kCount:
                make_integer(value);
                expect(value.is_number_unsigned() && value.get<std::uint64_t>() <= kMaxCount,
                       "an integer that is not negative");
                break;
            case Kind::kSmall:
                make_integer(value);
                expect(value.is_number_unsigned() && value.get<std::uint64_t>() <= kMaxSmall,
                       "an integer from 0 to 2147483647");
                break;
            case Kind::kNumber:
                expect(is_finite(value), "a number in the range of single precision");
                value = value.get<double>();
                break;
            case Kind::kAnyNumber:
                expect(value.is_number(), "a number");
                value = value.get<double>();
                break;
            case Kind::kNumbers:
                expect(value.is_array(), "an array of numbers");
                if (rule.length != 0 && value.size() != rule.length) {
                    fail(where(), "must have " + std::to_string(rule.length) + " numbers, but has " +
                                      std::to_string(value.size()));
                }
                for (std::size_t i = 0; i < value.size(); ++i) {
                    if (!is_finite(value[i])) {
                        fail(item(where(), i),
                             "must be a number in the range of single precision, but is " + shown(value[i]));
                    }
                    value[i] = value[i].get<double>();
                }
                break;
            case Kind::kString:
                expect(value.is_string(), "a string");
                break;
            case Kind::kBool:
                expect(value.is_boolean(), "true or false");
                break;
            case Kind::kObject:
                expect(value.is_object(), "an object");
                break;
            case Kind::kArray:
                expect(value.is_array(), "an array");
                break;
        }
    }

    template <typename Where>
    void check_index(json& value, const Rule& rule, const Where& where) const {
        const auto found = sizes_.find(rule.target);
        const std::size_t size = found == sizes_.end() ? 0 : found->second;
        make_integer(value);
        if (!value.is_number_unsigned()) {
            fail(where(), std::string("must be an index into ") + rule.target + ", but is " + shown(value));
        }
        if (value.get<std::uint64_t>() >= size || value.get<std::uint64_t>() > kMaxSmall) {
            fail(where(), "is " + shown(value) + ", but the file has " + std::to_string(size) + " " + rule.target);
        }
    }

    static void make_integer(json& value) {
        if (!value.is_number_float()) return;
        const double number = value.get<double>();
        if (number >= 0.0 && number <= static_cast<double>(kMaxCount) && number == std::floor(number)) {
            value = static_cast<std::uint64_t>(number);
        }
    }

    static bool is_finite(const json& value) {
        return value.is_number() && std::abs(value.get<double>()) <= std::numeric_limits<float>::max();
    }

    json& root_;
    const std::string& file_;
    std::map<std::string_view, std::size_t> sizes_;
};

}  // namespace

void check_schema(json& root, const std::string& file) {
    if (!root.is_object()) throw Error(file, "JSON", "must be an object, but is " + shown(root));
    Checker(root, file).run();
}

void check_depth(std::string_view text, const std::string& file) {
    int depth = 0;
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (in_string) {
            if (c == '\\') {
                ++i;
            } else if (c == '"') {
                in_string = false;
            }
        } else if (c == '"') {
            in_string = true;
        } else if (c == '[' || c == '{') {
            if (++depth > kMaxDepth) {
                throw Error(file, "JSON",
                            "nests deeper than " + std::to_string(kMaxDepth) + " levels at byte " + std::to_string(i));
            }
        } else if (c == ']' || c == '}') {
            --depth;
        }
    }
}

}  // namespace sublet::scene::gltf
