// The one small interface of all backends: the last step of a frame. Each view has its own, with lists of its own: the
// views of a frame do not wait for one another.
#pragma once

#include <memory>

#include "render/cull/phase.h"

namespace sublet::render {

// VRAM bytes of what a frame leaves to its own draws.
struct TransientBytes {
    std::uint64_t survivors = 0;  // lists of meshlets and sublets, their draws, work expansion
    std::uint64_t triangles = 0;  // lists of triangles
};

class BackendBase {
  public:
    BackendBase() = default;
    virtual ~BackendBase() = default;
    BackendBase(const BackendBase&) = delete;
    BackendBase& operator=(const BackendBase&) = delete;

    // The list of what survives culling, for frames by `plan`; an empty one where there is none.
    [[nodiscard]] virtual SurvivorPlan survivors(const GpuScene& /*scene*/, const FramePlan& /*plan*/) const {
        return {};
    }
    // Records the transfers that passes of any of the frame's phases need done, for the renderer to order all of them
    // before all passes by one barrier: a transfer and its barrier between two passes cost more than many a pass.
    // `state`: what the cull state of each phase and round will start with, to add to.
    virtual void begin_frame(const ViewContext& /*context*/, shared::CullState& /*state*/) {}
    // Records culling and drawing of one frame, or of one of its two phases, with their passes. Writes GPU counters to
    // the cull state.
    virtual CpuCounters record(PhaseContext& context) = 0;
    // Records what follows all phases.
    virtual void end_frame(const ViewContext& /*context*/) {}
    // Lists the pipelines that record() will want of a phase.
    virtual void add_pipelines(const PhasePlan& phase, gpu::PipelineList& out) const = 0;
    // VRAM bytes beside the scene's own.
    [[nodiscard]] virtual TransientBytes transient_bytes() const { return {}; }
};

// Each in its file, for Backends::get().
[[nodiscard]] std::unique_ptr<BackendBase> make_direct(gpu::Device& device);
[[nodiscard]] std::unique_ptr<BackendBase> make_raster(gpu::Device& device);
[[nodiscard]] std::unique_ptr<BackendBase> make_mdi(gpu::Device& device);
[[nodiscard]] std::unique_ptr<BackendBase> make_generated(gpu::Device& device);
[[nodiscard]] std::unique_ptr<BackendBase> make_graph(gpu::Device& device);
[[nodiscard]] std::unique_ptr<BackendBase> make_graph_amdx(gpu::Device& device);
[[nodiscard]] std::unique_ptr<BackendBase> make_compact(gpu::Device& device);
[[nodiscard]] std::unique_ptr<BackendBase> make_mesh_indirect(gpu::Device& device);
[[nodiscard]] std::unique_ptr<BackendBase> make_mesh_sublets(gpu::Device& device);
[[nodiscard]] std::unique_ptr<BackendBase> make_task_mesh(gpu::Device& device);
[[nodiscard]] std::unique_ptr<BackendBase> make_task_flat(gpu::Device& device);
[[nodiscard]] std::unique_ptr<BackendBase> make_task_hierarchical(gpu::Device& device);

}  // namespace sublet::render
