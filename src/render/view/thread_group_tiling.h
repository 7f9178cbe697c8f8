// The twin of shaders/thread_group_tiling.glsl: which workgroup of a 2-D dispatch takes which place.
#pragma once

#include <cstdint>

#include "shaders/shared/types.h"

namespace sublet::render {

// The place of the workgroup that starts as number `index` of columns x rows (all of the dispatch, rounded up; index <
// columns * rows): strips of `n` columns from left to right, each by rows from top to bottom. The last strip has what
// columns are left. 0: by rows of the whole dispatch. The product of columns, or n, and rows must be below 2^32.
[[nodiscard]] constexpr shared::uvec2 tiled_group(std::uint32_t columns, std::uint32_t rows, std::uint32_t index,
                                                  std::uint32_t n) {
    const std::uint32_t strip_columns = n == 0 || n > columns ? columns : n;
    const std::uint32_t strip = index / (strip_columns * rows);
    const std::uint32_t within = index - strip * strip_columns * rows;
    const std::uint32_t first = strip * strip_columns;
    const std::uint32_t width = columns - first < strip_columns ? columns - first : strip_columns;
    return {first + within % width, within / width};
}

}  // namespace sublet::render
