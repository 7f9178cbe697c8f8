// Task shaders that pack what compute leaves: passes cull down to triangles and leave masks of them, the task shader
// packs what survives into mesh workgroups. Reads: encoded or decoded sublets, masks. Writes: lists, masks, counters,
// ids, depth.
#include "render/backends/backend.h"
#include "render/backends/mesh_shader.h"
#include "render/cull/primitives.h"
#include "render/cull/sublet_work.h"
#include "shaders/embedded.h"
#include "shaders/shared/bindings.h"
#include "shaders/shared/primitives.h"

namespace sublet::render {
namespace {

class TaskMeshBackend final : public BackendBase {
  public:
    explicit TaskMeshBackend(gpu::Device& device) : work_(device), primitives_(device) {}

    void begin_frame(const FrameContext& context, shared::CullState& state) override {
        work_.begin_frame(context);
        primitives_.begin_frame(context, shared::kPrimitiveMasks, state);
    }

    CpuCounters record(RecordContext& context) override {
        const gpu::Pipeline& pipeline = context.pipelines.get(context.output.pipeline(stages(context.plan)));
        return primitives_.record(context, work_, [&](const PrimitivePass::Regions& regions, bool first) {
            draw_classes(context, first && context.first_draw(), pipeline, {work_.survivors(), primitives_.triangles()},
                         slots_of(regions), [&](std::uint32_t c) {
                             // One draw holds them: a round has fewer than 2^28 slots.
                             static_assert((1U << 28U) / shared::kPackedSlots <= shared::kMeshDrawGroups);
                             const shared::PackedConstants constants{c, regions[c].first_slot, regions[c].slots,
                                                                     regions[c].first_word / 2};
                             record_mesh_draws(context, pipeline, c, 1, constants);
                         });
        });
    }

    void prepare(const GpuScene& scene, const FramePlan& plan, const TestHooks& hooks) override {
        work_.prepare(scene, plan, hooks);
    }

    void add_pipelines(const PhasePlan& phase, gpu::PipelineList& out) const override {
        PrimitivePass::add_pipelines(phase, shared::kPrimitiveMasks, out);
        out.add(phase.output.pipeline(stages(phase.plan)));
    }

    void scene_changed() override {
        primitives_.scene_changed();
        work_.scene_changed();
    }

    [[nodiscard]] std::uint64_t transient_bytes() const override {
        return work_.transient_bytes() + primitives_.transient_bytes();
    }

  private:
    [[nodiscard]] static GeometryStages stages(const FramePlan& plan) {
        GeometryStages out;
        out.id = IdSource::kPerPrimitive;
        out.name = "task-mesh";
        out.mesh = packed_mesh_shader(plan);
        out.task.spirv = shaders::packed_task;
        out.task.specialization = {{shared::kSpecMeshLanes, plan.meshlet_workgroup}};
        return out;
    }

    SubletWork work_;
    PrimitivePass primitives_;
};

}  // namespace

std::unique_ptr<BackendBase> make_task_mesh(gpu::Device& device) {
    return std::make_unique<TaskMeshBackend>(device);
}

}  // namespace sublet::render
