// A view of a frame: its geometry, its shadow maps, its picture.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gpu/barriers.h"
#include "gpu/commands.h"
#include "render/geometry.h"
#include "render/renderer_impl.h"
#include "render/shade/temporal.h"
#include "render/view/sun.h"
#include "render/view/sun_shadow.h"

namespace sublet::render {

void Renderer::Impl::draw(gpu::Frame& into, const View& view, const FramePlan& plan, VkExtent2D extent,
                          std::uint32_t view_id, const Output& output, const MakePicture& make_picture) {
    try {
        KeptView& state = views.take(view_id, make_picture != nullptr);
        BackendBase& backend = state.backends.get(plan.backend);
        const ViewContext context{
            frame_context(into),
            {.scene = *scene, .plan = plan, .output = output, .survivors = backend.survivors(*scene, plan)},
            state.geometry};
        state.geometry.begin(context, context, view, extent);
        if (stream) stream->want(context, frame_context(*frame));
        const bool by_bits = plan.cull_occlusion && state.geometry.is_frozen() && state.geometry.frozen_visibility;
        const CpuCounters cpu = draw_geometry(context, backend, deform);
        compact_budget = cpu.compact_budget;
        // What culling for a map counted nobody asks, but where it may take several rounds.
        if (into.commands.is_strand() && context.survivors.rounds == 1) return;
        const bool measured = make_picture && make_picture(context, state.picture);
        read_back(context, measured ? &state.picture : nullptr);
        const bool exposed = measured && !plan.ev;
        const bool lit = measured && state.picture.lights.clusters;
        results.add_view(*frame, {.view = view_id,
                                  .readback = &state.geometry.slots[frame->slot].counters,
                                  .shadows = make_picture && shown_shadows(*scene, plan) != 0 && measured
                                                 ? std::optional(state.picture.shadows.counters())
                                                 : std::nullopt,
                                  .exposure = exposed ? &state.picture.exposures[frame->slot] : nullptr,
                                  .lights = lit ? &state.picture.light_counts[frame->slot] : nullptr,
                                  .rounds = state.geometry.rounds,
                                  .slots = context.survivors.slots,
                                  .counted = plan.collect_counters,
                                  .frame = {.backend = backend_info(plan),
                                            .detail = kept_detail(plan),
                                            .cull_sublets = plan.cull_sublets,
                                            .chooses_levels = plan.lod && scene->levels.any(),
                                            .phases = state.geometry.phases,
                                            .blends = state.geometry.blends,
                                            .by_bits = by_bits,
                                            .instances = scene->instance_count,
                                            .pixels = std::uint64_t{extent.width} * extent.height,
                                            .cpu = cpu}});
    } catch (...) {
        forget_unfinished();
        throw;
    }
}

// The maps of a view's picture, those that changed. They are drawn side by side, once the view's geometry is: what is
// made for a scene when it is first drawn is there by then.
void Renderer::Impl::draw_shadows(const ViewContext& context, ShadowMaps& shadows, std::uint32_t view_id) {
    const GeometryState& geometry = context.geometry;
    FramePlan plan = context.plan;
    static_cast<LevelSettings&>(plan) = geometry.levels;  // the error that the picture came to have room for
    const std::uint32_t kinds = shown_shadows(*scene, plan);
    const std::uint32_t window = geometry.targets.extent.height;
    std::vector<ShadowMapView> of_sun;
    std::vector<LightShadow> of_lights;
    if ((kinds & shared::kSunShadows) != 0) {
        of_sun =
            fit_sun_shadow(geometry.view, window, sun_direction(plan.sun), scene->bounds, plan, plan, scene->movers);
    }
    if ((kinds & shared::kLightShadows) != 0) {
        of_lights =
            fit_light_shadows(geometry.view, window, scene->lights.casting_at(wanted_times), scene->bounds, plan, plan);
    }
    const std::vector<ShadowMapView> maps =
        shadows.begin(device, *frame, of_sun, std::move(of_lights), plan,
                      {.changes = changes, .moves = moves, .movers = scene->movers});
    if (maps.empty()) return;
    // Beyond what the camera sees.
    deform.record(context, *scene, {.data = geometry.data, .frame_data = geometry.frame_data(*frame), .all = true});
    const FramePlan sun_plan = shadow_plan(plan, plan.shadow_resolution);
    const FramePlan lamp_plan = shadow_plan(plan, plan.shadow_light_resolution);
    gpu::SideBySide strands;
    shadows.open(frame->commands);
    const std::string prefix = profiler.prefix();
    profiler.set_prefix(prefix + "shadows: ");
    for (const ShadowMapView& map : maps) {
        const std::uint32_t number = shadow_view(view_id, map);
        gpu::Frame strand = *frame;
        strand.commands = strands.add_strand();
        const gpu::DebugLabel label(device, strand.commands, view_name(number).c_str());
        const FramePlan& by = map.light == ShadowMapView::kOfSun ? sun_plan : lamp_plan;
        draw(strand, map.view, by, {map.size, map.size}, number, DepthOutput(*scene, by, map.cleared), {});
        shadows.keep(frame_context(strand), map, views.geometry(number).targets);
    }
    profiler.set_prefix(prefix);
    strands.play(frame->commands, profiler);
    shadows.close(frame->commands);
}

void Renderer::Impl::draw_picture(const View& view, const FramePlan& wanted, VkExtent2D extent, std::uint32_t view_id,
                                  const Inspection& inspection, bool plain) {
    const FramePlan plan = with_room(wanted);
    View seen = view;
    if (plan.taa && view.averaged == 0) {
        const std::uint32_t before = views.get(view_id).picture.jittered_frames++;
        seen = shifted(view, jitter_shift(before, {extent.width, extent.height}));
    }
    draw(*frame, seen, plan, extent, view_id, VisibilityOutput(*scene, plan),
         [&](const ViewContext& context, PictureState& picture) {
             if (plain) {
                 pictures.shade_plain(context, picture);
             } else {
                 if (shown_shadows(*scene, plan) != 0) draw_shadows(context, picture.shadows, view_id);
                 pictures.shade(context, picture, inspection, times_before);
             }
             return !plain;
         });
}

void Renderer::Impl::read_back(const ViewContext& context, const PictureState* picture) {
    const gpu::Commands commands = context.frame.commands;
    gpu::memory_barrier(commands, gpu::kDraw | gpu::kCompute, gpu::kTransferRead);
    const gpu::DebugLabel label = profiler.label(commands, "read back");
    const GeometryState& geometry = context.geometry;
    const VkDeviceSize bytes = geometry.rounds * sizeof(shared::CullState);
    VkDeviceSize to = 0;
    for (const std::size_t state : geometry.states()) {
        const VkBufferCopy copy{0, std::exchange(to, to + bytes), bytes};
        commands.record([copy, from = geometry.cull_states[state].handle(),
                         to = geometry.slots[frame->slot].counters.handle()](VkCommandBuffer c) {
            vkCmdCopyBuffer(c, from, to, 1, &copy);
        });
    }
    // Of strands all copy, and then all compute: a device waits where it goes from the one to the other.
    if (commands.is_strand()) gpu::memory_barrier(commands, gpu::kTransferWrite, gpu::kCompute);
    if (picture != nullptr) PicturePasses::read_back(context, *picture);
}

}  // namespace sublet::render
