// The point and spot lights of a scene, for those who choose which of them have shadow maps. Neighbours lie in blocks:
// a choice looks at few of many.
#pragma once

#include <cstddef>
#include <cstdint>
#include <glm/vec3.hpp>
#include <span>
#include <vector>

namespace sublet::render {

struct CastingLight {
    std::uint32_t number = 0;  // of the scene's lights
    glm::vec3 position{0.0F};
    float range = 0.0F;  // 0: it has no end, or none that stays
    glm::vec3 direction{0.0F, 0.0F, -1.0F};
    float cone = -1.0F;  // of a spot, the cosine of its outer angle; less than 0: it shines all around
    bool dark = false;   // it is hidden
};

class CastingLights {
  public:
    // Lights that lie side by side in all().
    struct Block {
        std::size_t first = 0, count = 0;
        glm::vec3 centre{0.0F};
        float radius = 0.0F;  // within which they are
        float range = 0.0F;   // the largest of theirs; infinite where one has no end
    };

    CastingLights() = default;
    // Those that move have blocks of their own.
    CastingLights(std::vector<CastingLight> still, const std::vector<CastingLight>& moving);

    [[nodiscard]] bool empty() const { return lights_.empty(); }
    [[nodiscard]] const CastingLight& operator[](std::size_t i) const { return lights_[i]; }
    [[nodiscard]] const std::vector<Block>& blocks() const { return blocks_; }
    // `dark`: one for each of the scene's lights.
    void darken(const std::vector<char>& dark);
    // One of those that move, by its place among them.
    void move(std::size_t moving, const glm::vec3& position, const glm::vec3& direction);

  private:
    std::vector<CastingLight> lights_;  // those that move come first
    std::vector<Block> blocks_;
};

}  // namespace sublet::render
