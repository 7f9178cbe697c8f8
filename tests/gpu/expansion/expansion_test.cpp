// Every strategy of work expansion gives every item of every source once, and nothing else; what does not fit is
// counted.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "gpu/barriers.h"
#include "gpu/device.h"
#include "gpu/frame.h"
#include "gpu/upload.h"
#include "render/expansion/probe.h"
#include "tests/gpu/validation.h"

namespace sublet::test {
namespace {

using render::ExpansionProbe;
using render::ExpansionStrategy;
using shared::ExpansionProbeResult;

using Counts = std::vector<std::uint32_t>;

// A device with validation where the layer is installed; no message by the end.
class DeviceFixture {
  public:
    explicit DeviceFixture(std::vector<std::string> without = {}, bool generated = false) {
        gpu::DeviceOptions options;
        options.without = std::move(without);
        options.validation = generated ? validation_knows_new_extensions() : validation_installed();
        instance_ = std::make_unique<gpu::Instance>(options);
        device_ = std::make_unique<gpu::Device>(*instance_, options);
        profiler_ = std::make_unique<gpu::Profiler>(*device_);
    }
    ~DeviceFixture() {
        profiler_.reset();
        device_.reset();
        EXPECT_EQ(instance_->validation_messages(), 0U);
    }
    DeviceFixture(const DeviceFixture&) = delete;
    DeviceFixture& operator=(const DeviceFixture&) = delete;

    gpu::Device& device() { return *device_; }

    // What the consumer found, and the overflow where pushes wrote it.
    std::pair<ExpansionProbeResult, std::uint32_t> run(const ExpansionProbe& probe) {
        gpu::submit_and_wait(*device_, "expanding", [&](VkCommandBuffer commands, gpu::DescriptorArena& descriptors) {
            gpu::Frame frame{.commands = commands, .descriptors = &descriptors};
            probe.record(frame, *profiler_);
            gpu::memory_barrier(commands, gpu::kComputeWrite, gpu::kEverything);
        });
        const auto state =
            gpu::read_buffer_as<shared::ExpansionState>(*device_, probe.expansion().state_buffer(0), 0, 1)[0];
        return {probe.result(*device_), state.overflow};
    }

  private:
    std::unique_ptr<gpu::Instance> instance_;
    std::unique_ptr<gpu::Device> device_;
    std::unique_ptr<gpu::Profiler> profiler_;
};

std::uint64_t sum(const Counts& counts) {
    return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

struct Distribution {
    std::string name;
    Counts counts;
    std::vector<ExpansionStrategy> unavailable;  // and these say so
};

Counts random_counts(std::size_t sources, std::uint32_t most, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::uniform_int_distribution<std::uint32_t> count(0, most);
    Counts counts(sources);
    for (std::uint32_t& c : counts) c = count(random);
    return counts;
}

Counts few_huge(std::size_t sources, std::uint32_t huge, std::uint32_t seed) {
    Counts counts = random_counts(sources, 3, seed);
    for (std::size_t i = 0; i < 5; ++i) counts[(i * 7919 + 13) % sources] = huge + static_cast<std::uint32_t>(i);
    return counts;
}

// Few items in a list of many sources, most of them idle.
Counts sparse(std::size_t sources) {
    Counts counts(sources, 0);
    for (std::size_t i = 0; i < sources; i += 97) counts[i] = static_cast<std::uint32_t>(1 + i % 40);
    return counts;
}

std::vector<Distribution> distributions() {
    using S = ExpansionStrategy;
    std::vector<Distribution> all;
    all.push_back({"no_sources", {}, {}});
    all.push_back({"zeros", Counts(1000, 0), {}});
    all.push_back({"one_source_one_item", {1}, {}});
    all.push_back({"ones", Counts(5000, 1), {}});
    for (const std::uint32_t around : {31U, 32U, 33U, 127U, 128U, 129U}) {
        all.push_back({"each_" + std::to_string(around), Counts(around, around), {}});
    }
    for (const std::uint32_t seed : {1U, 2U, 3U}) {
        all.push_back({"random_small_" + std::to_string(seed), random_counts(3000 + seed * 101, 20, seed), {}});
        all.push_back({"random_large_" + std::to_string(seed), random_counts(200 + seed, 5000, seed), {}});
    }
    all.push_back({"sparse", sparse(20000), {}});
    all.push_back({"few_huge", few_huge(3000, 60000, 4), {S::kMaxN, S::kLinear}});
    all.push_back({"one_giant_alone", {3000001}, {}});
    all.push_back({"million_sources", random_counts(1000000, 3, 5), {S::kLinear}});
    all.push_back({"beyond_2_to_24", few_huge(2000, 4000000, 6), {S::kMaxN, S::kPerItem, S::kLinear}});
    return all;
}

class EveryStrategy : public testing::TestWithParam<ExpansionStrategy> {
  protected:
    void SetUp() override {
        if (generated() && !fixture_.device().capabilities().generated_commands) {
            GTEST_SKIP() << "no generated commands here";
        }
    }
    static bool generated() { return GetParam() == ExpansionStrategy::kGenerated; }

    DeviceFixture fixture_{{}, generated()};
};

TEST_P(EveryStrategy, PopsEveryItemOnce) {
    std::printf("subgroups of %u\n", fixture_.device().capabilities().subgroup_size);
    for (const Distribution& distribution : distributions()) {
        SCOPED_TRACE(distribution.name);
        const auto reason = render::expansion_unavailable(GetParam(), render::expansion_demand(distribution.counts),
                                                          fixture_.device().capabilities());
        const auto& unavailable = distribution.unavailable;
        const bool expected = std::find(unavailable.begin(), unavailable.end(), GetParam()) != unavailable.end();
        // A device that binds more than lavapipe has room for longer lists.
        const bool room = fixture_.device().capabilities().limits.maxStorageBufferRange > (1U << 27U);
        // So does one that generates more dispatches at once.
        const bool up_to_device = generated() || (room && GetParam() == ExpansionStrategy::kPerItem);
        if (!up_to_device) {
            EXPECT_EQ(reason.has_value(), expected) << reason.value_or("it should be unavailable");
        }
        if (reason) {
            EXPECT_THROW(ExpansionProbe(fixture_.device(), distribution.counts, {.strategy = GetParam()}), Error);
            continue;
        }
        const ExpansionProbe probe(fixture_.device(), distribution.counts, {.strategy = GetParam()});
        const std::uint64_t items = sum(distribution.counts);
        for (int repetition = 1; repetition <= 2; ++repetition) {
            const auto [result, overflow] = fixture_.run(probe);
            EXPECT_EQ(result.popped, items * static_cast<std::uint64_t>(repetition));
            EXPECT_EQ(result.strays, 0U);
            EXPECT_EQ(result.repeated, repetition == 1 ? 0U : items);  // the bits stay
            EXPECT_EQ(overflow, 0U);
            // The scan keeps the order, each time; buckets show that another order is seen.
            if (GetParam() == ExpansionStrategy::kScan) {
                EXPECT_EQ(result.moved, 0U);
            }
            if (GetParam() == ExpansionStrategy::kBuckets && distribution.name.starts_with("random")) {
                EXPECT_GT(result.moved, 0U);
            }
        }
        const std::vector<std::uint32_t> seen = probe.seen(fixture_.device());
        bool all = true;
        for (std::uint64_t item = 0; item < items; ++item) {
            all = all && (seen[item / 32] >> (item % 32) & 1U) != 0;
        }
        EXPECT_TRUE(all);
    }
}

TEST_P(EveryStrategy, CountsWhatDoesNotFit) {
    for (const auto& [counts, most_entries] : {std::pair<Counts, std::uint64_t>{random_counts(3000, 40, 7), 500},
                                               {random_counts(700, 900, 8), 3},
                                               {few_huge(500, 3000, 9), 200},
                                               {{1000000}, 0},
                                               {Counts(4096, 1), 4095}}) {
        SCOPED_TRACE(testing::Message() << counts.size() << " sources, " << most_entries << " entries");
        // Without an entry there is no dispatch that could tell.
        if (generated() &&
            (most_entries == 0 || counts.size() > fixture_.device().capabilities().max_generated_sequences)) {
            continue;
        }
        const ExpansionProbe probe(fixture_.device(), counts, {.strategy = GetParam(), .most_entries = most_entries});
        const auto [result, overflow] = fixture_.run(probe);
        EXPECT_GT(overflow, 0U);
        EXPECT_EQ(result.popped + overflow, sum(counts));
        EXPECT_EQ(result.strays, 0U);
        EXPECT_EQ(result.repeated, 0U);
        if (GetParam() == ExpansionStrategy::kScan) {
            EXPECT_EQ(result.moved, 0U);
        }
        if (most_entries >= 200) {
            EXPECT_GT(result.popped, 0U);
        }
        EXPECT_EQ(result.overflow, overflow) << "as the consumer sees it";
    }
}

INSTANTIATE_TEST_SUITE_P(All, EveryStrategy,
                         testing::ValuesIn(render::all_expansions().begin(), render::all_expansions().end()),
                         [](const testing::TestParamInfo<ExpansionStrategy>& info) {
                             std::string name(render::expansion_name(info.param));
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

TEST(Expansion, SaysBeforehandWhatItCannotDo) {
    gpu::Capabilities device;
    device.name = "Abacus";
    device.limits.maxStorageBufferRange = 1U << 27U;
    const auto reason = [&](ExpansionStrategy strategy, const Counts& counts) {
        return render::expansion_unavailable(strategy, render::expansion_demand(counts), device).value_or("");
    };
    const auto mentions = [](const std::string& text, const char* part) {
        return text.find(part) != std::string::npos;
    };
    const Counts few(10, 10);
    EXPECT_TRUE(mentions(reason(ExpansionStrategy::kGenerated, few), "VK_EXT_device_generated_commands"));
    device.generated_commands = true;
    device.max_generated_sequences = 10;
    for (const ExpansionStrategy strategy : render::all_expansions()) {
        const bool packed = render::pushes_packed(strategy);
        EXPECT_EQ(mentions(reason(strategy, few), "int64-atomics"), packed) << render::expansion_name(strategy);
        if (!packed) {
            EXPECT_EQ(reason(strategy, few), "") << render::expansion_name(strategy);
        }
    }
    device.shader_int64 = device.int64_atomics = true;
    EXPECT_EQ(reason(ExpansionStrategy::kLinear, few), "");
    EXPECT_EQ(reason(ExpansionStrategy::kGenerated, few), "");
    EXPECT_TRUE(mentions(reason(ExpansionStrategy::kGenerated, Counts(11, 1)), "11 dispatches"));
    Counts giant(100000, 1);
    giant[5] = 1000000;
    EXPECT_TRUE(mentions(reason(ExpansionStrategy::kMaxN, giant), "100,000,000,000 lanes"));
    EXPECT_EQ(reason(ExpansionStrategy::kMaxN, {1000000}), "") << "every lane has work";
    EXPECT_TRUE(mentions(reason(ExpansionStrategy::kLinear, giant), "100000 entries"));
    giant.assign(2, 9000000);
    EXPECT_TRUE(mentions(reason(ExpansionStrategy::kPerItem, giant), "137 MiB"));
    EXPECT_EQ(reason(ExpansionStrategy::kPrefixSum, giant), "");
    giant.assign(3, 2000000000);
    for (const ExpansionStrategy strategy : render::all_expansions()) {
        const bool rows = strategy == ExpansionStrategy::kGenerated;  // of workgroups, whole ones
        EXPECT_TRUE(mentions(reason(strategy, giant), rows ? "6," : "6,000,000,000"))
            << render::expansion_name(strategy) << reason(strategy, giant);
    }
}

TEST(Expansion, WithoutFeaturesTheOthersRun) {
    for (const char* feature : {"int64-atomics", "memory-model", "subgroup-size-control"}) {
        DeviceFixture fixture({feature});
        std::size_t unavailable = 0;
        for (const ExpansionStrategy strategy : render::all_expansions()) {
            SCOPED_TRACE(std::string(feature) + ", " + std::string(render::expansion_name(strategy)));
            const Counts counts = random_counts(3000, 50, 11);
            if (strategy == ExpansionStrategy::kGenerated) continue;  // which may be lacking anyway
            if (render::expansion_unavailable(strategy, fixture.device().capabilities())) {
                EXPECT_THROW(ExpansionProbe(fixture.device(), counts, {.strategy = strategy}), Error);
                ++unavailable;
                continue;
            }
            const ExpansionProbe probe(fixture.device(), counts, {.strategy = strategy});
            const ExpansionProbeResult result = fixture.run(probe).first;
            EXPECT_EQ(result.popped, sum(counts));
            EXPECT_EQ(result.repeated + result.strays, 0U);
        }
        EXPECT_EQ(unavailable, std::string(feature) == "int64-atomics" ? 2U : 0U);
    }
}

}  // namespace
}  // namespace sublet::test
