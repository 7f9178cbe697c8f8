// Culling of single triangles in compute, for the backends that draw what it leaves: as indices (compact), as batches
// for mesh shaders (mesh-indirect), or as masks for a task shader (task-mesh). What does not fit in the budget goes to
// further rounds of culling and drawing.
#pragma once

#include <array>
#include <cstdint>
#include <functional>

#include "gpu/pipeline.h"
#include "render/cull/sublet_work.h"
#include "render/view/record_context.h"
#include "shaders/shared/bindings.h"
#include "shaders/shared/passes.h"

namespace sublet::render {

class PrimitivePass {
  public:
    // What a round left of each draw class, for its draw.
    using Regions = PerClass<shared::TriangleRegion>;
    // Draws one round; `first`: the first of the phase.
    using Draw = std::function<void(const Regions& regions, bool first)>;

    explicit PrimitivePass(gpu::Device& device);

    // For BackendBase::prepare().
    void prepare(const GpuScene& scene, const FramePlan& plan, const TestHooks& hooks) {
        sublets_.prepare(scene, plan, hooks);
    }
    // For BackendBase::begin_frame(). `form`: of what the frame's passes leave, shared::kPrimitiveIndices,
    // kPrimitiveMasks, or the vertices and triangles of a batch: 32, 64, 128 or 256. Throws Error when the device's
    // memory can't hold that.
    void begin_frame(const FrameContext& context, std::uint32_t form, shared::CullState& state);
    // Records culling down to sublets, then to triangles, and `draw`, as often as all of the scene takes. Says how
    // often, and with what budget.
    CpuCounters record(RecordContext& context, const Draw& draw);
    // Forgets what was made for a scene.
    void scene_changed();

    // The pipelines of that, but for `draw`'s.
    static void add_pipelines(const PhasePlan& phase, std::uint32_t form, gpu::PipelineList& out);

    // The list of surviving sublets.
    [[nodiscard]] gpu::Descriptor survivors() const { return sublets_.survivors(); }
    // Written by the pass: shaders/cull/primitives.comp describes it.
    [[nodiscard]] const gpu::Buffer& output() const { return output_; }
    [[nodiscard]] gpu::Descriptor triangles() const { return gpu::buffer_at(shared::kBindTriangles, output_); }
    // Headers of each draw class in output(), at most.
    [[nodiscard]] const PerClass<std::uint32_t>& headers() const { return plan_.headers; }
    [[nodiscard]] std::uint64_t transient_bytes() const {
        return sublets_.transient_bytes() + (output_ ? output_.size() : 0);
    }

  private:
    // How the budget is shared out: for each class, slots a round takes, and where its region begins.
    struct Plan {
        Regions regions{};
        PerClass<std::uint32_t> headers{};
        std::uint32_t rounds = 0;
        std::uint64_t words = 0;
        std::uint64_t budget = 0;  // bytes, that there really were
    };

    [[nodiscard]] Plan plan_rounds(const GpuScene& scene) const;
    // The same with `least_runs` of sublets for each class in a round, at least.
    [[nodiscard]] Plan share_out(const GpuScene& scene, std::uint64_t budget,
                                 const PerClass<std::uint64_t>& least_runs) const;
    [[nodiscard]] Regions regions_of(const GpuScene& scene, std::uint32_t round) const;
    static void draw_round(const RecordContext& context, const Draw& draw, const Regions& regions, bool first_list,
                           std::uint32_t round);
    void reset_draws(const RecordContext& context, const Regions& regions) const;
    void cull(const RecordContext& context, const Regions& regions);
    // Whether it tests triangles against the pyramid and the depth image.
    [[nodiscard]] static bool reads_depth(const PhasePlan& phase);
    [[nodiscard]] static gpu::ComputePipelineDesc pipeline_desc(const PhasePlan& phase, std::uint32_t form);

    gpu::Device& device_;
    SubletWork sublets_;
    gpu::Sampler depth_sampler_;
    std::uint32_t form_ = 0;  // what the plan and the output are for
    std::uint64_t budget_ = 0;
    Plan plan_;
    gpu::Buffer output_;
};

// How many slots a round takes of each draw class.
[[nodiscard]] inline PerClass<std::uint32_t> slots_of(const PrimitivePass::Regions& regions) {
    PerClass<std::uint32_t> out{};
    for (std::size_t c = 0; c < regions.size(); ++c) out[c] = regions[c].slots;
    return out;
}

}  // namespace sublet::render
