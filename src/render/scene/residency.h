// How much of a scene's geometry has room in VRAM, and how it lies there.
//
// What is always there comes first: all meshlets of meshes without levels of detail, of those that deform, and of the
// plain coding; and of other meshes what their payload begins with. Where not all has room, what else there is of the
// latter shares a pool behind it, in which groups of meshlets come and go (render/stream/scene_stream.h).
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mesh/mesh.h"
#include "render/scene/group_table.h"
#include "shaders/shared/mesh_format.h"
#include "shaders/shared/scene.h"

namespace sublet::render {

// Numbers in it count from its beginning.
struct PoolPlan {
    std::uint32_t first_sublet = 0;   // among those of all buffers, as the next three
    std::uint32_t first_vertex = 0;   // MeshHeader::first_vertex of streamed meshes
    std::uint32_t first_payload = 0;  // word
    GroupSize size;
    std::uint64_t bytes = 0;
};

struct Residency {
    // Headers as the GPU has them: payload_offset, payload_size, first_sublet, first_vertex and first_attribute are of
    // what is there; the rest counts all of the file, but for the attribute_stride of streamed meshes, which is the
    // largest of theirs.
    std::vector<shared::MeshHeader> meshes;
    std::vector<std::uint32_t> first_sublet;  // of each meshlet of the file: MeshletRange::first_sublet
    PoolPlan pool;
    std::unique_ptr<GroupTable> groups;  // null: all is always there

    // What there is room for: vertices, and words of payload and attributes.
    std::uint64_t sublets = 0, vertices = 0, attribute_words = 0, payload_words = 0;
    // What that takes in VRAM, and all of the file would.
    std::uint64_t bytes = 0, whole_bytes = 0;

    [[nodiscard]] bool whole() const { return groups == nullptr; }
};

struct ResidencyOptions {
    std::uint64_t budget = std::numeric_limits<std::uint64_t>::max();  // bytes
    bool leads = false;                                                // vertices have leads (DecodedVertices)
};

// What of `geometry`, which was validated, has room. Counts what geometry takes with its decoded vertices, and without
// indices. A pool has room for what is never left out and for twice the largest group, whatever the budget is; where
// that spares nothing, all is always there.
[[nodiscard]] Residency plan_residency(const mesh::GeometryView& geometry, const ResidencyOptions& options);

// What a person should know where `budget` was too small; nothing where it was not.
[[nodiscard]] std::optional<std::string> residency_note(const Residency& there, std::uint64_t budget);

// The bounds of the sublets, and the payload, of what is always there, which is less than all: each mesh's, one after
// the other.
[[nodiscard]] std::vector<shared::Bound> resident_sublet_bounds(const mesh::GeometryView& geometry);
[[nodiscard]] std::vector<std::uint32_t> resident_payload(const mesh::GeometryView& geometry);

}  // namespace sublet::render
