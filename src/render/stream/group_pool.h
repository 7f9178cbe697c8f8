// Where groups of meshlets lie in the pool that they share (PoolPlan).
#pragma once

#include <cstdint>
#include <optional>

#include "gpu/range_allocator.h"
#include "render/scene/group_table.h"

namespace sublet::render {

// Of a group, counted from the beginning of the pool.
struct GroupPlace {
    gpu::RangeAllocator::Part sublets, vertices, payload;
};

class GroupPool {
  public:
    explicit GroupPool(const GroupSize& size)
        : sublets_(size.sublets), vertices_(size.vertices), payload_(size.payload) {}

    // Nothing where there is no gap for one of the three.
    [[nodiscard]] std::optional<GroupPlace> take(const GroupSize& size) {
        GroupPlace out;
        const auto sublets = sublets_.take(at_least_one(size.sublets));
        if (!sublets) return std::nullopt;
        out.sublets = *sublets;
        const auto vertices = vertices_.take(at_least_one(size.vertices));
        if (!vertices) {
            sublets_.give_back(out.sublets);
            return std::nullopt;
        }
        out.vertices = *vertices;
        const auto payload = payload_.take(at_least_one(size.payload));
        if (!payload) {
            sublets_.give_back(out.sublets);
            vertices_.give_back(out.vertices);
            return std::nullopt;
        }
        out.payload = *payload;
        return out;
    }
    void give_back(const GroupPlace& place) {
        sublets_.give_back(place.sublets);
        vertices_.give_back(place.vertices);
        payload_.give_back(place.payload);
    }

  private:
    // A hostile file may say that there is nothing.
    static std::uint64_t at_least_one(std::uint32_t count) { return count == 0 ? 1 : count; }

    gpu::RangeAllocator sublets_, vertices_, payload_;
};

}  // namespace sublet::render
