// What is seen through surfaces: what lies behind them, bent, absorbed, spread and blurred as their materials say; by
// every backend alike, and never culled for lying behind them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <glm/gtc/matrix_transform.hpp>
#include <optional>

#include "harness.h"
#include "render/settings/backend_info.h"
#include "shapes.h"

namespace sublet::test::transmission_test {
namespace {

constexpr std::uint32_t kWidth = 96;
constexpr std::uint32_t kHeight = 64;
constexpr float kFov = 40.0F;
constexpr float kGlassZ = -5.0F;
constexpr float kWallZ = -6.0F;

double linear(int stored) {
    const double value = stored / 255.0;
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

// A camera at the origin that looks along -z at a wall, red to the left of x = 0 and green to the right of it.
class Transmission : public ::testing::Test {
  protected:
    void SetUp() override {
        glass_.metallic = 0.0F;
        glass_.roughness = 0.0F;
        glass_.specular.factor = 0.0F;  // reflects nothing
        glass_.transmission.factor = 1.0F;
        settings_.environment.kind = render::EnvironmentKind::kNone;
        settings_.tone = render::Tone::kNone;
    }
    void TearDown() override { EXPECT_EQ(bench_.validation_messages(), 0U); }

    static std::uint32_t add_light(scene::ImportedScene& out, const glm::vec3& color) {
        scene::Material material;
        material.unlit = true;
        material.base_color = glm::vec4(color, 1.0F);
        out.scene.materials.push_back(material);
        return static_cast<std::uint32_t>(out.scene.materials.size()) - 1;
    }

    static void place_quad(scene::ImportedScene& out, const glm::vec3& corner, const glm::vec2& size,
                           std::uint32_t material, const glm::mat4& transform = glm::mat4(1.0F)) {
        scene::SourceMesh mesh = make_quad(corner, {size.x, 0.0F, 0.0F}, {0.0F, size.y, 0.0F});
        mesh.colors.clear();
        place(out, add_mesh(out, std::move(mesh), material), transform);
    }

    static scene::ImportedScene walls() {
        scene::ImportedScene out;
        place_quad(out, {-9.0F, -9.0F, kWallZ}, {9.0F, 18.0F}, add_light(out, {0.8F, 0.0F, 0.2F}));
        place_quad(out, {0.0F, -9.0F, kWallZ}, {9.0F, 18.0F}, add_light(out, {0.0F, 0.8F, 0.2F}));
        return out;
    }

    // The walls behind a pane of `glass_`, which fills the picture; turned about y by `turn` radians.
    void set_glass(float turn = 0.0F) {
        scene::ImportedScene out = walls();
        const auto material = static_cast<std::uint32_t>(out.scene.materials.size());
        out.scene.materials.push_back(glass_);
        glm::mat4 transform = glm::translate(glm::mat4(1.0F), {0.0F, 0.0F, kGlassZ});
        transform = glm::rotate(transform, turn, {0.0F, 1.0F, 0.0F});
        place_quad(out, {-9.0F, -9.0F, 0.0F}, {18.0F, 18.0F}, material, transform);
        bench_.set_scene(encode(std::move(out)));
    }

    render::Picture shoot(const render::FrameSettings& settings) {
        return bench_
            .shoot(settings, {.eye = glm::vec3(0.0F), .target = {0.0F, 0.0F, -1.0F}, .fov_degrees = kFov}, 0.1F, kWidth,
                   kHeight, 2)
            .picture;
    }
    render::Picture shoot() { return shoot(settings_); }

    static Color at(const render::Picture& picture, std::uint32_t x) {
        return color_at(picture, std::size_t{kHeight / 2} * kWidth + x);
    }
    static void expect_near(const Color& color, const Color& expected, int by) {
        for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(color[c], expected[c], by) << "channel " << c;
    }

    // Pixels from the left to where the channel crosses half of its light along the middle row.
    static double border(const render::Picture& picture, std::size_t channel) {
        double light = 0.0;
        for (std::uint32_t x = 0; x < kWidth; ++x) light += linear(at(picture, x).at(channel));
        const double most = std::max(linear(at(picture, 0).at(channel)), linear(at(picture, kWidth - 1).at(channel)));
        return channel == 0 ? light / most : kWidth - light / most;
    }

    // Where the middle row sees the middle of the wall through the pane that is turned by `turn`, in pixels.
    static double bent_border(double turn, double thickness, double ior) {
        const double half = std::tan(kFov / 2.0 * 3.14159265358979 / 180.0) * kWidth / kHeight;
        const glm::dvec3 normal(std::sin(turn), 0.0, std::cos(turn));
        double first = -half;
        double last = half;
        for (int i = 0; i < 60; ++i) {
            const double slope = (first + last) / 2.0;
            const glm::dvec3 ray = glm::normalize(glm::dvec3(slope, 0.0, -1.0));
            const glm::dvec3 point = ray * (glm::dot(glm::dvec3(0.0, 0.0, kGlassZ), normal) / glm::dot(ray, normal));
            const glm::dvec3 exit = point + glm::refract(ray, normal, 1.0 / ior) * thickness;
            (exit.x < 0.0 ? first : last) = slope;
        }
        return (first / half + 1.0) / 2.0 * kWidth;
    }

    scene::Material glass_;
    render::FrameSettings settings_;
    Bench bench_;
};

TEST_F(Transmission, PanesShowWhatLiesBehind) {
    glass_.base_color = {0.5F, 0.5F, 1.0F, 1.0F};
    set_glass();
    for (const render::Backend backend :
         {render::Backend::kDirect, render::Backend::kCompact, render::Backend::kRaster}) {
        SCOPED_TRACE(render::backend_name(backend));
        if (render::backend_unavailable(backend, bench_.device().capabilities(), bench_.renderer().facts())) continue;
        settings_.backend = backend;
        const render::Picture seen = shoot();
        EXPECT_EQ(coverage(seen), 1.0);
        // sRGB of 0.4, and of 0.2.
        expect_near(at(seen, 10), {170, 0, 124}, 1);
        expect_near(at(seen, kWidth - 10), {0, 170, 124}, 1);
        render::FrameSettings materials = settings_;
        materials.show = render::Show::kMaterials;
        const render::Picture front = shoot(materials);
        EXPECT_EQ(at(front, 10), at(front, kWidth - 10)) << "the pane is in front of both walls";
    }
}

// Half of the light is let through; the other half is the surface's own, which nothing lights.
TEST_F(Transmission, APartOfTheLightGoesThrough) {
    glass_.transmission.factor = 0.5F;
    settings_.sun = render::Sun{.on = false};
    set_glass();
    expect_near(at(shoot(), 10), {170, 0, 89}, 1);
}

TEST_F(Transmission, VolumesAbsorb) {
    glass_.ior = 1.0F;
    glass_.volume.thickness = 0.6F;
    glass_.volume.attenuation_distance = 0.3F;
    glass_.volume.attenuation_color = {0.5F, 1.0F, 0.8F};
    set_glass();
    const render::Picture seen = shoot();
    EXPECT_NEAR(linear(at(seen, 10)[0]), 0.8 * 0.25, 0.004);
    EXPECT_NEAR(linear(at(seen, 10)[2]), 0.2 * 0.64, 0.004);
    EXPECT_NEAR(linear(at(seen, kWidth - 10)[1]), 0.8, 0.006);
}

// A pane that is not straight ahead shows the wall beside where it is.
TEST_F(Transmission, VolumesBend) {
    for (const double turn : {-0.8, 0.8}) {
        SCOPED_TRACE(turn);
        glass_.volume.thickness = 0.0F;
        set_glass(static_cast<float>(turn));
        EXPECT_NEAR(border(shoot(), 0), kWidth / 2.0, 0.6);
        glass_.volume.thickness = 0.95F;
        glass_.ior = 2.0F;
        set_glass(static_cast<float>(turn));
        const double expected = bent_border(turn, 0.95, 2.0);
        ASSERT_GT(std::abs(expected - kWidth / 2.0), 3.0);
        EXPECT_NEAR(border(shoot(), 0), expected, 1.0);
        EXPECT_NEAR(border(shoot(), 1), expected, 1.0);
    }
}

// Red is bent less than green.
TEST_F(Transmission, DispersionSpreadsColors) {
    glass_.volume.thickness = 0.95F;
    glass_.ior = 1.5F;
    glass_.dispersion = 30.0F;
    set_glass(0.8F);
    const render::Picture seen = shoot();
    const double spread = 0.5 * 0.025 * 30.0;
    EXPECT_NEAR(border(seen, 0), bent_border(0.8, 0.95, 1.5 - spread), 0.7);
    EXPECT_NEAR(border(seen, 1), bent_border(0.8, 0.95, 1.5), 0.7);
    ASSERT_GT(std::abs(bent_border(0.8, 0.95, 1.5 - spread) - bent_border(0.8, 0.95, 1.5)), 2.0);
}

// The rougher, the wider the border is.
TEST_F(Transmission, RoughnessBlurs) {
    int before = 0;
    for (const float roughness : {0.0F, 0.3F, 0.6F, 0.9F}) {
        SCOPED_TRACE(roughness);
        glass_.roughness = roughness;
        set_glass();
        const render::Picture seen = shoot();
        int between = 0;
        for (std::uint32_t x = 0; x < kWidth; ++x) {
            const double light = linear(at(seen, x)[0]);
            between += light > 0.03 && light < 0.77 ? 1 : 0;
        }
        if (roughness == 0.0F) {
            EXPECT_LE(between, 1);
        } else {
            EXPECT_GT(between, before + 3);
        }
        before = between;
    }
}

// Where a mask is cut, the wall is there as it is.
TEST_F(Transmission, MasksAreCut) {
    glass_.alpha_mode = scene::AlphaMode::kMask;
    glass_.base_color = {0.5F, 0.5F, 0.5F, 0.4F};
    set_glass();
    const render::Picture seen = shoot();
    expect_near(at(seen, 10), {231, 0, 124}, 1);
    glass_.base_color.w = 0.6F;
    set_glass();
    expect_near(at(shoot(), 10), {170, 0, 89}, 1);
}

// Alpha without a mask says nothing of it.
TEST_F(Transmission, OtherAlphaIsIgnored) {
    for (const scene::AlphaMode mode : {scene::AlphaMode::kOpaque, scene::AlphaMode::kBlend}) {
        glass_.alpha_mode = mode;
        glass_.base_color = {0.5F, 0.5F, 0.5F, 0.1F};
        set_glass();
        expect_near(at(shoot(), 10), {170, 0, 89}, 1);
    }
}

// Tiles that show glass are listed, and shaded by a dispatch for those alone. A frame that looks inside shades every
// pixel: it is the same picture.
TEST_F(Transmission, EveryListedTileIsShaded) {
    const auto expect_same = [&](const render::CameraPose& pose, std::uint32_t width, std::uint32_t height) {
        const render::Picture seen = bench_.shoot(settings_, pose, 0.1F, width, height).picture;
        bench_.render({{.settings = settings_,
                        .pose = pose,
                        .width = width,
                        .height = height,
                        .inspection = {.nearest_depth = true}}});
        bench_.renderer().finish();
        EXPECT_EQ(seen.rgba, bench_.renderer().read_picture(true).rgba) << width << 'x' << height;
        return seen;
    };
    const render::CameraPose ahead{.eye = glm::vec3(0.0F), .target = {0.0F, 0.0F, -1.0F}, .fov_degrees = kFov};
    set_glass();
    for (const glm::uvec2 size : {glm::uvec2(1, 1), glm::uvec2(96, 64), glm::uvec2(157, 101), glm::uvec2(200, 23)}) {
        const render::Picture seen = expect_same(ahead, size.x, size.y);
        for (std::size_t row = 0; size.x > 1 && row < size.y; ++row) {
            const std::uint8_t* const red = &seen.rgba[4 * (row * size.x + size.x * 3 / 8)];
            expect_near({red[0], red[1], red[2]}, {231, 0, 124}, 1);
        }
    }
    bench_.set_scene(encode(make_shapes()));
    expect_same({.eye = {3.0F, 2.0F, 12.0F}, .target = glm::vec3(0.0F), .fov_degrees = 50.0F}, 157, 101);
}

// Rough glass with a volume among other shapes, from outside and within, with a moving camera: what the pyramid hides
// is hidden by what is not glass alone.
TEST_F(Transmission, EveryWayGivesTheSamePicture) {
    scene::ImportedScene shapes = make_shapes();
    for (scene::Material& material : shapes.scene.materials) {
        if (material.transmission.factor == 0.0F) continue;
        material.roughness = 0.35F;
        material.volume.thickness = 0.5F;
        material.dispersion = 4.0F;
    }
    // All of it is behind a pane.
    const auto pane = static_cast<std::uint32_t>(shapes.scene.materials.size());
    glass_.roughness = 0.1F;
    glass_.double_sided = true;
    shapes.scene.materials.push_back(glass_);
    place_quad(shapes, {-9.0F, -9.0F, 6.0F}, {18.0F, 18.0F}, pane);
    bench_.set_scene(encode(std::move(shapes)));
    const render::CameraPose poses[]{{.eye = {3.0F, 2.0F, 12.0F}, .target = glm::vec3(0.0F), .fov_degrees = 50.0F},
                                     {.eye = {0.4F, 0.3F, 5.0F}, .target = glm::vec3(0.0F), .fov_degrees = 70.0F}};
    for (const Way& way : ways(bench_)) {
        SCOPED_TRACE(way.name);
        for (const render::CameraPose& pose : poses) {
            const render::Picture reference =
                bench_
                    .reference(pose, 0.1F, 157, 101, render::Projection::kPerspective,
                               *way.settings.backend == render::Backend::kRaster ? way.settings.backend : std::nullopt)
                    .picture;
            render::FrameSettings settings = way.settings;
            const render::Picture seen = bench_.shoot(settings, pose, 0.1F, 157, 101, 2).picture;
            const Difference difference =
                compare(reference, seen, bench_.ambiguous(pose, 0.1F, 157, 101, render::Projection::kPerspective));
            EXPECT_EQ(difference.depth, 0U);
            EXPECT_EQ(difference.color, 0U);
            EXPECT_GT(coverage(seen), 0.5);
        }
    }
}

// Where two surfaces are equally deep, the compute rasteriser and direct draws may show either. Through glass such
// pixels are seen, where both agree about the glass itself: so colours differ at equal ids, and nowhere but beside such
// a pixel.
TEST_F(Transmission, ColoursAtEqualIdsDifferWhereWhatLiesBehindDoes) {
    if (render::backend_unavailable(render::Backend::kRaster, bench_.device().capabilities())) GTEST_SKIP();
    const render::CameraPose pose{.eye = {0.6F, 0.9F, 3.0F}, .target = {0.5F, 0.5F, 0.0F}, .fov_degrees = 50.0F};
    glass_.double_sided = true;
    std::vector<render::Picture> plain, glazed;  // by direct draws, and by the rasteriser
    for (const bool pane : {false, true}) {
        scene::ImportedScene out = make_coplanar();
        if (pane) {
            const auto material = static_cast<std::uint32_t>(out.scene.materials.size());
            out.scene.materials.push_back(glass_);
            place_quad(out, {-9.0F, -9.0F, 1.5F}, {18.0F, 18.0F}, material);
        }
        bench_.set_scene(encode(std::move(out)));
        for (const render::Backend backend : {render::Backend::kDirect, render::Backend::kRaster}) {
            (pane ? glazed : plain)
                .push_back(
                    bench_.reference(pose, 0.1F, kWidth, kHeight, render::Projection::kPerspective, backend).picture);
        }
    }
    std::size_t behind = 0, through = 0, unexplained = 0;
    for (std::uint32_t y = 0; y < kHeight; ++y) {
        for (std::uint32_t x = 0; x < kWidth; ++x) {
            const std::size_t i = std::size_t{y} * kWidth + x;
            behind += plain[0].ids[i] != plain[1].ids[i] ? 1 : 0;
            EXPECT_EQ(glazed[0].ids[i], glazed[1].ids[i]) << "the pane fills the picture";
            if (std::memcmp(&glazed[0].rgba[4 * i], &glazed[1].rgba[4 * i], 4) == 0) continue;
            ++through;
            bool beside = false;
            for (std::uint32_t row = std::max(y, 1U) - 1; row <= std::min(y + 1, kHeight - 1); ++row) {
                for (std::uint32_t column = std::max(x, 1U) - 1; column <= std::min(x + 1, kWidth - 1); ++column) {
                    const std::size_t at = std::size_t{row} * kWidth + column;
                    beside = beside || plain[0].ids[at] != plain[1].ids[at];
                }
            }
            unexplained += beside ? 0 : 1;
        }
    }
    EXPECT_GT(behind, 0U);
    EXPECT_GT(through, 0U);
    EXPECT_EQ(unexplained, 0U);
}

}  // namespace
}  // namespace sublet::test::transmission_test
