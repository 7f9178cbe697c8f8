// encode --textures bc: what it writes, what info tells of it, what decode makes of it.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "program_fixture.h"
#include "scene/optional_libraries.h"
#include "scene/png.h"

namespace sublet::test {
namespace {

using Json = nlohmann::json;

std::string picture(std::uint32_t side, double step) {
    std::vector<std::uint8_t> rgba;
    for (std::uint32_t i = 0; i < side * side; ++i) {
        const double wave = std::sin(step * (i % side)) * std::cos(step * (i / side));
        for (const double base : {150.0, 120.0, 90.0}) rgba.push_back(static_cast<std::uint8_t>(base + 60.0 * wave));
        rgba.push_back(255);
    }
    const std::vector<std::uint8_t> png = scene::encode_png(side, side, rgba);
    return {png.begin(), png.end()};
}

// A sphere with a colour, an occlusion texture, and an image that is none.
Json textured() {
    Json json = sphere_gltf(4);
    const std::string files[] = {picture(65, 0.2), picture(32, 0.3), "\x89PNG\r\n\x1A\n"};
    for (int i = 0; i < 3; ++i) {
        json["images"].push_back({{"uri", "data:image/png;base64," + base64(files[i])}});
        json["textures"].push_back({{"source", i}});
    }
    json["materials"] = Json::array({{{"pbrMetallicRoughness", {{"baseColorTexture", {{"index", 0}}}}},
                                      {"occlusionTexture", {{"index", 1}}},
                                      {"emissiveTexture", {{"index", 2}}},
                                      {"emissiveFactor", {1, 1, 1}}}});
    json["meshes"][0]["primitives"][0]["material"] = 0;
    return json;
}

class EncodeTextures : public ProgramFixture {
  protected:
    void SetUp() override {
        if (!scene::kBasisUniversal.present) GTEST_SKIP() << "built without Basis Universal";
        write_text(folder_ / "a.gltf", textured().dump());
    }
};

TEST_F(EncodeTextures, WritesBlocksAndTellsOfThem) {
    const ProcessResult result = run({"encode", "a.gltf", "--textures", "bc", "--json", "a.json"});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_NE(result.err.find("note: image 1 is not compressed: "), std::string::npos) << result.err;
    EXPECT_NE(result.out.find("image/ktx2 BC7"), std::string::npos) << result.out;
    EXPECT_NE(result.out.find("mean PSNR"), std::string::npos) << result.out;
    const Json encoded = read_json("a.json");
    ASSERT_EQ(encoded["textures"]["images"].size(), 2U);
    EXPECT_EQ(encoded["textures"]["images"][0]["format"], "BC7");
    EXPECT_EQ(encoded["textures"]["images"][0]["width"], 65);
    EXPECT_GT(encoded["textures"]["images"][0]["psnr"], 40.0);
    EXPECT_EQ(encoded["textures"]["images"][1]["format"], "BC4");
    ASSERT_EQ(run({"info", "a.sublet", "--json", "i.json"}).status, 0);
    const Json info = read_json("i.json");
    EXPECT_EQ(info["images"], encoded["images"]);
    ASSERT_EQ(info["images"].size(), 3U);
    EXPECT_EQ(info["images"][0]["format"], "image/ktx2 BC4");
    EXPECT_EQ(info["images"][0]["texture_bytes"], 8 * (64 + 16 + 4 + 1 + 1 + 1));
    EXPECT_EQ(info["images"][1]["format"], "image/ktx2 BC7");
    EXPECT_EQ(info["images"][2]["format"], "image/png");
    EXPECT_EQ(info["images"][2]["texture_bytes"], 0);
    EXPECT_EQ(info["notes"].size(), 1U);
}

TEST_F(EncodeTextures, GivesTheSameBytesEachTime) {
    for (const char* const threads : {"1", "2", "5"}) {
        ASSERT_EQ(
            run({"encode", "a.gltf", "--textures", "bc", "--threads", threads, "-o", std::string(threads) + ".sublet"})
                .status,
            0);
    }
    const std::string once = read_text(folder_ / "1.sublet");
    EXPECT_TRUE(read_text(folder_ / "2.sublet") == once);
    EXPECT_TRUE(read_text(folder_ / "5.sublet") == once);
    ASSERT_EQ(run({"encode", "a.gltf", "-o", "kept.sublet"}).status, 0);
    ASSERT_EQ(run({"encode", "a.gltf", "--textures", "keep", "-o", "same.sublet"}).status, 0);
    EXPECT_TRUE(read_text(folder_ / "kept.sublet") == read_text(folder_ / "same.sublet"));
    EXPECT_FALSE(read_text(folder_ / "kept.sublet") == once);
}

TEST_F(EncodeTextures, GoBackToPng) {
    ASSERT_EQ(run({"encode", "a.gltf", "--textures", "bc"}).status, 0);
    ASSERT_EQ(run({"decode", "a.sublet", "-o", "b.glb"}).status, 0);
    ASSERT_EQ(run({"encode", "b.glb", "-o", "b.sublet", "--json", "b.json"}).status, 0);
    const Json back = read_json("b.json");
    ASSERT_EQ(back["images"].size(), 1U);
    EXPECT_EQ(back["images"][0]["format"], "image/png");
    EXPECT_EQ(back["images"][0]["count"], 3);
}

TEST_F(EncodeTextures, TakesKeepAndBcAlone) {
    const ProcessResult result = run({"encode", "a.gltf", "--textures", "dxt"});
    EXPECT_EQ(result.status, 2);
    EXPECT_NE(result.err.find("--textures"), std::string::npos) << result.err;
    EXPECT_NE(result.err.find("bc"), std::string::npos) << result.err;
}

}  // namespace
}  // namespace sublet::test
