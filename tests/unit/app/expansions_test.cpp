// Which expansion strategy a device and a scene get.
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "render/settings/frame_plan.h"
#include "test_devices.h"

namespace sublet::render {
namespace {

using test::plain_device;
using test::refusal;

// What mdi gets for so many sources with so many items each.
ExpansionStrategy mdi_expansion(const gpu::Capabilities& device, std::uint32_t sources, std::uint32_t items,
                                std::optional<ExpansionStrategy> asked = std::nullopt) {
    FrameSettings settings;
    settings.backend = Backend::kMdi;
    settings.expansion = asked;
    SceneFacts scene;
    for (std::uint32_t i = 0; i < sources; ++i) scene.meshlets.add(items);
    return resolve(settings, device, scene).expansion;
}

TEST(Expansions, WhatIsAskedForRunsOrSaysWhyNot) {
    gpu::Capabilities device = plain_device();
    FrameSettings settings;
    settings.backend = Backend::kMdi;
    const ExpansionStrategy chosen = resolve(settings, device).expansion;
    EXPECT_EQ(expansion_unavailable(chosen, device), std::nullopt);
    std::set<std::string_view> names{"auto"};
    std::size_t unavailable = 0;
    for (const ExpansionStrategy strategy : all_expansions()) {
        EXPECT_TRUE(names.insert(expansion_name(strategy)).second) << expansion_name(strategy);
        settings.expansion = strategy;
        settings.backend = Backend::kMdi;
        const auto reason = expansion_unavailable(strategy, device);
        unavailable += reason ? 1 : 0;
        if (!reason) {
            EXPECT_EQ(resolve(settings, device).expansion, strategy);
            continue;
        }
        const std::string message = refusal(settings, device);
        EXPECT_NE(message.find(*reason), std::string::npos) << message;
        EXPECT_NE(message.find(expansion_name(strategy)), std::string::npos) << message;
        settings.backend = Backend::kDirect;
        const FramePlan plan = resolve(settings, device);
        EXPECT_EQ(as_planned(settings, plan).expansion, strategy) << "direct does not use it";
    }
    EXPECT_EQ(unavailable, 3U) << "without 64-bit atomics and generated commands";
    device.shader_int64 = device.int64_atomics = device.generated_commands = true;
    for (const ExpansionStrategy strategy : all_expansions()) {
        EXPECT_EQ(expansion_unavailable(strategy, device), std::nullopt) << expansion_name(strategy);
    }
}

TEST(Expansions, OnAGpuAutoGoesByTheMeanOfTheCounts) {
    gpu::Capabilities device = plain_device();
    device.type = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
    device.shader_int64 = device.int64_atomics = true;
    EXPECT_EQ(mdi_expansion(device, 1000, 1), ExpansionStrategy::kPrefixSum);
    EXPECT_EQ(mdi_expansion(device, 1000, 63), ExpansionStrategy::kPrefixSum);
    EXPECT_EQ(mdi_expansion(device, 1000, 64), ExpansionStrategy::kBuckets);
    device.int64_atomics = false;
    EXPECT_EQ(mdi_expansion(device, 1000, 32), ExpansionStrategy::kTaskList) << "prefix-sum wants 64-bit atomics";
    EXPECT_EQ(mdi_expansion(device, 1000, 1), ExpansionStrategy::kBuckets);
}

// A million instances of a large mesh: only buckets have room for what is left of them, and only of their cuts.
TEST(Expansions, OfMoreMeshletsThanCanBeNumbered) {
    gpu::Capabilities device = plain_device();
    device.type = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
    device.limits.maxStorageBufferRange = ~0U;
    device.shader_int64 = device.int64_atomics = true;
    SceneFacts scene;
    scene.levels = scene.meshlets.keeps_first = true;
    for (std::uint32_t i = 0; i < 1000000; ++i) scene.meshlets.add(6000);
    FrameSettings settings;
    settings.backend = Backend::kMdi;
    EXPECT_EQ(resolve(settings, device, scene).expansion, ExpansionStrategy::kBuckets);
    for (const ExpansionStrategy strategy : all_expansions()) {
        settings.expansion = strategy;
        if (strategy == ExpansionStrategy::kBuckets) continue;
        const std::string message = refusal(settings, device, scene);
        EXPECT_NE(message.find(expansion_name(strategy)), std::string::npos) << message;
    }
    settings.expansion = ExpansionStrategy::kBuckets;
    EXPECT_EQ(resolve(settings, device, scene).expansion, ExpansionStrategy::kBuckets);
    settings.lod_error = 0.0F;
    EXPECT_NE(refusal(settings, device, scene).find("levels of detail"), std::string::npos);
    settings.lod_error = 1.0F;
    settings.lod = false;
    EXPECT_NE(refusal(settings, device, scene).find("levels of detail"), std::string::npos);
}

TEST(Expansions, OnACpuAutoGoesByHowFullChunksAre) {
    gpu::Capabilities device = plain_device();
    device.type = VK_PHYSICAL_DEVICE_TYPE_CPU;
    EXPECT_EQ(mdi_expansion(device, 0, 0), ExpansionStrategy::kTaskList);
    EXPECT_EQ(mdi_expansion(device, 1000, 114), ExpansionStrategy::kTaskList);
    EXPECT_EQ(mdi_expansion(device, 1000, 16), ExpansionStrategy::kTaskList);
    EXPECT_EQ(mdi_expansion(device, 1000, 15), ExpansionStrategy::kBuckets);
    EXPECT_EQ(mdi_expansion(device, 1000, 1), ExpansionStrategy::kBuckets);
    device.limits.maxStorageBufferRange = 4096;
    EXPECT_EQ(mdi_expansion(device, 1000, 1), ExpansionStrategy::kScan) << "the lists of the others can't be bound";
    EXPECT_EQ(mdi_expansion(device, 1000, 1, ExpansionStrategy::kMaxN), ExpansionStrategy::kMaxN)
        << "what is asked for is left";
}

TEST(Expansions, WhatIsAskedForIsHeldToTheScene) {
    gpu::Capabilities device = plain_device();
    FrameSettings settings;
    settings.backend = Backend::kMdi;
    settings.expansion = ExpansionStrategy::kPerItem;
    SceneFacts scene;
    for (int i = 0; i < 3; ++i) scene.meshlets.add(10000000);
    EXPECT_EQ(resolve(settings, device).expansion, ExpansionStrategy::kPerItem);
    const std::string message = refusal(settings, device, scene);
    EXPECT_NE(message.find("per-item"), std::string::npos) << message;
    EXPECT_NE(message.find("task-list"), std::string::npos) << message;
}

}  // namespace
}  // namespace sublet::render
