// The picture of a view, once its geometry is drawn: shading, and what is drawn over it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "gpu/device.h"
#include "gpu/pipelines.h"
#include "render/inspect/motion.h"
#include "render/shade/average.h"
#include "render/shade/environment.h"
#include "render/shade/light_clusters.h"
#include "render/shade/shade.h"
#include "render/shade/temporal.h"
#include "render/view/inspection.h"
#include "render/view/picture_state.h"
#include "render/view/view_context.h"

namespace sublet::render {

class PicturePasses {
  public:
    // `textures`: the layout of set kTextureSet.
    PicturePasses(gpu::Device& device, VkDescriptorSetLayout textures)
        : device_(device), shade_(device, textures), environment_(device), motion_(device), lights_(device) {}

    // Makes what the first frame by this plan would make.
    void prepare(const FramePlan& plan) { environment_.prepare(plan); }
    // From the view's targets, closed, to its colour, which is left in TRANSFER_SRC_OPTIMAL. A selection that the scene
    // does not have is none. `times_before`: animation_times() of the last frame.
    void shade(const ViewContext& context, PictureState& picture, const Inspection& inspection,
               const std::vector<float>& times_before);
    // After shade(), whose writes the caller made visible to transfers: the exposure, counts of lights, and what was
    // inspected.
    static void read_back(const ViewContext& context, const PictureState& picture);
    // A plain picture in place of that, of which nothing is read back.
    void shade_plain(const ViewContext& context, PictureState& picture) const;
    // What was recorded will not run.
    void forget() { environment_.forget(); }

    // The pipelines of shade(), those that take longest first. `inspected`: and those of frames with an inspection.
    void add_pipelines(const GpuScene& scene, const FramePlan& plan, bool inspected, gpu::PipelineList& out) const;
    // VRAM bytes.
    [[nodiscard]] std::uint64_t environment_bytes() const { return environment_.bytes(); }
    [[nodiscard]] std::uint64_t motion_bytes() const { return motion_.bytes(); }
    [[nodiscard]] std::uint64_t average_bytes() const { return average_ ? average_->bytes() : 0; }

  private:
    gpu::Device& device_;
    ShadePass shade_;
    Environment environment_;
    MotionPass motion_;
    LightClusterPass lights_;
    std::optional<AveragePass> average_;    // once frames are averaged
    std::optional<TemporalPass> temporal_;  // once they are blended
};

}  // namespace sublet::render
