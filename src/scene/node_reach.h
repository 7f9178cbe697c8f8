// How far animations carry what hangs on a node.
#pragma once

#include <cstddef>
#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <span>
#include <vector>

#include "scene/animation.h"
#include "scene/scene.h"

namespace sublet::scene {

// What a component of a channel goes through lies between these: its keys, or the control points of its splines.
struct ValueSpan {
    float low = 0.0F, high = 0.0F;
};
// `components`: numbers of a key's value. The channel has keys.
[[nodiscard]] ValueSpan value_span(const AnimationChannel& channel, std::size_t component, std::size_t components);

// Bounds that hold at every time, whatever each of the animations is at. The scene must live as long.
class NodeReach {
  public:
    NodeReach(const Scene& scene, std::span<const std::size_t> animations);

    // A sphere (centre, radius) around all places in the world that a sphere of the node's space takes, rounding of
    // floats included; of a joint: a sphere that an inverse bind matrix brings there. Its radius is infinite where the
    // place overflows. Linear in the nodes above.
    [[nodiscard]] glm::vec4 of(std::size_t node, const glm::vec4& sphere,
                               const glm::mat4& inverse_bind = glm::mat4(1.0F)) const;

  private:
    // What a node's transform goes through.
    struct Motion {
        glm::dvec3 low{0.0}, high{0.0};    // of its translation
        glm::dvec3 least{1.0}, most{1.0};  // of its scale
        bool turns = false;
    };
    static constexpr std::size_t kStill = ~std::size_t{0};

    const Scene& scene_;
    std::vector<std::size_t> motion_of_;  // of each node, a number in `motions_`; kStill
    std::vector<Motion> motions_;
};

}  // namespace sublet::scene
