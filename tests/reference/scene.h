// The scene that the reference draws: decoded triangles in the world, as plain numbers.
#pragma once

#include <array>
#include <cstdint>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <vector>

#include "scene/container.h"
#include "texture.h"

namespace sublet::reference {

struct Vertex {
    glm::dvec3 position{0.0};  // world space
    glm::dvec3 normal{0.0};    // world space, of any length: interpolated in the mesh's space, where it is 1
    glm::dvec2 uv{0.0};        // as the material's texture is looked up: 0 to 1 covers it once
    glm::dvec4 color{1.0};     // linear, and alpha
};

struct Triangle {
    std::array<Vertex, 3> corners;
    std::uint32_t id = 0;  // by which a picture names it: its sublet over all instances * 32 + its number there
    std::uint32_t instance = 0;
    std::uint32_t material = 0;
    bool mirrored = false;   // its instance is: counter-clockwise in the mesh is clockwise in the world
    double magnitude = 0.0;  // the largest number that placing a vertex adds up
};

struct Material {
    glm::dvec4 color{1.0};  // linear, and alpha
    int texture = -1;
    double cutoff = 0.0;  // of alpha: below it there is nothing
    bool double_sided = false;
    bool unlit = false;
};

struct Scene {
    std::vector<Triangle> triangles;
    std::vector<Material> materials;
    std::vector<Texture> textures;
};

// Every triangle of every instance. Images must be of kRawImageType.
Scene gather(const scene::EncodedScene& scene);

}  // namespace sublet::reference
