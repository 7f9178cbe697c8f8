// From plain triangles to encoded meshes. Needs neither Vulkan nor glTF: an engine can take this folder with
// shaders/shared/ and src/base/ alone.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "mesh/arrays.h"
#include "mesh/view.h"

namespace sublet {
class ThreadPool;
}

namespace sublet::mesh {

enum class Style : std::uint8_t { kAuto, kWireframe, kTextured, kSkinned };

struct EncodeOptions {
    Style style = Style::kAuto;  // kAuto: the richest style for which the input has attributes
    int position_bits = 14;      // 4 to 16: signed bits of a position component
    int uv_bits = 15;            // 4 to 16
};

// What quantisation did to positions: distances between a source vertex and its decoded position.
struct QuantizationError {
    double position_max = 0;           // object-space units
    double position_rms = 0;           // object-space units
    double position_max_relative = 0;  // position_max / diagonal of the bounding box
};

// Where the time of the call went, by the clock on the wall, summed over its meshes, which may be encoded at the same
// time. What precedes clustering (quantising, welding) counts as packing.
struct EncodeSeconds {
    double cluster = 0, pack = 0, bounds = 0;
};

struct EncodeStats {
    std::uint64_t source_triangles = 0;
    std::uint64_t source_vertices = 0;
    std::uint64_t dropped_degenerate = 0;  // triangles without area once quantised, or with a repeated vertex
    std::uint64_t dropped_by_grid = 0;     // of these, the triangles with area before they were quantised
    std::uint64_t dropped_duplicate = 0;   // triangles repeated with the same vertices in the same winding
    QuantizationError error;
    EncodeSeconds seconds;
};

struct EncodedMeshes {
    Geometry geometry;  // one MeshHeader per mesh, in order; a mesh left with no triangle has counts of 0
    EncodeStats stats;
};

// Encodes the meshes of ONE mesh group (one object space): they share one origin and one position exponent, the
// smallest at which every vertex of every mesh fits options.position_bits signed bits about that origin, and one UV
// exponent, so that shared borders never crack. Deterministic: the same input gives the same bytes whatever the pool.
// Throws Error(name, field, ...) on an index out of range, a NaN or infinite attribute, spans of unequal length, or
// options out of range.
[[nodiscard]] EncodedMeshes encode(std::span<const MeshInput> meshes, const EncodeOptions& options,
                                   const std::string& name, ThreadPool* pool = nullptr);

}  // namespace sublet::mesh
