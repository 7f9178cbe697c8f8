#include "render/passes/passes.h"

#include <algorithm>

namespace sublet::render {

void dispatch_rows(VkCommandBuffer commands, std::uint32_t groups) {
    vkCmdDispatch(commands, std::min(groups, shared::kDispatchRow),
                  (groups + shared::kDispatchRow - 1) / shared::kDispatchRow, 1);
}

}  // namespace sublet::render
