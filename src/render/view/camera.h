// Views: from a camera pose to matrices and culling planes. Reversed Z (near plane at depth 1), infinite far plane at
// depth 0, Vulkan's clip space (y down).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <optional>
#include <string>
#include <vector>

#include "render/settings/settings.h"
#include "scene/container.h"

namespace sublet::render {

// What chooses the levels of detail of a view that is drawn for another one, as a shadow is for a camera: the error
// that is seen from there (FrameData::cut_eye).
struct LevelsSeenFrom {
    glm::vec3 eye{0.0F};
    bool orthographic = false;
    float scale = 0.0F;  // level_scale() of that view
    float slack = 0.0F;  // units by which the eye may be elsewhere
    float least = 0.0F;  // units: nothing counts as nearer

    friend bool operator==(const LevelsSeenFrom&, const LevelsSeenFrom&) = default;
};

struct View {
    glm::mat4 view{1.0F};        // world to view, right-handed, looking along -z
    glm::mat4 projection{1.0F};  // view to clip
    glm::mat4 view_projection{1.0F};
    glm::vec3 eye{0.0F};
    glm::vec3 forward{0.0F, 0.0F, -1.0F};
    bool orthographic = false;
    float near_plane = 0.1F;
    glm::vec2 shift{0.0F};       // of the picture, in normalised device coordinates, y down
    std::uint32_t averaged = 0;  // frames that the picture is the average of, this one included; 0: this one alone
    bool repeated = false;       // all of them were drawn before: this one adds nothing to the average
    // Left, right, bottom, top, near in world space: inside where dot(xyz, p) + w >= 0; xyz of unit length.
    std::array<glm::vec4, 5> planes{};
    std::optional<LevelsSeenFrom> levels = {};  // none: by this view itself
    bool light_passes = false;                  // what lets light through, transmissive surfaces, is left out

    friend bool operator==(const View&, const View&) = default;
};

// FrameData::cut_scale: pixels, of a window of this height, that a length of 1 across the line of sight takes at a
// distance of 1 (of an orthographic view, at any), in the corner of the view, where most; over `pixels`, those that may
// be wrong.
[[nodiscard]] float level_scale(const View& view, std::uint32_t height, float pixels);

// `pose` seen through a viewport of this aspect ratio (width / height), in perspective unless the projection is
// kOrthographic: such a view shows, at the target, what the perspective one would. Throws Error on a degenerate pose
// (eye = target, a fov outside (0, 180), a near plane that is not positive). `shift`: View::shift.
[[nodiscard]] View make_view(const CameraPose& pose, float near_plane, Projection projection, float aspect,
                             const glm::vec2& shift = {0.0F, 0.0F});

// A view whose picture is shifted by so much more.
[[nodiscard]] View shifted(const View& view, const glm::vec2& by);

// An orthographic view along -`axes[2]`, with axes[0] to the right and axes[1] up, of a square of 2 * `half` units
// around `centre`. Depth is 1 at `toward` units before the centre, where its near plane is, and reaches 0 at `beyond`
// units behind it. Axes are of unit length, at right angles.
[[nodiscard]] View make_square_view(const std::array<glm::dvec3, 3>& axes, const glm::dvec3& centre, double half,
                                    double toward, double beyond);

// Axes for the two kinds of views here that look away from where `towards` (not 0) points: to the right, up, and
// `towards` itself.
[[nodiscard]] std::array<glm::dvec3, 3> square_axes(const glm::vec3& towards);

// A perspective view from `eye` along -`axes[2]`, with axes[0] to the right and axes[1] up, of a square that is
// 2 * `tangent` wide at a distance of 1.
[[nodiscard]] View make_pyramid_view(const std::array<glm::dvec3, 3>& axes, const glm::vec3& eye, double tangent,
                                     float near_plane);

// Where pixels look: rays[0] * x + rays[1] * y + rays[2] at (x, y) in normalised device coordinates, y down.
[[nodiscard]] std::array<glm::vec3, 3> pixel_rays(const View& view);

// Where the surface lies that a pixel sees: FrameData::across.
[[nodiscard]] std::array<glm::vec4, 2> pixel_places(const View& view);

// How far along the line of sight a surface of this depth lies; nothing for depth 0, where there is none. In
// perspective it is near / depth.
[[nodiscard]] std::optional<float> surface_distance(const View& view, float depth);
// Where in the world it lies; `at` is its place in the picture, from 0 to 1, to the right and down.
[[nodiscard]] std::optional<glm::vec3> surface_point(const View& view, const glm::vec2& at, float depth);

struct Box {
    glm::vec3 low{0.0F};
    glm::vec3 high{0.0F};

    [[nodiscard]] glm::vec3 centre() const { return 0.5F * (low + high); }
};
// World-space bounding box of the scene, grid included.
[[nodiscard]] Box scene_box(const scene::EncodedScene& scene, const scene::Grid& grid);
// World-space bounding sphere of the scene (centre, radius), grid included.
[[nodiscard]] glm::vec4 scene_bounds(const scene::EncodedScene& scene, const scene::Grid& grid);

// The pose that `settings.camera` names, else the scene's first camera (unless a grid is asked for), else one that
// frames the bounds; with the near plane and the projection that go with it: `settings` name them, or the camera does.
struct DefaultView {
    CameraPose pose;
    float near_plane = 0.1F;
    Projection projection = Projection::kPerspective;
    bool framed = false;  // neither settings nor scene named a camera: it looks at the bounds from outside
    std::optional<std::size_t> node = {};  // of the scene's camera that this is
};
[[nodiscard]] DefaultView default_view(const scene::EncodedScene& scene, const scene::Grid& grid,
                                       const FrameSettings& settings, float aspect);

// What a camera shows that is at a node; nothing where that has no direction. `bounds`: the scene's (scene_bounds()),
// for what the camera does not say: its target's distance and a near plane.
[[nodiscard]] std::optional<DefaultView> camera_view(const scene::Camera& camera, const glm::mat4& world,
                                                     const glm::vec4& bounds);

// The cameras of the scene's nodes, in their order, but for those that show nothing. One without a name has its node's,
// else a number.
struct SceneCamera {
    std::string name;
    DefaultView view;
};
[[nodiscard]] std::vector<SceneCamera> scene_cameras(const scene::EncodedScene& scene);

}  // namespace sublet::render
