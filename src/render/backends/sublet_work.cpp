#include "render/backends/sublet_work.h"

namespace sublet::render {

void SubletWork::cull(RecordContext& context, std::uint32_t sublets_per_group) {
    const GpuScene& scene = context.scene;
    if (!work_list_) {
        work_list_ = make_storage_buffer(device_, "work list", std::uint64_t{scene.task_count} * 4);
        lists_.survivors = make_storage_buffer(device_, "surviving sublets", scene.drawable_sublets * 8);
    }
    if (context.settings.payload == Payload::kDecoded && !indices_) {
        const auto pass = context.profiler.pass(context.frame.commands, "decode");
        indices_ = make_index_buffer(device_, scene, 8);
        context.decode.record_indices(context.frame.commands, *context.frame.descriptors, scene, indices_, 8);
    }
    const std::pair key{context.settings.collect_counters, sublets_per_group};
    auto culling = culling_.find(key);
    if (culling == culling_.end()) {
        const MeshletCulling::Options options{
            .count = key.first, .output = CullOutput::kSublets, .sublets_per_group = sublets_per_group};
        culling = culling_.try_emplace(key, device_, options).first;
    }
    culling->second.record(context.frame, context.profiler, scene, context.frame_data, context.cull_state, work_list_,
                           lists_);
}

std::vector<gpu::Descriptor> SubletWork::descriptors(const RecordContext& context) const {
    std::vector<gpu::Descriptor> out = decoded_scene_descriptors(context.scene, context.frame_data);
    out.push_back(gpu::buffer_at(6, context.scene.streams));
    out.push_back(gpu::buffer_at(7, context.scene.payload));
    // The encoded payload's shaders read no index: any buffer will do.
    out.push_back(gpu::buffer_at(8, context.settings.payload == Payload::kDecoded ? indices_ : context.scene.payload));
    out.push_back(gpu::buffer_at(9, lists_.survivors));
    return out;
}

void SubletWork::scene_changed() {
    for (gpu::Buffer* buffer : {&indices_, &work_list_, &lists_.survivors}) {
        device_.retire(std::move(*buffer));
    }
}

}  // namespace sublet::render
