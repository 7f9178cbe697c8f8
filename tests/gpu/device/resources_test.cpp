#include "gpu/resources.h"

#include <array>
#include <cstring>
#include <numeric>
#include <random>

#include "gpu/upload.h"
#include "test_device.h"

namespace sublet::gpu {
namespace {

using BufferTest = DeviceTest;
using ImageTest = DeviceTest;
using UploadTest = DeviceTest;

constexpr VkDeviceSize kSmallRing = VkDeviceSize{4} << 20;

std::vector<std::byte> noise(size_t bytes, uint32_t seed) {
    std::mt19937 random(seed);
    std::vector<std::byte> data(bytes);
    for (std::byte& b : data) b = static_cast<std::byte>(random());
    return data;
}

TEST_F(BufferTest, SizesAreRoundedUpAndMemoryIsMapped) {
    const Buffer empty(device(), {.size = 0, .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, .name = "empty"});
    EXPECT_EQ(empty.size(), 4U);
    EXPECT_EQ(empty.mapped(), nullptr);
    const Buffer upload(device(), {.size = 5, .memory = Memory::kUpload, .name = "upload"});
    EXPECT_EQ(upload.size(), 8U);
    ASSERT_NE(upload.mapped(), nullptr);
    EXPECT_EQ(upload.mapped_as<uint32_t>().size(), 2U);
    const Buffer readback(device(), {.size = 16, .memory = Memory::kReadback, .name = "readback"});
    ASSERT_NE(readback.mapped(), nullptr);
}

TEST_F(BufferTest, Moves) {
    Buffer a(device(), {.size = 16, .name = "a"});
    const VkBuffer handle = a.handle();
    Buffer b(std::move(a));
    EXPECT_EQ(b.handle(), handle);
    EXPECT_FALSE(
        static_cast<bool>(a));  // NOLINT(bugprone-use-after-move): what a moved-from buffer is, is what is tested
    Buffer c(device(), {.size = 32, .name = "c"});
    c = std::move(b);
    EXPECT_EQ(c.handle(), handle);
    EXPECT_EQ(c.size(), 16U);
    EXPECT_EQ(c.name(), "a");
}

TEST_F(BufferTest, AbsurdSizeNamesTheBufferAndItsSize) {
    const std::string huge =
        error_of([&] { const Buffer b(device(), {.size = VkDeviceSize{1} << 50, .name = "meshlets"}); });
    EXPECT_TRUE(mentions(huge, "buffer 'meshlets' of 1073741824.0 MiB"));
    // More than there is, but not more than a buffer may have: memory runs out piece by piece.
    std::vector<Buffer> buffers;
    const VkDeviceSize piece = std::min<VkDeviceSize>(device().capabilities().max_buffer_size, VkDeviceSize{1} << 30);
    const std::string message = error_of([&] {
        for (int i = 0; i < 4096; ++i) buffers.emplace_back(device(), BufferDesc{.size = piece, .name = "piece"});
    });
    EXPECT_TRUE(mentions(message, "buffer 'piece'"));
    EXPECT_TRUE(mentions(message, "not enough memory"));
}

TEST_F(BufferTest, MemoryUsageCountsIt) {
    const uint64_t before = device().memory_usage().used;
    const Buffer buffer(device(), {.size = VkDeviceSize{8} << 20, .name = "eight"});
    EXPECT_GE(device().memory_usage().used, before + (8U << 20));
    EXPECT_GT(device().memory_usage().budget, 0U);
}

TEST_F(UploadTest, RoundTripLargerThanTheRing) {
    const std::vector<std::byte> data = noise((11U << 20) + 3, 1);
    const Buffer buffer(device(),
                        {.size = data.size() + 100, .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, .name = "target"});
    Uploader uploader(device(), kSmallRing);
    uploader.buffer(buffer, 100, data);
    uploader.finish();
    EXPECT_EQ(uploader.uploaded_bytes(), data.size());
    EXPECT_EQ(read_buffer(device(), buffer, 100, data.size()), data);
}

TEST_F(UploadTest, ManySmallPiecesInOrder) {
    constexpr uint32_t kCount = 5000;
    const Buffer buffer(device(), {.size = kCount * 12, .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, .name = "pieces"});
    Uploader uploader(device(), kSmallRing);
    std::vector<uint32_t> expected;
    for (uint32_t i = 0; i < kCount; ++i) {
        const std::vector<uint32_t> piece{i, i * 3, ~i};
        uploader.buffer(buffer, VkDeviceSize{i} * 12, piece);
        expected.insert(expected.end(), piece.begin(), piece.end());
        if (i % 1000 == 0) uploader.flush();
    }
    uploader.finish();
    EXPECT_EQ(read_buffer_as<uint32_t>(device(), buffer, 0, kCount * 3), expected);
}

TEST_F(UploadTest, OutOfRangeIsAnError) {
    const Buffer buffer(device(), {.size = 16, .name = "sixteen"});
    Uploader uploader(device(), kSmallRing);
    const std::vector<uint32_t> four(4);
    EXPECT_TRUE(mentions(error_of([&] { uploader.buffer(buffer, 4, four); }), "'sixteen'"));
    EXPECT_TRUE(mentions(error_of([&] { uploader.buffer(buffer, ~VkDeviceSize{0} - 3, four); }), "'sixteen'"));
    EXPECT_TRUE(mentions(error_of([&] { (void)read_buffer(device(), buffer, 8, 12); }), "'sixteen'"));
}

TEST_F(ImageTest, LevelsAndLayersRoundTrip) {
    const Image image(device(), {.extent = {37, 19},
                                 .format = VK_FORMAT_R8G8B8A8_UNORM,
                                 .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT |
                                          VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
                                 .mips = 3,
                                 .layers = 2,
                                 .name = "levels"});
    std::vector<std::vector<std::byte>> texels;
    std::vector<ImageLevel> levels;
    for (uint32_t mip = 0; mip < 3; ++mip) {
        for (uint32_t layer = 0; layer < 2; ++layer) {
            const VkExtent2D extent = image.mip_extent(mip);
            texels.push_back(noise(size_t{extent.width} * extent.height * 4, (mip * 2) + layer));
        }
    }
    for (uint32_t i = 0; i < texels.size(); ++i) levels.push_back({i / 2, i % 2, texels[i]});
    Uploader uploader(device(), kSmallRing);
    uploader.image(image, levels);
    uploader.finish();
    for (uint32_t i = 0; i < texels.size(); ++i) {
        EXPECT_EQ(read_image(device(), image, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, i / 2, i % 2), texels[i]) << i;
    }
}

TEST_F(ImageTest, LargerThanTheRing) {
    const Image image(device(), {.extent = {2048, 1500},
                                 .format = VK_FORMAT_R8G8B8A8_UNORM,
                                 .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT |
                                          VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
                                 .name = "large"});
    const std::vector<std::byte> texels = noise(size_t{2048} * 1500 * 4, 9);
    const ImageLevel level{0, 0, texels};
    Uploader uploader(device(), kSmallRing);
    uploader.image(image, {&level, 1});
    uploader.finish();
    EXPECT_EQ(read_image(device(), image, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL), texels);
}

TEST_F(ImageTest, PartsMakeTheSame) {
    const VkExtent2D extent{300, 200};
    const std::vector<std::byte> texels = noise(size_t{300} * 200 * 4, 4);
    const std::vector<std::byte> half = noise(size_t{150} * 100 * 4, 5);
    const std::array levels{ImageLevel{0, 0, texels}, ImageLevel{1, 0, half}};
    for (const VkDeviceSize most :
         {VkDeviceSize{0}, VkDeviceSize{5000}, VkDeviceSize{100'000}, VkDeviceSize{VK_WHOLE_SIZE}}) {
        const Image image(device(), {.extent = extent,
                                     .format = VK_FORMAT_R8G8B8A8_UNORM,
                                     .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT |
                                              VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
                                     .mips = 2,
                                     .name = "parts"});
        Uploader uploader(device(), kSmallRing);
        ImagePlace place;
        for (bool whole = false; !whole;) {
            const uint64_t before = uploader.uploaded_bytes();
            whole = uploader.image_part(image, levels, place, most);
            // A row at least, and at most one too many.
            EXPECT_GT(uploader.uploaded_bytes(), before);
            if (most != VK_WHOLE_SIZE) {
                EXPECT_LE(uploader.uploaded_bytes() - before, most + 1200);
            }
            uploader.flush();
        }
        EXPECT_EQ(uploader.uploaded_bytes(), texels.size() + half.size());
        uploader.finish();
        EXPECT_EQ(read_image(device(), image, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, 0), texels);
        EXPECT_EQ(read_image(device(), image, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, 1), half);
    }
}

TEST_F(ImageTest, WrongLevelsAreErrors) {
    const Image image(device(), {.extent = {8, 8},
                                 .format = VK_FORMAT_R8G8B8A8_UNORM,
                                 .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
                                 .mips = 2,
                                 .name = "levels"});
    const std::vector<std::byte> texels(size_t{8} * 8 * 4);
    Uploader uploader(device(), kSmallRing);
    const auto upload = [&](std::vector<ImageLevel> levels) {
        return error_of([&] { uploader.image(image, levels); });
    };
    EXPECT_TRUE(mentions(upload({}), "mip 0 is not given"));
    EXPECT_TRUE(mentions(upload({{0, 0, std::span(texels).first(255)}}), "255 bytes instead of 256"));
    EXPECT_TRUE(mentions(upload({{2, 0, texels}}), "no mip 2"));
    EXPECT_TRUE(mentions(upload({{0, 0, texels}, {0, 0, texels}}), "twice"));
    EXPECT_TRUE(mentions(upload({{1, 0, std::span(texels).first(64)}}), "mip 0 is not given"));
}

TEST_F(ImageTest, ImpossibleImagesAreErrors) {
    EXPECT_TRUE(mentions(
        error_of([&] {
            const Image i(
                device(),
                {.extent = {0, 4}, .format = VK_FORMAT_R8_UNORM, .usage = VK_IMAGE_USAGE_SAMPLED_BIT, .name = "flat"});
        }),
        "image 'flat' of 0x4"));
    const std::string large = error_of([&] {
        const Image i(device(), {.extent = {1U << 24, 4},
                                 .format = VK_FORMAT_R8_UNORM,
                                 .usage = VK_IMAGE_USAGE_SAMPLED_BIT,
                                 .name = "wide"});
    });
    EXPECT_TRUE(mentions(large, "image 'wide' of 16777216x4 R8_UNORM"));
    EXPECT_TRUE(mentions(large, "allows at most"));
    EXPECT_TRUE(mentions(error_of([&] {
                             const Image i(device(), {.extent = {4, 4},
                                                      .format = VK_FORMAT_D32_SFLOAT,
                                                      .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
                                                      .name = "odd"});
                         }),
                         "image 'odd'"));
}

TEST_F(ImageTest, MemoryThatRunsOutIsAnError) {
    std::vector<Image> images;
    const uint32_t side = std::min(device().capabilities().limits.maxImageDimension2D, 16384U);
    const std::string message = error_of([&] {
        for (int i = 0; i < 4096; ++i) {
            images.emplace_back(device(), ImageDesc{.extent = {side, side},
                                                    .format = VK_FORMAT_R8G8B8A8_UNORM,
                                                    .usage = VK_IMAGE_USAGE_SAMPLED_BIT,
                                                    .name = "piece"});
        }
    });
    EXPECT_TRUE(mentions(message, "image 'piece'"));
    EXPECT_TRUE(mentions(message, "not enough memory"));
}

TEST_F(ImageTest, MemoryIsTakenOnceForSeveral) {
    constexpr VkImageUsageFlags kUsage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    auto memory = std::make_shared<const ImageMemory>(device(), VK_FORMAT_R8G8B8A8_UNORM, kUsage, 4U << 20U);
    ASSERT_NE(memory->pool(), nullptr);
    const auto image = [&](uint32_t side) {
        return Image(device(), {.extent = {side, side},
                                .format = VK_FORMAT_R8G8B8A8_UNORM,
                                .usage = kUsage,
                                .name = "one of several",
                                .memory = memory});
    };
    const uint64_t taken = device().memory_usage().allocated;
    Image first = image(512);
    EXPECT_GE(memory->used(), 1U << 20U);
    const Image large = image(2048);
    EXPECT_TRUE(static_cast<bool>(large)) << "what has no room there lies elsewhere";
    EXPECT_LT(memory->used(), 4U << 20U);
    first = image(512);
    const VkDeviceSize of_one = memory->used();
    const Image second = image(512), third = image(256);
    EXPECT_GT(memory->used(), of_one);
    const uint64_t with_large = device().memory_usage().allocated;
    first = {};
    first = image(512);
    EXPECT_EQ(device().memory_usage().allocated, with_large) << "nothing was taken for them";
    memory.reset();  // images keep it
    EXPECT_GT(with_large, taken);
    const ImageMemory none(device(), VK_FORMAT_R8G8B8A8_UNORM, kUsage, VkDeviceSize{1} << 60U);
    EXPECT_EQ(none.pool(), nullptr);
    EXPECT_EQ(none.used(), 0U);
}

TEST(Mips, Count) {
    EXPECT_EQ(full_mip_count({1, 1}), 1U);
    EXPECT_EQ(full_mip_count({2, 1}), 2U);
    EXPECT_EQ(full_mip_count({1920, 1080}), 11U);
    EXPECT_EQ(full_mip_count({641, 359}), 10U);
}

using SamplerTest = DeviceTest;

TEST_F(SamplerTest, ReductionAndAnisotropyFollowTheCapabilities) {
    {
        const Sampler smooth(device(), {.max_anisotropy = 1000.0F, .name = "smooth"});
        EXPECT_TRUE(static_cast<bool>(smooth));
        if (device().capabilities().sampler_minmax) {
            const Sampler lowest(device(), {.reduction = VK_SAMPLER_REDUCTION_MODE_MIN, .name = "lowest"});
            EXPECT_TRUE(static_cast<bool>(lowest));
        }
    }
    DeviceOptions options;
    options.without = {"sampler-minmax", "sampler-anisotropy"};
    open(options);
    const Sampler plain(device(), {.max_anisotropy = 16.0F, .name = "plain"});
    EXPECT_TRUE(mentions(
        error_of([&] { const Sampler s(device(), {.reduction = VK_SAMPLER_REDUCTION_MODE_MIN, .name = "lowest"}); }),
        "sampler 'lowest'"));
}

}  // namespace
}  // namespace sublet::gpu
