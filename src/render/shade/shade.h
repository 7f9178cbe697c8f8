// Reads: ids and depth that geometry left, the scene. Writes: colour, each pixel once.
#pragma once

#include <cstdint>
#include <span>

#include "gpu/device.h"
#include "gpu/frame.h"
#include "gpu/pipelines.h"
#include "gpu/profiler.h"
#include "gpu/resources.h"
#include "render/scene/gpu_scene.h"
#include "render/settings/frame_plan.h"
#include "render/view/record_context.h"

namespace sublet::render {

// The colour (sRGB bytes) of pixels that nothing covers.
inline constexpr std::uint8_t kBackgroundColor[4] = {137, 170, 204, 255};

class ShadePass {
  public:
    // `textures`: the layout of set kTextureSet.
    ShadePass(gpu::Device& device, VkDescriptorSetLayout textures);

    // Pass "shade": from `targets`, in the layouts that rendering wants, to `color`, a kColorFormat image with storage
    // usage, of the same size. Leaves ids in SHADER_READ_ONLY_OPTIMAL, depth in DEPTH_READ_ONLY_OPTIMAL, and colour in
    // TRANSFER_SRC_OPTIMAL. `ids_of_phase_1`: for Show::kPhase, in SHADER_READ_ONLY_OPTIMAL; else null.
    // `scene_set`: scene_descriptors().
    void record(gpu::Frame& frame, gpu::Profiler& profiler, gpu::Pipelines& pipelines, const GpuScene& scene,
                const FramePlan& plan, std::span<const gpu::Descriptor> scene_set, const Targets& targets,
                const gpu::Image* ids_of_phase_1, const gpu::Image& color);

    // The pipeline of that.
    void add_pipelines(const GpuScene& scene, const FramePlan& plan, gpu::PipelineList& out) const {
        out.add(pipeline_desc(scene, plan));
    }

  private:
    [[nodiscard]] gpu::ComputePipelineDesc pipeline_desc(const GpuScene& scene, const FramePlan& plan) const;

    VkDescriptorSetLayout textures_;
    gpu::Sampler sampler_;  // images are read texel by texel: any will do
};

}  // namespace sublet::render
