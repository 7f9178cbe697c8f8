#include "render/cull/sublet_work.h"

#include <utility>

#include "render/cull/cull_state.h"
#include "render/passes/storage_buffer.h"

namespace sublet::render {

namespace {

// A mesh shader that culls triangles itself keeps no bits of them.
MeshletCulling sublet_culling(const PhasePlan& phase, std::uint32_t sublets_per_group) {
    return {.output = CullOutput::kSublets,
            .sublets_per_group = sublets_per_group,
            .primitive_bits = sublets_per_group == 0 && phase.primitive_bits};
}

}  // namespace

void SubletWork::prepare(const GpuScene& scene, const FramePlan& plan, const TestHooks& hooks) {
    prepare_expansion(expansion_, device_, plan.expansion, scene.facts.meshlets, hooks.most_expansion_entries);
}

void SubletWork::begin_frame(const FrameContext& context) {
    prepare(context.scene, context.plan, context.hooks);
    expansion_->record_resets(context.frame.commands);
}

void SubletWork::cull(RecordContext& context, std::uint32_t sublets_per_group, std::size_t round) {
    const GpuScene& scene = context.scene;
    if (!lists_.survivors) {
        lists_.survivors = make_storage_buffer(device_, "surviving sublets", scene.sublets.items * 8);
    }
    if (round != 0) {
        reset_survivor_lists(context.frame.commands, context.cull_state);
    }
    cull_meshlets(context, sublet_culling(context.phase_plan(), sublets_per_group), *expansion_, lists_, round);
}

void SubletWork::add_pipelines(const PhasePlan& phase, std::uint32_t sublets_per_group, gpu::PipelineList& out) {
    add_meshlet_pipelines(phase, sublet_culling(phase, sublets_per_group), out);
}

void SubletWork::scene_changed() {
    if (expansion_) device_.retire(std::move(expansion_));
    device_.retire(std::move(lists_.survivors));
}

}  // namespace sublet::render
