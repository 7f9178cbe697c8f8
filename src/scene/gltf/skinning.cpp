#include "scene/gltf/skinning.h"

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>

namespace sublet::scene::gltf {
namespace {

// Of a 3x3 matrix: its cofactors transform normals, and stay finite where it has no inverse.
glm::mat3 cofactors(const glm::mat3& m) {
    return {glm::cross(m[1], m[2]), glm::cross(m[2], m[0]), glm::cross(m[0], m[1])};
}

bool normalize_into(glm::vec3 v, float* to) {
    const float length = glm::length(v);
    if (!(length > 0.0F) || !std::isfinite(length)) return false;
    for (int c = 0; c < 3; ++c) to[c] = v[c] / length;
    return true;
}

}  // namespace

void pose_meshes(const Document& document, SourceMeshGroup& group, const Skin& skin, std::span<const glm::mat4> world,
                 const std::string& field) {
    std::vector<glm::mat4> pose(skin.joints.size());
    for (std::size_t j = 0; j < pose.size(); ++j) {
        pose[j] = world[static_cast<std::size_t>(skin.joints[j])] * skin.inverse_bind[j];
    }
    for (std::size_t p = 0; p < group.meshes.size(); ++p) {
        SourceMesh& mesh = group.meshes[p];
        for (std::size_t v = 0; v < mesh.joints.size(); ++v) {
            glm::mat4 blend{0.0F};
            for (std::size_t i = 0; i < 4; ++i) {
                const float weight = mesh.weights[v][i];
                if (weight == 0.0F) continue;
                const std::size_t joint = mesh.joints[v][i];
                if (joint >= pose.size()) {
                    document.fail(field + ".primitives[" + std::to_string(p) + "].attributes.JOINTS_0",
                                  "a vertex names joint " + std::to_string(joint) + ", but its skin has " +
                                      std::to_string(pose.size()));
                }
                blend += weight * pose[joint];
            }
            std::array<float, 3>& position = mesh.positions[v];
            const glm::vec4 posed = blend * glm::vec4(position[0], position[1], position[2], 1.0F);
            position = {posed.x, posed.y, posed.z};
            if (!std::isfinite(posed.x) || !std::isfinite(posed.y) || !std::isfinite(posed.z)) {
                document.fail(field + ".primitives[" + std::to_string(p) + "]",
                              "its skin places a vertex beyond single precision");
            }
            const glm::mat3 linear(blend);
            const glm::mat3 normal_matrix = cofactors(linear);
            std::array<float, 3>& normal = mesh.normals[v];
            (void)normalize_into(normal_matrix * glm::vec3(normal[0], normal[1], normal[2]), normal.data());
            if (mesh.tangents.empty()) continue;
            std::array<float, 4>& tangent = mesh.tangents[v];
            (void)normalize_into(linear * glm::vec3(tangent[0], tangent[1], tangent[2]), tangent.data());
        }
    }
}

}  // namespace sublet::scene::gltf
