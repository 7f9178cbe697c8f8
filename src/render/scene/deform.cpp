#include "render/scene/deform.h"

#include <array>
#include <bit>

#include "gpu/barriers.h"
#include "render/passes/passes.h"
#include "shaders/embedded.h"
#include "shaders/shared/bindings.h"

namespace sublet::render {
namespace {

constexpr std::uint32_t kDeformLanes = 64;  // of workgroups that deal with instances

gpu::ComputePipelineDesc boxes_desc() {
    return {.name = "deform boxes", .shader = {.spirv = shaders::deform_boxes_comp}};
}

gpu::ComputePipelineDesc wanted_desc() {
    return {.name = "deform wanted", .shader = {.spirv = shaders::deform_wanted_comp}};
}

gpu::ComputePipelineDesc vertices_desc() {
    return {.name = "deform vertices", .shader = {.spirv = shaders::deform_comp}};
}

gpu::ComputePipelineDesc bounds_desc() {
    return {.name = "deform bounds", .shader = {.spirv = shaders::deform_bounds_comp}};
}

gpu::ComputePipelineDesc meshes_desc() {
    return {.name = "deform meshes", .shader = {.spirv = shaders::deform_meshes_comp}};
}

bool same(const shared::ViewData& a, const shared::ViewData& b) {
    using Bits = std::array<std::uint32_t, sizeof(shared::ViewData) / sizeof(std::uint32_t)>;
    return std::bit_cast<Bits>(a) == std::bit_cast<Bits>(b);
}

// Of one round.
class Recorder {
  public:
    Recorder(const FrameContext& context, const GpuScene& scene, std::uint32_t round)
        : context_(context), scene_(scene), deform_(scene.deform), round_(round) {}

    void rough_bounds() {
        dispatch(boxes_desc(), {rounds(), gpu::buffer_at(shared::kBindWrittenMeshes, scene_.meshes)},
                 deform_.mesh_count, shared::kPosesOfBoxGroup);
    }

    void mark_wanted(const DeformView& view) {
        dispatch(wanted_desc(), {rounds(), gpu::buffer_at(shared::kBindDeformedInstances, deform_.instances)},
                 deform_.instance_count, kDeformLanes, &view.frame_data, view.all ? 1 : 0);
    }

    void vertices() {
        dispatch(vertices_desc(),
                 {rounds(), gpu::buffer_at(shared::kBindDeformTasks, deform_.vertex_tasks),
                  gpu::buffer_at(shared::kBindWrittenDeformation, deform_.vectors)},
                 deform_.vertex_task_count);
    }

    void bounds() {
        dispatch(bounds_desc(),
                 {rounds(), gpu::buffer_at(shared::kBindDeformTasks, deform_.bounds_tasks),
                  gpu::buffer_at(shared::kBindWrittenSubletBounds, scene_.sublet_bounds),
                  gpu::buffer_at(shared::kBindWrittenMeshletBounds, scene_.meshlet_bounds)},
                 deform_.bounds_task_count);
        dispatch(meshes_desc(), {rounds(), gpu::buffer_at(shared::kBindWrittenMeshes, scene_.meshes)},
                 deform_.mesh_count);
    }

  private:
    [[nodiscard]] gpu::Descriptor rounds() const {
        return gpu::buffer_at(shared::kBindPoseRounds, deform_.pose_rounds);
    }

    void dispatch(const gpu::ComputePipelineDesc& desc, const std::vector<gpu::Descriptor>& set, std::uint32_t count,
                  std::uint32_t lanes = 1, const gpu::Buffer* frame_data = nullptr, std::uint32_t all = 0) {
        const gpu::Commands commands = context_.frame.commands;
        context_.bind(desc, scene_descriptors(scene_, frame_data), set)
            .push(commands, shared::DeformConstants{count, round_, all});
        dispatch_rows(commands, (count + lanes - 1) / lanes);
        gpu::memory_barrier(commands, gpu::kComputeWrite, gpu::kCompute);
    }

    const FrameContext& context_;
    const GpuScene& scene_;
    const SceneDeform& deform_;
    std::uint32_t round_;
};

}  // namespace

void DeformPass::record(const FrameContext& context, const GpuScene& scene, const DeformView& view) {
    if (!scene.deform.any() || state_ == State::kAll) return;
    const bool stale = state_ == State::kStale;
    if (!stale && !view.all && same(view.data.cull, view_)) return;
    const auto pass = context.pass("deform");
    if (++round_ == 0) round_ = 1;
    // Views before this one, of this frame, read what all of them share.
    gpu::memory_barrier(context.frame.commands, gpu::kConsume, gpu::kCompute);
    Recorder recorder(context, scene, round_);
    if (stale) recorder.rough_bounds();
    recorder.mark_wanted(view);
    view_ = view.data.cull;
    if (view.bounds_late) recorder.bounds();
    recorder.vertices();
    if (!view.bounds_late) recorder.bounds();
    gpu::memory_barrier(context.frame.commands, gpu::kComputeWrite, gpu::kConsume);
    state_ = view.all ? State::kAll : State::kForView;
}

void add_deform_pipelines(const GpuScene& scene, gpu::PipelineList& out) {
    if (!scene.deform.any()) return;
    out.add(boxes_desc());
    out.add(wanted_desc());
    out.add(vertices_desc());
    out.add(bounds_desc());
    out.add(meshes_desc());
}

}  // namespace sublet::render
