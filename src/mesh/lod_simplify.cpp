#include "mesh/lod_simplify.h"

#include <meshoptimizer.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cfloat>
#include <cmath>
#include <optional>

#include "mesh/mesh.h"
#include "mesh/stream.h"

namespace sublet::mesh {
namespace {

// Unit normals, texture coordinates and colours beside positions, of which a group's extent is 1.
constexpr float kNormalShare = 0.6F, kUvShare = 0.3F, kColorShare = 0.3F;
constexpr std::size_t kAttributes = 8;  // normal 3, uv 2, colour 3

// Where in a vertex's words those of a stream begin; nothing without the stream.
std::optional<std::uint32_t> word_of(const VertexTable& table, std::uint32_t type) {
    if (!has_stream(type, table.streams_present)) return std::nullopt;
    return 2 + attribute_offset(type, table.streams_present);
}

struct Words {
    std::optional<std::uint32_t> normal, uv, uv1, color;

    explicit Words(const VertexTable& table)
        : normal(word_of(table, shared::kStreamNormalTangent)),
          uv(word_of(table, shared::kStreamUv)),
          uv1(word_of(table, shared::kStreamUv1)),
          color(word_of(table, shared::kStreamColor)) {}

    // How many of attributes_of() come before nothing but zeros.
    [[nodiscard]] std::size_t attributes() const { return color ? kAttributes : uv ? 5 : normal ? 3 : 0; }
};

// Whether simplifying may take one vertex for the other, at one place in one mesh.
bool alike(const VertexTable& table, const Words& words, std::uint32_t a, std::uint32_t b, Wedges wedges) {
    if (wedges == Wedges::kAll) return true;
    const std::uint32_t* x = table.vertex(a);
    const std::uint32_t* y = table.vertex(b);
    for (const std::optional<std::uint32_t>& word : {words.uv, words.uv1, words.color}) {
        if (word && x[*word] != y[*word]) return false;
    }
    if (!words.normal) return true;
    const std::array<float, 3> n = decode_normal(x[*words.normal]);
    const std::array<float, 3> m = decode_normal(y[*words.normal]);
    return n[0] * m[0] + n[1] * m[1] + n[2] * m[2] >= (wedges == Wedges::kSmooth ? 0.5F : 0.985F);
}

std::array<float, kAttributes> attributes_of(const VertexTable& table, const Words& words, std::uint32_t vertex) {
    std::array<float, kAttributes> out{};
    const std::uint32_t* word = table.vertex(vertex);
    if (words.normal) {
        const std::array<float, 3> normal = decode_normal(word[*words.normal]);
        for (std::size_t k = 0; k < 3; ++k) out[k] = normal[k] * kNormalShare;
    }
    if (words.uv) {
        const std::uint32_t uv = word[*words.uv];
        for (std::size_t k = 0; k < 2; ++k) {
            out[3 + k] = static_cast<float>(static_cast<std::int16_t>(uv >> (16 * k) & 0xffffU)) / 32768.0F * kUvShare;
        }
    }
    if (words.color) {
        const std::array<float, 4> color = decode_unorm8(word[*words.color]);
        for (std::size_t k = 0; k < 3; ++k) out[5 + k] = color[k] * kColorShare;
    }
    return out;
}

std::uint64_t hash(std::uint64_t key) {
    key *= 0x9e3779b97f4a7c15U;
    return key ^ key >> 29U;
}

// The vertices of triangles, each once, ascending, meshes in the upper half of the number; and of each corner which of
// them it is.
std::vector<std::uint64_t> number_vertices(std::span<const GroupTriangle> triangles, std::vector<unsigned>& corners) {
    constexpr std::uint64_t kEmpty = ~std::uint64_t{0};
    using Entry = std::pair<std::uint64_t, unsigned>;  // vertex, the number by first use
    std::vector<Entry> slots(std::bit_ceil(6 * triangles.size()), {kEmpty, 0});
    std::vector<Entry> found;
    corners.reserve(3 * triangles.size());
    for (const GroupTriangle& t : triangles) {
        for (const std::uint32_t v : t.vertices) {
            const std::uint64_t vertex = std::uint64_t{t.mesh} << 32U | v;
            std::size_t slot = hash(vertex) & (slots.size() - 1);
            while (slots[slot].first != vertex && slots[slot].first != kEmpty) slot = (slot + 1) & (slots.size() - 1);
            if (slots[slot].first == kEmpty) {
                slots[slot] = {vertex, static_cast<unsigned>(found.size())};
                found.push_back(slots[slot]);
            }
            corners.push_back(slots[slot].second);
        }
    }
    std::sort(found.begin(), found.end());
    std::vector<std::uint64_t> out(found.size());
    std::vector<unsigned> rank(found.size());
    for (unsigned i = 0; i < found.size(); ++i) {
        out[i] = found[i].first;
        rank[found[i].second] = i;
    }
    for (unsigned& corner : corners) corner = rank[corner];
    return out;
}

// How often each edge is there one way more than the other.
class EdgeCounts {
  public:
    // Most edges are there both ways: the table is half full.
    explicit EdgeCounts(std::size_t edges) : slots_(std::bit_ceil(edges + edges / 8 + 2)) {}

    void add(std::uint64_t from, std::uint64_t to) {
        if (from == to) return;
        const std::uint64_t key = std::min(from, to) << 32U | std::max(from, to);
        for (std::size_t slot = hash(key) & (slots_.size() - 1);; slot = (slot + 1) & (slots_.size() - 1)) {
            Slot& found = slots_[slot];
            if (found.key != key && found.key != 0) continue;
            found.key = key;  // never 0: its ends differ
            found.more += from < to ? 1 : -1;
            return;
        }
    }

    [[nodiscard]] std::vector<DirectedEdge> boundary() const {
        std::vector<DirectedEdge> out;
        for (const Slot& slot : slots_) {
            const auto low = static_cast<std::uint32_t>(slot.key >> 32U);
            const auto high = static_cast<std::uint32_t>(slot.key);
            for (int i = 0; i < slot.more; ++i) out.push_back({low, high});
            for (int i = 0; i > slot.more; --i) out.push_back({high, low});
        }
        std::sort(out.begin(), out.end());
        return out;
    }

  private:
    struct Slot {
        std::uint64_t key = 0;
        int more = 0;
    };
    std::vector<Slot> slots_;
};

}  // namespace

std::vector<DirectedEdge> boundary(const GroupMeshes& meshes, std::span<const GroupTriangle> triangles) {
    EdgeCounts edges(3 * triangles.size());
    for (const GroupTriangle& t : triangles) {
        const std::vector<std::uint32_t>& positions = meshes.positions[t.mesh];
        for (std::size_t i = 0; i < 3; ++i) edges.add(positions[t.vertices[i]], positions[t.vertices[(i + 1) % 3]]);
    }
    return edges.boundary();
}

std::vector<DirectedEdge> boundary(std::span<const DirectedEdge> edges) {
    EdgeCounts counts(edges.size());
    for (const DirectedEdge& e : edges) counts.add(e[0], e[1]);
    return counts.boundary();
}

void drop_opposite_pairs(const GroupMeshes& meshes, std::vector<GroupTriangle>& triangles) {
    struct Face {
        std::array<std::uint32_t, 3> corners;  // ascending
        bool reversed;                         // their order is odd
        std::uint32_t triangle;
    };
    std::vector<Face> faces;
    faces.reserve(triangles.size());
    for (std::uint32_t i = 0; i < triangles.size(); ++i) {
        const std::vector<std::uint32_t>& positions = meshes.positions[triangles[i].mesh];
        const Triangle& v = triangles[i].vertices;
        Face face{{positions[v[0]], positions[v[1]], positions[v[2]]}, false, i};
        auto& [a, b, c] = face.corners;
        const auto order = [&](std::uint32_t& x, std::uint32_t& y) {
            if (x <= y) return;
            std::swap(x, y);
            face.reversed = !face.reversed;
        };
        order(a, b);
        order(b, c);
        order(a, b);
        faces.push_back(face);
    }
    std::sort(faces.begin(), faces.end(), [](const Face& x, const Face& y) {
        return x.corners != y.corners ? x.corners < y.corners : x.triangle < y.triangle;
    });
    std::vector<char> dropped(triangles.size());
    for (std::size_t begin = 0; begin < faces.size();) {
        std::size_t end = begin;
        while (end < faces.size() && faces[end].corners == faces[begin].corners) ++end;
        for (std::size_t i = begin; i < end; ++i) {
            for (std::size_t j = i + 1; j < end && dropped[faces[i].triangle] == 0; ++j) {
                if (faces[i].reversed == faces[j].reversed || dropped[faces[j].triangle] != 0) continue;
                dropped[faces[i].triangle] = dropped[faces[j].triangle] = 1;
            }
        }
        begin = end;
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < triangles.size(); ++i) {
        if (dropped[i] == 0) triangles[kept++] = triangles[i];
    }
    triangles.resize(kept);
}

std::vector<GroupTriangle> simplify_group(const GroupMeshes& meshes, std::span<const GroupTriangle> triangles,
                                          std::size_t target, Wedges wedges,
                                          const std::function<bool(std::uint32_t)>& locked) {
    // The vertices in use, by meshes; those of one place in one mesh lie side by side.
    const auto mesh_of = [](std::uint64_t used) { return static_cast<std::uint32_t>(used >> 32U); };
    const auto vertex_of = [](std::uint64_t used) { return static_cast<std::uint32_t>(used); };
    std::vector<unsigned> corners;
    const std::vector<std::uint64_t> used = number_vertices(triangles, corners);
    const auto position_of = [&](std::uint64_t vertex) { return meshes.positions[mesh_of(vertex)][vertex_of(vertex)]; };
    // Of each that which stands for it.
    std::vector<std::uint32_t> stands(used.size());
    std::vector<Words> words;
    for (const VertexTable& table : meshes.tables) words.emplace_back(table);
    for (std::uint32_t i = 0; i < used.size(); ++i) {
        stands[i] = i;
        const std::uint32_t mesh = mesh_of(used[i]);
        for (std::uint32_t j = i;
             j-- > 0 && mesh_of(used[j]) == mesh && position_of(used[j]) == position_of(used[i]);) {
            if (stands[j] == j &&
                alike(meshes.tables[mesh], words[mesh], vertex_of(used[j]), vertex_of(used[i]), wedges)) {
                stands[i] = j;
            }
        }
    }
    std::size_t attribute_count = 0;
    for (const Words& w : words) attribute_count = std::max(attribute_count, w.attributes());
    if (wedges == Wedges::kAll) attribute_count = 0;
    std::vector<std::array<float, 3>> positions(used.size());
    std::vector<float> attributes(used.size() * attribute_count);
    std::vector<unsigned char> lock(used.size());
    std::array<float, 3> least{};
    std::array<float, 3> most{};
    for (std::size_t i = 0; i < used.size(); ++i) {
        const VertexTable& table = meshes.tables[mesh_of(used[i])];
        const GridPoint p = table.position(vertex_of(used[i]));
        for (std::size_t k = 0; k < 3; ++k) {
            positions[i][k] = static_cast<float>(p[k]);
            least[k] = i == 0 ? positions[i][k] : std::min(least[k], positions[i][k]);
            most[k] = i == 0 ? positions[i][k] : std::max(most[k], positions[i][k]);
        }
        if (attribute_count != 0) {
            const auto values = attributes_of(table, words[mesh_of(used[i])], vertex_of(used[i]));
            std::copy_n(values.begin(), attribute_count, attributes.data() + i * attribute_count);
        }
        lock[i] = locked(position_of(used[i])) ? 1 : 0;
    }
    std::vector<unsigned> indices;
    indices.reserve(corners.size());
    for (std::size_t i = 0; i < corners.size(); i += 3) {
        const unsigned a = stands[corners[i]];
        const unsigned b = stands[corners[i + 1]];
        const unsigned c = stands[corners[i + 2]];
        if (a != b && b != c && c != a) indices.insert(indices.end(), {a, b, c});
    }
    // The weight of attributes is in their values: of distances in the group's extent.
    const float extent = std::max({most[0] - least[0], most[1] - least[1], most[2] - least[2], 1.0F});
    for (auto& p : positions) {
        for (std::size_t k = 0; k < 3; ++k) p[k] = (p[k] - least[k]) / extent;
    }
    std::array<float, kAttributes> weights{};
    weights.fill(1.0F);
    std::vector<unsigned> simple(indices.size());
    simple.resize(meshopt_simplifyWithAttributes(
        simple.data(), indices.data(), indices.size(), positions[0].data(), positions.size(), sizeof(positions[0]),
        attributes.data(), attribute_count * sizeof(float), weights.data(), attribute_count, lock.data(), 3 * target,
        FLT_MAX, meshopt_SimplifyErrorAbsolute, nullptr));

    std::vector<GroupTriangle> out;
    out.reserve(simple.size() / 3);
    for (std::size_t i = 0; i + 2 < simple.size(); i += 3) {
        out.push_back({mesh_of(used[simple[i]]),
                       {vertex_of(used[simple[i]]), vertex_of(used[simple[i + 1]]), vertex_of(used[simple[i + 2]])}});
    }
    return out;
}

}  // namespace sublet::mesh
