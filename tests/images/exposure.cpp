// Exposure by the light of the frame before: its mean becomes middle grey.
#include <gtest/gtest.h>

#include <cmath>

#include "harness.h"
#include "shapes.h"

namespace sublet::test::exposure_test {
namespace {

constexpr std::uint32_t kSize = 128;
constexpr double kMiddleGrey = 0.18;

class Exposure : public ::testing::Test {
  protected:
    void SetUp() override {
        settings_.environment.kind = render::EnvironmentKind::kNone;
        settings_.tone = render::Tone::kNone;
        settings_.ev.reset();
    }
    void TearDown() override { EXPECT_EQ(bench_.validation_messages(), 0U); }

    // The lower part of the picture gives off so much light, the rest of it the other.
    void set_lights(float part, float below, float above) {
        scene::ImportedScene out;
        for (const float light : {below, above}) {
            scene::Material material;
            material.unlit = true;
            material.base_color = {light, light, light, 1.0F};
            out.scene.materials.push_back(material);
        }
        for (std::uint32_t i = 0; i < 2; ++i) {
            const float low = i == 0 ? 0.0F : part;
            const float high = i == 0 ? part : 1.0F;
            scene::SourceMesh quad =
                make_quad({-1.0F, 2.0F * low - 1.0F, -1.0F}, {2.0F, 0.0F, 0.0F}, {0.0F, 2.0F * (high - low), 0.0F});
            quad.colors.clear();
            place(out, add_mesh(out, std::move(quad), i), glm::mat4(1.0F));
        }
        bench_.set_scene(encode(std::move(out)));
    }

    Bench::Shot shoot(int frames) {
        return bench_.shoot(settings_, {.eye = glm::vec3(0.0F), .target = {0.0F, 0.0F, -1.0F}, .fov_degrees = 90.0F},
                            0.1F, kSize, kSize, frames);
    }
    static double light_at(const render::Picture& picture, std::uint32_t y) {
        const double value = picture.rgba[4 * (std::size_t{y} * kSize + kSize / 2)] / 255.0;
        return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
    }

    render::FrameSettings settings_;
    Bench bench_;
};

TEST_F(Exposure, MakesTheMeanMiddleGrey) {
    for (const float light : {0.01F, 0.18F, 0.9F}) {
        SCOPED_TRACE(light);
        set_lights(0.5F, light, light);
        const Bench::Shot first = shoot(1);
        const Bench::Shot second = shoot(1);
        EXPECT_NEAR(second.counters.ev.value_or(99.0F), std::log2(kMiddleGrey / light), 0.07);
        EXPECT_NEAR(light_at(second.picture, kSize / 2), kMiddleGrey, 0.012);
        EXPECT_NEAR(light_at(second.picture, kSize / 4), kMiddleGrey, 0.012);
        EXPECT_EQ(shoot(2).picture.rgba, second.picture.rgba) << "it stays";
    }
}

// Of their logarithms: the one as far below as the other is above.
TEST_F(Exposure, IsOfTheLogarithm) {
    set_lights(0.5F, 0.02F, 0.5F);
    const Bench::Shot shot = shoot(2);
    const double exposure = kMiddleGrey / std::sqrt(0.02 * 0.5);
    EXPECT_NEAR(light_at(shot.picture, kSize - 8), 0.02 * exposure, 0.005);
    EXPECT_NEAR(light_at(shot.picture, 8), 0.5 * exposure, 0.05);
}

TEST_F(Exposure, LeavesOutWhatIsBrightestAndDarkest) {
    set_lights(0.92F, 0.1F, 1.0F);
    EXPECT_NEAR(light_at(shoot(2).picture, kSize - 8), kMiddleGrey, 0.012);
    set_lights(0.08F, 0.0001F, 0.1F);
    EXPECT_NEAR(light_at(shoot(2).picture, 8), kMiddleGrey, 0.012);
}

// Nothing is measured where it was not asked for.
TEST_F(Exposure, IsFixedOtherwise) {
    settings_.ev = 1.0F;
    set_lights(0.5F, 0.1F, 0.1F);
    const Bench::Shot shot = shoot(2);
    EXPECT_FALSE(shot.counters.ev);
    EXPECT_NEAR(light_at(shot.picture, 8), 0.2, 0.004);
}

// Black all over has no mean.
TEST_F(Exposure, OfDarknessIsOne) {
    set_lights(0.5F, 0.0F, 0.0F);
    const Bench::Shot shot = shoot(2);
    EXPECT_EQ(shot.counters.ev, 0.0F);
    EXPECT_EQ(light_at(shot.picture, 8), 0.0);
}

}  // namespace
}  // namespace sublet::test::exposure_test
