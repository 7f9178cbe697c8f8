// Images decoded beside the thread that takes them: in order, within their memory, and only as long as they are wanted.
#include "scene/image_decoding.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "base/stopwatch.h"
#include "image_files.h"

namespace sublet::scene::testing {
namespace {

Image grey_image(std::uint32_t side, std::uint8_t value) {
    return {"grey", kRawImageType, side, side, std::vector<std::uint8_t>(std::size_t{4} * side * side, value)};
}

std::vector<ImageJob> jobs_of(const std::vector<Image>& images) {
    std::vector<ImageJob> jobs;
    for (const Image& image : images) jobs.push_back({&image, read_image_header(image), {}, 0});
    return jobs;
}

constexpr std::uint64_t kEnough = std::uint64_t{1} << 40U;

TEST(ImageDecoding, GivesAllInOrderHoweverManyThreadsThereAre) {
    std::vector<Image> images;
    for (int i = 0; i < 40; ++i) {
        images.push_back(grey_image(i % 3 == 0 ? 300 : 7, static_cast<std::uint8_t>(i)));
    }
    // Of the smallest limit each is alone.
    for (const std::uint64_t most_bytes : {kEnough, std::uint64_t{1'000'000}, std::uint64_t{1}}) {
        for (const unsigned threads : {1U, 2U, 8U}) {
            ImageDecoding decoding(jobs_of(images), most_bytes, threads);
            for (std::size_t i = 0; i < images.size(); ++i) {
                EXPECT_EQ(decoding.left(), images.size() - i);
                const DecodedImage decoded = decoding.wait().value();
                ASSERT_EQ(decoded.error, "");
                ASSERT_EQ(decoded.levels.front().width, images[i].width);
                ASSERT_EQ(decoded.levels.back().data[0], i);
                ASSERT_EQ(decoded.levels.back().width, 1U);
            }
            EXPECT_EQ(decoding.left(), 0U);
            EXPECT_FALSE(decoding.take());
        }
    }
}

TEST(ImageDecoding, HoldsNoMoreThanItMay) {
    // Three of them fit, and nobody takes any.
    const std::vector<Image> images(10, grey_image(64, 9));
    const std::uint64_t each = texture_bytes(64, 64);
    ImageDecoding decoding(jobs_of(images), 3 * each, 4);
    while (decoding.held_bytes() < 3 * each) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_EQ(decoding.held_bytes(), 3 * each);
    for (std::size_t i = 0; i < images.size(); ++i) {
        (void)decoding.wait();
        EXPECT_LE(decoding.held_bytes(), 3 * each);
    }
    EXPECT_EQ(decoding.held_bytes(), 0U);
}

TEST(ImageDecoding, FailuresTakeTheirTurn) {
    std::vector<Image> images(3, grey_image(4, 1));
    const PngKind kind{16, 16};
    const std::string bomb = png_file(kind, deflated_zeros(png_raw_bytes(kind) + 1'000'000));
    images[1].mime_type = "image/png";
    images[1].bytes.assign(bomb.begin(), bomb.end());
    ImageDecoding decoding(jobs_of(images), kEnough);
    EXPECT_EQ(decoding.wait().value().error, "");
    const DecodedImage failed = decoding.wait().value();
    EXPECT_EQ(failed.error, "its data are more than its header says");
    EXPECT_TRUE(failed.levels.empty());
    EXPECT_EQ(decoding.wait().value().levels.size(), 3U);
}

TEST(ImageDecoding, OfNothingIsOver) {
    ImageDecoding decoding({}, 1);
    EXPECT_EQ(decoding.left(), 0U);
    EXPECT_FALSE(decoding.take());
}

TEST(ImageDecoding, EndsWithoutTheRest) {
    const Image image = grey_image(1024, 3);
    const std::vector<ImageJob> jobs(200, ImageJob{&image, read_image_header(image), {}, 0});
    const Stopwatch one;
    (void)ImageDecoding({jobs[0]}, kEnough, 1).wait();
    const double seconds = one.seconds();
    const Stopwatch watch;
    {
        ImageDecoding decoding(jobs, kEnough, 2);
        (void)decoding.wait();
    }
    EXPECT_LT(watch.seconds(), 50 * seconds) << "all would take a hundred times as long as one";
    {
        // One that waits for memory that nobody gives back.
        ImageDecoding decoding(jobs, 1, 4);
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
}

}  // namespace
}  // namespace sublet::scene::testing
