// What is known of a triangle that a pixel shows: `render --pick`, and the viewer's panel.
#pragma once

#include <array>
#include <cstdint>
#include <glm/vec3.hpp>
#include <optional>
#include <string>

#include "app/output.h"
#include "render/settings/settings.h"
#include "render/view/inspection.h"
#include "scene/animation.h"
#include "scene/container.h"

namespace sublet::app {

// A bound, in the space of its mesh and in the world. Of what deforms: of the bind pose, and around the vertices as
// they are in the world.
struct PickedBound {
    glm::vec3 center{0.0F}, world_center{0.0F};
    float radius = 0.0F, world_radius = 0.0F;
    // Of normals; nothing where there is none, or it can't cull.
    struct Cone {
        glm::vec3 axis{0.0F}, world_axis{0.0F};
        float cutoff = 0.0F;
    };
    std::optional<Cone> cone;  // nor of what deforms: no cone holds in every pose
};

// A mesh, a meshlet or a sublet.
struct PickedPart {
    std::uint64_t triangles = 0, vertices = 0;                          // as they are encoded
    std::array<std::uint64_t, shared::kStreamTypes> stream_bytes{};     // payload, by the type of stream
    std::array<std::uint64_t, shared::kMorphAttributes> morph_bytes{};  // likewise, of what morph targets add
    std::uint64_t header_bytes = 0, bounds_bytes = 0;                   // a meshlet's with those of its sublets
    std::uint64_t bytes = 0;                                            // all of these
    PickedBound bound;
};

struct PickReport {
    render::Selection at;               // numbers as ids have them
    std::optional<std::uint32_t> node;  // none: an instance of a grid
    std::uint32_t mesh = 0, material = 0, meshlet = 0;
    std::uint32_t instances = 0;              // of the scene
    std::uint32_t meshlets = 0, sublets = 0;  // of the mesh
    bool deforms = false;
    // Of a mesh with levels of detail: which one it is of, 0 the finest; the group that contains its meshlet; how wrong
    // the level is there, in the world.
    struct Level {
        std::uint32_t level = 0, group = 0;
        float error = 0.0F;
    };
    std::optional<Level> level;
    std::string node_name, mesh_name, material_name;  // empty: it has none
    PickedPart of_mesh, of_meshlet, of_sublet;
    std::array<glm::vec3, 3> corners{};  // of the triangle, in the world
};

// What a probe alone found: nothing where it found nothing.
[[nodiscard]] render::Selection selection_of(const std::optional<render::InspectionResult>& result,
                                             render::SelectionLevel level);

// `at`: its instance, sublet and triangle, at these times of the animations. Nothing where it selects nothing, or the
// scene has no such triangle. Poses the nodes, and of what deforms the vertices of that mesh. Throws Error for an
// animation that the scene does not have.
[[nodiscard]] std::optional<PickReport> describe(const scene::EncodedScene& scene,
                                                 const render::SceneSettings& settings, const render::Selection& at,
                                                 const scene::AnimationTimes& times = {});
// Moves the corners and bounds of what describe() told to where they are at these times. The same scene and settings.
void place_again(PickReport& report, const scene::EncodedScene& scene, const render::SceneSettings& settings,
                 const scene::AnimationTimes& times);
[[nodiscard]] Json pick_json(const PickReport& report);

}  // namespace sublet::app
