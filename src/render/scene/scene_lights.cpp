#include "render/scene/scene_lights.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <glm/geometric.hpp>
#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>
#include <iterator>
#include <map>
#include <numbers>
#include <optional>
#include <string_view>
#include <utility>

#include "shaders/shared/place_light.h"

namespace sublet::render {
namespace {

using scene::AnimationPath;

// Of LightDriver::channels.
std::size_t place_of(AnimationPath path) {
    return static_cast<std::size_t>(path) - static_cast<std::size_t>(AnimationPath::kLightColor);
}

struct LightSource {
    std::size_t node = 0;
    std::size_t light = 0;  // of the file
};

// Nothing where it casts no shadow: what is directional, or black at every time.
std::optional<CastingLight> casting_light(const shared::PunctualLight& light, std::uint32_t number,
                                          bool intensity_plays) {
    const bool black = light.color.x == 0.0F && light.color.y == 0.0F && light.color.z == 0.0F;
    if (light.kind == shared::kLightDirectional || (black && !intensity_plays)) return std::nullopt;
    return CastingLight{.number = number,
                        .position = {light.position.x, light.position.y, light.position.z},
                        .range = light.position.w,
                        .direction = {light.direction.x, light.direction.y, light.direction.z},
                        .cone = light.kind == shared::kLightSpot ? light.direction.w : -1.0F};
}

class LightGatherer {
  public:
    LightGatherer(const scene::Scene& scene, std::string_view animations, AnimationData& animation)
        : scene_(scene), animation_(animation), played_animations_(scene::chosen_animations(scene, animations)) {
        for (const scene::PlayedChannel& played : animation.played_lights) {
            const scene::AnimationChannel& channel = *played.channel;
            played_[{static_cast<std::size_t>(channel.light), place_of(channel.path)}] = &played;
        }
    }

    LightsData gather() {
        std::vector<LightSource> sources;
        const std::vector<char> shining = shining_nodes(scene_);
        const std::vector<char> drawn = scene::drawn_nodes(scene_);
        const auto may_show = [&](std::size_t node) {
            return !animation_.light_chains.empty() && animation_.light_chains[node].shown.link_count != 0;
        };
        for (std::size_t i = 0; i < scene_.nodes.size(); ++i) {
            if (shining[i] != 0 && (drawn[i] != 0 || may_show(i)))
                sources.push_back({i, static_cast<std::size_t>(scene_.nodes[i].light)});
        }
        const auto ranged = std::stable_partition(sources.begin(), sources.end(),
                                                  [&](const LightSource& s) { return everywhere(s.light); });
        LightsData out;
        out.everywhere = static_cast<std::uint32_t>(ranged - sources.begin());
        const std::vector<glm::mat4> world = scene::world_transforms(scene_);
        for (const LightSource& source : sources) {
            const auto number = static_cast<std::uint32_t>(out.lights.size());
            drive(source, number);
            out.nodes.push_back(static_cast<std::uint32_t>(source.node));
            out.lights.push_back(placed(scene_.lights[source.light], world[source.node]));
            cast(out, source, number);
        }
        return out;
    }

  private:
    [[nodiscard]] bool everywhere(std::size_t light) const {
        const scene::Light& of = scene_.lights[light];
        return of.type == scene::LightType::kDirectional ||
               (of.range <= 0.0F && !plays(light, AnimationPath::kLightRange));
    }

    static shared::PunctualLight placed(const scene::Light& light, const glm::mat4& world) {
        return shared::place_light(static_cast<std::uint32_t>(light.type),
                                   {light.color.x, light.color.y, light.color.z, 0.0F}, light.intensity, light.range,
                                   {light.inner_cone, light.outer_cone}, {world[3][0], world[3][1], world[3][2], 0.0F},
                                   {-world[2][0], -world[2][1], -world[2][2], 0.0F});
    }

    [[nodiscard]] bool plays(std::size_t light, AnimationPath path) const {
        return played_.contains({light, place_of(path)});
    }

    void cast(LightsData& out, const LightSource& source, std::uint32_t number) const {
        std::optional<CastingLight> casting =
            casting_light(out.lights[number], number, plays(source.light, AnimationPath::kLightIntensity));
        if (!casting) return;
        // What an animation makes of these is found out on the GPU alone.
        if (plays(source.light, AnimationPath::kLightRange)) casting->range = 0.0F;
        if (plays(source.light, AnimationPath::kLightOuterCone)) casting->cone = -1.0F;
        const bool moves =
            !animation_.light_chains.empty() && animation_.light_chains[source.node].place.link_count != 0;
        if (moves) out.movers.emplace_back(scene_, played_animations_, source.node);
        (moves ? out.moving : out.still).push_back(*casting);
    }

    void drive(const LightSource& source, std::uint32_t number) {
        const scene::Light& light = scene_.lights[source.light];
        shared::LightDriver driver{};
        driver.light = number;
        driver.kind = static_cast<std::uint32_t>(light.type);
        bool played = false;
        if (!animation_.light_chains.empty()) {
            const AnimationData::LightChains& chains = animation_.light_chains[source.node];
            driver.first_link = chains.place.first_link;
            driver.link_count = chains.place.link_count;
            driver.first_shown = chains.shown.first_link;
            driver.shown_count = chains.shown.link_count;
            played = driver.link_count != 0 || driver.shown_count != 0;
        }
        for (std::size_t i = 0; i < std::size(driver.channels); ++i) {
            driver.channels[i] = channel_of(source.light, i);
            played = played || driver.channels[i] != shared::kNotDriven;
        }
        const float still[] = {light.color.x, light.color.y,    light.color.z,   light.intensity,
                               light.range,   light.inner_cone, light.outer_cone};
        std::ranges::copy(still, std::begin(driver.still));
        if (played) animation_.light_drivers.push_back(driver);
    }

    // Several nodes may have one light: its channels are added once.
    std::uint32_t channel_of(std::size_t light, std::size_t place) {
        const auto played = played_.find({light, place});
        if (played == played_.end()) return shared::kNotDriven;
        const auto number = static_cast<std::uint32_t>(animation_.channels.size() + animation_.weight_channels.size() +
                                                       animation_.other_channels.size());
        const auto [known, is_new] = channels_.try_emplace({light, place}, number);
        if (is_new) {
            const scene::PlayedChannel& channel = *played->second;
            animation_.other_channels.push_back(
                add_keys_of(animation_, channel, scene::path_components(channel.channel->path)));
        }
        return known->second;
    }

    using Factor = std::pair<std::size_t, std::size_t>;  // a light of the file, and which of its factors

    const scene::Scene& scene_;
    AnimationData& animation_;
    std::vector<std::size_t> played_animations_;
    std::map<Factor, const scene::PlayedChannel*> played_;
    std::map<Factor, std::uint32_t> channels_;
};

// O'Neill's PCG hash: the same numbers everywhere.
class Random {
  public:
    explicit Random(std::uint32_t seed) : state_(seed * 747796405U + 2891336453U) {}
    // From 0 to less than 1.
    float part() {
        state_ = state_ * 747796405U + 2891336453U;
        const std::uint32_t word = ((state_ >> ((state_ >> 28U) + 4U)) ^ state_) * 277803737U;
        return static_cast<float>((word >> 22U ^ word) >> 8U) * 0x1p-24F;
    }
    glm::vec3 direction() {
        const float z = 2.0F * part() - 1.0F;
        const float turn = 2.0F * std::numbers::pi_v<float> * part();
        const float side = std::sqrt(std::max(1.0F - z * z, 0.0F));
        return {side * std::cos(turn), z, side * std::sin(turn)};
    }

  private:
    std::uint32_t state_;
};

// Within half of this of their middle lies one half of them.
float spread_of(const std::vector<glm::vec3>& points) {
    glm::vec3 middle(0.0F);
    for (const glm::vec3& point : points) middle += point / static_cast<float>(points.size());
    std::vector<float> away;
    away.reserve(points.size());
    for (const glm::vec3& point : points) away.push_back(glm::distance(point, middle));
    const auto half = away.begin() + static_cast<std::ptrdiff_t>(away.size() / 2);
    std::ranges::nth_element(away, half);
    return 2.0F * *half;
}

// Every other one is a spot. Some four reach a place among them.
void scatter(std::vector<shared::PunctualLight>& out, std::uint32_t count, std::uint32_t seed,
             std::span<const glm::vec4> spheres, const glm::vec4& bounds) {
    Random random(seed);
    std::vector<glm::vec3> positions;
    for (std::uint32_t i = 0; i < count; ++i) {
        const auto instance = static_cast<std::size_t>(random.part() * static_cast<float>(spheres.size()));
        const glm::vec4 sphere = spheres.empty() ? bounds : spheres[std::min(instance, spheres.size() - 1)];
        const float radius = std::isfinite(sphere.w) ? sphere.w : bounds.w;
        positions.push_back(glm::vec3(sphere) + random.direction() * (radius * std::cbrt(random.part())));
    }
    const float range = std::max(spread_of(positions), 1e-3F * bounds.w) / std::cbrt(static_cast<float>(count));
    for (std::uint32_t i = 0; i < count; ++i) {
        const glm::vec3 position = positions[i];
        const glm::vec3 direction = random.direction();
        // A hue, half as pale as white.
        const float hue = 3.0F * random.part();
        const auto channel = [&](float at) {
            const float apart = std::abs(hue - at);
            return 0.5F + 0.5F * std::clamp(1.0F - std::min(apart, 3.0F - apart), 0.0F, 1.0F);
        };
        const bool spot = i % 2 == 1;
        const float outer = 0.3F + 0.7F * random.part();
        out.push_back(shared::place_light(
            spot ? shared::kLightSpot : shared::kLightPoint, {channel(0.0F), channel(1.0F), channel(2.0F), 0.0F},
            (spot ? 0.3F : 0.1F) * range * range, range, {0.5F * outer, outer},
            {position.x, position.y, position.z, 0.0F}, {direction.x, direction.y, direction.z, 0.0F}));
    }
}

}  // namespace

void SceneLights::set_hidden(const std::vector<char>& hidden) {
    dark.clear();
    std::vector<char> is_dark(count, 0);
    for (std::uint32_t light = 0; light < nodes.size(); ++light) {
        if (hidden[nodes[light]] == 0) continue;
        dark.push_back(light);
        is_dark[light] = 1;
    }
    casting.darken(is_dark);
}

const CastingLights& SceneLights::casting_at(const scene::AnimationTimes& times) {
    for (std::size_t i = 0; i < movers.size(); ++i) {
        const glm::mat4 world = movers[i].world(times);
        const float length = glm::length(glm::vec3(world[2]));
        casting.move(i, glm::vec3(world[3]), length > 0.0F ? -glm::vec3(world[2]) / length : casting[i].direction);
    }
    return casting;
}

std::vector<char> shining_nodes(const scene::Scene& scene) {
    std::vector<char> out = scene::drawable_nodes(scene);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = out[i] != 0 && scene.nodes[i].light >= 0 ? 1 : 0;
    return out;
}

LightsData gather_lights(const scene::Scene& scene, const SceneSettings& settings,
                         std::span<const glm::vec4> instance_spheres, const glm::vec4& bounds,
                         AnimationData& animation) {
    LightsData out;
    if (settings.grid.empty()) out = LightGatherer(scene, settings.animation, animation).gather();
    if (settings.lights_scatter != 0) {
        const std::size_t first = out.lights.size();
        scatter(out.lights, settings.lights_scatter, settings.seed, instance_spheres, bounds);
        for (std::size_t i = first; i < out.lights.size(); ++i) {
            const auto casting = casting_light(out.lights[i], static_cast<std::uint32_t>(i), false);
            if (casting) out.still.push_back(*casting);
        }
    }
    return out;
}

}  // namespace sublet::render
