#include "app/blank_picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>
#include <vector>

#include "app/placed_scene.h"
#include "base/error.h"
#include "mesh/mesh.h"
#include "render/scene/gpu_scene.h"
#include "scene/deform.h"
#include "scene/hidden_nodes.h"

namespace sublet::app {

namespace {

constexpr std::uint64_t kMostTriangles = 1U << 20U;
constexpr int kMostCentres = 64;  // of pixels that a small triangle is tested against

using Corners = std::array<glm::vec3, 3>;  // in the world

struct Viewport {
    const render::View& view;
    glm::vec2 size;
};

bool is_outside(const glm::vec4& plane, const glm::vec3& point, float radius = 0.0F) {
    return glm::dot(glm::vec3(plane), point) + plane.w < -radius;
}

template <typename Outside>
bool beyond_a_plane(const render::View& view, const Outside& outside) {
    return std::ranges::any_of(view.planes, outside);
}

// `winding`: 1, or -1 where the transform mirrors.
bool faces_away(const Corners& p, const render::View& view, float winding) {
    const glm::vec3 normal = glm::cross(p[1] - p[0], p[2] - p[0]);
    const glm::vec3 to_eye = view.orthographic ? -view.forward : view.eye - p[0];
    return winding * glm::dot(normal, to_eye) <= 0.0F;
}

// Whether the middle of no pixel lies within it. One that reaches behind the eye is taken to be large.
bool covers_no_centre(const Corners& p, const Viewport& port) {
    std::array<glm::vec2, 3> at;
    for (std::size_t i = 0; i < at.size(); ++i) {
        const glm::vec4 clip = port.view.view_projection * glm::vec4(p[i], 1.0F);
        if (!(clip.w > 0.0F)) return false;
        at[i] = (glm::vec2(clip) / clip.w * 0.5F + 0.5F) * port.size - 0.5F;  // centres have whole numbers
        if (!std::isfinite(at[i].x) || !std::isfinite(at[i].y)) return false;
    }
    const glm::vec2 low = glm::ceil(glm::max(glm::min(at[0], glm::min(at[1], at[2])), glm::vec2(0.0F)));
    const glm::vec2 high = glm::floor(glm::min(glm::max(at[0], glm::max(at[1], at[2])), port.size - 1.0F));
    if (low.x > high.x || low.y > high.y) return true;
    if ((high.x - low.x + 1.0F) * (high.y - low.y + 1.0F) > kMostCentres) return false;
    const auto side = [](const glm::vec2& a, const glm::vec2& b, const glm::vec2& c) {
        return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    };
    for (float y = low.y; y <= high.y; ++y) {
        for (float x = low.x; x <= high.x; ++x) {
            const glm::vec2 centre(x, y);
            const float a = side(at[0], at[1], centre);
            const float b = side(at[1], at[2], centre);
            const float c = side(at[2], at[0], centre);
            if ((a > 0.0F && b > 0.0F && c > 0.0F) || (a < 0.0F && b < 0.0F && c < 0.0F)) return false;
        }
    }
    return true;
}

// What became of the triangles that were looked at.
class Tally {
  public:
    explicit Tally(const Viewport& port) : port_(port) {}

    // False: the mesh, which has instances within the view, is more than is looked at.
    bool add_instance(const scene::EncodedScene& scene, const scene::Instance& instance,
                      std::span<const glm::mat4> world) {
        const mesh::MeshView mesh = mesh::mesh_view(scene.geometry, instance.mesh);
        const bool deformed = scene::is_deformed(scene, instance);
        if (!deformed) {
            const glm::vec3 centre(mesh.header->sphere.x, mesh.header->sphere.y, mesh.header->sphere.z);
            const glm::vec3 at(instance.transform * glm::vec4(centre, 1.0F));
            const float radius = mesh.header->sphere.w * render::make_instance(instance, {}).scale;
            if (beyond_a_plane(port_.view, [&](const glm::vec4& plane) { return is_outside(plane, at, radius); })) {
                return true;
            }
        }
        if (mesh.header->triangle_count > left_) return false;
        left_ -= mesh.header->triangle_count;
        try {
            scene.check(instance.mesh);
        } catch (const Error&) {  // nobody can tell
            return false;
        }
        const bool double_sided = scene.scene.materials[instance.material].double_sided;
        // Of what deforms nobody knows it: what is large enough and yet not drawn is taken to face away.
        const float winding = deformed ? 0.0F : glm::determinant(glm::mat3(instance.transform)) < 0 ? -1.0F : 1.0F;
        for (std::uint32_t s = 0; s < mesh.header->sublet_count && !seen_; ++s) {
            const mesh::DecodedSublet sublet = mesh::decode_sublet(mesh, s);
            std::vector<glm::vec3> vertices;
            if (deformed) vertices = scene::posed_vertices(scene, instance, world, s);
            for (std::uint32_t v = 0; v < sublet.vertex_count && !deformed; ++v) {
                const auto p = mesh::dequantize_position(*mesh.header, sublet.positions[v]);
                vertices.emplace_back(instance.transform * glm::vec4(p[0], p[1], p[2], 1.0F));
            }
            for (std::uint32_t t = 0; t < sublet.triangle_count; ++t) {
                const auto& [a, b, c] = sublet.triangles[t];
                add({vertices[a], vertices[b], vertices[c]}, !double_sided, winding);
            }
        }
        return true;
    }

    [[nodiscard]] std::optional<BlankReason> reason() const {
        if (seen_) return std::nullopt;
        if (away_ && small_) return BlankReason::kAwayOrSmall;
        if (away_) return BlankReason::kAway;
        return small_ ? BlankReason::kSmall : BlankReason::kOutside;
    }

  private:
    void add(const Corners& p, bool one_sided, float winding) {
        const auto all_outside = [&](const glm::vec4& plane) {
            return std::ranges::all_of(p, [&](const glm::vec3& corner) { return is_outside(plane, corner); });
        };
        if (beyond_a_plane(port_.view, all_outside)) return;
        // Small ones that face away would not be seen from nearer by either.
        const bool known = winding != 0.0F;
        if (one_sided && known && faces_away(p, port_.view, winding)) {
            away_ = true;
        } else if (covers_no_centre(p, port_)) {
            small_ = true;
        } else if (one_sided && !known) {
            away_ = true;
        } else {
            seen_ = true;
        }
    }

    const Viewport& port_;
    std::uint64_t left_ = kMostTriangles;
    bool away_ = false, small_ = false;
    bool seen_ = false;  // one has no reason
};

// Whether a node has some, visible or not.
bool has_triangles(const scene::Scene& scene, const mesh::GeometryView& geometry) {
    return std::ranges::any_of(scene.nodes, [&](const scene::Node& node) {
        if (node.mesh_group < 0) return false;
        const scene::MeshGroup& group = scene.mesh_groups[static_cast<std::size_t>(node.mesh_group)];
        const auto meshes = geometry.meshes.subspan(group.first_mesh, group.mesh_count);
        return std::ranges::any_of(meshes, [](const auto& mesh) { return mesh.sublet_count != 0; });
    });
}

}  // namespace

std::optional<BlankReason> why_blank(const scene::EncodedScene& scene, const render::SceneSettings& settings,
                                     const scene::AnimationTimes& times, const render::View& view,
                                     const glm::uvec2& size) {
    const auto placed = placed_scene(scene, settings, times);
    const bool grid = !settings.grid.empty();
    const std::vector<char> hidden =
        grid ? std::vector<char>() : scene::hidden_nodes(scene.scene, settings.hide, settings.isolate);
    const std::vector<glm::mat4> world = scene::world_transforms(placed->scene);
    const Viewport port{view, glm::vec2(size)};
    Tally tally(port);
    bool any = false, any_visible = false, any_shown = false;
    for (const scene::Instance& instance : scene::instances(*placed, settings.grid, settings.variant)) {
        if (placed->geometry.meshes[instance.mesh].sublet_count == 0) continue;
        any = true;
        if (!instance.visible) continue;
        any_visible = true;
        if (!grid && hidden[instance.node] != 0) continue;
        any_shown = true;
        if (!tally.add_instance(*placed, instance, world)) return std::nullopt;
        if (!tally.reason()) return std::nullopt;
    }
    // Nodes that are never visible have no instances.
    if (!any) return has_triangles(placed->scene, placed->geometry) ? BlankReason::kInvisible : BlankReason::kNothing;
    if (!any_visible) return BlankReason::kInvisible;
    return any_shown ? tally.reason() : BlankReason::kHidden;
}

std::optional<BlankReason> why_black(const render::FramePlan& plan) {
    constexpr float kLowest = -9.0F;  // that an exposure which follows the light makes up for
    const bool lit = plan.show == render::Show::kShaded || plan.show == render::Show::kCulled;
    const bool sky = plan.environment.kind == render::EnvironmentKind::kSky;
    if (!lit || !sky || !plan.sun.on || plan.sun.elevation >= (plan.ev ? 0.0F : kLowest)) return std::nullopt;
    return BlankReason::kNight;
}

std::string_view blank_text(BlankReason reason) {
    constexpr std::array<std::string_view, static_cast<std::size_t>(BlankReason::kNight) + 1> kTexts{
        "the scene has no triangles",
        "all of the scene is hidden (--hide, --isolate)",
        "the file makes all nodes invisible (KHR_node_visibility)",
        "all of the scene lies outside of the view",
        "what lies within the view faces away, and its materials are not double-sided",
        "what lies within the view is too small to cover the middle of a pixel",
        "what lies within the view faces away, or is too small to cover the middle of a pixel",
        "the sun is below the horizon, and its sky is almost black (--sun, --ev)"};
    return kTexts.at(static_cast<std::size_t>(reason));
}

}  // namespace sublet::app
