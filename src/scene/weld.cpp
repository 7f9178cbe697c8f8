#include "scene/weld.h"

#include <meshoptimizer.h>

#include <limits>
#include <numeric>
#include <type_traits>
#include <utility>

namespace sublet::scene {

void unweld(SourcePrimitive& primitive) {
    for_each_stream(primitive, [&](auto& stream) {
        if (stream.empty()) return;
        std::remove_reference_t<decltype(stream)> corners(primitive.indices.size());
        for (std::size_t i = 0; i < corners.size(); ++i) corners[i] = stream[primitive.indices[i]];
        stream = std::move(corners);
    });
    std::iota(primitive.indices.begin(), primitive.indices.end(), 0U);
}

void weld(SourcePrimitive& primitive) {
    const std::size_t vertices = primitive.positions.size();
    if (vertices == 0) return;
    std::vector<meshopt_Stream> streams;
    for_each_stream(primitive, [&](auto& stream) {
        if (stream.empty()) return;
        streams.push_back({stream.data(), sizeof(stream[0]), sizeof(stream[0])});
    });
    std::vector<unsigned> remap(vertices);
    const std::size_t unique = meshopt_generateVertexRemapMulti(
        remap.data(), primitive.indices.data(), primitive.indices.size(), vertices, streams.data(), streams.size());
    for_each_stream(primitive, [&](auto& stream) {
        if (stream.empty()) return;
        std::remove_reference_t<decltype(stream)> welded(unique);
        for (std::size_t i = 0; i < vertices; ++i) {
            if (remap[i] != std::numeric_limits<unsigned>::max()) welded[remap[i]] = stream[i];
        }
        stream = std::move(welded);
    });
    for (std::uint32_t& index : primitive.indices) index = remap[index];
}

}  // namespace sublet::scene
