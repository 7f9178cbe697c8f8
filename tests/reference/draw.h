// A renderer by definition, in double precision: each pixel's centre is held to every triangle. It shares no transform,
// no projection, no culling and no shading with the program, and says for each pixel what a device may give: where an
// edge is too near for a device's rounding it says nothing.
#pragma once

#include <cstdint>
#include <vector>

#include "scene.h"

namespace sublet::reference {

// Upright: it looks neither straight up nor straight down.
struct Camera {
    glm::dvec3 eye{0.0};
    glm::dvec3 target{0.0};
    double fov_degrees = 45.0;  // vertical
    double near_plane = 0.1;
    bool orthographic = false;  // shows, at the target, what the perspective view would
};

// What of a surface is drawn: its colour without light; its normal's coordinates, -1 to 1 as 0 to 255; what it
// scatters, the same in all directions, of the light that falls on it.
enum class What : std::uint8_t { kBaseColor, kNormals, kLit };

// How a pixel's texture was looked up.
enum class Filter : std::uint8_t { kNone, kMagnified, kMinified };

struct Pixel {
    bool sure = true;            // else nothing below counts
    std::int32_t triangle = -1;  // of Scene::triangles; -1: nothing covers it
    std::uint32_t id = 0;        // that triangle's
    double depth = 0.0;          // 1 at the near plane, 0 at infinity and where nothing is
    double depth_slack = 0.0;
    glm::dvec3 low{0.0}, high{0.0};  // 0 to 255; colours are sRGB-encoded
    Filter filter = Filter::kNone;
    bool from_behind = false;   // the triangle's back is seen
    bool through_mask = false;  // a mask has a hole here
    // Surfaces that blend in front of the triangle, of What::kLit; id and depth are then the nearest's.
    std::uint32_t layers = 0;
};

struct Drawing {
    std::uint32_t width = 0, height = 0;
    std::vector<Pixel> pixels;       // rows from the top
    std::vector<bool> leaves;        // triangles that are seen and reach beyond the picture's edges
    std::vector<bool> crosses_near;  // triangles that are seen and reach beyond the near plane
};

Drawing draw(const Scene& scene, const Camera& camera, std::uint32_t width, std::uint32_t height,
             What what = What::kBaseColor);

}  // namespace sublet::reference
