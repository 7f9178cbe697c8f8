#include "scene/animation.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "base/error.h"
#include "base/number_text.h"
#include "base/suggest.h"
#include "scene/material_fields.h"
#include "shaders/shared/animation.h"

namespace sublet::scene {
namespace {

// Names in an error, at most.
constexpr std::size_t kMostAnimationsListed = 20;

// "0,2,5": numbers of so many things.
std::optional<std::vector<std::size_t>> as_numbers(std::string_view text, std::size_t count) {
    std::set<std::size_t> numbers;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const auto number = parse_number<std::size_t>(text.substr(begin, end - begin));
        if (!number || *number >= count) return std::nullopt;
        numbers.insert(*number);
        begin = end + 1;
    }
    return std::vector<std::size_t>(numbers.begin(), numbers.end());
}

// Which values of a channel make its value at a time: one key's, or two keys' and what lies between.
struct Place {
    std::size_t key = 0;
    bool is_between = false;  // that key and the next
    float t = 0.0F;           // 0 at the first, 1 at the next
    float seconds = 0.0F;     // from one to the other
};

Place place_of(const AnimationChannel& channel, float time) {
    const auto after = std::ranges::upper_bound(channel.times, time);
    const auto next = static_cast<std::size_t>(after - channel.times.begin());
    Place place;
    place.key = next == 0 ? 0 : next - 1;
    if (next == 0 || next == channel.times.size() || channel.interpolation == Interpolation::kStep) return place;
    place.is_between = true;
    place.t = shared::place_between(time, channel.times[place.key], channel.times[next]);
    place.seconds = channel.times[next] - channel.times[place.key];
    return place;
}

std::vector<float> looped_times(const Scene& scene, std::span<const std::size_t> animations,
                                const AnimationTimes& times) {
    std::vector<float> out(scene.animations.size());
    for (const std::size_t animation : animations) {
        out[animation] = looped_time(times.of(animation), animation_length(scene.animations[animation]));
    }
    return out;
}

// Of several channels of one property that of the first animation; those that `wanted` takes.
template <typename Wanted>
std::vector<PlayedChannel> played(const Scene& scene, std::span<const std::size_t> animations, const Wanted& wanted) {
    std::vector<PlayedChannel> out;
    std::set<std::tuple<int, int, int, AnimationPath, std::uint32_t>> driven;
    for (const std::size_t animation : animations) {
        for (const AnimationChannel& channel : scene.animations[animation].channels) {
            if (channel.times.empty() || !wanted(channel)) continue;
            const bool is_first =
                driven.emplace(channel.node, channel.material, channel.light, channel.path, channel.texture).second;
            if (is_first) out.push_back({animation, &channel});
        }
    }
    return out;
}

shared::vec4 value_at(const AnimationChannel& channel, std::size_t index) {
    const std::size_t components = path_components(channel.path);
    const float* const at = channel.values.data() + index * components;
    return {at[0], components > 1 ? at[1] : 0.0F, components > 2 ? at[2] : 0.0F, components > 3 ? at[3] : 0.0F};
}

// Puts the property that the channel drives to where it is at that time.
void drive(Node& node, const AnimationChannel& channel, float time) {
    const glm::vec4 value = sample(channel, time);
    if (channel.path == AnimationPath::kRotation) {
        node.rotation = glm::quat(value.w, value.x, value.y, value.z);
    } else {
        (channel.path == AnimationPath::kScale ? node.scale : node.translation) = glm::vec3(value);
    }
}

// What is no emission.
void drive(Material& material, const AnimationChannel& channel, const glm::vec4& value) {
    const AnimationPath path = channel.path;
    if (path == AnimationPath::kBaseColor) material.base_color = value;
    if (path == AnimationPath::kMetallic) material.metallic = value.x;
    if (path == AnimationPath::kRoughness) material.roughness = value.x;
    if (path == AnimationPath::kNormalScale) material.normal_texture.strength = value.x;
    if (path == AnimationPath::kOcclusionStrength) material.occlusion_texture.strength = value.x;
    if (path == AnimationPath::kAlphaCutoff) material.alpha_cutoff = value.x;
    if (!is_of_texture(path)) return;
    TextureRef& texture = texture_of(material, channel.texture);
    if (path == AnimationPath::kTextureOffset) texture.offset = glm::vec2(value);
    if (path == AnimationPath::kTextureRotation) texture.rotation = value.x;
    if (path == AnimationPath::kTextureScale) texture.scale = glm::vec2(value);
}

}  // namespace

std::string animation_name(const Scene& scene, std::size_t animation) {
    const std::string& name = scene.animations[animation].name;
    return name.empty() ? "animation " + std::to_string(animation) : name;
}

std::vector<std::size_t> chosen_animations(const Scene& scene, std::string_view choice) {
    std::vector<std::size_t> all(scene.animations.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    if (choice == kAllAnimations) return all;
    if (choice == kNoAnimation) return {};
    for (const std::size_t i : all) {
        if (!choice.empty() && scene.animations[i].name == choice) return {i};
    }
    if (auto numbers = as_numbers(choice, all.size())) return std::move(*numbers);
    const std::string start = "the scene has no animation '" + std::string(choice) + "'";
    if (all.empty()) throw Error(start + ": it has none");
    std::vector<std::string_view> names{kAllAnimations, kNoAnimation};
    std::string list;
    for (const std::size_t i : all) {
        names.emplace_back(scene.animations[i].name);
        if (i < kMostAnimationsListed)
            list += (i == 0 ? "" : ", ") + std::to_string(i) + " " + animation_name(scene, i);
    }
    if (all.size() > kMostAnimationsListed)
        list += " and " + std::to_string(all.size() - kMostAnimationsListed) + " more";
    throw Error(start + ", but these: " + list + did_you_mean(choice, names));
}

std::string animation_choice(const Scene& scene, const std::vector<std::size_t>& animations) {
    if (animations.size() == scene.animations.size()) return std::string(kAllAnimations);
    if (animations.empty()) return std::string(kNoAnimation);
    const auto means_these = [&](const std::string& text) { return chosen_animations(scene, text) == animations; };
    if (const std::string& name = scene.animations[animations.front()].name;
        animations.size() == 1 && !name.empty() && means_these(name)) {
        return name;
    }
    std::string numbers;
    for (const std::size_t animation : animations) {
        numbers += (numbers.empty() ? "" : ",") + std::to_string(animation);
    }
    while (!means_these(numbers)) numbers.insert(0, "0");  // an animation has that name
    return numbers;
}

double animation_length(const Animation& animation) {
    double length = 0;
    for (const AnimationChannel& channel : animation.channels) {
        if (!channel.times.empty()) length = std::max(length, static_cast<double>(channel.times.back()));
    }
    return length;
}

float looped_time(double time, double length) {
    if (!(length > 0.0) || !std::isfinite(time)) return 0.0F;
    double within = std::fmod(time, length);
    if (within < 0.0) within += length;
    // Rounding may reach the end, which is the start.
    const auto rounded = static_cast<float>(within);
    return rounded < static_cast<float>(length) ? rounded : 0.0F;
}

std::vector<PlayedChannel> played_channels(const Scene& scene, std::span<const std::size_t> animations) {
    return played(scene, animations, [&](const AnimationChannel& channel) {
        return channel.path <= AnimationPath::kScale && !scene.nodes[static_cast<std::size_t>(channel.node)].has_matrix;
    });
}

std::vector<PlayedChannel> played_weights(const Scene& scene, std::span<const std::size_t> animations) {
    return played(scene, animations,
                  [](const AnimationChannel& channel) { return channel.path == AnimationPath::kWeights; });
}

std::vector<PlayedChannel> played_visibility(const Scene& scene, std::span<const std::size_t> animations) {
    return played(scene, animations,
                  [](const AnimationChannel& channel) { return channel.path == AnimationPath::kVisibility; });
}

std::vector<PlayedChannel> played_materials(const Scene& scene, std::span<const std::size_t> animations) {
    return played(scene, animations, [](const AnimationChannel& channel) { return is_of_material(channel.path); });
}

std::vector<PlayedChannel> played_lights(const Scene& scene, std::span<const std::size_t> animations) {
    return played(scene, animations, [](const AnimationChannel& channel) { return is_of_light(channel.path); });
}

glm::vec4 sample(const AnimationChannel& channel, float time) {
    const bool rotation = channel.path == AnimationPath::kRotation;
    const bool cubic = channel.interpolation == Interpolation::kCubicSpline;
    const auto [key, is_between, t, seconds] = place_of(channel, time);
    const std::size_t next = key + 1;
    shared::vec4 value = value_at(channel, cubic ? 3 * key + 1 : key);
    if (is_between && cubic) {
        value = shared::interpolate_cubic(value, value_at(channel, 3 * key + 2), value_at(channel, 3 * next + 1),
                                          value_at(channel, 3 * next), t, seconds);
    } else if (is_between && rotation) {
        value = shared::interpolate_rotation(value, value_at(channel, next), t);
    } else if (is_between) {
        value = shared::interpolate_linear(value, value_at(channel, next), t);
    }
    if (rotation) value = shared::unit_quaternion(value);
    return {value.x, value.y, value.z, value.w};
}

std::vector<float> sample_weights(const AnimationChannel& channel, float time) {
    const bool cubic = channel.interpolation == Interpolation::kCubicSpline;
    const std::size_t rows = channel.times.size() * (cubic ? 3 : 1);
    const std::size_t targets = channel.values.size() / rows;
    const auto [key, is_between, t, seconds] = place_of(channel, time);
    std::vector<float> weights(targets);
    for (std::size_t i = 0; i < targets; ++i) {
        // As vectors of one component: the arithmetic is theirs.
        const auto value = [&](std::size_t row) {
            return shared::vec4{channel.values[row * targets + i], 0.0F, 0.0F, 0.0F};
        };
        shared::vec4 weight = value(cubic ? 3 * key + 1 : key);
        if (is_between && cubic) {
            weight = shared::interpolate_cubic(weight, value(3 * key + 2), value(3 * key + 4), value(3 * key + 3), t,
                                               seconds);
        } else if (is_between) {
            weight = shared::interpolate_linear(weight, value(key + 1), t);
        }
        weights[i] = weight.x;
    }
    return weights;
}

std::vector<float> morph_weights(const Scene& scene, std::size_t node, std::span<const std::size_t> animations,
                                 const AnimationTimes& times) {
    for (const PlayedChannel& channel : played_weights(scene, animations)) {
        if (static_cast<std::size_t>(channel.channel->node) != node) continue;
        return sample_weights(*channel.channel, looped_time(times.of(channel.animation),
                                                            animation_length(scene.animations[channel.animation])));
    }
    return morph_weights(scene, scene.nodes[node]);
}

void pose_nodes(std::vector<Node>& nodes, const Scene& scene, std::span<const std::size_t> animations,
                const AnimationTimes& times) {
    const std::vector<float> looped = looped_times(scene, animations, times);
    for (const PlayedChannel& played : played_weights(scene, animations)) {
        nodes[static_cast<std::size_t>(played.channel->node)].weights =
            sample_weights(*played.channel, looped[played.animation]);
    }
    for (const PlayedChannel& played : played_channels(scene, animations)) {
        drive(nodes[static_cast<std::size_t>(played.channel->node)], *played.channel, looped[played.animation]);
    }
    for (const PlayedChannel& played : played_visibility(scene, animations)) {
        nodes[static_cast<std::size_t>(played.channel->node)].visible =
            sample(*played.channel, looped[played.animation]).x != 0.0F;
    }
}

void pose_materials(std::vector<Material>& materials, const Scene& scene, std::span<const std::size_t> animations,
                    const AnimationTimes& times) {
    const std::vector<float> looped = looped_times(scene, animations, times);
    std::map<int, glm::vec4> emission;  // of the materials whose emission plays
    for (const PlayedChannel& played : played_materials(scene, animations)) {
        const AnimationChannel& channel = *played.channel;
        const glm::vec4 value = sample(channel, looped[played.animation]);
        Material& material = materials[static_cast<std::size_t>(channel.material)];
        if (is_of_emission(channel.path)) {
            glm::vec4& both = emission.try_emplace(channel.material, channel.emission).first->second;
            both = channel.path == AnimationPath::kEmissiveFactor ? glm::vec4(glm::vec3(value), both.w)
                                                                  : glm::vec4(glm::vec3(both), value.x);
            material.emissive = glm::vec3(both) * both.w;
        } else {
            drive(material, channel, value);
        }
    }
}

MovingNode::MovingNode(const Scene& scene, std::span<const std::size_t> animations, std::size_t node) {
    std::vector<std::size_t> path;  // from the node up
    for (int at = static_cast<int>(node); at >= 0; at = scene.nodes[path.back()].parent) {
        path.push_back(static_cast<std::size_t>(at));
    }
    std::ranges::reverse(path);
    for (const std::size_t at : path) {
        chain_.push_back(scene.nodes[at]);
        chain_.back().name.clear();  // it is copied with each time
    }
    for (const PlayedChannel& played : played_channels(scene, animations)) {
        const auto link = std::ranges::lower_bound(path, static_cast<std::size_t>(played.channel->node));
        if (link == path.end() || *link != static_cast<std::size_t>(played.channel->node)) continue;
        channels_.push_back({played, animation_length(scene.animations[played.animation]),
                             static_cast<std::size_t>(link - path.begin())});
    }
}

glm::mat4 MovingNode::world(const AnimationTimes& times) const {
    std::vector<Node> chain = chain_;
    for (const Channel& channel : channels_) {
        const float time = looped_time(times.of(channel.played.animation), channel.length);
        drive(chain[channel.link], *channel.played.channel, time);
    }
    glm::mat4 world = local_transform(chain.front());
    for (std::size_t i = 1; i < chain.size(); ++i) world = world * local_transform(chain[i]);
    return world;
}

std::vector<char> moved_nodes(const Scene& scene, std::span<const PlayedChannel> channels) {
    std::vector<char> moved(scene.nodes.size(), 0);
    for (const PlayedChannel& played : channels) moved[static_cast<std::size_t>(played.channel->node)] = 1;
    for (std::size_t i = 0; i < moved.size(); ++i) {
        const int parent = scene.nodes[i].parent;
        if (parent >= 0 && moved[static_cast<std::size_t>(parent)] != 0) moved[i] = 1;
    }
    return moved;
}

EncodedScene posed_placement(const EncodedScene& scene, std::span<const std::size_t> animations,
                             const AnimationTimes& times) {
    EncodedScene out;
    out.scene.nodes = scene.scene.nodes;
    out.scene.mesh_groups = scene.scene.mesh_groups;
    out.scene.mesh_materials = scene.scene.mesh_materials;
    out.scene.materials = scene.scene.materials;
    out.scene.variants = scene.scene.variants;
    out.scene.skins = scene.scene.skins;
    out.scene.cameras = scene.scene.cameras;
    out.geometry = scene.geometry;
    out.storage = scene.storage;
    out.payload_file = scene.payload_file;
    out.unchecked = scene.unchecked;
    pose_nodes(out.scene.nodes, scene.scene, animations, times);
    // Without their keys they play nothing, but instances are numbered as those of the scene.
    Animation& shows = out.scene.animations.emplace_back();
    for (const Animation& animation : scene.scene.animations) {
        for (const AnimationChannel& channel : animation.channels) {
            if (channel.path != AnimationPath::kVisibility) continue;
            shows.channels.push_back({.node = channel.node, .path = channel.path, .times = {}, .values = {}});
        }
    }
    return out;
}

}  // namespace sublet::scene
