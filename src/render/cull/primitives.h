// Culling of single triangles in compute, for the backends that draw what it leaves: as indices (compact), as batches
// for mesh shaders (mesh-indirect), or as masks for a task shader (task-mesh). What it writes has room for all
// triangles of as many sublets as their list holds.
#pragma once

#include <cstdint>

#include "gpu/pipeline.h"
#include "render/cull/phase.h"
#include "render/cull/sublet_work.h"
#include "shaders/shared/bindings.h"
#include "shaders/shared/passes.h"

namespace sublet::render {

class PrimitivePass {
  public:
    // Where what survives of each draw class lies.
    using Regions = PerClass<shared::TriangleRegion>;

    explicit PrimitivePass(gpu::Device& device);

    // `form`, here and below: of what the frame's passes leave, shared::kPrimitiveIndices, kPrimitiveMasks, or the
    // vertices and triangles of a batch: 32, 64, 128 or 256.
    // For BackendBase::survivors().
    [[nodiscard]] SurvivorPlan survivors(const GpuScene& scene, const FramePlan& plan, std::uint32_t form) const;
    // For BackendBase::begin_frame(). Throws Error when the device's memory can't hold the output.
    void begin_frame(const ViewContext& context, std::uint32_t form, shared::CullState& state);
    // Records culling down to sublets, then to triangles, of one round.
    void cull(const PhaseContext& context) const;
    // What is known of frames that do.
    [[nodiscard]] CpuCounters counters() const { return {.compact_budget = budget_}; }

    // The pipelines of that, but for `draw`'s.
    void add_pipelines(const PhasePlan& phase, std::uint32_t form, gpu::PipelineList& out) const;

    // The list of surviving sublets.
    [[nodiscard]] gpu::Descriptor list() const { return sublets_.list(); }
    // Written by the pass: shaders/cull/primitives.comp describes it.
    [[nodiscard]] const gpu::Buffer& output() const { return output_; }
    [[nodiscard]] gpu::Descriptor triangles() const { return gpu::buffer_at(shared::kBindTriangles, output_); }
    [[nodiscard]] const Regions& regions() const { return regions_; }
    // Headers of each draw class in output(), at most.
    [[nodiscard]] const PerClass<std::uint32_t>& headers() const { return headers_; }
    [[nodiscard]] std::uint64_t list_bytes() const { return sublets_.list_bytes(); }
    [[nodiscard]] std::uint64_t output_bytes() const { return output_ ? output_.size() : 0; }

  private:
    // Bytes of its output, at most.
    [[nodiscard]] std::uint64_t budget(const FramePlan& plan) const;
    // Whether it tests triangles against the pyramid and the depth image.
    [[nodiscard]] static bool reads_depth(const PhasePlan& phase);
    [[nodiscard]] static gpu::ComputePipelineDesc pipeline_desc(const PhasePlan& phase, std::uint32_t form);

    gpu::Device& device_;
    SubletWork sublets_;
    gpu::Sampler depth_sampler_;
    gpu::Image no_depth_;  // for phases that read none
    std::uint32_t form_ = 0;
    std::uint64_t budget_ = 0;  // bytes
    Regions regions_{};
    PerClass<std::uint32_t> headers_{};
    gpu::Buffer output_;
};

}  // namespace sublet::render
