// What passes declare and record alike.
#pragma once

#include <array>
#include <cstdint>

#include "gpu/commands.h"
#include "gpu/vulkan.h"
#include "shaders/shared/mesh_format.h"
#include "shaders/shared/scene.h"

namespace sublet::render {

// Something of each draw class (kClass...).
template <class T>
using PerClass = std::array<T, shared::kDrawClasses>;

// Whether surfaces of a draw class are tested for alpha, and may face either way: as shaders/scene/winding.glsl.
constexpr bool is_alpha_tested(std::uint32_t draw_class) {
    return draw_class >= shared::kClassMasked;
}

// vkCmdDispatch of at least `groups` workgroups, in rows of kDispatchRow, since devices need allow no more than 65,535
// in one dimension. The shader numbers them y * kDispatchRow + x and passes over those beyond the last.
void dispatch_rows(gpu::Commands commands, std::uint32_t groups);

}  // namespace sublet::render
