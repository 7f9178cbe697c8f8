#include "render/scene/movers.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <map>
#include <set>
#include <span>

#include "render/scene/scene_size.h"
#include "scene/animation.h"
#include "scene/node_reach.h"

namespace sublet::render {
namespace {

glm::vec4 everywhere() {
    return {0.0F, 0.0F, 0.0F, std::numeric_limits<float>::infinity()};
}

glm::vec4 around(std::span<const glm::vec4> spheres) {
    const bool endless = std::ranges::any_of(spheres, [](const glm::vec4& sphere) { return !std::isfinite(sphere.w); });
    return endless ? everywhere() : sphere_around(spheres);
}

class Finder {
  public:
    Finder(const GpuScene& placed, const scene::EncodedScene& encoded, const SceneSettings& settings,
           const std::map<std::uint32_t, JointBoxes>& boxes)
        : placed_(placed),
          scene_(encoded.scene),
          boxes_(boxes),
          animations_(scene::chosen_animations(encoded.scene, settings.animation)),
          reach_(encoded.scene, animations_),
          weights_(scene::played_weights(encoded.scene, animations_)) {}

    [[nodiscard]] glm::vec4 of(std::uint32_t instance) const {
        const std::uint32_t node = placed_.instance_nodes[instance];
        const std::uint32_t mesh = placed_.instance_data[instance].mesh;
        const auto deforms = boxes_.find(mesh);
        if (deforms == boxes_.end()) {
            const shared::vec4& sphere = placed_.mesh_headers[mesh].sphere;
            return reach_.of(node, {sphere.x, sphere.y, sphere.z, sphere.w});
        }
        const float morphed = morph_reach(node, deforms->second.morph_reach);
        const int number = scene_.nodes[node].skin;
        std::vector<glm::vec4> parts;
        for (const shared::JointBox& box : deforms->second.boxes) {
            const glm::vec3 half(box.half_size[0], box.half_size[1], box.half_size[2]);
            const glm::vec4 sphere(box.center[0], box.center[1], box.center[2], glm::length(half) + morphed);
            if (number < 0) {
                parts.push_back(reach_.of(node, sphere));
                continue;
            }
            // Vertices are blended from the places to which joints carry them.
            const scene::Skin& skin = scene_.skins[static_cast<std::size_t>(number)];
            parts.push_back(
                reach_.of(static_cast<std::size_t>(skin.joints[box.joint]), sphere, skin.inverse_bind[box.joint]));
        }
        return around(parts);
    }

  private:
    // The most by which morph targets move a vertex. `each`: likewise, of each of them with a weight of 1.
    [[nodiscard]] float morph_reach(std::uint32_t node, const std::vector<shared::vec4>& each) const {
        const auto played = std::ranges::find(weights_, static_cast<int>(node),
                                              [](const scene::PlayedChannel& of) { return of.channel->node; });
        const std::vector<float>& still = scene::morph_weights(scene_, scene_.nodes[node]);
        float sum = 0.0F;
        for (std::size_t target = 0; target < each.size(); ++target) {
            float most = target < still.size() ? std::abs(still[target]) : 0.0F;
            if (played != weights_.end()) {
                const scene::ValueSpan span = scene::value_span(*played->channel, target, each.size());
                most = std::max(std::abs(span.low), std::abs(span.high));
            }
            sum += most * glm::length(glm::vec3(each[target].x, each[target].y, each[target].z));
        }
        return sum;
    }

    const GpuScene& placed_;
    const scene::Scene& scene_;
    const std::map<std::uint32_t, JointBoxes>& boxes_;
    std::vector<std::size_t> animations_;
    scene::NodeReach reach_;
    std::vector<scene::PlayedChannel> weights_;
};

// Masks of materials that are played.
void add_played_masks(const GpuScene& placed, const AnimationData& animation, std::vector<std::uint32_t>& out) {
    std::set<int> played;
    for (const scene::PlayedChannel& channel : animation.played_materials) played.insert(channel.channel->material);
    if (played.empty()) return;
    for (std::uint32_t i = 0; i < placed.instance_count; ++i) {
        const std::uint32_t flags = placed.instance_data[i].flags;
        if ((flags & shared::kInstanceClassMask) < shared::kClassMasked) continue;
        if (played.contains(static_cast<int>(flags >> shared::kInstanceMaterialShift))) out.push_back(i);
    }
}

std::vector<glm::vec4> shared_spheres(const std::vector<glm::vec4>& spheres) {
    if (spheres.size() <= kMostMovers) return spheres;
    std::vector<glm::vec4> out;
    for (std::size_t i = 0; i < kMostMovers; ++i) {
        const std::size_t first = spheres.size() * i / kMostMovers;
        const std::size_t end = spheres.size() * (i + 1) / kMostMovers;
        out.push_back(around(std::span(spheres).subspan(first, end - first)));
    }
    return out;
}

}  // namespace

std::vector<glm::vec4> find_movers(const GpuScene& placed, const scene::EncodedScene& scene,
                                   const SceneSettings& settings, const AnimationData& animation,
                                   const DeformLayout& deform) {
    if (!animation.plays() && !animation.poses_move) return {};
    if (!settings.grid.empty()) return {everywhere()};  // its instances have no nodes
    std::vector<std::uint32_t> instances;
    for (const shared::MovedInstance& one : animation.moved) instances.push_back(one.instance);
    for (const shared::MovedInstance& one : animation.shown) instances.push_back(one.instance);
    if (animation.poses_move) {
        instances.insert(instances.end(), deform.instances.begin(), deform.instances.end());
    }
    add_played_masks(placed, animation, instances);
    std::ranges::sort(instances);
    instances.erase(std::unique(instances.begin(), instances.end()), instances.end());
    const Finder finder(placed, scene, settings, deform.boxes);
    std::vector<glm::vec4> out;
    out.reserve(instances.size());
    for (const std::uint32_t instance : instances) out.push_back(finder.of(instance));
    return shared_spheres(out);
}

}  // namespace sublet::render
