#include "scene/gltf/animations.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "scene/animation_pointer.h"
#include "scene/gltf/accessor.h"
#include "scene/gltf/geometry.h"
#include "scene/gltf/materials.h"
#include "scene/material_fields.h"

namespace sublet::scene::gltf {
namespace {

// A sampler's keys, each read once however many channels share them.
struct Keys {
    std::vector<float> times, values;
};

// Of true and false (KHR_animation_pointer).
void check_booleans(const Document& document, const AccessorView& output, Interpolation interpolation,
                    const std::string& field) {
    if (interpolation != Interpolation::kStep)
        document.fail(field + ".interpolation", "must be STEP for true and false");
    if (output.component_type != TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE || output.normalized) {
        document.fail(field + ".output", "must be of unsigned bytes, not normalized, for true and false");
    }
}

// `targets`: morph targets, where the path is weights.
Keys read_keys(Document& document, const tinygltf::AnimationSampler& sampler, AnimationPath path, std::size_t targets,
               Interpolation interpolation, const std::string& field) {
    const AccessorView input = open_accessor(document, sampler.input);
    const AccessorView output = open_accessor(document, sampler.output);
    Keys keys;
    if (input.components != 1) document.fail(field + ".input", "must be SCALAR");
    const int components = static_cast<int>(path_components(path));
    if (output.components != components) {
        document.fail(field + ".output", "must have " + std::to_string(components) + " components");
    }
    if (path == AnimationPath::kVisibility) check_booleans(document, output, interpolation, field);
    const bool weights = path == AnimationPath::kWeights;
    const std::size_t per_key = (interpolation == Interpolation::kCubicSpline ? 3 : 1) * (weights ? targets : 1);
    if (output.count != input.count * per_key) {
        document.fail(field + ".output", "has " + std::to_string(output.count) + " elements for " +
                                             std::to_string(input.count) + " keys" +
                                             (weights ? " of " + std::to_string(targets) + " morph targets" : ""));
    }
    keys.times.resize(input.count);
    read_floats(input, 1, {}, 0.0F, keys.times.data());
    keys.values.resize(output.count * static_cast<std::size_t>(components));
    read_floats(output, components, {}, 0.0F, keys.values.data());
    if (path == AnimationPath::kVisibility) {
        for (float& value : keys.values) value = value != 0.0F ? 1.0F : 0.0F;
    }
    for (std::size_t i = 0; i < keys.times.size(); ++i) {
        if (!std::isfinite(keys.times[i]) || (i > 0 && keys.times[i] < keys.times[i - 1])) {
            document.fail(field + ".input", "key " + std::to_string(i) + " does not ascend");
        }
    }
    // glTF wants them to ascend strictly. Exporters write a jump as two keys of one time, and mean what it says.
    if (std::ranges::adjacent_find(keys.times) != keys.times.end()) {
        document.note("keys of an animation share a time: the last of them counts");
    }
    if (!std::ranges::all_of(keys.values, [](float f) { return std::isfinite(f); })) {
        document.fail(field + ".output", "holds a value that is not finite");
    }
    return keys;
}

// A pointer without its indices, cut short: what is named is one kind of thing.
std::string without_indices(const std::string& pointer) {
    constexpr std::size_t kLongest = 80;
    std::string out;
    bool in_index = false;
    for (const char c : pointer) {
        const bool digit = c >= '0' && c <= '9';
        if (digit && (in_index || (!out.empty() && out.back() == '/'))) {
            if (!in_index) out += '*';
            in_index = true;
            continue;
        }
        in_index = false;
        out += c;
        if (out.size() == kLongest) return out + "...";
    }
    return out;
}

class AnimationReader {
  public:
    AnimationReader(Document& document, const std::vector<int>& nodes, Scene& scene)
        : document_(document), nodes_(nodes), scene_(scene) {}

    void read() {
        const std::vector<tinygltf::Animation>& animations = document_.model().animations;
        for (std::size_t a = 0; a < animations.size(); ++a) {
            Animation animation;
            animation.name = animations[a].name;
            for (const tinygltf::AnimationChannel& from : animations[a].channels) {
                std::optional<AnimationChannel> channel = target_of(from);
                if (channel && read_sampler(animations[a], a, from, *channel)) {
                    animation.channels.push_back(std::move(*channel));
                }
            }
            if (!animation.channels.empty()) scene_.animations.push_back(std::move(animation));
        }
        note_unplayed();
    }

  private:
    // None of what is not in the scene, or can't be played.
    std::optional<AnimationChannel> target_of(const tinygltf::AnimationChannel& from) {
        if (from.target_path == "pointer") return pointed_at(from);
        AnimationChannel channel;
        channel.node = from.target_node < 0 ? -1 : nodes_[static_cast<std::size_t>(from.target_node)];
        if (channel.node < 0) return std::nullopt;  // of another scene
        const Node& node = scene_.nodes[static_cast<std::size_t>(channel.node)];
        if (from.target_path == "weights") {
            channel.path = AnimationPath::kWeights;
            if (targets_of(node) == 0) {
                document_.note(
                    "animations of the weights of nodes without morph targets, or with EXT_mesh_gpu_instancing, are "
                    "ignored");
                return std::nullopt;
            }
            return channel;
        }
        if (from.target_path == kVisibilityPath) {
            channel.path = AnimationPath::kVisibility;
            return channel;
        }
        if (node.has_matrix) {
            document_.note("nodes[" + std::to_string(from.target_node) +
                           "] has a matrix, which glTF does not let animations move: its channels are left out");
            return std::nullopt;
        }
        if (from.target_path == "translation") {
            channel.path = AnimationPath::kTranslation;
        } else if (from.target_path == "rotation") {
            channel.path = AnimationPath::kRotation;
        } else if (from.target_path == "scale") {
            channel.path = AnimationPath::kScale;
        } else {
            document_.note("animations of \"" + from.target_path.substr(0, 40) + "\" are ignored");
            return std::nullopt;
        }
        return channel;
    }

    // A property of a material or a light: what else pointers name that can be played, the check of the document has
    // made a node's channel.
    std::optional<AnimationChannel> pointed_at(const tinygltf::AnimationChannel& from) {
        const auto extension = from.target_extensions.find(kAnimationPointer);
        if (extension == from.target_extensions.end()) {
            unplayed_.emplace("nothing");
            return std::nullopt;
        }
        const std::string pointer = extension->second.Get("pointer").Get<std::string>();
        if (const std::optional<LightPointer> of_light = light_pointer(pointer)) {
            AnimationChannel channel;
            channel.light = static_cast<int>(of_light->light);
            channel.path = of_light->path;
            return channel;
        }
        const std::optional<MaterialPointer> named = material_pointer(pointer);
        if (!named || !reads(scene_.materials[named->material], named->property)) {
            unplayed_.insert(without_indices(pointer));
            return std::nullopt;
        }
        AnimationChannel channel;
        channel.material = static_cast<int>(named->material);
        channel.path = named->property.path;
        channel.texture = named->property.texture;
        if (is_of_emission(channel.path)) channel.emission = emission_of(document_, named->material);
        return channel;
    }

    // Whether the texture is there of which it is a property.
    static bool reads(const Material& material, const MaterialProperty& property) {
        if (property.path == AnimationPath::kNormalScale) return material.normal_texture.texture >= 0;
        if (property.path == AnimationPath::kOcclusionStrength) return material.occlusion_texture.texture >= 0;
        return !is_of_texture(property.path) || texture_of(material, property.texture).texture >= 0;
    }

    [[nodiscard]] std::size_t targets_of(const Node& node) const {
        return node.mesh_group < 0 ? 0 : morph_target_count(document_, static_cast<std::size_t>(node.mesh_group));
    }

    // Reads the keys. False: there are none.
    bool read_sampler(const tinygltf::Animation& animation, std::size_t number, const tinygltf::AnimationChannel& from,
                      AnimationChannel& channel) {
        const tinygltf::AnimationSampler& sampler = animation.samplers[static_cast<std::size_t>(from.sampler)];
        const std::string field =
            "animations[" + std::to_string(number) + "].samplers[" + std::to_string(from.sampler) + "]";
        if (sampler.interpolation == "STEP") {
            channel.interpolation = Interpolation::kStep;
        } else if (sampler.interpolation == "CUBICSPLINE") {
            channel.interpolation = Interpolation::kCubicSpline;
        } else if (sampler.interpolation != "LINEAR" && !sampler.interpolation.empty()) {
            document_.fail(field + ".interpolation", "\"" + sampler.interpolation.substr(0, 40) + "\" is not known");
        }
        const std::size_t targets = channel.path == AnimationPath::kWeights
                                        ? targets_of(scene_.nodes[static_cast<std::size_t>(channel.node)])
                                        : 0;
        Keys keys = read_keys(document_, sampler, channel.path, targets, channel.interpolation, field);
        if (keys.times.empty()) return false;
        floats_ += keys.times.size() + keys.values.size();
        // Channels may share their accessors: the size of the file alone bounds nothing.
        if (floats_ > (1U << 20U) + 64 * document_.bytes_read()) {
            document_.fail(field, "the animations up to here are out of all proportion to the file");
        }
        channel.times = std::move(keys.times);
        channel.values = std::move(keys.values);
        return true;
    }

    void note_unplayed() {
        if (unplayed_.empty()) return;
        constexpr std::size_t kMost = 6;
        std::string list;
        std::size_t listed = 0;
        for (const std::string& pointer : unplayed_) {
            if (listed++ == kMost) break;
            list += (list.empty() ? "" : ", ") + pointer;
        }
        if (unplayed_.size() > kMost) list += " and " + std::to_string(unplayed_.size() - kMost) + " more";
        document_.note(
            std::string(kAnimationPointer) + ": animations of " + list +
            " are ignored; those of nodes, of lights, and of materials' main factors and texture transforms, "
            "play");
    }

    Document& document_;
    const std::vector<int>& nodes_;
    Scene& scene_;
    std::uint64_t floats_ = 0;
    std::set<std::string> unplayed_;  // what pointers name
};

}  // namespace

void read_animations(Document& document, const std::vector<int>& nodes, Scene& scene) {
    AnimationReader(document, nodes, scene).read();
}

}  // namespace sublet::scene::gltf
