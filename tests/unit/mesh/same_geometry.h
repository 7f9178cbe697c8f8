// Geometry compared to the byte.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <utility>

namespace sublet::mesh::test {

// Of vectors or spans.
template <typename A, typename B>
bool same_bytes(const A& a, const B& b) {
    return std::ranges::equal(std::as_bytes(std::span(a)), std::as_bytes(std::span(b)));
}

// Each a Geometry or a GeometryView.
template <typename A, typename B>
::testing::AssertionResult same_geometry(const A& a, const B& b) {
    const std::pair<const char*, bool> arrays[] = {
        {"meshes", same_bytes(a.meshes, b.meshes)},
        {"sublet bounds", same_bytes(a.sublet_bounds, b.sublet_bounds)},
        {"meshlet bounds", same_bytes(a.meshlet_bounds, b.meshlet_bounds)},
        {"streams", same_bytes(a.streams, b.streams)},
        {"payload", same_bytes(a.payload, b.payload)},
        {"morphs", same_bytes(a.morphs, b.morphs)},
        {"morph masks", same_bytes(a.morph_masks, b.morph_masks)},
        {"morph streams", same_bytes(a.morph_streams, b.morph_streams)},
        {"morph payload", same_bytes(a.morph_payload, b.morph_payload)},
        {"groups of levels", same_bytes(a.lod_groups, b.lod_groups)},
        {"meshlets of levels", same_bytes(a.lod_meshlets, b.lod_meshlets)},
    };
    for (const auto& [name, same] : arrays) {
        if (!same) return ::testing::AssertionFailure() << name << " differ";
    }
    return ::testing::AssertionSuccess();
}

}  // namespace sublet::mesh::test
