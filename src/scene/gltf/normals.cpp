#include "scene/gltf/normals.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>
#include <optional>
#include <vector>

namespace sublet::scene::gltf {
namespace {

using Vec3 = std::array<float, 3>;

glm::vec3 to_glm(const Vec3& v) {
    return {v[0], v[1], v[2]};
}
Vec3 from_glm(const glm::vec3& v) {
    return {v.x, v.y, v.z};
}

// Of a normal or tangent of this length.
bool has_direction(double length) {
    constexpr float kLeast = 1e-12F;
    return std::isfinite(length) && length > kLeast;
}

// Then it keeps its bits.
bool is_unit(double length) {
    return std::abs(length - 1.0) <= 1e-6;
}

void divide(Vec3& v, double length) {
    v = from_glm(glm::vec3(glm::dvec3(to_glm(v)) / length));
}

// Nothing for a triangle without area. `added`: to the positions; empty for nothing.
std::optional<glm::vec3> face_normal(const SourceMesh& mesh, std::size_t triangle,
                                     const std::vector<Vec3>& added = {}) {
    const auto corner = [&](std::size_t c) {
        const std::uint32_t i = mesh.indices[3 * triangle + c];
        const glm::dvec3 position(to_glm(mesh.positions[i]));
        return added.empty() ? position : position + glm::dvec3(to_glm(added[i]));
    };
    const glm::dvec3 normal = glm::cross(corner(1) - corner(0), corner(2) - corner(0));
    const double length = glm::length(normal);
    if (!(length > 0.0) || !std::isfinite(length)) return std::nullopt;
    return glm::vec3(normal / length);
}

}  // namespace

void make_flat_normals(SourceMesh& mesh) {
    mesh.normals.resize(mesh.positions.size());
    for (std::size_t t = 0; t < mesh.indices.size() / 3; ++t) {
        // A triangle without area is never seen; any direction will do.
        std::fill_n(mesh.normals.begin() + static_cast<std::ptrdiff_t>(3 * t), 3,
                    from_glm(face_normal(mesh, t).value_or(glm::vec3(0.0F, 0.0F, 1.0F))));
    }
    // Targets turn them to what they are at weight 1.
    for (mesh::MorphArrays& morph : mesh.morphs) {
        if (morph.positions.empty()) continue;
        morph.normals.resize(mesh.positions.size());
        for (std::size_t t = 0; t < mesh.indices.size() / 3; ++t) {
            const glm::vec3 flat = to_glm(mesh.normals[3 * t]);
            const glm::vec3 turned = face_normal(mesh, t, morph.positions).value_or(flat);
            std::fill_n(morph.normals.begin() + static_cast<std::ptrdiff_t>(3 * t), 3, from_glm(turned - flat));
        }
    }
}

bool mend_normals(SourceMesh& mesh) {
    std::vector<bool> is_broken(mesh.normals.size(), false);
    bool any = false;
    for (std::size_t i = 0; i < mesh.normals.size(); ++i) {
        const double length = glm::length(glm::dvec3(to_glm(mesh.normals[i])));
        if (!has_direction(length)) {
            is_broken[i] = any = true;
            mesh.normals[i] = {0.0F, 0.0F, 1.0F};
        } else if (!is_unit(length)) {
            divide(mesh.normals[i], length);
            for (mesh::MorphArrays& morph : mesh.morphs) {
                if (!morph.normals.empty()) divide(morph.normals[i], length);
            }
        }
    }
    if (!any) return false;
    for (std::size_t corner = 0; corner < mesh.indices.size(); ++corner) {
        const std::uint32_t i = mesh.indices[corner];
        if (!is_broken[i]) continue;
        const std::optional<glm::vec3> normal = face_normal(mesh, corner / 3);
        if (!normal) continue;
        mesh.normals[i] = from_glm(*normal);
        is_broken[i] = false;
    }
    return true;
}

bool mend_tangents(SourceMesh& mesh) {
    bool any = false;
    for (std::size_t i = 0; i < mesh.tangents.size(); ++i) {
        std::array<float, 4>& tangent = mesh.tangents[i];
        Vec3 unit{tangent[0], tangent[1], tangent[2]};
        const double length = glm::length(glm::dvec3(to_glm(unit)));
        if (!has_direction(length)) {
            const glm::vec3 normal = to_glm(mesh.normals[i]);
            const glm::vec3 other = std::abs(normal.x) < 0.5F ? glm::vec3(1, 0, 0) : glm::vec3(0, 1, 0);
            unit = from_glm(glm::normalize(glm::cross(normal, other)));
            any = true;
        } else if (!is_unit(length)) {
            divide(unit, length);
            for (mesh::MorphArrays& morph : mesh.morphs) {
                if (!morph.tangents.empty()) divide(morph.tangents[i], length);
            }
        }
        tangent = {unit[0], unit[1], unit[2], tangent[3] < 0.0F ? -1.0F : 1.0F};
    }
    return any;
}

}  // namespace sublet::scene::gltf
