// A view's culling and drawing: all at once, or in two phases with the pyramid between them.
#pragma once

#include <cstddef>

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

// Makes ready all that the phases of a frame find reset, by transfers that one barrier orders before all passes. Throws
// Error when the plan's backend can't draw this scene on this device.
void begin_phases(const FrameParts& parts, ViewState& state, const FramePlan& plan, const View& cull_view,
                  std::size_t phases);

// Records culling and drawing into the view's targets, which are open. `frozen`: culling was frozen before this frame.
CpuCounters record_phases(const FrameParts& parts, ViewState& state, const FramePlan& plan, const View& cull_view,
                          const gpu::Buffer& frame_data, bool frozen);

}  // namespace sublet::render
