// What passes declare and record alike.
#pragma once

#include <cstdint>
#include <vector>

#include "gpu/device.h"
#include "gpu/pipeline.h"

namespace sublet::render {

// Bindings 0 to count - 1 of `stages`: a uniform buffer, then storage buffers.
[[nodiscard]] std::vector<gpu::Binding> buffer_bindings(std::uint32_t count,
                                                        VkShaderStageFlags stages = VK_SHADER_STAGE_COMPUTE_BIT);

// vkCmdDispatch of at least `groups` workgroups, in rows of kDispatchRow, since devices need allow no more than 65,535
// in one dimension. The shader numbers them y * kDispatchRow + x and passes over those beyond the last.
void dispatch_rows(VkCommandBuffer commands, std::uint32_t groups);

}  // namespace sublet::render
