// Spheres and cones around quantised geometry: what culling tests.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>

#include "mesh/grid.h"
#include "mesh/view.h"

namespace sublet::mesh {

// The bound of a meshlet: `points` are its vertices as decoded_grid_point gives them (at least one), `normals` those of
// its triangles as triangle_normal gives them.
// - sphere: contains every vertex as PositionGrid::dequantize gives it; about the smallest such sphere.
// - cone: when dot(centre - eye, axis) >= cutoff * |centre - eye| + radius, every triangle faces away from `eye`, or is
//   seen edge on, and floats may evaluate that test. The axis is about the middle of the narrowest cone around the
//   triangles' normals, the cutoff the sine of the half angle of one about that axis (as meshoptimizer defines it; the
//   test is derived in Akenine-Moller et al., "Real-Time Rendering", 4th edition, section 19.3). Normals that no cone
//   narrower than a hemisphere holds give cutoff 1.
// Both are rounded to what short bounds stand for (mesh/short_bounds.h).
[[nodiscard]] Bound bound_meshlet(const PositionGrid& grid, int position_bits,
                                  std::span<const std::array<float, 3>> points,
                                  std::span<const std::array<float, 3>> normals);
// The same of a sublet, whose short bound counts from its meshlet's.
[[nodiscard]] Bound bound_sublet(const PositionGrid& grid, int position_bits, const Bound& meshlet,
                                 std::span<const std::array<float, 3>> points,
                                 std::span<const std::array<float, 3>> normals);

// The sphere around all vertices of a mesh. `sublets` are its sublets' as bound_sublet gives them, at least one, and
// points_of(s) the vertices of sublet s, valid until the next call.
[[nodiscard]] shared::vec4 bound_mesh(
    const PositionGrid& grid, std::span<const Bound> sublets,
    const std::function<std::span<const std::array<float, 3>>(std::size_t)>& points_of);

// A triangle's unit normal in grid units, false when its decoded vertices span no area.
[[nodiscard]] bool triangle_normal(const std::array<float, 3>& a, const std::array<float, 3>& b,
                                   const std::array<float, 3>& c, std::array<float, 3>& normal);

// A grid point as it decodes, in grid units about the grid's origin: the integers themselves, but where floats around
// the origin are too coarse to hold them.
[[nodiscard]] std::array<float, 3> decoded_grid_point(const PositionGrid& grid, const GridPoint& point);

}  // namespace sublet::mesh
