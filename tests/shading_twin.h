// What the shading pass makes of a material (shaders/shade/material.glsl, light.glsl), as C++ from the same sources: in
// namespace `twin::exact` with doubles for all of their floats, and in `twin::single` with floats.
#pragma once

#include <cstdint>
#include <functional>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>
#include <vector>

#include "base/glsl.h"
#include "shaders/shared/environment.h"
#include "shaders/shared/lights.h"
#include "shaders/shared/scene.h"
#include "shaders/shared/shade.h"
#include "shaders/shared/shadow.h"

// The shared structs once more, with the twin's own numbers: of another size, in another namespace.
#pragma push_macro("SUBLET_SHARED_BEGIN")
#pragma push_macro("SUBLET_SHARED_END")
#pragma push_macro("SUBLET_CHECK_SIZE")
#undef SUBLET_SHARED_BEGIN
#undef SUBLET_SHARED_END
#undef SUBLET_CHECK_SIZE
#define SUBLET_SHARED_BEGIN
#define SUBLET_SHARED_END
#define SUBLET_CHECK_SIZE(type, bytes)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#ifndef __clang__  // which has no such warning
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

namespace sublet::test::twin {

// The table that shading reads (environment/reflectances.comp) by quadrature in double precision, sampled as by a
// sampler that clamps, at these coordinates.
glm::dvec3 sampled_reflectances(const glm::dvec2& at);

namespace exact {
using vec2 = glm::dvec2;
using vec3 = glm::dvec3;
using vec4 = glm::dvec4;
#define float double
namespace {
#include "tests/shading_twin.inc"
}  // namespace
#undef float
}  // namespace exact

namespace single {
using vec2 = glm::vec2;
using vec3 = glm::vec3;
using vec4 = glm::vec4;
SUBLET_GLSL_BEGIN
namespace {
#include "tests/shading_twin.inc"
}  // namespace
SUBLET_GLSL_END
}  // namespace single

// The same numbers as doubles. `From`: the twin's own structs of floats, or the renderer's.
template <class From>
exact::vec2 to_vec2(const From& v) {
    return {v.x, v.y};
}
template <class From>
exact::vec4 to_vec4(const From& v) {
    return {v.x, v.y, v.z, v.w};
}
template <class From>
exact::TextureSlot to_slot(const From& s) {
    return {s.texture, s.place};
}
template <class From>
exact::PunctualLight to_exact_light(const From& l) {
    exact::PunctualLight out{};
    out.position = to_vec4(l.position);
    out.color = to_vec4(l.color);
    out.direction = to_vec4(l.direction);
    out.kind = l.kind;
    out.cone_scale = l.cone_scale;
    out.cone_offset = l.cone_offset;
    return out;
}
template <class From>
exact::Material to_exact_material(const From& m) {
    exact::Material out{};
    out.base_color = to_vec4(m.base_color);
    out.emissive = to_vec4(m.emissive);
    out.metallic = m.metallic;
    out.roughness = m.roughness;
    out.normal_scale = m.normal_scale;
    out.occlusion_strength = m.occlusion_strength;
    out.base_color_texture = to_slot(m.base_color_texture);
    out.metallic_roughness_texture = to_slot(m.metallic_roughness_texture);
    out.normal_texture = to_slot(m.normal_texture);
    out.occlusion_texture = to_slot(m.occlusion_texture);
    out.emissive_texture = to_slot(m.emissive_texture);
    out.flags = m.flags;
    out.lobes = m.lobes;
    return out;
}
template <class From>
exact::MaterialLobes to_exact_lobes(const From& l) {
    exact::MaterialLobes out{};
    out.specular = to_vec4(l.specular);
    out.sheen = to_vec4(l.sheen);
    out.reflectance = l.reflectance;
    out.clearcoat = l.clearcoat;
    out.clearcoat_roughness = l.clearcoat_roughness;
    out.clearcoat_normal_scale = l.clearcoat_normal_scale;
    out.specular_texture = to_slot(l.specular_texture);
    out.specular_color_texture = to_slot(l.specular_color_texture);
    out.clearcoat_texture = to_slot(l.clearcoat_texture);
    out.clearcoat_roughness_texture = to_slot(l.clearcoat_roughness_texture);
    out.clearcoat_normal_texture = to_slot(l.clearcoat_normal_texture);
    out.sheen_color_texture = to_slot(l.sheen_color_texture);
    out.sheen_roughness_texture = to_slot(l.sheen_roughness_texture);
    out.anisotropy_direction = to_vec2(l.anisotropy_direction);
    out.anisotropy = l.anisotropy;
    out.iridescence = l.iridescence;
    out.film_ior = l.film_ior;
    out.film_thickness_minimum = l.film_thickness_minimum;
    out.film_thickness_maximum = l.film_thickness_maximum;
    out.anisotropy_texture = to_slot(l.anisotropy_texture);
    out.iridescence_texture = to_slot(l.iridescence_texture);
    out.film_thickness_texture = to_slot(l.film_thickness_texture);
    out.transmission = l.transmission;
    out.absorption = to_vec4(l.absorption);
    out.ior = l.ior;
    out.thickness = l.thickness;
    out.transmission_texture = to_slot(l.transmission_texture);
    out.thickness_texture = to_slot(l.thickness_texture);
    return out;
}

}  // namespace sublet::test::twin

#pragma GCC diagnostic pop
#pragma pop_macro("SUBLET_SHARED_BEGIN")
#pragma pop_macro("SUBLET_SHARED_END")
#pragma pop_macro("SUBLET_CHECK_SIZE")
