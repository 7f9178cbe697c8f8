// Images, honest and hostile: what they take is known from their headers, and held to.
#include "scene/images.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "image_files.h"
#include "scene/png.h"

namespace sublet::scene::testing {
namespace {

Image image_of(const std::string& file) {
    Image image;
    image.name = "test";
    image.mime_type = file.starts_with("\xFF") ? "image/jpeg" : "image/png";
    image.bytes.assign(file.begin(), file.end());
    return image;
}

Image raw_image(std::uint32_t width, std::uint32_t height, std::vector<std::uint8_t> bytes) {
    return {"test", kRawImageType, width, height, std::move(bytes)};
}

std::vector<std::uint8_t> decoded(const Image& image, unsigned halvings = 0) {
    const std::vector<TexelLevel> levels = decode_image(image, read_image_header(image), {}, halvings);
    const TexelLevel& first = levels.front();
    return {first.data.get(), first.data.get() + std::size_t{4} * first.width * first.height};
}

std::string error_of(const Image& image) {
    try {
        (void)decoded(image);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

// Each kind that there is decodes within what its header accounts for.
TEST(Images, OfEveryKindDecodeWithinTheirAccount) {
    const std::vector<std::pair<std::uint8_t, std::vector<std::uint8_t>>> kinds{
        {0, {1, 2, 4, 8, 16}}, {2, {8, 16}}, {3, {1, 2, 4, 8}}, {4, {8, 16}}, {6, {8, 16}}};
    for (const auto& [width, height] : {std::pair{1U, 1U}, {1U, 2000U}, {2000U, 1U}, {8U, 700U}, {257U, 129U}}) {
        for (const auto& [color_type, depths] : kinds) {
            for (const std::uint8_t depth : depths) {
                for (const bool interlaced : {false, true}) {
                    SCOPED_TRACE(std::to_string(width) + "x" + std::to_string(height) + ", colour type " +
                                 std::to_string(color_type) + ", depth " + std::to_string(depth) +
                                 (interlaced ? ", interlaced" : ""));
                    const PngKind kind{width, height, depth, color_type, interlaced};
                    const Image image = image_of(png_file(kind, deflated_zeros(png_raw_bytes(kind))));
                    const ImageHeader header = read_image_header(image);
                    EXPECT_EQ(header.width, width);
                    EXPECT_EQ(header.height, height);
                    EXPECT_EQ(error_of(image), "");
                }
            }
        }
        for (const int components : {1, 3}) {
            for (const bool progressive : {false, true}) {
                const Image image = image_of(jpeg_file(width, height, components, progressive));
                EXPECT_EQ(read_image_header(image).height, height);
                EXPECT_EQ(error_of(image), "") << components << ' ' << progressive;
                EXPECT_EQ(decoded(image)[0], 128);
            }
        }
    }
}

TEST(Images, AccountForWhatDecodersHoldBesideTheTexels) {
    const auto bytes = [](const std::string& file) { return read_image_header(image_of(file)).decode_bytes; };
    constexpr std::uint64_t kTexels = 1024U * 1024U;
    const auto png = [&](std::uint8_t depth) {
        const PngKind kind{1024, 1024, depth, 6, false};
        return bytes(png_file(kind, deflated_zeros(png_raw_bytes(kind))));
    };
    EXPECT_GE(png(8), 8 * kTexels) << "the rows as inflated, and the texels";
    EXPECT_LE(png(8), 12 * kTexels);
    EXPECT_GE(png(16), 16 * kTexels);
    EXPECT_GE(bytes(jpeg_file(1024, 1024, 3, false)), 7 * kTexels);
    EXPECT_LE(bytes(jpeg_file(1024, 1024, 3, false)), 8 * kTexels);
    EXPECT_GE(bytes(jpeg_file(1024, 1024, 3, true)), 13 * kTexels) << "16-bit coefficients";
}

TEST(Images, KeepTheirColours) {
    std::vector<std::uint8_t> rgba;
    for (int i = 0; i < 5 * 3 * 4; ++i) rgba.push_back(static_cast<std::uint8_t>(i * 4));
    const std::vector<std::uint8_t> png = encode_png(5, 3, rgba);
    EXPECT_EQ(decoded(image_of({png.begin(), png.end()})), rgba);
    EXPECT_EQ(decoded(raw_image(5, 3, rgba)), rgba);
}

TEST(Images, StopAtDataThatInflateBeyondTheHeader) {
    const PngKind kind{16, 16};
    for (const std::uint64_t extra : {1'000'000ULL, 100'000'000ULL}) {
        const Image image = image_of(png_file(kind, deflated_zeros(png_raw_bytes(kind) + extra)));
        EXPECT_LT(read_image_header(image).decode_bytes, 1'500'000U) << "its file counts, its data don't";
        EXPECT_EQ(error_of(image), "its data are more than its header says") << extra;
    }
}

TEST(Images, OfHugeSizesInFewBytesAreNotTried) {
    const PngKind kind{16384, 16384};
    EXPECT_EQ(error_of(image_of(png_file(kind, deflated_zeros(1000)))).find("too few"), 14U);
    EXPECT_NE(error_of(image_of(png_file({16384, 16384, 1, 0, true}, ""))).find("too few"), std::string::npos);
    EXPECT_NE(error_of(image_of(jpeg_file(16384, 16384, 3, true).substr(0, 600))).find("too few"), std::string::npos);
}

TEST(Images, OfCountlessScansAreNotTried) {
    EXPECT_EQ(error_of(image_of(jpeg_file(512, 512, 1, true, 20))), "");
    std::string jpeg = jpeg_file(4096, 4096, 1, true);
    const std::string scan = jpeg_file(8, 8, 1, true);
    const std::size_t at = scan.find("\xFF\xDA");
    jpeg.resize(jpeg.size() - 2);
    for (int i = 0; i < 1000; ++i) jpeg += scan.substr(at, scan.size() - at - 2);
    EXPECT_NE(error_of(image_of(jpeg + "\xFF\xD9")).find("1001 scans"), std::string::npos);
}

TEST(Images, ThatAreNoneSaySo) {
    for (const std::string& file : {std::string(), std::string("hello"), std::string("\x89PNG\r\n\x1A\n"),
                                    std::string("\xFF\xD8\xFF"), png_file({0, 5}, "")}) {
        EXPECT_NE(error_of(image_of(file)), "") << file;
    }
    EXPECT_NE(error_of(raw_image(2, 2, std::vector<std::uint8_t>(15))), "");
    EXPECT_NE(error_of(raw_image(0, 0, {})), "");
}

TEST(HalvedImages, AreMeansInLinearLight) {
    // Half black, half white: half the light of white, which sRGB calls 188.
    EXPECT_EQ(decoded(raw_image(2, 1, {0, 0, 0, 0, 255, 255, 255, 255}), 1),
              (std::vector<std::uint8_t>{188, 188, 188, 128}));
    std::vector<std::uint8_t> quarter(4 * 4 * 4, 0);
    for (std::size_t i = 0; i < 16; ++i) quarter[i] = 255;  // a row of four
    EXPECT_EQ(decoded(raw_image(4, 4, quarter), 2), (std::vector<std::uint8_t>{137, 137, 137, 64}));
}

TEST(HalvedImages, KeepEveryPlainColour) {
    for (int value = 0; value < 256; ++value) {
        const auto v = static_cast<std::uint8_t>(value);
        for (const std::uint32_t side : {4U, 5U, 7U}) {
            const std::vector<std::uint8_t> rgba(std::size_t{4} * side * side, v);
            for (const std::uint8_t texel : decoded(raw_image(side, side, rgba), 1)) ASSERT_EQ(texel, v) << side;
        }
    }
}

TEST(HalvedImages, OfOddSidesCutTexels) {
    // Five become two: each covers two and a half.
    std::vector<std::uint8_t> row(5 * 4, 0);
    row[3] = row[7] = 250;  // alpha
    row[11] = 100;
    const std::vector<std::uint8_t> two = decoded(raw_image(5, 1, row), 1);
    ASSERT_EQ(two.size(), 8U);
    EXPECT_EQ(two[3], 220);  // (250 + 250 + 100 / 2) / 2.5
    EXPECT_EQ(two[7], 20);   // (100 / 2 + 0 + 0) / 2.5
    EXPECT_EQ(decoded(raw_image(3, 1, {0, 0, 0, 30, 0, 0, 0, 60, 0, 0, 0, 90}), 3)[3], 60) << "never less than a texel";
}

TEST(HalvedImages, HaveAllSmallerLevels) {
    const Image image = raw_image(5, 3, std::vector<std::uint8_t>(60, 7));
    const auto sizes = [&](unsigned halvings) {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> out;
        for (const TexelLevel& level : decode_image(image, read_image_header(image), {}, halvings)) {
            out.emplace_back(level.width, level.height);
        }
        return out;
    };
    using Sizes = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
    EXPECT_EQ(sizes(0), (Sizes{{5, 3}, {2, 1}, {1, 1}}));
    EXPECT_EQ(sizes(1), (Sizes{{2, 1}, {1, 1}}));
    EXPECT_EQ(sizes(2), (Sizes{{1, 1}}));
    EXPECT_EQ(sizes(31), (Sizes{{1, 1}}));
}

TEST(ImagePlan, CountsMips) {
    EXPECT_EQ(texture_bytes(4, 4), 64U + 16 + 4);
    EXPECT_EQ(texture_bytes(5, 2), 40U + 8 + 4);
    EXPECT_EQ(texture_bytes(1, 1), 4U);
}

constexpr std::uint64_t kPlenty = std::uint64_t{1} << 40U;

std::vector<unsigned> halvings_of(const std::vector<ImageHeader>& images, const ImageLimits& limits) {
    std::vector<unsigned> halvings;
    for (const ImagePlan& plan : plan_images(images, limits)) halvings.push_back(plan.left_out ? 99 : plan.halvings);
    return halvings;
}

TEST(ImagePlan, LeavesAloneWhatFits) {
    EXPECT_EQ(halvings_of({{16, 16, 1}, {8, 8, 1}}, {1704, kPlenty, 4096}), (std::vector<unsigned>{0, 0}));
    EXPECT_EQ(halvings_of({}, {1, 1}), std::vector<unsigned>{});
}

TEST(ImagePlan, HalvesTheLargestFirst) {
    // 340, 1,364 and 5,460 bytes.
    const std::vector<ImageHeader> images{{8, 8, 1}, {16, 16, 1}, {32, 32, 1}};
    EXPECT_EQ(halvings_of(images, {7164, kPlenty, 4096}), (std::vector<unsigned>{0, 0, 0}));
    EXPECT_EQ(halvings_of(images, {7163, kPlenty, 4096}), (std::vector<unsigned>{0, 0, 1}));
    EXPECT_EQ(halvings_of(images, {3067, kPlenty, 4096}), (std::vector<unsigned>{0, 1, 1}))
        << "of equal ones the first";
    EXPECT_EQ(halvings_of(images, {2043, kPlenty, 4096}), (std::vector<unsigned>{0, 1, 2}));
    EXPECT_EQ(halvings_of(images, {3, kPlenty, 4096}), (std::vector<unsigned>{3, 4, 5})) << "a texel each, and no less";
}

TEST(ImagePlan, LeavesOutWhatAloneIsTooMuchToDecode) {
    EXPECT_EQ(halvings_of({{8, 8, 1000}, {8, 8, 1001}}, {1000, 1000, 4096}), (std::vector<unsigned>{0, 99}));
    EXPECT_EQ(halvings_of({{16, 16, 999}, {512, 512, 2000}}, {1400, 1999, 4096}), (std::vector<unsigned>{0, 99}))
        << "what is left out takes nothing from the others";
}

TEST(ImagePlan, FitsSidesToTheDevice) {
    EXPECT_EQ(halvings_of({{5000, 3, 1}, {4096, 4096, 1}, {1, 16384, 1}}, {kPlenty, kPlenty, 4096}),
              (std::vector<unsigned>{1, 0, 2}));
}

}  // namespace
}  // namespace sublet::scene::testing
