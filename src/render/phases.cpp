#include "render/phases.h"

#include "gpu/barriers.h"
#include "render/cull/cull_state.h"
#include "render/settings/backend_info.h"

namespace sublet::render {

OcclusionDetail kept_detail(const FramePlan& plan) {
    const bool sublets = backend_info(plan.backend).survivors == Survivors::kSublets;
    return sublets ? plan.occlusion_detail : OcclusionDetail::kMeshlets;
}

void begin_phases(const FrameParts& parts, ViewState& state, const FramePlan& plan, const FrameLists& lists,
                  const View& cull_view, std::size_t phases) {
    shared::CullState cull_state = initial_cull_state(static_cast<std::uint32_t>(parts.scene.classes().size()));
    parts.backends.get(plan.backend)
        .begin_frame({parts.frame, parts.scene, plan, lists.survivors, parts.hooks}, cull_state);
    for (std::size_t phase = 0; phase < phases; ++phase) {
        for (std::uint32_t round = 0; round < lists.rounds; ++round) {
            vkCmdUpdateBuffer(parts.frame.commands, state.cull_states[phase].handle(), round * sizeof(cull_state),
                              sizeof(cull_state), &cull_state);
        }
    }
    state.visibility.begin(parts.frame, cull_view, state.targets, phases == 1 && state.has_pyramid(plan));
    if (phases == 2) {
        state.visibility.begin_phases(parts.frame, parts.scene, cull_view, state.targets, kept_detail(plan),
                                      parts.hooks.fault);
    }
    gpu::memory_barrier(parts.frame.commands, gpu::kTransferWrite, gpu::kConsume | gpu::kTransferWrite);
}

CpuCounters record_phases(const FrameParts& parts, ViewState& state, const FramePlan& plan, const FrameLists& lists,
                          const View& cull_view, const std::vector<gpu::Descriptor>& scene_set, bool frozen) {
    const VisibilityOutput output(parts.scene, plan);
    const auto phase = [&](CullPhase which) {
        RecordContext context{parts.device,
                              parts.frame,
                              parts.profiler,
                              parts.pipelines,
                              parts.decode,
                              parts.scene,
                              plan,
                              output,
                              state.targets,
                              cull_view,
                              scene_set,
                              lists.survivors,
                              state.cull_states[which == CullPhase::kSecond ? 1 : 0],
                              lists.rounds,
                              which,
                              state.visibility.buffers(parts.frame)};
        return parts.backends.get(plan.backend).record(context);
    };
    if (!plan.cull_occlusion) {
        state.frozen_visibility = false;
        return phase(CullPhase::kOnly);
    }
    if (frozen) {
        // What that view saw, and nothing else, is drawn again and again. Without a record of it: all in its
        // frustum.
        return phase(state.frozen_visibility ? CullPhase::kFirst : CullPhase::kOnly);
    }
    phase(CullPhase::kFirst);
    state.keep_ids(parts.frame.commands);
    state.visibility.build_pyramid(parts.frame, parts.profiler, state.targets, plan.group_tiling);
    const CpuCounters counters = phase(CullPhase::kSecond);
    state.visibility.end();
    state.frozen_visibility = true;
    return counters;
}

void add_phase_pipelines(Backends& backends, const GpuScene& scene, const FramePlan& plan, gpu::PipelineList& out) {
    const VisibilityOutput output(scene, plan);
    const BackendBase& backend = backends.get(plan.backend);
    const SurvivorPlan survivors = backend.survivors(scene, plan);
    if (!plan.cull_occlusion) {
        backend.add_pipelines({plan, scene, output, survivors}, out);
        return;
    }
    const OcclusionDetail detail = kept_detail(plan);
    backend.add_pipelines({plan, scene, output, survivors, CullPhase::kFirst, detail}, out);
    backend.add_pipelines({plan, scene, output, survivors, CullPhase::kSecond, detail}, out);
}

}  // namespace sublet::render
