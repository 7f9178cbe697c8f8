#include "scene/weld.h"
#include "mesh/arrays.h"

#include <meshoptimizer.h>

#include <limits>
#include <numeric>
#include <type_traits>
#include <utility>

namespace sublet::scene {

void take_vertices(SourceMesh& mesh, std::span<const std::uint32_t> sources) {
    const auto take = [&](const mesh::Attribute&, auto& values) {
        if (values.empty()) return;
        std::remove_reference_t<decltype(values)> taken(sources.size());
        for (std::size_t i = 0; i < taken.size(); ++i) taken[i] = values[sources[i]];
        values = std::move(taken);
    };
    mesh::for_each_attribute(take, mesh);
}

void unweld(SourceMesh& mesh) {
    take_vertices(mesh, mesh.indices);
    std::iota(mesh.indices.begin(), mesh.indices.end(), 0U);
}

void weld(SourceMesh& mesh) {
    const std::size_t vertices = mesh.positions.size();
    if (vertices == 0) return;
    std::vector<meshopt_Stream> streams;
    const auto collect = [&](const mesh::Attribute&, const auto& values) {
        if (!values.empty()) streams.push_back({values.data(), sizeof(values[0]), sizeof(values[0])});
    };
    mesh::for_each_attribute(collect, mesh);
    std::vector<unsigned> remap(vertices);
    const std::size_t unique = meshopt_generateVertexRemapMulti(remap.data(), mesh.indices.data(), mesh.indices.size(),
                                                                vertices, streams.data(), streams.size());
    const auto gather = [&](const mesh::Attribute&, auto& values) {
        if (values.empty()) return;
        std::remove_reference_t<decltype(values)> welded(unique);
        for (std::size_t i = 0; i < vertices; ++i) {
            if (remap[i] != std::numeric_limits<unsigned>::max()) welded[remap[i]] = values[i];
        }
        values = std::move(welded);
    };
    mesh::for_each_attribute(gather, mesh);
    for (std::uint32_t& index : mesh.indices) index = remap[index];
}

}  // namespace sublet::scene
