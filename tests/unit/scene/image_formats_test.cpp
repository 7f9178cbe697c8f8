// Images in formats that glTF has by extension, and that take a library: found, decoded within bounds, kept.
#include "scene/image_formats.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/error.h"
#include "gltf_builder.h"
#include "image_files.h"
#include "ktx2_files.h"
#include "scene/container.h"
#include "scene/png.h"
#ifdef SUBLET_WEBP
#include "webp_files.h"
#endif

namespace sublet::scene::testing {
namespace {

std::string error_of(const std::string& file) {
    Image image;
    image.bytes.assign(file.begin(), file.end());
    try {
        (void)decode_image(image, read_image_header(image), {});
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

[[maybe_unused]] std::vector<std::uint8_t> decoded(const std::string& file, unsigned halvings = 0) {
    Image image;
    image.bytes.assign(file.begin(), file.end());
    const std::vector<TexelLevel> levels = decode_image(image, read_image_header(image), {}, halvings);
    const TexelLevel& first = levels.front();
    return {first.data.get(), first.data.get() + std::size_t{4} * first.width * first.height};
}

[[maybe_unused]] ImageHeader header_of(const std::string& file) {
    Image image;
    image.bytes.assign(file.begin(), file.end());
    return read_image_header(image);
}

std::string png_of_one_texel() {
    const std::vector<std::uint8_t> png = encode_png(1, 1, std::vector<std::uint8_t>{10, 20, 30, 255});
    return {png.begin(), png.end()};
}

// A triangle whose texture names `file` by the extension and, where there is one, `fallback` without.
GltfBuilder textured_by(const char* extension, const std::string& file, const std::string& fallback) {
    GltfBuilder builder = GltfBuilder::triangle();
    json& images = builder.root["images"];
    images.push_back({{"bufferView", builder.view(std::as_bytes(std::span(file)))}});
    json texture{{"extensions", {{extension, {{"source", 0}}}}}};
    if (!fallback.empty()) {
        images.push_back({{"bufferView", builder.view(std::as_bytes(std::span(fallback)))}});
        texture["source"] = 1;
    }
    builder.root["textures"] = json::array({texture});
    builder.root["extensionsUsed"] = {extension};
    builder.root["extensionsRequired"] = {extension};
    builder.root["materials"] = json::array({{{"pbrMetallicRoughness", {{"baseColorTexture", {{"index", 0}}}}}}});
    builder.root["meshes"][0]["primitives"][0]["material"] = 0;
    return builder;
}

// What becomes of a texture that has `file` by the extension.
[[maybe_unused]] void expect_taken(const char* extension, const std::string& file, const char* mime_type) {
    const std::vector<std::uint8_t> bytes(file.begin(), file.end());
    for (const std::string& fallback : {std::string(), png_of_one_texel()}) {
        const GltfBuilder builder = textured_by(extension, file, fallback);
        const ImportedScene scene = import_gltf(builder.write_glb("a.glb"));
        EXPECT_TRUE(scene.notes.empty()) << scene.notes[0];
        ASSERT_EQ(scene.scene.images.size(), 1U);
        EXPECT_EQ(scene.scene.images[0].mime_type, mime_type);
        EXPECT_EQ(scene.scene.images[0].bytes, bytes);
    }
}

// Through a .sublet file, and through the .glb that it decodes to.
void expect_kept(const char* extension, const std::string& file, const char* mime_type) {
    const std::vector<std::uint8_t> bytes(file.begin(), file.end());
    const GltfBuilder builder = textured_by(extension, file, "");
    write_sublet(test_path("a.sublet"), encode_file(builder.write_glb("a.glb")));
    const EncodedScene kept = open_sublet(test_path("a.sublet"));
    ASSERT_EQ(kept.scene.images.size(), 1U);
    EXPECT_EQ(kept.scene.images[0].bytes, bytes);
    EXPECT_EQ(kept.scene.images[0].mime_type, mime_type);
    export_glb(test_path("b.glb"), kept);
    const std::vector<std::byte> glb = read_bytes(test_path("b.glb"));
    const std::string text(reinterpret_cast<const char*>(glb.data()), glb.size());
    EXPECT_NE(text.find("\"extensionsRequired\":[\"" + std::string(extension) + "\"]"), std::string::npos);
    const ImportedScene back = import_gltf(test_path("b.glb"));
    ASSERT_EQ(back.scene.images.size(), 1U);
    EXPECT_EQ(back.scene.images[0].bytes, bytes);
    EXPECT_EQ(back.scene.images[0].mime_type, mime_type);
    EXPECT_EQ(back.scene.materials[0].base_color_texture.texture, 0);
}

TEST(ImageFormats, GoByTheBytes) {
    const auto type_of = [](std::string_view bytes) {
        const ImageFormat* const format =
            image_format_of({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
        return format == nullptr ? "" : format->mime_type;
    };
    EXPECT_STREQ(type_of("\xFF\xD8\xFF\xE0"), "image/jpeg");
    EXPECT_STREQ(type_of("\x89PNG\r\n\x1A\n"), "image/png");
    EXPECT_STREQ(type_of("RIFF\1\2\3\4WEBPVP8 "), "image/webp");
    EXPECT_STREQ(type_of("RIFF\1\2\3\4WAVE"), "");
    EXPECT_STREQ(type_of("RIFF"), "");
    EXPECT_STREQ(type_of(ktx2_file(kUastc)), "image/ktx2");
    EXPECT_STREQ(type_of(""), "");
}

TEST(ImageFormats, AreAskedForWithinTheFile) {
    for (const ImageFormat& format : image_formats()) {
        if (format.extension == nullptr) continue;
        GltfBuilder builder = textured_by(format.extension, png_of_one_texel(), "");
        builder.root["textures"][0]["extensions"][format.extension]["source"] = 1;
        const std::string field = std::string("textures[0].extensions.") + format.extension;
        EXPECT_NE(import_error(builder.write_glb("a.glb")).find(field + ".source: is 1, but the file has 1 images"),
                  std::string::npos);
        builder.root["textures"][0]["extensions"][format.extension] = json::object();
        EXPECT_NE(import_error(builder.write_glb("a.glb")).find(field + ".source: is missing"), std::string::npos);
    }
}

TEST(ImageFormats, FallBackWhereAnImageIsNotThere) {
    for (const ImageFormat& format : image_formats()) {
        if (format.extension == nullptr) continue;
        GltfBuilder builder = textured_by(format.extension, "none", png_of_one_texel());
        const ImportedScene scene = import_gltf(builder.write_glb("a.glb"));
        ASSERT_EQ(scene.scene.images.size(), 1U);
        EXPECT_EQ(scene.scene.images[0].mime_type, "image/png");
        // Without its library the image is not looked at.
        EXPECT_TRUE(has_note(scene, format.is_decoded() ? "images[0] is of no format that is read" : "is not read"));
    }
}

#ifdef SUBLET_WEBP

TEST(Webp, DecodesEveryKind) {
    for (const auto& [width, height] : {std::pair{1U, 1U}, {1U, 300U}, {300U, 1U}, {65U, 33U}, {256U, 128U}}) {
        std::vector<std::uint8_t> texels = gradient(width, height);
        for (const bool alpha : {true, false}) {
            if (!alpha) {
                for (std::size_t i = 3; i < texels.size(); i += 4) texels[i] = 255;
            }
            for (const bool lossless : {false, true}) {
                SCOPED_TRACE(std::to_string(width) + "x" + std::to_string(height) + (alpha ? ", alpha" : "") +
                             (lossless ? ", lossless" : ""));
                const std::string file = webp_file(width, height, texels, {lossless, alpha});
                EXPECT_EQ(header_of(file).width, width);
                EXPECT_EQ(header_of(file).height, height);
                const std::vector<std::uint8_t> got = decoded(file);
                ASSERT_EQ(got.size(), texels.size());
                for (std::size_t i = 0; i < got.size(); ++i) {
                    const bool exact = lossless || i % 4 == 3;
                    ASSERT_LE(std::abs(int{got[i]} - int{texels[i]}), exact ? 0 : 12) << i;
                }
            }
        }
    }
}

TEST(Webp, IsHalvedLikeOtherImages) {
    const std::vector<std::uint8_t> texels = gradient(64, 32);
    const Image raw{"raw", kRawImageType, 64, 32, texels};
    const std::vector<TexelLevel> expected = decode_image(raw, read_image_header(raw), {}, 2);
    const std::vector<std::uint8_t> got = decoded(webp_file(64, 32, texels, {true, true}), 2);
    EXPECT_TRUE(std::equal(got.begin(), got.end(), expected.front().data.get()));
    EXPECT_EQ(got.size(), 16U * 8U * 4U);
}

TEST(Webp, AccountsForWhatItsDecoderHolds) {
    const std::vector<std::uint8_t> texels(std::size_t{4} * 1024 * 1024, 255);
    constexpr std::uint64_t kTexels = 1024U * 1024U;
    const std::uint64_t lossy = header_of(webp_file(1024, 1024, texels, {false, false})).decode_bytes;
    EXPECT_GE(lossy, 4 * kTexels);
    EXPECT_LE(lossy, 6 * kTexels) << "with a third for the mips";
    const std::uint64_t lossless = header_of(webp_file(1024, 1024, texels, {true, false})).decode_bytes;
    EXPECT_GE(lossless, 8 * kTexels);
    EXPECT_LE(lossless, 10 * kTexels);
}

// The least that an encoder can do is within what is taken for possible.
TEST(Webp, TakesPlainImagesForPossible) {
    const std::vector<std::uint8_t> texels(std::size_t{4} * 2048 * 2048, 255);
    for (const bool lossless : {false, true}) {
        EXPECT_EQ(error_of(webp_file(2048, 2048, texels, {lossless, false})), "") << lossless;
    }
}

TEST(Webp, OfHugeSizesInFewBytesIsNotTried) {
    std::string file = webp_file(16, 16, gradient(16, 16), {});
    const std::size_t start = file.find("\x9D\x01\x2A");  // of a key frame; 14 bits of width and height follow
    ASSERT_NE(start, std::string::npos);
    for (const std::size_t at : {start + 3, start + 5}) file.replace(at, 2, "\xFF\x3F");
    const std::string error = error_of(file);
    EXPECT_NE(error.find("bytes are too few for its 16383x16383 texels"), std::string::npos) << error;
}

TEST(Webp, SaysWhereItIsCutOff) {
    for (const bool lossless : {false, true}) {
        const std::string whole = webp_file(40, 24, gradient(40, 24), {lossless, true});
        EXPECT_EQ(error_of(whole.substr(0, whole.size() / 2)), "the file is cut off") << lossless;
        // Files are of even length: the last byte may say nothing.
        for (std::size_t size = 0; size + 1 < whole.size(); ++size) {
            EXPECT_NE(error_of(whole.substr(0, size)), "") << size << " of " << whole.size();
        }
    }
}

TEST(Webp, SurvivesDamage) {
    for (const bool lossless : {false, true}) {
        const std::string whole = webp_file(24, 24, gradient(24, 24), {lossless, true});
        std::size_t refused = 0;
        for (std::size_t at = 0; at < whole.size(); ++at) {
            for (const char value : {'\0', '\1', '\x7F', '\x80', '\xFF'}) {
                std::string damaged = whole;
                damaged[at] = value;
                refused += error_of(damaged).empty() ? 0U : 1U;
            }
        }
        EXPECT_GT(refused, 0U);
    }
}

TEST(Webp, RefusesAnimations) {
    // A canvas of 2 x 2 that is animated, and no frame.
    const std::string file("RIFF\x22\0\0\0WEBPVP8X\x0A\0\0\0\x02\0\0\0\1\0\0\1\0\0ANIM\x06\0\0\0\0\0\0\0\0\0", 44);
    EXPECT_EQ(error_of(file), "is an animation; glTF's images are still");
}

TEST(Webp, IsTakenBeforePng) {
    expect_taken("EXT_texture_webp", webp_file(4, 4, gradient(4, 4), {}), "image/webp");
}

TEST(Webp, IsKept) {
    expect_kept("EXT_texture_webp", webp_file(4, 4, gradient(4, 4), {}), "image/webp");
}

#else

TEST(Webp, SaysHowToGetIt) {
    const std::string file("RIFF\4\0\0\0WEBP", 12);
    EXPECT_NE(error_of(file).find("was built without libwebp"), std::string::npos);
    const ImportedScene scene =
        import_gltf(textured_by("EXT_texture_webp", file, png_of_one_texel()).write_glb("a.glb"));
    ASSERT_EQ(scene.scene.images.size(), 1U);
    EXPECT_EQ(scene.scene.images[0].mime_type, "image/png");
    EXPECT_TRUE(has_note(scene, "EXT_texture_webp is not read: its textures take their PNG or JPEG image"));
    EXPECT_TRUE(has_note(scene, "libwebp-dev"));
    expect_kept("EXT_texture_webp", file, "image/webp");
}

#endif

#ifdef SUBLET_BASISU

constexpr std::string_view kKtx2Files[] = {kEtc1s, kEtc1sAlpha, kUastc, kUastcZstandard};

TEST(Ktx2, DecodesEveryKind) {
    for (const std::string_view digits : kKtx2Files) {
        const std::string file = ktx2_file(digits);
        SCOPED_TRACE(file.size());
        EXPECT_EQ(header_of(file).width, 8U);
        EXPECT_EQ(header_of(file).height, 8U);
        const std::vector<std::uint8_t> got = decoded(file);
        ASSERT_EQ(got.size(), 256U);
        const int alpha = digits == kEtc1s ? 255 : 64;
        const int quarters[2][2][4] = {{{255, 0, 0, 255}, {0, 255, 0, 255}},
                                       {{0, 0, 255, 255}, {255, 255, 255, alpha}}};
        for (std::size_t i = 0; i < got.size(); ++i) {
            const std::size_t x = i / 4 % 8;
            const std::size_t y = i / 32;
            ASSERT_NEAR(got[i], quarters[y / 4][x / 4][i % 4], 8) << x << ' ' << y << ' ' << i % 4;
        }
    }
    EXPECT_EQ(decoded(ktx2_file(kUastc), 2).size(), 16U) << "halved like other images";
}

TEST(Ktx2, SaysWhereItIsCutOff) {
    for (const std::string_view digits : kKtx2Files) {
        const std::string whole = ktx2_file(digits);
        for (std::size_t size = 12; size < whole.size(); ++size) {
            EXPECT_NE(error_of(whole.substr(0, size)).find("cut off"), std::string::npos) << size;
        }
    }
}

TEST(Ktx2, SurvivesDamage) {
    for (const std::string_view digits : kKtx2Files) {
        const std::string whole = ktx2_file(digits);
        std::size_t refused = 0;
        for (std::size_t at = 12; at < whole.size(); ++at) {
            for (const char value : {'\0', '\1', '\x7F', '\x80', '\xFF'}) {
                std::string damaged = whole;
                damaged[at] = value;
                // Large sides are honest of ETC1S: they only take their time.
                const bool side = at >= 20 && at < 28;
                if (!side) refused += error_of(damaged).empty() ? 0U : 1U;
            }
        }
        EXPECT_GT(refused, 100U);
    }
}

TEST(Ktx2, SaysWhatIsWrong) {
    const auto error_with = [](std::string_view digits, std::size_t at, char value) {
        std::string file = ktx2_file(digits);
        file[at] = value;
        return error_of(file);
    };
    const auto expect = [](const std::string& error, const char* part) {
        EXPECT_NE(error.find(part), std::string::npos) << error;
    };
    expect(error_with(kUastc, 12, 44), "holds Vulkan's format 44");
    expect(error_with(kUastc, 20, 0), "is no two-dimensional image");
    expect(error_with(kUastc, 36, 6), "is no two-dimensional image");
    expect(error_with(kUastc, 20, 16), "level 0 has 64 bytes, but its texels take 128");
    expect(error_with(kUastcZstandard, 20, 16), "level 0 has 64 bytes, but its texels take 128");
    expect(error_with(kUastc, 80, 0x41), "level 0 begins at byte 65, which is no multiple of 16");
    expect(error_with(kUastc, 23, 1), "is 16777224x8; sides up to 32768 are read");
    expect(error_with(kUastc, 40, 0), "has 0 levels; 1 to 16 are read");
    expect(error_with(kUastc, 40, 9), "the level index");
    expect(error_with(kUastc, 44, 1), "has colour model 166 and supercompression 1");
    expect(error_with(kUastc, 50, 1), "the data format descriptor");
    expect(error_with(kUastc, 87, '\x7F'), "level 0 (");
    expect(error_with(kEtc1s, 71, '\xFF'), "the supercompression global data");
}

TEST(Ktx2, OfHugeSizesInFewBytesIsNotTried) {
    std::string file = ktx2_file(kUastcZstandard);
    const std::string side("\0\x40\0\0", 4);  // 16384
    file.replace(20, 4, side).replace(24, 4, side).replace(96, 8, std::string("\0\0\0\x10\0\0\0\0", 8));
    EXPECT_NE(error_of(file).find("has too few bytes"), std::string::npos) << error_of(file);
}

TEST(Ktx2, IsTakenBeforePng) {
    for (const std::string_view digits : kKtx2Files)
        expect_taken("KHR_texture_basisu", ktx2_file(digits), "image/ktx2");
}

TEST(Ktx2, IsKept) {
    expect_kept("KHR_texture_basisu", ktx2_file(kEtc1sAlpha), "image/ktx2");
}

#else

TEST(Ktx2, SaysHowToGetIt) {
    EXPECT_NE(error_of(ktx2_file(kUastc)).find("was built without Basis Universal"), std::string::npos);
    const ImportedScene scene =
        import_gltf(textured_by("KHR_texture_basisu", ktx2_file(kUastc), png_of_one_texel()).write_glb("a.glb"));
    ASSERT_EQ(scene.scene.images.size(), 1U);
    EXPECT_EQ(scene.scene.images[0].mime_type, "image/png");
    EXPECT_TRUE(has_note(scene, "KHR_texture_basisu is not read: its textures take their PNG or JPEG image"));
    EXPECT_TRUE(has_note(scene, "SUBLET_BASISU=ON"));
    expect_kept("KHR_texture_basisu", ktx2_file(kUastc), "image/ktx2");
}

#endif

}  // namespace
}  // namespace sublet::scene::testing
