// Mesh shaders behind culling in compute, drawn by vkCmdDrawMeshTasksIndirectCountEXT with the 2-D draws that the
// culling pass grew in place. Survivors are batches of single triangles, or sublets whose triangles the mesh shader
// culls itself. Reads: encoded or decoded sublets, survivor lists. Writes: ids, depth.
#include <map>
#include <utility>

#include "gpu/barriers.h"
#include "render/backends/backend.h"
#include "render/backends/mesh_shader.h"
#include "render/backends/primitive_pass.h"
#include "render/backends/sublet_work.h"

namespace sublet::render {
namespace {

class MeshIndirectBackend final : public BackendBase {
  public:
    explicit MeshIndirectBackend(gpu::Device& device) : device_(device), work_(device), primitives_(device) {}

    void begin_frame(const FrameContext& context, shared::CullState& state) override {
        work_.begin_frame(context);
        if (culls_primitives_in_compute(context.settings)) {
            primitives_.begin_frame(context, context.settings.meshlet_workgroup, state);
        }
    }

    CpuCounters record(RecordContext& context) override {
        const MeshShaderVariant variant = mesh_shader_variant(
            context.settings, device_.capabilities(),
            mesh_draws_in_one_call(device_.capabilities()) ? MeshSource::kDraws : MeshSource::kDraw);
        return culls_primitives_in_compute(context.settings) ? draw_batches(context, variant)
                                                             : draw_sublets(context, variant);
    }

    void scene_changed() override {
        for (auto& [key, pipeline] : pipelines_) {
            device_.retire(std::move(pipeline));
        }
        pipelines_.clear();
        primitives_.scene_changed();
        work_.scene_changed();
    }

    [[nodiscard]] std::uint64_t decoded_bytes() const override { return 0; }
    [[nodiscard]] std::uint64_t transient_bytes() const override {
        return work_.transient_bytes() + primitives_.transient_bytes();
    }

  private:
    struct BatchConstants {  // backends/batch.mesh
        std::uint32_t draw_class, first_group, first_slot, first_word, first_header;
    };

    CpuCounters draw_sublets(RecordContext& context, const MeshShaderVariant& variant) {
        VkCommandBuffer commands = context.frame.commands;
        const gpu::Pipeline& pipeline = this->pipeline(context.scene, variant, false);
        const std::uint32_t sublets_per_group = variant.group / shared::kSubletSize;
        for (std::size_t round = 0; round < context.scene.sublets.rounds.size(); ++round) {
            work_.cull(context, sublets_per_group, round);
            const auto pass = context.pass("draw");
            begin_rendering(commands, context.targets, context.first_draw() && round == 0);
            std::vector<gpu::Descriptor> descriptors = work_.descriptors(context);
            descriptors.push_back(gpu::buffer_at(10, context.cull_state));
            context.frame.descriptors->bind(commands, pipeline, descriptors);
            for (std::uint32_t draw_class = 0; draw_class < shared::kDrawClasses; ++draw_class) {
                const std::uint32_t sublets = context.scene.sublets.capacity[draw_class];
                if (sublets != 0) {
                    set_draw_class(commands, draw_class);
                    record_mesh_draws(commands, pipeline, context.cull_state, draw_class,
                                      (sublets + sublets_per_group - 1) / sublets_per_group,
                                      variant.source == MeshSource::kDraws, MeshConstants{draw_class, 0, 0});
                }
            }
            vkCmdEndRendering(commands);
        }
        return {.rounds = static_cast<std::uint32_t>(context.scene.sublets.rounds.size())};
    }

    CpuCounters draw_batches(RecordContext& context, const MeshShaderVariant& variant) {
        VkCommandBuffer commands = context.frame.commands;
        const gpu::Pipeline& pipeline = this->pipeline(context.scene, variant, true);
        return primitives_.record(context, work_, [&](const PrimitivePass::Regions& regions, bool first) {
            begin_rendering(commands, context.targets, first && context.first_draw());
            context.frame.descriptors->bind(commands, pipeline, primitives_.descriptors(context, work_));
            for (std::uint32_t c = 0; c < shared::kDrawClasses; ++c) {
                if (regions[c].slots == 0) continue;
                set_draw_class(commands, c);
                const BatchConstants constants{c, 0, context.scene.sublets.base[c] + regions[c].first_slot,
                                               regions[c].first_word, regions[c].first_header};
                record_mesh_draws(commands, pipeline, context.cull_state, c, regions[c].headers,
                                  variant.source == MeshSource::kDraws, constants);
            }
            vkCmdEndRendering(commands);
        });
    }

    // `batches`: the pipeline of batches, else that of sublets.
    const gpu::Pipeline& pipeline(const GpuScene& scene, const MeshShaderVariant& variant, bool batches) {
        gpu::Pipeline& pipeline = pipelines_[{variant, batches}];
        if (!pipeline) {
            VisibilityStages stages;
            stages.id = IdSource::kPerPrimitive;
            stages.name = batches ? "mesh-indirect batches" : "mesh-indirect";
            stages.mesh = batches ? batch_mesh_shader(variant) : mesh_shader(variant);
            stages.storage_buffers = batches ? 6 : 5;
            stages.push_constant_bytes = batches ? sizeof(BatchConstants) : sizeof(MeshConstants);
            pipeline = make_visibility_pipeline(device_, scene, std::move(stages));
        }
        return pipeline;
    }

    gpu::Device& device_;
    std::map<std::pair<MeshShaderVariant, bool>, gpu::Pipeline> pipelines_;
    SubletWork work_;
    PrimitivePass primitives_;
};

}  // namespace

std::unique_ptr<BackendBase> make_mesh_indirect(gpu::Device& device) {
    return std::make_unique<MeshIndirectBackend>(device);
}

}  // namespace sublet::render
