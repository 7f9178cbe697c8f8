// What of a scene moves: channels, chains of local transforms and the instances at their ends, as the pass "animate"
// reads them (shaders/shared/animation.h). Nothing of it changes while a scene is shown.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/resources.h"
#include "scene/scene.h"
#include "shaders/shared/animation.h"
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
    std::vector<shared::AnimationChannel> channels;
    std::vector<float> keys;
    std::vector<shared::vec4> vectors;  // kLinkVectors for each local transform; as the file has them
    std::vector<std::uint32_t> links;
    std::vector<shared::MovedInstance> moved;
    std::vector<double> lengths;     // of the animations that play, in seconds
    std::vector<std::string> names;  // of them
    std::vector<Chain> chains;       // of each node with a mesh group; empty where nothing moves
};

// The animations that `choice` names (scene::chosen_animations(), which throws Error), but for `moved`, which follows
// from where instances lie: add_moved(). Transforms above the first node that moves are one. Throws Error where the
// chains have more than `most_links` links.
[[nodiscard]] AnimationData gather_animation(const scene::Scene& scene, std::string_view choice,
                                             std::uint64_t most_links);

// Takes note of instance number `instance` of the scene, which is at `node`. Returns which way it faces.
Facing add_moved(AnimationData& data, std::uint32_t node, std::uint32_t instance);

// The same on the device. Without instances that move there are no buffers.
struct SceneAnimation {
    gpu::Buffer times, channels, keys, vectors, links, moved;
    std::uint32_t channel_count = 0, moved_count = 0;
    std::vector<double> lengths;
    std::vector<std::string> names;

    [[nodiscard]] bool moves() const { return moved_count != 0; }
};

}  // namespace sublet::render
