// Blocks: how near they are to their sources, how those of others are read; KTX2 files of Vulkan's formats.
#include "scene/image_blocks.h"

#include <gtest/gtest.h>
#include <zstd.h>

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/thread_pool.h"
#include "ktx2_files.h"
#include "texel_patterns.h"

namespace sublet::scene::testing {
namespace {

std::string hex_bytes(const std::string& digits) {
    return ktx2_file(digits);
}

TEST(Blocks, AreNearTheirSource) {
    const auto through = [](const TexelLevel& level, TexelFormat format, PackEffort effort) {
        return unpack_blocks(pack_blocks(level, format, effort));
    };
    const TexelLevel color = wall(256, 192);
    const TexelLevel clear = wall(256, 192, true);
    const TexelLevel normals = bumps(128);
    // Each floor lies less than a decibel below what was measured.
    for (const auto& [effort, floor] : {std::pair(PackEffort::kFast, 36.5), std::pair(PackEffort::kBest, 39.0)}) {
        EXPECT_GT(psnr(color, through(color, TexelFormat::kBc7, effort), "rgb"), floor);
        EXPECT_GT(psnr(clear, through(clear, TexelFormat::kBc7, effort), "rgba"), 39.5);
        EXPECT_GT(psnr(color, through(color, TexelFormat::kBc7, effort), "a"), 999.0) << "opaque stays opaque";
    }
    EXPECT_GT(psnr(normals, through(normals, TexelFormat::kBc5, PackEffort::kBest), "rg"), 43.5);
    EXPECT_GT(psnr(color, through(color, TexelFormat::kBc4, PackEffort::kBest), "r"), 49.0);
}

TEST(Blocks, OfEverySizeHoldTheirTexels) {
    for (const TexelFormat format : {TexelFormat::kBc4, TexelFormat::kBc5, TexelFormat::kBc7}) {
        for (std::uint32_t width = 1; width < 10; ++width) {
            for (std::uint32_t height = 1; height < 10; ++height) {
                TexelLevel plain = allocate_level(width, height);
                for (std::size_t i = 0; i < plain.span().size(); ++i) {
                    constexpr std::uint8_t kColor[4] = {200, 100, 0, 255};
                    plain.span()[i] = i % 4 == 1 && format == TexelFormat::kBc4 ? 0 : kColor[i % 4];
                }
                const TexelLevel packed = pack_blocks(plain, format, PackEffort::kBest);
                ASSERT_EQ(packed.span().size(), ((width + 3) / 4) * ((height + 3) / 4) * block_bytes(format));
                const TexelLevel back = unpack_blocks(packed);
                ASSERT_EQ(back.span().size(), plain.span().size());
                for (std::size_t i = 0; i < plain.span().size(); ++i) {
                    ASSERT_NEAR(back.span()[i], plain.span()[i], 1) << width << 'x' << height << ' ' << i;
                }
            }
        }
    }
}

TEST(Blocks, AreTheSameOnEveryNumberOfThreads) {
    const TexelLevel color = wall(130, 70);
    const std::vector<std::uint8_t> alone = texels_of(pack_blocks(color, TexelFormat::kBc7, PackEffort::kBest));
    for (const unsigned threads : {1U, 2U, 5U}) {
        ThreadPool pool(threads);
        EXPECT_EQ(texels_of(pack_blocks(color, TexelFormat::kBc7, PackEffort::kBest, &pool)), alone);
    }
}

// By hand, from the specification.
TEST(Blocks, AreReadAsSpecified) {
    const auto unpack = [](TexelFormat format, const std::string& digits) {
        TexelLevel level = allocate_level(4, 4, format);
        const std::string bytes = hex_bytes(digits);
        std::memcpy(level.data.get(), bytes.data(), level.span().size());
        return texels_of(unpack_blocks(level));
    };
    const auto texel = [](const std::vector<std::uint8_t>& rgba, std::size_t i) {
        return std::vector<int>(rgba.begin() + static_cast<std::ptrdiff_t>(4 * i),
                                rgba.begin() + static_cast<std::ptrdiff_t>(4 * i + 4));
    };
    using Texel = std::vector<int>;
    // Red and blue, red the greater number: four colours. The first row is 0, 1, 2, 3.
    const auto four = unpack(TexelFormat::kBc1, "00f81f00e4000000");
    EXPECT_EQ(texel(four, 0), (Texel{255, 0, 0, 255}));
    EXPECT_EQ(texel(four, 1), (Texel{0, 0, 255, 255}));
    EXPECT_EQ(texel(four, 2), (Texel{170, 0, 85, 255}));
    EXPECT_EQ(texel(four, 3), (Texel{85, 0, 170, 255}));
    EXPECT_EQ(texel(four, 4), (Texel{255, 0, 0, 255}));
    // The other way round: three, and none.
    const auto three = unpack(TexelFormat::kBc1, "1f0000f8e4000000");
    EXPECT_EQ(texel(three, 2), (Texel{128, 0, 128, 255}));
    EXPECT_EQ(texel(three, 3), (Texel{0, 0, 0, 0}));
    // 10 and 245: six values, 0 and 255. The other way round eight. The first row is 0, 1, 6, 7.
    const auto six = unpack(TexelFormat::kBc4, "0af5880f00000000");
    EXPECT_EQ(texel(six, 0), (Texel{10, 0, 0, 255}));
    EXPECT_EQ(texel(six, 1), (Texel{245, 0, 0, 255}));
    EXPECT_EQ(texel(six, 2), (Texel{0, 0, 0, 255}));
    EXPECT_EQ(texel(six, 3), (Texel{255, 0, 0, 255}));
    const auto eight = unpack(TexelFormat::kBc4, "f50a880f00000000");
    EXPECT_EQ(texel(eight, 2), (Texel{(2 * 245 + 5 * 10 + 3) / 7, 0, 0, 255}));
    EXPECT_EQ(texel(eight, 3), (Texel{(1 * 245 + 6 * 10 + 3) / 7, 0, 0, 255}));
    const auto two = unpack(TexelFormat::kBc5,
                            "f50a880f00000000"
                            "0af5880f00000000");
    EXPECT_EQ(texel(two, 3), (Texel{(1 * 245 + 6 * 10 + 3) / 7, 255, 0, 255}));
    // BC3 has four colours always; its alpha is a block of BC4.
    const auto both = unpack(TexelFormat::kBc3,
                             "0af5880f00000000"
                             "1f0000f8e4000000");
    EXPECT_EQ(texel(both, 2), (Texel{85, 0, 170, 0}));
    EXPECT_EQ(texel(both, 3), (Texel{170, 0, 85, 255}));
    // No mode of BC7 at all.
    EXPECT_EQ(texel(unpack(TexelFormat::kBc7, std::string(32, '0')), 5), (Texel{0, 0, 0, 0}));
}

std::string zstandard(const std::string& level) {
    std::string packed(ZSTD_compressBound(level.size()), '\0');
    packed.resize(ZSTD_compress(packed.data(), packed.size(), level.data(), level.size(), 1));
    return packed;
}

// A file of these levels, compressed or not.
std::string ktx2_of(const Ktx2Parts& parts, bool compressed = false) {
    return compressed ? vulkan_ktx2(parts, zstandard) : vulkan_ktx2(parts, {});
}

std::vector<TexelLevel> decoded(const std::string& file, bool blocks = false, unsigned halvings = 0) {
    const Image image = file_image(file);
    return decode_image(image, read_image_header(image, blocks), {.use = TextureUse::kData}, halvings);
}

std::string error_of(const std::string& file) {
    try {
        (void)decoded(file);
        (void)decoded(file, true);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

TEST(VulkanKtx2, OfUncompressedFormatsIsRead) {
    const std::vector<std::pair<std::uint32_t, std::uint32_t>> formats{{9, 1},  {15, 1}, {16, 2}, {22, 2},
                                                                       {23, 3}, {29, 3}, {37, 4}, {43, 4}};
    for (const auto& [format, channels] : formats) {
        for (const bool compressed : {false, true}) {
            std::string texels;
            for (std::uint32_t i = 0; i < 6 * channels; ++i) texels += static_cast<char>(10 + i * 7);
            const auto levels = decoded(ktx2_of({format, 3, 2, {texels}}, compressed));
            ASSERT_EQ(levels.size(), 2U) << "its mips are made";
            for (std::size_t i = 0; i < 6; ++i) {
                for (std::size_t c = 0; c < 4; ++c) {
                    const int expected = c < channels ? static_cast<std::uint8_t>(texels[i * channels + c])
                                         : c == 3     ? 255
                                                      : 0;
                    EXPECT_EQ(levels[0].span()[4 * i + c], expected) << format << ' ' << i << ' ' << c;
                }
            }
        }
    }
}

TEST(VulkanKtx2, KeepsItsOwnMips) {
    const std::vector<std::string> all{std::string(16 * 4, '\x40'), std::string(4 * 4, '\x80'), std::string(4, '\xFF')};
    const auto own = decoded(ktx2_of({.levels = all}));
    ASSERT_EQ(own.size(), 3U);
    EXPECT_EQ(own[1].span()[0], 0x80);
    EXPECT_EQ(own[2].span()[0], 0xFF);
    const auto last = decoded(ktx2_of({.levels = all}), false, 2);
    ASSERT_EQ(last.size(), 1U);
    EXPECT_EQ(last[0].span()[0], 0xFF);
    EXPECT_EQ(decoded(ktx2_of({.levels = all}), false, 9).size(), 1U);
    // Where one is missing they are made.
    const auto made = decoded(ktx2_of({.levels = {all[0], all[1]}}));
    ASSERT_EQ(made.size(), 3U);
    EXPECT_EQ(made[1].span()[0], 0x40);
    EXPECT_EQ(made[2].span()[0], 0x40);
}

TEST(VulkanKtx2, OfBlocksGoesToTheGpuAsItIs) {
    const std::string block = hex_bytes("00f81f00e4000000");
    const std::vector<std::string> bc1{block + block, block, block, block};
    const Image image = file_image(ktx2_of({131, 8, 4, bc1}));
    const ImageHeader header = read_image_header(image, true);
    EXPECT_EQ(header.format, TexelFormat::kBc1);
    EXPECT_EQ(header.swizzle, (Swizzle{'r', 'g', 'b', '1'})) << "BC1_RGB is opaque";
    EXPECT_EQ(read_image_header(file_image(ktx2_of({133, 8, 4, bc1})), true).swizzle, kNoSwizzle);
    const auto levels = decode_image(image, header, {}, 0);
    ASSERT_EQ(levels.size(), 4U);
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(std::string(levels[i].span().begin(), levels[i].span().end()), bc1[i]);
    }
    EXPECT_EQ(decode_image(image, header, {}, 2).size(), 2U) << "the budget drops the largest";
    // Decoded for a device without blocks, and where mips are missing.
    EXPECT_EQ(read_image_header(image).format, TexelFormat::kRgba8);
    EXPECT_EQ(decoded(ktx2_of({131, 8, 4, bc1}))[0].span()[8], 170);
    EXPECT_EQ(read_image_header(file_image(ktx2_of({131, 8, 4, {bc1[0]}})), true).format, TexelFormat::kRgba8);
    const std::vector<std::pair<std::uint32_t, TexelFormat>> formats{
        {137, TexelFormat::kBc3}, {138, TexelFormat::kBc3}, {139, TexelFormat::kBc4},
        {141, TexelFormat::kBc5}, {145, TexelFormat::kBc7}, {146, TexelFormat::kBc7}};
    for (const auto& [number, format] : formats) {
        const std::string blocks(block_bytes(format), '\x11');
        const Image other = file_image(ktx2_of({number, 4, 4, {blocks, blocks, blocks}}, true));
        EXPECT_EQ(read_image_header(other, true).format, format);
        EXPECT_EQ(texels_of(decode_image(other, read_image_header(other, true), {}, 0)[0]),
                  std::vector<std::uint8_t>(blocks.begin(), blocks.end()));
        EXPECT_EQ(error_of(ktx2_of({number, 4, 4, {blocks, blocks, blocks}}, true)), "");
    }
}

TEST(VulkanKtx2, IsSwizzledAsItSays) {
    const auto levels = decoded(ktx2_of({.format = 9, .width = 1, .height = 1, .levels = {"\x50"}, .swizzle = "rrr1"}));
    EXPECT_EQ(texels_of(levels[0]), (std::vector<std::uint8_t>{0x50, 0x50, 0x50, 255}));
    const auto other =
        decoded(ktx2_of({.format = 16, .width = 1, .height = 1, .levels = {"\x50\x60"}, .swizzle = "0ga1"}));
    EXPECT_EQ(texels_of(other[0]), (std::vector<std::uint8_t>{0, 0x60, 255, 255}));
    EXPECT_NE(error_of(ktx2_of({.format = 9, .width = 1, .height = 1, .levels = {"\x50"}, .swizzle = "rgbx"}))
                  .find("KTXswizzle"),
              std::string::npos);
}

TEST(VulkanKtx2, SaysWhatIsWrong) {
    const auto expect = [](const std::string& error, const char* part) {
        EXPECT_NE(error.find(part), std::string::npos) << error;
    };
    const std::string texels(64, 'x');
    for (const std::uint32_t format : {1U, 44U, 135U, 140U, 142U, 143U, 157U}) {
        expect(error_of(ktx2_of({.format = format, .levels = {texels}})),
               ("holds Vulkan's format " + std::to_string(format) + ";").c_str());
    }
    expect(error_of(ktx2_of({.levels = {std::string(63, 'x')}})), "level 0 has 63 bytes, but its texels take 64");
    expect(error_of(ktx2_of({.format = 145, .levels = {texels}})), "level 0 has 64 bytes, but its texels take 16");
    expect(error_of(ktx2_of({.levels = {texels, texels, texels, texels}})), "has 4 levels, but its size has 3");
    expect(error_of(ktx2_of({.levels = {texels, std::string(16, 'x'), "xyz"}})), "level 2 has 3 bytes");
    std::string file = ktx2_of({.levels = {texels}});
    file[44] = 3;
    expect(error_of(file), "has supercompression 3");
    file = ktx2_of({.levels = {texels}}, true);
    file.back() = static_cast<char>(file.back() ^ 0x55);
    file[file.size() - 3] = static_cast<char>(file[file.size() - 3] ^ 0x55);
    EXPECT_NE(error_of(file.substr(0, file.size() - 1)), "");
    // 32768 x 32768 in a few bytes.
    file = ktx2_of({.format = 145, .levels = {std::string(16, 'x')}}, true);
    file.replace(20, 8, std::string("\0\x80\0\0\0\x80\0\0", 8)).replace(96, 8, std::string("\0\0\0\x40\0\0\0\0", 8));
    expect(error_of(file), "has too few bytes");
}

TEST(VulkanKtx2, SurvivesDamage) {
    const std::string block(16, '\x11');
    for (const bool compressed : {false, true}) {
        for (const std::uint32_t format : {23U, 145U, 141U}) {
            const std::uint32_t texel = format == 23 ? 3 : 0;
            const auto level = [&](std::uint32_t texels) {
                return texel > 0 ? std::string(texel * texels, 'x') : block;
            };
            const std::string whole = ktx2_of({format, 4, 4, {level(16), level(4), level(1)}, "rgba"}, compressed);
            ASSERT_EQ(error_of(whole), "");
            for (std::size_t size = 12; size < whole.size(); ++size) EXPECT_NE(error_of(whole.substr(0, size)), "");
            for (std::size_t at = 12; at < whole.size(); ++at) {
                for (const char value : {'\0', '\1', '\x7F', '\x80', '\xFF'}) {
                    std::string damaged = whole;
                    damaged[at] = value;
                    (void)error_of(damaged);  // whatever it says, it returns
                }
            }
        }
    }
}

TEST(BasisKtx2, IsTranscodedToBlocks) {
    const Swizzle plain = kNoSwizzle;
    for (const std::string_view digits : {kEtc1s, kEtc1sAlpha, kUastc, kUastcZstandard}) {
        const Image image = file_image(ktx2_file(digits));
        const ImageHeader header = read_image_header(image, true);
        EXPECT_EQ(header.format, TexelFormat::kBc7);
        EXPECT_EQ(header.swizzle, plain);
        EXPECT_FALSE(header.has_mips) << "they are made";
        const auto blocks = decode_image(image, header, {}, 0);
        const auto rgba = decode_image(image, read_image_header(image), {}, 0);
        ASSERT_EQ(blocks.size(), 4U);
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            EXPECT_EQ(blocks[i].format, TexelFormat::kBc7);
            EXPECT_EQ(blocks[i].width, rgba[i].width);
        }
        // (Of the second level one block has all four colours, which BC7 can't tell apart.)
        EXPECT_GT(psnr(unpack_blocks(blocks[0]), rgba[0], "rgba"), 30.0);
        EXPECT_GT(psnr(unpack_blocks(blocks[3]), rgba[3], "rgba"), 30.0);
    }
}

}  // namespace
}  // namespace sublet::scene::testing
