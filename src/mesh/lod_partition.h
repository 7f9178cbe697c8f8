// Meshlets into groups of neighbours, which are simplified as one.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace sublet::mesh {

// What of a meshlet decides with which others it is grouped.
struct Neighbor {
    std::vector<std::uint32_t> positions;  // of its vertices, each once, ascending
    std::array<float, 3> center{};
};

// The group of each meshlet, numbered from 0 without gaps, in the order of their first meshlets. Groups hold about
// `size` meshlets, at most twice as many, that share as many positions as can be; meshlets that share none with any
// other are grouped by where they lie. Depends on its input alone; n log n steps.
[[nodiscard]] std::vector<std::uint32_t> partition_meshlets(std::span<const Neighbor> meshlets, std::uint32_t size);

}  // namespace sublet::mesh
