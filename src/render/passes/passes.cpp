#include "render/passes/passes.h"

#include <algorithm>

#include "shaders/shared/scene.h"

namespace sublet::render {

std::vector<gpu::Binding> buffer_bindings(std::uint32_t count, VkShaderStageFlags stages) {
    std::vector<gpu::Binding> out{{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, stages}};
    for (std::uint32_t i = 1; i < count; ++i) {
        out.push_back({i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, stages});
    }
    return out;
}

void dispatch_rows(VkCommandBuffer commands, std::uint32_t groups) {
    vkCmdDispatch(commands, std::min(groups, shared::kDispatchRow),
                  (groups + shared::kDispatchRow - 1) / shared::kDispatchRow, 1);
}

}  // namespace sublet::render
