#include "render/scene/distinct_vertices.h"

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <optional>

#include "mesh/first_equal.h"
#include "mesh/morphs.h"

namespace sublet::render {
namespace {

// Of the streams that move with a pose: what a vertex has of them. A stream that the mesh has not counts as zeros.
enum : std::size_t {
    kPosition = 0,
    kDirection = 2,
    kJoints = 3,
    kWeights = 5,
    kJoints1 = 7,
    kWeights1 = 9,
    kWords = 11
};
using Key = std::array<std::uint32_t, kWords>;

class KeyReader {
  public:
    explicit KeyReader(const mesh::MeshHeader& header) {
        add(header, shared::kStreamNormalTangent, kDirection, 1);
        add(header, shared::kStreamBoneIndices, kJoints, 2);
        add(header, shared::kStreamJointWeights, kWeights, 2);
        add(header, shared::kStreamJointIndices1, kJoints1, 2);
        add(header, shared::kStreamJointWeights1, kWeights1, 2);
    }

    [[nodiscard]] Key read(const mesh::DecodedSublet& sublet, std::uint32_t v) const {
        const mesh::GridPoint& at = sublet.positions[v];
        Key key{};
        key[kPosition] = static_cast<std::uint16_t>(at[0]) | std::uint32_t{static_cast<std::uint16_t>(at[1])} << 16U;
        key[kPosition + 1] = static_cast<std::uint16_t>(at[2]) | shared::high_position_bits(at[0], at[1], at[2]) << 16U;
        for (const Word& word : words_) key[word.to] = sublet.attributes[v][word.from];
        return key;
    }

  private:
    struct Word {
        std::size_t from, to;
    };

    void add(const mesh::MeshHeader& header, std::uint32_t stream, std::size_t to, std::size_t words) {
        if ((header.streams_present >> stream & 1U) == 0) return;
        const std::size_t first = mesh::attribute_words_before(header, stream);
        for (std::size_t i = 0; i < words; ++i) words_.push_back({first + i, to + i});
    }

    std::vector<Word> words_;
};

// The joints that move a vertex: which of its eight, a bit each, and what they are.
struct Joints {
    std::uint32_t used = 1;  // the first always
    std::array<std::uint16_t, 8> joints{};

    explicit Joints(const Key& key) {
        const auto half = [&key](std::size_t at, std::size_t i) {
            return static_cast<std::uint16_t>(key[at + i / 2] >> 16 * (i % 2) & 0xffffU);
        };
        for (std::size_t i = 0; i < joints.size(); ++i) {
            const std::uint16_t weight = i == 0 ? 1 : i < 4 ? half(kWeights, i - 1) : half(kWeights1, i - 4);
            if (weight == 0) continue;
            used |= 1U << i;
            joints[i] = i < 4 ? half(kJoints, i) : half(kJoints1, i - 4);
        }
    }

    // NOLINTNEXTLINE(modernize-use-nullptr): of what the compiler makes of it
    auto operator<=>(const Joints&) const = default;
};

}  // namespace

DistinctVertices find_distinct_vertices(const mesh::MeshView& mesh) {
    const KeyReader reader(*mesh.header);
    std::vector<Key> keys;
    std::vector<std::uint32_t> hashes, places;
    for (std::uint32_t s = 0; s < mesh.header->sublet_count; ++s) {
        const mesh::DecodedSublet sublet = mesh::decode_sublet(mesh, s);
        std::optional<mesh::SubletMorphs> morphs;
        if (mesh.morph != nullptr) morphs.emplace(mesh, s);
        for (std::uint32_t v = 0; v < sublet.vertex_count; ++v) {
            keys.push_back(reader.read(sublet, v));
            hashes.push_back(mesh::hash_words(keys.back().data(), kWords));
            places.push_back(morphs ? morphs->place(v) : s * shared::kSubletSize + v);
        }
    }
    const auto equal = [&](std::uint32_t a, std::uint32_t b) { return mesh.morph == nullptr && keys[a] == keys[b]; };
    const std::vector<std::uint32_t> first = mesh::find_first_equal(
        hashes, equal, [](std::uint32_t) { return false; }, nullptr);
    std::vector<std::uint32_t> order;
    for (std::uint32_t v = 0; v < first.size(); ++v) {
        if (first[v] == v) order.push_back(v);
    }
    if (mesh.morph == nullptr) {
        std::ranges::stable_sort(order, {}, [&](std::uint32_t vertex) { return Joints(keys[vertex]); });
    }
    DistinctVertices out;
    out.numbers.resize(first.size());
    for (const std::uint32_t v : order) {
        out.numbers[v] = static_cast<std::uint32_t>(out.distinct.size());
        out.distinct.push_back({v, places[v]});
    }
    for (std::uint32_t v = 0; v < first.size(); ++v) out.numbers[v] = out.numbers[first[v]];
    return out;
}

}  // namespace sublet::render
