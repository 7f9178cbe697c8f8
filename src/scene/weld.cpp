#include "scene/weld.h"

#include <meshoptimizer.h>

#include <bit>
#include <limits>
#include <numeric>
#include <type_traits>
#include <utility>

#include "mesh/arrays.h"
#include "mesh/first_equal.h"
#include "mesh/morphs.h"

namespace sublet::scene {
namespace {

// Calls visit(values) for each list of what morph targets add that is there.
template <typename Visit>
void for_each_morph(SourceMesh& mesh, const Visit& visit) {
    for (mesh::MorphArrays& morph : mesh.morphs) {
        for (std::uint32_t a = 0; a < shared::kMorphAttributes; ++a) {
            if (auto& values = mesh::morph_values(morph, a); !values.empty()) visit(values);
        }
    }
}

// For each vertex the first that morph targets move as they move it, to the bit.
std::vector<std::uint32_t> first_moved_alike(SourceMesh& mesh) {
    std::vector<std::uint32_t> hashes(mesh.positions.size());
    const auto add = [&](const auto& values) {
        for (std::size_t i = 0; i < hashes.size(); ++i) {
            const auto bits = std::bit_cast<std::array<std::uint32_t, 3>>(values[i]);
            const std::uint32_t words[] = {hashes[i], bits[0], bits[1], bits[2]};
            hashes[i] = mesh::hash_words(words, 4);
        }
    };
    for_each_morph(mesh, add);
    const auto equal = [&](std::uint32_t a, std::uint32_t b) {
        bool same = true;
        for_each_morph(mesh, [&](const auto& values) {
            using Bits = std::array<std::uint32_t, 3>;
            same = same && std::bit_cast<Bits>(values[a]) == std::bit_cast<Bits>(values[b]);
        });
        return same;
    };
    return mesh::find_first_equal(
        hashes, equal, [](std::uint32_t) { return false; }, nullptr);
}

}  // namespace

void take_vertices(SourceMesh& mesh, std::span<const std::uint32_t> sources) {
    const auto take = [&](const mesh::Attribute&, auto& values) {
        if (values.empty()) return;
        std::remove_reference_t<decltype(values)> taken(sources.size());
        for (std::size_t i = 0; i < taken.size(); ++i) taken[i] = values[sources[i]];
        values = std::move(taken);
    };
    mesh::for_each_attribute(take, mesh);
    for_each_morph(mesh, [&](auto& values) { take({}, values); });
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
    std::vector<std::uint32_t> moved;
    if (!mesh.morphs.empty()) {
        moved = first_moved_alike(mesh);
        streams.push_back({moved.data(), sizeof(moved[0]), sizeof(moved[0])});
    }
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
    for_each_morph(mesh, [&](auto& values) { gather({}, values); });
    for (std::uint32_t& index : mesh.indices) index = remap[index];
}

}  // namespace sublet::scene
