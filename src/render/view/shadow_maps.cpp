#include "render/view/shadow_maps.h"

#include <algorithm>
#include <cstring>
#include <glm/gtc/matrix_access.hpp>
#include <string>
#include <utility>

#include "gpu/barriers.h"
#include "render/scene/gpu_scene.h"
#include "render/view/sun.h"
#include "shaders/embedded.h"
#include "shaders/shared/bindings.h"

namespace sublet::render {
namespace {

constexpr VkImageLayout kRead = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
constexpr std::uint32_t kGroup = 16;  // view/keep_shadow.comp's local size, each way

gpu::ComputePipelineDesc keep_desc(bool in_compute) {
    return {.name = "keep shadow",
            .shader = {.spirv = in_compute ? shaders::keep_shadow_pixels_comp : shaders::keep_shadow_comp}};
}

shared::ShadowMap shared_map(const ShadowMapView& map, std::uint32_t texels) {
    const float half = 0.5F * static_cast<float>(texels);
    const glm::mat4& clip = map.view.view_projection;
    shared::ShadowMap out{};
    for (int row = 0; row < 3; ++row) {
        glm::vec4 of = glm::row(clip, row);
        if (row < 2) of = half * (of + glm::vec4(0.0F, 0.0F, 0.0F, 1.0F));  // from -1..1 to texels
        out.rows[row] = to_shared(of);
    }
    out.texel = map.texel;
    out.depth = map.depth;
    out.layer = map.layer;
    return out;
}

}  // namespace

bool shows_shadows(const FramePlan& plan) {
    const bool shown = plan.show == Show::kShaded || plan.show == Show::kCulled || plan.show == Show::kShadowMaps ||
                       plan.show == Show::kShadowTexels || plan.show == Show::kShadowDepths;
    return shown && plan.shadows != Shadows::kOff && plan.sun_strength > 0.0F &&
           sun_irradiance(plan.sun, plan.environment.kind) != glm::vec3(0.0F);
}

FramePlan shadow_plan(const FramePlan& plan) {
    FramePlan out = plan;
    static_cast<LookSettings&>(out) = {};
    static_cast<OverlaySettings&>(out) = {};
    out.group_tiling = plan.group_tiling;
    out.freeze_culling = -1;
    // There may be several maps at a time.
    const bool raster = rasters_in_compute(plan);
    const std::uint64_t most = std::uint64_t{raster ? 8U : 64U} << 20U;
    out.compact_budget = plan.compact_budget == 0 ? most : std::min(plan.compact_budget, most);
    out.difference = out.keep_light = false;
    return out;
}

std::vector<ShadowMapView> ShadowMaps::begin(gpu::Device& device, const gpu::Frame& frame,
                                             const std::vector<ShadowMapView>& maps, const FramePlan& plan,
                                             std::uint64_t placement) {
    const VkExtent2D extent{plan.shadow_resolution, plan.shadow_resolution};
    if (!depths_ || depths_.extent().width != extent.width) {
        forget();
        readable_ = false;
        device.retire(
            std::exchange(depths_, gpu::Image(device, {.extent = extent,
                                                       .format = VK_FORMAT_R32_SFLOAT,
                                                       .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT,
                                                       .layers = shared::kShadowMaps,
                                                       .name = "shadow maps"})));
    }
    if (!texels_) texels_ = gpu::Sampler(device, gpu::texel_sampler("shadow maps"));
    gpu::Buffer& buffer = maps_[frame.slot];
    if (!buffer) {
        buffer = gpu::Buffer(device, {.size = sizeof(shared::ShadowMaps),
                                      .usage = VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT,
                                      .memory = gpu::Memory::kUpload,
                                      .name = "shadow maps, slot " + std::to_string(frame.slot)});
    }
    shared::ShadowMaps data{};
    data.size = static_cast<float>(extent.width);
    std::vector<ShadowMapView> changed;
    const FramePlan drawn_by = shadow_plan(plan);
    for (const ShadowMapView& map : maps) {
        data.maps[data.count++] = shared_map(map, extent.width);
        std::optional<Drawn>& drawn = drawn_.at(map.layer);
        Drawn wanted{map, drawn_by, placement};
        if (drawn == wanted && plan.shadow_cache) continue;
        drawn = std::move(wanted);
        changed.push_back(map);
    }
    std::memcpy(buffer.mapped(), &data, sizeof(data));
    counters_ = {data.count, static_cast<std::uint32_t>(changed.size())};
    return changed;
}

void ShadowMaps::open(gpu::Commands commands) {
    gpu::image_barrier(commands, depths_, readable_ ? kRead : VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL,
                       gpu::kComputeRead, gpu::kComputeWrite);
}

void ShadowMaps::close(gpu::Commands commands) {
    gpu::image_barrier(commands, depths_, VK_IMAGE_LAYOUT_GENERAL, kRead, gpu::kComputeWrite, gpu::kComputeRead);
    readable_ = true;
}

void ShadowMaps::keep(const FrameContext& context, const ShadowMapView& map, const Targets& targets) const {
    const auto pass = context.pass("keep");
    const gpu::Descriptor seen = targets.in_compute
                                     ? gpu::buffer_at(shared::kBindPixels, targets.pixels)
                                     : gpu::texture_at(shared::kBindDepth, targets.depth.view(), texels_.handle(),
                                                       VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL);
    context
        .bind(keep_desc(targets.in_compute), {seen, gpu::storage_image_at(shared::kBindShadowDepths, depths_.view())})
        .push(context.frame.commands, shared::KeepShadowConstants{targets.extent.width, map.layer});
    const std::uint32_t groups = (targets.extent.width + kGroup - 1) / kGroup;
    context.frame.commands(vkCmdDispatch, groups, groups, 1U);
}

void ShadowMaps::add_pipelines(const FramePlan& plan, gpu::PipelineList& out) {
    out.add(keep_desc(rasters_in_compute(plan)));
}

void ShadowMaps::forget() {
    drawn_ = {};
}

void ShadowMaps::add_descriptors(const gpu::Frame& frame, std::vector<gpu::Descriptor>& out) const {
    out.push_back(gpu::buffer_at(shared::kBindShadows, maps_[frame.slot]));
    out.push_back(gpu::texture_at(shared::kBindShadowDepths, depths_.view(), texels_.handle(), kRead));
}

}  // namespace sublet::render
