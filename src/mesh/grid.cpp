#include "mesh/grid.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <optional>

namespace sublet::mesh {
namespace {

// floor(x) of values within the range of 64-bit integers, without a call into the math library.
std::int64_t floor_to_int(double x) {
    const auto truncated = static_cast<std::int64_t>(x);
    return truncated - static_cast<std::int64_t>(static_cast<double>(truncated) > x);
}

std::int64_t round_half_up(double x) {
    return floor_to_int(x + 0.5);
}

// The origin for one axis, or nothing when the values from `least` to `greatest` don't fit `bits` bits about any.
std::optional<float> choose_origin(double least, double greatest, double scale, int bits) {
    if (least == greatest) {
        // On the grid where that is a float, so that meshes of one exponent share it; else the value itself.
        const double steps = least / scale;
        if (std::abs(steps) < 0x1p24) return static_cast<float>(static_cast<double>(round_half_up(steps)) * scale);
        return static_cast<float>(least);
    }
    // least and greatest differ by at least a rounding step of the larger, and by at most 2^21 grid steps, which bounds
    // the quotients below to about 2^46.
    if ((greatest - least) / scale > 0x1p22) return std::nullopt;
    const std::int64_t low = round_half_up(least / scale);
    const std::int64_t high = round_half_up(greatest / scale);
    const std::int64_t half_range = std::int64_t{1} << (bits - 1);
    if (high - low > 2 * half_range - 1) return std::nullopt;
    const std::int64_t origin_min = high - (half_range - 1);
    const std::int64_t origin_max = low + half_range;
    // The middle of the rounded values: the same for what they decode to.
    const std::int64_t wanted = std::clamp(low + (high - low + 1) / 2, origin_min, origin_max);
    // Far from zero floats are coarser than the grid, and so multiples of it: take the nearest, or the one beside it.
    const auto nearest = static_cast<float>(static_cast<double>(wanted) * scale);
    for (const float origin : {nearest, std::nextafter(nearest, -INFINITY), std::nextafter(nearest, INFINITY)}) {
        const double steps = static_cast<double>(origin) / scale;
        if (std::abs(steps) > 0x1p60) continue;
        const auto whole = static_cast<std::int64_t>(steps);
        if (static_cast<double>(whole) == steps && whole >= origin_min && whole <= origin_max) return origin;
    }
    return std::nullopt;
}

// `half`: 2^(bits - 1). Beyond, the conversion to an integer would be undefined; nothing within a grid's box gets
// there.
std::int32_t clamp_and_round(double steps, double half) {
    return static_cast<std::int32_t>(round_half_up(std::clamp(steps, -half, half - 1.0)));
}

}  // namespace

std::array<std::int32_t, 3> PositionGrid::quantize(const std::array<float, 3>& position) const {
    const double inverse = 1.0 / static_cast<double>(scale);
    std::array<std::int32_t, 3> q{};
    for (std::size_t i = 0; i < 3; ++i) {
        q[i] = clamp_and_round((static_cast<double>(position[i]) - static_cast<double>(origin[i])) * inverse, 0x1p20);
    }
    return q;
}

std::array<float, 3> PositionGrid::dequantize(const std::array<std::int32_t, 3>& q) const {
    return {origin[0] + scale * static_cast<float>(q[0]), origin[1] + scale * static_cast<float>(q[1]),
            origin[2] + scale * static_cast<float>(q[2])};
}

PositionGrid choose_position_grid(const std::array<float, 3>& box_min, const std::array<float, 3>& box_max, int bits) {
    double extent = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
        extent = std::max(extent, static_cast<double>(box_max[i]) - static_cast<double>(box_min[i]));
    }
    PositionGrid grid;
    if (extent == 0.0) {
        grid.origin = box_min;
        return grid;
    }
    // The extent spans at least 2^bits - 2 steps of the grid looked for: two exponents below is surely too fine.
    for (grid.exponent = std::max(kMinExponent, std::ilogb(extent) - bits - 1); grid.exponent <= kMaxExponent;
         ++grid.exponent) {
        const double scale = std::ldexp(1.0, grid.exponent);
        bool fits = true;
        for (std::size_t i = 0; i < 3 && fits; ++i) {
            const std::optional<float> origin = choose_origin(box_min[i], box_max[i], scale, bits);
            fits = origin.has_value();
            if (fits) grid.origin[i] = *origin;
        }
        if (!fits) continue;
        grid.scale = static_cast<float>(scale);
        grid.is_exact = true;
        for (const float origin : grid.origin) {
            const double steps = static_cast<double>(origin) / scale;
            grid.is_exact = grid.is_exact && std::abs(steps) < 0x1p23 && steps == std::floor(steps);
        }
        return grid;
    }
    assert(false && "kMaxExponent covers kMaxCoordinate at 4 bits");
    return grid;
}

std::int32_t UvGrid::quantize(float uv) const {
    return clamp_and_round((2.0 * static_cast<double>(uv) - 1.0) / static_cast<double>(scale), 0x1p15);
}

float UvGrid::dequantize(std::int32_t q) const {
    return 0.5F * (static_cast<float>(q) * scale) + 0.5F;
}

UvGrid choose_uv_grid(float least, float greatest, int bits) {
    const double low = 2.0 * static_cast<double>(least) - 1.0;
    const double high = 2.0 * static_cast<double>(greatest) - 1.0;
    const double half_range = std::ldexp(1.0, bits - 1);
    UvGrid grid;
    for (;; ++grid.exponent) {
        const double scale = std::ldexp(1.0, grid.exponent);
        const bool fits =
            std::floor(low / scale + 0.5) >= -half_range && std::floor(high / scale + 0.5) <= half_range - 1;
        if (!fits && grid.exponent < kMaxExponent) continue;
        grid.scale = static_cast<float>(scale);
        return grid;
    }
}

}  // namespace sublet::mesh
