#include "lights.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <glm/geometric.hpp>

namespace sublet::reference {
namespace {

// Of the cosine of the angle that light comes from: normals are of single precision, and of 16 bits in the file.
constexpr double kCosineSlack = 0.01;
// Light that falls flatter on a triangle is not judged: its shadow's edge is blurred over much of it.
constexpr double kFlattest = 0.25;
// Texels around a point within which the edge of a shadow may show, and how far from the surface, towards the light.
constexpr double kReach = 2.5;
constexpr double kBias = 1.0;
// The part of the way to a light, seen from a surface, that casts no shadow, and more.
constexpr double kLamp = 0.02;

double square(double x) {
    return x * x;
}

// Of a surface that faces the light.
glm::dvec3 irradiance(const Light& light, const glm::dvec3& to_light) {
    const double distance = glm::length(to_light);
    double strength = light.intensity / square(distance);
    if (light.range > 0.0) strength *= std::clamp(1.0 - std::pow(distance / light.range, 4.0), 0.0, 1.0);
    if (light.spot) {
        const double angle = std::acos(std::clamp(-glm::dot(to_light, light.direction) / distance, -1.0, 1.0));
        const double part = (std::cos(angle) - std::cos(light.outer)) / (std::cos(light.inner) - std::cos(light.outer));
        strength *= square(std::clamp(part, 0.0, 1.0));
    }
    return strength * light.color;
}

enum class Way : std::uint8_t { kOpen, kShut, kUnknown };

// From a point to a light, past triangles that cast shadows: those that face it, or have two sides.
Way way_to(const Scene& scene, const glm::dvec3& from, const glm::dvec3& to_light) {
    Way out = Way::kOpen;
    for (const Triangle& triangle : scene.triangles) {
        const glm::dvec3 a = triangle.corners[0].position;
        const glm::dvec3 u = triangle.corners[1].position - a;
        const glm::dvec3 v = triangle.corners[2].position - a;
        const glm::dvec3 n = glm::cross(u, v);
        const double along = glm::dot(n, to_light);
        const Material& material = scene.materials[triangle.material];
        const bool faces = (along > 0.0) != triangle.mirrored;
        if (along == 0.0 || !material.casts || (!faces && !material.double_sided)) continue;
        const double t = glm::dot(n, a - from) / along;
        if (t <= 0.0 || t >= 1.0 - kLamp) continue;
        const glm::dvec3 at = from + t * to_light - a;
        const double of_u = glm::dot(glm::cross(at, v), n) / glm::dot(n, n);
        const double of_v = glm::dot(glm::cross(u, at), n) / glm::dot(n, n);
        if (of_u < 0.0 || of_v < 0.0 || of_u + of_v > 1.0) continue;
        if (material.cutoff == 0.0 && !material.blends) return Way::kShut;
        out = Way::kUnknown;  // through a mask, perhaps, or what blends
    }
    return out;
}

// From everywhere on the plane within kReach texels, as the light sees them.
Way way_from_around(const Scene& scene, const Light& light, const glm::dvec3& position, const glm::dvec3& plane) {
    const glm::dvec3 to_light = light.position - position;
    const double distance = glm::length(to_light);
    const glm::dvec3 towards = to_light / distance;
    const glm::dvec3 right = glm::normalize(glm::cross(towards, glm::dvec3(0.3, 1.0, 0.2)));
    const glm::dvec3 above = glm::cross(towards, right);
    const double texel = light.texel * distance;
    std::array<bool, 3> found{};
    for (int i = 0; i < 9; ++i) {
        const glm::dvec3 aside = kReach * texel * (double(i % 3 - 1) * right + double(i / 3 - 1) * above);
        const double along = kBias * texel - glm::dot(aside, plane) / glm::dot(towards, plane);
        const glm::dvec3 from = position + aside + along * towards;
        found.at(static_cast<std::size_t>(way_to(scene, from, light.position - from))) = true;
        if (std::count(found.begin(), found.end(), true) > 1) return Way::kUnknown;
    }
    return found[0] ? Way::kOpen : found[1] ? Way::kShut : Way::kUnknown;
}

}  // namespace

Lit light_at(const Scene& scene, const Triangle& triangle, const glm::dvec3& position, const glm::dvec3& normal) {
    const glm::dvec3 plane = glm::normalize(glm::cross(triangle.corners[1].position - triangle.corners[0].position,
                                                       triangle.corners[2].position - triangle.corners[0].position));
    Lit out;
    for (const Light& light : scene.lights) {
        const glm::dvec3 to_light = light.position - position;
        const glm::dvec3 towards = glm::normalize(to_light);
        const double cosine = glm::dot(normal, towards);
        const glm::dvec3 falls = irradiance(light, to_light);
        if (cosine < -kCosineSlack || falls == glm::dvec3(0.0)) continue;
        Way way = Way::kUnknown;
        if (std::abs(glm::dot(plane, towards)) > kFlattest) way = way_from_around(scene, light, position, plane);
        if (way == Way::kOpen) out.low += falls * std::max(cosine - kCosineSlack, 0.0);
        if (way != Way::kShut) out.high += falls * (cosine + kCosineSlack);
    }
    return out;
}

}  // namespace sublet::reference
