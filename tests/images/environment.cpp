// Light from all around: where a picture's directions are seen and mirrored, and that no lobe loses or makes light.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <numbers>
#include <optional>

#include "../unit/scene/environment_files.h"
#include "harness.h"
#include "render/settings/backend_info.h"
#include "render/view/sun.h"
#include "shapes.h"

namespace sublet::test::environment_test {
namespace {

using scene::testing::Radiance;

constexpr std::uint32_t kSize = 128;  // of pictures, in pixels
constexpr float kSphereRadius = 1.0F;

scene::SourceMesh make_sphere(int rings, int segments) {
    scene::SourceMesh out;
    for (int y = 0; y <= rings; ++y) {
        for (int x = 0; x <= segments; ++x) {
            const float theta = std::numbers::pi_v<float> * static_cast<float>(y) / static_cast<float>(rings);
            const float phi = 2.0F * std::numbers::pi_v<float> * static_cast<float>(x) / static_cast<float>(segments);
            const glm::vec3 n(std::sin(theta) * std::sin(phi), std::cos(theta), std::sin(theta) * std::cos(phi));
            out.positions.push_back({n.x * kSphereRadius, n.y * kSphereRadius, n.z * kSphereRadius});
            out.normals.push_back({n.x, n.y, n.z});
            out.uv0.push_back({phi, theta});
        }
    }
    const auto row = static_cast<std::uint32_t>(segments + 1);
    for (std::uint32_t y = 0; y < static_cast<std::uint32_t>(rings); ++y) {
        for (std::uint32_t x = 0; x < static_cast<std::uint32_t>(segments); ++x) {
            const std::uint32_t a = y * row + x;
            for (const std::uint32_t i : {a, a + row, a + 1, a + 1, a + row, a + row + 1}) out.indices.push_back(i);
        }
    }
    return out;
}

scene::EncodedScene sphere_of(const scene::Material& material) {
    scene::ImportedScene out;
    out.scene.materials.push_back(material);
    place(out, add_mesh(out, make_sphere(96, 192), 0), glm::mat4(1.0F));
    return encode(std::move(out));
}

std::shared_ptr<const scene::EnvironmentMap> picture(std::uint32_t width, const scene::testing::LightAt& light) {
    const std::string file = scene::testing::hdr_file(width, width / 2, light);
    return std::make_shared<const scene::EnvironmentMap>(
        scene::decode_environment_map(std::as_bytes(std::span(file)), "picture.hdr", std::uint64_t{1} << 30U));
}

render::EnvironmentSource lit_by(std::shared_ptr<const scene::EnvironmentMap> map) {
    return {.kind = render::EnvironmentKind::kPicture, .file = "/picture.hdr", .picture = std::move(map)};
}

// +x, -x, +y, -y, +z, -z.
constexpr std::array kAxes{glm::vec3(1, 0, 0),  glm::vec3(-1, 0, 0), glm::vec3(0, 1, 0),
                           glm::vec3(0, -1, 0), glm::vec3(0, 0, 1),  glm::vec3(0, 0, -1)};
constexpr std::array<Radiance, 6> kLights{Radiance{1, 0, 0}, Radiance{0, 1, 1}, Radiance{0, 1, 0},
                                          Radiance{1, 0, 1}, Radiance{0, 0, 1}, Radiance{1, 1, 0}};

// What lies around an axis has its colour. The middle of the picture is +x, its top +y; to the right of +x is +z.
std::shared_ptr<const scene::EnvironmentMap> six_directions(std::uint32_t width) {
    return picture(width, [width](std::uint32_t x, std::uint32_t y) {
        constexpr float kPi = std::numbers::pi_v<float>;
        const float turn = ((static_cast<float>(x) + 0.5F) / static_cast<float>(width) - 0.5F) * 2.0F * kPi;
        const float down = (static_cast<float>(y) + 0.5F) / static_cast<float>(width / 2) * kPi;
        const glm::vec3 at(std::cos(turn) * std::sin(down), std::cos(down), std::sin(turn) * std::sin(down));
        std::size_t nearest = 0;
        for (std::size_t i = 1; i < kAxes.size(); ++i) {
            if (glm::dot(at, kAxes.at(i)) > glm::dot(at, kAxes.at(nearest))) nearest = i;
        }
        return kLights.at(nearest);
    });
}

render::FrameSettings plain(render::EnvironmentSource environment) {
    render::FrameSettings settings;
    settings.environment = std::move(environment);
    settings.tone = render::Tone::kNone;
    return settings;
}

Color color_at(const render::Picture& picture, std::uint32_t x, std::uint32_t y) {
    return test::color_at(picture, std::size_t{y} * picture.width + x);
}

void expect_light(const Color& color, const Radiance& light) {
    for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(color[c], 255.0F * light[c], 2.0F) << "channel " << c;
}

class Environment : public ::testing::Test {
  protected:
    void TearDown() override {
        if (bench.validation()) {
            EXPECT_EQ(bench.validation_messages(), 0U);
        }
    }
    render::Picture shoot(const render::FrameSettings& settings, const glm::vec3& eye, const glm::vec3& target,
                          float fov = 40.0F) {
        const render::CameraPose pose{.eye = eye, .target = target, .fov_degrees = fov};
        return bench.shoot(settings, pose, 0.1F, kSize, kSize).picture;
    }
    Bench bench;
};

TEST_F(Environment, TheBackgroundShowsEachDirection) {
    bench.set_scene(sphere_of({}));
    const render::FrameSettings settings = plain(lit_by(six_directions(512)));
    for (std::size_t i = 0; i < kAxes.size(); ++i) {
        SCOPED_TRACE(i);
        // The sphere is behind the camera.
        const glm::vec3 eye = kAxes.at(i) * 10.0F;
        const render::Picture seen = shoot(settings, eye, eye * 2.0F + glm::vec3(1e-4F, 0.0F, 1e-4F));
        ASSERT_EQ(coverage(seen), 0.0);
        expect_light(color_at(seen, kSize / 2, kSize / 2), kLights.at(i));
        expect_light(color_at(seen, kSize / 4, kSize / 3), kLights.at(i));
    }
    // Not mirrored: from -z, +x is to the left.
    const render::Picture wide = shoot(settings, {0, 0, 10}, {0, 0, 20}, 120.0F);
    expect_light(color_at(wide, 2, kSize / 2), kLights[0]);
    expect_light(color_at(wide, kSize - 3, kSize / 2), kLights[1]);
    expect_light(color_at(wide, kSize / 2, 2), kLights[2]);
    expect_light(color_at(wide, kSize / 2, kSize - 3), kLights[3]);
}

TEST_F(Environment, AMirrorShowsEachDirection) {
    scene::Material mirror;
    mirror.metallic = 1.0F;
    mirror.roughness = 0.0F;
    bench.set_scene(sphere_of(mirror));
    render::FrameSettings settings = plain(lit_by(six_directions(512)));
    settings.projection = render::Projection::kOrthographic;
    for (std::size_t i = 0; i < kAxes.size(); ++i) {
        SCOPED_TRACE(i);
        const glm::vec3 eye = kAxes.at(i) * 10.0F + glm::vec3(1e-4F, 0.0F, 1e-4F);
        const render::Picture seen = shoot(settings, eye, glm::vec3(0.0F), 15.0F);
        ASSERT_GT(coverage(seen), 0.1);
        expect_light(color_at(seen, kSize / 2, kSize / 2), kLights.at(i));
    }
    // Where the normal is half a right angle to the right, the right is mirrored.
    const render::Picture front = shoot(settings, {0, 0, 10}, glm::vec3(0.0F), 15.0F);
    const double half_height = 10.0 * std::tan(7.5 * std::numbers::pi / 180.0);
    const auto offset = static_cast<std::uint32_t>(kSphereRadius * std::sqrt(0.5) / half_height * (kSize / 2));
    expect_light(color_at(front, kSize / 2 + offset, kSize / 2), kLights[0]);
    expect_light(color_at(front, kSize / 2 - offset, kSize / 2), kLights[1]);
    expect_light(color_at(front, kSize / 2, kSize / 2 - offset), kLights[2]);
    expect_light(color_at(front, kSize / 2, kSize / 2 + offset), kLights[3]);
}

// Stripes a texel wide are there in the background, and not the mean of them.
TEST_F(Environment, TheBackgroundIsSharp) {
    bench.set_scene(sphere_of({}));
    constexpr std::uint32_t kWidth = 2048;
    const auto stripes = picture(kWidth, [](std::uint32_t x, std::uint32_t /*y*/) {
        return x / 4 % 2 == 0 ? Radiance{1, 1, 1} : Radiance{0, 0, 0};
    });
    const render::Picture seen = shoot(plain(lit_by(stripes)), {0, 0, 10}, {0, 0, 20}, 10.0F);
    int least = 255;
    int most = 0;
    for (std::uint32_t x = 0; x < kSize; ++x) {
        least = std::min(least, color_at(seen, x, kSize / 2)[0]);
        most = std::max(most, color_at(seen, x, kSize / 2)[0]);
    }
    EXPECT_LT(least, 30);
    EXPECT_GT(most, 245);
}

double linear(double value) {
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

// The mean light of rings of a sphere, from its middle to its edge: pictures are dithered, so that means are finer than
// their steps.
std::vector<double> rings(const render::Picture& picture, std::size_t channel) {
    constexpr std::size_t kRings = 5;
    std::vector<double> sums(kRings);
    std::vector<double> counts(kRings);
    double covered = 0.0;
    for (const float depth : picture.depth) covered += depth > 0.0F ? 1.0 : 0.0;
    const double radius = std::sqrt(covered / std::numbers::pi);
    for (std::uint32_t y = 0; y < picture.height; ++y) {
        for (std::uint32_t x = 0; x < picture.width; ++x) {
            if (picture.depth[std::size_t{y} * picture.width + x] == 0.0F) continue;
            const double at = std::hypot(x + 0.5 - picture.width / 2.0, y + 0.5 - picture.height / 2.0) / radius;
            const auto ring = std::min(static_cast<std::size_t>(at * kRings), kRings - 1);
            sums[ring] += color_at(picture, x, y).at(channel);
            counts[ring] += 1.0;
        }
    }
    for (std::size_t i = 0; i < kRings; ++i) sums[i] = linear(sums[i] / counts[i] / 255.0);
    return sums;
}

// In white light from all around, what absorbs nothing can't be told from it.
TEST_F(Environment, AWhiteFurnaceLosesAndMakesNoLight) {
    const auto white = picture(64, [](std::uint32_t, std::uint32_t) { return Radiance{0.5F, 0.5F, 0.5F}; });
    struct Case {
        const char* name;
        scene::Material material;
    };
    std::vector<Case> cases;
    for (const float metallic : {0.0F, 1.0F}) {
        for (const float roughness : {0.0F, 0.1F, 0.3F, 0.6F, 1.0F}) {
            scene::Material material;
            material.metallic = metallic;
            material.roughness = roughness;
            cases.push_back({metallic == 0.0F ? "dielectric" : "metal", material});
        }
    }
    scene::Material rough;
    rough.metallic = 0.0F;
    rough.roughness = 1.0F;
    for (const float roughness : {0.0F, 0.5F, 1.0F}) {
        scene::Material coated = rough;
        coated.clearcoat.factor = 1.0F;
        coated.clearcoat.roughness = roughness;
        cases.push_back({"clear coat", coated});
        scene::Material fibres = rough;
        fibres.sheen.color = glm::vec3(1.0F);
        fibres.sheen.roughness = roughness;
        cases.push_back({"sheen", fibres});
    }
    for (const float roughness : {0.0F, 0.5F, 1.0F}) {
        for (const float strength : {0.4F, 1.0F}) {
            scene::Material brushed;
            brushed.roughness = roughness;
            brushed.anisotropy.strength = strength;
            cases.push_back({"anisotropic metal", brushed});
            brushed.metallic = 0.0F;
            cases.push_back({"anisotropic dielectric", brushed});
        }
        for (const float thickness : {120.0F, 400.0F}) {
            scene::Material film = rough;
            film.roughness = roughness;
            film.iridescence.factor = 1.0F;
            film.iridescence.ior = 1.8F;
            film.iridescence.thickness_maximum = thickness;
            cases.push_back({"thin film", film});
        }
    }
    scene::Material dense = rough;
    dense.ior = 2.4F;
    cases.push_back({"index of refraction", dense});
    for (const float roughness : {0.0F, 0.5F, 1.0F}) {
        scene::Material glass = rough;
        glass.roughness = roughness;
        glass.transmission.factor = 1.0F;
        glass.volume.thickness = roughness;  // with and without
        glass.dispersion = roughness;
        cases.push_back({"transmission", glass});
    }
    scene::Material dull = rough;
    dull.specular.factor = 0.0F;
    cases.push_back({"no specular", dull});
    for (const Case& one : cases) {
        SCOPED_TRACE(std::string(one.name) + ", roughness " + std::to_string(one.material.roughness));
        bench.set_scene(sphere_of(one.material));
        render::FrameSettings settings = plain(lit_by(white));
        settings.projection = render::Projection::kOrthographic;
        const render::CameraPose pose{.eye = {0, 0, 10}, .target = glm::vec3(0.0F), .fov_degrees = 12.0F};
        const render::Picture seen = bench.shoot(settings, pose, 0.1F, 256, 256).picture;
        for (std::size_t channel = 0; channel < 3; ++channel) {
            const std::vector<double> light = rings(seen, channel);
            for (std::size_t ring = 0; ring < light.size(); ++ring) {
                EXPECT_NEAR(light[ring], 0.5, 0.005 * 0.5) << "channel " << channel << ", ring " << ring;
            }
        }
    }
}

TEST_F(Environment, EveryBackendShowsTheSame) {
    bench.set_scene(encode(make_shapes()));
    render::FrameSettings settings = plain(lit_by(six_directions(256)));
    std::optional<render::Picture> first;
    for (const render::Backend backend : {render::Backend::kDirect, render::Backend::kMdi, render::Backend::kCompact,
                                          render::Backend::kMeshSublets, render::Backend::kTaskMesh}) {
        if (render::backend_unavailable(backend, bench.device().capabilities())) continue;
        SCOPED_TRACE(render::backend_name(backend));
        settings.backend = backend;
        const render::Picture seen = shoot(settings, {9, 5, 14}, glm::vec3(0.0F));
        if (!first) first = seen;
        std::size_t different = 0;
        for (std::size_t i = 0; i < seen.depth.size(); ++i) {
            different += std::equal(&seen.rgba[4 * i], &seen.rgba[4 * i] + 4, &first->rgba[4 * i]) ? 0 : 1;
        }
        const render::AmbiguousPixels ambiguous =
            bench.ambiguous({.eye = {9, 5, 14}, .fov_degrees = 40.0F}, 0.1F, kSize, kSize);
        EXPECT_LE(different, ambiguous.depth_ties + ambiguous.snapped_faces);
    }
}

// From one environment to another and back, in one renderer: each is what it is alone. A picture wants a larger cube
// than the sky does.
TEST_F(Environment, EnvironmentsFollowOneAnother) {
    bench.set_scene(encode(make_shapes()));
    const auto large = six_directions(1024);
    const auto small = six_directions(64);
    const std::vector<render::EnvironmentSource> sources{
        {}, lit_by(large), {.kind = render::EnvironmentKind::kNone}, lit_by(small)};
    std::vector<render::Picture> alone;
    for (const render::EnvironmentSource& source : sources) alone.push_back(shoot(plain(source), {9, 5, 14}, {}));
    EXPECT_NE(alone[0].rgba, alone[1].rgba);
    EXPECT_NE(alone[1].rgba, alone[2].rgba);
    for (const std::size_t i : {3U, 0U, 1U, 0U, 2U, 1U, 3U, 2U, 0U}) {
        EXPECT_EQ(shoot(plain(sources[i]), {9, 5, 14}, {}).rgba, alone[i].rgba) << i;
    }
    // Two in one frame.
    const render::CameraPose pose{.eye = {9, 5, 14}, .target = glm::vec3(0.0F), .fov_degrees = 40.0F};
    bench.render({{.view_id = 1, .settings = plain(sources[1]), .pose = pose, .width = kSize, .height = kSize},
                  {.view_id = 2, .settings = plain(sources[0]), .pose = pose, .width = kSize, .height = kSize}});
    EXPECT_EQ(bench.renderer().read_picture(false, false, 1).rgba, alone[1].rgba);
    EXPECT_EQ(bench.renderer().read_picture(false, false, 2).rgba, alone[0].rgba);
    EXPECT_GT(bench.renderer().memory().environment, 0U);
}

double mean_difference(const render::Picture& a, const render::Picture& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.rgba.size(); ++i) sum += std::abs(int{a.rgba[i]} - int{b.rgba[i]});
    return sum / static_cast<double>(a.rgba.size());
}

// A quarter of a turn brings what was at +z to +x: what is seen of it, what a mirror shows and what a rough surface
// receives are what they were from there.
TEST_F(Environment, TurnsWithAllThatItLights) {
    scene::Material mirror;
    mirror.metallic = 1.0F;
    mirror.roughness = 0.0F;
    scene::Material glossy = mirror;
    glossy.roughness = 0.4F;
    scene::Material matt;
    matt.metallic = 0.0F;
    matt.roughness = 1.0F;
    const render::FrameSettings settings = plain(lit_by(six_directions(512)));
    render::FrameSettings turned = settings;
    turned.environment_turn = 90.0F;
    for (const scene::Material& material : {mirror, glossy, matt}) {
        SCOPED_TRACE("roughness " + std::to_string(material.roughness));
        bench.set_scene(sphere_of(material));
        const render::Picture before = shoot(settings, {0, 0, 4}, {});
        const render::Picture after = shoot(turned, {4, 0, 0}, {});
        const render::Picture unturned = shoot(settings, {4, 0, 0}, {});
        ASSERT_GT(coverage(before), 0.1);
        ASSERT_LT(coverage(before), 0.9);
        EXPECT_LT(mean_difference(after, before), 0.5);
        EXPECT_GT(mean_difference(unturned, before), 10.0);
    }
    turned.environment = {};
    EXPECT_EQ(shoot(turned, {4, 0, 0}, {}).rgba, shoot(plain({}), {4, 0, 0}, {}).rgba) << "the sky stays by its sun";
}

// What lies in front of it, and the light on that, stays to the bit.
TEST_F(Environment, ABlurredBackgroundLightsAsASharpOne) {
    bench.set_scene(sphere_of({}));
    const auto stripes = picture(256, [](std::uint32_t x, std::uint32_t /*y*/) {
        return x / 4 % 2 == 0 ? Radiance{1, 1, 1} : Radiance{0, 0, 0};
    });
    render::FrameSettings settings = plain(lit_by(stripes));
    const render::Picture sharp = shoot(settings, {0, 0, 6}, {});
    const auto contrast = [&](float blur) {
        settings.environment_blur = blur;
        const render::Picture seen = shoot(settings, {0, 0, 6}, {});
        int least = 255;
        int most = 0;
        for (std::size_t i = 0; i < seen.depth.size(); ++i) {
            if (seen.depth[i] != 0.0F) {
                EXPECT_TRUE(std::equal(&seen.rgba[4 * i], &seen.rgba[4 * i] + 4, &sharp.rgba[4 * i]));
                continue;
            }
            least = std::min<int>(least, seen.rgba[4 * i]);
            most = std::max<int>(most, seen.rgba[4 * i]);
        }
        return most - least;
    };
    ASSERT_GT(coverage(sharp), 0.1);
    EXPECT_EQ(contrast(0.0F), 255);
    const int some = contrast(0.15F);
    const int much = contrast(0.6F);
    EXPECT_LT(some, 240);
    EXPECT_LT(much, some);
    EXPECT_LT(much, 20);
}

// However wide it is blurred, the sun brings what it brings.
TEST_F(Environment, ABlurredSunKeepsItsLight) {
    bench.set_scene(sphere_of({}));
    const render::Sun sun{.elevation = 60.0F, .azimuth = 0.0F};
    render::FrameSettings settings = plain({});
    settings.sun = sun;
    const glm::vec3 towards = render::sun_direction(sun);
    // The light over all directions of a picture of 90 degrees, but for what the sky has without the sun.
    const auto light = [&](float strength) {
        settings.sun_strength = strength;
        const glm::vec3 eye = towards * 10.0F;
        const render::Picture seen = shoot(settings, eye, eye * 2.0F, 90.0F);
        double sum = 0.0;
        for (std::uint32_t y = 0; y < kSize; ++y) {
            for (std::uint32_t x = 0; x < kSize; ++x) {
                const double right = (x + 0.5) / (kSize / 2.0) - 1.0;
                const double up = (y + 0.5) / (kSize / 2.0) - 1.0;
                const double pixel = 4.0 / (kSize * kSize) / std::pow(1.0 + right * right + up * up, 1.5);
                sum += linear(color_at(seen, x, y)[1] / 255.0) * pixel;
            }
        }
        return sum / std::exp2(*settings.ev);
    };
    for (const auto& [blur, ev] : {std::pair{0.2F, -8.0F}, std::pair{0.35F, -6.0F}}) {
        SCOPED_TRACE(blur);
        settings.environment_blur = blur;
        settings.ev = ev;
        const double irradiance = render::sun_irradiance(sun, render::EnvironmentKind::kSky).y;
        EXPECT_NEAR(light(1.0F) - light(0.0F), irradiance, 0.1 * irradiance);
    }
}

// Twice the light at half the exposure is the same picture; without light it is that of no sun.
TEST_F(Environment, TheSunsStrengthIsAFactorOfItsLight) {
    bench.set_scene(encode(make_shapes()));
    render::FrameSettings settings = plain({.kind = render::EnvironmentKind::kNone});
    settings.projection = render::Projection::kOrthographic;
    const auto seen = [&] { return shoot(settings, {9, 5, 14}, {}).rgba; };
    const auto usual = seen();
    settings.sun_strength = 2.0F;
    const auto bright = seen();
    settings.ev = -1.0F;
    EXPECT_NE(bright, usual);
    EXPECT_EQ(seen(), usual);
    settings.sun_strength = 0.0F;
    settings.ev = 0.0F;
    const auto dark = seen();
    settings.sun_strength = 1.0F;
    settings.sun = render::Sun{.on = false};
    EXPECT_EQ(seen(), dark);
}

}  // namespace
}  // namespace sublet::test::environment_test
