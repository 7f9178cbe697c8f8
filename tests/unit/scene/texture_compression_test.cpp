// Images of a scene as blocks: which format is chosen, what is kept, what stays as it came.
#include "scene/texture_compression.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "base/thread_pool.h"
#include "gltf_builder.h"
#include "ktx2_files.h"
#include "scene/container.h"
#include "texel_patterns.h"

namespace sublet::scene::testing {
namespace {

constexpr std::uint64_t kEnough = std::uint64_t{1} << 40U;

struct Textured {
    Scene scene;
    int color = 0, normal = 1, occlusion = 2, roughness = 3, both = 4;
};

Textured textured_scene() {
    Textured out;
    Scene& scene = out.scene;
    scene.images = {raw_image(wall(64, 48)), raw_image(bumps(33)), raw_image(wall(20, 20)), raw_image(wall(21, 9)),
                    raw_image(wall(16, 16))};
    for (int i = 0; i < 5; ++i) scene.textures.push_back({i, i == 4 ? 7 : -1});
    scene.samplers.resize(8);
    scene.materials.resize(2);
    Material& first = scene.materials[0];
    first.base_color_texture.texture = out.color;
    first.normal_texture.texture = out.normal;
    first.occlusion_texture.texture = out.occlusion;
    first.metallic_roughness_texture.texture = out.roughness;
    Material& second = scene.materials[1];
    second.base_color_texture.texture = out.both;
    second.clearcoat.roughness_texture.texture = out.both;
    second.clearcoat.texture.texture = -1;
    return out;
}

TexelFormat format_of(const Image& image) {
    return read_image_header(image, true).format;
}

TEST(TextureCompression, ChoosesTheFormatByUse) {
    Textured textured = textured_scene();
    Scene& scene = textured.scene;
    ThreadPool pool(2);
    const TextureCompression result = compress_textures(scene, pool, kEnough);
    EXPECT_TRUE(result.notes.empty());
    ASSERT_EQ(scene.images.size(), 6U) << "one is read in two ways";
    using enum TexelFormat;
    const TexelFormat expected[] = {kBc7, kBc5, kBc4, kBc7, kBc7, kBc4};
    for (std::size_t i = 0; i < 6; ++i) {
        SCOPED_TRACE(i);
        EXPECT_EQ(scene.images[i].mime_type, kKtx2Type);
        EXPECT_EQ(scene.images[i].name, "raw");
        EXPECT_EQ(format_of(scene.images[i]), expected[i]);
        const ImageHeader header = read_image_header(scene.images[i], true);
        EXPECT_TRUE(header.has_mips);
        EXPECT_EQ(header.swizzle, (expected[i] == kBc4 ? Swizzle{'r', 'r', 'r', 'r'} : kNoSwizzle));
        EXPECT_EQ(decode_image(scene.images[i], header, {}).size(), level_count(header.width, header.height));
    }
    ASSERT_EQ(scene.textures.size(), 6U);
    EXPECT_EQ(scene.textures[5].image, 5);
    EXPECT_EQ(scene.textures[5].sampler, 7);
    EXPECT_EQ(scene.materials[1].base_color_texture.texture, 4);
    EXPECT_EQ(scene.materials[1].clearcoat.roughness_texture.texture, 5);
    // As colour the files say so: VK_FORMAT_BC7_SRGB_BLOCK.
    const int formats[] = {146, 141, 139, 145, 146, 139};
    for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(scene.images[i].bytes[12], formats[i]) << i;

    ASSERT_EQ(result.images.size(), 6U);
    for (const CompressedImage& image : result.images) {
        EXPECT_EQ(image.bytes, scene.images[image.image].bytes.size());
        EXPECT_GT(image.psnr, 38.0) << image.image;
    }
}

TEST(TextureCompression, KeepsTheChannelsThatAreRead) {
    Textured textured = textured_scene();
    const std::vector<std::uint8_t> roughness = textured.scene.images[3].bytes;
    const std::vector<std::uint8_t> green = textured.scene.images[4].bytes;
    ThreadPool pool(2);
    (void)compress_textures(textured.scene, pool, kEnough);
    const auto decoded_image = [&](std::size_t i) {
        const Image& image = textured.scene.images[i];
        return texels_of(decode_image(image, read_image_header(image), {})[0]);
    };
    const std::vector<std::uint8_t> kept = decoded_image(3);
    ASSERT_EQ(kept.size(), roughness.size());
    for (std::size_t i = 0; i < kept.size(); i += 4) {
        ASSERT_NEAR(kept[i], 0, 1) << "nothing reads red";
        ASSERT_NEAR(kept[i + 1], roughness[i + 1], 16);
        ASSERT_NEAR(kept[i + 2], roughness[i + 2], 16);
        ASSERT_EQ(kept[i + 3], 255);
    }
    // One channel is in all four: whichever is read.
    const std::vector<std::uint8_t> one = decoded_image(5);
    for (std::size_t i = 0; i < one.size(); ++i) ASSERT_NEAR(one[i], green[i / 4 * 4 + 1], 8);
}

TEST(TextureCompression, KeepsTheCoverageOfMasks) {
    Scene scene;
    // Leaves: dots that fade.
    TexelLevel leaves = allocate_level(128, 128);
    for (std::uint32_t i = 0; i < 128 * 128; ++i) {
        const double x = 0.7 * (i % 128);
        const double y = 0.6 * (i / 128);
        const double alpha = 128.0 + 200.0 * std::sin(x) * std::sin(y) - 60.0;
        leaves.span()[4 * i] = 40;
        leaves.span()[4 * i + 1] = static_cast<std::uint8_t>(120 + i % 30);
        leaves.span()[4 * i + 2] = 30;
        leaves.span()[4 * i + 3] = static_cast<std::uint8_t>(std::clamp(alpha, 0.0, 255.0));
    }
    scene.images = {raw_image(leaves)};
    scene.textures = {{0, -1}};
    scene.materials.resize(1);
    scene.materials[0].base_color_texture.texture = 0;
    scene.materials[0].alpha_mode = AlphaMode::kMask;
    ThreadPool pool(2);
    (void)compress_textures(scene, pool, kEnough);
    const auto levels = decode_image(scene.images[0], read_image_header(scene.images[0]), {});
    const auto share = [](const TexelLevel& level) {
        double passing = 0.0;
        for (std::size_t i = 3; i < level.span().size(); i += 4) passing += level.span()[i] >= 128 ? 1.0 : 0.0;
        return passing / (static_cast<double>(level.width) * level.height);
    };
    ASSERT_GT(share(leaves), 0.1);
    ASSERT_LT(share(leaves), 0.6);
    const auto mips = make_mips(leaves.span(), 128, 128, {.weigh_by_alpha = true, .least_alpha = 128});
    EXPECT_NEAR(share(levels[0]), share(leaves), 0.02);
    for (std::size_t i = 1; i < 4; ++i) EXPECT_NEAR(share(levels[i]), share(mips[i - 1]), 0.02) << i;
}

TEST(TextureCompression, NormalMapsAreOfUnitLength) {
    Scene scene;
    TexelLevel longer = bumps(16);
    for (std::size_t i = 0; i < longer.span().size(); ++i) {  // half as long
        if (i % 4 < 3) longer.span()[i] = static_cast<std::uint8_t>((longer.span()[i] - 128) / 2 + 128);
    }
    scene.images = {raw_image(longer)};
    scene.textures = {{0, -1}};
    scene.materials.resize(1);
    scene.materials[0].normal_texture.texture = 0;
    ThreadPool pool(1);
    (void)compress_textures(scene, pool, kEnough);
    const auto levels = decode_image(scene.images[0], read_image_header(scene.images[0]), {});
    const TexelLevel wanted = bumps(16);
    for (std::size_t i = 0; i < wanted.span().size(); ++i) {
        if (i % 4 == 3) continue;
        const int expected = i % 4 == 2 ? 0 : wanted.span()[i];  // the shader makes Z
        ASSERT_NEAR(levels[0].span()[i], expected, i % 4 == 2 ? 0 : 8) << i;
    }
    std::vector<std::uint8_t> complete = texels_of(levels[0]);
    complete_normals(complete);
    for (std::size_t i = 2; i < complete.size(); i += 4) ASSERT_NEAR(complete[i], wanted.span()[i], 8);
}

TEST(TextureCompression, IsTheSameOnEveryNumberOfThreads) {
    std::vector<std::vector<std::uint8_t>> first;
    for (const unsigned threads : {1U, 3U}) {
        Textured textured = textured_scene();
        ThreadPool pool(threads);
        (void)compress_textures(textured.scene, pool, kEnough);
        std::vector<std::vector<std::uint8_t>> bytes;
        for (const Image& image : textured.scene.images) bytes.push_back(image.bytes);
        if (first.empty()) first = bytes;
        EXPECT_EQ(bytes, first);
    }
}

TEST(TextureCompression, LeavesAloneWhatItCannotOrNeedNotCompress) {
    Textured textured = textured_scene();
    Scene& scene = textured.scene;
    const std::string basis = ktx2_file(kUastc);
    scene.images[0] = file_image(basis);
    scene.images[1].bytes.pop_back();
    scene.images[1].name = "broken";
    scene.images.push_back(raw_image(wall(8, 8)));  // nothing reads it
    const Scene before = scene;
    ThreadPool pool(2);
    const TextureCompression result = compress_textures(scene, pool, 2000);
    for (const std::size_t i : {0, 1, 2, 5}) {
        EXPECT_EQ(scene.images[i].bytes, before.images[i].bytes) << i;
        EXPECT_EQ(scene.images[i].mime_type, before.images[i].mime_type) << i;
    }
    ASSERT_EQ(result.notes.size(), 2U);
    EXPECT_NE(result.notes[0].find("image 1 'broken' is not compressed: its bytes"), std::string::npos);
    EXPECT_NE(result.notes[1].find("image 2 'raw' is not compressed: decoding it takes more than"), std::string::npos)
        << result.notes[1];
}

TEST(TextureCompression, OfNothingIsNothing) {
    Scene scene;
    ThreadPool pool(1);
    EXPECT_TRUE(compress_textures(scene, pool, kEnough).images.empty());
}

TEST(TextureCompression, GoesThroughTheFileAndBackToGltf) {
    ThreadPool pool(2);
    GltfBuilder builder = GltfBuilder::triangle();
    ImportedScene imported = import_gltf(builder.write_glb("a.glb"));
    Textured textured = textured_scene();
    imported.scene.images = textured.scene.images;
    imported.scene.textures = textured.scene.textures;
    imported.scene.samplers = textured.scene.samplers;
    imported.scene.materials = textured.scene.materials;
    (void)compress_textures(imported.scene, pool, kEnough);
    const std::vector<Image> images = imported.scene.images;
    write_sublet(test_path("a.sublet"), encode_scene(std::move(imported), {}, pool));
    const EncodedScene opened = open_sublet(test_path("a.sublet"), &pool);
    ASSERT_EQ(opened.scene.images.size(), images.size());
    for (std::size_t i = 0; i < images.size(); ++i) EXPECT_EQ(opened.scene.images[i].bytes, images[i].bytes);

    const std::vector<ImageStats> stats = image_stats(opened.scene);
    ASSERT_EQ(stats.size(), 3U);
    EXPECT_EQ(stats[0].format, "image/ktx2 BC4");
    EXPECT_EQ(stats[0].count, 2U);
    EXPECT_EQ(stats[0].texture_bytes,
              texture_bytes(20, 20, TexelFormat::kBc4) + texture_bytes(16, 16, TexelFormat::kBc4));
    EXPECT_EQ(stats[2].format, "image/ktx2 BC7");
    EXPECT_EQ(stats[2].count, 3U);

    export_glb(test_path("b.glb"), opened);
    const ImportedScene back = import_gltf(test_path("b.glb"));
    EXPECT_TRUE(back.notes.empty()) << back.notes[0];
    ASSERT_EQ(back.scene.images.size(), images.size());
    for (const Image& image : back.scene.images) EXPECT_EQ(image.mime_type, "image/png");
    const Image& normals = back.scene.images[1];
    const auto levels = decode_image(normals, read_image_header(normals), {});
    EXPECT_GT(psnr(levels[0], bumps(33), "rgb"), 38.0) << "with Z";
    // What can't be decoded is left out, with a note.
    NoteCollector collector;
    export_glb(test_path("c.glb"), opened, {.most_decoding = 1000});
    EXPECT_FALSE(collector.take().empty());
    EXPECT_LT(import_gltf(test_path("c.glb")).scene.images.size(), images.size());
}

}  // namespace
}  // namespace sublet::scene::testing
