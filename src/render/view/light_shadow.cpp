#include "render/view/light_shadow.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <optional>
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
// How much further than its range a light's map reaches.
constexpr float kBeyondRange = 1.01F;
// A step of the place that levels of detail are chosen from, in distances of what is lit.
constexpr float kEyeStep = 0x1p-3F;

struct Candidate {
    const CastingLight* light;
    float range;     // or where the scene ends
    float distance;  // of the eye
};

// Whether what is lit from around there falls on anything that the camera may see.
bool reaches(const View& camera, const glm::vec3& position, float range) {
    return std::ranges::all_of(camera.planes, [&](const glm::vec4& plane) {
        return glm::dot(glm::vec3(plane), position) + plane.w >= -range;
    });
}

// The lights that light something in the picture, the largest on the screen first; equals by their numbers. A block is
// looked into once no light that was found is as large as it may have.
class Largest {
  public:
    Largest(const View& camera, const CastingLights& lights, const glm::vec4& scene)
        : camera_(camera), lights_(lights), scene_(scene) {
        for (const CastingLights::Block& block : lights.blocks()) {
            const float range = std::min(block.range, end_of(block.centre) + block.radius) * kRounding;
            if (!reaches(camera, block.centre, range + block.radius)) continue;
            const float nearest = glm::distance(block.centre, camera.eye) - block.radius * kRounding;
            heap_.push_back({.size = size_of(range, nearest), .block = &block});
        }
        std::ranges::make_heap(heap_, comes_later);
    }

    [[nodiscard]] std::optional<Candidate> take() {
        while (!heap_.empty()) {
            std::ranges::pop_heap(heap_, comes_later);
            const Entry entry = heap_.back();
            heap_.pop_back();
            if (entry.block == nullptr) return entry.found;
            look_into(*entry.block);
        }
        return std::nullopt;
    }

  private:
    static constexpr float kRounding = 1.0001F;  // of blocks' bounds, which are as large as any of their lights

    struct Entry {
        float size = 0.0F;  // on the screen, of a block at most
        const CastingLights::Block* block = nullptr;
        Candidate found{};
    };

    // Whether it is smaller; or equal with a higher number, or a light where the other is a block.
    static bool comes_later(const Entry& a, const Entry& b) {
        const auto number = [](const Entry& of) { return of.block == nullptr ? of.found.light->number + 1.0 : 0.0; };
        return std::tuple(a.size, number(b)) < std::tuple(b.size, number(a));
    }

    // Where the scene ends for a light at that place.
    [[nodiscard]] float end_of(const glm::vec3& place) const {
        return glm::distance(place, glm::vec3(scene_)) + scene_.w;
    }

    [[nodiscard]] float size_of(float range, float distance) const {
        return camera_.orthographic ? range : range / std::max(distance, 1e-30F);
    }

    void look_into(const CastingLights::Block& block) {
        for (std::size_t i = block.first; i < block.first + block.count; ++i) {
            const CastingLight& light = lights_[i];
            if (light.dark) continue;
            const float end = end_of(light.position);
            const float range = light.range > 0.0F ? std::min(light.range, end) : end;
            if (!(range > 0.0F) || !std::isfinite(range) || !reaches(camera_, light.position, range)) continue;
            const float distance = glm::distance(light.position, camera_.eye);
            heap_.push_back({.size = size_of(range, distance), .found = {&light, range, distance}});
            std::ranges::push_heap(heap_, comes_later);
        }
    }

    const View& camera_;
    const CastingLights& lights_;
    glm::vec4 scene_;
    std::vector<Entry> heap_;
};

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

std::vector<LightShadow> fit_light_shadows(const View& camera, std::uint32_t window, const CastingLights& lights,
                                           const glm::vec4& scene, const ShadowSettings& settings,
                                           const LevelSettings& levels) {
    const std::uint32_t size = settings.shadow_light_resolution;
    const std::uint64_t bytes = settings.shadow_budget == 0 ? kDefaultBudget : settings.shadow_budget;
    std::uint64_t left =
        std::min<std::uint64_t>(bytes / (std::uint64_t{size} * size * sizeof(float)), shared::kLightMaps);
    const float scale = level_scale(camera, window, levels.lod_error * std::exp2(settings.shadow_lod_bias));
    std::vector<LightShadow> out;
    Largest largest(camera, lights, scene);
    while (left != 0) {
        const std::optional<Candidate> candidate = largest.take();
        if (!candidate) break;
        const CastingLight& light = *candidate->light;
        const std::uint32_t count = light.cone >= kWidestSquare ? 1 : kFaces;
        if (count > left) continue;  // a smaller one may fit
        left -= count;
        const double edge = count == 1 ? std::sqrt(1.0 - double{light.cone} * light.cone) / light.cone : 1.0;
        const double tangent = std::max(edge, 1e-3) * size / (size - 2.0 * kRim);
        LightShadow shadow{light.number, {}};
        for (std::uint32_t i = 0; i < count; ++i) {
            ShadowMapView map;
            map.view = make_pyramid_view(count == 1 ? square_axes(-light.direction) : face_axes(i), light.position,
                                         tangent, std::min(kNearestPart * candidate->range, kNearestMetres));
            map.view.light_passes = true;
            if (levels.lod) map.view.levels = levels_of(camera, *candidate, scale);
            map.size = size;
            map.light = light.number;
            map.number = i;
            map.texel = static_cast<float>(2.0 * tangent / size);
            // Beyond its range a light has no shadows: culling finds it hidden.
            if (light.range > 0.0F) map.cleared = map.view.near_plane / (kBeyondRange * light.range);
            shadow.maps.push_back(map);
        }
        out.push_back(std::move(shadow));
    }
    return out;
}

}  // namespace sublet::render
