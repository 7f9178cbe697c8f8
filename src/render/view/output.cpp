#include "render/view/output.h"

#include <array>
#include <span>

#include "gpu/barriers.h"
#include "render/passes/passes.h"
#include "render/passes/storage_buffer.h"
#include "render/settings/backend_info.h"
#include "shaders/embedded.h"
#include "shaders/shared/bindings.h"
#include "shaders/shared/shade.h"

namespace sublet::render {

namespace {

// By number.
constexpr std::array<const char*, shared::kDrawClasses> kClassNames{
    "counter-clockwise", "clockwise", "double-sided", "masked", "blended", "transmissive"};

constexpr VkExtent2D kUnread{1, 1};

gpu::Image make_ids(gpu::Device& device, VkExtent2D extent, VkFormat format, const char* name) {
    return {device,
            {.extent = extent,
             .format = format,
             .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                      VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_SAMPLED_BIT,
             .name = name}};
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

gpu::Image make_unread_depth(gpu::Device& device, gpu::Commands commands) {
    gpu::Image out = make_depth(device, kUnread, "no depth");
    gpu::image_barrier(commands, out, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL, gpu::kNothing,
                       gpu::kComputeRead);
    return out;
}

namespace {

std::uint64_t pixel_bytes(VkExtent2D extent, std::uint32_t layers, std::uint32_t bytes) {
    return std::uint64_t{extent.width} * extent.height * layers * bytes;
}

bool is_of(const Targets& targets, VkExtent2D extent, bool in_compute) {
    return targets.extent.width == extent.width && targets.extent.height == extent.height &&
           targets.in_compute == in_compute;
}

// Copies ids between the phases of a frame; `to` is then ready to be read by shaders.
void copy_ids(gpu::Commands commands, const gpu::Image& from, const gpu::Image& to) {
    gpu::image_barrier(commands, from, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                       gpu::kColorAttachment, gpu::kTransferRead);
    gpu::image_barrier(commands, to, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, gpu::kComputeRead,
                       gpu::kTransferWrite);
    gpu::copy_image(commands, from, to);
    gpu::image_barrier(commands, from, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                       gpu::kTransferRead, gpu::kColorAttachment);
    gpu::image_barrier(commands, to, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
                       gpu::kTransferWrite, gpu::kComputeRead);
}

}  // namespace

bool rasters_in_compute(const FramePlan& plan) {
    return backend_info(plan.backend).primitives == PrimitiveCulling::kRaster;
}

std::uint64_t Targets::bytes() const {
    std::uint64_t bytes = 0;
    for (const gpu::Buffer* buffer : {&pixels, &wide_ids, &pixels_of_phase_1}) bytes += *buffer ? buffer->size() : 0;
    for (const gpu::Image* image : {&ids, &depth, &transmissive_ids, &transmissive_depth, &ids_of_phase_1,
                                    &transmissive_ids_of_phase_1, &peel.words, &peel.depth}) {
        bytes += gpu::image_bytes(*image);
    }
    return bytes;
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
            gpu::buffer_at(shared::kBindWideIds, targets.wide_ids_or_layers())};
}

gpu::Specialization layers_constant(const FramePlan& plan) {
    return {shared::kSpecBlendLayers, plan.blend_layers};
}

void Output::open(gpu::Commands commands, const Targets& targets) const {
    if (targets.in_compute) commands(vkCmdFillBuffer, targets.pixels.handle(), 0, VK_WHOLE_SIZE, cleared());
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

void Output::close(gpu::Commands commands, const Targets& targets) {
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
    // What the test reads: scenes that differ in others share pipelines.
    constexpr std::uint32_t kRead =
        shared::kFeatureSecondUv | shared::kFeatureColor | shared::kFeatureBaseColorMap | shared::kFeatureTransmission;
    shader.specialization.push_back({shared::kSpecFeatures, scene.features & kRead});
    shader.specialization.push_back({shared::kSpecTaps, plan.device.texture_taps ? 1U : 0U});
}

gpu::Faces faces_of(std::uint32_t draw_class) {
    // Of those that are tested for alpha fragments tell the sides apart.
    const bool both = draw_class == shared::kClassDoubleSided || is_alpha_tested(draw_class);
    return {.cull = both ? VK_CULL_MODE_NONE : VK_CULL_MODE_BACK_BIT,
            .front = draw_class == shared::kClassClockwise ? VK_FRONT_FACE_CLOCKWISE : VK_FRONT_FACE_COUNTER_CLOCKWISE};
}

void set_draw_class(gpu::Commands commands, std::uint32_t draw_class) {
    const gpu::Faces faces = faces_of(draw_class);
    commands(vkCmdSetFrontFace, faces.front);
    commands(vkCmdSetCullMode, faces.cull);
}

namespace {

// The variants of backends/id.frag for one source of ids. Those of devices without descriptor indexing
// (DevicePlan::bindless) are left out where no such device has that source; none of them has layers.
struct IdShaders {
    std::span<const std::uint32_t> plain;
    std::span<const std::uint32_t> masked;
    std::span<const std::uint32_t> blended;
    std::span<const std::uint32_t> masked_few_textures = {};
};

IdShaders id_shaders(IdSource source) {
    switch (source) {
        case IdSource::kVertex:
            return {shaders::id_vertex_frag, shaders::id_vertex_masked_frag, shaders::id_vertex_blended_frag,
                    shaders::id_vertex_masked_few_textures_frag};
        case IdSource::kPrimitiveId:
            return {shaders::id_primitive_id_frag, shaders::id_primitive_id_masked_frag,
                    shaders::id_primitive_id_blended_frag, shaders::id_primitive_id_masked_few_textures_frag};
        case IdSource::kCorners:
            return {shaders::id_corners_frag, shaders::id_corners_masked_frag, shaders::id_corners_blended_frag};
        case IdSource::kList:
            return {shaders::id_list_frag, shaders::id_list_masked_frag, shaders::id_list_blended_frag,
                    shaders::id_list_masked_few_textures_frag};
        case IdSource::kPerPrimitive:
            return {shaders::id_per_primitive_frag, shaders::id_per_primitive_masked_frag,
                    shaders::id_per_primitive_blended_frag};
    }
    return {};
}

}  // namespace

Output::Output(const GpuScene& scene, const FramePlan& plan)
    : scene_(scene), plan_(plan), in_compute_(rasters_in_compute(plan)) {}

gpu::GraphicsPipelineDesc Output::pipeline(const GeometryStages& stages, Surfaces surfaces) const {
    gpu::GraphicsPipelineDesc desc;
    desc.name = stages.name + (surfaces == Surfaces::kMasked    ? ", masked"
                               : surfaces == Surfaces::kBlended ? ", blended"
                                                                : "");
    desc.vertex = stages.vertex;
    desc.task = stages.task;
    desc.mesh = stages.mesh;
    desc.generated = stages.generated;
    const gpu::Specialization wide{shared::kSpecWideIds, scene_.wide_ids ? 1U : 0U};
    for (gpu::Shader* shader : {&desc.vertex, &desc.mesh, &desc.fragment}) {
        shader->specialization.push_back(wide);
    }
    desc.depth_format = kDepthFormat;
    desc.depth_compare = VK_COMPARE_OP_GREATER;
    const IdShaders ids = id_shaders(stages.id);
    desc.fragment.spirv = surfaces == Surfaces::kPlain                 ? ids.plain
                          : surfaces == Surfaces::kBlended && !peels() ? ids.blended
                          : plan_.device.bindless                      ? ids.masked
                                                                       : ids.masked_few_textures;
    if (surfaces != Surfaces::kPlain) {
        desc.fragment.specialization.push_back({shared::kSpecEncoded, encoded_as(plan_)});
        add_mask_constants(desc.fragment, scene_, plan_);
        desc.textures = scene_.textures->layout();
    }
    return desc;
}

void Output::add_pipelines(const GeometryStages& stages, bool blended, gpu::PipelineList& out) const {
    if (blended) {
        out.add(pipeline(stages, Surfaces::kBlended));
        if (peels()) add_peel_pipeline(plan_.blend_layers, out);
        return;
    }
    if (scene_.has_untested()) out.add(pipeline(stages, Surfaces::kPlain));
    if (scene_.has_alpha_tested(!blends())) out.add(pipeline(stages, Surfaces::kMasked));
}

std::vector<gpu::GraphicsPipelineDesc> Output::node_pipelines(const GeometryStages& stages) const {
    std::vector<gpu::GraphicsPipelineDesc> out;
    for (std::uint32_t draw_class = 0; draw_class < shared::kDrawClasses; ++draw_class) {
        const bool apart = draw_class == shared::kClassBlended && blends();
        const bool tested = is_alpha_tested(draw_class) && scene_.class_meshlets[draw_class] != 0 && !apart;
        gpu::GraphicsPipelineDesc desc = pipeline(stages, tested ? Surfaces::kMasked : Surfaces::kPlain);
        desc.name += std::string(", ") + kClassNames.at(draw_class);
        desc.mesh.specialization.push_back({shared::kSpecDrawClass, draw_class});
        desc.faces = faces_of(draw_class);
        out.push_back(std::move(desc));
    }
    return out;
}

void Output::draw(const FrameContext& context, const Targets& targets, const GeometryDraws& draws) const {
    if (draws.blended) {
        draw_blended(context, targets, draws);
        return;
    }
    for (const std::uint32_t classes : renderings()) {
        // What is transmissive is rare.
        if (!draws.clear && classes == kTransmissiveClass && draws.counts[shared::kClassTransmissive] == 0) continue;
        begin(context.frame.commands, targets, classes, draws.clear);
        draw_classes(context, draws, classes);
        context.frame.commands(vkCmdEndRendering);
    }
}

void Output::draw_classes(const FrameContext& context, const GeometryDraws& draws, std::uint32_t classes) const {
    const gpu::Commands commands = context.frame.commands;
    const gpu::Pipeline* bound = nullptr;
    for (std::uint32_t draw_class = 0; draw_class < shared::kDrawClasses; ++draw_class) {
        if ((classes >> draw_class & 1U) == 0 || draws.counts[draw_class] == 0) continue;
        const bool blended = blends() && draw_class == shared::kClassBlended;
        if (blended != draws.blended) continue;
        const Surfaces surfaces = blended                       ? Surfaces::kBlended
                                  : is_alpha_tested(draw_class) ? Surfaces::kMasked
                                                                : Surfaces::kPlain;
        const gpu::Pipeline& pipeline = context.pipelines.get(this->pipeline(draws.stages, surfaces));
        if (&pipeline != bound) {
            draws.bind(pipeline);
            if (surfaces != Surfaces::kPlain) scene_.textures->bind(commands, pipeline, context.frame.slot);
            bound = &pipeline;
        }
        const gpu::DebugLabel label(context.device, commands, kClassNames[draw_class]);
        set_draw_class(commands, draw_class);
        draws.draw(pipeline, draw_class);
    }
}

VisibilityOutput::VisibilityOutput(const GpuScene& scene, const FramePlan& plan)
    : Output(scene, plan), wide_ids_(scene.wide_ids), layers_(scene.has_transmissive()) {}

bool VisibilityOutput::fits(const Targets& targets, VkExtent2D extent) const {
    if (!is_of(targets, extent, in_compute()) || !targets.ids) return false;
    if ((targets.layers ? targets.layers.size() : 0) != layer_bytes(extent)) return false;
    if (in_compute()) {
        return targets.pixels.size() == pixel_bytes(extent, layers(), kRasterPixelBytes) &&
               bool{targets.wide_ids} == wide_ids_ && bool{targets.pixels_of_phase_1} == keeps_phase_1();
    }
    return targets.ids.format() == id_format() && bool{targets.transmissive_ids} == layers_ &&
           bool{targets.ids_of_phase_1} == keeps_phase_1();
}

Targets VisibilityOutput::make_targets(gpu::Device& device, VkExtent2D extent) const {
    Targets out;
    out.extent = extent;
    out.in_compute = in_compute();
    out.ids = make_ids(device, in_compute() ? kUnread : extent, id_format(), "ids");
    out.depth = make_depth(device, in_compute() ? kUnread : extent, "depth");
    const auto make_pixels = [&](const VkExtent2D& of, const char* name) {
        return make_storage_buffer(device, name, pixel_bytes(of, layers(), kRasterPixelBytes));
    };
    out.pixels = make_pixels(in_compute() ? extent : kUnread, "pixels");
    if (blends()) out.layers = make_storage_buffer(device, "layers of what blends", layer_bytes(extent));
    if (peels()) out.peel = make_peel_targets(device, extent, kDepthFormat);
    if (in_compute()) {
        if (wide_ids_) out.wide_ids = make_pixels(extent, "wide ids of pixels");
        if (keeps_phase_1()) out.pixels_of_phase_1 = make_pixels(extent, "pixels of phase 1");
        return out;
    }
    if (keeps_phase_1()) out.ids_of_phase_1 = make_ids(device, extent, id_format(), "ids of phase 1");
    if (layers_) {
        out.transmissive_ids = make_ids(device, extent, id_format(), "ids, transmissive");
        out.transmissive_depth = make_depth(device, extent, "depth, transmissive");
        if (keeps_phase_1()) {
            out.transmissive_ids_of_phase_1 = make_ids(device, extent, id_format(), "ids of phase 1, transmissive");
        }
    }
    return out;
}

std::uint64_t VisibilityOutput::layer_bytes(VkExtent2D extent) const {
    return blends() ? blend_layer_bytes(std::uint64_t{extent.width} * extent.height, plan().blend_layers) : 0;
}

gpu::GraphicsPipelineDesc VisibilityOutput::pipeline(const GeometryStages& stages, Surfaces surfaces) const {
    gpu::GraphicsPipelineDesc desc = Output::pipeline(stages, surfaces);
    if (surfaces == Surfaces::kBlended) desc.fragment.specialization.push_back(layers_constant(plan()));
    if (surfaces != Surfaces::kBlended) {
        desc.colors = {{.format = id_format()}};
    } else if (peels()) {
        desc.colors = {{.format = VK_FORMAT_R32G32_UINT}};
    } else {
        desc.depth_write = false;
    }
    return desc;
}

std::vector<std::uint32_t> VisibilityOutput::renderings() const {
    if (!layers_) return {kAllClasses};
    return {kAllClasses & ~kTransmissiveClass, kTransmissiveClass};
}

void VisibilityOutput::begin(gpu::Commands commands, const Targets& targets, std::uint32_t classes, bool clear) const {
    const bool transmissive = classes == kTransmissiveClass;
    const gpu::Attachment ids{.view = (transmissive ? targets.transmissive_ids : targets.ids).view(),
                              .load = !clear                        ? VK_ATTACHMENT_LOAD_OP_LOAD
                                      : plan().show == Show::kPhase ? VK_ATTACHMENT_LOAD_OP_CLEAR
                                                                    : VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                              .clear = shared::kNoTriangle};
    const gpu::Attachment depth{(transmissive ? targets.transmissive_depth : targets.depth).view(),
                                clear ? VK_ATTACHMENT_LOAD_OP_CLEAR : VK_ATTACHMENT_LOAD_OP_LOAD};  // to infinity
    gpu::begin_rendering(commands, targets.extent, {&ids, 1}, depth);
}

void VisibilityOutput::draw_blended(const FrameContext& context, const Targets& targets,
                                    const GeometryDraws& draws) const {
    if (peels()) {
        peel_layers(context, targets.peel, targets.depth, targets.layers, plan().blend_layers,
                    [&] { draw_classes(context, draws, kBlendedClass); });
        return;
    }
    gpu::begin_rendering(context.frame.commands, targets.extent, {},
                         {targets.depth.view(), VK_ATTACHMENT_LOAD_OP_LOAD});
    draw_classes(context, draws, kBlendedClass);
    context.frame.commands(vkCmdEndRendering);
}

std::vector<RasterWords> VisibilityOutput::raster_words(bool blended) const {
    if (blended) return {RasterWords::kLayers};
    if (plan().device.raster_words) return {RasterWords::kDepths, RasterWords::kIds};
    return {RasterWords::kPixels};
}

void VisibilityOutput::end_first_phase(gpu::Commands commands, const Targets& targets) const {
    if (targets.ids_of_phase_1) copy_ids(commands, targets.ids, targets.ids_of_phase_1);
    if (targets.transmissive_ids_of_phase_1) {
        copy_ids(commands, targets.transmissive_ids, targets.transmissive_ids_of_phase_1);
    }
    if (targets.pixels_of_phase_1) {
        gpu::memory_barrier(commands, gpu::kCompute, gpu::kTransferRead | gpu::kTransferWrite);
        const VkBufferCopy all{0, 0, targets.pixels_of_phase_1.size()};
        commands.record([all, from = targets.pixels.handle(), to = targets.pixels_of_phase_1.handle()](
                            VkCommandBuffer c) { vkCmdCopyBuffer(c, from, to, 1, &all); });
        gpu::memory_barrier(commands, gpu::kTransferRead | gpu::kTransferWrite, gpu::kCompute);
    }
}

bool DepthOutput::fits(const Targets& targets, VkExtent2D extent) const {
    return is_of(targets, extent, in_compute()) && !targets.ids &&
           (in_compute() ? bool{targets.pixels} : bool{targets.depth});
}

Targets DepthOutput::make_targets(gpu::Device& device, VkExtent2D extent) const {
    Targets out;
    out.extent = extent;
    out.in_compute = in_compute();
    // Passes that may read a depth image want one bound, and so do shaders that may read layers.
    out.depth = make_depth(device, in_compute() ? kUnread : extent, "depth");
    out.pixels = make_storage_buffer(device, "depths", pixel_bytes(in_compute() ? extent : kUnread, 1, sizeof(float)));
    return out;
}

void DepthOutput::begin(gpu::Commands commands, const Targets& targets, std::uint32_t /*classes*/, bool clear) const {
    gpu::begin_rendering(commands, targets.extent, {},
                         {targets.depth.view(), clear ? VK_ATTACHMENT_LOAD_OP_CLEAR : VK_ATTACHMENT_LOAD_OP_LOAD,
                          VK_ATTACHMENT_STORE_OP_STORE, cleared()});
}

gpu::GraphicsPipelineDesc DepthOutput::pipeline(const GeometryStages& stages, Surfaces surfaces) const {
    gpu::GraphicsPipelineDesc desc = Output::pipeline(stages, surfaces);
    desc.name += ", depth";
    if (surfaces == Surfaces::kPlain) desc.fragment = {};
    return desc;
}

}  // namespace sublet::render
