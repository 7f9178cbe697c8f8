#include "render/view/sun_shadow.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sublet::render {
namespace {

constexpr double kWider = 3.0;  // a map than the one within it
// A map moves by this share of its half width.
constexpr double kStep = 0.125;
// Maps are left out whose texels are smaller than this share of any pixel.
constexpr double kFinest = 0.5;
// How much further than the scene's sphere depths reach.
constexpr double kBeyond = 1.01;

glm::dvec3 to_axes(const std::array<glm::dvec3, 3>& axes, const glm::dvec3& p) {
    return {glm::dot(axes[0], p), glm::dot(axes[1], p), glm::dot(axes[2], p)};
}

glm::dvec3 from_axes(const std::array<glm::dvec3, 3>& axes, const glm::dvec3& p) {
    return axes[0] * p.x + axes[1] * p.y + axes[2] * p.z;
}

// Units across the nearest pixel that can show some of the scene.
double finest_pixel(const View& camera, std::uint32_t window, double gap) {
    const double up = 2.0 / std::abs(static_cast<double>(camera.projection[1][1])) / window;
    return camera.orthographic ? up : up * std::max(gap, 0.0);
}

// Units before the centre that the farthest caster may be at.
double casters_reach(const glm::dvec3& centre, double radius, const glm::dvec3& towards_sun,
                     std::span<const glm::vec4> movers) {
    double reach = radius;
    for (const glm::vec4& mover : movers) {
        reach = std::max(reach, kBeyond * (glm::dot(glm::dvec3(mover) - centre, towards_sun) + mover.w));
    }
    return std::min(reach, kCastersReach * radius);
}

}  // namespace

std::vector<ShadowMapView> fit_sun_shadow(const View& camera, std::uint32_t window, const glm::vec3& towards_sun,
                                          const glm::vec4& scene, const ShadowSettings& settings,
                                          const LevelSettings& levels, std::span<const glm::vec4> movers) {
    const std::array<glm::dvec3, 3> axes = square_axes(towards_sun);
    const glm::dvec3 centre{scene};
    const double radius = std::max(static_cast<double>(scene.w), 1e-30) * kBeyond;
    const double toward = casters_reach(centre, radius, glm::dvec3(towards_sun), movers);
    // What maps lie around: of an orthographic camera the place on its axis that is nearest to the scene's centre.
    glm::dvec3 eye{camera.eye};
    if (camera.orthographic) eye += glm::dvec3(camera.forward) * glm::dot(centre - eye, glm::dvec3(camera.forward));
    const double gap = glm::length(eye - centre) - radius;
    const double pixel = finest_pixel(camera, window, gap);
    const bool whole = settings.shadow_distance <= 0.0F || settings.shadow_distance >= gap + 2.0 * radius;
    const double widest = whole ? radius : settings.shadow_distance;
    const double scale = level_scale(camera, window, levels.lod_error * std::exp2(settings.shadow_lod_bias));

    std::vector<ShadowMapView> maps;
    for (std::uint32_t i = 0; i < shared::kShadowMaps; ++i) {
        const bool last = i + 1 == shared::kShadowMaps;
        const double half = widest * std::pow(kWider, static_cast<double>(i) - (shared::kShadowMaps - 1));
        const double texel = 2.0 * half / settings.shadow_resolution;
        if (!last && texel < kFinest * pixel) continue;
        // Whole texels, since resolutions are powers of two.
        const double step = kStep * half;
        const glm::dvec3 snapped = glm::floor(to_axes(axes, eye) / step + 0.5) * step;
        glm::dvec3 at = last && whole ? to_axes(axes, centre) : snapped;
        at.z = glm::dot(axes[2], centre);
        ShadowMapView map;
        map.view = make_square_view(axes, from_axes(axes, at), half, toward, radius);
        map.view.light_passes = true;
        map.size = settings.shadow_resolution;
        map.number = map.layer = i;
        map.texel = static_cast<float>(texel);
        map.depth = static_cast<float>(toward + radius);
        if (levels.lod) {
            const double inner = maps.empty() ? 0.0 : half / kWider * (1.0 - kStep);
            map.view.levels = LevelsSeenFrom{.eye = glm::vec3(from_axes(axes, snapped)),
                                             .orthographic = camera.orthographic,
                                             .scale = static_cast<float>(scale),
                                             .slack = static_cast<float>(step),  // more than half of its diagonal
                                             .least = static_cast<float>(inner)};
        }
        maps.push_back(map);
    }
    return maps;
}

}  // namespace sublet::render
