#include "render/cull/cull_state.h"

#include <cstddef>

#include "gpu/barriers.h"

namespace sublet::render {

static_assert(shared::kMostMeshGroups == shared::kMeshDraws * shared::kMeshDrawGroups);

shared::CullState initial_cull_state() {
    shared::CullState out{};
    out.dispatch[1] = shared::kDrawClasses;
    out.dispatch[2] = 1;
    for (std::uint32_t c = 0; c < shared::kDrawClasses; ++c) {
        out.draws[c * 4] = shared::kMeshletSize * 3;
        for (std::uint32_t draw = 0; draw < shared::kMeshDraws; ++draw) {
            out.mesh_draws[(c * shared::kMeshDraws + draw) * 3 + 2] = 1;
        }
    }
    return out;
}

void reset_survivor_lists(VkCommandBuffer commands, const gpu::Buffer& cull_state) {
    constexpr VkDeviceSize kBefore = offsetof(shared::CullState, counters);
    constexpr VkDeviceSize kAfter = offsetof(shared::CullState, sublets);
    const shared::CullState state = initial_cull_state();
    gpu::memory_barrier(commands, gpu::kDraw | gpu::kColorAttachment | gpu::kDepthAttachment,
                        gpu::kCompute | gpu::kTransferWrite | gpu::kColorAttachment | gpu::kDepthAttachment);
    vkCmdUpdateBuffer(commands, cull_state.handle(), 0, kBefore, &state);
    vkCmdUpdateBuffer(commands, cull_state.handle(), kAfter, sizeof(state) - kAfter, state.sublets);
    gpu::memory_barrier(commands, gpu::kTransferWrite, gpu::kConsume | gpu::kTransferWrite);
}

}  // namespace sublet::render
