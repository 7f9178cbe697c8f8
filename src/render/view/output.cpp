#include "render/view/output.h"

#include <array>
#include <span>
#include <utility>

#include "gpu/barriers.h"
#include "render/passes/passes.h"
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

VisibilityOutput::VisibilityOutput(const GpuScene& scene, const FramePlan& plan)
    : scene_(scene),
      plan_(plan),
      wide_ids_(scene.wide_ids),
      in_compute_(backend_info(plan.backend).primitives == PrimitiveCulling::kRaster),
      layers_(scene.has_transmissive()) {}

namespace {

std::uint64_t pixel_bytes(VkExtent2D extent, std::uint32_t layers) {
    return std::uint64_t{extent.width} * extent.height * layers * kRasterPixelBytes;
}

gpu::Image make_depth(gpu::Device& device, VkExtent2D extent, const char* name) {
    return {device,
            {.extent = extent,
             .format = kDepthFormat,
             .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                      VK_IMAGE_USAGE_SAMPLED_BIT,
             .name = name}};
}

}  // namespace

bool VisibilityOutput::fits(const Targets& targets, VkExtent2D extent) const {
    return targets.extent.width == extent.width && targets.extent.height == extent.height && targets.ids &&
           targets.in_compute == in_compute_ &&
           (in_compute_ ? targets.pixels.size() == pixel_bytes(extent, layers()) && bool{targets.wide_ids} == wide_ids_
                        : targets.ids.format() == id_format() && bool{targets.transmissive_ids} == layers_);
}

gpu::Buffer make_pixels(gpu::Device& device, VkExtent2D extent, std::uint32_t layers, const char* name) {
    return make_storage_buffer(device, name, pixel_bytes(extent, layers));
}

Targets VisibilityOutput::make_targets(gpu::Device& device, VkExtent2D extent) const {
    constexpr VkExtent2D kUnread{1, 1};
    Targets out;
    out.extent = extent;
    out.in_compute = in_compute_;
    out.ids = make_ids(device, in_compute_ ? kUnread : extent, id_format(), "ids");
    out.depth = make_depth(device, in_compute_ ? kUnread : extent, "depth");
    out.pixels = make_pixels(device, in_compute_ ? extent : kUnread, layers(), "pixels");
    if (in_compute_ && wide_ids_) out.wide_ids = make_pixels(device, extent, layers(), "wide ids of pixels");
    if (!in_compute_ && layers_) {
        out.transmissive_ids = make_ids(device, extent, id_format(), "ids, transmissive");
        out.transmissive_depth = make_depth(device, extent, "depth, transmissive");
    }
    return out;
}

std::vector<gpu::Descriptor> seen_descriptors(const Targets& targets, const gpu::Sampler& texels) {
    const auto read = [&](std::uint32_t binding, const gpu::Image& image, const gpu::Image& of_layer,
                          VkImageLayout layout) {
        return gpu::texture_at(binding, (of_layer ? of_layer : image).view(), texels.handle(), layout);
    };
    constexpr VkImageLayout kReadIds = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
    constexpr VkImageLayout kReadDepth = VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL;
    return {read(shared::kBindIds, targets.ids, {}, kReadIds),
            read(shared::kBindDepth, targets.depth, {}, kReadDepth),
            read(shared::kBindTransmissiveIds, targets.ids, targets.transmissive_ids, kReadIds),
            read(shared::kBindTransmissiveDepth, targets.depth, targets.transmissive_depth, kReadDepth),
            gpu::buffer_at(shared::kBindPixels, targets.pixels),
            gpu::buffer_at(shared::kBindWideIds, targets.wide_ids ? targets.wide_ids : targets.pixels)};
}

gpu::Specialization seen_constant(bool in_compute) {
    return {shared::kSpecPixels, in_compute ? 1U : 0U};
}

void VisibilityOutput::open(VkCommandBuffer commands, const Targets& targets) {
    if (targets.in_compute) vkCmdFillBuffer(commands, targets.pixels.handle(), 0, VK_WHOLE_SIZE, 0);
    for (const gpu::Image* ids : {&targets.ids, &targets.transmissive_ids}) {
        if (!*ids) continue;
        gpu::image_barrier(commands, *ids, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                           gpu::kEverything, gpu::kColorAttachment);
    }
    for (const gpu::Image* depth : {&targets.depth, &targets.transmissive_depth}) {
        if (!*depth) continue;
        gpu::image_barrier(commands, *depth, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL,
                           gpu::kEverything, gpu::kDepthAttachment);
    }
}

void VisibilityOutput::begin(VkCommandBuffer commands, const Targets& targets, bool transmissive, bool clear) const {
    const gpu::Attachment ids{.view = (transmissive ? targets.transmissive_ids : targets.ids).view(),
                              .load = !clear                       ? VK_ATTACHMENT_LOAD_OP_LOAD
                                      : plan_.show == Show::kPhase ? VK_ATTACHMENT_LOAD_OP_CLEAR
                                                                   : VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                              .clear = shared::kNoTriangle};
    const gpu::Attachment depth{(transmissive ? targets.transmissive_depth : targets.depth).view(),
                                clear ? VK_ATTACHMENT_LOAD_OP_CLEAR : VK_ATTACHMENT_LOAD_OP_LOAD};  // to infinity
    gpu::begin_rendering(commands, targets.extent, {&ids, 1}, depth);
}

void VisibilityOutput::close(VkCommandBuffer commands, const Targets& targets) {
    if (targets.in_compute) gpu::memory_barrier(commands, gpu::kCompute, gpu::kCompute);
    for (const gpu::Image* ids : {&targets.ids, &targets.transmissive_ids}) {
        if (!*ids) continue;
        gpu::image_barrier(commands, *ids, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                           VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, gpu::kColorAttachment, gpu::kComputeRead);
    }
    for (const gpu::Image* depth : {&targets.depth, &targets.transmissive_depth}) {
        if (!*depth) continue;
        gpu::image_barrier(commands, *depth, VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL,
                           VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL, gpu::kDepthAttachment, gpu::kComputeRead);
    }
}

void add_mask_constants(gpu::Shader& shader, const GpuScene& scene, const FramePlan& plan) {
    shader.specialization.push_back({shared::kSpecFeatures, scene.features});
    shader.specialization.push_back({shared::kSpecTaps, plan.device.texture_taps ? 1U : 0U});
}

void set_draw_class(VkCommandBuffer commands, std::uint32_t draw_class) {
    vkCmdSetFrontFace(
        commands, draw_class == shared::kClassClockwise ? VK_FRONT_FACE_CLOCKWISE : VK_FRONT_FACE_COUNTER_CLOCKWISE);
    // Of those that are tested for alpha fragments tell the sides apart.
    const bool both = draw_class == shared::kClassDoubleSided || is_alpha_tested(draw_class);
    vkCmdSetCullMode(commands, both ? VK_CULL_MODE_NONE : VK_CULL_MODE_BACK_BIT);
}

namespace {

// The variants of backends/id.frag for one source of ids.
struct IdShaders {
    const std::span<const std::uint32_t>& plain;
    const std::span<const std::uint32_t>& masked;
    const std::span<const std::uint32_t>& masked_few_textures;
};

// By IdSource's number.
const std::array kIdShaders{
    IdShaders{shaders::id_vertex_frag, shaders::id_vertex_masked_frag, shaders::id_vertex_masked_few_textures_frag},
    IdShaders{shaders::id_primitive_id_frag, shaders::id_primitive_id_masked_frag,
              shaders::id_primitive_id_masked_few_textures_frag},
    IdShaders{shaders::id_corners_frag, shaders::id_corners_masked_frag, shaders::id_corners_masked_few_textures_frag},
    IdShaders{shaders::id_list_frag, shaders::id_list_masked_frag, shaders::id_list_masked_few_textures_frag},
    IdShaders{shaders::id_per_primitive_frag, shaders::id_per_primitive_masked_frag,
              shaders::id_per_primitive_masked_few_textures_frag},
};

}  // namespace

gpu::GraphicsPipelineDesc VisibilityOutput::pipeline(const GeometryStages& stages) const {
    gpu::GraphicsPipelineDesc desc;
    desc.name = stages.name;
    desc.vertex = stages.vertex;
    desc.task = stages.task;
    desc.mesh = stages.mesh;
    desc.fragment.spirv = kIdShaders.at(static_cast<std::size_t>(stages.id)).plain;
    const gpu::Specialization wide{shared::kSpecWideIds, wide_ids_ ? 1U : 0U};
    for (gpu::Shader* shader : {&desc.vertex, &desc.mesh, &desc.fragment}) {
        shader->specialization.push_back(wide);
    }
    desc.colors = {{.format = id_format()}};
    desc.depth_format = kDepthFormat;
    desc.depth_compare = VK_COMPARE_OP_GREATER;
    return desc;
}

gpu::GraphicsPipelineDesc VisibilityOutput::masked_pipeline(const GeometryStages& stages) const {
    gpu::GraphicsPipelineDesc desc = pipeline(stages);
    desc.name += ", masked";
    const IdShaders& shaders = kIdShaders.at(static_cast<std::size_t>(stages.id));
    desc.fragment.spirv = plan_.device.bindless ? shaders.masked : shaders.masked_few_textures;
    desc.fragment.specialization.push_back({shared::kSpecEncoded, plan_.payload == Payload::kEncoded ? 1U : 0U});
    add_mask_constants(desc.fragment, scene_, plan_);
    desc.textures = scene_.textures->layout();
    return desc;
}

void VisibilityOutput::add_pipelines(const GeometryStages& stages, gpu::PipelineList& out) const {
    if (scene_.has_untested()) out.add(pipeline(stages));
    if (scene_.has_alpha_tested()) out.add(masked_pipeline(stages));
}

}  // namespace sublet::render
