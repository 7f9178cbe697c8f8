// Reads: ids and depth that geometry left, the scene. Writes: colour, each pixel once; with FramePlan::keep_light its
// light too. Where the scene has transmissive surfaces, first the light of all others, level by level, for what they
// let through.
#pragma once

#include <cstdint>
#include <vector>

#include "gpu/device.h"
#include "gpu/pipelines.h"
#include "gpu/resources.h"
#include "render/shade/environment.h"
#include "render/view/inspection.h"
#include "render/view/picture_state.h"
#include "render/view/view_context.h"

namespace sublet::render {

// The colour (sRGB bytes) of pixels that nothing covers.
inline constexpr std::uint8_t kBackgroundColor[4] = {137, 170, 204, 255};

class ShadePass {
  public:
    // `textures`: the layout of set kTextureSet.
    ShadePass(gpu::Device& device, VkDescriptorSetLayout textures);

    // Pass "shade": from the view's targets, closed, to its colour, which it leaves in TRANSFER_SRC_OPTIMAL.
    // `environment`: was recorded for this plan. `inspection`: its selection is one of the scene, and
    // Inspector::begin() knows of it. Where nothing exposes the frame, its light is measured for the next one, but for
    // frames that are averaged, which are exposed alike.
    void record(const ViewContext& context, const PictureState& picture, const Environment& environment,
                const Inspection& inspection);

    // The same, with a pipeline that is compiled soon, for while record()'s is not: pass "shade plain". Each pixel that
    // something covers has its material's colour, lit from the eye, whatever the plan shows.
    void record_plain(const ViewContext& context, const PictureState& picture) const;
    static void add_plain_pipelines(const GpuScene& scene, gpu::PipelineList& out);

    // The pipelines of record(); `inspected`: and that of frames with an inspection.
    void add_pipelines(const GpuScene& scene, const FramePlan& plan, bool inspected, gpu::PipelineList& out) const;

  private:
    // Which of the two times that a scene with transmissive surfaces is shaded.
    enum class Part : std::uint8_t { kBehind, kSeen };

    [[nodiscard]] gpu::ComputePipelineDesc pipeline_desc(const GpuScene& scene, const FramePlan& plan, Part part,
                                                         bool inspect) const;
    [[nodiscard]] std::vector<gpu::Descriptor> pass_set(const ViewContext& context, const PictureState& picture,
                                                        Part part) const;
    // The levels of light that so much blur reads: GpuScene::transmission_blur.
    void record_levels(const FrameContext& context, const gpu::Image& behind, float blur) const;

    VkDescriptorSetLayout textures_;
    // Where there are none: a texel that nobody reads or writes.
    gpu::Image no_shown_, no_behind_, no_light_, no_shadows_;
    gpu::Sampler level_sampler_;
};

}  // namespace sublet::render
