// Checked as container_read.cpp checks: an Error names the record.
#include "scene/container_channels.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "base/error.h"
#include "mesh/container_format.h"
#include "scene/material_fields.h"

namespace sublet::scene {
namespace {

using format::SectionType;

// Floats that channels have one after the other.
struct Floats {
    std::span<const float> all;
    std::size_t next = 0;

    [[nodiscard]] std::span<const float> left() const { return all.subspan(next); }
};

bool finite(std::span<const float> values) {
    return std::ranges::all_of(values, [](float v) { return std::isfinite(v); });
}

class ChannelReader {
  public:
    ChannelReader(const mesh::Sections& sections, const std::string& name, Scene& scene)
        : sections_(sections), name_(name), scene_(scene) {}

    void read() {
        read_plain();
        read_pointed();
    }

  private:
    void expect(bool holds, const char* array, std::size_t index, const char* member, const char* message) const {
        if (!holds) throw Error(name_, std::string(array) + "[" + std::to_string(index) + "]." + member, message);
    }

    void read_plain() {
        const auto animations = sections_.get<format::Animation>(SectionType::kAnimations);
        const auto channels = sections_.get<format::Channel>(SectionType::kChannels);
        Floats floats{sections_.get<float>(SectionType::kAnimationFloats)};
        std::size_t next = 0;  // channel
        for (std::size_t i = 0; i < animations.size(); ++i) {
            const format::Animation& from = animations[i];
            expect(from.first_channel == next && from.channel_count <= channels.size() - next, "animations", i,
                   "first_channel", "must follow the animation before it, within the channels");
            for (std::uint32_t c = 0; c < from.channel_count; ++c, ++next) {
                scene_.animations[i].channels.push_back(plain_channel(channels[next], next, floats));
            }
        }
        if (next != channels.size()) throw Error(name_, "channels", "are more than the animations have");
        if (!floats.left().empty()) throw Error(name_, "animation floats", "are more than the channels have");
    }

    AnimationChannel plain_channel(const format::Channel& from, std::size_t index, Floats& floats) const {
        expect(from.node < scene_.nodes.size(), "channels", index, "node", "is not one of the nodes");
        expect(from.path <= 3 && from.interpolation <= 2, "channels", index, "path", "is not known");
        AnimationChannel channel;
        channel.node = static_cast<int>(from.node);
        channel.path = static_cast<AnimationPath>(from.path);
        channel.interpolation = static_cast<Interpolation>(from.interpolation);
        const Node& node = scene_.nodes[from.node];
        std::size_t values = 1;
        if (channel.path == AnimationPath::kWeights) {
            values =
                node.mesh_group < 0 ? 0 : scene_.mesh_groups[static_cast<std::size_t>(node.mesh_group)].weights.size();
        }
        expect(values > 0, "channels", index, "path", "moves weights of a node without morph targets");
        read_keys(from, floats, values, "channels", index, channel);
        return channel;
    }

    void read_pointed() {
        constexpr const char* kArray = "pointer_channels";
        static_assert(kMaterialTextures == 5 + format::kExtensionTextures);
        const auto records = sections_.get_or_none<format::PointerChannel>(SectionType::kPointerChannels);
        Floats floats{sections_.get_or_none<float>(SectionType::kPointerFloats)};
        std::uint32_t least = 0;  // animation
        for (std::size_t i = 0; i < records.size(); ++i) {
            const format::PointerChannel& from = records[i];
            expect(from.animation >= least && from.animation < scene_.animations.size(), kArray, i, "animation",
                   "must be one of the animations, not before that of the record before it");
            least = from.animation;
            const auto path = static_cast<AnimationPath>(from.path);
            expect(from.path <= static_cast<std::uint32_t>(kLastPath) && !is_plain(path), kArray, i, "path",
                   "is not known");
            expect(from.interpolation <= 2, kArray, i, "interpolation", "is not known");
            AnimationChannel channel;
            channel.path = path;
            channel.interpolation = static_cast<Interpolation>(from.interpolation);
            channel.texture = from.texture;
            if (is_of_node(path)) {
                expect(from.target < scene_.nodes.size(), kArray, i, "target", "is not one of the nodes");
                channel.node = static_cast<int>(from.target);
            } else if (is_of_light(path)) {
                expect(from.target < scene_.lights.size(), kArray, i, "target", "is not one of the lights");
                channel.light = static_cast<int>(from.target);
            } else {
                expect(from.target < scene_.materials.size(), kArray, i, "target", "is not one of the materials");
                channel.material = static_cast<int>(from.target);
            }
            expect(is_of_texture(path) ? from.texture < kMaterialTextures : from.texture == 0, kArray, i, "texture",
                   "is not one of the material's");
            expect(finite(from.emission), kArray, i, "emission", "is not finite");
            channel.emission = {from.emission[0], from.emission[1], from.emission[2], from.emission[3]};
            read_keys(from, floats, 1, kArray, i, channel);
            if (path == AnimationPath::kVisibility) check_booleans(channel, i);
            scene_.animations[from.animation].channels.push_back(std::move(channel));
        }
        if (!floats.left().empty()) throw Error(name_, "pointer floats", "are more than the channels have");
    }

    // `values`: of a key, of as many components as the path has.
    template <typename Record>
    void read_keys(const Record& from, Floats& floats, std::size_t values, const char* array, std::size_t index,
                   AnimationChannel& channel) const {
        const std::size_t left = floats.left().size();
        expect(from.first_float == floats.next && from.key_count > 0 && from.key_count <= left &&
                   from.value_count <= left - from.key_count,
               array, index, "first_float", "must follow the channel before it, within the floats of channels");
        const std::uint64_t per_key =
            (channel.interpolation == Interpolation::kCubicSpline ? 3U : 1U) * values * path_components(channel.path);
        expect(from.value_count % per_key == 0 && from.value_count / per_key == from.key_count, array, index,
               "value_count", "does not fit its keys");
        const auto times = floats.left().first(from.key_count);
        const auto numbers = floats.left().subspan(from.key_count, from.value_count);
        expect(finite(times) && std::ranges::is_sorted(times), array, index, "times", "do not ascend");
        expect(finite(numbers), array, index, "values", "are not finite");
        channel.times.assign(times.begin(), times.end());
        channel.values.assign(numbers.begin(), numbers.end());
        floats.next += from.key_count + from.value_count;
    }

    void check_booleans(const AnimationChannel& channel, std::size_t index) const {
        expect(channel.interpolation == Interpolation::kStep, "pointer_channels", index, "interpolation",
               "must be 1 (step) for true and false");
        const bool fits =
            std::ranges::all_of(channel.values, [](float value) { return value == 0.0F || value == 1.0F; });
        expect(fits, "pointer_channels", index, "values", "must be 0 or 1 for true and false");
    }

    const mesh::Sections& sections_;
    const std::string& name_;
    Scene& scene_;
};

}  // namespace

void read_channels(const mesh::Sections& sections, const std::string& name, Scene& scene) {
    ChannelReader(sections, name, scene).read();
}

}  // namespace sublet::scene
