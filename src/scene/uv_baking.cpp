#include "scene/uv_baking.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "scene/material_fields.h"

namespace sublet::scene {
namespace {

constexpr float kLeastScale = 4.0F;
constexpr float kLow = -1.0F;  // of coordinates that have been changed: a grid for them is as fine as for [0, 1]
constexpr float kHigh = 2.0F;
constexpr int kMostRounds = 16;  // of materials that meshes share, each with others

struct Placement {
    glm::vec2 offset{0.0F};
    glm::vec2 scale{1.0F};

    bool operator==(const Placement&) const = default;
};

using Coordinates = std::vector<std::array<float, 2>>;

// Of all textures of the material that read the set, if it is one that may be applied.
std::optional<Placement> placement_of(const Material& material, int set) {
    std::optional<Placement> found;
    bool agreed = true;
    for_each_texture(
        [&](const TextureRef& reference, auto... /*how it is used*/) {
            if (reference.texture < 0 || reference.uv_set != set) return;
            const Placement placement{reference.offset, reference.scale};
            agreed = agreed && reference.rotation == 0.0F && (!found || *found == placement);
            found = placement;
        },
        material);
    if (!found || !agreed) return std::nullopt;
    const auto [least, greatest] = std::minmax({found->scale.x, found->scale.y});
    return least > 0.0F && greatest > kLeastScale ? found : std::nullopt;
}

glm::vec2 placed(const Placement& placement, const std::array<float, 2>& uv) {
    return placement.offset + placement.scale * glm::vec2(uv[0], uv[1]);
}

bool stays_near(const Placement& placement, const Coordinates& coordinates) {
    return std::ranges::all_of(coordinates, [&](const std::array<float, 2>& uv) {
        const glm::vec2 at = placed(placement, uv);
        return std::min(at.x, at.y) >= kLow && std::max(at.x, at.y) <= kHigh;
    });
}

class Baker {
  public:
    Baker(ImportedScene& scene, int set) : scene_(scene), set_(set) {
        for (const Material& material : scene.scene.materials) placements_.push_back(placement_of(material, set));
        for (const Animation& animation : scene.scene.animations) {
            for (const AnimationChannel& channel : animation.channels) {
                if (is_of_texture(channel.path)) placements_[static_cast<std::size_t>(channel.material)].reset();
            }
        }
        for (SourceMeshGroup& group : scene.groups) {
            for (SourceMesh& mesh : group.meshes) {
                if (coordinates(mesh).empty()) {
                    leave(mesh);  // reads one texel, which the transform names
                } else {
                    meshes_.push_back(&mesh);
                }
            }
        }
    }

    void bake() {
        leave_unused();
        for (SourceMesh* mesh : meshes_) {
            const std::optional<Placement>& placement = placements_[mesh->material];
            if (!placement || !stays_near(*placement, coordinates(*mesh))) leave(*mesh);
        }
        int rounds = 0;
        while (leave_disagreeing()) {
            if (++rounds == kMostRounds) return;
        }
        for (SourceMesh* mesh : meshes_) {
            const std::optional<Placement>& placement = placements_[mesh->material];
            if (!placement) continue;
            for (std::array<float, 2>& uv : coordinates(*mesh)) {
                const glm::vec2 at = placed(*placement, uv);
                uv = {at.x, at.y};
            }
        }
        for (std::size_t i = 0; i < placements_.size(); ++i) {
            if (!placements_[i]) continue;
            for_each_texture(
                [&](TextureRef& reference, auto... /*how it is used*/) {
                    if (reference.uv_set != set_) return;
                    reference.offset = {};
                    reference.scale = glm::vec2(1.0F);
                },
                scene_.scene.materials[i]);
        }
    }

  private:
    [[nodiscard]] Coordinates& coordinates(SourceMesh& mesh) const { return set_ == 0 ? mesh.uv0 : mesh.uv1; }

    // Its materials, and so all other meshes that have them, stay as they are.
    void leave(const SourceMesh& mesh) {
        placements_[mesh.material].reset();
        for (const VariantMaterial& other : mesh.variants) placements_[other.material].reset();
    }

    // Materials without a mesh whose coordinates could hold what they say.
    void leave_unused() {
        std::vector<char> used(placements_.size(), 0);
        for (const SourceMesh* mesh : meshes_) {
            used[mesh->material] = 1;
            for (const VariantMaterial& other : mesh->variants) used[other.material] = 1;
        }
        for (std::size_t i = 0; i < used.size(); ++i) {
            if (used[i] == 0) placements_[i].reset();
        }
    }

    // Whether there was one whose materials do not agree.
    bool leave_disagreeing() {
        bool found = false;
        for (const SourceMesh* mesh : meshes_) {
            const std::optional<Placement>& own = placements_[mesh->material];
            const bool some = own || std::ranges::any_of(mesh->variants,
                                                         [&](const auto& v) { return bool{placements_[v.material]}; });
            const bool all =
                std::ranges::all_of(mesh->variants, [&](const auto& v) { return placements_[v.material] == own; });
            if (!some || (own && all)) continue;
            leave(*mesh);
            found = true;
        }
        return found;
    }

    ImportedScene& scene_;
    int set_;
    std::vector<std::optional<Placement>> placements_;  // by material, where they are to be applied
    std::vector<SourceMesh*> meshes_;                   // that have the set
};

}  // namespace

void bake_enlarging_transforms(ImportedScene& scene) {
    for (int set = 0; set < 2; ++set) Baker(scene, set).bake();
}

bool has_enlarging_transforms(const Scene& scene) {
    return std::ranges::any_of(scene.materials,
                               [](const Material& m) { return placement_of(m, 0) || placement_of(m, 1); });
}

}  // namespace sublet::scene
