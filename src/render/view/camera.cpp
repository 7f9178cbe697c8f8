#include "render/view/camera.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "base/error.h"
#include "scene/deform.h"

namespace sublet::render {

namespace {

// The depth that an orthographic view spans, in distances from eye to target: its depth is linear, so unlike the
// perspective one it cannot reach to infinity. 256 keeps a step of a 24-bit mantissa at 1/65,536 of that distance.
constexpr double kOrthographicRange = 256.0;

// Where the default camera looks from: a little to the right of the front, a little from above.
constexpr glm::vec3 kDefaultDirection{0.55F, 0.4F, 1.0F};

// How much further away than the box needs.
constexpr float kFramingMargin = 1.06F;

// The radius that a scene without any is taken to have.
constexpr float kOfNoSize = 1e-3F;

float radius_of(const glm::vec4& bounds) {
    return bounds.w > 0.0F ? bounds.w : kOfNoSize;
}

// A near plane where none is given. In perspective nearer ones cost precision; the depth of an orthographic view is
// linear, and what lies at the eye belongs into the picture.
float near_of(Projection projection, float radius) {
    if (projection != Projection::kOrthographic) return 1e-3F * radius;
    return std::max(1e-6F * radius, std::min(1e-6F, 1e-3F * radius));
}

// What rounding leaves of no roll. A thousandth of a degree moves the corner of a large picture by less than a tenth
// of a pixel.
constexpr double kNoRoll = 1e-3;

glm::vec3 corner_of(const Box& box, unsigned i) {
    return {(i & 1U) != 0 ? box.high.x : box.low.x, (i & 2U) != 0 ? box.high.y : box.low.y,
            (i & 4U) != 0 ? box.high.z : box.low.z};
}

// A box of a mesh's own space, or of the world, and what places it.
struct PlacedBox {
    Box box;
    glm::mat4 transform{1.0F};
};

// What the drawn geometry lies in: the bounding box of every instance, of those that a skin deforms as they are posed.
std::vector<PlacedBox> placed_boxes(const scene::EncodedScene& scene, const scene::Grid& grid) {
    std::vector<PlacedBox> out;
    if (!grid.empty() && scene.scene.mesh_groups.empty()) return out;
    // Two opposite corners of the grid span the box of all.
    const glm::vec3 reach =
        grid.empty() ? glm::vec3(0.0F) : 0.5F * scene::grid_distance(scene, grid) * (glm::vec3(grid.count) - 1.0F);
    const std::vector<glm::mat4> world = scene::world_transforms(scene.scene);
    // By mesh and skin, and where morph targets move it by its node, which has their weights.
    std::map<std::tuple<std::uint32_t, int, std::uint32_t>, Box> posed;
    for (const scene::Instance& instance : scene::instances(scene, grid.empty() ? grid : scene::Grid{glm::uvec3(1)})) {
        const mesh::MeshHeader& mesh = scene.geometry.meshes[instance.mesh];
        if (mesh.triangle_count == 0 || !instance.visible) continue;
        PlacedBox placed{{glm::vec3(mesh.aabb_min.x, mesh.aabb_min.y, mesh.aabb_min.z),
                          glm::vec3(mesh.aabb_max.x, mesh.aabb_max.y, mesh.aabb_max.z)},
                         instance.transform};
        if (scene::is_deformed(scene, instance)) {
            const std::uint32_t weights = mesh::morphs(mesh) ? instance.node + 1 : 0;
            const auto [found, is_new] = posed.try_emplace({instance.mesh, instance.skin, weights});
            if (is_new) {
                const scene::PosedBounds bounds = scene::posed_bounds(scene, instance, world);
                found->second = {bounds.low, bounds.high};
            }
            placed = {found->second};
        }
        if (grid.empty()) {
            out.push_back(placed);
            continue;
        }
        for (const float side : {-1.0F, 1.0F}) {
            placed.transform[3] = glm::vec4(side * reach, 1.0F);
            out.push_back(placed);
        }
    }
    return out;
}

template <typename Visit>
void for_each_corner(const std::vector<PlacedBox>& boxes, const Visit& visit) {
    for (const PlacedBox& placed : boxes) {
        for (unsigned i = 0; i < 8; ++i) visit(glm::vec3(placed.transform * glm::vec4(corner_of(placed.box, i), 1.0F)));
    }
}

Box box_around(const std::vector<PlacedBox>& boxes) {
    Box box{glm::vec3(std::numeric_limits<float>::max()), glm::vec3(std::numeric_limits<float>::lowest())};
    for_each_corner(boxes, [&box](const glm::vec3& corner) {
        box.low = glm::min(box.low, corner);
        box.high = glm::max(box.high, corner);
    });
    return box.low.x > box.high.x ? Box{} : box;
}

// A camera's own axes.
struct Axes {
    glm::dvec3 right, above, forward;
};

// Upright: the world's +y is up in the picture; where the camera looks up or down along it, +z or -z is.
Axes upright_axes(const glm::dvec3& forward) {
    const bool along_y = std::abs(forward.y) > 0.9999;
    const glm::dvec3 up = along_y ? glm::dvec3(0.0, 0.0, forward.y > 0.0 ? 1.0 : -1.0) : glm::dvec3(0.0, 1.0, 0.0);
    const glm::dvec3 right = glm::normalize(glm::cross(forward, up));
    return {right, glm::cross(right, forward), forward};
}

Axes axes_of(const CameraPose& pose) {
    const Axes upright = upright_axes(glm::normalize(glm::dvec3(pose.target) - glm::dvec3(pose.eye)));
    if (pose.roll_degrees == 0.0F) return upright;
    const double roll = glm::radians(static_cast<double>(pose.roll_degrees));
    return {std::cos(roll) * upright.right + std::sin(roll) * upright.above,
            std::cos(roll) * upright.above - std::sin(roll) * upright.right, upright.forward};
}

// How far the up of a node is turned from the upright pose that looks the same way. 0 where it has none.
float roll_of(const CameraPose& upright, const glm::dvec3& up) {
    const Axes axes = axes_of(upright);
    const double roll = glm::degrees(std::atan2(-glm::dot(up, axes.right), glm::dot(up, axes.above)));
    return std::abs(roll) > kNoRoll ? static_cast<float>(roll) : 0.0F;
}

std::vector<SceneCamera> cameras_of(const scene::Scene& scene, const glm::vec4& bounds) {
    std::vector<SceneCamera> cameras;
    std::vector<glm::mat4> world;
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
        const int camera = scene.nodes[i].camera;
        if (camera < 0 || static_cast<std::size_t>(camera) >= scene.cameras.size()) continue;
        if (world.empty()) world = scene::world_transforms(scene);
        const scene::Camera& source = scene.cameras[static_cast<std::size_t>(camera)];
        const std::optional<DefaultView> view = camera_view(source, world[i], bounds);
        if (!view) continue;
        std::string name = source.name.empty() ? scene.nodes[i].name : source.name;
        if (name.empty()) name = "camera " + std::to_string(cameras.size() + 1);
        cameras.push_back({std::move(name), *view});
        cameras.back().view.node = i;
    }
    return cameras;
}

// The bounding box, seen from kDefaultDirection, as near as lets all of it into the picture.
CameraPose framing_pose(const Box& box, float aspect) {
    CameraPose pose;
    pose.target = box.centre();
    const glm::vec3 backward = glm::normalize(kDefaultDirection);
    const glm::vec3 right = glm::normalize(glm::cross(glm::vec3(0.0F, 1.0F, 0.0F), backward));
    const glm::vec3 up = glm::cross(backward, right);
    const float vertical = std::tan(glm::radians(pose.fov_degrees) * 0.5F);
    const float horizontal = vertical * aspect;
    float distance = 0.0F;
    for (unsigned i = 0; i < 8; ++i) {
        const glm::vec3 corner = corner_of(box, i) - pose.target;
        const float slope =
            std::max(std::abs(glm::dot(corner, right)) / horizontal, std::abs(glm::dot(corner, up)) / vertical);
        distance = std::max(distance, slope + glm::dot(corner, backward));
    }
    if (distance == 0.0F) distance = kOfNoSize;
    pose.eye = pose.target + kFramingMargin * distance * backward;
    return pose;
}

// From the world to what is seen from `eye` along -axes[2], with axes[0] to the right and axes[1] up.
glm::dmat4 seen_along(const std::array<glm::dvec3, 3>& axes, const glm::dvec3& eye) {
    glm::dmat4 view(1.0);
    for (int i = 0; i < 3; ++i) view[i] = glm::dvec4(axes[0][i], axes[1][i], axes[2][i], 0.0);
    view[3] = glm::dvec4(-glm::dot(axes[0], eye), -glm::dot(axes[1], eye), -glm::dot(axes[2], eye), 1.0);
    return view;
}

// From there to clip space: `across` and `up` are half of what is seen at a distance of 1; depth = near / -z.
glm::dmat4 perspective(double across, double up, double near_plane) {
    glm::dmat4 clip(0.0);
    clip[0][0] = 1.0 / across;
    clip[1][1] = -1.0 / up;
    clip[2][3] = -1.0;
    clip[3][2] = near_plane;
    return clip;
}

// Matrices, and the planes of what they show.
View view_of(const glm::dmat4& view, const glm::dmat4& clip) {
    const glm::dmat4 view_clip = clip * view;
    View result;
    result.view = glm::mat4(view);
    result.projection = glm::mat4(clip);
    result.view_projection = glm::mat4(view_clip);
    // A clip-space half-space a.x*x + ... >= 0 is the same combination of the matrix's rows (Gribb and Hartmann, 2001).
    const auto row = [&view_clip](int i) {
        return glm::dvec4(view_clip[0][i], view_clip[1][i], view_clip[2][i], view_clip[3][i]);
    };
    const std::array<glm::dvec4, 5> planes{row(3) + row(0), row(3) - row(0), row(3) - row(1), row(3) + row(1),
                                           row(3) - row(2)};
    for (std::size_t i = 0; i < planes.size(); ++i) {
        result.planes[i] = glm::vec4(planes[i] / glm::length(glm::dvec3(planes[i])));
    }
    return result;
}

}  // namespace

View make_view(const CameraPose& pose, float near_plane, Projection projection, float aspect, const glm::vec2& shift) {
    const glm::dvec3 eye(pose.eye);
    const glm::dvec3 offset = glm::dvec3(pose.target) - eye;
    const double distance = glm::length(offset);
    if (!(distance > 0.0) || !std::isfinite(distance)) throw Error("camera: the eye and the target are the same point");
    if (!(pose.fov_degrees > 0.0F && pose.fov_degrees < 180.0F)) {
        throw Error("camera: a field of view of " + std::to_string(pose.fov_degrees) +
                    " degrees; it must lie between 0 and 180");
    }
    if (!(near_plane > 0.0F) || !std::isfinite(near_plane)) {
        throw Error("near: a near plane at " + std::to_string(near_plane) + "; it must lie in front of the eye");
    }
    if (!std::isfinite(pose.roll_degrees)) throw Error("camera: the roll is not a number of degrees");
    if (!(aspect > 0.0F) || !std::isfinite(aspect)) throw Error("camera: the view has no area");

    // Made in double and rounded once, so that planes and matrices agree as well as floats can.
    const auto [right, above, forward] = axes_of(pose);
    const glm::dmat4 view = seen_along({right, above, -forward}, eye);

    const double tangent = std::tan(glm::radians(static_cast<double>(pose.fov_degrees)) * 0.5);
    const double n = near_plane;
    glm::dmat4 clip(0.0);
    if (projection != Projection::kOrthographic) {
        clip = perspective(tangent * aspect, tangent, n);
        clip[2][0] = 0.0 - shift.x;
        clip[2][1] = 0.0 - shift.y;
    } else {
        const double half_height = tangent * distance;
        const double range = kOrthographicRange * distance;
        clip[0][0] = 1.0 / (half_height * aspect);
        clip[1][1] = -1.0 / half_height;
        clip[2][2] = 1.0 / range;  // depth = 1 - (-z - near) / range
        clip[3][2] = 1.0 + n / range;
        clip[3][3] = 1.0;
        clip[3][0] = shift.x;
        clip[3][1] = shift.y;
    }
    View result = view_of(view, clip);
    result.eye = pose.eye;
    result.forward = glm::vec3(forward);
    result.orthographic = projection == Projection::kOrthographic;
    result.near_plane = near_plane;
    result.shift = shift;
    return result;
}

View shifted(const View& view, const glm::vec2& by) {
    glm::dmat4 clip(view.projection);
    for (int column = 0; column < 4; ++column) {
        for (int row = 0; row < 2; ++row) clip[column][row] += static_cast<double>(by[row]) * clip[column][3];
    }
    const View moved = view_of(glm::dmat4(view.view), clip);
    View result = view;
    result.projection = moved.projection;
    result.view_projection = moved.view_projection;
    result.planes = moved.planes;
    result.shift += by;
    return result;
}

View make_square_view(const std::array<glm::dvec3, 3>& axes, const glm::dvec3& centre, double half, double toward,
                      double beyond) {
    const glm::dvec3 eye = centre + axes[2] * toward;
    glm::dmat4 clip(0.0);
    clip[0][0] = 1.0 / half;
    clip[1][1] = -1.0 / half;
    clip[2][2] = 1.0 / (toward + beyond);
    clip[3][2] = 1.0;
    clip[3][3] = 1.0;
    View result = view_of(seen_along(axes, eye), clip);
    result.eye = glm::vec3(eye);
    result.forward = glm::vec3(-axes[2]);
    result.orthographic = true;
    result.near_plane = 0.0F;
    return result;
}

std::array<glm::dvec3, 3> square_axes(const glm::vec3& towards) {
    const glm::dvec3 back = glm::normalize(glm::dvec3(towards));
    const glm::dvec3 aside = std::abs(back.y) < 0.99 ? glm::dvec3(0.0, 1.0, 0.0) : glm::dvec3(0.0, 0.0, 1.0);
    const glm::dvec3 right = glm::normalize(glm::cross(aside, back));
    return {right, glm::cross(back, right), back};
}

View make_pyramid_view(const std::array<glm::dvec3, 3>& axes, const glm::vec3& eye, double tangent, float near_plane) {
    View result = view_of(seen_along(axes, glm::dvec3(eye)), perspective(tangent, tangent, near_plane));
    result.eye = eye;
    result.forward = glm::vec3(-axes[2]);
    result.near_plane = near_plane;
    return result;
}

float level_scale(const View& view, std::uint32_t height, float pixels) {
    constexpr float kMost = 1e30F;  // times an error of 0 it is 0
    const float across = 1.0F / view.projection[0][0];
    const float up = 1.0F / std::abs(view.projection[1][1]);
    float scale = 0.5F * static_cast<float>(height) / up;
    // The pixels per unit of the tangent, over the square of the cosine of the angle to the corner.
    if (!view.orthographic) scale *= 1.0F + across * across + up * up;
    return std::min(scale / std::max(pixels, 1e-30F), kMost);
}

std::array<glm::vec4, 2> pixel_places(const View& view) {
    const glm::vec3 right{view.view[0][0], view.view[1][0], view.view[2][0]};
    const glm::vec3 above{view.view[0][1], view.view[1][1], view.view[2][1]};
    return {glm::vec4(right / view.projection[0][0], view.shift.x),
            glm::vec4(above / view.projection[1][1], view.shift.y)};
}

std::array<glm::vec3, 3> pixel_rays(const View& view) {
    if (view.orthographic) return {glm::vec3(0.0F), glm::vec3(0.0F), view.forward};
    const auto [to_right, down] = pixel_places(view);
    return {glm::vec3(to_right), glm::vec3(down),
            view.forward - view.shift.x * glm::vec3(to_right) - view.shift.y * glm::vec3(down)};
}

std::optional<float> surface_distance(const View& view, float depth) {
    if (!(depth > 0.0F)) return std::nullopt;
    // Depth is a quotient of two lines in z, in either projection.
    const glm::dmat4 clip(view.projection);
    const double d = depth;
    const double z = (clip[3][2] - d * clip[3][3]) / (d * clip[2][3] - clip[2][2]);
    return static_cast<float>(-z);
}

std::optional<glm::vec3> surface_point(const View& view, const glm::vec2& at, float depth) {
    const std::optional<float> distance = surface_distance(view, depth);
    if (!distance) return std::nullopt;
    const glm::dmat4 clip(view.projection);
    const double w = clip[3][3] - clip[2][3] * *distance;
    const glm::dvec2 ndc = 2.0 * glm::dvec2(at) - 1.0 - glm::dvec2(view.shift);
    const glm::dvec3 seen(ndc.x * w / clip[0][0], ndc.y * w / clip[1][1], -*distance);
    const glm::dmat3 rotation(view.view);
    return glm::vec3(glm::transpose(rotation) * seen + glm::dvec3(view.eye));
}

Box scene_box(const scene::EncodedScene& scene, const scene::Grid& grid) {
    return box_around(placed_boxes(scene, grid));
}

glm::vec4 scene_bounds(const scene::EncodedScene& scene, const scene::Grid& grid) {
    const std::vector<PlacedBox> boxes = placed_boxes(scene, grid);
    const Box box = box_around(boxes);
    const glm::vec3 centre = box.centre();
    float radius = 0.0F;
    if (grid.empty()) {
        for_each_corner(boxes,
                        [&](const glm::vec3& corner) { radius = std::max(radius, glm::distance(centre, corner)); });
    } else {
        radius = glm::distance(centre, box.high);  // the grid fills its box's corners
    }
    return {centre, radius};
}

// A glTF camera looks along its node's -z. The target is put at the distance of the scene's centre,
// so that turning around it and orthographic views make sense; no nearer than half of the height that an orthographic
// camera shows, so that its field of view stays a number that floats can tell from 180 degrees.
std::optional<DefaultView> camera_view(const scene::Camera& camera, const glm::mat4& world, const glm::vec4& bounds) {
    const glm::vec3 eye(world[3]);
    const glm::dvec3 axis = -glm::dvec3(world[2]);
    const double length = glm::length(axis);
    if (!(length > 0.0) || !std::isfinite(length)) return std::nullopt;
    const glm::vec3 forward(axis / length);
    const float radius = radius_of(bounds);
    const float least = std::max(0.1F * radius, std::min(1e-3F, radius));
    float distance = std::max(glm::dot(glm::vec3(bounds) - eye, forward), least);
    if (camera.orthographic) distance = std::max(distance, camera.half_height);

    DefaultView view;
    view.projection = camera.orthographic ? Projection::kOrthographic : Projection::kPerspective;
    view.pose.eye = eye;
    view.pose.target = eye + distance * forward;
    view.pose.fov_degrees =
        glm::degrees(camera.orthographic ? 2.0F * std::atan(camera.half_height / distance) : camera.vertical_fov);
    view.near_plane = camera.near_plane > 0.0F && std::isfinite(camera.near_plane) ? camera.near_plane
                                                                                   : near_of(view.projection, radius);
    const glm::dvec3 offset = glm::dvec3(view.pose.target) - glm::dvec3(view.pose.eye);
    const double reach = glm::length(offset);
    if (!(reach > 0.0 && std::isfinite(reach) && view.pose.fov_degrees > 0.0F && view.pose.fov_degrees < 180.0F)) {
        return std::nullopt;
    }
    view.pose.roll_degrees = roll_of(view.pose, glm::dvec3(world[1]));
    return view;
}

std::vector<SceneCamera> scene_cameras(const scene::EncodedScene& scene) {
    return cameras_of(scene.scene, scene_bounds(scene, {}));
}

DefaultView default_view(const scene::EncodedScene& scene, const scene::Grid& grid, const FrameSettings& settings,
                         float aspect) {
    const glm::vec4 bounds = scene_bounds(scene, grid);
    DefaultView view;
    view.near_plane = near_of(Projection::kPerspective, radius_of(bounds));
    const bool own = !settings.camera && grid.empty();
    if (settings.camera) {
        view.pose = *settings.camera;
    } else if (const auto cameras = own ? cameras_of(scene.scene, bounds) : std::vector<SceneCamera>();
               !cameras.empty()) {
        view = cameras.front().view;
    } else {
        view.pose = framing_pose(scene_box(scene, grid), aspect);
        view.framed = true;
    }
    if (settings.near_plane) view.near_plane = *settings.near_plane;
    view.projection = settings.projection.value_or(view.projection);
    return view;
}

}  // namespace sublet::render
