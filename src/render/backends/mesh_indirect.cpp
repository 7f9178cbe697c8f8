// Mesh shaders behind culling in compute: survivors are single sublets, drawn by vkCmdDrawMeshTasksIndirectCountEXT
// with the 2-D draws that the culling pass grew in place. Reads: encoded or decoded sublets, survivor lists. Writes:
// colour, depth.
#include <array>
#include <map>
#include <utility>

#include "gpu/barriers.h"
#include "render/backends/backend.h"
#include "render/backends/mesh_shader.h"
#include "render/backends/sublet_work.h"

namespace sublet::render {
namespace {

struct Constants {  // backends/sublet.mesh
    std::uint32_t draw_class, first_group;
};

class MeshIndirectBackend final : public BackendBase {
  public:
    MeshIndirectBackend(gpu::Device& device, VkDescriptorSetLayout textures)
        : device_(device), textures_(textures), work_(device) {}

    CpuCounters record(RecordContext& context) override {
        VkCommandBuffer commands = context.frame.commands;
        const MeshShaderVariant variant = mesh_shader_variant(context.settings, device_.capabilities());
        work_.cull(context, variant.group / shared::kSubletSize);

        const auto pass = context.profiler.pass(commands, "draw");
        begin_rendering(commands, context.targets, true);
        const gpu::Pipeline& pipeline = this->pipeline(context.scene, variant);
        std::vector<gpu::Descriptor> descriptors = work_.descriptors(context);
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
        work_.scene_changed();
    }

    [[nodiscard]] std::uint64_t decoded_bytes() const override { return work_.decoded_bytes(); }
    [[nodiscard]] std::uint64_t transient_bytes() const override { return work_.transient_bytes(); }

  private:
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
    SubletWork work_;
};

}  // namespace

std::unique_ptr<BackendBase> make_mesh_indirect(gpu::Device& device, VkDescriptorSetLayout textures) {
    return std::make_unique<MeshIndirectBackend>(device, textures);
}

}  // namespace sublet::render
