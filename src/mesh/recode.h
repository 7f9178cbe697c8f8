// Geometry from one coding to the other.
#pragma once

#include "mesh/mesh.h"

namespace sublet {
class ThreadPool;
}

namespace sublet::mesh {

// Throws Error, blaming `name`, where a mesh has positions of more bits than the plain coding of files holds.
void require_plain(const GeometryView& geometry, const std::string& name);

// try_recode(), of validated geometry. Throws Error where an offset would need more than 32 bits.
// The plain coding has positions of more than 16 bits in memory alone, on their way: require_plain() is for what stays.
[[nodiscard]] Geometry recode(const GeometryView& geometry, Coding coding, ThreadPool* pool = nullptr);

// Whether recode() leaves it as it is.
[[nodiscard]] bool is_recoded(const GeometryView& geometry, Coding coding);

// Whether a mesh of it is in another coding.
[[nodiscard]] bool has_other_coding(const GeometryView& geometry, Coding coding);

}  // namespace sublet::mesh
