#include "cameras.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <numbers>
#include <random>

#include "base/error.h"
#include "mesh/mesh.h"
#include "render/scene/gpu_scene.h"
#include "render/view/camera.h"

namespace sublet::test {
namespace {

using render::CameraPose;

// A triangle of the scene, in world space.
struct Surface {
    glm::vec3 centre{0.0F}, normal{0.0F}, along{0.0F};  // unit vectors, the second in the triangle's plane
    float size = 1.0F;                                  // its longest edge
};

class Photographer {
  public:
    Photographer(const scene::EncodedScene& scene, const scene::Grid& grid)
        : scene_(scene), bounds_(render::scene_bounds(scene, grid)), random_(12345) {
        for (const scene::Instance& instance : scene::instances(scene, grid)) {
            if (scene.geometry.meshes[instance.mesh].triangle_count > 0) {
                instances_.push_back(instance);
            }
        }
        if (instances_.empty()) {
            throw Error("cameras: the scene has no triangles");
        }
    }

    [[nodiscard]] glm::vec3 centre() const { return {bounds_}; }
    [[nodiscard]] float radius() const { return bounds_.w; }

    // Only the generator's bits are the same everywhere; the distributions of <random> are not.
    float between(float low, float high) {
        return low + (high - low) * static_cast<float>(random_() >> 8U) / static_cast<float>(1U << 24U);
    }

    glm::vec3 direction() {
        const float z = between(-1.0F, 1.0F);
        const float phi = between(0.0F, 2.0F * std::numbers::pi_v<float>);
        const float r = std::sqrt(1.0F - z * z);
        return {r * std::cos(phi), z, r * std::sin(phi)};
    }

    glm::vec3 place() { return centre() + between(0.0F, 0.6F) * radius() * direction(); }

    // A triangle by lot; degenerate ones of flattened instances are drawn again a few times.
    Surface surface() {
        for (int attempt = 0;; ++attempt) {
            const scene::Instance& instance = instances_[random_() % instances_.size()];
            const mesh::MeshView mesh = mesh::mesh_view(scene_.geometry, instance.mesh);
            const mesh::DecodedSublet sublet =
                mesh::decode_sublet(mesh, static_cast<std::uint32_t>(random_() % mesh.header->sublet_count));
            const auto& triangle = sublet.triangles[random_() % std::max(sublet.triangle_count, 1U)];
            std::array<glm::vec3, 3> corners{};
            for (std::size_t i = 0; i < 3; ++i) {
                const auto p = mesh::dequantize_position(*mesh.header, sublet.positions[triangle[i]]);
                corners[i] = glm::vec3(instance.transform * glm::vec4(p[0], p[1], p[2], 1.0F));
            }
            const glm::vec3 edge = corners[1] - corners[0];
            const glm::vec3 normal = glm::cross(edge, corners[2] - corners[0]);
            if (glm::length(edge) > 0.0F && glm::length(normal) > 0.0F) {
                return {(corners[0] + corners[1] + corners[2]) / 3.0F, glm::normalize(normal), glm::normalize(edge),
                        std::max(glm::length(edge), glm::length(corners[2] - corners[0]))};
            }
            if (attempt == 20) {
                return {corners[0], direction(), direction(), 0.01F * radius()};
            }
        }
    }

    CameraPose outside(float turn) {
        const float distance = between(1.2F, 2.2F) * radius();
        return around(turn, distance);
    }

    [[nodiscard]] CameraPose around(float turn, float distance) const {
        const float phi = 2.0F * std::numbers::pi_v<float> * turn;
        const glm::vec3 offset(std::cos(phi), 0.45F * std::sin(1.7F * phi), std::sin(phi));
        return {.eye = centre() + distance * offset, .target = centre(), .fov_degrees = 50.0F};
    }

    CameraPose inside() {
        const Surface s = surface();
        const glm::vec3 eye = s.centre - 0.3F * s.size * s.normal;
        return look(eye, direction(), 0.1F * radius(), between(70.0F, 110.0F));
    }

    // Every third one lies in the triangle's plane as well as floats can say it.
    CameraPose grazing(std::size_t number) {
        const Surface s = surface();
        const float height = number % 3 == 0 ? 0.0F : 0.02F * s.size;
        const glm::vec3 eye = s.centre - 4.0F * s.size * s.along + height * s.normal;
        return look(eye, s.along, 4.0F * s.size, 60.0F);
    }

    CameraPose within() { return look(place(), direction(), 0.2F * radius(), between(40.0F, 90.0F)); }

    CameraPose far() {
        return {.eye = centre() + between(12.0F, 40.0F) * radius() * direction(),
                .target = centre(),
                .fov_degrees = between(4.0F, 12.0F)};
    }

    [[nodiscard]] float near_plane() { return radius() * (random_() % 3 == 0 ? 1e-2F : 1e-3F); }

  private:
    [[nodiscard]] CameraPose look(const glm::vec3& eye, const glm::vec3& direction, float distance,
                                  float fov_degrees) const {
        glm::vec3 target = eye + std::max(distance, 1e-3F * radius()) * direction;
        if (target == eye) {  // far from the origin, floats are coarse
            target = centre() + radius() * direction;
        }
        return {.eye = eye, .target = target, .fov_degrees = fov_degrees};
    }

    const scene::EncodedScene& scene_;
    glm::vec4 bounds_;
    std::mt19937 random_;
    std::vector<scene::Instance> instances_;
};

void add_scene_cameras(const scene::EncodedScene& scene, float reach, std::size_t most, std::vector<StillCamera>& out) {
    const std::vector<glm::mat4> world = scene::world_transforms(scene.scene);
    for (std::size_t i = 0; i < scene.scene.nodes.size() && out.size() < most; ++i) {
        const int camera = scene.scene.nodes[i].camera;
        if (camera < 0 || static_cast<std::size_t>(camera) >= scene.scene.cameras.size()) {
            continue;
        }
        const glm::vec3 eye(world[i][3]);
        const glm::vec3 forward = -glm::vec3(world[i][2]);
        const glm::vec3 target = eye + reach * forward;
        if (target != eye) {
            out.push_back({"scene",
                           {.eye = eye, .target = target, .fov_degrees = 60.0F},
                           scene.scene.cameras[static_cast<std::size_t>(camera)].near_plane});
        }
    }
}

CameraPose blend(const CameraPose& a, const CameraPose& b, float t) {
    return {.eye = glm::mix(a.eye, b.eye, t),
            .target = glm::mix(a.target, b.target, t),
            .fov_degrees = a.fov_degrees + t * (b.fov_degrees - a.fov_degrees)};
}

}  // namespace

std::vector<StillCamera> still_cameras(const scene::EncodedScene& scene, const scene::Grid& grid, std::size_t count) {
    Photographer photographer(scene, grid);
    std::vector<StillCamera> out;
    if (grid.empty()) {
        add_scene_cameras(scene, 0.1F * photographer.radius(), std::min<std::size_t>(count, 4), out);
    }
    for (std::size_t i = 0; out.size() < count; ++i) {
        StillCamera camera;
        camera.near_plane = photographer.near_plane();
        switch (i % 5) {
            case 0:
                camera.kind = "outside";
                camera.pose = photographer.outside(0.13F * static_cast<float>(i));
                break;
            case 1:
                camera.kind = "inside";
                camera.pose = photographer.inside();
                break;
            case 2:
                camera.kind = "grazing";
                camera.pose = photographer.grazing(i / 5);
                break;
            case 3:
                camera.kind = "within";
                camera.pose = photographer.within();
                break;
            default:
                camera.kind = "far";
                camera.pose = photographer.far();
                break;
        }
        out.push_back(camera);
    }
    return out;
}

std::vector<PathFrame> moving_camera(const scene::EncodedScene& scene, const scene::Grid& grid, std::size_t frames) {
    constexpr std::size_t kTeleports = 4;
    Photographer photographer(scene, grid);
    const std::size_t length = std::max<std::size_t>(frames / 8, 6);  // of a segment
    std::vector<PathFrame> out;
    for (std::size_t segment = 0; out.size() < frames; ++segment) {
        const float near_plane = photographer.near_plane();
        const float distance = photographer.between(0.6F, 1.8F) * photographer.radius();
        const float start = photographer.between(0.0F, 1.0F);
        CameraPose from = photographer.grazing(1);
        CameraPose to = photographer.grazing(2);
        from.fov_degrees = 60.0F;
        to.fov_degrees = 80.0F;
        const CameraPose spot = photographer.inside();
        for (std::size_t i = 0; i < length && out.size() < frames; ++i) {
            const float t = static_cast<float>(i) / static_cast<float>(length - 1);
            PathFrame frame{.pose = {}, .near_plane = near_plane, .cut = i == 0};
            if (segment % 3 == 0) {
                frame.pose = photographer.around(start + 0.25F * t, distance * (1.0F - 0.4F * t));
            } else if (segment % 3 == 1) {
                frame.pose = blend(from, to, t);
            } else {
                const float phi = std::numbers::pi_v<float> * t;
                const glm::vec3 forward(std::cos(phi), 0.3F * std::sin(3.0F * phi), std::sin(phi));
                frame.pose = {
                    .eye = spot.eye, .target = spot.eye + 0.1F * photographer.radius() * forward, .fov_degrees = 75.0F};
            }
            if (frame.pose.target == frame.pose.eye) {
                frame.pose.target = frame.pose.eye + photographer.radius() * glm::vec3(0.0F, 0.0F, -1.0F);
            }
            out.push_back(frame);
        }
        for (std::size_t i = 0; segment % 2 == 1 && i < kTeleports && out.size() < frames; ++i) {
            const CameraPose pose = i % 2 == 0 ? photographer.within() : photographer.outside(0.37F * float(i));
            out.push_back({.pose = pose, .near_plane = photographer.near_plane(), .cut = true});
        }
    }
    return out;
}

}  // namespace sublet::test
