// Views: from a camera pose to matrices and culling planes. Reversed Z (near plane at depth 1), infinite far plane at
// depth 0, Vulkan's clip space (y down).
#pragma once

#include <array>
#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include "render/settings/settings.h"
#include "scene/container.h"

namespace sublet::render {

struct View {
    glm::mat4 view{1.0F};        // world to view, right-handed, looking along -z
    glm::mat4 projection{1.0F};  // view to clip
    glm::mat4 view_projection{1.0F};
    glm::vec3 eye{0.0F};
    glm::vec3 forward{0.0F, 0.0F, -1.0F};
    bool orthographic = false;
    float near_plane = 0.1F;
    // Left, right, bottom, top, near in world space: inside where dot(xyz, p) + w >= 0; xyz of unit length.
    std::array<glm::vec4, 5> planes{};
};

// `pose` seen through a viewport of this aspect ratio (width / height), in perspective unless the projection is
// kOrthographic: such a view shows, at the target, what the perspective one would. Throws Error on a degenerate pose
// (eye = target, a fov outside (0, 180), a near plane that is not positive).
[[nodiscard]] View make_view(const CameraPose& pose, float near_plane, Projection projection, float aspect);

// World-space bounding sphere of the scene (centre, radius), grid included.
[[nodiscard]] glm::vec4 scene_bounds(const scene::EncodedScene& scene, const scene::Grid& grid);

// The pose that `settings.camera` names, else the scene's first camera (unless a grid is asked for), else one that
// frames the bounds; with the near plane and the projection that go with it: `settings` name them, or the camera does.
struct DefaultView {
    CameraPose pose;
    float near_plane = 0.1F;
    Projection projection = Projection::kPerspective;
};
[[nodiscard]] DefaultView default_view(const scene::EncodedScene& scene, const scene::Grid& grid,
                                       const FrameSettings& settings, float aspect);

}  // namespace sublet::render
