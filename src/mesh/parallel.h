// Loops over an optional pool.
#pragma once

#include <algorithm>
#include <cstddef>

#include "base/thread_pool.h"

namespace sublet::mesh {

// Vertices or triangles that are worth a task of their own.
inline constexpr std::size_t kGrain = 16384;

// fn(begin, end) over ranges of `grain`, on `pool` or, without one, in the caller. The ranges are the same either way.
template <typename Fn>
void for_ranges(ThreadPool* pool, std::size_t count, std::size_t grain, const Fn& fn) {
    if (pool != nullptr) {
        pool->parallel_for(count, grain, fn);
        return;
    }
    for (std::size_t begin = 0; begin < count; begin += grain) fn(begin, std::min(count, begin + grain));
}

}  // namespace sublet::mesh
