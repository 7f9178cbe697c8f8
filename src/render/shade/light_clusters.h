// Reads: the scene's lights, the view's camera. Writes: LightClusters of the view: for each of its clusters, which
// lights may reach into it (shaders/shared/lights.h). What a list has no room for is counted, and shading then looks at
// all lights.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "gpu/descriptors.h"
#include "gpu/device.h"
#include "gpu/pipelines.h"
#include "render/expansion/scan.h"
#include "render/scene/gpu_scene.h"
#include "render/view/picture_state.h"
#include "render/view/view_context.h"

namespace sublet::render {

// Whether pictures by this plan show punctual lights. If not there is no pass and no memory of it.
[[nodiscard]] bool lights_shine(const GpuScene& scene, const FramePlan& plan);

class LightClusterPass {
  public:
    explicit LightClusterPass(gpu::Device& device);

    // Pass "cluster lights", for the picture of this size. Leaves the clusters ready for compute shaders. Where no
    // light shines there is nothing of it, nor where none has a range: then shading looks at all lights.
    void record(const ViewContext& context, PictureState& picture, VkExtent2D extent);
    void add_pipelines(const GpuScene& scene, const FramePlan& plan, gpu::PipelineList& out) const;

  private:
    void make_room(LightClusters& lights, const shared::ClusterState& state);

    gpu::Device& device_;
    Scan scan_;
};

}  // namespace sublet::render
