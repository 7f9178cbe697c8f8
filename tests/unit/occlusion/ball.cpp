#include "tests/unit/occlusion/ball.h"

#include <array>
#include <cmath>
#include <numbers>

#include "mesh/encode.h"

namespace sublet::render {

mesh::Geometry make_ball() {
    constexpr std::uint32_t kRows = 48, kColumns = 96;
    std::array<mesh::MeshArrays, 2> halves;
    for (mesh::MeshArrays& half : halves) {
        for (std::uint32_t i = 0; i < (kRows + 1) * kColumns; ++i) {
            const float v = std::numbers::pi_v<float> * static_cast<float>(i / kColumns) / kRows;
            const float u = 2.0F * std::numbers::pi_v<float> * static_cast<float>(i % kColumns) / kColumns;
            const float r = 1.0F + 0.05F * std::sin(5.0F * u) * std::sin(4.0F * v) * std::sin(v);
            half.positions.push_back({r * std::sin(v) * std::cos(u), r * std::sin(v) * std::sin(u), r * std::cos(v)});
        }
    }
    for (std::uint32_t row = 0; row < kRows; ++row) {
        for (std::uint32_t column = 0; column < kColumns; ++column) {
            const std::uint32_t a = row * kColumns + column;
            const std::uint32_t b = row * kColumns + (column + 1) % kColumns;
            std::vector<std::uint32_t>& indices = halves[column < kColumns / 3 ? 0 : 1].indices;
            if (row != 0) indices.insert(indices.end(), {a, a + kColumns, b});
            if (row + 1 != kRows) indices.insert(indices.end(), {b, a + kColumns, b + kColumns});
        }
    }
    mesh::EncodeOptions options;
    options.levels = mesh::Levels::kOn;
    options.coding = mesh::Coding::kCompact;
    const std::array<mesh::MeshInput, 2> inputs{halves[0].view(), halves[1].view()};
    return mesh::encode(inputs, options, "ball").geometry;
}

}  // namespace sublet::render
