// For any GPU with compute: what survives culling down to single triangles goes to one transient index buffer, a region
// for each draw class, drawn by one indexed indirect draw each. Reads: encoded or decoded sublets, survivor lists.
// Writes: the index buffer, ids, depth.
#include "render/backends/triangle_backend.h"
#include "render/cull/cull_state.h"
#include "shaders/embedded.h"
#include "shaders/shared/bindings.h"
#include "shaders/shared/primitives.h"

namespace sublet::render {
namespace {

// Whether the vertex shader reads the indices.
bool pulled(const FramePlan& plan) {
    return !plan.device.numbers_triangles;
}

std::uint32_t compact_form(const FramePlan& /*plan*/) {
    return shared::kPrimitiveIndices;
}

GeometryStages compact_stages(const FramePlan& plan) {
    GeometryStages out;
    out.name = "compact";
    out.vertex.spirv = shaders::compact_vert;
    out.vertex.specialization = {{shared::kSpecEncoded, encoded_as(plan)},
                                 {shared::kSpecPulled, pulled(plan) ? 1U : 0U}};
    out.id = pulled(plan) ? IdSource::kVertex : IdSource::kList;
    return out;
}

void draw_compact(const PhaseContext& context, const gpu::Pipeline& pipeline, const PrimitivePass& triangles,
                  std::uint32_t draw_class) {
    const gpu::Commands commands = context.frame.commands;
    const VkBuffer state = context.cull_states().handle();
    const shared::TriangleRegion& region = triangles.regions()[draw_class];
    constexpr std::uint32_t kStride = sizeof(VkDrawIndexedIndirectCommand);
    const VkDeviceSize command = context.in_state(draws_offset(draw_class) + offsetof(shared::ClassDraws, compact));
    pipeline.push(commands,
                  shared::CompactConstants{context.survivors.base[draw_class], region.first_word, region.first_header});
    if (pulled(context.plan)) {
        // The command's first words are those of a draw without indices, from the first index on.
        commands(vkCmdDrawIndirect, state, command, 1, kStride);
        return;
    }
    commands(vkCmdBindIndexBuffer, triangles.output().handle(), 0, VK_INDEX_TYPE_UINT32);
    commands(vkCmdDrawIndexedIndirect, state, command, 1, kStride);
}

}  // namespace

std::unique_ptr<BackendBase> make_compact(gpu::Device& device) {
    return make_triangle_backend(device, {.form = compact_form, .stages = compact_stages, .draw = draw_compact});
}

}  // namespace sublet::render
