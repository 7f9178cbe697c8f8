#include "render/scene/scene_animation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/gtc/matrix_access.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>
#include <limits>

#include "base/error.h"
#include "scene/animation.h"
#include "scene/node_reach.h"

namespace sublet::render {
namespace {

constexpr std::uint32_t kNone = ~0U;

static_assert(static_cast<std::uint32_t>(scene::Interpolation::kLinear) == shared::kInterpolateLinear);
static_assert(static_cast<std::uint32_t>(scene::Interpolation::kStep) == shared::kInterpolateStep);
static_assert(static_cast<std::uint32_t>(scene::Interpolation::kCubicSpline) == shared::kInterpolateCubicSpline);

// What the scales of a node do to the sides of triangles below it.
struct Turning {
    bool mirrors = false;
    bool changes = false;
};

Turning turning_of(const scene::AnimationChannel& scale) {
    Turning out;
    for (std::size_t component = 0; component < 3; ++component) {
        const scene::ValueSpan span = scene::value_span(scale, component, 3);
        // Farther from 0 than what rounding does to a spline.
        const float margin = 1e-4F * std::max(std::abs(span.low), std::abs(span.high));
        out.changes = out.changes || !(span.low > margin || span.high < -margin);
        out.mirrors = out.mirrors != (span.high < 0.0F);
    }
    return out;
}

Turning turning_of(const glm::vec3& scale) {
    const int negative = (scale.x < 0.0F ? 1 : 0) + (scale.y < 0.0F ? 1 : 0) + (scale.z < 0.0F ? 1 : 0);
    return {.mirrors = negative % 2 != 0, .changes = false};
}

bool mirrors(const glm::mat4& matrix) {
    return glm::determinant(glm::dmat3(matrix)) < 0.0;
}

// Returns where they begin.
std::uint32_t add_keys(AnimationData& data, const std::vector<float>& numbers) {
    const std::size_t first = data.keys.size();
    data.keys.insert(data.keys.end(), numbers.begin(), numbers.end());
    if (data.keys.size() > std::numeric_limits<std::uint32_t>::max()) {
        throw Error("scene", "animations", "have more than 2^32 numbers: use --animation none");
    }
    return static_cast<std::uint32_t>(first);
}

class Gatherer {
  public:
    Gatherer(const scene::Scene& scene, const AnimationUse& use)
        : scene_(scene),
          use_(use),
          animations_(scene::chosen_animations(scene, use.choice)),
          played_(scene::played_channels(scene, animations_)),
          visibility_(scene::played_visibility(scene, use.nodes ? animations_ : std::vector<std::size_t>{})),
          moved_(scene::moved_nodes(scene, played_)) {}

    AnimationData gather() {
        const bool deforms = std::ranges::find(use_.skins, 1) != use_.skins.end() ||
                             std::ranges::find(use_.morphs, 1) != use_.morphs.end();
        out_.played_materials = scene::played_materials(scene_, animations_);
        out_.played_lights = scene::played_lights(scene_, animations_);
        if (played_.empty() && visibility_.empty() && out_.played_materials.empty() && out_.played_lights.empty() &&
            !deforms) {
            return {};
        }
        hides_ = scene::moved_nodes(scene_, visibility_);
        check_links(use_.most_links);
        world_ = scene::world_transforms(scene_);
        driven_.assign(scene_.nodes.size(), kNone);
        matrices_.assign(scene_.nodes.size(), kNone);
        above_.assign(scene_.nodes.size(), kNone);
        turning_.assign(scene_.nodes.size(), {});
        for (const std::size_t animation : animations_) {
            out_.lengths.push_back(scene::animation_length(scene_.animations[animation]));
            out_.numbers.push_back(animation);
            out_.names.push_back(scene::animation_name(scene_, animation));
        }
        const std::vector<char> used = used_nodes();
        for (const scene::PlayedChannel& played : played_) {
            if (used[static_cast<std::size_t>(played.channel->node)] != 0) add_channel(played);
        }
        out_.chains.resize(scene_.nodes.size());
        for (std::size_t i = 0; i < scene_.nodes.size(); ++i) {
            if (has_chain(i)) out_.chains[i] = chain_of(i);
        }
        out_.light_chains.resize(scene_.nodes.size());
        for (std::size_t i = 0; i < scene_.nodes.size(); ++i) {
            if (places_light(i)) out_.light_chains[i].place = chain_of(i);
        }
        out_.first_joint.assign(scene_.skins.size(), 0);
        for (std::size_t s = 0; s < scene_.skins.size(); ++s) {
            out_.first_joint[s] = static_cast<std::uint32_t>(out_.joints.size());
            if (use_.skins[s] != 0) add_joints(scene_.skins[s]);
        }
        add_weights();
        add_visibility();
        return std::move(out_);
    }

  private:
    // Joints, not its node, place a skinned mesh.
    [[nodiscard]] bool has_chain(std::size_t node) const {
        return use_.nodes && moved_[node] != 0 && scene_.nodes[node].mesh_group >= 0 && scene_.nodes[node].skin < 0;
    }

    [[nodiscard]] bool shines(std::size_t node) const { return !use_.lights.empty() && use_.lights[node] != 0; }
    [[nodiscard]] bool places_light(std::size_t node) const { return shines(node) && moved_[node] != 0; }

    // Those that place or deform something.
    [[nodiscard]] std::vector<char> used_nodes() const {
        std::vector<char> used(scene_.nodes.size(), 0);
        for (std::size_t s = 0; s < scene_.skins.size(); ++s) {
            if (use_.skins[s] == 0) continue;
            for (const int joint : scene_.skins[s].joints) used[static_cast<std::size_t>(joint)] = 1;
        }
        for (std::size_t i = used.size(); i-- > 0;) {  // children come after their parents
            if (has_chain(i) || places_light(i)) used[i] = 1;
            const int parent = scene_.nodes[i].parent;
            if (used[i] != 0 && parent >= 0) used[static_cast<std::size_t>(parent)] = 1;
        }
        return used;
    }

    // Before they are made: nodes may hang on one another in a row, each with a mesh.
    void check_links(std::uint64_t most) const {
        std::vector<std::uint64_t> links(scene_.nodes.size(), 0);
        std::uint64_t all = 0;
        for (std::size_t i = 0; i < links.size(); ++i) {
            if (moved_[i] == 0) continue;
            const int parent = scene_.nodes[i].parent;
            links[i] = 1 + (parent < 0 ? 0 : std::max<std::uint64_t>(links[static_cast<std::size_t>(parent)], 1));
            if (has_chain(i)) all += links[i];
            if (places_light(i)) all += links[i];
        }
        std::vector<std::uint64_t> hiding(scene_.nodes.size(), 0);
        for (const scene::PlayedChannel& played : visibility_)
            hiding[static_cast<std::size_t>(played.channel->node)] = 1;
        for (std::size_t i = 0; i < hiding.size(); ++i) {
            const int parent = scene_.nodes[i].parent;
            if (parent >= 0) hiding[i] += hiding[static_cast<std::size_t>(parent)];
            if (scene_.nodes[i].mesh_group >= 0) all += hiding[i];
            if (shines(i)) all += hiding[i];
        }
        for (std::size_t s = 0; s < scene_.skins.size(); ++s) {
            if (use_.skins[s] == 0) continue;
            for (const int joint : scene_.skins[s].joints) {
                all += std::max<std::uint64_t>(links[static_cast<std::size_t>(joint)], 1) + 1;
            }
        }
        if (all > most) {
            throw Error("scene", "animations",
                        "the nodes that animations play hang on one another " + std::to_string(all) +
                            " times, and this device binds " + std::to_string(most) + ": use --animation none");
        }
    }

    // Adds the three vectors of a local transform to a list; its number there.
    static std::uint32_t add_vectors(std::vector<shared::vec4>& list, const std::array<shared::vec4, 3>& vectors) {
        const auto at = static_cast<std::uint32_t>(list.size() / shared::kLinkVectors);
        list.insert(list.end(), vectors.begin(), vectors.end());
        return at;
    }

    std::uint32_t add_matrix(const glm::mat4& matrix) {
        const auto row = [&](int i) {
            const glm::vec4 elements = glm::row(matrix, i);
            return shared::vec4{elements.x, elements.y, elements.z, elements.w};
        };
        return add_vectors(out_.matrices, {row(0), row(1), row(2)}) | shared::kLinkMatrix |
               (mirrors(matrix) ? shared::kLinkMirrors : 0U);
    }

    void add_channel(const scene::PlayedChannel& played) {
        const scene::AnimationChannel& from = *played.channel;
        const auto index = static_cast<std::size_t>(from.node);
        const scene::Node& node = scene_.nodes[index];
        if (driven_[index] == kNone) {
            const glm::quat& q = node.rotation;
            driven_[index] =
                add_vectors(out_.driven, {shared::vec4{node.translation.x, node.translation.y, node.translation.z, 0},
                                          shared::vec4{q.x, q.y, q.z, q.w},
                                          shared::vec4{node.scale.x, node.scale.y, node.scale.z, 0}});
            turning_[index] = turning_of(node.scale);
        }
        const bool rotation = from.path == scene::AnimationPath::kRotation;
        const bool scale = from.path == scene::AnimationPath::kScale;
        if (scale) turning_[index] = turning_of(from);
        shared::AnimationChannel channel = add_keys_of(out_, played, rotation ? 4 : 3);
        channel.target = driven_[index] * shared::kLinkVectors + (rotation ? 1 : scale ? 2 : 0);
        out_.channels.push_back(channel);
    }

    // Nodes whose weights are 0 and stay so are left out: nothing of theirs is deformed.
    void add_weights() {
        out_.weights_of.assign(scene_.nodes.size(), kNoWeights);
        std::vector<const scene::PlayedChannel*> channels(scene_.nodes.size(), nullptr);
        const std::vector<scene::PlayedChannel> played = scene::played_weights(scene_, animations_);
        for (const scene::PlayedChannel& one : played) channels[static_cast<std::size_t>(one.channel->node)] = &one;
        for (std::size_t i = 0; i < scene_.nodes.size(); ++i) {
            if (use_.morphs[i] == 0) continue;
            const std::vector<float>& weights = scene::morph_weights(scene_, scene_.nodes[i]);
            const bool still = std::ranges::all_of(weights, [](float w) { return w == 0.0F; });
            if (channels[i] == nullptr && still) continue;
            shared::MorphWeights set{};
            set.target_count = static_cast<std::uint32_t>(weights.size());
            set.channel = shared::kNoChannel;
            if (channels[i] != nullptr) {
                set.channel = static_cast<std::uint32_t>(out_.channels.size() + out_.weight_channels.size());
                out_.weight_channels.push_back(add_keys_of(out_, *channels[i], weights.size()));
                out_.poses_move = true;
            } else {
                set.first_default = add_keys(out_, weights);
            }
            set.first_vector = out_.weight_vectors;
            out_.weight_vectors += 1 + (set.target_count + 1) / 2;
            out_.weights_of[i] = static_cast<std::uint32_t>(out_.weights.size());
            out_.weights.push_back(set);
        }
    }

    // After all other channels: theirs have the numbers before.
    void add_visibility() {
        if (visibility_.empty()) return;
        std::vector<std::uint32_t> numbers(scene_.nodes.size(), kNone);
        for (const scene::PlayedChannel& played : visibility_) {
            numbers[static_cast<std::size_t>(played.channel->node)] = static_cast<std::uint32_t>(
                out_.channels.size() + out_.weight_channels.size() + out_.other_channels.size());
            out_.other_channels.push_back(add_keys_of(out_, played, 1));
        }
        out_.visibility.resize(scene_.nodes.size());
        for (std::size_t i = 0; i < scene_.nodes.size(); ++i) {
            if (hides_[i] == 0) continue;
            if (scene_.nodes[i].mesh_group >= 0) out_.visibility[i] = visibility_of(i, numbers);
            if (shines(i)) out_.light_chains[i].shown = visibility_of(i, numbers);
        }
    }

    // `numbers`: of each node, its channel.
    AnimationData::Chain visibility_of(std::size_t leaf, const std::vector<std::uint32_t>& numbers) {
        AnimationData::Chain chain;
        chain.first_link = static_cast<std::uint32_t>(out_.links.size());
        bool stays_hidden = false;  // by a node that no animation which plays shows
        for (int node = static_cast<int>(leaf); node >= 0; node = scene_.nodes[static_cast<std::size_t>(node)].parent) {
            const std::uint32_t number = numbers[static_cast<std::size_t>(node)];
            if (number != kNone) out_.links.push_back(number);
            stays_hidden = stays_hidden || (number == kNone && !scene_.nodes[static_cast<std::size_t>(node)].visible);
        }
        if (stays_hidden) out_.links.resize(chain.first_link);
        chain.link_count = static_cast<std::uint32_t>(out_.links.size()) - chain.first_link;
        return chain;
    }

    AnimationData::Chain chain_of(std::size_t leaf) {
        std::vector<std::size_t> path;  // from the leaf up to the first that moves
        for (std::size_t node = leaf;; node = static_cast<std::size_t>(scene_.nodes[node].parent)) {
            path.push_back(node);
            const int parent = scene_.nodes[node].parent;
            if (parent < 0 || moved_[static_cast<std::size_t>(parent)] == 0) break;
        }
        AnimationData::Chain chain;
        chain.first_link = static_cast<std::uint32_t>(out_.links.size());
        bool mirrored = false;
        bool changes = false;
        const auto add_still = [&](std::uint32_t& known, const glm::mat4& matrix) {
            if (known == kNone) known = add_matrix(matrix);
            out_.links.push_back(known);
            mirrored = mirrored != ((known & shared::kLinkMirrors) != 0);
        };
        if (const int parent = scene_.nodes[path.back()].parent; parent >= 0) {
            const auto above = static_cast<std::size_t>(parent);
            add_still(above_[above], world_[above]);
        }
        for (auto node = path.rbegin(); node != path.rend(); ++node) {
            if (driven_[*node] == kNone) {
                add_still(matrices_[*node], scene::local_transform(scene_.nodes[*node]));
                continue;
            }
            out_.links.push_back(driven_[*node]);
            mirrored = mirrored != turning_[*node].mirrors;
            changes = changes || turning_[*node].changes;
        }
        chain.link_count = static_cast<std::uint32_t>(out_.links.size()) - chain.first_link;
        chain.facing = changes ? Facing::kChanges : mirrored ? Facing::kMirrored : Facing::kKept;
        return chain;
    }

    void add_joints(const scene::Skin& skin) {
        for (std::size_t j = 0; j < skin.joints.size(); ++j) {
            const auto node = static_cast<std::size_t>(skin.joints[j]);
            AnimationData::Chain chain{.first_link = static_cast<std::uint32_t>(out_.links.size()), .link_count = 1};
            if (moved_[node] != 0) {
                chain = chain_of(node);
                out_.poses_move = true;
            } else {
                if (above_[node] == kNone) above_[node] = add_matrix(world_[node]);
                out_.links.push_back(above_[node]);
            }
            out_.links.push_back(add_matrix(skin.inverse_bind[j]));
            out_.joints.push_back({0, chain.first_link, chain.link_count + 1, 0});
        }
    }

    const scene::Scene& scene_;
    const AnimationUse& use_;
    std::vector<std::size_t> animations_;
    std::vector<scene::PlayedChannel> played_;
    std::vector<scene::PlayedChannel> visibility_;
    std::vector<char> moved_;       // of each node
    std::vector<char> hides_;       // likewise: its visibility plays, or that of a node above it
    std::vector<glm::mat4> world_;  // as the file has them
    // Of each node, where its local transform lies: of one that is driven; of one that hangs on such a one; and, of one
    // on which the first that moves hangs, its world transform. kNone until it is wanted.
    std::vector<std::uint32_t> driven_, matrices_, above_;
    std::vector<Turning> turning_;
    AnimationData out_;
};

}  // namespace

AnimationData gather_animation(const scene::Scene& scene, const AnimationUse& use) {
    return Gatherer(scene, use).gather();
}

shared::AnimationChannel add_keys_of(AnimationData& data, const scene::PlayedChannel& played, std::size_t components) {
    const scene::AnimationChannel& from = *played.channel;
    shared::AnimationChannel channel{};
    channel.animation =
        static_cast<std::uint32_t>(std::ranges::find(data.numbers, played.animation) - data.numbers.begin());
    channel.interpolation = static_cast<std::uint32_t>(from.interpolation);
    channel.key_count = static_cast<std::uint32_t>(from.times.size());
    channel.first_time = add_keys(data, from.times);
    channel.first_value = add_keys(data, from.values);
    channel.components = static_cast<std::uint32_t>(components);
    return channel;
}

Facing add_moved(AnimationData& data, std::uint32_t node, std::uint32_t instance) {
    if (!data.visibility.empty() && data.visibility[node].link_count != 0) {
        const AnimationData::Chain& chain = data.visibility[node];
        data.shown.push_back({instance, chain.first_link, chain.link_count, 0});
    }
    if (data.chains.empty() || data.chains[node].link_count == 0) return Facing::kByTransform;
    const AnimationData::Chain& chain = data.chains[node];
    data.moved.push_back({instance, chain.first_link, chain.link_count, 0});
    return chain.facing;
}

}  // namespace sublet::render
