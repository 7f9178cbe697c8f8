// The pyramid that hiz.comp makes is the CPU's, bit for bit.
#include "render/view/hiz.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>
#include <string>

#include "base/error.h"
#include "build_hiz.h"
#include "gpu/barriers.h"
#include "gpu/descriptors.h"
#include "gpu/frame.h"
#include "gpu/pipeline.h"
#include "gpu/profiler.h"
#include "gpu/upload.h"
#include "gpu_fixture.h"
#include "shaders/shared/bindings.h"

namespace sublet::test {
namespace {

using namespace render;

// hiz.comp with EMULATED_SHUFFLES.
constexpr std::uint32_t kEmulatedComp[] =
#include "emulated_comp.inc"
    ;

struct Size {
    std::uint32_t width, height;
};

// Depths as renders have them: a far background, a near front and noise between, or a single far pixel, at an edge more
// often than not, which every level must remember.
std::vector<float> random_depth(const Size& size, std::mt19937& random) {
    std::uniform_real_distribution<float> uniform(0.0F, 1.0F);
    std::vector<float> depth(std::size_t{size.width} * size.height);
    if (random() % 4 == 0) {
        std::fill(depth.begin(), depth.end(), 0.75F);
        const std::uint32_t x = random() % 2 == 0 ? size.width - 1 : random() % size.width;
        const std::uint32_t y = random() % 2 == 0 ? size.height - 1 : random() % size.height;
        depth[std::size_t{y} * size.width + x] = 0.125F;
        return depth;
    }
    const float background = uniform(random);
    for (float& d : depth) {
        const float v = uniform(random);
        d = v < background * 0.1F ? 0.0F : v > 0.95F ? 1.0F : v * v * v;
    }
    return depth;
}

void compare(const shared::HizLayout& layout, const std::vector<float>& actual, const std::vector<float>& expected) {
    ASSERT_EQ(actual.size(), expected.size());
    for (std::uint32_t level = layout.first_level; level <= layout.last_level; ++level) {
        const std::uint32_t width = hiz_level_width(layout, level);
        for (std::uint32_t y = 0; y < hiz_level_height(layout, level); ++y) {
            const std::size_t row = hiz_level_offset(layout, level) + std::size_t{y} * hiz_row_pitch(layout, level);
            for (std::uint32_t x = 0; x < width; ++x) {
                ASSERT_EQ(std::bit_cast<std::uint32_t>(actual[row + x]),
                          std::bit_cast<std::uint32_t>(expected[row + x]))
                    << layout.width << "x" << layout.height << " pixels, level " << level << ", texel " << x << ", "
                    << y << ": " << actual[row + x] << " for " << expected[row + x];
            }
        }
    }
}

class HizTest : public GpuTest {
  protected:
    void check(Hiz& hiz, const Size& size, std::mt19937& random) {
        const std::vector<float> depth = random_depth(size, random);
        const std::vector<float> pyramid = build(hiz, size.width, size.height, depth);
        compare(hiz.layout(), pyramid, build_hiz(hiz.layout(), depth));
    }
};

// Each path: whether it uses subgroup operations.
class HizPaths : public HizTest, public testing::WithParamInterface<bool> {};
INSTANTIATE_TEST_SUITE_P(Paths, HizPaths, testing::Bool(), [](const testing::TestParamInfo<bool>& path) {
    return path.param ? "Subgroups" : "SharedMemory";
});

std::vector<Size> random_sizes(std::size_t count) {
    std::mt19937 random(11);
    std::uniform_real_distribution<double> log_size(0.0, 11.0);
    std::vector<Size> sizes;
    while (sizes.size() < count) {
        const Size size{static_cast<std::uint32_t>(std::exp2(log_size(random))),
                        static_cast<std::uint32_t>(std::exp2(log_size(random)))};
        if (std::size_t{size.width} * size.height <= 1U << 20) sizes.push_back(size);
    }
    return sizes;
}

TEST_F(HizTest, RandomSizes) {
    Hiz with(device(), {.subgroups = true});
    Hiz without(device(), {.subgroups = false});
    std::mt19937 random(1);
    for (const Size& size : random_sizes(60)) {
        check(with, size, random);
        check(without, size, random);
        if (HasFatalFailure()) return;
    }
}

TEST_F(HizTest, EdgeSizes) {
    std::vector<Size> sizes{{1, 1}, {2, 1}, {1, 2}, {3, 3}, {1920, 1080}};
    for (const std::uint32_t n : {5U, 63U, 64U, 65U, 127U, 128U, 129U, 1023U, 1024U, 1025U, 4095U, 4096U, 4097U}) {
        sizes.insert(sizes.end(), {{n, 1}, {1, n}, {n, 33}});
        if (n <= 1025) sizes.push_back({n, n});
    }
    Hiz with(device(), {.subgroups = true});
    Hiz without(device(), {.subgroups = false});
    std::mt19937 random(2);
    for (const Size& size : sizes) {
        check(with, size, random);
        check(without, size, random);
        if (HasFatalFailure()) return;
    }
}

// More tiles in a row than one workgroup has lanes in a row: a third round finishes the pyramid.
TEST_F(HizTest, LargeSizes) {
    const std::uint32_t largest =
        std::min({device().capabilities().limits.maxImageDimension2D, shared::kHizMaxSize, 16384U});
    Hiz with(device(), {.subgroups = true});
    Hiz without(device(), {.subgroups = false});
    std::mt19937 random(3);
    for (const Size& size :
         {Size{largest, 33}, {33, largest}, {largest, 1}, {largest - 1, 130}, {4097, 4097}, {6000, 4100}}) {
        if (std::max(size.width, size.height) > largest) continue;
        check(with, size, random);
        check(without, size, random);
        if (HasFatalFailure()) return;
    }
}

// The finest levels are left out when the device's buffers are too small for them.
TEST_P(HizPaths, LimitedBuffers) {
    std::mt19937 random(4);
    std::uint32_t coarsest = 0;
    for (const std::uint64_t bytes : {1U << 22, 1U << 18, 100000U, 5000U, 600U, 64U, 8U}) {
        Hiz hiz(device(), {.subgroups = GetParam(), .max_bytes = bytes});
        for (const Size& size : {Size{1001, 517}, {300, 1}, {64, 64}, {1, 1}}) {
            check(hiz, size, random);
            if (HasFatalFailure()) return;
            EXPECT_LE(hiz.pyramid().size(), bytes) << size.width << "x" << size.height;
            coarsest = std::max(coarsest, hiz.layout().first_level);
        }
    }
    EXPECT_EQ(coarsest, 10U);
}

// The path for subgroups of 16 lanes and more, with shuffles made of shared memory where the device's are smaller: what
// each lane keeps, exchanges and stores is the same.
TEST_F(HizTest, LargeSubgroupsEmulated) {
    const gpu::Sampler sampler(device(), {.filter = VK_FILTER_NEAREST,
                                          .min_filter = VK_FILTER_NEAREST,
                                          .mipmap_mode = VK_SAMPLER_MIPMAP_MODE_NEAREST,
                                          .address_u = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                          .address_v = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE});
    std::mt19937 random(6);
    std::vector<Size> sizes = random_sizes(40);
    sizes.insert(sizes.end(), {{1920, 1080}, {4097, 65}, {65, 4097}});
    for (const std::uint32_t steps : {1U, 2U}) {
        const gpu::Pipeline pipeline(
            device(), gpu::ComputePipelineDesc{.name = "hiz",
                                               .shader = {.spirv = kEmulatedComp, .specialization = {{0, steps}}}});
        for (const Size& size : sizes) {
            const std::vector<float> depth = random_depth(size, random);
            const gpu::Image image = depth_image(size.width, size.height, depth);
            const shared::HizLayout layout = make_hiz_layout(size.width, size.height, 1U << 27);
            const auto count = static_cast<std::size_t>(hiz_float_count(layout));
            const std::uint32_t columns = (size.width + 63) / 64;
            const std::uint32_t rows = (size.height + 63) / 64;
            const auto make = [&](VkDeviceSize floats, const char* name) {
                return gpu::Buffer(device(),
                                   {.size = floats * 4, .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, .name = name});
            };
            const gpu::Buffer pyramid = make(count, "pyramid");
            const gpu::Buffer state = make(shared::kHizCounters + columns * rows + shared::kHizMaxGroups, "state");
            gpu::submit_and_wait(device(), "building", [&](VkCommandBuffer commands, gpu::DescriptorArena& arena) {
                vkCmdFillBuffer(commands, state.handle(), 0, VK_WHOLE_SIZE, 0);
                gpu::memory_barrier(commands, gpu::kTransferWrite, gpu::kCompute);
                arena.bind(commands, pipeline,
                           {gpu::texture_at(shared::kBindDepth, image.view(), sampler.handle()),
                            gpu::buffer_at(shared::kBindPixels, state), gpu::buffer_at(shared::kBindPyramid, pyramid),
                            gpu::buffer_at(shared::kBindHizState, state)},
                           shared::kPassSet);
                pipeline.push(commands, shared::HizConstants{layout, 0, 0, 0, 0});
                vkCmdDispatch(commands, columns, rows, 1);
                gpu::memory_barrier(commands, gpu::kComputeWrite, gpu::kEverything);
            });
            compare(layout, gpu::read_buffer_as<float>(device(), pyramid, 0, count), build_hiz(layout, depth));
            if (HasFatalFailure()) return;
        }
    }
}

// The counters come back to zero: what one tile held the last time must not stand in for what it holds now.
TEST_P(HizPaths, AgainAtTheSameSize) {
    std::mt19937 random(7);
    for (const Size& size : {Size{300, 200}, {4200, 70}}) {
        Hiz hiz(device(), {.subgroups = GetParam()});
        for (std::uint32_t i = 0; i < 12; ++i) {
            // A single far pixel, farther or nearer than the time before, each time in another tile; the last one too.
            std::vector<float> depth(std::size_t{size.width} * size.height, 0.75F);
            const std::size_t pixel = i % 3 == 0 ? depth.size() - 1 : random() % depth.size();
            depth[pixel] = 0.01F * static_cast<float>(1 + random() % 50);
            const std::vector<float> pyramid = build(hiz, size.width, size.height, depth);
            compare(hiz.layout(), pyramid, build_hiz(hiz.layout(), depth));
            if (HasFatalFailure()) return;
        }
    }
}

// One object, frame after frame and twice in a frame, with other sizes between.
TEST_P(HizPaths, FrameAfterFrame) {
    std::mt19937 random(5);
    const std::vector<Size> sizes{{640, 360}, {640, 360}, {200, 4100}, {200, 4100}, {64, 65}, {640, 360}};
    std::vector<std::vector<float>> depths;
    std::vector<gpu::Image> images;
    for (const Size& size : sizes) {
        depths.push_back(random_depth(size, random));
        images.push_back(depth_image(size.width, size.height, depths.back()));
    }
    gpu::Pipelines pipelines(device());
    Hiz hiz(device(), {.subgroups = GetParam()});
    gpu::Profiler profiler(device());
    gpu::FrameRing ring(device());
    bool first = true;
    for (int round = 0; round < 3; ++round) {
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            gpu::Frame& frame = ring.begin();
            profiler.begin_frame(frame);
            if (first) {
                for (const gpu::Image& image : images) to_attachment(frame.commands, image);
            }
            first = false;
            record(hiz, frame, profiler, pipelines, images[(i + 1) % images.size()]);
            record(hiz, frame, profiler, pipelines, images[i]);
            profiler.end_frame(frame);
            ring.submit();
            if ((i + static_cast<std::size_t>(round)) % 2 == 0) continue;  // some frames overlap
            device().wait_idle();
            compare(hiz.layout(),
                    gpu::read_buffer_as<float>(device(), hiz.pyramid(), 0,
                                               static_cast<std::size_t>(hiz_float_count(hiz.layout()))),
                    build_hiz(hiz.layout(), depths[i]));
            if (HasFatalFailure()) return;
        }
    }
    device().wait_idle();
}

TEST_F(HizTest, SizesOutOfRangeAreErrors) {
    Hiz hiz(device());
    for (const Size& size : {Size{0, 5}, {5, 0}, {shared::kHizMaxSize + 1, 1}}) {
        try {
            hiz.resize(gpu::Commands(), {size.width, size.height});
            ADD_FAILURE() << size.width << "x" << size.height;
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find(std::to_string(size.width) + "x"), std::string::npos);
        }
    }
}

}  // namespace
}  // namespace sublet::test
