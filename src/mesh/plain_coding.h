// The plain coding of a mesh: a stream header and bits of the payload for each stream of a sublet (docs/FORMAT.md,
// "Streams").
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "mesh/mesh.h"

namespace sublet::mesh {

// Meshlets a task packs: enough to be worth handing out, few enough to share evenly.
inline constexpr std::size_t kMeshletsPerTask = 32;

// What precedes a sublet: in its mesh, and what precedes its meshlet there.
struct SubletPlace {
    std::uint32_t first_vertex = 0, first_triangle = 0;
    std::uint32_t meshlet_first_vertex = 0, meshlet_first_triangle = 0;
};

// Packs the streams of a sublet at the end of `payload`. `headers`: one for each of the streams present; their offsets
// count from the beginning of `payload`. A sublet without triangles, which fills a meshlet up, has streams of nothing.
// Positions of more than 16 bits are packed too, on their way to the compact coding: no file has them.
void pack_plain(const DecodedSublet& sublet, const MeshHeader& mesh, const SubletPlace& place, StreamHeader* headers,
                std::vector<std::uint32_t>& payload);

// Sublet `sublet` of a mesh in this coding.
[[nodiscard]] DecodedSublet decode_plain(const MeshView& mesh, std::uint32_t sublet);

// Appends what tasks packed to `payload`, part by part, which is emptied, and the word that a reader fetches beyond the
// last. `streams`: the headers, so many for each part, whose offsets are moved.
template <typename Part>
void join_payload(std::vector<Part>& parts, std::size_t headers_per_part, std::span<StreamHeader> streams,
                  std::vector<std::uint32_t>& payload) {
    const std::size_t begin = payload.size();
    std::size_t words = begin + 1;
    for (const Part& part : parts) words += part.payload.size();
    payload.reserve(words);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const auto offset = static_cast<std::uint32_t>(payload.size() - begin);
        const std::size_t end = std::min((i + 1) * headers_per_part, streams.size());
        for (std::size_t h = i * headers_per_part; h < end; ++h) streams[h].offset_in_words += offset;
        payload.insert(payload.end(), parts[i].payload.begin(), parts[i].payload.end());
        parts[i].payload = {};
    }
    payload.push_back(0);
}

}  // namespace sublet::mesh
