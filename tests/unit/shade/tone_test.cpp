// From light to stored colours.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "base/glsl.h"

SUBLET_GLSL_BEGIN
namespace sublet::glsl::tone {
namespace {
#include "shaders/shade/tone.glsl"
}  // namespace
}  // namespace sublet::glsl::tone
SUBLET_GLSL_END

namespace sublet::test {
namespace {

namespace tone = glsl::tone;
using glm::vec3;

TEST(Tone, EncodesAsTheStandardSays) {
    for (int i = 0; i <= 10000; ++i) {
        const double linear = i / 10000.0;
        const double exact = linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1.0 / 2.4) - 0.055;
        EXPECT_NEAR(tone::srgb_encode(static_cast<float>(linear)), exact, 1e-6);
    }
    for (int i = 0; i <= 255; ++i) {
        const float stored = static_cast<float>(i) / 255.0F;
        EXPECT_NEAR(tone::srgb_encode(tone::srgb_decode(stored)), stored, 1e-5F);
    }
    EXPECT_EQ(tone::srgb_encode(-1.0F), 0.0F);
    EXPECT_NEAR(tone::srgb_encode(7.0F), 1.0F, 1e-6);
}

// Up to the highlights, a grey loses what a dielectric reflects of white light, and nothing else.
TEST(Tone, NeutralKeepsColours) {
    for (int i = 0; i <= 70; ++i) {
        const float grey = static_cast<float>(i) / 100.0F;
        const float offset = grey < 0.08F ? grey - 6.25F * grey * grey : 0.04F;
        const vec3 out = tone::tone_neutral(vec3(grey));
        EXPECT_NEAR(out.x, grey - offset, 1e-6F);
        EXPECT_EQ(out.x, out.z);
    }
    const vec3 brick = tone::tone_neutral(vec3(0.5F, 0.2F, 0.1F));
    EXPECT_NEAR(brick.x - brick.y, 0.3F, 1e-6F);
    EXPECT_NEAR(brick.y - brick.z, 0.1F, 1e-6F);
}

template <typename Function>
void expect_monotone(Function map) {
    float before = -1.0F;
    for (float grey = 0.0F; grey < 1000.0F; grey = grey * 1.05F + 0.001F) {
        const vec3 out = map(vec3(grey));
        EXPECT_GE(out.x, before) << grey;
        EXPECT_NEAR(out.x, out.y, 2e-3F) << grey;
        EXPECT_NEAR(out.x, out.z, 2e-3F) << grey;
        before = out.x;
    }
}

TEST(Tone, BrighterStaysBrighter) {
    expect_monotone(tone::tone_neutral);
    expect_monotone(tone::tone_aces);
    // The first never passes white; of the second that is cut off which does.
    EXPECT_LE(tone::tone_neutral(vec3(1e6F)).x, 1.0F);
    EXPECT_NEAR(tone::tone_neutral(vec3(1e6F, 0.0F, 0.0F)).z, 1.0F, 1e-3F) << "a glaring light is white";
    EXPECT_GT(tone::tone_aces(vec3(1e6F)).x, 1.0F);
    EXPECT_LT(tone::tone_aces(vec3(1e6F)).x, 1.1F);
}

TEST(Tone, NoiseIsSpreadEvenly) {
    constexpr int kSize = 256;
    std::array<int, 8> bins{};
    double sum = 0.0;
    for (int y = 0; y < kSize; ++y) {
        for (int x = 0; x < kSize; ++x) {
            const float noise = tone::interleaved_noise({static_cast<float>(x), static_cast<float>(y)});
            ASSERT_GE(noise, -0.5F);
            ASSERT_LT(noise, 0.5F);
            ++bins[static_cast<std::size_t>((noise + 0.5F) * 8.0F)];
            sum += noise;
        }
    }
    EXPECT_NEAR(sum / (kSize * kSize), 0.0, 0.005);
    for (const int bin : bins) EXPECT_NEAR(bin, kSize * kSize / 8, kSize * kSize / 80);
}

}  // namespace
}  // namespace sublet::test
