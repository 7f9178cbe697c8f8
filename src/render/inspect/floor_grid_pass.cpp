#include "render/inspect/floor_grid_pass.h"

#include <glm/geometric.hpp>

#include "gpu/barriers.h"
#include "gpu/pipeline.h"
#include "shaders/embedded.h"
#include "shaders/shared/bindings.h"
#include "shaders/shared/inspect.h"

namespace sublet::render {
namespace {

// Of the distance from the eye to the far side of the scene: there the grid has faded away.
constexpr float kReach = 4.0F;

gpu::GraphicsPipelineDesc grid_desc(const GpuScene& scene, VkFormat format) {
    gpu::GraphicsPipelineDesc desc;
    desc.name = "floor grid";
    desc.vertex = {.spirv = shaders::floor_grid_vert};
    desc.fragment = {.spirv = shaders::floor_grid_frag,
                     .specialization = {{shared::kSpecWideIds, scene.wide_ids ? 1U : 0U},
                                        {shared::kSpecFeatures, scene.features}}};
    desc.colors = {{.format = format, .blend = gpu::Blend::kAlpha}};
    return desc;
}

shared::vec4 row(const glm::mat4& matrix, int i) {
    return {matrix[0][i], matrix[1][i], matrix[2][i], matrix[3][i]};
}

shared::vec4 with_w(const glm::vec3& of, float w) {
    return {of.x, of.y, of.z, w};
}

shared::FloorGridConstants constants_of(const FloorGrid& grid, const View& view, const Targets& targets) {
    shared::FloorGridConstants out{};
    out.clip_z = row(view.view_projection, 2);
    out.clip_w = row(view.view_projection, 3);
    // At the distance 1 in perspective, at any one in an orthographic view.
    const glm::vec3 to_right = glm::vec3(view.view[0][0], view.view[1][0], view.view[2][0]) / view.projection[0][0];
    const glm::vec3 down = glm::vec3(view.view[0][1], view.view[1][1], view.view[2][1]) / view.projection[1][1];
    const glm::vec3 middle = view.orthographic ? view.eye : view.forward;
    out.across[0] = with_w(to_right, 0.0F);
    out.across[1] = with_w(down, 0.0F);
    out.across[2] = with_w(middle - view.shift.x * to_right - view.shift.y * down, 0.0F);
    out.fixed_part = view.orthographic ? with_w(view.forward, 1.0F) : with_w(view.eye, 0.0F);
    out.height = grid.height;
    out.spacing = grid.spacing;
    out.reach = kReach * (glm::distance(view.eye, grid.centre) + grid.radius);
    out.in_compute = targets.in_compute ? 1 : 0;
    out.size = {targets.extent.width, targets.extent.height};
    return out;
}

}  // namespace

void record_floor_grid(const FrameContext& context, const GpuScene& scene, const ViewState& state, const View& view,
                       const FloorGrid& grid, const WindowTarget& target) {
    const gpu::Commands commands = context.frame.commands;
    const auto pass = context.pass("floor grid");
    const Targets& targets = state.geometry.targets;
    gpu::memory_barrier(commands, gpu::kEverything, gpu::kDraw | gpu::kColorAttachment);
    const gpu::Attachment color{target.image};
    gpu::begin_rendering(commands, targets.extent, {&color, 1});
    const gpu::Pipeline& pipeline = context.bind(grid_desc(scene, target.format),
                                                 seen_descriptors(targets, state.picture.texel_sampler));
    vkCmdSetFrontFace(commands, VK_FRONT_FACE_COUNTER_CLOCKWISE);
    vkCmdSetCullMode(commands, VK_CULL_MODE_NONE);
    pipeline.push(commands, constants_of(grid, view, targets));
    vkCmdDraw(commands, 3, 1, 0, 0);
    vkCmdEndRendering(commands);
    gpu::memory_barrier(commands, gpu::kColorAttachment, gpu::kColorAttachment);
}

}  // namespace sublet::render
