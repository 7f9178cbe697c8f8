#include "render/cull/sublet_work.h"

#include <utility>

#include "render/cull/cull_state.h"
#include "render/passes/storage_buffer.h"

namespace sublet::render {

std::vector<gpu::Descriptor> sublet_descriptors(const RecordContext& context) {
    std::vector<gpu::Descriptor> out = decoded_scene_descriptors(context.scene, context.frame_data);
    out.push_back(gpu::buffer_at(6, context.scene.streams));
    out.push_back(gpu::buffer_at(7, context.scene.payload));
    out.push_back(gpu::buffer_at(8, context.scene.first_sublets));
    return out;
}

void SubletWork::begin_frame(const FrameContext& context) {
    prepare_expansion(expansion_, device_, context.plan.expansion, context.scene.facts.meshlets,
                      context.hooks.most_expansion_entries);
    expansion_->record_resets(context.frame.commands);
}

void SubletWork::cull(RecordContext& context, std::uint32_t sublets_per_group, std::size_t round) {
    const GpuScene& scene = context.scene;
    if (!lists_.survivors) {
        lists_.survivors = make_storage_buffer(device_, "surviving sublets", scene.sublets.items * 8);
    }
    const bool primitive_bits = sublets_per_group == 0 && context.primitive_bits();
    if (round != 0) {
        reset_survivor_lists(context.frame.commands, context.cull_state);
    }
    const MeshletCulling culling{.count = context.plan.collect_counters,
                                 .phase = context.phase,
                                 .primitive_bits = primitive_bits,
                                 .output = CullOutput::kSublets,
                                 .expansion = context.plan.expansion,
                                 .sublets_per_group = sublets_per_group};
    cull_meshlets(context, culling, *expansion_, lists_, round);
}

std::vector<gpu::Descriptor> SubletWork::descriptors(const RecordContext& context) const {
    std::vector<gpu::Descriptor> out = sublet_descriptors(context);
    out.push_back(gpu::buffer_at(9, lists_.survivors));
    return out;
}

void SubletWork::scene_changed() {
    if (expansion_) device_.retire(std::move(expansion_));
    device_.retire(std::move(lists_.survivors));
}

}  // namespace sublet::render
