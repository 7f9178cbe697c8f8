// What of a scene moves: channels, chains of local transforms and the instances at their ends, as the pass "animate"
// reads them (shaders/shared/animation.h). Nothing of it changes while a scene is shown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/resources.h"
#include "scene/animation.h"
#include "scene/scene.h"
#include "shaders/shared/animation.h"
#include "shaders/shared/deform.h"
#include "shaders/shared/types.h"

namespace sublet::render {

// Which way a node's meshes face while animations play.
enum class Facing : std::uint8_t {
    kByTransform,  // it does not move
    kKept,
    kMirrored,
    kChanges,  // a scale may pass through 0
};

struct AnimationData {
    // Of the nodes above an instance's and its own. A node that does not move has none.
    struct Chain {
        std::uint32_t first_link = 0, link_count = 0;
        Facing facing = Facing::kByTransform;
    };
    // Whether any of what is drawn moves, comes and goes, or has another look; joints and weights apart.
    [[nodiscard]] bool plays() const {
        return !moved.empty() || !shown.empty() || !drivers.empty() || !light_drivers.empty();
    }
    std::vector<shared::AnimationChannel> channels;
    std::vector<float> keys;
    std::vector<shared::vec4> matrices;  // kLinkVectors for each local transform that stands still,
    std::vector<shared::vec4> driven;    // and for each that a channel drives, as the file has it
    std::vector<std::uint32_t> links;
    std::vector<shared::MovedInstance> moved;
    std::vector<double> lengths;       // of the animations that play, in seconds
    std::vector<std::size_t> numbers;  // of them, among the scene's
    std::vector<std::string> names;    // of them
    std::vector<Chain> chains;         // of each node with a mesh group; empty where nothing moves
    // Of each joint of the skins that deform something, skin by skin: its chain, with its inverse bind matrix as the
    // last link.
    std::vector<shared::MovedInstance> joints;
    std::vector<std::uint32_t> first_joint;  // of each skin of the scene; of those that deform nothing, any number
    // Of each node whose morph targets have weights other than 0, or are driven; their channels.
    std::vector<shared::MorphWeights> weights;
    std::vector<shared::AnimationChannel> weight_channels;
    std::vector<std::uint32_t> weights_of;  // of each node of the scene, its place in `weights`; kNoWeights
    std::uint32_t weight_vectors = 0;       // of all of them
    bool poses_move = false;                // joints or weights
    // Of each node with a mesh group that visibility hides or shows: its links are numbers of channels.
    std::vector<Chain> visibility;  // empty where there is none
    std::vector<shared::MovedInstance> shown;
    // Of each node with a light that AnimationUse::lights asks for: what places and hides it. Empty where nothing
    // moves.
    struct LightChains {
        Chain place, shown;
    };
    std::vector<LightChains> light_chains;
    std::vector<shared::AnimationChannel> other_channels;  // of visibility, materials and lights
    std::vector<shared::MaterialDriver> drivers;           // of materials: add_material_drivers()
    std::vector<scene::PlayedChannel> played_materials;    // what they are made of; the scene's channels
    std::vector<scene::PlayedChannel> played_lights;       // likewise, of
    std::vector<shared::LightDriver> light_drivers;        // lights: gather_lights()
};

inline constexpr std::uint32_t kNoWeights = ~0U;

// What gather_animation() is to gather.
struct AnimationUse {
    std::string_view choice;       // of animations: scene::chosen_animations(), which throws Error
    bool nodes = true;             // they place instances
    std::vector<char> skins;       // of each skin: it deforms something
    std::vector<char> morphs;      // of each node: morph targets deform its mesh group
    std::vector<char> lights;      // of each node: its light shines; empty: none does
    std::uint64_t most_links = 0;  // of chains; where there are more, that is an Error
};

// All but `moved` and `shown`, which follow from where instances lie: add_moved(). Transforms above the first node that
// moves are one. The numbers of channels count `channels`, `weight_channels` and `other_channels`, in this order.
[[nodiscard]] AnimationData gather_animation(const scene::Scene& scene, const AnimationUse& use);

// Keeps the keys of a channel; its target is left to the caller.
[[nodiscard]] shared::AnimationChannel add_keys_of(AnimationData& data, const scene::PlayedChannel& played,
                                                   std::size_t components);

// Takes note of instance number `instance` of the scene, which is at `node`. Returns which way it faces.
Facing add_moved(AnimationData& data, std::uint32_t node, std::uint32_t instance);

// The same on the device. Without instances that move there are no buffers.
struct SceneAnimation {
    gpu::Buffer times, time_shifts, keys, vectors, links, moved, joints, weights;
    gpu::Buffer shown, drivers, light_drivers;
    gpu::Buffer channels;  // those of nodes' transforms come first, and alone are counted
    std::uint32_t channel_count = 0, moved_count = 0, joint_count = 0, weights_count = 0;  // of each copy
    // Of all copies together: they don't have their own.
    std::uint32_t shown_count = 0, driver_count = 0, light_count = 0;
    std::uint32_t weight_vectors = 0;
    std::uint32_t matrix_count = 0, driven_count = 0;  // AnimateConstants
    std::uint32_t copies = 1;                          // that have times of their own
    bool poses_move = false;
    std::vector<double> lengths;
    std::vector<std::size_t> numbers;
    std::vector<std::string> names;

    // Something is another at another time.
    [[nodiscard]] bool moves() const {
        return moved_count != 0 || poses_move || shown_count != 0 || driver_count != 0 || light_count != 0;
    }
    // There is something to place, even where it stands still.
    [[nodiscard]] bool places() const { return moves() || joint_count != 0 || weights_count != 0; }
};

}  // namespace sublet::render
