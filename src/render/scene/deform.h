// Reads: the matrices of joints, weights of morph targets, decoded vertices, instances. Writes: deformed vertices;
// bounds and mesh headers of what deforms.
#pragma once

#include <cstdint>

#include "gpu/pipelines.h"
#include "render/passes/frame_context.h"
#include "render/scene/gpu_scene.h"

namespace sublet::render {

// What is deformed for a view.
struct DeformView {
    const shared::FrameData& data;
    const gpu::Buffer& frame_data;  // that has it
    // Not only what may lie within the planes of the view that culls. What can't is left as it is else, and has a bound
    // that lies outside of them likewise.
    bool all = false;
    bool bounds_late = false;  // they are measured before vertices move, a mistake
};

// Deforms the scene's meshes in their poses, each once between two changes of poses.
class DeformPass {
  public:
    // After record_animate(), or where another scene takes this one's place: nothing is deformed as it is posed.
    void poses_changed() { state_ = State::kStale; }

    // Records pass "deform" where something may be left to be deformed: rough bounds of each pose, if poses have
    // changed, and which of them the view may see; then the vertices of these, the bounds of their sublets and
    // meshlets, and those of meshes. What is recorded after reads what it writes. Nothing where the scene has nothing
    // that deforms.
    void record(const FrameContext& context, const GpuScene& scene, const DeformView& view);

  private:
    enum class State : std::uint8_t { kStale, kForView, kAll };

    State state_ = State::kStale;
    shared::ViewData view_{};  // that the last round was for
    std::uint32_t round_ = 0;
};

// Pipelines of that, where something deforms.
void add_deform_pipelines(const GpuScene& scene, gpu::PipelineList& out);

}  // namespace sublet::render
