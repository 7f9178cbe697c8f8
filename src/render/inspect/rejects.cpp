#include "render/inspect/rejects.h"

#include <algorithm>
#include <initializer_list>

#include "gpu/barriers.h"
#include "render/inspect/draw_over.h"
#include "render/settings/backend_info.h"
#include "shaders/embedded.h"
#include "shaders/shared/bindings.h"
#include "shaders/shared/inspect.h"

namespace sublet::render {
namespace {

constexpr std::uint32_t kRejectsLanes = 64;  // verdicts.comp's local size, four sublets each

std::uint32_t divide_up(std::uint32_t count, std::uint32_t by) {
    return count / by + (count % by != 0 ? 1 : 0);
}

gpu::Specialization narrow_ids() {
    // Sublets are counted over all instances here: numbers are looked up, ids are not.
    return {shared::kSpecWideIds, 0U};
}

gpu::ComputePipelineDesc verdicts_desc() {
    return {.name = "verdicts", .shader = {.spirv = shaders::verdicts_comp, .specialization = {narrow_ids()}}};
}

gpu::GraphicsPipelineDesc rejected_desc(const FramePlan& plan, const char* name, bool overdraw) {
    gpu::GraphicsPipelineDesc desc;
    desc.name = name;
    desc.vertex = {
        .spirv = shaders::rejected_vert,
        .specialization = {
            narrow_ids(), {shared::kSpecEncoded, encoded_as(plan)}, {shared::kSpecOverdraw, overdraw ? 1U : 0U}}};
    return desc;
}

gpu::GraphicsPipelineDesc overdraw_desc(const FramePlan& plan) {
    gpu::GraphicsPipelineDesc desc = rejected_desc(plan, "overdraw", true);
    desc.fragment.spirv = shaders::overdraw_frag;
    desc.colors = {{.format = kOverdrawFormat, .blend = gpu::Blend::kAdditive}};
    return desc;
}

gpu::GraphicsPipelineDesc culled_desc(const FramePlan& plan) {
    gpu::GraphicsPipelineDesc desc = rejected_desc(plan, "culled", false);
    desc.fragment.spirv = shaders::culled_frag;
    desc.colors = {{.format = kColorFormat}};
    desc.depth_format = kDepthFormat;
    return desc;
}

bool wanted(const FramePlan& plan) {
    return plan.show == Show::kOverdraw || plan.show == Show::kCulled;
}

std::uint32_t sublets(const GpuScene& scene) {
    return static_cast<std::uint32_t>(scene.drawable_sublets);
}

// Every sublet of the scene, an instance of the draw each: those with another verdict collapse. Faces of all classes at
// once, which fragments tell apart.
void draw_sublets(const ViewContext& context, const PictureState& picture, const gpu::GraphicsPipelineDesc& desc) {
    const gpu::Commands commands = context.frame.commands;
    context.bind(desc, {gpu::buffer_at(shared::kBindRejected, picture.rejected)});
    vkCmdSetFrontFace(commands, VK_FRONT_FACE_COUNTER_CLOCKWISE);
    vkCmdSetCullMode(commands, VK_CULL_MODE_NONE);
    vkCmdDraw(commands, shared::kSubletSize * 3, sublets(context.scene), 0, 0);
}

void record_overdraw(const ViewContext& context, const PictureState& picture) {
    const gpu::Commands commands = context.frame.commands;
    const auto pass = context.pass("overdraw");
    const gpu::Image& counts = picture.overdraw;
    gpu::image_barrier(commands, counts, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                       gpu::kComputeRead, gpu::kColorAttachment);
    const gpu::Attachment color{counts.view(), VK_ATTACHMENT_LOAD_OP_CLEAR};
    gpu::begin_rendering(commands, counts.extent(), {&color, 1});
    draw_sublets(context, picture, overdraw_desc(context.plan));
    vkCmdEndRendering(commands);
    gpu::image_barrier(commands, counts, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                       VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, gpu::kColorAttachment, gpu::kComputeRead);
}

}  // namespace

void record_verdicts(const ViewContext& context, const PictureState& picture) {
    if (!wanted(context.plan)) return;
    const gpu::Commands commands = context.frame.commands;
    {
        // Task shaders and nodes write bits of visibility while they draw.
        gpu::memory_barrier(commands, gpu::kDraw | gpu::kCompute, gpu::kCompute);
        const auto pass = context.pass("verdicts");
        const GeometryState& geometry = context.geometry;
        const PhaseBuffers buffers = geometry.visibility.buffers(context.frame);
        const gpu::Pipeline& pipeline = context.bind(
            verdicts_desc(), {gpu::buffer_at(shared::kBindRejected, picture.rejected),
                              gpu::buffer_at(shared::kBindOcclusionView, *buffers.occlusion),
                              geometry.visibility.phase_data(geometry.has_pyramid(context.plan) ? 2 : 0, kAllClasses),
                              gpu::buffer_at(shared::kBindVisibleBefore, *buffers.visible_before),
                              gpu::buffer_at(shared::kBindPyramid, geometry.visibility.pyramid())});
        // Direct draws test instances alone.
        const bool direct = !culls_on_gpu(backend_info(context.plan.backend));
        const bool whole = buffers.detail == OcclusionDetail::kMeshlets;
        pipeline.push(commands,
                      shared::VerdictConstants{.instances_only = direct ? 1U : 0U, .whole_meshlets = whole ? 1U : 0U});
        const std::uint32_t groups = divide_up(divide_up(sublets(context.scene), 4), kRejectsLanes);
        vkCmdDispatch(commands, std::min(groups, shared::kDispatchRow), divide_up(groups, shared::kDispatchRow), 1);
        gpu::memory_barrier(commands, gpu::kCompute, gpu::kDraw);
    }
    if (context.plan.show == Show::kOverdraw) record_overdraw(context, picture);
}

void record_culled(const ViewContext& context, const PictureState& picture) {
    if (context.plan.show != Show::kCulled) return;
    const auto pass = context.pass("culled");
    draw_over(context.frame.commands, picture.color, &picture.culled_depth,
              [&] { draw_sublets(context, picture, culled_desc(context.plan)); });
}

void add_rejects_pipelines(const FramePlan& plan, gpu::PipelineList& out) {
    if (!wanted(plan)) return;
    out.add(verdicts_desc());
    out.add(plan.show == Show::kOverdraw ? overdraw_desc(plan) : culled_desc(plan));
}

}  // namespace sublet::render
