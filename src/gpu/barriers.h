#pragma once

#include "gpu/commands.h"
#include "gpu/resources.h"
#include "gpu/vulkan.h"

namespace sublet::gpu {

// A point of synchronization: which stages, and which of their accesses.
struct Access {
    VkPipelineStageFlags2 stages = VK_PIPELINE_STAGE_2_NONE;
    VkAccessFlags2 accesses = VK_ACCESS_2_NONE;
};

// The common ones. Mesh and task stages are within ALL_GRAPHICS: naming them alone is invalid on devices without them.
inline constexpr Access kNothing{};
inline constexpr Access kEverything{VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                                    VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT};
inline constexpr Access kComputeRead{VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, VK_ACCESS_2_SHADER_READ_BIT};
inline constexpr Access kComputeWrite{VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, VK_ACCESS_2_SHADER_WRITE_BIT};
inline constexpr Access kCompute{VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
                                 VK_ACCESS_2_SHADER_READ_BIT | VK_ACCESS_2_SHADER_WRITE_BIT};
// All that a draw reads or writes in buffers: indirect commands and counts, indices, shader reads and writes.
inline constexpr Access kDraw{VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT | VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT,
                              VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT | VK_ACCESS_2_INDEX_READ_BIT |
                                  VK_ACCESS_2_SHADER_READ_BIT | VK_ACCESS_2_SHADER_WRITE_BIT |
                                  VK_ACCESS_2_UNIFORM_READ_BIT};
inline constexpr Access kIndirect{VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT, VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT};
// Generated commands, and what they are generated of. Takes Capabilities::generated_commands.
inline constexpr Access kPreprocess{
    VK_PIPELINE_STAGE_2_COMMAND_PREPROCESS_BIT_EXT | VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT,
    VK_ACCESS_2_COMMAND_PREPROCESS_READ_BIT_EXT | VK_ACCESS_2_COMMAND_PREPROCESS_WRITE_BIT_EXT |
        VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT};
// Indirect arguments, indices and shader reads of dispatches and draws alike: what a compute pass's results go to.
inline constexpr Access kConsume{VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT | VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT |
                                     VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT,
                                 VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT | VK_ACCESS_2_INDEX_READ_BIT |
                                     VK_ACCESS_2_SHADER_READ_BIT | VK_ACCESS_2_SHADER_WRITE_BIT |
                                     VK_ACCESS_2_UNIFORM_READ_BIT};
inline constexpr Access kTransferRead{VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT, VK_ACCESS_2_TRANSFER_READ_BIT};
inline constexpr Access kTransferWrite{VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT};
inline constexpr Access kHostRead{VK_PIPELINE_STAGE_2_HOST_BIT, VK_ACCESS_2_HOST_READ_BIT};
inline constexpr Access kColorAttachment{
    VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
    VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT};
inline constexpr Access kDepthAttachment{
    VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT,
    VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT | VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT};
inline constexpr Access kFragmentRead{VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT, VK_ACCESS_2_SHADER_READ_BIT};
inline constexpr Access kFragmentWrite{VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT, VK_ACCESS_2_SHADER_WRITE_BIT};

// Both in one: a | b.
constexpr Access operator|(Access a, Access b) {
    return {a.stages | b.stages, a.accesses | b.accesses};
}

// Everything before in `source` is done and visible to everything after in `target`: all buffers, and images that keep
// their layout.
void memory_barrier(Commands commands, Access source, Access target);
// And one image changes its layout, all of its mips and layers: one wait for both.
void memory_barrier(Commands commands, Access source, Access target, const Image& image, VkImageLayout from,
                    VkImageLayout to);

// The same for one image, with a change of layout. `from` UNDEFINED discards the contents. All mips and layers unless a
// mip is named.
void image_barrier(Commands commands, const Image& image, VkImageLayout from, VkImageLayout to, Access source,
                   Access target);
void image_barrier(Commands commands, const Image& image, uint32_t mip, uint32_t mip_count, VkImageLayout from,
                   VkImageLayout to, Access source, Access target);
// For images that are not ours (the swapchain's): one mip, one layer, colour.
void image_barrier(Commands commands, VkImage image, VkImageLayout from, VkImageLayout to, Access source,
                   Access target);

// Copies the first mip of the first layer between images of one size and one format, which are in TRANSFER_SRC_OPTIMAL
// and TRANSFER_DST_OPTIMAL.
void copy_image(Commands commands, const Image& from, const Image& to);

}  // namespace sublet::gpu
