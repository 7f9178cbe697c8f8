#include "app/image_io.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <string>

#include "base/error.h"
#include "temporary_folder.h"

namespace sublet::app {
namespace {

using test::read_text;
using test::TemporaryFolder;
using test::write_text;

template <typename T>
T read_at(const std::string& bytes, std::size_t offset) {
    T value{};
    if (offset + sizeof(T) > bytes.size()) {
        ADD_FAILURE() << "the file ends before byte " << offset + sizeof(T);
        return value;
    }
    std::memcpy(&value, bytes.data() + offset, sizeof(T));
    return value;
}

TEST(Png, KeepsACommand) {
    const TemporaryFolder folder;
    const std::vector<std::uint8_t> rgba(std::size_t{4} * 3 * 2, 77);
    const std::string command = "# a note\nsublet render '/a b/it'\\''s \xC3\xA4.glb' -o picture.png";
    write_png(folder / "plain.png", 3, 2, rgba);
    write_png(folder / "text.png", 3, 2, rgba, command);
    EXPECT_EQ(read_png_command(folder / "plain.png"), std::nullopt);
    EXPECT_EQ(read_png_command(folder / "text.png"), command);
    EXPECT_EQ(read_png(folder / "text.png").rgba, rgba);
    // Its checksum, as another program has it.
    const std::string bytes = read_text(folder / "text.png");
    const std::size_t chunk = bytes.find("iTXt");
    EXPECT_EQ(chunk, 37U);
    EXPECT_EQ(bytes.substr(33, 4), std::string({0, 0, 0, static_cast<char>(12 + command.size())}));
    EXPECT_EQ(bytes.substr(chunk, 16), std::string("iTXtCommand\0\0\0\0\0", 16));
    EXPECT_EQ(bytes.size(), read_text(folder / "plain.png").size() + 24 + command.size());
    for (std::size_t size = 1; size < bytes.size(); size += 3) {
        write_text(folder / "cut.png", bytes.substr(0, size));
        if (size < 8) {
            EXPECT_THROW((void)read_png_command(folder / "cut.png"), Error);
        } else {
            EXPECT_EQ(read_png_command(folder / "cut.png").has_value(), size >= chunk + 20 + command.size()) << size;
        }
    }
}

TEST(Png, RoundTripsToTheBit) {
    const TemporaryFolder folder;
    std::mt19937 random(3);
    for (const auto& [width, height] : {std::pair{1U, 1U}, {7U, 5U}, {640U, 3U}}) {
        std::vector<std::uint8_t> rgba(std::size_t{4} * width * height);
        for (std::uint8_t& byte : rgba) byte = static_cast<std::uint8_t>(random());
        write_png(folder / "picture.png", width, height, rgba);
        const ColorImage image = read_png(folder / "picture.png");
        EXPECT_EQ(image.width, width);
        EXPECT_EQ(image.height, height);
        EXPECT_EQ(image.rgba, rgba);
    }
    EXPECT_EQ(folder.entry_count(), 1);
}

TEST(Png, RefusesWhatIsNone) {
    const TemporaryFolder folder;
    EXPECT_THROW(static_cast<void>(read_png(folder / "missing.png")), Error);
    write_text(folder / "text.png", "this is no picture");
    write_png(folder / "whole.png", 64, 64, std::vector<std::uint8_t>(64 * 64 * 4, 9));
    const std::string whole = read_text(folder / "whole.png");
    write_text(folder / "cut.png", whole.substr(0, whole.size() / 2));
    std::string huge = whole;
    huge.replace(16, 8, std::string("\x7f\xff\xff\xff\x7f\xff\xff\xff", 8));  // width and height
    write_text(folder / "huge.png", huge);
    for (const char* name : {"text.png", "cut.png", "huge.png"}) {
        const std::string message = test::message_of<Error>([&] { static_cast<void>(read_png(folder / name)); });
        EXPECT_NE(message.find(name), std::string::npos) << message;
    }
}

TEST(Pictures, AFailureLeavesWhatWasThere) {
    const TemporaryFolder folder;
    const std::vector<std::uint8_t> rgba(4, 0);
    const std::vector<float> depth(1, 0.5F);
    EXPECT_THROW(write_png(folder / "none" / "a.png", 1, 1, rgba), Error);
    EXPECT_THROW(write_depth(folder / "none" / "a.exr", 1, 1, depth), Error);
    write_text(folder / "old.txt", "old");
    EXPECT_THROW(write_depth(folder / "old.txt", 1, 1, depth), Error);
    EXPECT_EQ(read_text(folder / "old.txt"), "old");
    EXPECT_EQ(folder.entry_count(), 1);
}

TEST(Depth, EndingsAreKnownInAnyCase) {
    EXPECT_TRUE(is_depth_file("a.exr"));
    EXPECT_TRUE(is_depth_file("a.PFM"));
    EXPECT_FALSE(is_depth_file("a.png"));
    EXPECT_FALSE(is_depth_file("exr"));
}

TEST(Depth, PfmHoldsRowsFromTheBottom) {
    const TemporaryFolder folder;
    const std::vector<float> values{1.0F, 2.0F, 3.0F, 4.0F, 5.0F, 6.0F};
    write_depth(folder / "depth.pfm", 3, 2, values);
    const std::string bytes = read_text(folder / "depth.pfm");
    const std::string header = "Pf\n3 2\n-1.0\n";
    ASSERT_EQ(bytes.size(), header.size() + 24);
    EXPECT_EQ(bytes.substr(0, header.size()), header);
    for (std::size_t i = 0; i < 6; ++i) {
        const float expected = i < 3 ? 4.0F + static_cast<float>(i) : static_cast<float>(i) - 2.0F;
        EXPECT_EQ(read_at<float>(bytes, header.size() + 4 * i), expected);
    }
}

// Reads the file back by the format's description, knowing nothing of how it was written.
TEST(Depth, ExrIsAsTheFormatSays) {
    const TemporaryFolder folder;
    const std::vector<float> values{0.25F, 0.0F, 1.0F, 1e-30F, 0.1F, 0.75F};
    write_depth(folder / "depth.exr", 2, 3, values);
    const std::string bytes = read_text(folder / "depth.exr");
    EXPECT_EQ(read_at<std::uint32_t>(bytes, 0), 20000630U);
    EXPECT_EQ(read_at<std::uint32_t>(bytes, 4), 2U);
    std::size_t at = 8;
    std::vector<std::string> names;
    const auto text = [&] {
        std::string value(bytes.c_str() + at);
        at += value.size() + 1;
        return value;
    };
    while (at < bytes.size() && bytes[at] != '\0') {
        const std::string name = text();
        const std::string type = text();
        const auto size = read_at<std::uint32_t>(bytes, at);
        at += 4;
        names.push_back(name + ":" + type);
        if (name == "channels") {
            EXPECT_EQ(std::string(bytes.c_str() + at), "Z");
            EXPECT_EQ(read_at<std::uint32_t>(bytes, at + 2), 2U);  // FLOAT
            EXPECT_EQ(bytes[at + size - 1], '\0');
        } else if (name == "compression") {
            EXPECT_EQ(bytes[at], '\0');
        } else if (name == "dataWindow" || name == "displayWindow") {
            EXPECT_EQ(read_at<std::int32_t>(bytes, at + 8), 1);
            EXPECT_EQ(read_at<std::int32_t>(bytes, at + 12), 2);
        }
        at += size;
    }
    ++at;
    for (const char* required :
         {"channels:chlist", "compression:compression", "dataWindow:box2i", "displayWindow:box2i",
          "lineOrder:lineOrder", "pixelAspectRatio:float", "screenWindowCenter:v2f", "screenWindowWidth:float"}) {
        EXPECT_NE(std::find(names.begin(), names.end(), required), names.end()) << required;
    }
    for (std::uint32_t row = 0; row < 3; ++row) {
        const auto line = static_cast<std::size_t>(read_at<std::uint64_t>(bytes, at + 8 * row));
        EXPECT_EQ(read_at<std::uint32_t>(bytes, line), row);
        EXPECT_EQ(read_at<std::uint32_t>(bytes, line + 4), 8U);
        for (std::uint32_t x = 0; x < 2; ++x) EXPECT_EQ(read_at<float>(bytes, line + 8 + 4 * x), values[row * 2 + x]);
    }
    EXPECT_EQ(bytes.size(), at + 3 * 8 + 3 * 16);
}

}  // namespace
}  // namespace sublet::app
