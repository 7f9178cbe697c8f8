// Bounds in few bits. Spheres and cones are rounded to them as they are made, outwards: so every coding has the same,
// and the compact one stores them short (docs/FORMAT.md, "Short bounds").
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "mesh/container_format.h"
#include "mesh/grid.h"
#include "mesh/mesh.h"

namespace sublet {
class ThreadPool;
}

namespace sublet::mesh {

// The grid that the centres of meshlets lie on: 16 bits for the range of a mesh's positions.
struct BoundGrid {
    double scale = 1.0;  // of a step of positions
    double unit = 1.0;   // of this grid, in steps of positions: a power of two
    std::array<double, 3> origin{};

    BoundGrid(const PositionGrid& grid, int position_bits);
    explicit BoundGrid(const MeshHeader& header);
};

// What short bounds stand for.
[[nodiscard]] Bound lengthen(const BoundGrid& grid, const format::ShortMeshletBound& bound);
// `before`: of the sublet before it, whose place a sublet that fills a meshlet up has.
[[nodiscard]] Bound lengthen(const Bound& meshlet, const Bound& before, const format::ShortSubletBound& bound);

// Sets the centre nearest to `center`, in steps of positions.
void round_center(const BoundGrid& grid, const std::array<double, 3>& center, format::ShortMeshletBound& bound);
void round_center(const BoundGrid& grid, const Bound& meshlet, const std::array<double, 3>& center,
                  format::ShortSubletBound& bound);
// Sets the least radius that is not less than `radius`, in object space.
void round_radius(const BoundGrid& grid, double radius, format::ShortMeshletBound& bound);
void round_radius(const Bound& meshlet, double radius, format::ShortSubletBound& bound);
// Sets the axis nearest to `axis`.
void round_axis(const std::array<float, 3>& axis, format::ShortMeshletBound& bound);
void round_axis(const std::array<float, 3>& axis, format::ShortSubletBound& bound);
// Sets the least cutoff that is not less than `cutoff`; from 1 on there is no cone.
void round_cutoff(double cutoff, format::ShortMeshletBound& bound);
void round_cutoff(double cutoff, format::ShortSubletBound& bound);

struct ShortBounds {
    std::vector<format::ShortSubletBound> sublets;
    std::vector<format::ShortMeshletBound> meshlets;
};

// The bounds of a mesh as a file of it has them; nothing where it has long ones: where it is plain, and where some
// bounds are not to the bit what short ones stand for, as older files' are. Of validated geometry.
[[nodiscard]] std::optional<ShortBounds> shorten(const MeshView& mesh);

// Bytes of a bound in a file.
struct BoundSizes {
    std::size_t sublet = sizeof(Bound), meshlet = sizeof(Bound);

    [[nodiscard]] bool are_short() const { return sublet != sizeof(Bound); }
};
// They are short where those of all meshes can be.
[[nodiscard]] BoundSizes bound_sizes(const GeometryView& geometry, ThreadPool* pool = nullptr);

class LongBounds {
  public:
    LongBounds() = default;
    // Room for as many, of which those of sublets are not set yet.
    LongBounds(std::size_t sublets, std::size_t meshlets);

    [[nodiscard]] std::span<Bound> sublets() const { return {sublets_.get(), sublet_count_}; }
    [[nodiscard]] std::span<const Bound> meshlets() const { return meshlets_; }
    [[nodiscard]] std::span<Bound> meshlets() { return meshlets_; }

  private:
    std::unique_ptr<Bound[]> sublets_;  // memory that is not touched costs nothing
    std::size_t sublet_count_ = 0;
    std::vector<Bound> meshlets_;
};

// The other way, but for the sublets of meshes of which `later` is true. Reads nothing outside of the spans, whatever
// the headers say; nothing where these ask for another number of bounds.
[[nodiscard]] std::optional<LongBounds> lengthen(std::span<const MeshHeader> meshes,
                                                 std::span<const format::ShortSubletBound> sublets,
                                                 std::span<const format::ShortMeshletBound> meshlets,
                                                 const std::function<bool(const MeshHeader&)>& later = {});

// Of sublets that follow one another, the first of which begins a meshlet.
void lengthen(std::span<const Bound> meshlets, std::span<const format::ShortSubletBound> sublets, std::span<Bound> out);

}  // namespace sublet::mesh
