// The punctual lights of a scene, as shading reads them (shaders/shared/lights.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <glm/vec4.hpp>
#include <span>
#include <vector>

#include "gpu/resources.h"
#include "render/scene/casting_lights.h"
#include "render/scene/scene_animation.h"
#include "render/settings/settings.h"
#include "scene/animation.h"
#include "scene/scene.h"
#include "shaders/shared/lights.h"

namespace sublet::render {

struct LightsData {
    std::vector<shared::PunctualLight> lights;  // those that reach everywhere come first
    std::uint32_t everywhere = 0;               // of them
    std::vector<std::uint32_t> nodes;           // that they hang on; those that follow hang on none
    // Those that may cast shadows: those that stand still; and those that move, as the file places them, with what
    // moves each.
    std::vector<CastingLight> still, moving;
    std::vector<scene::MovingNode> movers;
};

// The same on the device. Without lights there is no buffer.
struct SceneLights {
    gpu::Buffer lights;
    CastingLights casting;
    std::vector<scene::MovingNode> movers;  // of those of them that move
    std::uint32_t count = 0, everywhere = 0;
    std::vector<std::uint32_t> nodes;  // LightsData
    std::vector<std::uint32_t> dark;   // those that are hidden, which shine nowhere
    std::uint64_t bytes = 0;

    // Lights of these nodes, one for each of the scene, other than 0, are hidden from now on. Linear in the lights.
    void set_hidden(const std::vector<char>& hidden);
    // `casting`, at these times.
    [[nodiscard]] const CastingLights& casting_at(const scene::AnimationTimes& times);
};

// Which nodes have a light that shines: visible ones, or such as an animation may show. One for each.
[[nodiscard]] std::vector<char> shining_nodes(const scene::Scene& scene);

// The lights of the scene's nodes, none of a grid; behind them those that SceneSettings::lights_scatter asks for,
// within the spheres of instances (of these, or of `bounds` where a sphere has no end). Adds what drives them to
// `animation`, after all other channels. The scene must live as long as the movers.
[[nodiscard]] LightsData gather_lights(const scene::Scene& scene, const SceneSettings& settings,
                                       std::span<const glm::vec4> instance_spheres, const glm::vec4& bounds,
                                       AnimationData& animation);

}  // namespace sublet::render
