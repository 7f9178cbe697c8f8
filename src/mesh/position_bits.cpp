#include "mesh/position_bits.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>

#include "mesh/parallel.h"
#include "mesh/triangles.h"

namespace sublet::mesh {
namespace {

using CornerVertices = std::array<std::uint32_t, 3>;

CornerVertices corners_of(const MeshInput& mesh, std::size_t triangle) {
    return {mesh.indices[3 * triangle], mesh.indices[3 * triangle + 1], mesh.indices[3 * triangle + 2]};
}

bool moves_apart(const MeshInput& mesh, const CornerVertices& t) {
    return std::ranges::any_of(mesh.morphs, [&](const MorphInput& morph) {
        return !morph.positions.empty() &&
               (morph.positions[t[0]] != morph.positions[t[1]] || morph.positions[t[0]] != morph.positions[t[2]]);
    });
}

bool loses_area(const MeshInput& mesh, const CornerVertices& t, const PositionGrid& grid) {
    const auto& a = mesh.positions[t[0]];
    const auto& b = mesh.positions[t[1]];
    const auto& c = mesh.positions[t[2]];
    // The grid moves a corner by half a step on each axis: what is higher than twice that keeps some area.
    constexpr double kMostLost = 1.7320509;  // steps
    if (is_higher_than(a, b, c, kMostLost * static_cast<double>(grid.scale))) return false;
    return !has_grid_area(grid.quantize(a), grid.quantize(b), grid.quantize(c)) && has_source_area(a, b, c) &&
           !moves_apart(mesh, t);
}

bool has_exactly(const PositionGrid& grid, std::span<const MeshInput> meshes, ThreadPool* pool) {
    std::atomic<bool> exact = true;
    for (const MeshInput& mesh : meshes) {
        for_ranges(pool, mesh.indices.size(), kGrain, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end && exact; ++i) {
                const std::array<float, 3>& position = mesh.positions[mesh.indices[i]];
                if (grid.dequantize(grid.quantize(position)) != position) exact = false;
            }
        });
    }
    return exact;
}

}  // namespace

std::uint64_t count_lost(std::span<const MeshInput> meshes, const PositionGrid& grid, ThreadPool* pool) {
    std::atomic<std::uint64_t> lost = 0;
    for (const MeshInput& mesh : meshes) {
        for_ranges(pool, mesh.indices.size() / 3, kGrain, [&](std::size_t begin, std::size_t end) {
            std::uint64_t here = 0;
            for (std::size_t t = begin; t < end; ++t) here += loses_area(mesh, corners_of(mesh, t), grid) ? 1 : 0;
            lost += here;
        });
    }
    return lost;
}

PositionBits choose_position_bits(std::span<const MeshInput> meshes, const FloatBox& box, int most, ThreadPool* pool) {
    const auto grid_of = [&](int bits) { return choose_position_grid(box.min, box.max, bits); };
    for (int bits = kDefaultPositionBits; bits <= most; ++bits) {
        if (has_exactly(grid_of(bits), meshes, pool)) return {bits, 0};
    }
    std::uint64_t triangles = 0;
    for (const MeshInput& mesh : meshes) triangles += mesh.indices.size() / 3;
    PositionBits chosen;
    const std::uint64_t by_default = count_lost(meshes, grid_of(chosen.bits), pool);
    if (!is_too_coarse(by_default, triangles)) return chosen;
    const std::uint64_t by_most = count_lost(meshes, grid_of(most), pool);
    const std::uint64_t unavoidable = is_too_coarse(by_most, triangles) ? by_most : 0;
    std::uint64_t lost = by_default;
    while (chosen.bits < most && is_too_coarse(lost - std::min(lost, unavoidable), triangles)) {
        ++chosen.bits;
        lost = chosen.bits == most ? by_most : count_lost(meshes, grid_of(chosen.bits), pool);
    }
    if (chosen.bits > kDefaultPositionBits) chosen.lost_by_default = by_default;
    return chosen;
}

}  // namespace sublet::mesh
