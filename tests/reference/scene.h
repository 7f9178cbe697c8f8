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
    bool blends = false;  // over what lies behind, by its alpha
    bool double_sided = false;
    bool unlit = false;
    bool casts = true;  // shadows
};

// A point or a spot.
struct Light {
    glm::dvec3 position{0.0};
    glm::dvec3 color{1.0};
    double intensity = 1.0;  // candela
    double range = 0.0;      // 0: it has no end
    bool spot = false;
    glm::dvec3 direction{0.0, 0.0, -1.0};  // of unit length
    double inner = 0.0, outer = 0.0;       // angles from it
    double texel = 0.0;                    // the width of one of its shadow map's, at a distance of 1
};

struct Scene {
    std::vector<Triangle> triangles;
    std::vector<Material> materials;
    std::vector<Texture> textures;
    std::vector<Light> lights;
};

// Every triangle of every instance, and every point and spot light, of shadow maps of so many texels. Images must be of
// kRawImageType.
Scene gather(const scene::EncodedScene& scene, double shadow_texels = 1.0);

}  // namespace sublet::reference
