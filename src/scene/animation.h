// What the animations of a scene do to its nodes: the reference that the GPU's pass "animate" is held to.
//
// Animations that play together do not mix: of several channels that drive one property of a node, that of the first
// animation counts. Each animation loops by its own length.
#pragma once

#include <cstddef>
#include <glm/vec4.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scene/container.h"
#include "scene/scene.h"

namespace sublet::scene {

// How `animations` are chosen: "all", "none", or one by its name or number.
inline constexpr std::string_view kAllAnimations = "all";
inline constexpr std::string_view kNoAnimation = "none";

// Numbers of the animations that `choice` names, ascending. A name goes before a number; of several animations of one
// name the first counts. Throws Error, with those that there are, for any other.
[[nodiscard]] std::vector<std::size_t> chosen_animations(const Scene& scene, std::string_view choice);

// Its name, else "animation 2" for number 2.
[[nodiscard]] std::string animation_name(const Scene& scene, std::size_t animation);

// Seconds to the last of its keys; 0 where none lies after 0.
[[nodiscard]] double animation_length(const Animation& animation);

// Where a loop of `length` seconds is at `time`, which may be negative or any number of loops away: from 0 to less than
// `length`, for its end is its start. 0 where it has no length, or the time is no number.
[[nodiscard]] float looped_time(double time, double length);

// Channels that move something: not those of another animation's property, of morph weights, or of a node that has a
// matrix, which glTF does not let move. In the order of `animations`.
struct PlayedChannel {
    std::size_t animation = 0;
    const AnimationChannel* channel = nullptr;
};
[[nodiscard]] std::vector<PlayedChannel> played_channels(const Scene& scene, std::span<const std::size_t> animations);

// The value of a channel: x, y, z of a translation or scale, x, y, z, w of a rotation, of unit length. Before its first
// key it is that key's, after its last that one's. Where keys share a time the last of them counts.
[[nodiscard]] glm::vec4 sample(const AnimationChannel& channel, float time);

// Puts the nodes into the pose of that time: joints too, and so what they deform.
void pose_nodes(std::vector<Node>& nodes, const Scene& scene, std::span<const std::size_t> animations, double time);

// Whether the node, or one that it hangs on, has a channel. One for each node.
[[nodiscard]] std::vector<char> moved_nodes(const Scene& scene, std::span<const PlayedChannel> channels);

// What places and cameras of a scene need, in the pose of that time: its nodes, mesh groups, materials, variants,
// skins and cameras, over the same geometry. No images, no animations.
[[nodiscard]] EncodedScene posed_placement(const EncodedScene& scene, std::span<const std::size_t> animations,
                                           double time);

}  // namespace sublet::scene
