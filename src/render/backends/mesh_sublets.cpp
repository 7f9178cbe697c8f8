// Mesh shaders behind culling in compute down to sublets, drawn by vkCmdDrawMeshTasksIndirectCountEXT with the 2-D
// draws that the culling pass grew in place. The mesh shader culls the sublets' triangles. Reads: encoded or decoded
// sublets, survivor lists. Writes: counters, ids, depth.
#include "render/backends/backend.h"
#include "render/backends/mesh_shader.h"
#include "render/backends/rest.h"
#include "render/cull/sublet_work.h"

namespace sublet::render {
namespace {

class MeshSubletsBackend final : public BackendBase {
  public:
    explicit MeshSubletsBackend(gpu::Device& device) : work_(device) {}

    [[nodiscard]] SurvivorPlan survivors(const GpuScene& scene, const FramePlan& plan) const override {
        return SubletWork::survivors(scene, plan);
    }

    void begin_frame(const ViewContext& context, shared::CullState& /*state*/) override { work_.begin_frame(context); }

    CpuCounters record(PhaseContext& context) override {
        const std::uint32_t sublets_per_group = this->sublets_per_group(context.plan);
        const PerClass<std::uint32_t>& slots = context.survivors.slots;
        context.for_each_round([&] {
            work_.cull(context, sublets_per_group);
            const auto pass = context.pass("draw");
            context.draw(context.first_draw(), stages(context.plan), {work_.list()}, slots,
                         [&](const gpu::Pipeline& pipeline, std::uint32_t c) {
                             const std::uint32_t groups = (slots[c] + sublets_per_group - 1) / sublets_per_group;
                             record_mesh_draws(context, pipeline, c, groups, shared::MeshConstants{c, 0, 0});
                         });
        });
        draw_rest(context);
        return {};
    }

    void add_pipelines(const PhasePlan& phase, gpu::PipelineList& out) const override {
        work_.add_pipelines(phase, sublets_per_group(phase.plan), out);
        phase.add_draws(stages(phase.plan), out);
        add_rest_pipeline(phase, out);
    }

    [[nodiscard]] TransientBytes transient_bytes() const override { return {.survivors = work_.list_bytes()}; }

  private:
    [[nodiscard]] static std::uint32_t sublets_per_group(const FramePlan& plan) {
        return plan.meshlet_workgroup / shared::kSubletSize;
    }

    [[nodiscard]] static GeometryStages stages(const FramePlan& plan) {
        GeometryStages out;
        out.id = IdSource::kPerPrimitive;
        out.name = "mesh-sublets";
        out.mesh = mesh_shader(plan, MeshSource::kList);
        return out;
    }

    SubletWork work_;
};

}  // namespace

std::unique_ptr<BackendBase> make_mesh_sublets(gpu::Device& device) {
    return std::make_unique<MeshSubletsBackend>(device);
}

}  // namespace sublet::render
