// Materials as the shading pass evaluates them: floats against doubles, and what all lobes together must add up to.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "shaders/shared/place_light.h"
#include "tests/shading_twin.h"

namespace sublet::test {
namespace {

namespace exact = twin::exact;
namespace single = twin::single;
using glm::dvec2;
using glm::dvec3;
using glm::dvec4;

constexpr double kPiExact = std::numbers::pi;

struct FileLight {
    bool spot = false;
    dvec3 color{0.0};
    double intensity = 0.0;
    float range = 0.0F;
    double inner = 0.0, outer = 0.0;
    dvec3 direction{0.0};
};

class Random {
  public:
    explicit Random(unsigned seed) : engine_(seed) {}
    double part() { return static_cast<double>(engine_()) / 4294967295.0; }
    // Often one of the two ends.
    double extreme() {
        const double x = part();
        return x < 0.15 ? 0.0 : x > 0.85 ? 1.0 : part();
    }
    double between(double low, double high) { return low + (high - low) * part(); }
    dvec3 color() { return {extreme(), extreme(), extreme()}; }
    dvec3 direction() {
        const double z = between(-1.0, 1.0);
        const double turn = between(0.0, 2.0 * kPiExact);
        const double side = std::sqrt(1.0 - z * z);
        return {side * std::cos(turn), side * std::sin(turn), z};
    }
    // Above the surface, often along it or straight above.
    dvec3 above() {
        const double x = part();
        const double z = x < 0.1 ? 1e-4 : x < 0.2 ? 1.0 - 1e-6 : std::abs(direction().z);
        const double turn = between(0.0, 2.0 * kPiExact);
        const double side = std::sqrt(1.0 - z * z);
        return {side * std::cos(turn), side * std::sin(turn), z};
    }

  private:
    std::mt19937 engine_;
};

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

exact::Surface surface(double roughness, double anisotropy) {
    exact::Surface s{};
    s.normal = {0.0, 0.0, 1.0};
    s.tangent = {1.0, 0.0, 0.0};
    s.f0 = s.f90 = dvec3(1.0);
    s.roughness = roughness;
    s.occlusion = s.sun = 1.0;
    s.anisotropy = anisotropy;
    return s;
}

double microfacets(const exact::Surface& s, const dvec3& l, const dvec3& v) {
    return exact::microfacets(s, l, v, glm::normalize(l + v), l.z, v.z);
}

TEST(Shading, LobesAreReciprocal) {
    Random random(10);
    for (int i = 0; i < 10000; ++i) {
        const exact::Surface s = surface(random.extreme(), random.extreme());
        const dvec3 l = random.above();
        const dvec3 v = random.above();
        const double there = microfacets(s, l, v);
        EXPECT_NEAR(there, microfacets(s, v, l), 1e-9 * (1.0 + there));
    }
}

// Of no strength it is the lobe that is the same all around.
TEST(Shading, AnisotropyGrowsFromNothing) {
    Random random(11);
    for (int i = 0; i < 10000; ++i) {
        const double roughness = random.extreme();
        const dvec3 l = random.above();
        const dvec3 v = random.above();
        const double even = microfacets(surface(roughness, 0.0), l, v);
        EXPECT_NEAR(microfacets(surface(roughness, 1e-6), l, v), even, 1e-4 * (1e-3 + even));
    }
}

constexpr std::array kRoughnesses{0.0, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0};
constexpr std::array kStrengths{0.2, 0.4, 0.6, 0.8, 1.0};
constexpr std::array kCosines{0.1, 0.2, 0.4, 0.6, 0.8, 0.95};

dvec3 viewer(double n_v, double turn) {
    const double side = std::sqrt(1.0 - n_v * n_v);
    return {side * std::cos(turn), side * std::sin(turn), n_v};
}

// Calls add(l, v_h, weight) for half vectors spread as the surface's facets are: light from `l` that they reflect to
// the viewer at a reflectance of 1. The weights are those of a mean over all half vectors.
template <class Add>
void for_each_reflection(const exact::Surface& s, const dvec3& v, int rings, int spokes, const Add& add) {
    const dvec2 alpha = exact::anisotropic_alpha(s);
    for (int i = 0; i < rings * spokes; ++i) {
        const double part = (i / spokes + 0.5) / rings;
        const double slope = std::sqrt(part / (1.0 - part));
        const double turn = 2.0 * kPiExact * (i % spokes + 0.5) / spokes;
        const dvec3 h = glm::normalize(dvec3(alpha.x * slope * std::cos(turn), alpha.y * slope * std::sin(turn), 1.0));
        const double v_h = glm::dot(v, h);
        const dvec3 l = 2.0 * v_h * h - v;
        if (v_h <= 0.0 || l.z <= 0.0) continue;
        const double density = exact::distribution_ggx_anisotropic(h, alpha) * h.z / (4.0 * v_h);
        add(l, v_h, exact::microfacets(s, l, v, h, l.z, v.z) * l.z / (density * rings * spokes));
    }
}

TEST(Shading, AnisotropicFacetsCoverTheSurfaceOnce) {
    for (const double across : {0.05, 0.3, 1.0}) {
        for (const double along : {0.05, 0.5, 1.0}) {
            double sum = 0.0;
            constexpr int kSide = 2000;
            for (int i = 0; i < kSide * kSide; ++i) {
                // Denser towards the normal.
                const double x = (i / kSide + 0.5) / kSide;
                const double angle = 0.5 * kPiExact * x * x * x;
                const double turn = 2.0 * kPiExact * (i % kSide + 0.5) / kSide;
                const dvec3 h(std::sin(angle) * std::cos(turn), std::sin(angle) * std::sin(turn), std::cos(angle));
                sum += exact::distribution_ggx_anisotropic(h, {along, across}) * h.z * std::sin(angle) * 1.5 *
                       kPiExact * x * x * 2.0 * kPiExact / kSide / kSide;
            }
            EXPECT_NEAR(sum, 1.0, 1e-3) << along << ' ' << across;
        }
    }
}

// What a white metal reflects of a sun, over all directions that it may stand in: all of it where facets are spread
// evenly. Anisotropic ones are taken to reflect what even ones of another roughness do: that is what is off.
TEST(Shading, SunlightIsKept) {
    double squares = 0.0;
    double least = 1.0;
    double most = 1.0;
    int count = 0;
    for (const double roughness : kRoughnesses) {
        for (const double n_v : kCosines) {
            const auto kept = [&](double strength, double turn) {
                const exact::Surface s = surface(roughness, strength);
                const dvec3 v = viewer(n_v, turn);
                double reflected = 0.0;
                for_each_reflection(s, v, 200, 128, [&](const dvec3&, double, double weight) { reflected += weight; });
                const double even = strength == 0.0 ? roughness : exact::even_roughness(exact::anisotropic_alpha(s));
                dvec3 more;
                exact::reflected_share(s, v, even, dvec2(exact::reflectances_at(n_v, even)), more);
                return reflected * more.x;
            };
            EXPECT_NEAR(kept(0.0, 0.0), 1.0, 0.005) << roughness << ' ' << n_v;
            for (const double strength : kStrengths) {
                for (const double turn : {0.0, 0.25, 0.5, 0.75, 1.0}) {
                    const double sum = kept(strength, 0.5 * kPiExact * turn);
                    squares += (sum - 1.0) * (sum - 1.0);
                    least = std::min(least, sum);
                    most = std::max(most, sum);
                    ++count;
                }
            }
        }
    }
    EXPECT_LT(std::sqrt(squares / count), 0.05);
    EXPECT_GT(least, 0.62);
    EXPECT_LT(most, 1.13);
}

// Surroundings of hard and soft edges.
std::vector<std::function<double(const dvec3&)>> surroundings() {
    Random random(12);
    std::vector<std::function<double(const dvec3&)>> out;
    for (int i = 0; i < 6; ++i) {
        const dvec3 a = random.direction();
        const dvec3 b = random.above();
        out.emplace_back([a](const dvec3& d) { return glm::dot(a, d) > 0.0 ? 1.0 : 0.0; });
        out.emplace_back([b](const dvec3& d) { return glm::dot(b, d) > 0.95 ? 5.0 : 0.2; });
        out.emplace_back([a](const dvec3& d) { return 0.5 + 0.5 * glm::dot(a, d); });
    }
    return out;
}

// As environment/filter.comp makes a level of a cube.
double filtered(const std::function<double(const dvec3&)>& light, const dvec3& n, double roughness) {
    const double alpha = exact::ggx_alpha(roughness);
    const dvec3 right = glm::normalize(glm::cross(std::abs(n.y) < 0.9 ? dvec3(0, 1, 0) : dvec3(1, 0, 0), n));
    const dvec3 above = glm::cross(n, right);
    double sum = 0.0;
    double weights = 0.0;
    constexpr int kRings = 16;
    constexpr int kSpokes = 16;
    for (int i = 0; i < kRings * kSpokes; ++i) {
        const double part = (i / kSpokes + 0.5) / kRings;
        const double slope = alpha * std::sqrt(part / (1.0 - part));
        const double turn = 2.0 * kPiExact * (i % kSpokes + 0.5) / kSpokes;
        const dvec3 h = glm::normalize(n + slope * (std::cos(turn) * right + std::sin(turn) * above));
        const dvec3 l = 2.0 * glm::dot(h, n) * h - n;
        const double n_l = glm::dot(n, l);
        if (n_l <= 0.0) continue;
        sum += light(l) * n_l;
        weights += n_l;
    }
    return sum / weights;
}

// What is mirrored of all around, against the lobe's own integral: about as near as of facets that are spread evenly,
// and nearer than any one direction's light.
TEST(Shading, AnisotropicReflectionsAreNearTheirLobes) {
    const auto all = surroundings();
    double even = 0.0;
    double squares = 0.0;
    double one_direction = 0.0;
    int count = 0;
    for (const double roughness : {0.1, 0.25, 0.4, 0.6, 0.8}) {
        for (const double strength : {0.3, 0.6, 0.85, 1.0}) {
            for (const double n_v : {0.25, 0.5, 0.75, 0.98}) {
                for (const double turn : {0.0, 0.5, 1.0}) {
                    const exact::Surface s = surface(roughness, strength);
                    const dvec3 v = viewer(n_v, 0.5 * kPiExact * turn);
                    const double mean_roughness = exact::even_roughness(exact::anisotropic_alpha(s));
                    for (const auto& light : all) {
                        const auto lobe = [&](const exact::Surface& of, dvec3& mean) {
                            double sum = 0.0;
                            double weights = 0.0;
                            mean = dvec3(0.0);
                            for_each_reflection(of, v, 32, 48, [&](const dvec3& l, double, double weight) {
                                sum += weight * light(l);
                                weights += weight;
                                mean += weight * l;
                            });
                            return sum / weights;
                        };
                        exact::around = [&](const dvec3& d, double r) { return dvec3(filtered(light, d, r)); };
                        dvec3 mean;
                        const exact::Surface plain = surface(roughness, 0.0);
                        const double error_even = exact::mirrored_radiance(plain, v, n_v).x - lobe(plain, mean);
                        const double expected = lobe(s, mean);
                        const double error = exact::mirrored_radiance(s, v, n_v).x - expected;
                        const double error_one = filtered(light, glm::normalize(mean), mean_roughness) - expected;
                        even += error_even * error_even;
                        squares += error * error;
                        one_direction += error_one * error_one;
                        ++count;
                    }
                }
            }
        }
    }
    const auto root = [&](double sum) { return std::sqrt(sum / count); };
    EXPECT_LT(root(even), 0.06);
    EXPECT_LT(root(squares), 0.08);
    EXPECT_GT(root(one_direction), 0.1);
}

// KHR_materials_iridescence's own text, step by step, but that phases are of channels of sRGB and not of XYZ.
dvec3 film_as_specified(double cosine, const dvec3& f0, double ior, double thickness) {
    const auto schlick = [](double at_normal, double c) {
        return at_normal + (1.0 - at_normal) * std::pow(1.0 - c, 5);
    };
    const auto sensitivity = [](double path, double shift) {
        const double phase = 2.0 * kPiExact * path * 1.0e-9;
        const auto lobe = [&](double value, double position, double variance) {
            return value * std::sqrt(2.0 * kPiExact * variance) * std::cos(position * phase + shift) *
                   std::exp(-phase * phase * variance) / 1.0685e-7;
        };
        const dvec3 xyz(lobe(5.4856e-13, 1.6810e+06, 4.3278e+09) + lobe(9.7470e-14, 2.2399e+06, 4.5282e+09),
                        lobe(4.4201e-13, 1.7953e+06, 9.3046e+09), lobe(5.2481e-13, 2.2084e+06, 6.6121e+09));
        return dvec3(glm::dot(dvec3(3.2404542, -1.5371385, -0.4985314), xyz),
                     glm::dot(dvec3(-0.9692660, 1.8760108, 0.0415560), xyz),
                     glm::dot(dvec3(0.0556434, -0.2040259, 1.0572252), xyz));
    };
    const double cosine_within = std::sqrt(1.0 - (1.0 - cosine * cosine) / (ior * ior));
    const double r12 = schlick(std::pow((ior - 1.0) / (ior + 1.0), 2), cosine);
    const double t121 = 1.0 - r12;
    const double path = 2.0 * ior * thickness * cosine_within;
    dvec3 out;
    for (int c = 0; c < 3; ++c) {
        const double root = std::sqrt(std::min(f0[c], 0.9999999));
        const double base_ior = (1.0 + root) / (1.0 - root);
        const double r23 = schlick(std::pow((base_ior - ior) / (base_ior + ior), 2), cosine_within);
        const double phi = kPiExact + (base_ior < ior ? kPiExact : 0.0);
        const double r123 = std::min(r12 * r23, 0.99999999);
        const double rs = t121 * t121 * r23 / (1.0 - r123);
        double sum = r12 + rs;
        double factor = rs - t121;
        for (int m = 1; m <= 2; ++m) {
            factor *= std::sqrt(r123);
            sum += factor * 2.0 * sensitivity(m * path, m * phi)[c];
        }
        out[c] = std::clamp(sum, 0.0, 1.0);
    }
    return out;
}

TEST(ThinFilm, IsAsSpecified) {
    Random random(13);
    for (int i = 0; i < 100000; ++i) {
        const double cosine = random.extreme();
        const dvec3 f0 = random.color() * 0.999;
        const double ior = random.between(1.0, 3.0);
        const double thickness = random.between(0.0, 1500.0);
        const dvec3 expected = film_as_specified(cosine, f0, ior, thickness);
        const dvec3 got = exact::thin_film(cosine, f0, ior, thickness);
        const glm::vec3 in_floats = single::thin_film(static_cast<float>(cosine), glm::vec3(f0),
                                                      static_cast<float>(ior), static_cast<float>(thickness));
        for (int c = 0; c < 3; ++c) {
            EXPECT_NEAR(got[c], expected[c], 2e-5) << i;
            EXPECT_NEAR(in_floats[c], got[c], 5e-4) << i;
        }
    }
}

// Hostile numbers too give a reflectance.
TEST(ThinFilm, IsAReflectance) {
    constexpr float kMost = std::numeric_limits<float>::max();
    for (const float ior : {1.0F, 1.3F, 100.0F, 1e20F, kMost}) {
        for (const float thickness : {0.0F, 1e-30F, 400.0F, 1e20F, kMost}) {
            for (const float f0 : {0.0F, 0.04F, 1.0F}) {
                for (const float cosine : {0.0F, 1e-7F, 0.5F, 1.0F}) {
                    const glm::vec3 film = single::thin_film(cosine, glm::vec3(f0), ior, thickness);
                    EXPECT_TRUE(film.x >= 0.0F && film.x <= 1.0F) << ior << ' ' << thickness << ' ' << f0;
                }
            }
        }
    }
}

// Of a rough surface the film is seen at one angle for all facets: its colour, against the sum over them.
TEST(ThinFilm, IsSeenAtTheMeanAngle) {
    double squares = 0.0;
    double worst = 0.0;
    int count = 0;
    for (const double roughness : kRoughnesses) {
        for (const double n_v : kCosines) {
            for (const double thickness : {100.0, 250.0, 400.0, 700.0}) {
                for (const double f0 : {0.04, 0.8}) {
                    exact::Surface s = surface(roughness, 0.0);
                    s.f0 = dvec3(f0);
                    s.iridescence = 1.0;
                    s.film_ior = 1.8;
                    s.film_thickness = thickness;
                    const dvec3 v = viewer(n_v, 0.0);
                    dvec3 expected(0.0);
                    for_each_reflection(s, v, 200, 128, [&](const dvec3&, double v_h, double weight) {
                        expected += weight * exact::facet_reflectance(s, v_h);
                    });
                    dvec3 more;
                    const dvec2 sums(exact::reflectances_at(n_v, roughness));
                    const dvec3 got = exact::reflected_share(s, v, roughness, sums, more) / more;
                    for (int c = 0; c < 3; ++c) {
                        squares += std::pow(got[c] - expected[c], 2);
                        worst = std::max(worst, std::abs(got[c] - expected[c]));
                        ++count;
                    }
                }
            }
        }
    }
    EXPECT_LT(std::sqrt(squares / count), 0.02);
    EXPECT_LT(worst, 0.15);
}

}  // namespace
}  // namespace sublet::test
