// Mesh shaders behind culling in compute: survivors are single sublets, drawn by vkCmdDrawMeshTasksIndirectCountEXT
// with the 2-D draws that the culling pass grew in place. Reads: encoded or decoded sublets, survivor lists. Writes:
// colour, depth.
#include <map>
#include <utility>

#include "gpu/barriers.h"
#include "render/backends/backend.h"
#include "render/backends/mesh_shader.h"
#include "render/backends/sublet_work.h"

namespace sublet::render {
namespace {

class MeshIndirectBackend final : public BackendBase {
  public:
    MeshIndirectBackend(gpu::Device& device, VkDescriptorSetLayout textures)
        : device_(device), textures_(textures), work_(device) {}

    CpuCounters record(RecordContext& context) override {
        VkCommandBuffer commands = context.frame.commands;
        const MeshShaderVariant variant = mesh_shader_variant(
            context.settings, device_.capabilities(),
            mesh_draws_in_one_call(device_.capabilities()) ? MeshSource::kDraws : MeshSource::kDraw);
        const gpu::Pipeline& pipeline = this->pipeline(context.scene, variant);
        const std::uint32_t sublets_per_group = variant.group / shared::kSubletSize;
        for (std::size_t round = 0; round < context.scene.sublets.rounds.size(); ++round) {
            work_.cull(context, sublets_per_group, round);
            const auto pass = context.pass("draw");
            begin_rendering(commands, context.targets, context.first_draw() && round == 0);
            std::vector<gpu::Descriptor> descriptors = work_.descriptors(context);
            descriptors.push_back(gpu::buffer_at(10, context.cull_state));
            context.frame.descriptors->bind(commands, pipeline, descriptors);
            context.scene.textures->bind(commands, pipeline);
            for (std::uint32_t draw_class = 0; draw_class < shared::kDrawClasses; ++draw_class) {
                const std::uint32_t sublets = context.scene.sublets.capacity[draw_class];
                if (sublets != 0) {
                    set_draw_class(commands, draw_class);
                    record_mesh_draws(commands, pipeline, context.cull_state, draw_class,
                                      (sublets + sublets_per_group - 1) / sublets_per_group,
                                      variant.source == MeshSource::kDraws);
                }
            }
            vkCmdEndRendering(commands);
        }
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
            stages.attributes = variant.attributes;
            stages.mesh = mesh_shader(variant, scene);
            stages.storage_buffers = 5;
            stages.push_constant_bytes = sizeof(MeshConstants);
            pipeline = make_surface_pipeline(device_, scene, textures_, std::move(stages));
        }
        return pipeline;
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
