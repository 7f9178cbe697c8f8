// Mesh shaders behind culling in compute: survivors are single sublets, drawn by vkCmdDrawMeshTasksIndirectCountEXT
// with the 2-D draws that the culling pass grew in place. Reads: encoded or decoded sublets, survivor lists. Writes:
// colour, depth.
#include <array>
#include <map>
#include <utility>

#include "gpu/barriers.h"
#include "render/backends/backend.h"
#include "render/backends/mesh_shader.h"
#include "render/cull/meshlet_culling.h"

namespace sublet::render {
namespace {

struct Constants {  // backends/sublet.mesh
    std::uint32_t draw_class, first_group;
};

class MeshIndirectBackend final : public BackendBase {
  public:
    MeshIndirectBackend(gpu::Device& device, VkDescriptorSetLayout textures) : device_(device), textures_(textures) {}

    CpuCounters record(RecordContext& context) override {
        VkCommandBuffer commands = context.frame.commands;
        prepare(context);
        const MeshShaderVariant variant = mesh_shader_variant(context.settings, device_.capabilities());
        culling(variant).record(context.frame, context.profiler, context.scene, context.frame_data, context.cull_state,
                                work_list_, lists_);

        const auto pass = context.profiler.pass(commands, "draw");
        begin_rendering(commands, context.targets, true);
        const gpu::Pipeline& pipeline = this->pipeline(context.scene, variant);
        std::vector<gpu::Descriptor> descriptors = decoded_scene_descriptors(context.scene, context.frame_data);
        descriptors.push_back(gpu::buffer_at(6, context.scene.streams));
        descriptors.push_back(gpu::buffer_at(7, context.scene.payload));
        descriptors.push_back(gpu::buffer_at(8, variant.encoded ? context.scene.payload : indices_));
        descriptors.push_back(gpu::buffer_at(9, lists_.survivors));
        descriptors.push_back(gpu::buffer_at(10, context.cull_state));
        context.frame.descriptors->bind(commands, pipeline, descriptors);
        context.scene.textures->bind(commands, pipeline);
        for (std::uint32_t draw_class = 0; draw_class < shared::kDrawClasses; ++draw_class) {
            if (context.scene.sublet_capacity[draw_class] != 0) {
                record_class(context, pipeline, draw_class, variant);
            }
        }
        vkCmdEndRendering(commands);
        return {};
    }

    void scene_changed() override {
        for (auto& [variant, pipeline] : pipelines_) {
            device_.retire(std::move(pipeline));
        }
        pipelines_.clear();
        device_.retire(std::move(indices_));
        device_.retire(std::move(work_list_));
        device_.retire(std::move(lists_.survivors));
    }

    [[nodiscard]] std::uint64_t decoded_bytes() const override { return indices_ ? indices_.size() : 0; }
    [[nodiscard]] std::uint64_t transient_bytes() const override {
        return (work_list_ ? work_list_.size() : 0) + (lists_.survivors ? lists_.survivors.size() : 0);
    }

  private:
    void prepare(RecordContext& context) {
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
    }

    const MeshletCulling& culling(const MeshShaderVariant& variant) {
        const std::pair key{variant.count, variant.group};
        auto it = culling_.find(key);
        if (it == culling_.end()) {
            it = culling_
                     .try_emplace(key, device_,
                                  MeshletCulling::Options{.count = variant.count,
                                                          .output = CullOutput::kSublets,
                                                          .sublets_per_group = variant.group / shared::kSubletSize})
                     .first;
        }
        return it->second;
    }

    const gpu::Pipeline& pipeline(const GpuScene& scene, const MeshShaderVariant& variant) {
        gpu::Pipeline& pipeline = pipelines_[variant];
        if (!pipeline) {
            SurfaceStages stages;
            stages.name = "mesh-indirect";
            stages.mesh = mesh_shader(variant, scene);
            stages.storage_buffers = 5;
            stages.push_constant_bytes = sizeof(Constants);
            pipeline = make_surface_pipeline(device_, scene, textures_, std::move(stages));
        }
        return pipeline;
    }

    void record_class(const RecordContext& context, const gpu::Pipeline& pipeline, std::uint32_t draw_class,
                      const MeshShaderVariant& variant) {
        VkCommandBuffer commands = context.frame.commands;
        constexpr std::uint32_t kStride = sizeof(VkDrawMeshTasksIndirectCommandEXT);
        const VkDeviceSize draws =
            offsetof(shared::CullState, mesh_draws) + VkDeviceSize{draw_class} * shared::kMeshDraws * kStride;
        const VkDeviceSize count = offsetof(shared::CullState, mesh_draw_counts) + VkDeviceSize{draw_class} * 4;
        set_draw_class(commands, draw_class);
        if (variant.draw_index) {
            pipeline.push(commands, Constants{draw_class, 0});
            vkCmdDrawMeshTasksIndirectCountEXT(commands, context.cull_state.handle(), draws,
                                               context.cull_state.handle(), count, shared::kMeshDraws, kStride);
            return;
        }
        // One by one: a draw for every 2^22 workgroups that there may be, empty where there are none.
        const std::uint32_t sublets_per_group = variant.group / shared::kSubletSize;
        const std::uint32_t groups =
            (context.scene.sublet_capacity[draw_class] + sublets_per_group - 1) / sublets_per_group;
        for (std::uint32_t draw = 0; draw * shared::kMeshDrawGroups < groups; ++draw) {
            pipeline.push(commands, Constants{draw_class, draw * shared::kMeshDrawGroups});
            vkCmdDrawMeshTasksIndirectEXT(commands, context.cull_state.handle(), draws + VkDeviceSize{draw} * kStride,
                                          1, kStride);
        }
    }

    gpu::Device& device_;
    VkDescriptorSetLayout textures_;
    std::map<MeshShaderVariant, gpu::Pipeline> pipelines_;
    std::map<std::pair<bool, std::uint32_t>, MeshletCulling> culling_;  // by whether it counts, and the workgroup
    gpu::Buffer indices_, work_list_;
    SurvivorLists lists_;
};

}  // namespace

std::unique_ptr<BackendBase> make_mesh_indirect(gpu::Device& device, VkDescriptorSetLayout textures) {
    return std::make_unique<MeshIndirectBackend>(device, textures);
}

}  // namespace sublet::render
