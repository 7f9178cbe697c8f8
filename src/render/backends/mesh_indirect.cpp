// Mesh shaders behind culling in compute down to triangles, packed into batches and drawn by
// vkCmdDrawMeshTasksIndirectCountEXT with the 2-D draws that the primitive pass grew in place. Reads: encoded or
// decoded sublets, batches. Writes: ids, depth.
#include "render/backends/backend.h"
#include "render/backends/mesh_shader.h"
#include "render/cull/primitives.h"
#include "render/cull/sublet_work.h"

namespace sublet::render {
namespace {

class MeshIndirectBackend final : public BackendBase {
  public:
    explicit MeshIndirectBackend(gpu::Device& device) : work_(device), primitives_(device) {}

    void begin_frame(const FrameContext& context, shared::CullState& state) override {
        work_.begin_frame(context);
        primitives_.begin_frame(context, context.plan.meshlet_workgroup, state);
    }

    CpuCounters record(RecordContext& context) override {
        const gpu::Pipeline& pipeline = context.pipelines.get(context.output.pipeline(stages(context.plan)));
        return primitives_.record(context, work_, [&](const PrimitivePass::Regions& regions, bool first) {
            draw_classes(context, first && context.first_draw(), pipeline, {work_.survivors(), primitives_.triangles()},
                         slots_of(regions), [&](std::uint32_t c) {
                             const shared::BatchConstants constants{
                                 c, 0, context.scene.sublets.base[c] + regions[c].first_slot, regions[c].first_word,
                                 regions[c].first_header};
                             record_mesh_draws(context, pipeline, c, primitives_.headers()[c], constants);
                         });
        });
    }

    void prepare(const GpuScene& scene, const FramePlan& plan, const TestHooks& hooks) override {
        work_.prepare(scene, plan, hooks);
    }

    void add_pipelines(const PhasePlan& phase, gpu::PipelineList& out) const override {
        PrimitivePass::add_pipelines(phase, phase.plan.meshlet_workgroup, out);
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
        out.name = "mesh-indirect";
        out.mesh = batch_mesh_shader(plan);
        return out;
    }

    SubletWork work_;
    PrimitivePass primitives_;
};

}  // namespace

std::unique_ptr<BackendBase> make_mesh_indirect(gpu::Device& device) {
    return std::make_unique<MeshIndirectBackend>(device);
}

}  // namespace sublet::render
