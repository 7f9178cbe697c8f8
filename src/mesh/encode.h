// From plain triangles to encoded meshes: what try_encode calls.
#pragma once

#include <span>
#include <string>

#include "mesh/mesh.h"

namespace sublet {
class Progress;
class ThreadPool;
}  // namespace sublet

namespace sublet::mesh {

// Encodes the meshes of ONE mesh group (one object space): they share one origin and one position exponent, the
// smallest at which every vertex of every mesh fits the position bits (mesh.h) about that origin, one UV
// exponent, and one of each attribute that morph targets move (mesh/morphs.h), so that shared borders never crack.
// Deterministic: the same input gives the same bytes whatever the pool. Throws Error(name, field, ...) on an index out
// of range, a NaN or infinite attribute, spans of unequal length, or options out of range. `progress`, if any, advances
// by kEncodeSteps times the triangles.
[[nodiscard]] EncodedMeshes encode(std::span<const MeshInput> meshes, const EncodeOptions& options,
                                   const std::string& name, ThreadPool* pool = nullptr, Progress* progress = nullptr);
inline constexpr std::uint64_t kEncodeSteps = 2;  // clustering, packing

}  // namespace sublet::mesh
