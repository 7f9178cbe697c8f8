#include "render/measure/ambiguous_pixels.h"
#include "render/scene/direct_chunks.h"

#include <array>

#include "gpu/barriers.h"
#include "gpu/frame.h"
#include "gpu/upload.h"
#include "shaders/embedded.h"
#include "shaders/shared/bindings.h"
#include "shaders/shared/passes.h"

namespace sublet::render {
namespace {

constexpr VkFormat kCountFormat = VK_FORMAT_R8_UNORM;  // 255 primitives a pixel, then it saturates

gpu::GraphicsPipelineDesc pipeline_desc() {
    gpu::GraphicsPipelineDesc desc;
    desc.name = "count ambiguous pixels";
    desc.vertex.spirv = shaders::ambiguous_pixels_vert;
    desc.fragment.spirv = shaders::ambiguous_pixels_frag;
    desc.colors = {{.format = kCountFormat, .blend = gpu::Blend::kAdditive},
                   {.format = kCountFormat, .blend = gpu::Blend::kAdditive}};
    desc.depth_format = kDepthFormat;
    desc.depth_compare = VK_COMPARE_OP_EQUAL;
    desc.depth_write = false;
    return desc;
}

void begin(VkCommandBuffer commands, const std::array<gpu::Image, 2>& counts, const gpu::Image& depth) {
    std::array<gpu::Attachment, 2> colors;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        gpu::image_barrier(commands, counts[i], VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                           gpu::kNothing, gpu::kColorAttachment);
        colors[i] = {counts[i].view(), VK_ATTACHMENT_LOAD_OP_CLEAR};
    }
    gpu::image_barrier(commands, depth, VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL,
                       VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL, gpu::kEverything, gpu::kDepthAttachment);
    gpu::begin_rendering(commands, depth.extent(), colors, {depth.view()});
}

}  // namespace

AmbiguousPixelsPass::AmbiguousPixelsPass(gpu::Device& device, gpu::Pipelines& pipelines)
    : device_(device), pipelines_(pipelines) {}

void AmbiguousPixelsPass::add_layer(const GpuScene& scene, const gpu::Buffer& indices, const gpu::Buffer& frame_data,
                                    const gpu::Image& depth, bool transmissive, std::vector<std::uint8_t>& mask) {
    const auto make_count = [&](const char* name) {
        return gpu::Image(device_, {.extent = depth.extent(),
                                    .format = kCountFormat,
                                    .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
                                    .name = name});
    };
    const std::array<gpu::Image, 2> counts{make_count("primitives at the final depth"), make_count("snapped faces")};
    const gpu::Pipeline& pipeline = pipelines_.get(pipeline_desc());
    gpu::submit_and_wait(
        device_, "counting ambiguous pixels", [&](VkCommandBuffer commands, gpu::DescriptorArena& arena) {
            begin(commands, counts, depth);
            arena.bind(commands, pipeline, scene_descriptors(scene, &frame_data), shared::kSceneSet);
            arena.bind(commands, pipeline, {gpu::buffer_at(shared::kBindIndices, indices)}, shared::kPassSet);
            for (std::uint32_t draw_class = 0; draw_class < shared::kDrawClasses; ++draw_class) {
                if ((draw_class == shared::kClassTransmissive) != transmissive) continue;
                set_draw_class(commands, draw_class);
                for (std::uint32_t i = 0; i < scene.instance_count; ++i) {
                    if ((scene.instance_data[i].flags & shared::kInstanceClassMask) != draw_class) {
                        continue;
                    }
                    for (const DirectChunk& chunk : chunks_there(scene, scene.instance_data[i].mesh)) {
                        pipeline.push(commands, shared::DirectConstants{chunk.first_sublet, chunk.first_triangle * 3,
                                                                        chunk.first_vertex});
                        vkCmdDraw(commands, chunk.triangle_room * 3, 1, 0, i);
                    }
                }
            }
            vkCmdEndRendering(commands);
            gpu::image_barrier(commands, depth, VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL,
                               VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL, gpu::kDepthAttachment, gpu::kEverything);
        });
    const std::vector<std::byte> primitives =
        gpu::read_image(device_, counts[0], VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
    const std::vector<std::byte> snapped =
        gpu::read_image(device_, counts[1], VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
    mask.resize(primitives.size());
    for (std::size_t i = 0; i < primitives.size(); ++i) {
        const bool tie = std::to_integer<int>(primitives[i]) > 1;
        const bool turned = std::to_integer<int>(snapped[i]) > 0;
        mask[i] |= static_cast<std::uint8_t>((tie ? 1 : 0) | (turned ? 2 : 0));
    }
}

AmbiguousPixels AmbiguousPixelsPass::run(const GpuScene& scene, const gpu::Buffer& indices,
                                         const gpu::Buffer& frame_data, const Targets& targets) {
    AmbiguousPixels out;
    add_layer(scene, indices, frame_data, targets.depth, false, out.mask);
    if (targets.transmissive_depth) {
        add_layer(scene, indices, frame_data, targets.transmissive_depth, true, out.mask);
    }
    for (const std::uint8_t verdict : out.mask) {
        out.depth_ties += (verdict & 1U) != 0 ? 1 : 0;
        out.snapped_faces += (verdict & 2U) != 0 ? 1 : 0;
    }
    return out;
}

}  // namespace sublet::render
