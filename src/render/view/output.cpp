#include "render/view/output.h"

#include <span>
#include <utility>

#include "gpu/barriers.h"
#include "render/passes/storage_buffer.h"
#include "render/settings/backend_info.h"
#include "shaders/embedded.h"
#include "shaders/shared/bindings.h"

namespace sublet::render {

gpu::Image make_ids(gpu::Device& device, VkExtent2D extent, VkFormat format, const char* name) {
    return {device,
            {.extent = extent,
             .format = format,
             .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                      VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_SAMPLED_BIT,
             .name = name}};
}

VisibilityOutput::VisibilityOutput(const GpuScene& scene, Backend backend)
    : wide_ids_(scene.wide_ids), in_compute_(backend_info(backend).primitives == PrimitiveCulling::kRaster) {}

bool VisibilityOutput::fits(const Targets& targets, VkExtent2D extent) const {
    return targets.extent.width == extent.width && targets.extent.height == extent.height &&
           (in_compute_ ? targets.pixels && bool{targets.wide_ids} == wide_ids_
                        : targets.ids && targets.ids.format() == id_format());
}

gpu::Buffer make_pixels(gpu::Device& device, VkExtent2D extent, const char* name) {
    return make_storage_buffer(device, name, std::uint64_t{extent.width} * extent.height * kRasterPixelBytes);
}

Targets VisibilityOutput::make_targets(gpu::Device& device, VkExtent2D extent) const {
    Targets out;
    out.extent = extent;
    if (in_compute_) {
        out.pixels = make_pixels(device, extent, "pixels");
        if (wide_ids_) out.wide_ids = make_pixels(device, extent, "wide ids of pixels");
        return out;
    }
    out.ids = make_ids(device, extent, id_format(), "ids");
    out.depth = gpu::Image(device, {.extent = extent,
                                    .format = kDepthFormat,
                                    .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT |
                                             VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_SAMPLED_BIT,
                                    .name = "depth"});
    return out;
}

void VisibilityOutput::open(VkCommandBuffer commands, const Targets& targets) {
    if (targets.pixels) {
        vkCmdFillBuffer(commands, targets.pixels.handle(), 0, VK_WHOLE_SIZE, 0);
        return;
    }
    gpu::image_barrier(commands, targets.ids, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                       gpu::kEverything, gpu::kColorAttachment);
    gpu::image_barrier(commands, targets.depth, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL,
                       gpu::kEverything, gpu::kDepthAttachment);
}

void VisibilityOutput::begin(VkCommandBuffer commands, const Targets& targets, bool clear) {
    const gpu::Attachment ids{targets.ids.view(), clear ? VK_ATTACHMENT_LOAD_OP_DONT_CARE : VK_ATTACHMENT_LOAD_OP_LOAD};
    const gpu::Attachment depth{targets.depth.view(),
                                clear ? VK_ATTACHMENT_LOAD_OP_CLEAR : VK_ATTACHMENT_LOAD_OP_LOAD};  // to infinity
    gpu::begin_rendering(commands, targets.depth.extent(), {&ids, 1}, depth);
}

void set_draw_class(VkCommandBuffer commands, std::uint32_t draw_class) {
    vkCmdSetFrontFace(
        commands, draw_class == shared::kClassClockwise ? VK_FRONT_FACE_CLOCKWISE : VK_FRONT_FACE_COUNTER_CLOCKWISE);
    vkCmdSetCullMode(commands, draw_class == shared::kClassDoubleSided ? VK_CULL_MODE_NONE : VK_CULL_MODE_BACK_BIT);
}

namespace {

std::span<const std::uint32_t> id_shader(IdSource source) {
    switch (source) {
        case IdSource::kVertex:
            return shaders::id_frag;
        case IdSource::kPrimitiveId:
            return shaders::id_primitive_id_frag;
        case IdSource::kCorners:
            return shaders::id_corners_frag;
        case IdSource::kList:
            return shaders::id_list_frag;
        case IdSource::kPerPrimitive:
            return shaders::id_per_primitive_frag;
    }
    return {};
}

}  // namespace

gpu::GraphicsPipelineDesc VisibilityOutput::pipeline(GeometryStages stages) const {
    gpu::GraphicsPipelineDesc desc;
    desc.name = std::move(stages.name);
    desc.vertex = std::move(stages.vertex);
    desc.task = std::move(stages.task);
    desc.mesh = std::move(stages.mesh);
    desc.fragment.spirv = id_shader(stages.id);
    const gpu::Specialization wide{shared::kSpecWideIds, wide_ids_ ? 1U : 0U};
    for (gpu::Shader* shader : {&desc.vertex, &desc.mesh, &desc.fragment}) {
        shader->specialization.push_back(wide);
    }
    desc.colors = {{.format = id_format()}};
    desc.depth_format = kDepthFormat;
    desc.depth_compare = VK_COMPARE_OP_GREATER;
    return desc;
}

}  // namespace sublet::render
