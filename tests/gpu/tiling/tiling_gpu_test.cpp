// Devices make of shaders/thread_group_tiling.glsl what C++ makes of it.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "gpu/barriers.h"
#include "gpu/frame.h"
#include "gpu/pipeline.h"
#include "gpu/upload.h"
#include "tests/gpu/validation.h"
#include "tests/unit/tiling/shader.h"

namespace sublet::test {
namespace {

constexpr uint32_t kPlacesComp[] =
#include "places_comp.inc"
    ;

TEST(ThreadGroupTilingGpu, PlacesAreTheCpus) {
    gpu::DeviceOptions options;
    options.validation = validation_installed();
    gpu::Instance instance(options);
    {
        gpu::Device device(instance, options);
        const gpu::Pipeline pipeline(
            device, gpu::ComputePipelineDesc{.name = "places", .shader = {.spirv = kPlacesComp, .specialization = {}}});
        for (const uint32_t columns : {1U, 2U, 7U, 16U, 31U, 40U, 240U}) {
            for (const uint32_t rows : {1U, 3U, 16U, 135U}) {
                const std::size_t groups = std::size_t{columns} * rows;
                const gpu::Buffer places(device, {.size = groups * sizeof(glm::uvec2),
                                                  .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                                                  .name = "places"});
                for (const uint32_t n : {0U, 1U, 3U, 4U, 8U, 16U, 20U, 1000U}) {
                    gpu::submit_and_wait(device, "places", [&](VkCommandBuffer commands, gpu::DescriptorArena& sets) {
                        sets.bind(commands, pipeline, {gpu::buffer_at(0, places)});
                        pipeline.push(commands, n);
                        vkCmdDispatch(commands, columns, rows, 1);
                        gpu::memory_barrier(commands, gpu::kComputeWrite, gpu::kEverything);
                    });
                    const auto found = gpu::read_buffer_as<glm::uvec2>(device, places, 0, groups);
                    for (uint32_t i = 0; i < groups; ++i) {
                        const glm::uvec2 expected = glsl::tiling::tiled_group(columns, rows, i, n);
                        ASSERT_EQ(found[i].x, expected.x) << columns << " x " << rows << " by " << n << ", " << i;
                        ASSERT_EQ(found[i].y, expected.y) << columns << " x " << rows << " by " << n << ", " << i;
                    }
                }
            }
        }
    }
    EXPECT_EQ(instance.validation_messages(), 0U);
}

}  // namespace
}  // namespace sublet::test
