// Mesh shaders behind culling in compute down to sublets, drawn by vkCmdDrawMeshTasksIndirectCountEXT with the 2-D
// draws that the culling pass grew in place. The mesh shader culls the sublets' triangles. Reads: encoded or decoded
// sublets, survivor lists. Writes: counters, ids, depth.
#include "render/backends/backend.h"
#include "render/backends/mesh_shader.h"
#include "render/cull/sublet_work.h"
#include "render/passes/passes.h"

namespace sublet::render {
namespace {

class MeshSubletsBackend final : public BackendBase {
  public:
    explicit MeshSubletsBackend(gpu::Device& device) : device_(device), work_(device) {}

    void begin_frame(const FrameContext& context, shared::CullState& /*state*/) override { work_.begin_frame(context); }

    CpuCounters record(RecordContext& context) override {
        const MeshShaderVariant variant = mesh_shader_variant(context.plan, device_.capabilities(), MeshSource::kList);
        VkCommandBuffer commands = context.frame.commands;
        const gpu::Pipeline& pipeline = context.pipelines.get(context.output.pipeline(stages(variant)));
        const std::uint32_t sublets_per_group = variant.group / shared::kSubletSize;
        for (std::size_t round = 0; round < context.scene.sublets.rounds.size(); ++round) {
            work_.cull(context, sublets_per_group, round);
            const auto pass = context.pass("draw");
            context.output.begin(commands, context.targets, context.first_draw() && round == 0);
            std::vector<gpu::Descriptor> descriptors = work_.descriptors(context);
            descriptors.push_back(gpu::buffer_at(10, context.cull_state));
            context.frame.descriptors->bind(commands, pipeline, descriptors);
            for (std::uint32_t draw_class = 0; draw_class < shared::kDrawClasses; ++draw_class) {
                const std::uint32_t sublets = context.scene.sublets.capacity[draw_class];
                if (sublets != 0) {
                    set_draw_class(commands, draw_class);
                    record_mesh_draws(commands, device_.capabilities(), pipeline, context.cull_state, draw_class,
                                      (sublets + sublets_per_group - 1) / sublets_per_group,
                                      MeshConstants{draw_class, 0, 0});
                }
            }
            vkCmdEndRendering(commands);
        }
        return {.rounds = static_cast<std::uint32_t>(context.scene.sublets.rounds.size())};
    }

    void scene_changed() override { work_.scene_changed(); }

    [[nodiscard]] std::uint64_t transient_bytes() const override { return work_.transient_bytes(); }

  private:
    [[nodiscard]] static GeometryStages stages(const MeshShaderVariant& variant) {
        GeometryStages out;
        out.id = IdSource::kPerPrimitive;
        out.name = "mesh-sublets";
        out.mesh = mesh_shader(variant);
        out.storage_buffers = 5;
        out.push_constant_bytes = sizeof(MeshConstants);
        return out;
    }

    gpu::Device& device_;
    SubletWork work_;
};

}  // namespace

std::unique_ptr<BackendBase> make_mesh_sublets(gpu::Device& device) {
    return std::make_unique<MeshSubletsBackend>(device);
}

}  // namespace sublet::render
