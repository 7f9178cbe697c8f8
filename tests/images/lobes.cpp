// Lobes that extensions add to materials: pictures against the same shader in double precision, for random materials;
// and that each of their numbers is seen, equally by every backend.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <glm/gtc/matrix_transform.hpp>
#include <numbers>
#include <optional>
#include <random>

#include "../unit/scene/environment_files.h"
#include "harness.h"
#include "ids.h"
#include "render/scene/materials.h"
#include "render/view/sun.h"
#include "shapes.h"
#include "tests/shading_twin.h"

namespace sublet::test::lobes_test {
namespace {

namespace exact = twin::exact;
using glm::dvec3;
using glm::dvec4;

constexpr std::uint32_t kWidth = 240;
constexpr std::uint32_t kHeight = 180;
constexpr float kNear = 0.1F;
constexpr float kAllAround = 0.25F;  // radiance
constexpr int kColumns = 8;
constexpr int kRows = 6;

class Random {
  public:
    explicit Random(unsigned seed) : engine_(seed) {}
    float part() { return static_cast<float>(engine_()) / 4294967296.0F; }
    float between(float low, float high) { return low + (high - low) * part(); }
    // Often one of the two ends.
    float extreme() {
        const float x = part();
        return x < 0.15F ? 0.0F : x > 0.85F ? 1.0F : part();
    }
    glm::vec3 color() {
        const float r = extreme();
        const float g = extreme();
        return {r, g, extreme()};
    }

  private:
    std::mt19937 engine_;
};

int add_plain_texture(scene::Scene& scene, const std::array<std::uint8_t, 3>& color) {
    scene::Image image;
    image.mime_type = scene::kRawImageType;
    image.width = image.height = 4;
    for (int i = 0; i < 16; ++i) image.bytes.insert(image.bytes.end(), {color[0], color[1], color[2], 255});
    scene.images.push_back(std::move(image));
    scene.textures.push_back({static_cast<int>(scene.images.size()) - 1, -1});
    return static_cast<int>(scene.textures.size()) - 1;
}

scene::Material random_material(Random& random, scene::Scene& scene) {
    scene::Material m;
    m.double_sided = true;
    m.base_color = glm::vec4(random.color(), 1.0F);
    m.metallic = random.extreme();
    m.roughness = random.part() < 0.1F ? 0.0F : random.between(0.15F, 1.0F);
    const auto texture = [&](scene::TextureRef& reference) {
        if (random.part() < 0.5F) return;
        const auto byte = [&] { return static_cast<std::uint8_t>(random.part() * 255.0F); };
        const std::uint8_t red = byte();
        const std::uint8_t green = byte();
        reference.texture = add_plain_texture(scene, {red, green, byte()});
    };
    if (random.part() < 0.6F) {
        m.anisotropy.strength = random.extreme();
        m.anisotropy.rotation = random.between(-4.0F, 4.0F);
        texture(m.anisotropy.texture);
    }
    if (random.part() < 0.6F) {
        m.iridescence.factor = random.extreme();
        m.iridescence.ior = random.between(1.0F, 2.5F);
        m.iridescence.thickness_minimum = random.between(0.0F, 300.0F);
        m.iridescence.thickness_maximum = random.between(0.0F, 1000.0F);
        texture(m.iridescence.texture);
        texture(m.iridescence.thickness_texture);
    }
    if (random.part() < 0.3F) {
        m.clearcoat.factor = random.extreme();
        m.clearcoat.roughness = random.between(0.15F, 1.0F);
    }
    if (random.part() < 0.3F) {
        m.sheen.color = random.color();
        m.sheen.roughness = random.between(0.1F, 1.0F);
    }
    if (random.part() < 0.3F) {
        m.ior = random.between(1.0F, 2.5F);
        m.specular.factor = random.extreme();
        m.specular.color = random.color();
    }
    return m;
}

// A wall of squares, each turned anyhow, mirrored or not, with tangents or without, each of a material of its own.
struct Wall {
    scene::ImportedScene scene;
    std::vector<glm::mat4> transforms;  // by material

    explicit Wall(unsigned seed) {
        Random random(seed);
        for (int i = 0; i < kColumns * kRows; ++i) {
            scene.scene.materials.push_back(random_material(random, scene.scene));
            scene::SourceMesh square = make_quad({-0.5F, -0.5F, 0.0F}, {1.0F, 0.0F, 0.0F}, {0.0F, 1.0F, 0.0F});
            square.colors.clear();
            square.uv1.clear();
            // V grows upwards.
            if (i % 2 == 0) square.tangents.assign(square.positions.size(), {1.0F, 0.0F, 0.0F, -1.0F});
            const auto column = static_cast<float>(i % kColumns);
            const auto row = static_cast<float>(i / kColumns);
            glm::mat4 m = glm::translate(glm::mat4(1.0F), {1.2F * (column - 3.5F), 1.2F * (row - 2.5F), 0.0F});
            const glm::vec3 axis(random.between(-1.0F, 1.0F), random.between(-1.0F, 1.0F), 0.3F);
            m = glm::rotate(m, random.between(-3.1F, 3.1F), glm::normalize(axis));
            if (random.part() < 0.5F) m = glm::scale(m, {-1.0F, 1.0F, 1.0F});
            transforms.push_back(m);
            place(scene, add_mesh(scene, std::move(square), static_cast<std::uint32_t>(i)), m);
        }
    }
};

const render::CameraPose kPose{.eye = {0.5F, 1.0F, 9.0F}, .target = glm::vec3(0.0F), .fov_degrees = 45.0F};

render::FrameSettings lit() {
    const std::string file = scene::testing::hdr_file(16, 8, [](std::uint32_t, std::uint32_t) {
        return scene::testing::Radiance{kAllAround, kAllAround, kAllAround};
    });
    render::FrameSettings settings;
    settings.environment = {.kind = render::EnvironmentKind::kPicture,
                            .file = "/even.hdr",
                            .picture = std::make_shared<const scene::EnvironmentMap>(scene::decode_environment_map(
                                std::as_bytes(std::span(file)), "even.hdr", std::uint64_t{1} << 30U))};
    settings.sun = render::Sun{.elevation = 35.0F, .azimuth = 20.0F};
    settings.tone = render::Tone::kNone;
    settings.ev = -1.0F;
    return settings;
}

double stored(double linear) {
    linear = std::clamp(linear, 0.0, 1.0);
    return 255.0 * (linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1.0 / 2.4) - 0.055);
}

// What each pixel of a wall should show.
class Expectation {
  public:
    Expectation(const scene::Scene& scene, const render::FrameSettings& settings, const std::vector<glm::mat4>& all)
        : transforms_(all), light_(std::exp2(settings.ev.value())) {
        const render::SceneMaterials made = render::make_materials(scene, 10000);
        for (const shared::Material& m : made.materials) materials_.push_back(twin::to_exact_material(m));
        exact::lobes.clear();
        for (const shared::MaterialLobes& l : made.lobes) exact::lobes.push_back(twin::to_exact_lobes(l));
        exact::texels.clear();
        for (const render::BoundTexture& t : made.textures) {
            const int image = scene.textures[static_cast<std::size_t>(t.texture)].image;
            const auto& bytes = scene.images[static_cast<std::size_t>(image)].bytes;
            exact::texels.push_back(dvec4(bytes[0], bytes[1], bytes[2], bytes[3]) / 255.0);
        }
        exact::features = made.features;
        exact::around = [](const dvec3&, double) { return dvec3(kAllAround); };
        std::fill(std::begin(exact::irradiance), std::end(exact::irradiance), dvec4(0.0));
        exact::irradiance[0] = dvec4(std::numbers::pi * kAllAround);
        frame_.sun_direction = dvec4(dvec3(render::sun_direction(*settings.sun)), 1.0);
        frame_.sun_color = dvec4(dvec3(render::sun_irradiance(*settings.sun, settings.environment.kind)), 0.0);
        const render::View view = render::make_view(kPose, kNear, render::Projection::kPerspective,
                                                    static_cast<float>(kWidth) / static_cast<float>(kHeight));
        rays_ = render::pixel_rays(view);
    }

    [[nodiscard]] dvec3 linear(std::uint32_t x, std::uint32_t y, std::uint32_t material) const {
        const double right = (x + 0.5) * 2.0 / kWidth - 1.0;
        const double down = (y + 0.5) * 2.0 / kHeight - 1.0;
        const dvec3 v = -glm::normalize(dvec3(rays_[0]) * right + dvec3(rays_[1]) * down + dvec3(rays_[2]));
        const glm::dmat4 m(transforms_[material]);
        exact::SurfacePoint p{};
        p.normal = glm::normalize(dvec3(m[2]));
        const dvec3 tangent = glm::normalize(dvec3(m[0]));
        // In the square's own space the bitangent, which is where V would fall, is -y.
        const dvec3 bitangent = -glm::normalize(dvec3(m[1]));
        p.tangent = dvec4(tangent, glm::dot(glm::cross(p.normal, tangent), bitangent) < 0.0 ? -1.0 : 1.0);
        p.behind = glm::dot(p.normal, v) < 0.0;
        p.color = dvec4(1.0);
        return exact::shade_material(frame_, materials_[material], p, v) * light_;
    }

  private:
    std::vector<exact::Material> materials_;
    const std::vector<glm::mat4>& transforms_;
    double light_;
    exact::FrameData frame_{};
    std::array<glm::vec3, 3> rays_{};
};

// Within 1 % of the light and two steps of the picture; 2 pixels of 1,000 may lie on highlights that are smaller than a
// float's rounding.
TEST(Lobes, PicturesFollowDoubles) {
    Bench bench;
    for (const unsigned seed : {1U, 2U, 3U}) {
        SCOPED_TRACE(seed);
        Wall wall(seed);
        const scene::Scene described = wall.scene.scene;
        bench.set_scene(encode(std::move(wall.scene)));
        const render::FrameSettings settings = lit();
        const render::Picture picture = bench.shoot(settings, kPose, kNear, kWidth, kHeight).picture;
        const IdReader reader(bench.scene());
        const Expectation expectation(described, settings, wall.transforms);
        std::size_t covered = 0;
        std::size_t off = 0;
        std::size_t bright = 0;
        for (std::uint32_t y = 0; y < kHeight; ++y) {
            for (std::uint32_t x = 0; x < kWidth; ++x) {
                const std::size_t i = std::size_t{y} * kWidth + x;
                if (picture.depth[i] == 0.0F) continue;
                const std::uint32_t material = reader.instances()[reader.read(picture.ids[i]).instance].material;
                const dvec3 expected = expectation.linear(x, y, material);
                bool near = true;
                for (int c = 0; c < 3; ++c) {
                    const double got = picture.rgba[4 * i + static_cast<std::size_t>(c)];
                    near = near && got >= stored(expected[c] * 0.99) - 2.0 && got <= stored(expected[c] * 1.01) + 2.0;
                    bright += got > 40.0 ? 1 : 0;
                }
                ++covered;
                off += near ? 0 : 1;
            }
        }
        EXPECT_GE(covered, 8000U);
        EXPECT_GE(bright, covered);
        EXPECT_LE(off * 500, covered) << off << " of " << covered;
        if (off * 500 > covered) save(picture, "lobes_" + std::to_string(seed));
    }
    EXPECT_EQ(bench.validation_messages(), 0U);
}

// Numbers of one material, one after another: each is seen.
TEST(Lobes, EveryNumberIsSeen) {
    using Change = std::function<void(scene::Material&)>;
    struct Case {
        const char* name;
        Change change;
    };
    const Change brushed = [](scene::Material& m) { m.anisotropy.strength = 0.9F; };
    const Change film = [](scene::Material& m) { m.iridescence.factor = 1.0F; };
    struct Family {
        Change base;
        std::vector<Case> cases;
    };
    const std::vector<Family> families{
        {[](scene::Material&) {}, {{"strength", brushed}, {"factor", film}}},
        {brushed,
         {{"rotation", [](scene::Material& m) { m.anisotropy.rotation = 0.8F; }},
          {"direction and strength by texture", [](scene::Material& m) { m.anisotropy.texture.texture = 0; }}}},
        {film,
         {{"index of refraction", [](scene::Material& m) { m.iridescence.ior = 1.7F; }},
          {"thickness", [](scene::Material& m) { m.iridescence.thickness_maximum = 250.0F; }},
          {"factor by texture", [](scene::Material& m) { m.iridescence.texture.texture = 0; }},
          {"thickness by texture", [](scene::Material& m) { m.iridescence.thickness_texture.texture = 0; }}}},
    };
    const auto scene_of = [](const Change& base, const Change& change) {
        scene::ImportedScene out;
        add_plain_texture(out.scene, {200, 90, 160});
        scene::Material material;
        material.base_color = {0.8F, 0.7F, 0.6F, 1.0F};
        material.roughness = 0.3F;
        base(material);
        change(material);
        out.scene.materials.push_back(material);
        place(out, add_mesh(out, make_torus(0.9F, 0.35F, 48, 24), 0), glm::mat4(1.0F));
        return encode(std::move(out));
    };
    const render::CameraPose pose{.eye = {1.5F, 2.0F, 2.5F}, .target = glm::vec3(0.0F)};
    Bench bench;
    const auto shoot = [&](render::FrameSettings settings, render::Backend backend) {
        settings.backend = backend;
        return bench.shoot(settings, pose, kNear, 64, 48).picture;
    };
    for (const Family& family : families) {
        bench.set_scene(scene_of(family.base, [](scene::Material&) {}));
        const render::Picture before = shoot(lit(), render::Backend::kDirect);
        for (const Case& one : family.cases) {
            SCOPED_TRACE(one.name);
            bench.set_scene(scene_of(family.base, one.change));
            const render::Picture after = shoot(lit(), render::Backend::kDirect);
            std::size_t changed = 0;
            std::size_t covered = 0;
            for (std::size_t i = 0; i < after.depth.size(); ++i) {
                int most = 0;
                for (std::size_t c = 0; c < 3; ++c) {
                    most = std::max(most, std::abs(after.rgba[4 * i + c] - before.rgba[4 * i + c]));
                }
                covered += after.depth[i] > 0.0F ? 1 : 0;
                changed += most > 3 ? 1 : 0;
            }
            EXPECT_GE(changed * 4, covered);
        }
    }
    // Without strength nothing is seen of them.
    bench.set_scene(scene_of([](scene::Material&) {}, [](scene::Material&) {}));
    const render::Picture without = shoot(lit(), render::Backend::kDirect);
    bench.set_scene(scene_of(
        [](scene::Material& m) {
            m.anisotropy.rotation = 1.0F;
            m.anisotropy.texture.texture = m.iridescence.texture.texture = 0;
        },
        [](scene::Material& m) { m.iridescence.ior = 2.0F; }));
    EXPECT_EQ(shoot(lit(), render::Backend::kDirect).rgba, without.rgba);
    EXPECT_EQ(bench.validation_messages(), 0U);
}

TEST(Lobes, EveryBackendShowsTheSame) {
    Bench bench;
    bench.set_scene(encode(std::move(Wall(4).scene)));
    const auto shoot = [&](const render::FrameSettings& way) {
        render::FrameSettings settings = lit();
        settings.backend = way.backend;
        settings.cull_sublets = way.cull_sublets;
        return bench.shoot(settings, kPose, kNear, kWidth, kHeight).picture;
    };
    const render::Picture direct = shoot(tried_ways().front().settings);
    const render::AmbiguousPixels ambiguous = bench.ambiguous(kPose, kNear, kWidth, kHeight);
    for (const Way& way : ways(bench)) {
        SCOPED_TRACE(way.name);
        // What raster draws differs in single pixels: tests/images/raster.cpp.
        if (way.settings.backend == render::Backend::kRaster) continue;
        const Difference difference = compare(direct, shoot(way.settings), ambiguous);
        EXPECT_EQ(difference.depth + difference.color, 0U);
    }
    EXPECT_EQ(bench.validation_messages(), 0U);
}

}  // namespace
}  // namespace sublet::test::lobes_test
