// Unit vectors as two small integers: the octahedron |x| + |y| + |z| = 1, its lower half folded over the upper.
// After Cigolle et al., "A Survey of Efficient Representations for Independent Unit Vectors", JCGT 3(2), 2014.
#pragma once

#include <array>
#include <cstdint>

namespace sublet::mesh {

struct Octahedral {
    std::int32_t x = 0, y = 0;
};

// The integers, |x| <= max_x and |y| <= max_y, whose decoded direction is nearest to `direction` among the roundings of
// its projection up and down; of integers that decode to one direction always the same. `direction` is finite, of any
// length; zero gives (0, 0), which decodes to +Z.
[[nodiscard]] Octahedral encode_octahedral(const std::array<float, 3>& direction, std::int32_t max_x,
                                           std::int32_t max_y);

// The unit vector of x / max_x, y / max_y (values below -max count as -max).
[[nodiscard]] std::array<float, 3> decode_octahedral(const Octahedral& value, std::int32_t max_x, std::int32_t max_y);

// Greatest integers of the two kinds: 8-bit SNORM, and the 7 bits beside the sign of a tangent.
inline constexpr std::int32_t kSnorm8Max = 127;
inline constexpr std::int32_t kSnorm7Max = 63;

}  // namespace sublet::mesh
