// Whether a surface is shaded as it was.
#pragma once

#include <span>

#include "mesh/distance.h"

namespace sublet::mesh {

// By how much a normal of unit length differs from what it was, at a point of the surface.
struct NormalChange {
    Point at{};  // grid units
    Point by{};
    float area = 0.0F;  // that it stands for, more than 0
};

// A picture shows the mean of the normals in a pixel, so what cancels out there need not be kept. `error`, or the more
// that makes parts of the surface that are several errors wide have the mean normals that they had, about; in grid
// units, 0 or more. At most a share of `radius`, that of the surface: no part of it is larger.
[[nodiscard]] float error_of_normals(std::span<const NormalChange> changes, float error, float radius);

}  // namespace sublet::mesh
