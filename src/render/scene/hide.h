// Hides instances of nodes that a person does not want to see: by a flag of each, which all that culls and draws reads.
// Reads: a bit for each instance. Writes: flags of instances.
#pragma once

#include <vector>

#include "gpu/pipelines.h"
#include "render/passes/frame_context.h"
#include "render/scene/gpu_scene.h"

namespace sublet::render {

class HidePass {
  public:
    explicit HidePass(gpu::Device& device) : device_(device) {}

    // From the next record() on. `nodes`: one for each node of the scene, other than 0 where its instances are hidden.
    // Returns whether any instance is. A grid has no nodes. Linear in the instances.
    bool set(GpuScene& scene, const std::vector<char>& nodes);
    // Pass "hide": what frames before read is over. Nothing where nothing has changed since it was recorded.
    void record(const FrameContext& context, const GpuScene& scene);
    // After a frame that was recorded and did not run.
    void record_again() { changed_ = bits_ ? true : changed_; }
    // For another scene, of which nothing is hidden.
    void forget();

    static void add_pipelines(gpu::PipelineList& out);
    // VRAM bytes.
    [[nodiscard]] std::uint64_t bytes() const { return bits_ ? bits_.size() : 0; }

  private:
    gpu::Device& device_;
    gpu::Buffer bits_;
    bool changed_ = false;
};

}  // namespace sublet::render
