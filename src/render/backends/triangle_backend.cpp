#include "render/backends/triangle_backend.h"

#include "render/backends/rest.h"

namespace sublet::render {
namespace {

class TriangleBackend final : public BackendBase {
  public:
    TriangleBackend(gpu::Device& device, const TriangleDraw& draw) : draw_(draw), triangles_(device) {}

    [[nodiscard]] SurvivorPlan survivors(const GpuScene& scene, const FramePlan& plan) const override {
        return triangles_.survivors(scene, plan, draw_.form(plan));
    }

    void begin_frame(const ViewContext& context, shared::CullState& state) override {
        triangles_.begin_frame(context, draw_.form(context.plan), state);
    }

    CpuCounters record(PhaseContext& context) override {
        const GeometryStages stages = draw_.stages(context.plan);
        context.for_each_round([&] {
            triangles_.cull(context);
            const auto pass = context.pass("draw");
            context.draw(
                context.first_draw(), stages, {triangles_.list(), triangles_.triangles()}, context.survivors.slots,
                [&](const gpu::Pipeline& pipeline, std::uint32_t c) { draw_.draw(context, pipeline, triangles_, c); });
        });
        draw_rest(context);
        return triangles_.counters();
    }

    void add_pipelines(const PhasePlan& phase, gpu::PipelineList& out) const override {
        triangles_.add_pipelines(phase, draw_.form(phase.plan), out);
        phase.add_draws(draw_.stages(phase.plan), out);
        add_rest_pipeline(phase, out);
    }

    [[nodiscard]] TransientBytes transient_bytes() const override {
        return {.survivors = triangles_.list_bytes(), .triangles = triangles_.output_bytes()};
    }

  private:
    TriangleDraw draw_;
    PrimitivePass triangles_;
};

}  // namespace

std::unique_ptr<BackendBase> make_triangle_backend(gpu::Device& device, const TriangleDraw& draw) {
    return std::make_unique<TriangleBackend>(device, draw);
}

}  // namespace sublet::render
