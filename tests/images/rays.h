// Rays against a scene's own triangles, in double precision: what shadows are held to.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <glm/geometric.hpp>
#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>
#include <utility>
#include <vector>

#include "render/renderer.h"
#include "scene/import.h"
#include "shapes.h"

namespace sublet::test {

// Of a scene's own triangles.
struct Triangles {
    std::vector<std::array<glm::dvec3, 3>> all;

    void add(const scene::SourceMesh& mesh, const glm::dmat4& transform) {
        const auto at = [&](std::size_t i) {
            const auto& p = mesh.positions[mesh.indices[i]];
            return glm::dvec3(transform * glm::dvec4(p[0], p[1], p[2], 1.0));
        };
        for (std::size_t i = 0; i < mesh.indices.size(); i += 3) all.push_back({at(i), at(i + 1), at(i + 2)});
    }
    // Adds a mesh of the first material to a scene too, where it is placed.
    void add(scene::ImportedScene& scene, scene::SourceMesh mesh, const glm::mat4& transform) {
        mesh.colors.clear();
        mesh.normals.clear();  // pictures of normals then tell those of planes
        add(mesh, transform);
        place(scene, add_mesh(scene, std::move(mesh), 0), transform);
    }
    // Whether a ray meets one of them, from either side, before so many times `along`. T. Moeller and B. Trumbore,
    // "Fast, Minimum Storage Ray/Triangle Intersection", 1997.
    [[nodiscard]] bool meets(const glm::dvec3& from, const glm::dvec3& along, double most = 1e30) const {
        return std::ranges::any_of(all, [&](const auto& t) {
            const glm::dvec3 a = t[1] - t[0];
            const glm::dvec3 b = t[2] - t[0];
            const glm::dvec3 p = glm::cross(along, b);
            const double determinant = glm::dot(a, p);
            if (determinant == 0.0) return false;
            const glm::dvec3 s = from - t[0];
            const double u = glm::dot(s, p) / determinant;
            const glm::dvec3 q = glm::cross(s, a);
            const double v = glm::dot(along, q) / determinant;
            const double distance = glm::dot(b, q) / determinant;
            return u >= 0.0 && v >= 0.0 && u + v <= 1.0 && distance > 0.0 && distance < most;
        });
    }
};

// What Show::kNormals says.
inline glm::vec3 normal_of(const render::Picture& picture, std::size_t pixel) {
    const std::uint8_t* rgba = &picture.rgba[4 * pixel];
    return glm::normalize(glm::vec3(rgba[0], rgba[1], rgba[2]) / 127.5F - 1.0F);
}

// Pixels of another colour where both see the same.
inline std::size_t differing_colors(const render::Picture& a, const render::Picture& b) {
    std::size_t out = 0;
    for (std::size_t i = 0; i < a.depth.size(); ++i) {
        if (a.ids[i] != b.ids[i] || a.depth[i] != b.depth[i]) continue;
        out += std::equal(a.rgba.begin() + 4 * i, a.rgba.begin() + 4 * i + 4, b.rgba.begin() + 4 * i) ? 0 : 1;
    }
    return out;
}

}  // namespace sublet::test
