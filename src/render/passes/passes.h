// What passes declare and record alike.
#pragma once

#include <array>
#include <cstdint>

#include "gpu/vulkan.h"
#include "shaders/shared/mesh_format.h"
#include "shaders/shared/scene.h"

namespace sublet::render {

// Something of each draw class (kClass...).
template <class T>
using PerClass = std::array<T, shared::kDrawClasses>;

// vkCmdDispatch of at least `groups` workgroups, in rows of kDispatchRow, since devices need allow no more than 65,535
// in one dimension. The shader numbers them y * kDispatchRow + x and passes over those beyond the last.
void dispatch_rows(VkCommandBuffer commands, std::uint32_t groups);

}  // namespace sublet::render
