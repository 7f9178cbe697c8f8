#include "render/view/shadow_maps.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <glm/geometric.hpp>
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
constexpr std::uint64_t kLeastList = std::uint64_t{1} << 20U;  // bytes of a map's list of triangles
constexpr std::uint32_t kGroup = 16 * shared::kKeptTexels;  // texels of a workgroup of view/keep_shadow.comp, each way

gpu::ComputePipelineDesc keep_desc(bool in_compute) {
    return {.name = "keep shadow",
            .shader = {.spirv = in_compute ? shaders::keep_shadow_pixels_comp : shaders::keep_shadow_comp}};
}

// From the world to clip space, but for x and y, which are texels of a square of so many: times w, as they are.
std::array<glm::vec4, 3> texel_rows(const glm::mat4& clip, std::uint32_t texels, int third) {
    const float half = 0.5F * static_cast<float>(texels);
    return {half * (glm::row(clip, 0) + glm::row(clip, 3)), half * (glm::row(clip, 1) + glm::row(clip, 3)),
            glm::row(clip, third)};
}

shared::ShadowMap shared_map(const ShadowMapView& map) {
    shared::ShadowMap out{};
    const auto rows = texel_rows(map.view.view_projection, map.size, 2);
    for (std::size_t i = 0; i < rows.size(); ++i) out.rows[i] = to_shared(rows[i]);
    out.texel = map.texel;
    out.depth = map.depth;
    out.layer = map.layer;
    return out;
}

shared::LightMap shared_light_map(const ShadowMapView& map, std::size_t faces) {
    shared::LightMap out{};
    const auto rows = texel_rows(map.view.view_projection, map.size, 3);
    for (std::size_t i = 0; i < rows.size(); ++i) out.rows[i] = to_shared(rows[i]);
    out.nearest = map.view.near_plane;
    out.texel = map.texel;
    out.layer = map.layer;
    out.faces = static_cast<std::uint32_t>(faces);
    return out;
}

// Whether one of the movers may touch what the view shows.
bool may_move_in(const View& view, std::span<const glm::vec4> movers) {
    return std::ranges::any_of(movers, [&](const glm::vec4& mover) {
        return std::ranges::all_of(view.planes, [&](const glm::vec4& plane) {
            return !(glm::dot(glm::vec3(plane), glm::vec3(mover)) + plane.w < -mover.w);
        });
    });
}

}  // namespace

std::uint32_t shown_shadows(const GpuScene& scene, const FramePlan& plan) {
    const bool lit = plan.show == Show::kShaded || plan.show == Show::kCulled || plan.show == Show::kShadowDepths;
    const bool of_sun = lit || plan.show == Show::kShadowMaps || plan.show == Show::kShadowTexels;
    std::uint32_t out = 0;
    if (of_sun && plan.shadows != Shadows::kOff && plan.sun_strength > 0.0F &&
        sun_irradiance(plan.sun, plan.environment.kind) != glm::vec3(0.0F)) {
        out |= shared::kSunShadows;
    }
    if (lit && plan.shadows == Shadows::kOn && plan.lights && !scene.lights.casting.empty()) {
        out |= shared::kLightShadows;
    }
    return out;
}

FramePlan shadow_plan(const FramePlan& plan, std::uint32_t size) {
    FramePlan out = plan;
    static_cast<LookSettings&>(out) = {};
    out.blend_layers = 0;
    static_cast<OverlaySettings&>(out) = {};
    out.group_tiling = plan.group_tiling;
    out.freeze_culling = -1;
    // There may be many maps at a time, the more the smaller they are.
    const bool raster = rasters_in_compute(plan);
    const std::uint64_t most = std::max(std::uint64_t{size} * size * (raster ? 2U : 16U), kLeastList);
    out.compact_budget = plan.compact_budget == 0 ? most : std::min(plan.compact_budget, most);
    out.difference = out.keep_light = false;
    return out;
}

void ShadowMaps::Kept::make_room(gpu::Device& device, std::uint32_t size, std::uint32_t layers, const char* name) {
    if (layers == 0 || (depths && depths.extent().width == size && drawn.size() >= layers)) return;
    drawn.assign(layers, {});
    readable = false;
    device.retire(
        std::exchange(depths, gpu::Image(device, {.extent = {size, size},
                                                  .format = VK_FORMAT_R32_SFLOAT,
                                                  .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT,
                                                  .layers = layers,
                                                  .name = name})));
}

bool ShadowMaps::Kept::changes(Drawn wanted, bool cached) {
    std::optional<Drawn>& now = drawn.at(wanted.map.layer);
    if (cached && now == wanted) return false;
    now = std::move(wanted);
    return true;
}

void ShadowMaps::choose_layers(std::vector<LightShadow>& of_lights) const {
    std::vector<char> taken(of_lights_.drawn.size(), 0);
    std::vector<ShadowMapView*> without;
    for (LightShadow& light : of_lights) {
        for (ShadowMapView& map : light.maps) {
            const auto had = std::ranges::find_if(of_lights_.drawn, [&](const std::optional<Drawn>& drawn) {
                return drawn && drawn->map.light == map.light && drawn->map.number == map.number;
            });
            if (had == of_lights_.drawn.end()) {
                without.push_back(&map);
            } else {
                map.layer = static_cast<std::uint32_t>(had - of_lights_.drawn.begin());
                taken[map.layer] = 1;
            }
        }
    }
    auto free = taken.begin();
    for (ShadowMapView* map : without) {
        free = std::find(free, taken.end(), 0);
        map->layer = static_cast<std::uint32_t>(free++ - taken.begin());
    }
}

std::vector<ShadowMapView> ShadowMaps::begin(gpu::Device& device, const gpu::Frame& frame,
                                             const std::vector<ShadowMapView>& of_sun,
                                             std::vector<LightShadow> of_lights, const FramePlan& plan,
                                             const Placement& placement) {
    std::uint32_t light_maps = 0;
    for (const LightShadow& light : of_lights) light_maps += static_cast<std::uint32_t>(light.maps.size());
    of_sun_.make_room(device, plan.shadow_resolution, of_sun.empty() ? 0 : shared::kShadowMaps, "shadow maps");
    // Lights come and go one by one.
    constexpr std::uint32_t kAtOnce = 12;
    of_lights_.make_room(device, plan.shadow_light_resolution, (light_maps + kAtOnce - 1) / kAtOnce * kAtOnce,
                         "shadow maps of lights");
    choose_layers(of_lights);
    if (!texels_) texels_ = gpu::Sampler(device, gpu::texel_sampler("shadow maps"));
    gpu::Buffer& buffer = maps_[frame.slot];
    if (!buffer) {
        buffer = gpu::Buffer(device, {.size = sizeof(shared::ShadowMaps),
                                      .usage = VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT,
                                      .memory = gpu::Memory::kUpload,
                                      .name = "shadow maps, slot " + std::to_string(frame.slot)});
    }
    shared::ShadowMaps data{};
    data.size = static_cast<float>(plan.shadow_resolution);
    data.light_size = static_cast<float>(plan.shadow_light_resolution);
    std::vector<ShadowMapView> changed;
    const auto draw_again = [&](const ShadowMapView& map) {
        const std::uint64_t moves = may_move_in(map.view, placement.movers) ? placement.moves : 0;
        const Drawn wanted{map, shadow_plan(plan, map.size), placement.changes, moves};
        if (kept(map).changes(wanted, plan.shadow_cache)) changed.push_back(map);
    };
    for (const ShadowMapView& map : of_sun) {
        data.maps[data.count++] = shared_map(map);
        draw_again(map);
    }
    lights_.clear();
    for (const LightShadow& light : of_lights) {
        lights_.push_back({light.light, data.light_count + 1});
        for (const ShadowMapView& map : light.maps) {
            data.light_maps[data.light_count++] = shared_light_map(map, light.maps.size());
            draw_again(map);
        }
    }
    std::memcpy(buffer.mapped(), &data, sizeof(data));
    counters_ = {.maps = data.count + data.light_count,
                 .drawn = static_cast<std::uint32_t>(changed.size()),
                 .lights = static_cast<std::uint32_t>(of_lights.size())};
    return changed;
}

void ShadowMaps::open(gpu::Commands commands) {
    for (const Kept* kept : {&of_sun_, &of_lights_}) {
        if (!kept->depths) continue;
        gpu::image_barrier(commands, kept->depths, kept->readable ? kRead : VK_IMAGE_LAYOUT_UNDEFINED,
                           VK_IMAGE_LAYOUT_GENERAL, gpu::kComputeRead, gpu::kComputeWrite);
    }
}

void ShadowMaps::close(gpu::Commands commands) {
    for (Kept* kept : {&of_sun_, &of_lights_}) {
        if (!kept->depths) continue;
        gpu::image_barrier(commands, kept->depths, VK_IMAGE_LAYOUT_GENERAL, kRead, gpu::kComputeWrite,
                           gpu::kComputeRead);
        kept->readable = true;
    }
}

void ShadowMaps::keep(const FrameContext& context, const ShadowMapView& map, const Targets& targets) {
    const auto pass = context.pass("keep");
    const gpu::Descriptor seen = targets.in_compute
                                     ? gpu::buffer_at(shared::kBindPixels, targets.pixels)
                                     : gpu::texture_at(shared::kBindDepth, targets.depth.view(), texels_.handle(),
                                                       VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL);
    context
        .bind(keep_desc(targets.in_compute),
              {seen, gpu::storage_image_at(shared::kBindShadowDepths, kept(map).depths.view())})
        .push(context.frame.commands, shared::KeepShadowConstants{targets.extent.width, map.layer});
    const std::uint32_t groups = targets.extent.width / kGroup;
    context.frame.commands(vkCmdDispatch, groups, groups, 1U);
}

void ShadowMaps::add_pipelines(const FramePlan& plan, gpu::PipelineList& out) {
    out.add(keep_desc(rasters_in_compute(plan)));
}

void ShadowMaps::forget() {
    for (Kept* kept : {&of_sun_, &of_lights_}) std::ranges::fill(kept->drawn, std::nullopt);
}

void ShadowMaps::add_descriptors(const gpu::Frame& frame, const gpu::Image& none,
                                 std::vector<gpu::Descriptor>& out) const {
    const auto depths = [&](std::uint32_t binding, const Kept& kept) {
        // What was never drawn is not read.
        return gpu::texture_at(binding, (kept.readable ? kept.depths : none).view(), texels_.handle(), kRead);
    };
    out.push_back(gpu::buffer_at(shared::kBindShadows, maps_[frame.slot]));
    out.push_back(depths(shared::kBindShadowDepths, of_sun_));
    out.push_back(depths(shared::kBindLightShadowDepths, of_lights_));
}

}  // namespace sublet::render
