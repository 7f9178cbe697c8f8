// Mesh shaders behind culling in compute down to triangles, packed into batches and drawn by
// vkCmdDrawMeshTasksIndirectCountEXT with the 2-D draws that the primitive pass grew in place. Reads: encoded or
// decoded sublets, batches. Writes: ids, depth.
#include "gpu/barriers.h"
#include "render/backends/backend.h"
#include "render/backends/mesh_shader.h"
#include "render/cull/primitives.h"
#include "render/cull/sublet_work.h"
#include "render/passes/passes.h"

namespace sublet::render {
namespace {

class MeshIndirectBackend final : public BackendBase {
  public:
    explicit MeshIndirectBackend(gpu::Device& device) : device_(device), work_(device), primitives_(device) {}

    void begin_frame(const FrameContext& context, shared::CullState& state) override {
        work_.begin_frame(context);
        primitives_.begin_frame(context, context.plan.meshlet_workgroup, state);
    }

    CpuCounters record(RecordContext& context) override {
        const MeshShaderVariant variant = mesh_shader_variant(context.plan, device_.capabilities(), MeshSource::kList);
        VkCommandBuffer commands = context.frame.commands;
        const gpu::Pipeline& pipeline = context.pipelines.get(context.output.pipeline(stages(variant)));
        return primitives_.record(context, work_, [&](const PrimitivePass::Regions& regions, bool first) {
            context.output.begin(commands, context.targets, first && context.first_draw());
            context.frame.descriptors->bind(commands, pipeline, primitives_.descriptors(context, work_));
            for (std::uint32_t c = 0; c < shared::kDrawClasses; ++c) {
                if (regions[c].slots == 0) continue;
                set_draw_class(commands, c);
                const BatchConstants constants{c, 0, context.scene.sublets.base[c] + regions[c].first_slot,
                                               regions[c].first_word, regions[c].first_header};
                record_mesh_draws(commands, device_.capabilities(), pipeline, context.cull_state, c, regions[c].headers,
                                  constants);
            }
            vkCmdEndRendering(commands);
        });
    }

    void scene_changed() override {
        primitives_.scene_changed();
        work_.scene_changed();
    }

    [[nodiscard]] std::uint64_t transient_bytes() const override {
        return work_.transient_bytes() + primitives_.transient_bytes();
    }

  private:
    struct BatchConstants {  // backends/batch.mesh
        std::uint32_t draw_class, first_group, first_slot, first_word, first_header;
    };

    [[nodiscard]] static GeometryStages stages(const MeshShaderVariant& variant) {
        GeometryStages out;
        out.id = IdSource::kPerPrimitive;
        out.name = "mesh-indirect";
        out.mesh = batch_mesh_shader(variant);
        out.storage_buffers = 6;
        out.push_constant_bytes = sizeof(BatchConstants);
        return out;
    }

    gpu::Device& device_;
    SubletWork work_;
    PrimitivePass primitives_;
};

}  // namespace

std::unique_ptr<BackendBase> make_mesh_indirect(gpu::Device& device) {
    return std::make_unique<MeshIndirectBackend>(device);
}

}  // namespace sublet::render
