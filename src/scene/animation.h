// What the animations of a scene do to its nodes and materials: the reference that the GPU's pass "animate" is held to.
//
// Animations that play together do not mix: of several channels that drive one property, that of the first
// animation counts. Each animation loops by its own length.
#pragma once

#include <cstddef>
#include <glm/mat4x4.hpp>
#include <glm/vec4.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scene/container.h"
#include "scene/scene.h"

namespace sublet::scene {

// How `animations` are chosen: "all", "none", one by its name or number, or several by their numbers ("0,2,5").
inline constexpr std::string_view kAllAnimations = "all";
inline constexpr std::string_view kNoAnimation = "none";

// Numbers of the animations that `choice` names, ascending. A name goes before a number; of several animations of one
// name the first counts. Throws Error, with those that there are, for any other.
[[nodiscard]] std::vector<std::size_t> chosen_animations(const Scene& scene, std::string_view choice);

// What chooses just these, which are ascending: the short way, by a name where there is one.
[[nodiscard]] std::string animation_choice(const Scene& scene, const std::vector<std::size_t>& animations);

// Its name, else "animation 2" for number 2.
[[nodiscard]] std::string animation_name(const Scene& scene, std::size_t animation);

// Seconds to the last of its keys; 0 where none lies after 0.
[[nodiscard]] double animation_length(const Animation& animation);

// Where a loop of `length` seconds is at `time`, which may be negative or any number of loops away: from 0 to less than
// `length`, for its end is its start. 0 where it has no length, or the time is no number.
[[nodiscard]] float looped_time(double time, double length);

// Where animations are, in seconds, of any sign and size: all at one time, or each at its own.
struct AnimationTimes {
    // NOLINTNEXTLINE(google-explicit-constructor): a time is one for all
    AnimationTimes(double seconds = 0) : all(seconds) {}

    double all = 0;            // of those that `each` does not have
    std::vector<double> each;  // by the animations' numbers

    // So many seconds later.
    [[nodiscard]] AnimationTimes after(double seconds) const {
        AnimationTimes out = *this;
        out.all += seconds;
        for (double& time : out.each) time += seconds;
        return out;
    }
    [[nodiscard]] double of(std::size_t animation) const { return animation < each.size() ? each[animation] : all; }
    bool operator==(const AnimationTimes&) const = default;
};

// Channels that move a node by its transform: not those of another animation's property, or of a node that has a
// matrix, which glTF does not let move. In the order of `animations`.
struct PlayedChannel {
    std::size_t animation = 0;
    const AnimationChannel* channel = nullptr;
};
[[nodiscard]] std::vector<PlayedChannel> played_channels(const Scene& scene, std::span<const std::size_t> animations);

// Channels that play the weights of a node's morph targets, one for a node at most. In the order of `animations`.
[[nodiscard]] std::vector<PlayedChannel> played_weights(const Scene& scene, std::span<const std::size_t> animations);

// Channels that play nodes' visibility, one for a node at most; and those that play materials, and lights. In the order
// of `animations`.
[[nodiscard]] std::vector<PlayedChannel> played_visibility(const Scene& scene, std::span<const std::size_t> animations);
[[nodiscard]] std::vector<PlayedChannel> played_materials(const Scene& scene, std::span<const std::size_t> animations);
[[nodiscard]] std::vector<PlayedChannel> played_lights(const Scene& scene, std::span<const std::size_t> animations);

// The value of a channel but of weights: as many numbers as path_components() says, then zeros. A rotation's, x, y, z,
// w, is of unit length. Before its first
// key it is that key's, after its last that one's. Where keys share a time the last of them counts.
[[nodiscard]] glm::vec4 sample(const AnimationChannel& channel, float time);

// The weights of a channel of weights, one for each morph target; of its keys as sample() says.
[[nodiscard]] std::vector<float> sample_weights(const AnimationChannel& channel, float time);

// The weights of a node's morph targets at these times of the animations: a channel's, else those of the scene.
[[nodiscard]] std::vector<float> morph_weights(const Scene& scene, std::size_t node,
                                               std::span<const std::size_t> animations, const AnimationTimes& times);

// Puts the nodes into the pose of these times: joints too, and so what they deform, the weights of morph targets, and
// whether they are visible.
void pose_nodes(std::vector<Node>& nodes, const Scene& scene, std::span<const std::size_t> animations,
                const AnimationTimes& times);

// Gives the materials what they have at these times.
void pose_materials(std::vector<Material>& materials, const Scene& scene, std::span<const std::size_t> animations,
                    const AnimationTimes& times);

// The world transform of one node while animations play: what a time costs follows from the nodes that it hangs on, and
// their channels, alone. The bits are those of world_transforms() after pose_nodes(). The scene must live as long.
class MovingNode {
  public:
    MovingNode(const Scene& scene, std::span<const std::size_t> animations, std::size_t node);

    // False: it stands still at every time.
    [[nodiscard]] bool moves() const { return !channels_.empty(); }
    [[nodiscard]] glm::mat4 world(const AnimationTimes& times) const;

  private:
    struct Channel {
        PlayedChannel played;
        double length = 0;     // of its animation
        std::size_t link = 0;  // that it drives
    };
    std::vector<Node> chain_;  // as the file has them, from the root to the node
    std::vector<Channel> channels_;
};

// Whether the node, or one that it hangs on, has a channel. One for each node.
[[nodiscard]] std::vector<char> moved_nodes(const Scene& scene, std::span<const PlayedChannel> channels);

// What places and cameras of a scene need, in the pose of these times: its nodes, mesh groups, materials, variants,
// skins and cameras, over the same geometry. No images, no animations; instances have the numbers of the scene's.
[[nodiscard]] EncodedScene posed_placement(const EncodedScene& scene, std::span<const std::size_t> animations,
                                           const AnimationTimes& times);

}  // namespace sublet::scene
