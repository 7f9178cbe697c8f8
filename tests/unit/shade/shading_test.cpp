// Materials as the shading pass evaluates them: floats against doubles, what all lobes together must add up to, and
// lights as they are specified.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "random.h"
#include "shaders/shared/place_light.h"
#include "tests/shading_twin.h"

namespace sublet::test {
namespace {

namespace exact = twin::exact;
namespace single = twin::single;
using glm::dvec2;
using glm::dvec3;
using glm::dvec4;

// A question to shade_material(), in floats: doubles are asked what these are.
struct Asked {
    single::FrameData frame{};
    single::Material material{};
    single::MaterialLobes lobes{};
    single::SurfacePoint point{};
    glm::vec3 v{0.0F};
    std::vector<glm::vec4> texels;
    std::vector<single::PunctualLight> lights;
};

single::PunctualLight random_light(Random& random, const glm::vec3& before) {
    single::PunctualLight out{};
    out.kind = static_cast<std::uint32_t>(random.between(0.0, 3.0)) % 3U;
    const dvec3 position = random.direction() * random.between(0.5, 3.0);
    const float range = random.part() < 0.3 ? 0.0F : static_cast<float>(random.between(1.0, 4.0));
    out.position = glm::vec4(glm::vec3(position) + before, range);
    out.color = glm::vec4(random.color(), 0.0);
    // At the surface, more or less.
    const dvec3 towards = glm::normalize(random.direction() * 0.6 - glm::normalize(position));
    const double outer = random.between(0.3, 1.5);
    out.direction = glm::vec4(glm::vec3(towards), static_cast<float>(std::cos(outer)));
    out.cone_scale = static_cast<float>(1.0 / std::max(std::cos(outer * random.part()) - std::cos(outer), 0.001));
    out.cone_offset = -out.direction.w * out.cone_scale;
    return out;
}

Asked random_question(Random& random) {
    Asked q;
    const auto number = [&] { return static_cast<float>(random.extreme()); };
    const auto color = [&] { return glm::vec4(random.color(), random.extreme()); };
    const auto slot = [&](double share) {
        shared::TextureSlot out{shared::kNoTexture, 0};
        if (random.part() < share) {
            out.texture = static_cast<std::uint32_t>(q.texels.size());
            q.texels.push_back(color());
        }
        return single::TextureSlot{out.texture, out.place};
    };
    // A map's texel turns a normal by up to 60 degrees.
    const auto normal_slot = [&] {
        const single::TextureSlot out = slot(0.3);
        if (out.texture == shared::kNoTexture) return out;
        const double turn = random.between(0.0, 2.0 * kPiExact);
        const double side = std::sin(random.between(0.0, 1.0));
        const dvec3 texel(side * std::cos(turn), side * std::sin(turn), std::sqrt(1.0 - side * side));
        q.texels.back() = glm::vec4(texel * 0.5 + 0.5, 1.0);
        return out;
    };
    single::Material& m = q.material;
    m.base_color = color();
    m.emissive = glm::vec4(random.color() * (random.part() < 0.2 ? 1.0 : 0.0), 0.5);
    m.metallic = number();
    m.roughness = number();
    m.normal_scale = m.occlusion_strength = 1.0F;
    m.base_color_texture = slot(0.3);
    m.metallic_roughness_texture = slot(0.3);
    m.normal_texture = normal_slot();
    m.occlusion_texture = slot(0.3);
    m.emissive_texture = slot(0.3);
    single::MaterialLobes& l = q.lobes;
    l.specular = color();
    l.sheen = random.part() < 0.3 ? color() : glm::vec4(0.0F);
    l.reflectance = static_cast<float>(random.part() < 0.5 ? 0.04 : random.extreme());
    l.clearcoat = random.part() < 0.3 ? number() : 0.0F;
    l.clearcoat_roughness = number();
    l.clearcoat_normal_scale = 1.0F;
    l.anisotropy = random.part() < 0.5 ? number() : 0.0F;
    const auto turn = static_cast<float>(random.between(-4.0, 4.0));
    l.anisotropy_direction = {std::cos(turn), std::sin(turn)};
    l.iridescence = random.part() < 0.5 ? number() : 0.0F;
    l.film_ior = static_cast<float>(random.part() < 0.1 ? 1.0 : random.between(1.0, 3.0));
    l.film_thickness_minimum = static_cast<float>(random.between(0.0, 400.0));
    l.film_thickness_maximum = static_cast<float>(random.part() < 0.05 ? 1e30 : random.between(0.0, 1500.0));
    l.specular_texture = slot(0.2);
    l.specular_color_texture = slot(0.2);
    l.clearcoat_texture = slot(0.2);
    l.clearcoat_roughness_texture = slot(0.2);
    l.clearcoat_normal_texture = normal_slot();
    l.sheen_color_texture = slot(0.2);
    l.sheen_roughness_texture = slot(0.2);
    l.anisotropy_texture = slot(0.3);
    l.iridescence_texture = slot(0.2);
    l.film_thickness_texture = slot(0.3);
    l.transmission = random.part() < 0.4 ? number() : 0.0F;
    l.thickness = random.part() < 0.6 ? number() : 0.0F;
    l.ior = static_cast<float>(random.part() < 0.1 ? 1.0 : random.between(1.0, 2.5));
    const double spread = random.part() < 0.3 ? random.between(0.0, 0.3) : 0.0;
    l.absorption = glm::vec4(random.color() * 3.0, spread);
    l.transmission_texture = slot(0.2);
    l.thickness_texture = slot(0.2);

    single::SurfacePoint& p = q.point;
    p.scale = static_cast<float>(random.between(0.1, 3.0));
    // Seen by a camera 4 units away along the normal.
    p.clip = {static_cast<float>(random.between(-4.0, 4.0)), static_cast<float>(random.between(-4.0, 4.0)), 4.0F};
    q.frame.view.clip[0].x = q.frame.view.clip[1].y = 1.0F;
    p.normal = {0.0F, 0.0F, 1.0F};
    p.tangent = random.part() < 0.1 ? glm::vec4(0.0F) : glm::vec4(1.0F, 0.0F, 0.0F, random.part() < 0.5 ? 1.0F : -1.0F);
    p.behind = random.part() < 0.2;
    q.frame.view.clip[3].z = p.behind ? 1.0F : -1.0F;
    p.color = glm::vec4(1.0F);
    q.v = random.above();
    const dvec3 sun = random.above();
    q.frame.sun_direction = glm::vec4(glm::vec3(sun), 1.0F);
    if (p.behind) {
        q.v.z = -q.v.z;
        q.frame.sun_direction.z *= -1.0F;
    }
    q.frame.sun_color = glm::vec4(1.0F, 0.9F, 0.8F, 0.0F);
    p.position = {0.5F, -2.0F, 1.0F};
    if (random.part() < 0.3) {
        q.lights = {random_light(random, p.position), random_light(random, p.position)};
    }
    return q;
}

// Light from all around that grows to one side, and what it comes to on a surface.
const dvec3 kBrighter(0.3, 0.2, 0.5);
void light_all_around() {
    exact::around = [](const dvec3& d, double) { return dvec3(1.0, 0.8, 0.6) * (1.0 + glm::dot(d, kBrighter)); };
    single::around = [](const glm::vec3& d, float) {
        return glm::vec3(1.0F, 0.8F, 0.6F) * (1.0F + glm::dot(d, glm::vec3(kBrighter)));
    };
    // Behind is another picture, the duller the more it is blurred.
    exact::seen_behind = [](const dvec2& at, double level) {
        return dvec3(0.6, 0.8, 1.0) * (1.0 + 0.5 * std::sin(at.x + 2.0 * at.y) / (1.0 + level));
    };
    single::seen_behind = [](const glm::vec2& at, float level) {
        return glm::vec3(0.6F, 0.8F, 1.0F) * (1.0F + 0.5F * std::sin(at.x + 2.0F * at.y) / (1.0F + level));
    };
    const dvec3 color = dvec3(1.0, 0.8, 0.6) * kPiExact;
    const std::array<double, 4> factors{1.0, kBrighter.y * 2.0 / 3.0, kBrighter.z * 2.0 / 3.0, kBrighter.x * 2.0 / 3.0};
    for (std::size_t i = 0; i < 4; ++i) {
        exact::irradiance[i] = dvec4(color * factors.at(i), 0.0);
        single::irradiance[i] = glm::vec4(exact::irradiance[i]);
    }
}

glm::dvec3 answer(const Asked& q) {
    exact::FrameData frame{};
    frame.sun_direction = q.frame.sun_direction;
    frame.sun_color = q.frame.sun_color;
    for (std::size_t i = 0; i < 4; ++i) frame.view.clip[i] = q.frame.view.clip[i];
    exact::lobes = {twin::to_exact_lobes(q.lobes)};
    exact::lights.clear();
    for (const single::PunctualLight& light : q.lights) exact::lights.push_back(twin::to_exact_light(light));
    exact::texels.clear();
    for (const glm::vec4& texel : q.texels) exact::texels.emplace_back(texel);
    exact::SurfacePoint p{};
    p.normal = q.point.normal;
    p.tangent = q.point.tangent;
    p.behind = q.point.behind;
    p.color = q.point.color;
    p.clip = q.point.clip;
    p.scale = q.point.scale;
    p.position = q.point.position;
    return exact::shade_material(frame, twin::to_exact_material(q.material), p, q.v);
}

glm::dvec3 float_answer(const Asked& q) {
    single::lobes = {q.lobes};
    single::texels = q.texels;
    single::lights = q.lights;
    return single::shade_material(q.frame, q.material, q.point, q.v);
}

bool is_broad(float roughness, const single::TextureSlot& texture) {
    return roughness >= 0.2F && texture.texture == shared::kNoTexture;
}

// Floats end where doubles do, for random materials of all lobes, at every angle. Where a highlight is narrower than
// roughness 0.2 makes it, half vectors of floats don't lie well enough within it: there only most are near. A film at a
// grazing angle over what reflects nearly all of a colour is as sensitive, and rare. (Which materials are random
// depends on the order in which a compiler has arguments evaluated.)
TEST(Shading, FloatsFollowDoubles) {
    light_all_around();
    Random random(7);
    double worst_broad = 0.0;
    double worst = 0.0;
    std::size_t off = 0;
    std::size_t off_films = 0;
    constexpr std::size_t kQuestions = 200000;
    for (std::size_t i = 0; i < kQuestions; ++i) {
        const Asked q = random_question(random);
        const dvec3 expected = answer(q);
        const dvec3 got = float_answer(q);
        double error = 0.0;
        for (int c = 0; c < 3; ++c) {
            ASSERT_TRUE(std::isfinite(got[c]) && std::isfinite(expected[c])) << i;
            ASSERT_GE(expected[c], 0.0) << i;
            ASSERT_GE(got[c], 0.0) << i;
            error = std::max(error, std::abs(got[c] - expected[c]) / (0.05 + expected[c]));
        }
        const bool broad =
            is_broad(q.material.roughness, q.material.metallic_roughness_texture) &&
            (q.lobes.clearcoat == 0.0F || is_broad(q.lobes.clearcoat_roughness, q.lobes.clearcoat_roughness_texture));
        const bool film = q.lobes.iridescence > 0.0F && q.v.z < 1e-3F;
        if (broad && film && error >= 5e-4) {
            ++off_films;
            EXPECT_LT(error, 0.2);
            continue;
        }
        (broad ? worst_broad : worst) = std::max(broad ? worst_broad : worst, error);
        off += error > 1e-3 ? 1 : 0;
    }
    EXPECT_LT(worst_broad, 5e-4);
    EXPECT_LT(worst, 0.15);
    EXPECT_LT(off * 400, kQuestions);
    EXPECT_LE(off_films, 2U);
}

// In white light from all around, of which no material makes more.
void light_white() {
    exact::around = [](const dvec3&, double) { return dvec3(1.0); };
    exact::seen_behind = [](const dvec2&, double) { return dvec3(1.0); };
    std::fill(std::begin(exact::irradiance), std::end(exact::irradiance), dvec4(0.0));
    exact::irradiance[0] = dvec4(kPiExact);
}

TEST(Shading, NothingMakesLight) {
    light_white();
    Random random(8);
    for (int i = 0; i < 50000; ++i) {
        Asked q = random_question(random);
        q.frame.sun_color = glm::vec4(0.0F);
        q.lights.clear();
        q.material.emissive = glm::vec4(0.0F);
        const dvec3 out = answer(q);
        for (int c = 0; c < 3; ++c) ASSERT_LE(out[c], 1.0001) << i;
    }
}

// A white metal, and a white wall under any film or varnish, reflect all.
TEST(Shading, WhiteFurnace) {
    light_white();
    Random random(9);
    for (int i = 0; i < 20000; ++i) {
        Asked q = random_question(random);
        q.texels.clear();
        single::Material material{};
        single::MaterialLobes l = q.lobes;
        material.base_color = glm::vec4(1.0F);
        material.roughness = q.material.roughness;
        material.occlusion_strength = 1.0F;
        material.metallic = i % 2 == 0 ? 1.0F : 0.0F;
        if (i % 2 == 0) l.iridescence = 0.0F;  // of a metal it takes away
        material.base_color_texture = material.metallic_roughness_texture = material.normal_texture =
            material.occlusion_texture = material.emissive_texture = {shared::kNoTexture, 0};
        l.specular_texture = l.specular_color_texture = l.clearcoat_texture = l.clearcoat_roughness_texture =
            l.clearcoat_normal_texture = l.sheen_color_texture = l.sheen_roughness_texture = l.anisotropy_texture =
                l.iridescence_texture = l.film_thickness_texture = l.transmission_texture =
                    l.thickness_texture = {shared::kNoTexture, 0};
        l.absorption = glm::vec4(0.0F);  // clear
        const float sheen = l.sheen.x;   // white fibres
        l.sheen = glm::vec4(sheen, sheen, sheen, l.sheen.w);
        q.material = material;
        q.lobes = l;
        q.frame.sun_color = glm::vec4(0.0F);
        q.lights.clear();
        const dvec3 out = answer(q);
        for (int c = 0; c < 3; ++c) ASSERT_NEAR(out[c], 1.0, 0.005) << i;
    }
}

// One that stands where the sun does, as bright, is the sun, on every layer; two of half its light are, too.
TEST(Shading, DirectionalLightsAreSuns) {
    light_all_around();
    Random random(14);
    for (int i = 0; i < 20000; ++i) {
        Asked q = random_question(random);
        q.lights.clear();
        const dvec3 sunlit = answer(q);
        single::PunctualLight light{};
        light.kind = shared::kLightDirectional;
        light.color = q.frame.sun_color * 0.5F;
        light.direction = -q.frame.sun_direction;
        q.frame.sun_color = glm::vec4(0.0F);
        q.lights = {light, light};
        const dvec3 got = answer(q);
        for (int c = 0; c < 3; ++c) ASSERT_NEAR(got[c], sunlit[c], 1e-9 * (1.0 + sunlit[c])) << i;
    }
}

struct FileLight {
    bool spot = false;
    dvec3 color{0.0};
    double intensity = 0.0;
    float range = 0.0F;
    double inner = 0.0, outer = 0.0;
    dvec3 direction{0.0};
};

// KHR_lights_punctual's own text.
dvec3 light_as_specified(const FileLight& light, const dvec3& to_light) {
    const double distance = glm::length(to_light);
    double share = 1.0 / (distance * distance);
    if (light.range > 0.0F) {
        share = std::max(std::min(1.0 - std::pow(distance / light.range, 4.0), 1.0), 0.0) / (distance * distance);
    }
    if (light.spot) {
        const double scale = 1.0 / std::max(0.001, std::cos(light.inner) - std::cos(light.outer));
        const double offset = -std::cos(light.outer) * scale;
        const double cosine = glm::dot(light.direction, -to_light / distance);
        share *= std::pow(std::clamp(cosine * scale + offset, 0.0, 1.0), 2.0);
    }
    return light.color * light.intensity * share;
}

TEST(PunctualLights, AreAsSpecified) {
    Random random(15);
    for (int i = 0; i < 50000; ++i) {
        FileLight light;
        light.spot = i % 2 == 1;
        light.color = random.color();
        light.intensity = random.between(0.0, 100.0);
        light.range = static_cast<float>(random.part() < 0.3 ? 0.0 : random.between(0.5, 4.0));
        light.outer = random.between(0.05, 1.57);
        light.inner = light.outer * random.part();
        light.direction = random.direction();
        const dvec3 position = random.direction() * 5.0;
        const dvec3 to_light = random.direction() * random.between(0.1, 3.0);
        const dvec3 long_direction = light.direction * random.between(0.01, 100.0);
        const auto number = [](double x) { return static_cast<float>(x); };
        const shared::PunctualLight placed = shared::place_light(
            light.spot ? shared::kLightSpot : shared::kLightPoint,
            {number(light.color.x), number(light.color.y), number(light.color.z), 0.0F}, number(light.intensity),
            light.range, {number(light.inner), number(light.outer)},
            {number(position.x + to_light.x), number(position.y + to_light.y), number(position.z + to_light.z), 0.0F},
            {number(long_direction.x), number(long_direction.y), number(long_direction.z), 0.0F});
        const exact::Arriving got = exact::punctual_light(twin::to_exact_light(placed), position);
        const dvec3 expected = light_as_specified(light, to_light);
        // A narrow cone's edge is steep.
        const double steep = light.spot ? placed.cone_scale : 1.0;
        const double most = light.intensity / glm::dot(to_light, to_light);
        for (int c = 0; c < 3; ++c) ASSERT_NEAR(got.irradiance[c], expected[c], 2e-6 * most * (10.0 + steep)) << i;
        ASSERT_NEAR(glm::dot(got.direction, glm::normalize(to_light)), 1.0, 1e-6);
        if (light.range > 0.0F && glm::length(to_light) > light.range * 1.00001) {
            ASSERT_EQ(got.irradiance, dvec3(0.0)) << "to the bit";
        }
    }
}

}  // namespace
}  // namespace sublet::test
