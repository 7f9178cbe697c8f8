#include "render/passes/passes.h"

#include <algorithm>

namespace sublet::render {

void dispatch_rows(gpu::Commands commands, std::uint32_t groups) {
    commands(vkCmdDispatch, std::min(groups, shared::kDispatchRow),
             (groups + shared::kDispatchRow - 1) / shared::kDispatchRow, 1);
}

}  // namespace sublet::render
