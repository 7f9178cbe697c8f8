#include "render/view/light_shadow.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <tuple>
#include <utility>

#include "shaders/shared/shadow.h"

namespace sublet::render {
namespace {

constexpr std::uint64_t kDefaultBudget = std::uint64_t{36} << 20U;
constexpr std::uint32_t kFaces = 6;
// Of the cosine of a spot's outer angle: wider ones have the maps of a point, which share their texels better.
constexpr float kWidestSquare = 0.5F;
// Texels beyond the edge of what a map is for: those that filtering reads there, and one for rounding.
constexpr double kRim = 3.5;
// Where a map's near plane is: in ranges of its light, and in metres at most. What is nearer to a light casts no
// shadow, since lights stand in the middle of their lamps.
constexpr float kNearestPart = 0x1p-8F;
constexpr float kNearestMetres = 0.05F;
// A step of the place that levels of detail are chosen from, in distances of what is lit.
constexpr float kEyeStep = 0x1p-3F;

struct Candidate {
    const CastingLight* light;
    float range;     // or where the scene ends
    float distance;  // of the eye
    float size;      // on the screen
};

// Whether the light falls on anything that the camera may see.
bool reaches(const View& camera, const glm::vec3& position, float range) {
    return std::ranges::all_of(camera.planes, [&](const glm::vec4& plane) {
        return glm::dot(glm::vec3(plane), position) + plane.w >= -range;
    });
}

// Whether it is smaller, or equal with a higher number.
bool comes_later(const Candidate& a, const Candidate& b) {
    return std::tuple(a.size, b.light->number) < std::tuple(b.size, a.light->number);
}

// Those that light something in the picture: a heap, of which few are taken.
std::vector<Candidate> candidates(const View& camera, std::span<const CastingLight> lights, const glm::vec4& scene) {
    std::vector<Candidate> out;
    for (const CastingLight& light : lights) {
        const float end = glm::distance(light.position, glm::vec3(scene)) + scene.w;
        const float range = light.range > 0.0F ? std::min(light.range, end) : end;
        if (!(range > 0.0F) || !std::isfinite(range) || !reaches(camera, light.position, range)) continue;
        const float distance = glm::distance(light.position, camera.eye);
        out.push_back({&light, range, distance, camera.orthographic ? range : range / std::max(distance, 1e-30F)});
    }
    std::ranges::make_heap(out, comes_later);
    return out;
}

// Levels as the camera has them where the light falls, for eyes near this one too, so that maps stay as they are.
LevelsSeenFrom levels_of(const View& camera, const Candidate& of, float scale) {
    const float away = std::max(of.distance - of.range, of.range);
    const float step = std::exp2(std::floor(std::log2(away * kEyeStep)));
    const glm::vec3 eye = glm::floor(camera.eye / step + 0.5F) * step;
    const float nearest = glm::distance(eye, of.light->position) - of.range - step;
    return {.eye = eye,
            .orthographic = camera.orthographic,
            .scale = scale,
            .slack = step,  // more than half of its diagonal
            .least = std::max(nearest, 0.0F)};
}

std::array<glm::dvec3, 3> face_axes(std::uint32_t face) {
    glm::vec3 towards(0.0F);
    towards[static_cast<int>(face / 2)] = face % 2 == 0 ? -1.0F : 1.0F;
    return square_axes(towards);
}

}  // namespace

std::vector<LightShadow> fit_light_shadows(const View& camera, std::uint32_t window,
                                           std::span<const CastingLight> lights, const glm::vec4& scene,
                                           const ShadowSettings& settings, const LevelSettings& levels) {
    const std::uint32_t size = settings.shadow_light_resolution;
    const std::uint64_t bytes = settings.shadow_budget == 0 ? kDefaultBudget : settings.shadow_budget;
    std::uint64_t left =
        std::min<std::uint64_t>(bytes / (std::uint64_t{size} * size * sizeof(float)), shared::kLightMaps);
    const float scale = level_scale(camera, window, levels.lod_error * std::exp2(settings.shadow_lod_bias));
    std::vector<LightShadow> out;
    std::vector<Candidate> heap = candidates(camera, lights, scene);
    while (left != 0 && !heap.empty()) {
        std::ranges::pop_heap(heap, comes_later);
        const Candidate candidate = heap.back();
        heap.pop_back();
        const CastingLight& light = *candidate.light;
        const std::uint32_t count = light.cone >= kWidestSquare ? 1 : kFaces;
        if (count > left) continue;  // a smaller one may fit
        left -= count;
        const double edge = count == 1 ? std::sqrt(1.0 - double{light.cone} * light.cone) / light.cone : 1.0;
        const double tangent = std::max(edge, 1e-3) * size / (size - 2.0 * kRim);
        LightShadow shadow{light.number, {}};
        for (std::uint32_t i = 0; i < count; ++i) {
            ShadowMapView map;
            map.view = make_pyramid_view(count == 1 ? square_axes(-light.direction) : face_axes(i), light.position,
                                         tangent, std::min(kNearestPart * candidate.range, kNearestMetres));
            map.view.light_passes = true;
            if (levels.lod) map.view.levels = levels_of(camera, candidate, scale);
            map.size = size;
            map.light = light.number;
            map.number = i;
            map.texel = static_cast<float>(2.0 * tangent / size);
            shadow.maps.push_back(map);
        }
        out.push_back(std::move(shadow));
    }
    return out;
}

}  // namespace sublet::render
