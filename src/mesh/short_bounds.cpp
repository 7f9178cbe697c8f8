#include "mesh/short_bounds.h"

#include <algorithm>
#include <bit>
#include <cfloat>
#include <cmath>

#include "mesh/octahedral.h"
#include "mesh/parallel.h"

namespace sublet::mesh {
namespace {

using format::ShortMeshletBound;
using format::ShortSubletBound;

// Of a meshlet: radius = mantissa * 2^(exponent - kRadiusShift) steps.
constexpr std::uint32_t kMantissaBits = 11;
constexpr int kMostExponent = 31;
constexpr int kRadiusShift = 12;
constexpr std::int32_t kMeshletAxisMax = 2047;
constexpr std::uint32_t kMeshletAxisBits = 12;
constexpr std::uint32_t kMeshletCutoffMax = 0xffff;

// Of a sublet: its centre lies whole parts of the meshlet's radius from the meshlet's, its radius is others of it.
constexpr double kCenterParts = 128.0;
constexpr double kRadiusParts = 256.0;
constexpr int kLeastRadius = 4;
constexpr std::int32_t kSubletAxisMax = 511;
constexpr std::uint32_t kSubletAxisBits = 10;
constexpr std::uint32_t kSubletCutoffMax = 0xfff;
// Of one that fills a meshlet up: axes have no -512.
constexpr std::uint32_t kFillerCone = 512U | 512U << kSubletAxisBits;

// As a GPU may read it.
float without_denormals(double x) {
    const auto rounded = static_cast<float>(x);
    return std::abs(rounded) < FLT_MIN ? 0.0F : rounded;
}

std::int32_t sign_extended(std::uint32_t value, std::uint32_t bits) {
    return static_cast<std::int32_t>(value << (32 - bits)) >> (32 - bits);
}

shared::vec4 cone_of(std::uint32_t axes, std::uint32_t bits, std::int32_t most, std::uint32_t cutoff,
                     std::uint32_t most_cutoff) {
    const std::array<float, 3> axis =
        decode_octahedral({sign_extended(axes, bits), sign_extended(axes >> bits, bits)}, most, most);
    return {axis[0], axis[1], axis[2], static_cast<float>(cutoff) / static_cast<float>(most_cutoff)};
}

std::uint32_t axes_of(const Octahedral& axis, std::uint32_t bits) {
    const std::uint32_t mask = (1U << bits) - 1;
    return (static_cast<std::uint32_t>(axis.x) & mask) | (static_cast<std::uint32_t>(axis.y) & mask) << bits;
}

// The least code whose cutoff is not less; the most where there is no cone.
std::uint32_t cutoff_code(double cutoff, std::uint32_t most) {
    // What floats of it round to may be a little more or less.
    auto code = static_cast<std::uint32_t>(std::max(std::clamp(cutoff, 0.0, 1.0) * most - 1.0, 0.0));
    while (code < most && static_cast<double>(static_cast<float>(code) / static_cast<float>(most)) < cutoff) ++code;
    return std::min(code, most);
}

double radius_in_steps(std::uint32_t code) {
    return std::ldexp(static_cast<double>(code & ((1U << kMantissaBits) - 1)),
                      static_cast<int>(code >> kMantissaBits) - kRadiusShift);
}

float meshlet_radius(const BoundGrid& grid, std::uint32_t code) {
    return std::max(static_cast<float>(radius_in_steps(code) * grid.scale), FLT_MIN);
}

float sublet_radius(const Bound& meshlet, int code) {
    return std::max(static_cast<float>(static_cast<double>(meshlet.sphere.w) * (code + kLeastRadius) / kRadiusParts),
                    FLT_MIN);
}

bool same(const Bound& a, const Bound& b) {
    using Bits = std::array<std::uint32_t, 8>;
    return std::bit_cast<Bits>(a) == std::bit_cast<Bits>(b);
}

std::array<double, 3> center_in_steps(const BoundGrid& grid, const Bound& bound) {
    return {(static_cast<double>(bound.sphere.x) - grid.origin[0]) / grid.scale,
            (static_cast<double>(bound.sphere.y) - grid.origin[1]) / grid.scale,
            (static_cast<double>(bound.sphere.z) - grid.origin[2]) / grid.scale};
}

void move_axis(ShortMeshletBound& bound, std::int32_t x, std::int32_t y) {
    bound.axis = axes_of({sign_extended(bound.axis, kMeshletAxisBits) + x,
                          sign_extended(bound.axis >> kMeshletAxisBits, kMeshletAxisBits) + y},
                         kMeshletAxisBits);
}

// Finds what stands for `bound` to the bit, by the roads that made it: what it stands for rounds to itself, but for an
// axis of so many bits that floats may take its neighbour for as near.
std::optional<ShortMeshletBound> shorten(const BoundGrid& grid, const Bound& bound) {
    ShortMeshletBound code{};
    round_center(grid, center_in_steps(grid, bound), code);
    round_radius(grid, static_cast<double>(bound.sphere.w), code);
    round_axis({bound.cone.x, bound.cone.y, bound.cone.z}, code);
    round_cutoff(static_cast<double>(bound.cone.w), code);
    if (same(lengthen(grid, code), bound)) return code;
    for (std::int32_t i = 0; i < 9; ++i) {
        ShortMeshletBound near = code;
        move_axis(near, i % 3 - 1, i / 3 - 1);
        if (same(lengthen(grid, near), bound)) return near;
    }
    return std::nullopt;
}

std::optional<ShortSubletBound> shorten(const BoundGrid& grid, const Bound& meshlet, const Bound& before,
                                        const Bound& bound) {
    ShortSubletBound code{};
    if (bound.sphere.w == 0.0F) {
        code.cone = kFillerCone;
        return same(lengthen(meshlet, before, code), bound) ? std::optional(code) : std::nullopt;
    }
    round_center(grid, meshlet, center_in_steps(grid, bound), code);
    round_radius(meshlet, static_cast<double>(bound.sphere.w), code);
    round_axis({bound.cone.x, bound.cone.y, bound.cone.z}, code);
    round_cutoff(static_cast<double>(bound.cone.w), code);
    return same(lengthen(meshlet, before, code), bound) ? std::optional(code) : std::nullopt;
}

}  // namespace

BoundGrid::BoundGrid(const PositionGrid& grid, int position_bits)
    : scale(static_cast<double>(grid.scale)),
      unit(std::ldexp(1.0, position_bits - 16)),
      origin{static_cast<double>(grid.origin[0]), static_cast<double>(grid.origin[1]),
             static_cast<double>(grid.origin[2])} {}

BoundGrid::BoundGrid(const MeshHeader& header)
    : scale(std::ldexp(1.0, std::clamp(header.position_exponent, kMinExponent, kMaxExponent))),
      unit(std::ldexp(1.0, static_cast<int>(std::min(header.position_bits, std::uint32_t{kMostPositionBits})) - 16)),
      origin{static_cast<double>(header.origin.x), static_cast<double>(header.origin.y),
             static_cast<double>(header.origin.z)} {}

Bound lengthen(const BoundGrid& grid, const ShortMeshletBound& bound) {
    std::array<float, 3> center{};
    for (std::size_t i = 0; i < 3; ++i) {
        center[i] = without_denormals(grid.origin[i] + grid.scale * grid.unit * bound.center[i]);
    }
    return {{center[0], center[1], center[2], meshlet_radius(grid, bound.radius)},
            cone_of(bound.axis, kMeshletAxisBits, kMeshletAxisMax, bound.cutoff, kMeshletCutoffMax)};
}

Bound lengthen(const Bound& meshlet, const Bound& before, const ShortSubletBound& bound) {
    if (bound.cone == kFillerCone) return {{before.sphere.x, before.sphere.y, before.sphere.z, 0.0F}, before.cone};
    const double step = static_cast<double>(meshlet.sphere.w) / kCenterParts;
    return {
        {without_denormals(static_cast<double>(meshlet.sphere.x) + step * bound.center[0]),
         without_denormals(static_cast<double>(meshlet.sphere.y) + step * bound.center[1]),
         without_denormals(static_cast<double>(meshlet.sphere.z) + step * bound.center[2]),
         sublet_radius(meshlet, bound.radius)},
        cone_of(bound.cone, kSubletAxisBits, kSubletAxisMax, bound.cone >> (2 * kSubletAxisBits), kSubletCutoffMax)};
}

void round_center(const BoundGrid& grid, const std::array<double, 3>& center, ShortMeshletBound& bound) {
    for (std::size_t i = 0; i < 3; ++i) {
        bound.center[i] = static_cast<std::int16_t>(std::clamp(std::round(center[i] / grid.unit), -32768.0, 32767.0));
    }
}

void round_center(const BoundGrid& grid, const Bound& meshlet, const std::array<double, 3>& center,
                  ShortSubletBound& bound) {
    const std::array<double, 3> from = center_in_steps(grid, meshlet);
    const double part = static_cast<double>(meshlet.sphere.w) / grid.scale / kCenterParts;
    for (std::size_t i = 0; i < 3; ++i) {
        bound.center[i] = static_cast<std::int8_t>(std::clamp(std::round((center[i] - from[i]) / part), -128.0, 127.0));
    }
}

void round_radius(const BoundGrid& grid, double radius, ShortMeshletBound& bound) {
    // The least exponent with which the mantissa has room, which rounding up may leave none of.
    const double units = radius > FLT_MIN ? std::ldexp(radius / grid.scale, kRadiusShift) : 0.0;
    int exponent = units < 1.0 ? 0 : std::max(std::ilogb(units) - static_cast<int>(kMantissaBits) + 1, 0);
    for (;; ++exponent) {
        const double mantissa = std::ceil(std::ldexp(units, -exponent));
        if (mantissa >= 1U << kMantissaBits && exponent < kMostExponent) continue;
        const double most = (1U << kMantissaBits) - 1;
        bound.radius = static_cast<std::uint16_t>(static_cast<std::uint32_t>(std::min(mantissa, most)) |
                                                  static_cast<std::uint32_t>(exponent) << kMantissaBits);
        return;
    }
}

void round_radius(const Bound& meshlet, double radius, ShortSubletBound& bound) {
    const double parts = std::ceil(radius / static_cast<double>(meshlet.sphere.w) * kRadiusParts) - kLeastRadius;
    int code = static_cast<int>(std::clamp(parts, 0.0, 255.0));
    if (code > 0 && static_cast<double>(sublet_radius(meshlet, code - 1)) >= radius) --code;
    while (code < 255 && static_cast<double>(sublet_radius(meshlet, code)) < radius) ++code;
    bound.radius = static_cast<std::uint8_t>(code);
}

void round_axis(const std::array<float, 3>& axis, ShortMeshletBound& bound) {
    bound.axis = axes_of(encode_octahedral(axis, kMeshletAxisMax, kMeshletAxisMax), kMeshletAxisBits);
}

void round_axis(const std::array<float, 3>& axis, ShortSubletBound& bound) {
    const std::uint32_t cutoff = bound.cone >> (2 * kSubletAxisBits) << (2 * kSubletAxisBits);
    bound.cone = axes_of(encode_octahedral(axis, kSubletAxisMax, kSubletAxisMax), kSubletAxisBits) | cutoff;
}

void round_cutoff(double cutoff, ShortMeshletBound& bound) {
    bound.cutoff = static_cast<std::uint16_t>(cutoff_code(cutoff, kMeshletCutoffMax));
    if (bound.cutoff == kMeshletCutoffMax) bound.axis = 0;
}

void round_cutoff(double cutoff, ShortSubletBound& bound) {
    const std::uint32_t code = cutoff_code(cutoff, kSubletCutoffMax);
    const std::uint32_t axis = bound.cone & ((1U << (2 * kSubletAxisBits)) - 1);
    bound.cone = (code == kSubletCutoffMax ? 0 : axis) | code << (2 * kSubletAxisBits);
}

std::optional<ShortBounds> shorten(const MeshView& mesh) {
    if (!is_compact(*mesh.header)) return std::nullopt;
    ShortBounds out;
    out.sublets.reserve(mesh.sublet_bounds.size());
    out.meshlets.reserve(mesh.meshlet_bounds.size());
    const BoundGrid grid(*mesh.header);
    for (std::size_t s = 0; s < mesh.sublet_bounds.size(); ++s) {
        const Bound& meshlet = mesh.meshlet_bounds[s / shared::kSubletsPerMeshlet];
        const bool first = s % shared::kSubletsPerMeshlet == 0;
        if (first) {
            const auto code = shorten(grid, meshlet);
            if (!code) return std::nullopt;
            out.meshlets.push_back(*code);
        }
        const auto sublet = shorten(grid, meshlet, first ? Bound{} : mesh.sublet_bounds[s - 1], mesh.sublet_bounds[s]);
        if (!sublet) return std::nullopt;
        out.sublets.push_back(*sublet);
    }
    return out;
}

BoundSizes bound_sizes(const GeometryView& geometry, ThreadPool* pool) {
    std::atomic<bool> are_short = true;
    for_ranges(pool, geometry.meshes.size(), 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t m = begin; m < end && are_short; ++m) {
            if (!shorten(mesh_view(geometry, static_cast<std::uint32_t>(m)))) are_short = false;
        }
    });
    return are_short ? BoundSizes{sizeof(ShortSubletBound), sizeof(ShortMeshletBound)} : BoundSizes{};
}

LongBounds::LongBounds(std::size_t sublets, std::size_t meshlets)
    : sublets_(std::make_unique_for_overwrite<Bound[]>(sublets)), sublet_count_(sublets), meshlets_(meshlets) {}

void lengthen(std::span<const Bound> meshlets, std::span<const ShortSubletBound> sublets, std::span<Bound> out) {
    for (std::size_t s = 0; s < sublets.size(); ++s) {
        const Bound before = s % shared::kSubletsPerMeshlet == 0 ? Bound{} : out[s - 1];
        out[s] = lengthen(meshlets[s / shared::kSubletsPerMeshlet], before, sublets[s]);
    }
}

std::optional<LongBounds> lengthen(std::span<const MeshHeader> meshes, std::span<const ShortSubletBound> sublets,
                                   std::span<const ShortMeshletBound> meshlets,
                                   const std::function<bool(const MeshHeader&)>& later) {
    LongBounds out(sublets.size(), meshlets.size());
    std::size_t sublet = 0;
    std::size_t meshlet = 0;
    for (const MeshHeader& header : meshes) {
        const BoundGrid grid(header);
        const std::uint64_t count =
            (std::uint64_t{header.sublet_count} + shared::kSubletsPerMeshlet - 1) / shared::kSubletsPerMeshlet;
        if (header.sublet_count > sublets.size() - sublet || count > meshlets.size() - meshlet) return std::nullopt;
        const std::span<Bound> own = out.meshlets().subspan(meshlet, count);
        for (Bound& bound : own) bound = lengthen(grid, meshlets[meshlet++]);
        if (!later || !later(header)) {
            lengthen(own, sublets.subspan(sublet, header.sublet_count),
                     out.sublets().subspan(sublet, header.sublet_count));
        }
        sublet += header.sublet_count;
    }
    if (sublet != sublets.size() || meshlet != meshlets.size()) return std::nullopt;
    return out;
}

}  // namespace sublet::mesh
