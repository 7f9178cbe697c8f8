// Textures that come while frames are drawn: stand-ins first, then the same picture as with all of them there at once.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gate.h"
#include "harness.h"
#include "render/scene/textures.h"
#include "shapes.h"

namespace sublet::test::textures_test {
namespace {

constexpr std::uint32_t kSide = 2048;  // 21 MiB with mips: many parts

const render::CameraPose kPose{.eye = glm::vec3(0.0F), .target = {0.0F, 0.0F, -1.0F}, .fov_degrees = 70.0F};

scene::Image plain_image(const Color& color, std::uint32_t side) {
    scene::Image image;
    image.name = "plain";
    image.mime_type = scene::kRawImageType;
    image.width = image.height = side;
    image.bytes.reserve(std::size_t{4} * side * side);
    for (std::uint32_t i = 0; i < side * side; ++i) {
        for (const int value : color) image.bytes.push_back(static_cast<std::uint8_t>(value));
        image.bytes.push_back(255);
    }
    return image;
}

// A quad that fills the picture, unlit and of a base colour; more textures on quads out of sight.
scene::EncodedScene make_scene(std::vector<scene::Image> images, const glm::vec3& factor) {
    scene::ImportedScene out;
    for (std::size_t i = 0; i < images.size(); ++i) {
        out.scene.textures.push_back({static_cast<int>(i), -1});
        scene::Material material;
        material.unlit = true;
        material.base_color = glm::vec4(factor, 1.0F);
        material.base_color_texture.texture = static_cast<int>(i);
        out.scene.materials.push_back(material);
        scene::SourceMesh quad = make_quad({-50.0F, -50.0F, i == 0 ? -5.0F : 9.0F + static_cast<float>(i)},
                                           {100.0F, 0.0F, 0.0F}, {0.0F, 100.0F, 0.0F});
        quad.colors.clear();
        place(out, add_mesh(out, std::move(quad), static_cast<std::uint32_t>(i)), glm::mat4(1.0F));
    }
    out.scene.images = std::move(images);
    return encode(std::move(out));
}

class Textures : public ::testing::TestWithParam<std::vector<std::string>> {
  protected:
    Color color() {
        render::FrameSettings settings;
        settings.backend = render::Backend::kDirect;
        settings.show = render::Show::kBaseColor;
        return color_at(bench_.shoot(settings, kPose, 0.1F, 40, 30).picture, 0);
    }

    void TearDown() override { EXPECT_EQ(bench_.validation_messages(), 0U); }

    Bench bench_{GetParam()};
};

TEST_P(Textures, StandInsAreSeenUntilTheyCome) {
    const scene::EncodedScene scene =
        make_scene({plain_image({200, 100, 50}, kSide), plain_image({1, 2, 3}, kSide)}, glm::vec3(1.0F));
    bench_.renderer().set_scene(scene, {}, render::TextureLoading::kBeforeFrames);
    EXPECT_EQ(bench_.renderer().textures_left(), 0U);
    EXPECT_EQ(color(), (Color{200, 100, 50}));
    const std::uint64_t bytes = bench_.renderer().memory().materials;
    EXPECT_GT(bytes, std::uint64_t{2} * 4 * kSide * kSide);

    const auto gate = std::make_shared<Gate>();
    bench_.renderer().set_test_hooks({.before_reading = [gate] { gate->wait(); }});
    bench_.renderer().set_scene(scene, {}, render::TextureLoading::kWithFrames);
    EXPECT_LT(bench_.renderer().memory().materials, bytes / 2);
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(bench_.renderer().textures_left(), 2U);
        EXPECT_EQ(color(), (Color{255, 255, 255})) << "no frame waits for them";
    }
    gate->open();
    while (bench_.renderer().textures_left() > 0) {
        const Color now = color();
        EXPECT_TRUE(now == (Color{255, 255, 255}) || now == (Color{200, 100, 50})) << now[0];
    }
    EXPECT_FALSE(gate->gave_up());
    // In the tables of both frames in flight, and once nothing of the loading is left.
    for (int i = 0; i < 6; ++i) EXPECT_EQ(color(), (Color{200, 100, 50}));
    EXPECT_EQ(bench_.renderer().memory().materials, bytes);
}

TEST_P(Textures, WhatCannotBeDecodedKeepsItsStandIn) {
    scene::Image broken = plain_image({200, 100, 50}, 4);
    broken.mime_type = "image/png";
    const std::string png = "\x89PNG\r\n\x1A\n";
    broken.bytes.assign(png.begin(), png.end());
    const scene::EncodedScene scene = make_scene({broken, plain_image({1, 2, 3}, 4)}, {1.0F, 0.0F, 0.0F});
    for (const auto loading : {render::TextureLoading::kBeforeFrames, render::TextureLoading::kWithFrames}) {
        bench_.renderer().set_scene(scene, {}, loading);
        do {
            EXPECT_EQ(color(), (Color{255, 0, 0}));
        } while (bench_.renderer().textures_left() > 0);
        ASSERT_EQ(bench_.renderer().notes().size(), 1U);
        EXPECT_EQ(bench_.renderer().notes()[0].find("image 0 'plain' (image/png) is drawn white: "), 0U)
            << bench_.renderer().notes()[0];
    }
}

TEST_P(Textures, AnotherSceneDoesNotWaitForThem) {
    std::vector<scene::Image> images;
    for (int i = 0; i < 12; ++i) images.push_back(plain_image({i, 0, 0}, kSide));
    const scene::EncodedScene many = make_scene(std::move(images), glm::vec3(1.0F));
    const scene::EncodedScene other = make_scene({plain_image({9, 8, 7}, 4)}, glm::vec3(1.0F));
    bench_.renderer().set_scene(many, {}, render::TextureLoading::kWithFrames);
    (void)color();
    bench_.renderer().set_scene(other, {}, render::TextureLoading::kWithFrames);
    while (bench_.renderer().textures_left() > 0) (void)color();
    EXPECT_EQ(color(), (Color{9, 8, 7}));
}

// A board of red and green texels, about eleven of which lie along a pixel.
TEST_P(Textures, AreMinifiedAsTheSamplerSays) {
    scene::Image board = plain_image({0, 0, 0}, 1024);
    for (std::size_t i = 0; i < std::size_t{1024} * 1024; ++i) {
        board.bytes[4 * i + (i / 1024 + i) % 2] = 255;
    }
    for (const int filter : {9728, 9729, 9984, 9985, 9986, 9987}) {
        SCOPED_TRACE(filter);
        scene::EncodedScene scene = make_scene({board}, glm::vec3(1.0F));
        scene.scene.samplers.push_back({.min_filter = filter});
        scene.scene.textures[0].sampler = 0;
        bench_.renderer().set_scene(scene, {}, render::TextureLoading::kBeforeFrames);
        render::FrameSettings settings;
        settings.backend = render::Backend::kDirect;
        settings.show = render::Show::kBaseColor;
        const render::Picture picture = bench_.shoot(settings, kPose, 0.1F, 40, 30).picture;
        std::size_t pure = 0;
        std::size_t mean = 0;
        for (std::size_t i = 0; i < picture.depth.size(); ++i) {
            const int red = picture.rgba[4 * i];
            const int green = picture.rgba[4 * i + 1];
            pure += (red == 255 && green == 0) || (red == 0 && green == 255) ? 1 : 0;
            mean += std::abs(red - 188) <= 3 && std::abs(green - 188) <= 3 ? 1 : 0;
        }
        if (filter == 9728) {
            EXPECT_EQ(pure, picture.depth.size()) << "a texel each";
        } else if (filter == 9729) {
            EXPECT_LT(mean, picture.depth.size() / 2) << "four texels each";
        } else {
            EXPECT_EQ(mean, picture.depth.size()) << "of a mip, where they are all alike";
        }
    }
}

// Of texels that differ from their neighbours on each level.
scene::Image patterned_image(std::uint32_t side, std::uint32_t seed) {
    scene::Image image = plain_image({0, 0, 0}, side);
    for (std::uint32_t i = 0; i < side * side; ++i) {
        const std::uint32_t x = i % side, y = i / side;
        for (std::uint32_t c = 0; c < 3; ++c) {
            image.bytes[4 * i + c] =
                static_cast<std::uint8_t>((x * (7 + c) ^ y * (3 + seed)) + (x >> 4U) * 11 * (y >> 5U));
        }
    }
    return image;
}

class StreamedTextures : public Textures {
  protected:
    static constexpr std::uint32_t kImageSide = 512;
    static constexpr int kImages = 8;

    // Quads ahead of the eye, each twice as far away as the one before, and as many behind it.
    static scene::EncodedScene make_quads() {
        scene::ImportedScene out;
        for (int i = 0; i < kImages; ++i) {
            out.scene.images.push_back(patterned_image(kImageSide, static_cast<std::uint32_t>(i)));
            out.scene.textures.push_back({i, -1});
            scene::Material material;
            material.unlit = true;
            material.double_sided = true;
            material.base_color_texture.texture = i;
            out.scene.materials.push_back(material);
            // As many texels a pixel as the distance, in a quarter of the picture: those further right are behind.
            const float distance = std::exp2(static_cast<float>(i % 4));
            const float right = (static_cast<float>(i % 4) - 1.0F) * 0.62F * distance;
            const float z = i < 4 ? -distance : distance;
            scene::SourceMesh quad = make_quad({right - 4.0F, -2.0F, z}, {4.0F, 0.0F, 0.0F}, {0.0F, 4.0F, 0.0F});
            quad.colors.clear();
            place(out, add_mesh(out, std::move(quad), static_cast<std::uint32_t>(i)), glm::mat4(1.0F));
        }
        return encode(std::move(out));
    }

    render::Picture look(float z) { return look({0.0F, 0.0F, z}); }
    render::Picture look(const glm::vec3& direction) {
        render::FrameSettings settings;
        settings.backend = render::Backend::kDirect;
        const render::CameraPose pose{.eye = glm::vec3(0.0F), .target = direction, .fov_degrees = 70.0F};
        return bench_.shoot(settings, pose, 0.1F, 320, 180).picture;
    }

    [[nodiscard]] render::TextureFigures figures() const { return bench_.renderer().texture_streaming().value(); }

    // Once all has come that such a view wants.
    render::Picture look_until_there(float z) {
        render::Picture picture;
        int frames = 0;
        do {
            picture = look(z);
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        } while (++frames < 40 || bench_.renderer().textures_left() > 0 || figures().goes_on());
        return picture;
    }
};

TEST_P(StreamedTextures, AreThoseOfAllOnceTheyAreThere) {
    const scene::EncodedScene scene = make_quads();
    bench_.renderer().set_scene(scene, {}, render::TextureLoading::kBeforeFrames);
    EXPECT_FALSE(bench_.renderer().texture_streaming()) << "all have room";
    const render::Picture ahead = look(-1.0F), behind = look(1.0F);
    ASSERT_TRUE(ahead.rgba != behind.rgba);

    // A quarter of what all take, where those that such a view samples take about a sixth.
    const std::uint64_t all = kImages * scene::texture_bytes(kImageSide, kImageSide);
    render::SceneSettings settings;
    settings.texture_budget = all / 4;
    settings.stream_wait = false;
    bench_.renderer().set_scene(scene, settings, render::TextureLoading::kBeforeFrames);
    EXPECT_TRUE(look(-1.0F).rgba != ahead.rgba) << "each has its share of the room at first";
    EXPECT_TRUE(look_until_there(-1.0F).rgba == ahead.rgba);
    EXPECT_TRUE(look_until_there(1.0F).rgba == behind.rgba);
    EXPECT_TRUE(look_until_there(-1.0F).rgba == ahead.rgba);
    EXPECT_EQ(figures().coarser, 0U);
    EXPECT_LE(figures().bytes, figures().budget);
    EXPECT_EQ(figures().failed, 0U);
    EXPECT_GT(figures().refined, 0U);
    EXPECT_GT(figures().coarsened, 0U);

    // Less than what is sampled takes: all alike are coarser, and nothing comes and goes.
    settings.texture_budget = all / 40;
    bench_.renderer().set_scene(scene, settings, render::TextureLoading::kWithFrames);
    EXPECT_TRUE(look_until_there(-1.0F).rgba != ahead.rgba);
    const render::TextureFigures tight = figures();
    EXPECT_GT(tight.coarser, 0U);
    EXPECT_LE(tight.bytes, tight.budget);
    for (int i = 0; i < 10; ++i) (void)look(-1.0F);
    EXPECT_EQ(figures().changes(), tight.changes());
}

// A frame finds out which levels it samples, whatever levels are there, seen at a slant as well.
TEST_P(StreamedTextures, AreThereForAFrameThatWaits) {
    const scene::EncodedScene scene = make_quads();
    bench_.renderer().set_scene(scene, {}, render::TextureLoading::kBeforeEachFrame);
    EXPECT_FALSE(bench_.renderer().textures_wait());
    const std::vector<glm::vec3> directions{{0.0F, 0.0F, -1.0F}, {-1.0F, 0.0F, -0.4F}, {0.3F, 0.9F, 0.5F}};
    std::vector<render::Picture> whole;
    for (const glm::vec3& direction : directions) whole.push_back(look(direction));
    render::SceneSettings settings;
    settings.texture_budget = kImages * scene::texture_bytes(kImageSide, kImageSide) / 5;
    bench_.renderer().set_scene(scene, settings, render::TextureLoading::kBeforeEachFrame);
    ASSERT_TRUE(bench_.renderer().textures_wait());
    for (std::size_t i = 0; i < directions.size(); ++i) {
        SCOPED_TRACE(i);
        const bool there = look(directions[i]).rgba == whole[i].rgba;
        bench_.renderer().settle_textures({});
        EXPECT_FALSE(there && i == 0) << "each has its share of the room at first";
        EXPECT_TRUE(look(directions[i]).rgba == whole[i].rgba);
        EXPECT_EQ(figures().coarser, 0U);
        EXPECT_LE(figures().bytes, figures().budget);
    }
}

constexpr auto kDeviceName = [](const auto& info) { return info.param.empty() ? "bindless" : "few"; };

INSTANTIATE_TEST_SUITE_P(All, StreamedTextures,
                         ::testing::Values(std::vector<std::string>{}, std::vector<std::string>{"descriptor-indexing"}),
                         kDeviceName);
INSTANTIATE_TEST_SUITE_P(All, Textures,
                         ::testing::Values(std::vector<std::string>{}, std::vector<std::string>{"descriptor-indexing"}),
                         kDeviceName);

}  // namespace
}  // namespace sublet::test::textures_test
