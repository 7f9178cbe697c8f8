// Culling of single triangles in compute, for the backends that draw what it leaves: as indices (compact), as batches
// for mesh shaders (mesh-indirect), or as masks for a task shader (task-mesh). What does not fit in the budget goes to
// further rounds of culling and drawing.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "gpu/pipeline.h"
#include "render/cull/sublet_work.h"
#include "render/view/record_context.h"

namespace sublet::render {

class PrimitivePass {
  public:
    // What a round left of each draw class, for its draw.
    struct Region {
        std::uint32_t first_slot = 0;    // of the round, in the list of surviving sublets
        std::uint32_t slots = 0;         // how many the round takes; 0: the class has none in this round
        std::uint32_t first_word = 0;    // in output(): of indices, masks or batches
        std::uint32_t first_header = 0;  // in output(): of the batches' headers, or of the words that tell triangles
        std::uint32_t headers = 0;       // at most
    };
    using Regions = std::array<Region, shared::kDrawClasses>;
    // Draws one round; `first`: the first of the phase.
    using Draw = std::function<void(const Regions& regions, bool first)>;

    explicit PrimitivePass(gpu::Device& device);

    // For BackendBase::begin_frame(). `form`: of what the frame's passes leave, shared::kPrimitiveIndices,
    // kPrimitiveMasks, or the vertices and triangles of a batch: 32, 64, 128 or 256. Throws Error when the device's
    // memory can't hold that.
    void begin_frame(const FrameContext& context, std::uint32_t form, shared::CullState& state);
    // Records culling down to sublets, then to triangles, and `draw`, as often as all of the scene takes. Says how
    // often, and with what budget.
    CpuCounters record(RecordContext& context, SubletWork& work, const Draw& draw);
    // Forgets what was made for a scene.
    void scene_changed();

    // For draws of what it leaves, bindings 0 to 11: SubletWork's, the cull state, output().
    [[nodiscard]] std::vector<gpu::Descriptor> descriptors(const RecordContext& context, const SubletWork& work) const;
    // Written by the pass: shaders/cull/primitives.comp describes it.
    [[nodiscard]] const gpu::Buffer& output() const { return output_; }
    [[nodiscard]] std::uint64_t transient_bytes() const { return output_ ? output_.size() : 0; }

  private:
    // How the budget is shared out: for each class, slots a round takes, and where its region begins.
    struct Plan {
        Regions regions{};
        std::uint32_t rounds = 0;
        std::uint64_t words = 0;
        std::uint64_t budget = 0;  // bytes, that there really were
    };
    struct Variant {
        bool encoded, count, primitive_bits;
        std::uint32_t form;
        std::uint32_t subgroup_size;  // 0: by shared memory
        CullPhase phase;
        // Tests triangles against the pyramid and the depth image.
        [[nodiscard]] bool reads_depth() const { return primitive_bits && phase == CullPhase::kSecond; }
    };

    [[nodiscard]] Plan plan_rounds(const GpuScene& scene) const;
    // The same with `least_runs` of sublets for each class in a round, at least.
    [[nodiscard]] Plan share_out(const GpuScene& scene, std::uint64_t budget,
                                 const std::array<std::uint64_t, shared::kDrawClasses>& least_runs) const;
    [[nodiscard]] Regions regions_of(const GpuScene& scene, std::uint32_t round) const;
    static void draw_round(const RecordContext& context, const Draw& draw, const Regions& regions, bool first_list,
                           std::uint32_t round);
    void reset_draws(const RecordContext& context, const Regions& regions) const;
    void cull(const RecordContext& context, const SubletWork& work, const Regions& regions);
    [[nodiscard]] gpu::ComputePipelineDesc pipeline_desc(const Variant& variant) const;

    gpu::Device& device_;
    gpu::Sampler depth_sampler_;
    std::uint32_t form_ = 0;  // what the plan and the output are for
    std::uint64_t budget_ = 0;
    Plan plan_;
    gpu::Buffer output_;
};

}  // namespace sublet::render
