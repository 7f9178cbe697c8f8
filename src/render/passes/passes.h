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

// Draw classes that passes have, a bit each: all, or those of one rendering, what blends apart or with the others.
inline constexpr std::uint32_t kAllClasses = (1U << shared::kDrawClasses) - 1;
inline constexpr std::uint32_t kBlendedClass = 1U << shared::kClassBlended;
inline constexpr std::uint32_t kTransmissiveClass = 1U << shared::kClassTransmissive;
inline constexpr std::array kClassSets{kAllClasses,
                                       kAllClasses & ~kBlendedClass,
                                       kBlendedClass,
                                       kAllClasses & ~kTransmissiveClass,
                                       kAllClasses & ~(kBlendedClass | kTransmissiveClass),
                                       kTransmissiveClass};

// Whether surfaces of a draw class are tested for alpha, and may face either way: as shaders/scene/winding.glsl.
constexpr bool is_alpha_tested(std::uint32_t draw_class) {
    return draw_class >= shared::kClassMasked;
}

// vkCmdDispatch of at least `groups` workgroups, in rows of kDispatchRow, since devices need allow no more than 65,535
// in one dimension. The shader numbers them y * kDispatchRow + x and passes over those beyond the last.
void dispatch_rows(gpu::Commands commands, std::uint32_t groups);

}  // namespace sublet::render
