#include "render/view/geometry_state.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <glm/gtc/matrix_access.hpp>
#include <glm/trigonometric.hpp>
#include <limits>
#include <numbers>
#include <utility>

#include "render/view/primitive_cull.h"
#include "render/view/sun.h"

namespace sublet::render {
namespace {

constexpr VkDeviceSize kStateBytes = shared::kMostRounds * sizeof(shared::CullState);  // of a phase

shared::ViewData view_data(const View& view) {
    shared::ViewData out{};
    for (int row = 0; row < 4; ++row) {
        out.clip[row] = to_shared(glm::row(view.view_projection, row));
    }
    for (std::size_t i = 0; i < view.planes.size(); ++i) {
        out.planes[i] = to_shared(view.planes[i]);
    }
    out.eye = to_shared(glm::vec4(view.eye, view.orthographic ? 1.0F : 0.0F));
    out.forward =
        to_shared(glm::vec4(view.forward, std::abs(view.eye.x) + std::abs(view.eye.y) + std::abs(view.eye.z)));
    return out;
}

// From where levels of detail are chosen, and how. `in_part`: they always are, whatever a plan says that was made for
// another scene, since the finest may not be there.
void choose_levels(shared::FrameData& out, const View& view, std::uint32_t height, const LevelSettings& settings,
                   bool in_part) {
    const LevelsSeenFrom own{view.eye, view.orthographic, level_scale(view, height, settings.lod_error)};
    const LevelsSeenFrom& from = view.levels ? *view.levels : own;
    out.cut_eye = to_shared(glm::vec4(from.eye, from.orthographic ? 1.0F : 0.0F));
    out.cut_scale = settings.lod || in_part ? from.scale : 0.0F;
    out.cut_slack = from.slack;
    out.cut_least = from.least;
}

// The sun's disc, a quarter of a degree from its centre to its edge, and its radiance over the irradiance that it
// makes. It stands in the sky alone: a picture has what suns it has.
constexpr float kSunDiscCosine = 0.99999F;
constexpr float kSunDiscRadiance = 1.0F / (2.0F * std::numbers::pi_v<float> * (1.0F - kSunDiscCosine));

}  // namespace

shared::FrameData frame_data(const View& view, const View& cull_view, const ViewPlan& view_plan, VkExtent2D extent,
                             const VkPhysicalDeviceLimits& limits) {
    const GpuScene& scene = view_plan.scene;
    const FramePlan& plan = view_plan.plan;
    const SurvivorPlan& survivors = view_plan.survivors;
    shared::FrameData out{};
    out.view = view_data(view);
    out.cull = view_data(cull_view);
    out.sun_direction = to_shared(glm::vec4(sun_direction(plan.sun), kSunDiscCosine));
    out.sun_color = to_shared(glm::vec4(sun_irradiance(plan.sun, plan.environment.kind) * plan.sun_strength,
                                        plan.environment.kind == EnvironmentKind::kSky ? kSunDiscRadiance : 0.0F));
    const float turn = glm::radians(plan.environment_turn);
    out.environment = {std::cos(turn), std::sin(turn), plan.environment_blur, 0.0F};
    const std::array<glm::vec3, 3> rays = pixel_rays(view);
    for (std::size_t i = 0; i < rays.size(); ++i) out.rays[i] = to_shared(glm::vec4(rays[i], 0.0F));
    const std::array<glm::vec4, 2> across = pixel_places(view);
    for (std::size_t i = 0; i < across.size(); ++i) out.across[i] = to_shared(across[i]);
    for (std::uint32_t c = 0; c < shared::kDrawClasses; ++c) {
        out.classes[c] = {survivors.base[c], survivors.slots[c], scene.task_base[c], 0};
    }
    const primitive_cull::CullViewport viewport =
        primitive_cull::make_cull_viewport(extent.width, extent.height, limits.subPixelPrecisionBits);
    out.viewport = {viewport.scale.x, viewport.scale.y, viewport.bias.x, viewport.bias.y};
    out.subpixels = viewport.subpixels;
    out.subpixel_margin = viewport.margin;
    out.instance_count = scene.instance_count;
    out.sublet_count = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(scene.drawable_sublets, std::numeric_limits<std::uint32_t>::max()));
    out.task_count = static_cast<std::uint32_t>(scene.facts.meshlets.chunks);
    out.block_shift = scene.block_shift;
    std::uint32_t column = 0;
    for (const std::uint32_t c : scene.classes()) out.class_columns |= c << (4 * column++);
    choose_levels(out, cull_view, extent.height, plan, scene.facts.in_part);
    out.mesh_groups = scene.levels.mesh_groups;
    out.stream.x = scene.stream_frame;
    out.cull_flags = (plan.cull_instances ? shared::kCullInstances : 0U) |
                     (plan.cull_frustum ? shared::kCullFrustum : 0U) | (plan.cull_cone ? shared::kCullCone : 0U) |
                     (plan.cull_sublets ? shared::kCullSublets : 0U) |
                     (plan.cull_primitives ? shared::kCullPrimitives : 0U) |
                     (cull_view.light_passes ? shared::kCullLightPasses : 0U);
    return out;
}

gpu::Buffer make_frame_data(gpu::Device& device, const std::string& name) {
    return {device,
            {.size = sizeof(shared::FrameData),
             .usage = VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT,
             .memory = gpu::Memory::kUpload,
             .name = name}};
}

GeometryState::GeometryState(gpu::Device& device) : visibility(device), device_(device) {
    for (std::size_t i = 0; i < slots.size(); ++i) {
        const std::string slot = ", slot " + std::to_string(i);
        slots[i].frame_data = make_frame_data(device, "frame data" + slot);
        slots[i].counters = gpu::Buffer(
            device,
            {.size = cull_states.size() * kStateBytes, .memory = gpu::Memory::kReadback, .name = "counters" + slot});
    }
    for (std::size_t phase = 0; phase < cull_states.size(); ++phase) {
        cull_states[phase] =
            gpu::Buffer(device, {.size = kStateBytes,
                                 .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT,
                                 .name = "cull states " + std::to_string(phase + 1)});
    }
}

void GeometryState::begin(const FrameContext& context, const ViewPlan& plan, const View& drawn, VkExtent2D extent) {
    if (!plan.output.fits(targets, extent)) {
        Targets made = plan.output.make_targets(device_, extent);
        device_.retire(std::exchange(targets, std::move(made)));
        layers_unknown = true;
    }
    view = drawn;
    levels = plan.plan;
    freeze(plan.plan);
    const bool cut = plan.plan.lod && plan.scene.levels.any();
    rounds = round_count.next(plan.plan, std::min(plan.survivors.rounds, context.hooks.most_rounds), cut);
    phases = plan.plan.cull_occlusion && !is_frozen() ? 2 : 1;
    blends = plan.output.blends();
    data = render::frame_data(view, cull_view(), plan, extent, device_.capabilities().limits);
    if (!is_frozen()) {
        bit_tables = cut ? plan.scene.cut_bit_tables : plan.scene.bit_tables;
        bit_tables.tasks = std::min(bit_tables.tasks, context.hooks.most_bit_words);
        bit_tables.sublets = std::min(bit_tables.sublets, context.hooks.most_bit_words);
    }
    data.task_mask = bit_tables.tasks - 1;
    data.sublet_mask = bit_tables.sublets - 1;
    const auto stride = [&](std::uint64_t of_scene, std::uint32_t of_table) {
        return !cut || of_scene <= of_table ? 0 : std::max(of_table / plan.scene.instance_count, 1U);
    };
    data.task_stride = stride(plan.scene.facts.meshlets.chunks, bit_tables.tasks);
    data.sublet_stride = stride(plan.scene.drawable_sublets, bit_tables.sublets);
    std::memcpy(slots[context.frame.slot].frame_data.mapped(), &data, sizeof(data));
    need_vertices(context, plan.plan, plan.scene);
    scene_set = scene_descriptors(plan.scene, &frame_data(context.frame));
}

void GeometryState::coarsen(const FrameContext& context, float factor) {
    levels.lod_error *= factor;
    if (cull_view().levels) {
        data.cut_scale /= factor;
    } else {  // to the bit as if it had been asked for
        choose_levels(data, cull_view(), targets.extent.height, levels, true);
    }
    std::memcpy(slots[context.frame.slot].frame_data.mapped(), &data, sizeof(data));
}

std::vector<std::size_t> GeometryState::states() const {
    std::vector<std::size_t> out{0};
    if (phases == 2) out.push_back(1);
    if (blends) out.push_back(kBlendedState);
    return out;
}

void GeometryState::freeze(const FramePlan& plan) {
    was_frozen = frozen.has_value();
    if (plan.freeze_culling < 0) {
        frozen.reset();
    } else if (!frozen && frames >= static_cast<std::uint64_t>(plan.freeze_culling)) {
        frozen = view;
    }
}

void GeometryState::forget() {
    if (frozen) {
        visibility.reset();  // the pyramid is of an earlier frame
    } else {
        visibility.forget();
    }
    layers_unknown = true;
    round_count = {};
    frozen_visibility = false;
}

}  // namespace sublet::render
