#include "render/shade/shade.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "gpu/barriers.h"
#include "gpu/upload.h"
#include "render/shade/light_clusters.h"
#include "render/view/hiz_layout.h"
#include "shaders/embedded.h"
#include "shaders/shared/bindings.h"
#include "shaders/shared/shade.h"

namespace sublet::render {
namespace {

// The ids that are outlined.
void select(shared::ShadeConstants& out, const Selection& selection, const GpuScene& scene) {
    if (selection.level == SelectionLevel::kNone) return;
    const shared::Instance& instance = scene.instance_data[selection.instance];
    const std::uint32_t sublets = scene.mesh_headers[instance.mesh].sublet_count;
    std::uint32_t first = selection.sublet;
    std::uint32_t count = 1;
    std::uint32_t instances = 1;
    if (selection.level == SelectionLevel::kInstance) {
        instances = std::clamp(selection.instances, 1U, scene.instance_count - selection.instance);
        const shared::Instance& last = scene.instance_data[selection.instance + instances - 1];
        first = 0;
        // Narrow ids count through all instances. Of wide ones any triangle of these is meant.
        count = instances == 1 ? sublets
                : scene.wide_ids
                    ? std::numeric_limits<std::uint32_t>::max() / shared::kSubletSize
                    : last.first_sublet - instance.first_sublet + scene.mesh_headers[last.mesh].sublet_count;
    } else if (selection.level == SelectionLevel::kMeshlet) {
        first -= first % shared::kSubletsPerMeshlet;
        count = std::min(sublets - first, shared::kSubletsPerMeshlet);
    }
    if (!scene.wide_ids) first += instance.first_sublet;
    out.selected_first = first * shared::kSubletSize;
    // 2^27 sublets, the most that narrow ids tell apart, are one triangle too many for a word.
    out.selected_count = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(std::uint64_t{count} * shared::kSubletSize, std::numeric_limits<std::uint32_t>::max()));
    out.selected_instance = selection.instance;
    out.selected_instances = instances;
    if (selection.level == SelectionLevel::kTriangle) {
        out.selected_first += selection.triangle % shared::kSubletSize;
        out.selected_count = 1;
    }
}

void ask(shared::ShadeConstants& out, const Inspection& inspection) {
    std::ranges::fill(out.probes, shared::kNoProbe);
    const std::size_t probes = std::min<std::size_t>(inspection.probes.size(), shared::kMostProbes);
    for (std::size_t i = 0; i < probes; ++i) {
        const glm::uvec2& pixel = inspection.probes[i];
        if (pixel.x < out.size.x && pixel.y < out.size.y) out.probes[i] = pixel.x | pixel.y << 16U;
    }
    out.inspect |= probes != 0 ? shared::kInspectProbes : 0U;
    out.inspect |= inspection.nearest_depth ? shared::kInspectNearest : 0U;
}

// The level that is shown, where there is a pyramid.
void show_pyramid(shared::ShadeConstants& out, const shared::HizLayout& layout, std::uint32_t level) {
    if (layout.last_level == 0) return;
    out.hiz_size = {layout.width, layout.height};
    out.hiz_level = std::clamp(level, layout.first_level, layout.last_level);
    out.hiz_offset = hiz_level_offset(layout, out.hiz_level);
    out.hiz_pitch = hiz_row_pitch(layout, out.hiz_level);
}

bool lit_all_around(const FramePlan& plan) {
    return plan.environment.kind != EnvironmentKind::kNone;
}

// Whether pictures show surfaces as they are lit.
bool is_lit(Show show) {
    return show == Show::kShaded || show == Show::kCulled;
}

bool shows_another_view(const FramePlan& plan) {
    return plan.show != Show::kShaded;
}

// Whether frames take the variant that looks inside, whatever is asked of them.
bool inspects(const FramePlan& plan) {
    return plan.wireframe || shows_another_view(plan);
}
bool inspects(const FramePlan& plan, const Inspection& inspection) {
    return inspects(plan) || inspection.asks() || inspection.selection.level != SelectionLevel::kNone;
}

gpu::ComputePipelineDesc level_desc() {
    return {.name = "light behind", .shader = {.spirv = shaders::behind_level_comp}};
}

gpu::ComputePipelineDesc exposure_desc() {
    return {.name = "exposure", .shader = {.spirv = shaders::exposure_comp}};
}

void dispatch(VkCommandBuffer commands, VkExtent2D extent) {
    vkCmdDispatch(commands, shade_tiles(extent.width), shade_tiles(extent.height), 1);
}

// No tile is listed yet. The frame before reads its own lists until then.
void begin_tiles(VkCommandBuffer commands, const gpu::Buffer& tiles, VkExtent2D extent) {
    const std::uint32_t rows = shade_tiles(extent.height);
    const shared::TransmissiveTiles none{.groups = {0, rows, 1}, .reserved = 0};
    gpu::memory_barrier(commands, gpu::kConsume, gpu::kTransferWrite);
    vkCmdUpdateBuffer(commands, tiles.handle(), 0, sizeof(none), &none);
    vkCmdFillBuffer(commands, tiles.handle(), sizeof(none), rows * sizeof(std::uint32_t), 0);
    gpu::memory_barrier(commands, gpu::kTransferWrite, gpu::kCompute);
}

shared::ShadeConstants constants_of(const Targets& targets) {
    shared::ShadeConstants constants{};
    constants.size = {targets.extent.width, targets.extent.height};
    constants.in_compute = targets.in_compute ? 1 : 0;
    for (unsigned i = 0; i < 4; ++i) constants.background |= std::uint32_t{kBackgroundColor[i]} << (8 * i);
    return constants;
}

gpu::ComputePipelineDesc plain_desc(const GpuScene& scene) {
    return {.name = "shade plain",
            .shader = {.spirv = shaders::plain_comp,
                       .specialization = {{shared::kSpecFeatures, scene.features},
                                          {shared::kSpecWideIds, scene.wide_ids ? 1U : 0U}}}};
}

constexpr VkImageLayout kShadeRead = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;

}  // namespace

ShadePass::ShadePass(gpu::Device& device, VkDescriptorSetLayout textures)
    : textures_(textures),
      no_shown_(device, {.extent = {1, 1},
                         .format = kOverdrawFormat,
                         .usage = VK_IMAGE_USAGE_SAMPLED_BIT,
                         .name = "nothing to show"}),
      no_behind_(device, {.extent = {1, 1},
                          .format = kLightFormat,
                          .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT,
                          .name = "no light behind"}),
      no_light_(
          device,
          {.extent = {1, 1}, .format = kKeptLightFormat, .usage = VK_IMAGE_USAGE_STORAGE_BIT, .name = "no light"}),
      no_shadows_(device, {.extent = {1, 1},
                           .format = VK_FORMAT_R32_SFLOAT,
                           .usage = VK_IMAGE_USAGE_SAMPLED_BIT,
                           .layers = shared::kShadowMaps,
                           .name = "no shadows"}),
      level_sampler_(device, {.address_u = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                              .address_v = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                              .name = "light behind"}) {
    gpu::submit_and_wait(device, "making the shading pass", [&](VkCommandBuffer commands, gpu::DescriptorArena&) {
        for (const gpu::Image* none : {&no_shown_, &no_shadows_}) {
            gpu::image_barrier(commands, *none, VK_IMAGE_LAYOUT_UNDEFINED, kShadeRead, gpu::kNothing,
                               gpu::kComputeRead);
        }
        for (const gpu::Image* none : {&no_behind_, &no_light_}) {
            gpu::image_barrier(commands, *none, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL, gpu::kNothing,
                               gpu::kCompute);
        }
    });
}

std::vector<gpu::Descriptor> ShadePass::pass_set(const ViewContext& context, const PictureState& picture,
                                                 Part part) const {
    const GeometryState& geometry = context.geometry;
    const Targets& targets = geometry.targets;
    const auto texels = [&](std::uint32_t binding, const gpu::Image& image, VkImageLayout layout) {
        return gpu::texture_at(binding, image.view(), picture.texel_sampler.handle(), layout);
    };
    const bool written = part == Part::kBehind;
    const bool read = picture.behind && !written;
    std::vector<gpu::Descriptor> out{
        gpu::storage_image_at(shared::kBindColor, picture.color.view()),
        gpu::storage_image_at(shared::kBindSum, picture.light ? picture.light.view() : no_light_.view()),
        gpu::buffer_at(shared::kBindState, geometry.cull_states[0], 0, sizeof(shared::CullState)),
        gpu::buffer_at(shared::kBindClusters,
                       picture.lights.clusters ? picture.lights.clusters : geometry.visibility.pyramid()),
        gpu::buffer_at(shared::kBindInspected, picture.inspector.buffer()),
        // Without it nobody reads any.
        gpu::buffer_at(shared::kBindExposure, picture.exposure ? picture.exposure : picture.inspector.buffer()),
        gpu::buffer_at(shared::kBindTransmissiveTiles,
                       picture.transmissive_tiles ? picture.transmissive_tiles : picture.inspector.buffer()),
        gpu::storage_image_at(shared::kBindTextureStamps, context.scene.textures->stamps().view()),
        gpu::storage_image_at(shared::kBindBehindTarget, written ? picture.behind.mip_view(0) : no_behind_.view()),
        gpu::texture_at(shared::kBindBehind, read ? picture.behind.view() : no_behind_.view(), level_sampler_.handle(),
                        read ? kShadeRead : VK_IMAGE_LAYOUT_GENERAL),
        texels(shared::kBindShown,
               picture.ambient    ? picture.ambient
               : picture.overdraw ? picture.overdraw
               : picture.motion   ? picture.motion
                                  : no_shown_,
               kShadeRead)};
    for (const gpu::Descriptor& seen : seen_descriptors(targets, picture.texel_sampler)) out.push_back(seen);
    if (shown_shadows(context.scene, context.plan) != 0 && picture.shadows) {
        picture.shadows.add_descriptors(context.frame, no_shadows_, out);
    } else {
        out.push_back(gpu::buffer_at(shared::kBindShadows, geometry.frame_data(context.frame)));
        out.push_back(texels(shared::kBindShadowDepths, no_shadows_, kShadeRead));
        out.push_back(texels(shared::kBindLightShadowDepths, no_shadows_, kShadeRead));
    }
    const auto kept_or = [&](const auto& kept, const auto& now) -> const auto& {
        return geometry.phases == 2 && kept ? kept : now;
    };
    const gpu::Image& over = targets.transmissive_ids ? targets.transmissive_ids : targets.ids;
    out.push_back(texels(shared::kBindIdsOfPhase1, kept_or(targets.ids_of_phase_1, targets.ids), kShadeRead));
    out.push_back(
        texels(shared::kBindTransmissiveIdsOfPhase1, kept_or(targets.transmissive_ids_of_phase_1, over), kShadeRead));
    out.push_back(gpu::buffer_at(shared::kBindPixelsOfPhase1, kept_or(targets.pixels_of_phase_1, targets.pixels)));
    return out;
}

void ShadePass::record_levels(const FrameContext& context, const gpu::Image& behind, float blur) const {
    const gpu::Commands commands = context.frame.commands;
    const auto wanted =
        static_cast<std::uint32_t>(std::ceil(std::log2(static_cast<float>(behind.extent().width)) * blur + 1e-3F));
    for (std::uint32_t level = 1; level < behind.mips() && level <= wanted; ++level) {
        gpu::memory_barrier(commands, gpu::kCompute, gpu::kCompute);
        context.bind(level_desc(), {gpu::texture_at(shared::kBindBehind, behind.mip_view(level - 1),
                                                    level_sampler_.handle(), VK_IMAGE_LAYOUT_GENERAL),
                                    gpu::storage_image_at(shared::kBindBehindTarget, behind.mip_view(level))});
        dispatch(commands, behind.mip_extent(level));
    }
}

void ShadePass::record(const ViewContext& context, const PictureState& picture, const Environment& environment,
                       const Inspection& inspection) {
    const gpu::Commands commands = context.frame.commands;
    const FramePlan& plan = context.plan;
    const GpuScene& scene = context.scene;
    const gpu::Image& color = picture.color;
    const VkExtent2D extent = color.extent();
    const bool measured = !plan.ev && context.geometry.view.averaged == 0;
    shared::ShadeConstants constants = constants_of(context.geometry.targets);
    constants.show = static_cast<std::uint32_t>(plan.show);
    constants.group_tiling = plan.group_tiling;
    constants.raster_limit = plan.raster_limit;
    constants.exposure = std::exp2(plan.ev.value_or(0.0F));
    constants.measure = measured ? 1 : 0;
    constants.tone = plan.keep_light ? shared::kToneKeep : static_cast<std::uint32_t>(plan.tone);
    constants.stamped_pixel = scene.textures->stamped_pixel();
    constants.inspect = plan.wireframe ? shared::kInspectWireframe : 0U;
    select(constants, inspection.selection, scene);
    ask(constants, inspection);
    show_pyramid(constants, context.geometry.visibility.pyramid_layout(), plan.hiz_level);
    const auto shade = [&](Part part, bool inspect, bool listed_tiles) {
        std::vector<gpu::Descriptor> set = pass_set(context, picture, part);
        environment.add_descriptors(set);
        const gpu::Pipeline& pipeline = context.bind(pipeline_desc(scene, plan, part, inspect), set);
        scene.textures->bind(commands, pipeline, context.frame.slot);
        pipeline.push(commands, constants);
        if (listed_tiles) {
            vkCmdDispatchIndirect(commands, picture.transmissive_tiles.handle(),
                                  offsetof(shared::TransmissiveTiles, groups));
        } else {
            dispatch(commands, extent);
        }
    };

    // Draws have counted in the cull state, and another view may have stamped textures, as this pass will.
    if (plan.collect_counters || scene.textures->streams())
        gpu::memory_barrier(commands, gpu::kDraw | gpu::kCompute, gpu::kCompute);
    for (const gpu::Image* image : {&color, &picture.light}) {
        if (*image) {
            gpu::image_barrier(commands, *image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL, gpu::kTransferRead,
                               gpu::kComputeWrite);
        }
    }
    const bool in_two_runs = picture.behind && is_lit(plan.show);
    if (picture.behind) {
        const auto pass = context.pass("shade behind");
        gpu::image_barrier(commands, picture.behind, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL,
                           gpu::kComputeRead, gpu::kCompute);
        if (in_two_runs) {
            begin_tiles(commands, picture.transmissive_tiles, extent);
            shade(Part::kBehind, shows_another_view(plan), false);
            record_levels(context, picture.behind, scene.transmission_blur);
        }
        gpu::memory_barrier(commands, gpu::kCompute, gpu::kCompute | gpu::kIndirect, picture.behind,
                            VK_IMAGE_LAYOUT_GENERAL, kShadeRead);
    }
    const auto pass = context.pass("shade");
    const bool inspect = inspects(plan, inspection);
    shade(Part::kSeen, inspect, in_two_runs && !inspect);
    for (const gpu::Image* image : {&color, &picture.light}) {
        if (*image) {
            gpu::image_barrier(commands, *image, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                               gpu::kComputeWrite, gpu::kTransferRead);
        }
    }
    if (measured) {
        gpu::memory_barrier(commands, gpu::kCompute, gpu::kCompute);
        context.FrameContext::bind(exposure_desc(), {gpu::buffer_at(shared::kBindExposure, picture.exposure)});
        vkCmdDispatch(commands, 1, 1, 1);
    }
}

void ShadePass::record_plain(const ViewContext& context, const PictureState& picture) const {
    const gpu::Commands commands = context.frame.commands;
    const auto pass = context.pass("shade plain");
    const VkExtent2D extent = picture.color.extent();
    gpu::image_barrier(commands, picture.color, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL, gpu::kTransferRead,
                       gpu::kComputeWrite);
    context.bind(plain_desc(context.scene), pass_set(context, picture, Part::kSeen))
        .push(commands, constants_of(context.geometry.targets));
    dispatch(commands, extent);
    gpu::image_barrier(commands, picture.color, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                       gpu::kComputeWrite, gpu::kTransferRead);
}

void ShadePass::add_plain_pipelines(const GpuScene& scene, gpu::PipelineList& out) {
    out.add(plain_desc(scene));
}

void ShadePass::add_pipelines(const GpuScene& scene, const FramePlan& plan, bool inspected,
                              gpu::PipelineList& out) const {
    out.add(pipeline_desc(scene, plan, Part::kSeen, inspects(plan)));
    if (inspected && !inspects(plan)) out.add(pipeline_desc(scene, plan, Part::kSeen, true));
    if (!plan.ev) out.add(exposure_desc());
    if (scene.has_transmissive()) {
        out.add(pipeline_desc(scene, plan, Part::kBehind, shows_another_view(plan)));
        out.add(level_desc());
    }
}

gpu::ComputePipelineDesc ShadePass::pipeline_desc(const GpuScene& scene, const FramePlan& plan, Part part,
                                                  bool inspect) const {
    constexpr std::uint32_t kOfTransmission =
        shared::kFeatureTransmission | shared::kFeatureTransmissionMap | shared::kFeatureThicknessMap;
    const std::uint32_t features = part == Part::kBehind ? scene.features & ~kOfTransmission : scene.features;
    return {.name = part == Part::kBehind ? "shade behind" : "shade",
            .shader = {.spirv = plan.device.bindless ? shaders::shade_comp : shaders::shade_few_textures_comp,
                       .specialization = {layers_constant(plan),
                                          {shared::kSpecCount, plan.collect_counters ? 1U : 0U},
                                          {shared::kSpecEncoded, encoded_as(plan)},
                                          {shared::kSpecFeatures, features},
                                          {shared::kSpecEnvironment, lit_all_around(plan) ? 1U : 0U},
                                          {shared::kSpecLights, lights_shine(scene, plan) ? 1U : 0U},
                                          {shared::kSpecTaps, plan.device.texture_taps ? 1U : 0U},
                                          {shared::kSpecWideIds, scene.wide_ids ? 1U : 0U},
                                          {shared::kSpecInspect, inspect ? 1U : 0U},
                                          {shared::kSpecShadows, shown_shadows(scene, plan)},
                                          {shared::kSpecAmbient, plan.ambient_occlusion ? 1U : 0U},
                                          {shared::kSpecTextureStamps, scene.textures->streams() ? 1U : 0U},
                                          {shared::kSpecBehind, part == Part::kBehind ? 1U : 0U},
                                          {shared::kSpecExposure, plan.ev ? 0U : 1U}}},
            .textures = textures_};
}

}  // namespace sublet::render
