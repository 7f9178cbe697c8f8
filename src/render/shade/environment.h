// Light from all around: the environment as surfaces of each roughness reflect it, and the irradiance that it makes.
#pragma once

#include <optional>
#include <vector>

#include "gpu/device.h"
#include "gpu/frame.h"
#include "gpu/pipelines.h"
#include "gpu/profiler.h"
#include "gpu/resources.h"
#include "render/settings/frame_plan.h"
#include "shaders/shared/environment.h"

namespace sublet::render {

class Environment {
  public:
    explicit Environment(gpu::Device& device);

    // Pass "environment", where what there is was not made for this plan: its light becomes that of the plan.
    void record(gpu::Frame& frame, gpu::Profiler& profiler, gpu::Pipelines& pipelines, const FramePlan& plan);
    static void add_pipelines(gpu::PipelineList& out);
    // What was recorded will not run.
    void forget() {
        made_for_.reset();
        has_reflectances_ = false;
    }

    // For the pass set of who reads it.
    void add_descriptors(std::vector<gpu::Descriptor>& out) const;

  private:
    void record_sky(const gpu::Frame& frame, gpu::Pipelines& pipelines, const shared::EnvironmentConstants& constants);

    gpu::Image source_;        // a cube, with levels to one texel
    gpu::Image light_;         // a cube, its levels filtered by roughness
    gpu::Image reflectances_;  // environment/reflectances.comp
    gpu::Buffer irradiance_, sky_scattering_;
    gpu::Sampler sampler_;
    bool has_reflectances_ = false;
    std::optional<Sun> made_for_;
};

}  // namespace sublet::render
