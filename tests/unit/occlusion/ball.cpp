#include "tests/unit/occlusion/ball.h"

#include <array>
#include <cmath>
#include <numbers>

#include "mesh/encode.h"

namespace sublet::render {

mesh::Geometry make_ball(std::uint32_t rows) {
    const std::uint32_t columns = 2 * rows;
    std::array<mesh::MeshArrays, 2> halves;
    for (mesh::MeshArrays& half : halves) {
        for (std::uint32_t i = 0; i < (rows + 1) * columns; ++i) {
            const float v = std::numbers::pi_v<float> * static_cast<float>(i / columns) / static_cast<float>(rows);
            const float u =
                2.0F * std::numbers::pi_v<float> * static_cast<float>(i % columns) / static_cast<float>(columns);
            const float r = 1.0F + 0.05F * std::sin(5.0F * u) * std::sin(4.0F * v) * std::sin(v);
            half.positions.push_back({r * std::sin(v) * std::cos(u), r * std::sin(v) * std::sin(u), r * std::cos(v)});
        }
    }
    for (std::uint32_t row = 0; row < rows; ++row) {
        for (std::uint32_t column = 0; column < columns; ++column) {
            const std::uint32_t a = row * columns + column;
            const std::uint32_t b = row * columns + (column + 1) % columns;
            std::vector<std::uint32_t>& indices = halves[column < columns / 3 ? 0 : 1].indices;
            if (row != 0) indices.insert(indices.end(), {a, a + columns, b});
            if (row + 1 != rows) indices.insert(indices.end(), {b, a + columns, b + columns});
        }
    }
    mesh::EncodeOptions options;
    options.levels = mesh::Levels::kOn;
    options.coding = mesh::Coding::kCompact;
    const std::array<mesh::MeshInput, 2> inputs{halves[0].view(), halves[1].view()};
    return mesh::encode(inputs, options, "ball").geometry;
}

}  // namespace sublet::render
