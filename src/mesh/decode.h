// The CPU reference decoder. The GPU's decode.glsl gives the same integers to the bit.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "mesh/arrays.h"
#include "mesh/stream.h"
#include "mesh/view.h"

namespace sublet::mesh {

// One sublet, unpacked to integers.
struct DecodedSublet {
    std::uint32_t triangle_count = 0;
    std::uint32_t vertex_count = 0;
    std::array<std::array<std::uint8_t, 3>, shared::kSubletSize> triangles{};  // sublet-local vertex indices
    std::array<std::array<std::int16_t, 3>, shared::kSubletSize> positions{};  // grid integers
    // Attribute words per vertex in the order of the stream types present, exactly as the GPU's decode pass writes
    // them: MeshHeader::attribute_stride words each.
    std::array<std::array<std::uint32_t, kMaxAttributeWords>, shared::kSubletSize> attributes{};
};

// Decodes sublet `sublet` (< header->sublet_count) of a validated mesh.
[[nodiscard]] DecodedSublet decode_sublet(const MeshView& mesh, std::uint32_t sublet);

// The floats of attribute words. Of a normal or tangent: a unit vector, octahedral with 8-bit SNORM coordinates
// (max(c / 127, -1)), but for the tangent's second one, 7 bits beside its sign (max((c >> 1) / 63, -1)); the tangent's
// w is its sign, +1 or -1. Of texture coordinates: 0.5 * (integer * uv_scale) + 0.5. Of colours and weights: byte /
// 255.
[[nodiscard]] std::array<float, 3> decode_normal(std::uint32_t word);
[[nodiscard]] std::array<float, 4> decode_tangent(std::uint32_t word);
[[nodiscard]] std::array<float, 2> decode_uv(const MeshHeader& header, std::uint32_t word);
[[nodiscard]] std::array<float, 4> decode_unorm8(std::uint32_t word);

// A whole mesh as floats, vertices of different sublets kept apart (or welded where every word is equal).
using DecodedMesh = MeshArrays;

[[nodiscard]] DecodedMesh decode(const MeshView& mesh, bool weld = true);

// Object-space position of grid integers: origin + 2^exponent * integers, in float, as the shared vertex function has
// it.
[[nodiscard]] std::array<float, 3> dequantize_position(const MeshHeader& header,
                                                       const std::array<std::int16_t, 3>& grid);

}  // namespace sublet::mesh
