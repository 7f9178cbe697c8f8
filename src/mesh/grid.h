// The grids on which positions and texture coordinates are integers.
#pragma once

#include <array>
#include <cstdint>

namespace sublet::mesh {

// Exponents and coordinates a mesh may have: such that 2^exponent, every product with a 21-bit integer and every
// decoded coordinate are normal floats or zero.
inline constexpr int kMinExponent = -126;
inline constexpr int kMaxExponent = 106;
inline constexpr float kMaxCoordinate = 0x1p104F;
// Below it, 0.5 * q * 2^e + 0.5 would be finer than floats are around 0.5.
inline constexpr int kMinUvExponent = -23;

// position = origin + scale * q, per axis, in float.
struct PositionGrid {
    int exponent = 0;
    float scale = 1.0F;  // 2^exponent
    std::array<float, 3> origin{};
    bool is_exact =
        false;  // every 21-bit integer decodes without rounding: the origin is a multiple of the scale, near enough

    // The nearest grid integers; halves go up, whatever the origin, so that one point has one answer.
    [[nodiscard]] std::array<std::int32_t, 3> quantize(const std::array<float, 3>& position) const;
    [[nodiscard]] std::array<float, 3> dequantize(const std::array<std::int32_t, 3>& q) const;
};

// The grid with the smallest exponent on which every point of the box fits `bits` signed bits about the origin, which
// is the multiple of 2^exponent nearest to the centre of the box, rounded to the grid, that allows it. Coordinates are
// finite and at most kMaxCoordinate.
[[nodiscard]] PositionGrid choose_position_grid(const std::array<float, 3>& box_min,
                                                const std::array<float, 3>& box_max, int bits);

// uv = 0.5 * (q * scale) + 0.5, in float: [0, 1] is centred on zero.
struct UvGrid {
    int exponent = kMinUvExponent;
    float scale = 0.0F;

    [[nodiscard]] std::int32_t quantize(float uv) const;
    [[nodiscard]] float dequantize(std::int32_t q) const;
};

// The grid with the smallest exponent on which every value from `least` to `greatest` fits `bits` signed bits.
[[nodiscard]] UvGrid choose_uv_grid(float least, float greatest, int bits);

}  // namespace sublet::mesh
