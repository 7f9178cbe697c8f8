// Prefix sums on the GPU are those of the CPU, whatever the size, the device's features and the workgroups' luck.
#include "render/expansion/scan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "base/error.h"
#include "gpu/barriers.h"
#include "gpu/frame.h"
#include "gpu/upload.h"
#include "tests/gpu/validation.h"

namespace sublet::test {
namespace {

using render::Scan;
using render::ScanCount;
using render::ScanKind;
using render::ScanMethod;
using render::ScanOptions;
using Values = std::vector<std::uint32_t>;

constexpr std::uint32_t kGuard = 0xdeadbeefU;  // beyond the output, and in it before
constexpr std::uint32_t kGuards = 64;

Values random_values(std::size_t count, std::uint32_t bound, std::uint32_t seed) {
    std::mt19937 random(seed);
    Values values(count);
    for (std::uint32_t& value : values) value = bound == 0 ? random() : random() % bound;
    return values;
}

// Sums modulo 2^32.
Values cpu_scan(const Values& input, std::size_t count, ScanKind kind) {
    Values output(count);
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < count; ++i) {
        output[i] = kind == ScanKind::kInclusive ? sum + input[i] : sum;
        sum += input[i];
    }
    return output;
}

std::uint32_t cpu_total(const Values& input, std::size_t count) {
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += input[i];
    return sum;
}

// What a scan left behind.
struct Outcome {
    Values output;  // `count.most` elements and the guards
    shared::ScanState state;
};

class ScanTest : public testing::Test {
  protected:
    void SetUp() override { open({}); }
    void TearDown() override { close(); }

    void open(std::vector<std::string> without) {
        close();
        gpu::DeviceOptions options;
        options.without = std::move(without);
        options.validation = validation_installed();
        instance_ = std::make_unique<gpu::Instance>(options);
        device_ = std::make_unique<gpu::Device>(*instance_, options);
        pipelines_ = std::make_unique<gpu::Pipelines>(*device_);
    }
    void close() {
        for (gpu::Buffer* buffer : {&input_, &output_, &count_}) *buffer = {};
        pipelines_.reset();
        device_.reset();
        if (instance_ == nullptr) return;
        EXPECT_EQ(instance_->validation_messages(), 0U);
        for (const std::string& text : instance_->validation_texts()) std::printf("%s\n", text.c_str());
        instance_.reset();
    }

    gpu::Buffer storage(VkDeviceSize bytes, const char* name) {
        return {*device_, {.size = bytes, .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, .name = name}};
    }

    // Loads what the following runs scan.
    void load(const Values& values) {
        values_ = values;
        input_ = storage((values.size() + kGuards) * 4, "input");
        output_ = storage((values.size() + kGuards) * 4, "output");
        count_ = storage(16, "count");
        upload_input();
    }
    void upload_input() {
        Values padded = values_;
        padded.insert(padded.end(), kGuards, kGuard);
        gpu::Uploader uploader(*device_);
        uploader.buffer(input_, 0, padded);
        uploader.finish();
    }

    // Scans the first `most` of the loaded values; with `gpu_count`, as many as that says.
    Outcome run(const Scan& scan, std::uint32_t most, ScanKind kind, bool in_place = false,
                const std::uint32_t* gpu_count = nullptr) {
        const gpu::Buffer workspace = scan.make_workspace(*device_, most);
        const gpu::Buffer& target = in_place ? input_ : output_;
        gpu::submit_and_wait(*device_, "scan", [&](VkCommandBuffer commands, gpu::DescriptorArena& descriptors) {
            if (!in_place) vkCmdFillBuffer(commands, output_.handle(), 0, VK_WHOLE_SIZE, kGuard);
            ScanCount count{.most = most};
            if (gpu_count != nullptr) {
                count.buffer = &count_;
                count.offset = 8;
                vkCmdUpdateBuffer(commands, count_.handle(), 8, 4, gpu_count);
            }
            gpu::memory_barrier(commands, gpu::kTransferWrite, gpu::kCompute);
            scan.record(commands, descriptors, *pipelines_, {input_}, {target}, count, kind, workspace);
        });
        Outcome outcome;
        outcome.output = gpu::read_buffer_as<std::uint32_t>(*device_, target, 0, std::size_t{most} + kGuards);
        outcome.state = gpu::read_buffer_as<shared::ScanState>(*device_, workspace, 0, 1).front();
        return outcome;
    }

    // The outcome is the CPU's for `count` elements, nothing went wrong, and nothing beyond was written.
    void expect_right(const Outcome& outcome, std::uint32_t count, ScanKind kind, bool in_place = false) {
        const Values expected = cpu_scan(values_, count, kind);
        const auto [here, there] = std::mismatch(expected.begin(), expected.end(), outcome.output.begin());
        if (here != expected.end()) {
            ADD_FAILURE() << "element " << here - expected.begin() << " of " << count << " is " << *there << " and not "
                          << *here;
        }
        EXPECT_EQ(outcome.state.total, cpu_total(values_, count));
        EXPECT_EQ(outcome.state.problems, 0U);
        for (std::size_t i = count; i < outcome.output.size(); ++i) {
            const std::uint32_t old = in_place && i < values_.size() ? values_[i] : kGuard;
            ASSERT_EQ(outcome.output[i], old) << "element " << i << ", beyond the " << count;
        }
    }

    void check(const Scan& scan, std::uint32_t count, ScanKind kind) {
        SCOPED_TRACE(testing::Message() << count << " elements, "
                                        << (kind == ScanKind::kInclusive ? "inclusive" : "exclusive") << ", method "
                                        << static_cast<int>(scan.method()));
        expect_right(run(scan, count, kind), count, kind);
    }

    // Every size up to a few small partitions; sizes around the boundaries of large ones; primes; a large one.
    void check_sizes(ScanMethod method, std::uint32_t bound) {
        {
            const Scan small(device_->capabilities(), {.method = method, .lanes = 32, .vectors = 1});
            ASSERT_EQ(small.partition_elements(0), 128U);
            load(random_values(3 * 128 + 9, bound, 1));
            for (std::uint32_t count = 0; count <= values_.size(); ++count) {
                check(small, count, count % 2 == 0 ? ScanKind::kInclusive : ScanKind::kExclusive);
            }
        }
        const Scan scan(device_->capabilities(), {.method = method});
        EXPECT_EQ(scan.method(), method);
        const std::uint32_t partition = scan.partition_elements(0);
        load(random_values((1U << 20U) + 4711, bound, 2));
        for (const std::uint32_t partitions : {1U, 2U, 3U, 7U, 8U, 9U, 10U, 33U, 64U, 65U, 66U}) {
            for (const std::uint32_t count :
                 {partitions * partition - 1, partitions * partition, partitions * partition + 1}) {
                check(scan, count, ScanKind::kExclusive);
                check(scan, count, ScanKind::kInclusive);
            }
        }
        for (const std::uint32_t prime : {2U, 3U, 5U, 4099U, 65537U, 104729U, 1000003U}) {
            check(scan, prime, ScanKind::kExclusive);
        }
        check(scan, static_cast<std::uint32_t>(values_.size()), ScanKind::kInclusive);
        check(scan, static_cast<std::uint32_t>(values_.size()), ScanKind::kExclusive);
    }

    std::unique_ptr<gpu::Instance> instance_;
    std::unique_ptr<gpu::Device> device_;
    std::unique_ptr<gpu::Pipelines> pipelines_;
    gpu::Buffer input_, output_, count_;
    Values values_;
};

// The largest bound for random values with which so many of them stay below 2^30.
constexpr std::uint32_t kNarrowBound = 1000;

#define SKIP_WITHOUT_SINGLE_PASS()                                                    \
    if (render::scan_unavailable(ScanMethod::kSinglePass, device_->capabilities())) { \
        GTEST_SKIP() << "the device has no Vulkan memory model";                      \
    }

TEST_F(ScanTest, SinglePass) {
    SKIP_WITHOUT_SINGLE_PASS();
    if (!device_->capabilities().int64_atomics) GTEST_SKIP() << "the device has no 64-bit atomics";
    check_sizes(ScanMethod::kSinglePass, 0);
}

TEST_F(ScanTest, SinglePassWithout64BitAtomics) {
    SKIP_WITHOUT_SINGLE_PASS();
    open({"int64-atomics"});
    EXPECT_TRUE(Scan(device_->capabilities()).limit_is_30_bits());
    check_sizes(ScanMethod::kSinglePass, kNarrowBound);
}

TEST_F(ScanTest, MultiPass) {
    check_sizes(ScanMethod::kMultiPass, 0);
}

// Subgroups may then be partly filled and numbered in any order: the shaders count their lanes.
TEST_F(ScanTest, WithoutFullSubgroups) {
    open({"subgroup-size-control"});
    check_sizes(ScanMethod::kMultiPass, 0);
    SKIP_WITHOUT_SINGLE_PASS();
    check_sizes(ScanMethod::kSinglePass, kNarrowBound);
}

TEST_F(ScanTest, WithoutTheMemoryModelItIsMultiPass) {
    open({"memory-model"});
    const Scan scan(device_->capabilities());
    EXPECT_EQ(scan.method(), ScanMethod::kMultiPass);
    EXPECT_FALSE(scan.limit_is_30_bits());
    load(random_values(100000, 0, 3));
    check(scan, 100000, ScanKind::kExclusive);
    try {
        const Scan single(device_->capabilities(), {.method = ScanMethod::kSinglePass});
        ADD_FAILURE() << "no error";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("memory model"), std::string::npos) << error.what();
    }
}

// Shapes of which some leave subgroups partly filled, or with a single lane.
TEST_F(ScanTest, RandomSizesShapesAndValues) {
    struct Shape {
        std::uint32_t lanes, vectors;
    };
    std::mt19937 random(7);
    for (const Shape shape : {Shape{1, 1}, {4, 1}, {20, 3}, {100, 2}, {128, 4}, {512, 2}, {64, 8}, {256, 14}}) {
        for (const ScanMethod method : {ScanMethod::kAuto, ScanMethod::kMultiPass}) {
            const Scan scan(device_->capabilities(),
                            {.method = method, .lanes = shape.lanes, .vectors = shape.vectors});
            for (int round = 0; round < 4; ++round) {
                SCOPED_TRACE(testing::Message()
                             << "round " << round << ", " << shape.lanes << " lanes of " << shape.vectors);
                // Up to 256 partitions of the smallest.
                const std::uint32_t count = 1 + random() % (shape.lanes == 1 ? 1024U : 1U << (8 + random() % 11));
                Values values(count);
                switch (round) {
                    case 0:  // all alike
                        std::fill(values.begin(), values.end(), random() % 2);
                        break;
                    case 1:  // a few huge among zeros
                        for (int i = 0; i < 5; ++i) values[random() % count] = random() % 100000000;
                        break;
                    case 2:  // many small, few large
                        for (std::uint32_t& value : values) value = (random() % 512) >> (random() % 10);
                        break;
                    default:
                        values = random_values(count, 512, static_cast<std::uint32_t>(round));
                }
                load(values);
                check(scan, count, random() % 2 == 0 ? ScanKind::kInclusive : ScanKind::kExclusive);
            }
        }
    }
}

TEST_F(ScanTest, InPlace) {
    for (const ScanMethod method : {ScanMethod::kAuto, ScanMethod::kMultiPass}) {
        const Scan scan(device_->capabilities(), {.method = method});
        for (const std::uint32_t count : {1U, 4095U, 4096U, 50000U, 300007U}) {
            for (const ScanKind kind : {ScanKind::kExclusive, ScanKind::kInclusive}) {
                SCOPED_TRACE(count);
                load(random_values(count + 100, kNarrowBound, count));
                expect_right(run(scan, count, kind, true), count, kind, true);
            }
        }
    }
}

TEST_F(ScanTest, CountFromTheGpu) {
    constexpr std::uint32_t kMost = 50000;
    load(random_values(kMost, kNarrowBound, 4));
    for (const ScanMethod method : {ScanMethod::kAuto, ScanMethod::kMultiPass}) {
        const Scan scan(device_->capabilities(), {.method = method});
        for (const std::uint32_t count : {0U, 1U, 4095U, 4096U, 4097U, 33333U, kMost}) {
            SCOPED_TRACE(count);
            expect_right(run(scan, kMost, ScanKind::kExclusive, false, &count), count, ScanKind::kExclusive);
        }
        for (const std::uint32_t count : {kMost + 1, ~0U}) {
            SCOPED_TRACE(count);
            Outcome outcome = run(scan, kMost, ScanKind::kInclusive, false, &count);
            EXPECT_EQ(outcome.state.problems, shared::kScanCountOverflow);
            outcome.state.problems = 0;
            expect_right(outcome, kMost, ScanKind::kInclusive);
        }
    }
}

TEST_F(ScanTest, OffsetsAndASharedWorkspace) {
    const Scan scan(device_->capabilities());
    constexpr std::uint32_t kCount = 30001;
    constexpr VkDeviceSize kOffset = 1024;  // bytes; a multiple of any device's alignment
    load(random_values(kCount + kOffset / 4, kNarrowBound, 5));
    const gpu::Buffer workspace = scan.make_workspace(*device_, kCount);
    const gpu::Buffer second = storage((kCount + 512) * 4, "second");
    gpu::submit_and_wait(*device_, "scans", [&](VkCommandBuffer commands, gpu::DescriptorArena& descriptors) {
        scan.record(commands, descriptors, *pipelines_, {input_, kOffset}, {output_, 512}, {.most = kCount},
                    ScanKind::kInclusive, workspace);
        scan.record(commands, descriptors, *pipelines_, {input_, kOffset}, {second, 256}, {.most = 777},
                    ScanKind::kExclusive, workspace);
    });
    const Values shifted(values_.begin() + kOffset / 4, values_.end());
    EXPECT_EQ(gpu::read_buffer_as<std::uint32_t>(*device_, output_, 512, kCount),
              cpu_scan(shifted, kCount, ScanKind::kInclusive));
    EXPECT_EQ(gpu::read_buffer_as<std::uint32_t>(*device_, second, 256, 777),
              cpu_scan(shifted, 777, ScanKind::kExclusive));
}

// Nothing is cleared between scans with 64-bit words: what earlier ones left must not pass for this one's.
TEST_F(ScanTest, AWorkspaceServesScanAfterScan) {
    constexpr std::uint32_t kMost = 200000;
    load(random_values(kMost, kNarrowBound, 11));
    for (const ScanMethod method : {ScanMethod::kAuto, ScanMethod::kMultiPass}) {
        const Scan scan(device_->capabilities(), {.method = method, .lanes = 64, .vectors = 1});
        const gpu::Buffer workspace = scan.make_workspace(*device_, kMost);
        std::mt19937 random(12);
        for (int i = 0; i < 60; ++i) {
            const std::uint32_t count = i % 7 == 0 ? 0 : random() % (i % 3 == 0 ? kMost : 3000U);
            const bool gpu_count = i % 2 == 0;
            gpu::submit_and_wait(*device_, "scan", [&](VkCommandBuffer commands, gpu::DescriptorArena& descriptors) {
                vkCmdUpdateBuffer(commands, count_.handle(), 0, 4, &count);
                gpu::memory_barrier(commands, gpu::kTransferWrite, gpu::kCompute);
                ScanCount counted{.most = count};
                if (gpu_count) counted = {.most = kMost, .buffer = &count_};
                scan.record(commands, descriptors, *pipelines_, {input_}, {output_}, counted, ScanKind::kExclusive,
                            workspace);
            });
            SCOPED_TRACE(testing::Message() << "scan " << i << " of " << count);
            if (count != 0) {
                EXPECT_EQ(gpu::read_buffer_as<std::uint32_t>(*device_, output_, 0, count),
                          cpu_scan(values_, count, ScanKind::kExclusive));
            }
            const auto state = gpu::read_buffer_as<shared::ScanState>(*device_, workspace, 0, 1).front();
            EXPECT_EQ(state.total, cpu_total(values_, count));
            EXPECT_EQ(state.problems, 0U);
        }
    }
}

// What earlier scans published lies where a partition now publishes nothing: were it taken for this scan's, sums would
// be those of other elements.
TEST_F(ScanTest, WordsOfEarlierScansCountAsMissing) {
    SKIP_WITHOUT_SINGLE_PASS();
    constexpr std::uint32_t kPartitions = 40, kWithhold = 3;
    for (const bool narrow : {false, true}) {
        if (narrow) open({"int64-atomics"});
        const ScanOptions options{.method = ScanMethod::kSinglePass, .lanes = 64, .vectors = 1, .reads = 0};
        ScanOptions stopping = options;
        stopping.withhold = kWithhold;
        const Scan whole(device_->capabilities(), options);
        const Scan stopped(device_->capabilities(), stopping);
        const std::uint32_t count = kPartitions * whole.partition_elements(0);
        const gpu::Buffer workspace = whole.make_workspace(*device_, count);
        std::uint32_t published_before = 0;
        for (std::uint32_t i = 0; i < 6; ++i) {
            SCOPED_TRACE(testing::Message() << (narrow ? "narrow" : "wide") << ", scan " << i);
            load(random_values(count, kNarrowBound, 20 + i));
            const Scan& scan = i % 2 == 0 ? whole : stopped;
            gpu::submit_and_wait(*device_, "scan", [&](VkCommandBuffer commands, gpu::DescriptorArena& descriptors) {
                scan.record(commands, descriptors, *pipelines_, {input_}, {output_}, {.most = count},
                            ScanKind::kInclusive, workspace);
            });
            EXPECT_EQ(gpu::read_buffer_as<std::uint32_t>(*device_, output_, 0, count),
                      cpu_scan(values_, count, ScanKind::kInclusive));
            const auto state = gpu::read_buffer_as<shared::ScanState>(*device_, workspace, 0, 1).front();
            EXPECT_EQ(state.total, cpu_total(values_, count));
            const std::uint32_t published = state.published_for_others - (narrow ? 0 : published_before);
            if (&scan == &stopped) {
                EXPECT_GE(published, (kPartitions - 1) / kWithhold);
            }
            published_before = state.published_for_others;
        }
    }
}

// Large scans have partitions of their own; the workspace is one.
TEST_F(ScanTest, LargeScansAndSmallOnesShareAWorkspace) {
    const Scan scan(device_->capabilities());
    constexpr std::uint32_t kMost = (1U << 24U) + 12345;
    load(random_values(kMost, 200, 13));
    const gpu::Buffer workspace = scan.make_workspace(*device_, kMost);
    for (const std::uint32_t count : {kMost, (1U << 24U) - 1, 1U << 24U, 5U, kMost - 4096}) {
        SCOPED_TRACE(count);
        gpu::submit_and_wait(*device_, "scan", [&](VkCommandBuffer commands, gpu::DescriptorArena& descriptors) {
            scan.record(commands, descriptors, *pipelines_, {input_}, {output_}, {.most = count}, ScanKind::kInclusive,
                        workspace);
        });
        EXPECT_EQ(gpu::read_buffer_as<std::uint32_t>(*device_, output_, 0, count),
                  cpu_scan(values_, count, ScanKind::kInclusive));
    }
}

// Partitions that never publish: their successors must sum them up themselves.
TEST_F(ScanTest, ItEndsWhenWorkgroupsStop) {
    SKIP_WITHOUT_SINGLE_PASS();
    struct Shape {
        std::uint32_t lanes, vectors, partitions;
    };
    // The second is that of large scans, whose registers the fallback must not disturb.
    constexpr std::array kShapes{Shape{64, 1, 130}, Shape{256, 14, 20}};
    for (const bool narrow : {false, true}) {
        if (narrow) open({"int64-atomics"});
        for (const Shape shape : kShapes) {
            for (const std::uint32_t withhold : {1U, 2U, 5U, 64U}) {
                for (const std::uint32_t reads : {0U, 64U}) {
                    SCOPED_TRACE(testing::Message() << (narrow ? "narrow" : "wide") << ", every " << withhold << " of "
                                                    << reads << " reads, " << shape.lanes << " lanes");
                    const Scan scan(device_->capabilities(), {.method = ScanMethod::kSinglePass,
                                                              .lanes = shape.lanes,
                                                              .vectors = shape.vectors,
                                                              .reads = reads,
                                                              .withhold = withhold});
                    const std::uint32_t count = shape.partitions * scan.partition_elements(0) - 3;
                    load(random_values(count, kNarrowBound, 6));
                    const Outcome outcome = run(scan, count, ScanKind::kExclusive);
                    expect_right(outcome, count, ScanKind::kExclusive);
                    // The last one has no successor. One that is only slow may be overtaken too, but each only once.
                    const std::uint32_t stopped = (shape.partitions - 1) / withhold;
                    EXPECT_GE(outcome.state.published_for_others, stopped);
                    EXPECT_LE(outcome.state.published_for_others, shape.partitions - 1);
                    EXPECT_GE(outcome.state.recomputed, outcome.state.published_for_others);
                }
            }
        }
    }
}

// Every predecessor is summed up anew, in place too, where its elements may be gone by then: what it published counts.
TEST_F(ScanTest, ARecomputedSumNeverReplacesAPublishedOne) {
    SKIP_WITHOUT_SINGLE_PASS();
    for (const bool narrow : {false, true}) {
        if (narrow) open({"int64-atomics"});
        const Scan scan(device_->capabilities(),
                        {.method = ScanMethod::kSinglePass, .lanes = 64, .vectors = 2, .reads = 0, .distrust = true});
        constexpr std::uint32_t kPartitions = 200;
        const std::uint32_t count = kPartitions * scan.partition_elements(0);
        for (const bool in_place : {false, true}) {
            load(random_values(count, kNarrowBound, 8));
            const Outcome outcome = run(scan, count, ScanKind::kInclusive, in_place);
            expect_right(outcome, count, ScanKind::kInclusive, in_place);
            EXPECT_GE(outcome.state.recomputed, kPartitions - 1);
        }
    }
}

TEST_F(ScanTest, A30BitOverflowIsFlagged) {
    SKIP_WITHOUT_SINGLE_PASS();
    open({"int64-atomics"});
    const Scan scan(device_->capabilities(), {.lanes = 64, .vectors = 1});
    ASSERT_TRUE(scan.limit_is_30_bits());
    constexpr std::uint32_t kCount = 10000;
    const auto problems = [&](const Values& values) {
        load(values);
        return run(scan, kCount, ScanKind::kInclusive).state.problems;
    };
    // Exactly 2^30 - 1 is the last that fits, wherever it comes from.
    constexpr std::uint32_t kLimit = 1U << 30U;
    for (const std::size_t where : {0U, 255U, 256U, 5000U, 9999U}) {
        Values values(kCount, 0);
        values[where] = kLimit - 1;
        load(values);
        expect_right(run(scan, kCount, ScanKind::kInclusive), kCount, ScanKind::kInclusive);
        values[where] = kLimit;
        EXPECT_EQ(problems(values), shared::kScanSumOverflow) << where;
        values[where] = ~0U;
        EXPECT_EQ(problems(values), shared::kScanSumOverflow) << where;
        values[where] = kLimit - 1;
        values[(where + 1) % kCount] = 1;
        EXPECT_EQ(problems(values), shared::kScanSumOverflow) << where;
    }
    // Sums that come back to a small number modulo 2^32, within a lane, a subgroup, a workgroup and all of it.
    for (const std::uint32_t value : {1U << 31U, 1U << 30U, 1U << 29U, 1U << 26U, 1U << 22U, 1U << 18U}) {
        for (const std::size_t stride : {1U, 4U, 16U, 64U}) {
            Values values(kCount, 0);
            std::uint64_t sum = 0;
            for (std::size_t i = 0; i < kCount; i += stride) {
                values[i] = value;
                sum += value;
            }
            EXPECT_EQ(problems(values), sum >= kLimit ? shared::kScanSumOverflow : 0U) << value << " every " << stride;
        }
    }
    // And it is not flagged for good.
    EXPECT_EQ(problems(Values(kCount, 1)), 0U);
}

TEST_F(ScanTest, AsLargeAsTheDeviceBinds) {
    const Scan scan(device_->capabilities());
    const std::uint64_t room = device_->capabilities().device_local_bytes / 32;
    const auto count =
        static_cast<std::uint32_t>(std::min<std::uint64_t>({scan.max_elements() - kGuards, room, 1U << 28U}));
    load(random_values(count, scan.limit_is_30_bits() ? 2 : 0, 9));
    check(scan, count, ScanKind::kExclusive);
    std::printf("%u elements\n", count);
}

TEST_F(ScanTest, WhatDoesNotFitIsAnError) {
    const Scan scan(device_->capabilities());
    load(random_values(1000, 10, 10));
    const gpu::Buffer workspace = scan.make_workspace(*device_, 1000);
    const gpu::Buffer tiny = storage(64, "tiny");
    const auto message = [&](const gpu::Buffer& from, VkDeviceSize from_offset, const gpu::Buffer& to,
                             VkDeviceSize to_offset, const ScanCount& count, const gpu::Buffer& work) -> std::string {
        gpu::CommandPool pool(*device_, "scan");
        gpu::DescriptorArena descriptors(*device_, "scan");
        try {
            scan.record(pool.begin(), descriptors, *pipelines_, {from, from_offset}, {to, to_offset}, count,
                        ScanKind::kExclusive, work);
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    };
    EXPECT_EQ(message(input_, 0, output_, 0, {.most = 1000}, workspace), "");
    const auto mentions = [](const std::string& text, const char* word) {
        return text.find(word) != std::string::npos ? testing::AssertionSuccess()
                                                    : testing::AssertionFailure() << "'" << text << "'";
    };
    EXPECT_TRUE(mentions(message(tiny, 0, output_, 0, {.most = 1000}, workspace), "input"));
    EXPECT_TRUE(mentions(message(input_, 0, tiny, 0, {.most = 1000}, workspace), "output"));
    EXPECT_TRUE(mentions(message(input_, 0, output_, 0, {.most = 1000}, tiny), "workspace"));
    EXPECT_TRUE(mentions(message(input_, 0, input_, 256, {.most = 900}, workspace), "overlap"));
    EXPECT_TRUE(mentions(message(input_, 512, output_, 0, {.most = 1000}, workspace), "input"));
    EXPECT_TRUE(mentions(message(input_, 0, output_, 0, {.most = scan.max_elements() + 1}, workspace), "at once"));
    EXPECT_TRUE(
        mentions(message(input_, 0, output_, 0, {.most = 10, .buffer = &count_, .offset = 14}, workspace), "count"));
    EXPECT_TRUE(
        mentions(message(input_, 0, output_, 0, {.most = 10, .buffer = &count_, .offset = 16}, workspace), "count"));
    for (const ScanOptions& options :
         {ScanOptions{.lanes = 64}, ScanOptions{.vectors = 4}, ScanOptions{.lanes = 64, .vectors = 17}}) {
        EXPECT_THROW(Scan(device_->capabilities(), options), Error);
    }
}

}  // namespace
}  // namespace sublet::test
