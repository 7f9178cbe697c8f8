// Reads: ids and depth that geometry left, the scene. Writes: colour, each pixel once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gpu/device.h"
#include "gpu/frame.h"
#include "gpu/pipelines.h"
#include "gpu/profiler.h"
#include "gpu/resources.h"
#include "render/scene/gpu_scene.h"
#include "render/settings/frame_plan.h"
#include "render/shade/environment.h"
#include "render/view/inspection.h"
#include "render/view/record_context.h"
#include "render/view/view_state.h"

namespace sublet::render {

// The colour (sRGB bytes) of pixels that nothing covers.
inline constexpr std::uint8_t kBackgroundColor[4] = {137, 170, 204, 255};

class ShadePass {
  public:
    // `textures`: the layout of set kTextureSet.
    ShadePass(gpu::Device& device, VkDescriptorSetLayout textures);

    // Pass "shade": from the view's targets, in the layouts that rendering wants, to its colour. Leaves ids in
    // SHADER_READ_ONLY_OPTIMAL, depth in DEPTH_READ_ONLY_OPTIMAL, and colour in TRANSFER_SRC_OPTIMAL. `two_phases`: it
    // was drawn in two, and ViewState::keep_ids() kept what Show::kPhase asks for. `scene_set`: scene_descriptors().
    // `environment`: was recorded for this plan. `inspection`: its selection is one of the scene, and
    // Inspector::begin() knows of it.
    void record(gpu::Frame& frame, gpu::Profiler& profiler, gpu::Pipelines& pipelines, const GpuScene& scene,
                const FramePlan& plan, std::span<const gpu::Descriptor> scene_set, const ViewState& view,
                const Environment& environment, bool two_phases, const Inspection& inspection);

    // The pipeline of that; `inspected`: and that of frames with an inspection.
    void add_pipelines(const GpuScene& scene, const FramePlan& plan, bool inspected, gpu::PipelineList& out) const {
        out.add(pipeline_desc(scene, plan, plan.wireframe));
        if (inspected && !plan.wireframe) out.add(pipeline_desc(scene, plan, true));
    }

  private:
    // `inspect`: what costs nothing else.
    [[nodiscard]] gpu::ComputePipelineDesc pipeline_desc(const GpuScene& scene, const FramePlan& plan,
                                                         bool inspect) const;
    [[nodiscard]] std::vector<gpu::Descriptor> pass_set(const ViewState& view, bool two_phases) const;

    VkDescriptorSetLayout textures_;
    gpu::Image no_overdraw_;  // where nothing was counted: a texel that nobody reads
};

}  // namespace sublet::render
