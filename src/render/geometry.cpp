#include "render/geometry.h"

#include "gpu/barriers.h"
#include "render/backends/rest.h"
#include "render/cull/cull_state.h"
#include "render/settings/backend_info.h"

namespace sublet::render {
namespace {

// Where only what lies within the planes of the view that culls is looked at, no more is deformed.
void deform_seen(const ViewContext& context, DeformPass& deform) {
    const FramePlan& plan = context.plan;
    const bool only_seen = plan.cull_instances && plan.cull_frustum && plan.backend != Backend::kDirect &&
                           plan.show != Show::kCulled && plan.bounds == Bounds::kOff;
    const bool late = context.hooks.fault == Fault::kBoundsOfLastPose;
    deform.record(context, context.scene,
                  {.data = context.geometry.data,
                   .frame_data = context.geometry.frame_data(context.frame),
                   .all = !only_seen || late,
                   .bounds_late = late});
}

// Makes ready all that the phases of a frame find reset, by transfers and a pass that one barrier orders before all
// other passes.
void reset(const ViewContext& context, BackendBase& backend) {
    const gpu::Commands commands = context.frame.commands;
    const gpu::DebugLabel label = context.profiler.label(commands, "reset");
    GeometryState& geometry = context.geometry;
    context.output.open(commands, geometry.targets);
    if (const gpu::Buffer& layers = geometry.targets.layers) {
        if (geometry.layers_unknown) commands(vkCmdFillBuffer, layers.handle(), 0, VK_WHOLE_SIZE, 0);
        if (!geometry.layers_unknown) clear_layers(context);
        geometry.layers_unknown = false;
    }
    shared::CullState cull_state = initial_cull_state(static_cast<std::uint32_t>(context.scene.classes().size()));
    backend.begin_frame(context, cull_state);
    for (const std::size_t state : geometry.states()) {
        for (std::uint32_t round = 0; round < geometry.rounds; ++round) {
            commands.record([cull_state, to = geometry.cull_states[state].handle(), round](VkCommandBuffer c) {
                vkCmdUpdateBuffer(c, to, round * sizeof(cull_state), sizeof(cull_state), &cull_state);
            });
        }
    }
    geometry.visibility.begin(context.frame, geometry.cull_view(), geometry.targets,
                              geometry.phases == 1 && geometry.has_pyramid(context.plan));
    if (geometry.phases == 2) {
        geometry.visibility.begin_phases(context.frame, geometry.bit_tables, geometry.cull_view(), geometry.targets,
                                         kept_detail(context.plan), context.hooks.fault);
    }
    gpu::memory_barrier(commands, gpu::kTransferWrite | gpu::kComputeWrite, gpu::kConsume | gpu::kTransferWrite);
}

CpuCounters record_phases(const ViewContext& context, BackendBase& backend) {
    GeometryState& geometry = context.geometry;
    const auto record = [&](CullPhase phase) {
        PhaseContext of_phase{context, phase};
        return backend.record(of_phase);
    };
    CpuCounters counters;
    if (!context.plan.cull_occlusion) {
        geometry.frozen_visibility = false;
        counters = record(CullPhase::kOnly);
    } else if (geometry.is_frozen()) {
        // What that view saw, and nothing else, is drawn again and again. Without a record of it: all in its
        // frustum.
        counters = record(geometry.frozen_visibility ? CullPhase::kFirst : CullPhase::kOnly);
    } else {
        record(CullPhase::kFirst);
        context.output.end_first_phase(context.frame.commands, geometry.targets);
        geometry.visibility.build_pyramid(context, geometry.targets, context.plan.group_tiling);
        counters = record(CullPhase::kSecond);
    }
    if (geometry.blends) {
        // It finds the depths of all else, and writes the lists that drew that.
        gpu::memory_barrier(context.frame.commands, gpu::kDraw | gpu::kCompute | gpu::kDepthAttachment,
                            gpu::kConsume | gpu::kDepthAttachment);
        counters.add(record(CullPhase::kBlended));
    }
    if (geometry.phases == 2) {
        geometry.visibility.end();
        geometry.frozen_visibility = true;
    }
    return counters;
}

}  // namespace

OcclusionDetail kept_detail(const FramePlan& plan) {
    const bool sublets = backend_info(plan.backend).survivors == Survivors::kSublets;
    return sublets ? plan.occlusion_detail : OcclusionDetail::kMeshlets;
}

CpuCounters draw_geometry(const ViewContext& context, BackendBase& backend, DeformPass& deform) {
    const gpu::Commands commands = context.frame.commands;
    GeometryState& geometry = context.geometry;
    deform_seen(context, deform);
    reset(context, backend);
    const CpuCounters counters = record_phases(context, backend);
    backend.end_frame(context);
    if (context.plan.show == Show::kHiz && !geometry.has_pyramid(context.plan)) {
        geometry.visibility.build_final_pyramid(context, geometry.targets, context.plan.group_tiling);
    }
    Output::close(commands, geometry.targets);
    ++geometry.frames;
    return counters;
}

void add_geometry_pipelines(const gpu::Capabilities& capabilities, const BackendBase& backend, const GpuScene& scene,
                            const FramePlan& plan, const Output& output, gpu::PipelineList& out) {
    const ViewPlan view{scene, plan, output, backend.survivors(scene, plan)};
    if (plan.cull_occlusion || plan.show == Show::kHiz) {
        Hiz::add_pipelines(capabilities, {.pixel_words = output.pixel_words()}, out);
    }
    if (plan.cull_occlusion) {
        backend.add_pipelines({view, CullPhase::kFirst, kept_detail(plan)}, out);
        backend.add_pipelines({view, CullPhase::kSecond, kept_detail(plan)}, out);
    } else {
        backend.add_pipelines({view}, out);
    }
    if (output.blends()) {
        add_clear_layers_pipeline(plan, false, out);
        backend.add_pipelines({view, CullPhase::kBlended}, out);
    }
}

}  // namespace sublet::render
