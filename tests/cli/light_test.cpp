// The light that `render -o FILE.exr` writes.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "app/image_io.h"
#include "base/glsl.h"
#include "gltf_text.h"
#include "process.h"
#include "temporary_folder.h"

SUBLET_GLSL_BEGIN
namespace sublet::glsl::written {
namespace {
#include "shaders/shade/tone.glsl"
}  // namespace
}  // namespace sublet::glsl::written
SUBLET_GLSL_END

namespace sublet::test {
namespace {

namespace tone = glsl::written;
using glm::vec3;
using Json = nlohmann::json;

constexpr std::uint32_t kWidth = 48;
constexpr std::uint32_t kHeight = 36;
constexpr std::size_t kMiddle = (kHeight / 2) * kWidth + kWidth / 2;

// Pixels of an uncompressed file of this size with the channels B, G and R: its last bytes are its lines.
std::vector<vec3> read_light(const std::filesystem::path& path) {
    const std::string bytes = read_text(path);
    constexpr std::size_t kLine = 8 + 12 * kWidth;
    std::vector<vec3> light;
    if (bytes.size() < kHeight * kLine || bytes.find("channels") == std::string::npos) return light;
    const auto number = [&](std::size_t at) {
        float value = 0;
        std::memcpy(&value, bytes.data() + at, sizeof value);
        return value;
    };
    for (std::size_t y = 0; y < kHeight; ++y) {
        const std::size_t line = bytes.size() - (kHeight - y) * kLine + 8;
        for (std::size_t x = 0; x < kWidth; ++x) {
            const auto channel = [&](std::size_t i) { return number(line + 4 * (i * kWidth + x)); };
            light.emplace_back(channel(2), channel(1), channel(0));
        }
    }
    return light;
}

class Light : public ::testing::Test {
  protected:
    ProcessResult render(const std::string& output, const std::vector<std::string>& more = {}) {
        std::vector<std::string> command{"render",   "sphere.gltf", "-o",       output, "--size",    "48x36",
                                         "--camera", "0,0,4,0,0,0", "--frames", "1",    "--backend", "direct"};
        command.insert(command.end(), more.begin(), more.end());
        ProcessResult result = sublet(command, {.folder = folder_.path()});
        EXPECT_EQ(result.status, 0) << result.err;
        return result;
    }
    std::vector<vec3> light(const std::vector<std::string>& more = {}) {
        render("a.exr", more);
        std::vector<vec3> light = read_light(folder_ / "a.exr");
        light.resize(kWidth * kHeight);
        return light;
    }
    // Of both spheres.
    void give_material(const Json& material) {
        Json scene = sphere_gltf(12);
        scene["materials"] = {material};
        for (Json& mesh : scene["meshes"]) {
            for (Json& primitive : mesh["primitives"]) primitive["material"] = 0;
        }
        write_text(folder_ / "sphere.gltf", scene.dump());
    }

    TemporaryFolder folder_;
};

void expect_near(const vec3& a, const vec3& b, float most) {
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(a[i], b[i], most) << i;
}

TEST_F(Light, IsWhatMaterialsSay) {
    give_material({{"pbrMetallicRoughness", {{"baseColorFactor", {0.5, 0.25, 1, 1}}}},
                   {"extensions", {{"KHR_materials_unlit", Json::object()}}}});
    const std::vector<vec3> unlit = light({"--environment", "none"});
    expect_near(unlit[kMiddle], {0.5F, 0.25F, 1.0F}, 1e-5F);
    // Where nothing is, it looks like the background of a .png.
    render("a.png", {"--environment", "none"});
    const app::ColorImage picture = app::read_png(folder_ / "a.png");
    const auto stored = [&](int i) { return static_cast<float>(picture.rgba[static_cast<std::size_t>(i)]) / 255.0F; };
    expect_near(unlit[0], tone::srgb_decode(vec3(stored(0), stored(1), stored(2))), 1e-5F);
    // Two stops are four times the light, and averages are of light.
    const std::vector<vec3> averaged = light({"--environment", "none", "--ev", "2", "--samples", "4"});
    expect_near(averaged[kMiddle], {2.0F, 1.0F, 4.0F}, 1e-5F);
    const bool mixed = std::any_of(averaged.begin(), averaged.end(), [](const vec3& pixel) {
        return pixel.z > 1.2F && pixel.z < 3.8F;  // the background's blue is 0.6
    });
    EXPECT_TRUE(mixed) << "at the edge of the sphere";

    // Far brighter than white.
    give_material({{"pbrMetallicRoughness", {{"baseColorFactor", {0, 0, 0, 1}}, {"metallicFactor", 1}}},
                   {"emissiveFactor", {1, 0.5, 0}},
                   {"extensions", {{"KHR_materials_emissive_strength", {{"emissiveStrength", 100}}}}}});
    expect_near(light({"--environment", "none", "--sun", "off"})[kMiddle], {100.0F, 50.0F, 0.0F}, 1e-3F);
}

TEST_F(Light, BecomesThePictureByTheToneCurve) {
    give_material({{"pbrMetallicRoughness", {{"baseColorFactor", {1, 0.6, 0.2, 1}}, {"roughnessFactor", 0.3}}}});
    const std::vector<vec3> scene = light({"--ev", "1"});
    EXPECT_TRUE(std::any_of(scene.begin(), scene.end(), [](const vec3& pixel) { return pixel.x > 1.1F; }));
    for (const char* name : {"none", "neutral", "aces"}) {
        SCOPED_TRACE(name);
        EXPECT_EQ(light({"--ev", "1", "--tone", name}), scene) << "tone mapping is not in it";
        const char* const note = "note: --tone has no effect. A .exr has the light before it becomes colours.";
        EXPECT_NE(render("a.exr", {"--tone", name}).err.find(note), std::string::npos);
        EXPECT_EQ(render("a.exr", {"--tone", name, "--wireframe", "on"}).err.find("--tone"), std::string::npos);
        EXPECT_EQ(render("a.png", {"--ev", "1", "--tone", name}).err, "");
        const app::ColorImage picture = app::read_png(folder_ / "a.png");
        float most = 0;
        for (std::size_t i = 0; i < scene.size(); ++i) {
            const vec3 color = name == std::string("neutral") ? tone::tone_neutral(scene[i])
                               : name == std::string("aces")  ? tone::tone_aces(scene[i])
                                                              : scene[i];
            for (int c = 0; c < 3; ++c) {
                const auto stored = static_cast<float>(picture.rgba[4 * i + static_cast<std::size_t>(c)]);
                most = std::max(most, std::abs(tone::srgb_encode(color[c]) * 255.0F - stored));
            }
        }
        EXPECT_LE(most, 1.02F) << "half a step of noise, and half a step of rounding";
    }
}

TEST_F(Light, OfOtherViewsIsTheirColours) {
    give_material(Json::object());
    const ProcessResult result = render("a.exr", {"--view", "meshlets"});
    EXPECT_NE(result.err.find("note: a .exr of a picture that is not light alone has its colours"), std::string::npos)
        << result.err;
    const std::vector<vec3> colors = read_light(folder_ / "a.exr");
    ASSERT_EQ(colors.size(), kWidth * kHeight);
    render("a.png", {"--view", "meshlets"});
    const app::ColorImage picture = app::read_png(folder_ / "a.png");
    for (std::size_t i = 0; i < colors.size(); ++i) {
        for (int c = 0; c < 3; ++c) {
            const auto stored = static_cast<float>(picture.rgba[4 * i + static_cast<std::size_t>(c)]) / 255.0F;
            ASSERT_NEAR(colors[i][c], tone::srgb_decode(stored), 1e-5F) << i;
        }
    }
}

TEST_F(Light, IsWrittenOfEveryFrame) {
    give_material(Json::object());
    const ProcessResult result =
        sublet({"render", "sphere.gltf", "-o", "f-%d.exr", "--frames", "2", "--size", "48x36", "--backend", "direct"},
               {.folder = folder_.path()});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(read_light(folder_ / "f-0.exr").size(), kWidth * kHeight);
    EXPECT_EQ(read_text(folder_ / "f-0.exr"), read_text(folder_ / "f-1.exr")) << "nothing moves";
}

}  // namespace
}  // namespace sublet::test
