#include "scene/environment_map.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <glm/gtc/packing.hpp>
#include <limits>

#include "base/error.h"
#include "base/path_text.h"
#include "environment_files.h"

namespace sublet::scene {
namespace {

using testing::exr_file;
using testing::ExrKind;
using testing::hdr_file;
using testing::Radiance;

constexpr std::uint64_t kPlenty = std::uint64_t{1} << 30U;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Values that RGBE, half floats and floats all hold: no texel is like its neighbours.
Radiance pattern(std::uint32_t x, std::uint32_t y) {
    return {0.5F + static_cast<float>(x % 64) / 256.0F, 0.5F + static_cast<float>(y % 64) / 256.0F, 0.25F};
}
Radiance grey(std::uint32_t /*x*/, std::uint32_t /*y*/) {
    return {0.5F, 0.5F, 0.5F};
}

EnvironmentMap decode(const std::string& file, std::uint64_t most_bytes = kPlenty) {
    return decode_environment_map(std::as_bytes(std::span(file)), "light.hdr", most_bytes);
}

std::string error_of(const std::string& file, std::uint64_t most_bytes = kPlenty) {
    try {
        static_cast<void>(decode(file, most_bytes));
    } catch (const Error& error) {
        return error.what();
    }
    return "none";
}

Radiance texel(const EnvironmentMap& map, std::uint32_t x, std::uint32_t y) {
    const std::uint16_t* const at = map.rgba.get() + 4 * (std::size_t{y} * map.width + x);
    EXPECT_EQ(at[3], 0x3C00) << "alpha is 1";
    return {glm::unpackHalf1x16(at[0]), glm::unpackHalf1x16(at[1]), glm::unpackHalf1x16(at[2])};
}

void expect_pattern(const EnvironmentMap& map, std::uint32_t width, std::uint32_t height) {
    ASSERT_EQ(map.width, width);
    ASSERT_EQ(map.height, height);
    EXPECT_TRUE(map.notes.empty());
    for (std::uint32_t y = 0; y < height; ++y) {
        for (std::uint32_t x = 0; x < width; ++x) ASSERT_EQ(texel(map, x, y), pattern(x, y)) << x << "," << y;
    }
}

TEST(EnvironmentMap, ReadsRadianceWithAndWithoutRuns) {
    expect_pattern(decode(hdr_file(64, 32, pattern)), 64, 32);
    expect_pattern(decode(hdr_file(64, 32, pattern, false)), 64, 32);
    expect_pattern(decode(hdr_file(4, 2, pattern, false)), 4, 2);
    expect_pattern(decode(hdr_file(2, 1, pattern, false)), 2, 1);
}

TEST(EnvironmentMap, ReadsFilesAndNamesThem) {
    const std::filesystem::path file = std::filesystem::path(::testing::TempDir()) / "a picture.hdr";
    std::ofstream(file, std::ios::binary) << hdr_file(64, 32, pattern);
    expect_pattern(read_environment_map(file, kPlenty), 64, 32);
    std::filesystem::resize_file(file, 300);
    try {
        static_cast<void>(read_environment_map(file, kPlenty));
        FAIL() << "it is cut off";
    } catch (const Error& error) {
        EXPECT_EQ(std::string(error.what()).find(path_text(file) + ": size: 300 bytes are too few"), 0U)
            << error.what();
    }
    std::filesystem::remove(file);
    EXPECT_THROW(static_cast<void>(read_environment_map(file, kPlenty)), Error);
}

TEST(EnvironmentMap, NamesAreByExtension) {
    EXPECT_TRUE(named_as_environment("a b/sky.HDR"));
    EXPECT_TRUE(named_as_environment("sky.exr"));
    EXPECT_FALSE(named_as_environment("sky"));
    EXPECT_FALSE(named_as_environment("hdr"));
    EXPECT_FALSE(named_as_environment("sky.hdr.png"));
}

TEST(EnvironmentMap, RefusesWhatIsNotTwiceAsWideAsHigh) {
    EXPECT_EQ(error_of(hdr_file(32, 32, grey)),
              "light.hdr: size: is 32x32: a picture of all that is around is twice as wide as high (equirectangular)");
    EXPECT_NE(error_of(hdr_file(32, 64, grey)).find("is 32x64"), std::string::npos);
    EXPECT_NE(error_of(hdr_file(65, 32, grey)).find("is 65x32"), std::string::npos);
}

TEST(EnvironmentMap, RefusesWhatIsNeither) {
    for (const char* text : {"", "#", "v/1", "\x89PNG\r\n", "picture"}) {
        EXPECT_EQ(error_of(text), "light.hdr: format: is neither Radiance .hdr nor OpenEXR .exr") << text;
    }
}

// Every prefix of a file is an error, whatever it cuts.
TEST(EnvironmentMap, TellsThatRadianceIsCutOff) {
    for (const bool runs : {true, false}) {
        const std::string whole = hdr_file(16, 8, pattern, runs);
        for (std::size_t size = 0; size < whole.size(); ++size) {
            ASSERT_NE(error_of(whole.substr(0, size)), "none") << size << " of " << whole.size();
        }
    }
    // Long enough for a file of long runs, but it has none.
    const std::string file = hdr_file(256, 128, pattern);
    EXPECT_EQ(error_of(file.substr(0, file.size() - 1)), "light.hdr: data: ends before its last texel");
}

TEST(EnvironmentMap, RefusesBrokenRadiance) {
    std::string file = hdr_file(64, 32, grey);
    const std::size_t data = file.find("\n-Y");
    std::string runs = file;
    runs[file.find('\n', data + 1) + 5] = '\xFF';  // a run of 127 texels in a row of 64
    EXPECT_NE(error_of(runs), "none");
    std::string format = file;
    format.replace(format.find("32-bit"), 6, "64-bit");
    EXPECT_EQ(error_of(format).find("light.hdr: header: "), 0U) << error_of(format);
    std::string layout = file;
    layout.replace(data + 1, 2, "+Y");
    EXPECT_EQ(error_of(layout).find("light.hdr: header: "), 0U) << error_of(layout);
    EXPECT_NE(error_of("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y -16 +X -32\n"), "none");
}

// A header says what it likes: what it asks for has to be in the file, and within the limit.
TEST(EnvironmentMap, TakesNoMemoryByAHeader) {
    EXPECT_NE(error_of("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 4096 +X 8192\n\2\2\x20").find("bytes are too few"),
              std::string::npos);
    EXPECT_NE(error_of("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 4000000 +X 8000000\n").find("--image-limit"),
              std::string::npos);
    EXPECT_EQ(error_of(hdr_file(512, 256, grey), 1U << 20U),
              "light.hdr: size: 512x256 texels take 3 MiB to decode, and --image-limit is 1 MiB");
}

TEST(EnvironmentMap, CutsWhatAHalfFloatDoesNotHold) {
    const EnvironmentMap map = decode(hdr_file(16, 8, [](std::uint32_t x, std::uint32_t y) {
        return x == 3 && y == 2   ? Radiance{1e9F, 32768.0F, 0.0F}
               : x == 4 && y == 2 ? Radiance{0, 0, 131072.0F}
                                  : grey(x, y);
    }));
    EXPECT_EQ(texel(map, 3, 2)[0], 65504.0F);
    EXPECT_EQ(texel(map, 4, 2)[2], 65504.0F);
    ASSERT_EQ(map.notes.size(), 1U);
    EXPECT_EQ(map.notes[0],
              "light.hdr: 2 texels with values above 65504, the most that a half float holds: those are cut to that");
}

TEST(EnvironmentMap, HalvesWhatIsWiderThanNeeded) {
    // All rows are the first one.
    const std::string first = hdr_file(8196, 1, [](std::uint32_t x, std::uint32_t /*y*/) {
        return x % 2 == 0 ? Radiance{1.0F, 0.0F, 0.5F} : Radiance{0.0F, 0.0F, 0.5F};
    });
    const std::size_t header = first.find("-Y 1 ");
    const std::string row = first.substr(first.find('\n', header) + 1);
    std::string file = first.substr(0, header) + "-Y 4098 +X 8196\n";
    for (int y = 0; y < 4098; ++y) file += row;
    const EnvironmentMap map = decode(file, std::uint64_t{4} << 30U);
    EXPECT_EQ(map.width, 4098U);
    EXPECT_EQ(map.height, 2049U);
    EXPECT_EQ(texel(map, 5, 7), (Radiance{0.5F, 0.0F, 0.5F}));
    ASSERT_EQ(map.notes.size(), 1U);
    EXPECT_EQ(map.notes[0], "light.hdr: is drawn at 4098x2049 instead of 8196x4098");
}

#ifdef SUBLET_OPENEXR

TEST(EnvironmentMap, ReadsOpenExr) {
    expect_pattern(decode(exr_file(64, 32, pattern)), 64, 32);
    expect_pattern(decode(exr_file(64, 32, pattern, {.half = true})), 64, 32);
    expect_pattern(decode(exr_file(64, 32, pattern, {.channels = {"A", "B", "G", "R", "Z"}, .half = true})), 64, 32);
    expect_pattern(decode(exr_file(64, 32, pattern, {.channels = {"B", "G", "R", "Y"}})), 64, 32);
    expect_pattern(decode(exr_file(64, 32, pattern, {.first_x = -7, .first_y = 1000})), 64, 32);
    expect_pattern(decode(exr_file(2, 1, pattern)), 2, 1);
}

TEST(EnvironmentMap, ReadsGreyOpenExr) {
    const EnvironmentMap map = decode(exr_file(16, 8, pattern, {.channels = {"Y"}}));
    for (std::uint32_t y = 0; y < 8; ++y) {
        for (std::uint32_t x = 0; x < 16; ++x) {
            const float value = pattern(x, y)[0];
            ASSERT_EQ(texel(map, x, y), (Radiance{value, value, value}));
        }
    }
}

TEST(EnvironmentMap, MendsValuesThatAreNone) {
    const std::string file = exr_file(16, 8, [](std::uint32_t x, std::uint32_t y) {
        if (y != 0) return grey(x, y);
        const std::array<float, 6> bad{std::nanf(""), -1.0F, kInfinity, -kInfinity, 1e20F, -0.0F};
        return Radiance{x < bad.size() ? bad[x] : 0.5F, 0.5F, 0.5F};
    });
    const EnvironmentMap map = decode(file);
    const std::array<float, 6> mended{0.0F, 0.0F, 65504.0F, 0.0F, 65504.0F, 0.0F};
    for (std::uint32_t x = 0; x < mended.size(); ++x) EXPECT_EQ(texel(map, x, 0)[0], mended[x]) << x;
    EXPECT_FALSE(std::signbit(texel(map, 5, 0)[0]));
    ASSERT_EQ(map.notes.size(), 2U);
    EXPECT_EQ(map.notes[0],
              "light.hdr: 3 texels with values below 0 or that are no numbers: those values are taken for 0");
    EXPECT_EQ(map.notes[1],
              "light.hdr: 2 texels with values above 65504, the most that a half float holds: those are cut to that");
}

TEST(EnvironmentMap, RefusesOpenExrThatIsNoPictureOfLight) {
    EXPECT_EQ(error_of(exr_file(16, 8, grey, {.channels = {"Z"}})),
              "light.hdr: channels: are Z: neither R, G and B nor Y alone");
    EXPECT_EQ(error_of(exr_file(16, 8, grey, {.channels = {"G", "R"}})),
              "light.hdr: channels: are G, R: neither R, G and B nor Y alone");
    EXPECT_NE(error_of(exr_file(16, 8, grey, {.display_width = 32})).find("dataWindow: is not its displayWindow"),
              std::string::npos);
    EXPECT_NE(error_of(exr_file(16, 16, grey)).find("is 16x16"), std::string::npos);
    EXPECT_NE(error_of(exr_file(16, 8, grey, {.x_sampling = 2})), "none");
    EXPECT_NE(error_of(exr_file(512, 256, grey), 1U << 20U).find("--image-limit"), std::string::npos);
}

TEST(EnvironmentMap, TellsThatOpenExrIsCutOff) {
    const std::string whole = exr_file(16, 8, pattern, {.half = true});
    for (std::size_t size = 0; size < whole.size(); ++size) {
        ASSERT_NE(error_of(whole.substr(0, size)), "none") << size << " of " << whole.size();
    }
}

// A byte of the header, or of the table behind it, is anything.
TEST(EnvironmentMap, SurvivesDamagedOpenExr) {
    const std::string whole = exr_file(16, 8, pattern, {.half = true});
    for (std::size_t at = 0; at < 450 && at < whole.size(); ++at) {
        for (const char value : {'\0', '\1', '\x7F', '\x80', '\xFF'}) {
            std::string damaged = whole;
            damaged[at] = value;
            static_cast<void>(error_of(damaged, 64U << 20U));
        }
    }
}

#else

TEST(EnvironmentMap, SaysHowToGetOpenExr) {
    const std::string error = error_of(exr_file(16, 8, grey));
    EXPECT_NE(error.find("was built without it"), std::string::npos);
    EXPECT_NE(error.find("libopenexr-dev"), std::string::npos);
}

#endif

}  // namespace
}  // namespace sublet::scene
