// Shaders without what their constants switch off.
#include "gpu/specialization.h"

#include <algorithm>
#include <string>
#include <vector>

#include "gpu/barriers.h"
#include "gpu/descriptors.h"
#include "gpu/embedded.h"
#include "gpu/frame.h"
#include "gpu/spirv.h"
#include "gpu/upload.h"
#include "shaders/embedded.h"
#include "test_device.h"

namespace sublet::gpu {
namespace {

// What shaders/constants.comp computes.
struct Constants {
    bool on = false;
    uint32_t mode = 0;
    uint32_t rounds = 0;

    [[nodiscard]] bool third() const { return mode == 2; }
    [[nodiscard]] bool high() const { return (mode & 2U) != 0; }
    [[nodiscard]] uint32_t far_away(uint32_t i) const {
        uint32_t sum = 0;
        while (sum < 1000) {
            sum += i + 7;
            if (on) break;
        }
        return sum;
    }
    [[nodiscard]] uint32_t early(uint32_t i) const { return high() ? far_away(i) : i * 3; }
    [[nodiscard]] uint32_t chosen(uint32_t i) const {
        if (mode == 0) return 5;
        if (mode == 1) return on ? 13 : i;
        return on ? 11 : early(i);
    }
    [[nodiscard]] uint32_t value(uint32_t i) const {
        uint32_t out = chosen(i);
        if (on && i % 2 == 0) out += 100;
        if (i % 3 == 0 || !third()) {
            out += 1000;
        } else if (on || high()) {
            out += early(i);
        }
        for (uint32_t round = 0; round < rounds && !third(); ++round) {
            if (on) {
                out ^= round << 4U;
                continue;
            }
            out += round;
            if (round == 1) break;
        }
        do ++out;
        while (!high() && out % 5 != 0);
        return out;
    }
    [[nodiscard]] std::vector<Specialization> values() const { return {{0, on ? 1U : 0U}, {1, mode}, {2, rounds}}; }
};

std::size_t count(std::span<const uint32_t> words, spirv::Opcode opcode) {
    std::size_t out = 0;
    spirv::for_each_instruction(words, [&](spirv::Instruction i) { out += spirv::opcode(i) == opcode ? 1U : 0U; });
    return out;
}

// As compiled, and once it was optimised: then all is one function, and loops hand on values.
std::vector<std::span<const uint32_t>> both() {
    return {test_shaders().constants_comp, test_shaders().constants_optimised_comp};
}

using SpecializationTest = DeviceTest;

TEST_F(SpecializationTest, ResultsAreThoseOfTheConstants) {
    constexpr uint32_t kCount = 128;
    const Buffer buffer(device(), {.size = kCount * 4, .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, .name = "values"});
    for (const std::span<const uint32_t> spirv : both()) {
        for (uint32_t n = 0; n < 2 * 4 * 3; ++n) {
            const Constants constants{n % 2 == 1, n / 2 % 4, n / 8 * 2};
            const Pipeline pipeline(
                device(), ComputePipelineDesc{.name = "constants",
                                              .shader = {.spirv = spirv, .specialization = constants.values()}});
            submit_and_wait(device(), "choosing", [&](VkCommandBuffer commands, DescriptorArena& descriptors) {
                descriptors.bind(commands, pipeline, {buffer_at(0, buffer)});
                vkCmdDispatch(commands, kCount / 64, 1, 1);
                memory_barrier(commands, kComputeWrite, kEverything);
            });
            const std::vector<uint32_t> made = read_buffer_as<uint32_t>(device(), buffer, 0, kCount);
            for (uint32_t i = 0; i < kCount; ++i) {
                ASSERT_EQ(made[i], constants.value(i)) << "on " << constants.on << ", mode " << constants.mode
                                                       << ", rounds " << constants.rounds << ", invocation " << i;
            }
        }
    }
}

TEST(Specialization, WhatIsSwitchedOffIsGone) {
    const std::span<const uint32_t> all = test_shaders().constants_comp;
    // With both, nobody calls far_away(); without, all is called.
    EXPECT_EQ(count(specialized(all, Constants{false, 3, 1}.values()), spirv::kFunction), count(all, spirv::kFunction));
    const std::vector<uint32_t> less = specialized(all, Constants{true, 1, 1}.values());
    EXPECT_EQ(count(less, spirv::kFunction) + 1, count(all, spirv::kFunction));
    EXPECT_LT(count(less, spirv::kLabel), count(all, spirv::kLabel));
    // Constants that are not given are what the shader says: not `on`, mode 1.
    EXPECT_EQ(specialized(all, {}), specialized(all, Constants{false, 1, 3}.values()));
}

TEST(Specialization, LayersAreNoPartOfARasteriserWithout) {
    const std::span<const uint32_t> all = unpack(shaders::raster_medium_comp);
    EXPECT_LT(specialized(all, {}).size() * 2, all.size());
}

}  // namespace
}  // namespace sublet::gpu
