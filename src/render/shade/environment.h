// Light from all around: the environment as surfaces of each roughness reflect it, and the irradiance that it makes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "gpu/device.h"
#include "gpu/pipelines.h"
#include "gpu/resources.h"
#include "render/passes/frame_context.h"
#include "render/settings/frame_plan.h"
#include "shaders/shared/environment.h"

namespace sublet::render {

class Environment {
  public:
    explicit Environment(gpu::Device& device);

    // Uploads the plan's picture, where record() will need it: so that no frame has to. Throws Error when the device
    // has no such image or memory runs out.
    void prepare(const FramePlan& plan);
    // Pass "environment", where what there is was not made for this plan: its light becomes that of the plan.
    void record(const FrameContext& context, const FramePlan& plan);
    static void add_pipelines(const FramePlan& plan, gpu::PipelineList& out);
    // What was recorded will not run.
    void forget() {
        made_for_.reset();
        has_reflectances_ = readable_ = false;
    }

    // For the pass set of who reads it.
    void add_descriptors(std::vector<gpu::Descriptor>& out) const;
    // What it takes of the device's memory.
    [[nodiscard]] std::uint64_t bytes() const;

  private:
    // What light is made of.
    struct Light {
        std::shared_ptr<const scene::EnvironmentMap> picture;  // null: the sky's,
        Sun sun;                                               // by this sun

        friend bool operator==(const Light&, const Light&) = default;
    };

    [[nodiscard]] bool has_light_for(const FramePlan& plan) const;
    void resize_source(std::uint32_t size);
    void record_reflectances(const FrameContext& context);
    void record_sky(const FrameContext& context, const Sun& sun);
    void record_picture(const FrameContext& context);
    void record_halves(const FrameContext& context);
    void record_irradiance(const FrameContext& context);
    void record_filter(const FrameContext& context);

    gpu::Device& device_;
    gpu::Image source_;        // a cube, with levels to one texel
    gpu::Image light_;         // a cube, its levels filtered by roughness
    gpu::Image reflectances_;  // environment/reflectances.comp
    gpu::Image picture_;       // as it was read; from prepare() until a cube is made of it
    gpu::Buffer irradiance_, sky_scattering_;
    gpu::Sampler sampler_, picture_sampler_;
    bool has_reflectances_ = false;
    bool readable_ = false;                                  // source_ and light_ are in the layout that reading wants
    std::shared_ptr<const scene::EnvironmentMap> uploaded_;  // to picture_
    std::optional<Light> made_for_;
};

}  // namespace sublet::render
