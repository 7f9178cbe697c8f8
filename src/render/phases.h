// A view's culling and drawing: all at once, or in two phases with the pyramid between them.
#pragma once

#include <cstddef>
#include <vector>

#include "gpu/device.h"
#include "gpu/frame.h"
#include "gpu/profiler.h"
#include "render/backends/backends.h"
#include "render/settings/test_hooks.h"
#include "render/view/view_state.h"

namespace sublet::render {

// What all views of a frame are drawn with.
struct FrameParts {
    gpu::Device& device;
    gpu::Frame& frame;
    gpu::Profiler& profiler;
    gpu::Pipelines& pipelines;
    const DecodePass& decode;
    const GpuScene& scene;
    Backends& backends;
    const TestHooks& hooks;
};

// The lists of a frame.
struct FrameLists {
    SurvivorPlan survivors;    // BackendBase::survivors()
    std::uint32_t rounds = 1;  // to be recorded
};

// Makes ready all that the phases of a frame find reset, by transfers that one barrier orders before all passes.
void begin_phases(const FrameParts& parts, ViewState& state, const FramePlan& plan, const FrameLists& lists,
                  const View& cull_view, std::size_t phases);

// Records culling and drawing into the view's targets, which are open. `scene_set`: scene_descriptors(). `frozen`:
// culling was frozen before this frame.
CpuCounters record_phases(const FrameParts& parts, ViewState& state, const FramePlan& plan, const FrameLists& lists,
                          const View& cull_view, const std::vector<gpu::Descriptor>& scene_set, bool frozen);

// What two phases keep bits of.
[[nodiscard]] OcclusionDetail kept_detail(const FramePlan& plan);

// Lists the pipelines that the phases of a frame will want.
void add_phase_pipelines(Backends& backends, const GpuScene& scene, const FramePlan& plan, gpu::PipelineList& out);

}  // namespace sublet::render
