#include "gpu/capabilities.h"

#include <set>

#include "gpu/resources.h"
#include "test_device.h"

namespace sublet::gpu {
namespace {

TEST(Features, HaveDistinctNamesAndFlags) {
    std::set<std::string> names;
    std::set<size_t> flags;
    Capabilities c;
    for (const Feature& feature : features()) {
        EXPECT_TRUE(names.insert(feature.name).second) << feature.name;
        const bool* flag = &(c.*(feature.flag));
        EXPECT_TRUE(flags.insert(reinterpret_cast<size_t>(flag)).second) << feature.name;
    }
    for (const char* agreed : {"mesh-shader", "task-shader", "multi-draw", "draw-count", "index-uint8", "int64-atomics",
                               "barycentric", "subgroup-size-control", "full-index-32"}) {
        EXPECT_TRUE(names.contains(agreed)) << agreed;
    }
}

TEST(Features, UnknownNameIsAnErrorThatListsTheValidOnes) {
    const std::string message = error_of([] {
        DeviceOptions options;
        options.without = {"mesh-shader", "mesh-shadr"};
        const Instance instance(options);
    });
    EXPECT_TRUE(mentions(message, "'mesh-shadr'"));
    for (const Feature& feature : features()) EXPECT_TRUE(mentions(message, feature.name));
}

TEST(Features, MaskingTakesAlongWhatHangsOnIt) {
    Capabilities c;
    for (const Feature& feature : features()) c.*(feature.flag) = true;
    c.limits.maxDrawIndirectCount = ~0U;
    c.limits.maxDrawIndexedIndexValue = ~0U;
    c.mesh.maxMeshOutputVertices = 256;
    c.subgroup_size = 32;
    c.min_subgroup_size = 8;
    c.max_subgroup_size = 64;
    c.required_subgroup_size_stages = VK_SHADER_STAGE_COMPUTE_BIT;
    EXPECT_TRUE(c.can_require_subgroup_size(VK_SHADER_STAGE_COMPUTE_BIT, 16));
    EXPECT_FALSE(c.can_require_subgroup_size(VK_SHADER_STAGE_COMPUTE_BIT, 24));
    EXPECT_FALSE(c.can_require_subgroup_size(VK_SHADER_STAGE_COMPUTE_BIT, 128));
    EXPECT_FALSE(c.can_require_subgroup_size(VK_SHADER_STAGE_FRAGMENT_BIT, 16));

    const std::vector<std::string> without{"mesh-shader", "multi-draw", "full-index-32", "shader-int64",
                                           "subgroup-size-control"};
    mask_features(c, without);
    EXPECT_FALSE(c.mesh_shader);
    EXPECT_FALSE(c.task_shader);
    EXPECT_EQ(c.mesh.maxMeshOutputVertices, 0U);
    EXPECT_EQ(c.limits.maxDrawIndirectCount, 1U);
    EXPECT_EQ(c.limits.maxDrawIndexedIndexValue, (1U << 24) - 1);
    EXPECT_FALSE(c.int64_atomics);
    EXPECT_FALSE(c.can_require_subgroup_size(VK_SHADER_STAGE_COMPUTE_BIT, 32));
    EXPECT_EQ(c.min_subgroup_size, 32U);
    EXPECT_EQ(c.max_subgroup_size, 32U);
    EXPECT_TRUE(c.draw_count);
}

using CapabilitiesTest = DeviceTest;

TEST_F(CapabilitiesTest, FactsAreFilledIn) {
    const Capabilities& c = device().capabilities();
    EXPECT_FALSE(c.name.empty());
    EXPECT_FALSE(c.driver.empty());
    EXPECT_GE(c.api_version, VK_API_VERSION_1_3);
    EXPECT_TRUE(c.unusable.empty());
    EXPECT_GE(c.limits.maxStorageBufferRange, 1U << 27);
    EXPECT_GE(c.limits.maxComputeWorkGroupCount[0], 65535U);
    EXPECT_GE(c.limits.subPixelPrecisionBits, 4U);
    EXPECT_GT(c.max_buffer_size, 0U);
    EXPECT_GT(c.max_bindless_textures, 0U);
    EXPECT_GT(c.device_local_bytes, 0U);
    EXPECT_GE(c.subgroup_size, 1U);
    EXPECT_LE(c.min_subgroup_size, c.subgroup_size);
    EXPECT_GE(c.max_subgroup_size, c.subgroup_size);
    EXPECT_TRUE(c.has_subgroup_operations(VK_SHADER_STAGE_COMPUTE_BIT, VK_SUBGROUP_FEATURE_BASIC_BIT));
    EXPECT_EQ(c.mesh_shader, c.mesh.maxMeshOutputVertices > 0);
    EXPECT_EQ(c.timestamps, c.timestamp_valid_bits > 0);
}

// Each feature masked in turn, and all at once: the device can be made, the fact is false, and buffers still work.
TEST_F(CapabilitiesTest, EveryFeatureCanBeMasked) {
    std::vector<std::vector<std::string>> cases;
    std::vector<std::string> all;
    for (const Feature& feature : features()) {
        cases.push_back({feature.name});
        all.emplace_back(feature.name);
    }
    cases.push_back(all);
    for (const std::vector<std::string>& without : cases) {
        DeviceOptions options;
        options.without = without;
        open(options);
        for (const Feature& feature : features()) {
            const bool masked = std::find(without.begin(), without.end(), feature.name) != without.end();
            EXPECT_FALSE(masked && device().capabilities().*(feature.flag)) << feature.name;
        }
        const Buffer buffer(device(), {.size = 64, .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, .name = "small"});
        EXPECT_EQ(buffer.size(), 64U);
        EXPECT_EQ(instance().validation_messages(), 0U) << without[0];
    }
}

// A masked feature is really off: a mesh pipeline would need what the device was not given. The entry point tells.
TEST_F(CapabilitiesTest, MaskedExtensionIsNotEnabled) {
    if (!device().capabilities().mesh_shader) GTEST_SKIP() << "the device has no mesh shaders to mask";
    EXPECT_NE(vkGetDeviceProcAddr(device().handle(), "vkCmdDrawMeshTasksEXT"), nullptr);
    DeviceOptions options;
    options.without = {"mesh-shader"};
    open(options);
    EXPECT_EQ(vkGetDeviceProcAddr(device().handle(), "vkCmdDrawMeshTasksEXT"), nullptr);
}

}  // namespace
}  // namespace sublet::gpu
