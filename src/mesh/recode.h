// Geometry from one coding to the other.
#pragma once

#include "mesh/mesh.h"

namespace sublet {
class ThreadPool;
}

namespace sublet::mesh {

// try_recode(), of validated geometry. Throws Error where an offset would need more than 32 bits.
[[nodiscard]] Geometry recode(const GeometryView& geometry, Coding coding, ThreadPool* pool = nullptr);

// Whether a mesh of it is in another coding.
[[nodiscard]] bool has_other_coding(const GeometryView& geometry, Coding coding);

}  // namespace sublet::mesh
