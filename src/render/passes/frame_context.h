// What passes of a frame are recorded with.
#pragma once

#include <vector>

#include "gpu/descriptors.h"
#include "gpu/device.h"
#include "gpu/frame.h"
#include "gpu/pipelines.h"
#include "gpu/profiler.h"
#include "render/settings/test_hooks.h"
#include "shaders/shared/bindings.h"

namespace sublet::render {

struct FrameContext {
    gpu::Device& device;
    gpu::Frame& frame;
    gpu::Profiler& profiler;
    gpu::Pipelines& pipelines;
    const TestHooks& hooks;

    // A pass, while the result lives.
    [[nodiscard]] gpu::Profiler::Pass pass(const char* name) const { return profiler.pass(frame.commands, name); }

    // Binds the pipeline of a description (made where there is none yet), and as its set kPassSet what it reads and
    // writes.
    template <class PipelineDesc>
    const gpu::Pipeline& bind(const PipelineDesc& desc, const std::vector<gpu::Descriptor>& pass_set) const {
        const gpu::Pipeline& pipeline = pipelines.get(desc);
        frame.descriptors->bind(frame.commands, pipeline, pass_set, shared::kPassSet);
        return pipeline;
    }
    // And `scene_set` as its set kSceneSet.
    template <class PipelineDesc>
    const gpu::Pipeline& bind(const PipelineDesc& desc, const std::vector<gpu::Descriptor>& scene_set,
                              const std::vector<gpu::Descriptor>& pass_set) const {
        const gpu::Pipeline& pipeline = pipelines.get(desc);
        frame.descriptors->bind(frame.commands, pipeline, scene_set, shared::kSceneSet);
        frame.descriptors->bind(frame.commands, pipeline, pass_set, shared::kPassSet);
        return pipeline;
    }
};

}  // namespace sublet::render
