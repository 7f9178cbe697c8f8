// Task shaders that pack what compute leaves: passes cull down to triangles and leave masks of them, the task shader
// packs what survives into mesh workgroups. Reads: encoded or decoded sublets, masks. Writes: lists, masks, counters,
// ids, depth.
#include "render/backends/backend.h"
#include "render/backends/mesh_shader.h"
#include "render/cull/primitives.h"
#include "render/cull/sublet_work.h"
#include "render/passes/passes.h"
#include "shaders/embedded.h"
#include "shaders/shared/primitives.h"

namespace sublet::render {
namespace {

class TaskMeshBackend final : public BackendBase {
  public:
    explicit TaskMeshBackend(gpu::Device& device) : device_(device), work_(device), primitives_(device) {}

    void begin_frame(const FrameContext& context, shared::CullState& state) override {
        work_.begin_frame(context);
        primitives_.begin_frame(context, shared::kPrimitiveMasks, state);
    }

    CpuCounters record(RecordContext& context) override {
        VkCommandBuffer commands = context.frame.commands;
        const MeshShaderVariant variant =
            mesh_shader_variant(context.plan, device_.capabilities(), MeshSource::kTaskPacked);
        const gpu::Pipeline& pipeline = context.pipelines.get(context.output.pipeline(stages(variant)));
        const auto draw = [&](const PrimitivePass::Regions& regions, bool first) {
            context.output.begin(commands, context.targets, first && context.first_draw());
            context.frame.descriptors->bind(commands, pipeline, primitives_.descriptors(context, work_));
            for (std::uint32_t c = 0; c < shared::kDrawClasses; ++c) {
                const PrimitivePass::Region& region = regions[c];
                if (region.slots == 0) continue;
                set_draw_class(commands, c);
                // One draw holds them: a round has fewer than 2^28 slots.
                static_assert((1U << 28U) / shared::kPackedSlots <= shared::kMeshDrawGroups);
                record_mesh_draws(commands, device_.capabilities(), pipeline, context.cull_state, c, 1,
                                  Constants{c, region.first_slot, region.slots, region.first_word / 2});
            }
            vkCmdEndRendering(commands);
        };
        return primitives_.record(context, work_, draw);
    }

    void scene_changed() override {
        primitives_.scene_changed();
        work_.scene_changed();
    }

    [[nodiscard]] std::uint64_t transient_bytes() const override {
        return work_.transient_bytes() + primitives_.transient_bytes();
    }

  private:
    struct Constants {  // backends/packed_constants.glsl
        std::uint32_t draw_class, first_slot, slots, first_mask;
    };

    [[nodiscard]] GeometryStages stages(const MeshShaderVariant& variant) const {
        GeometryStages out;
        out.id = IdSource::kPerPrimitive;
        out.name = "task-mesh";
        out.mesh = packed_mesh_shader(variant, device_.capabilities());
        out.task.spirv = shaders::packed_task;
        out.task.specialization = {{2, variant.group}};
        out.storage_buffers = 6;
        out.push_constant_bytes = sizeof(Constants);
        return out;
    }

    gpu::Device& device_;
    SubletWork work_;
    PrimitivePass primitives_;
};

}  // namespace

std::unique_ptr<BackendBase> make_task_mesh(gpu::Device& device) {
    return std::make_unique<TaskMeshBackend>(device);
}

}  // namespace sublet::render
