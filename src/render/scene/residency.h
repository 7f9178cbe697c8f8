// Which meshlets of a scene are in VRAM, and where they lie there.
//
// What there is no room for is left out by whole groups of levels of detail, the least errors first: what is drawn of a
// group that is not there is what it was simplified to (shaders/cull/cut.glsl). Groups that were not simplified are
// always there, and so are all meshlets of meshes without levels, of those that deform, and of the plain coding.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "mesh/mesh.h"
#include "shaders/shared/mesh_format.h"
#include "shaders/shared/scene.h"

namespace sublet::render {

struct Residency {
    // Headers as the GPU has them: payload_offset, payload_size, first_sublet, first_vertex and first_attribute are of
    // what is there. The rest counts all of the file.
    std::vector<shared::MeshHeader> meshes;
    std::vector<std::uint32_t> first_sublet;  // of each meshlet of the file: MeshletRange::first_sublet
    std::vector<char> absent_groups;          // of each group of levels of detail; empty where all are there
    std::uint32_t groups = 0;                 // that there are, and those that are there
    std::uint32_t resident_groups = 0;
    float error = 0.0F;  // the largest of what absent ones were simplified to: a distance in the world

    // How much there is: of vertices, and words of payload and attributes.
    std::uint64_t sublets = 0, vertices = 0, attribute_words = 0, payload_words = 0;
    // What that takes in VRAM, and all of the file would.
    std::uint64_t bytes = 0, whole_bytes = 0;

    [[nodiscard]] bool whole() const { return absent_groups.empty(); }
};

// Of each mesh, the largest by which an instance stretches it; 0: none places it.
[[nodiscard]] std::vector<float> mesh_scales(std::size_t meshes, std::span<const shared::Instance> instances);

struct ResidencyOptions {
    std::uint64_t budget = std::numeric_limits<std::uint64_t>::max();  // bytes
    std::span<const float> scales = {};                                // mesh_scales(); empty: 1 for all
    bool leads = false;                                                // vertices have leads (DecodedVertices)
};

// What of `geometry`, which was validated, has room. Counts what geometry takes with its decoded vertices, and without
// indices. Sorts the groups; else linear in the meshlets.
[[nodiscard]] Residency plan_residency(const mesh::GeometryView& geometry, const ResidencyOptions& options);

// What a person should know where `budget` was too small; nothing where it was not.
[[nodiscard]] std::optional<std::string> residency_note(const Residency& there, std::uint64_t budget);

// The bounds of the sublets that are there, by their numbers among those.
[[nodiscard]] std::vector<shared::Bound> resident_sublet_bounds(const mesh::GeometryView& geometry,
                                                                const Residency& residency);

// The payload of what is there, which is less than all: each mesh's, one after the other, with records that tell where
// the blocks and the vertices of its meshlets lie among those (shaders/shared/compact.h).
[[nodiscard]] std::vector<std::uint32_t> resident_payload(const mesh::GeometryView& geometry,
                                                          const Residency& residency);

}  // namespace sublet::render
