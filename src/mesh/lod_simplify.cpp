#include "mesh/lod_simplify.h"

#include <meshoptimizer.h>

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <optional>

#include "mesh/mesh.h"
#include "mesh/stream.h"

namespace sublet::mesh {
namespace {

// Unit normals, texture coordinates and colours beside positions, of which a group's extent is 1.
constexpr float kNormalShare = 0.4F, kUvShare = 0.3F, kColorShare = 0.3F;
constexpr std::size_t kAttributes = 8;  // normal 3, uv 2, colour 3

// Where in a vertex's words those of a stream begin; nothing without the stream.
std::optional<std::uint32_t> word_of(const VertexTable& table, std::uint32_t type) {
    if (!has_stream(type, table.streams_present)) return std::nullopt;
    std::uint32_t word = 0;
    for (std::uint32_t t = shared::kStreamPosition; t < type; ++t) {
        if (has_stream(t, table.streams_present)) word += kStreams[t].layout.words();
    }
    return word;
}

struct Words {
    std::optional<std::uint32_t> normal, uv, uv1, color;

    explicit Words(const VertexTable& table)
        : normal(word_of(table, shared::kStreamNormalTangent)),
          uv(word_of(table, shared::kStreamUv)),
          uv1(word_of(table, shared::kStreamUv1)),
          color(word_of(table, shared::kStreamColor)) {}
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

struct Local {
    std::uint32_t mesh, vertex, position;
};

}  // namespace

std::vector<DirectedEdge> boundary(const GroupMeshes& meshes, std::span<const GroupTriangle> triangles) {
    // Of each edge the lower end, the higher one, and whether it runs down, in one number: sorted fast.
    std::vector<std::uint64_t> sides;
    sides.reserve(triangles.size() * 3);
    for (const GroupTriangle& t : triangles) {
        const std::vector<std::uint32_t>& positions = meshes.positions[t.mesh];
        for (std::size_t i = 0; i < 3; ++i) {
            const std::uint64_t a = positions[t.vertices[i]];
            const std::uint64_t b = positions[t.vertices[(i + 1) % 3]];
            if (a != b) sides.push_back(std::min(a, b) << 33U | std::max(a, b) << 1U | (a > b ? 1U : 0U));
        }
    }
    std::sort(sides.begin(), sides.end());
    std::vector<DirectedEdge> out;
    for (std::size_t begin = 0; begin < sides.size();) {
        const std::uint64_t ends = sides[begin] >> 1U;
        std::size_t end = begin;
        std::int64_t net = 0;
        for (; end < sides.size() && sides[end] >> 1U == ends; ++end) net += (sides[end] & 1U) != 0 ? -1 : 1;
        const auto low = static_cast<std::uint32_t>(ends >> 32U);
        const auto high = static_cast<std::uint32_t>(ends);
        for (; net > 0; --net) out.push_back({low, high});
        for (; net < 0; ++net) out.push_back({high, low});
        begin = end;
    }
    std::sort(out.begin(), out.end());
    return out;
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
    // The vertices in use, those of one place in one mesh side by side.
    std::vector<Local> used;
    for (const GroupTriangle& t : triangles) {
        for (const std::uint32_t v : t.vertices) used.push_back({t.mesh, v, meshes.positions[t.mesh][v]});
    }
    const auto key = [](const Local& l) { return std::array{l.mesh, l.position, l.vertex}; };
    const auto less = [&](const Local& a, const Local& b) { return key(a) < key(b); };
    std::sort(used.begin(), used.end(), less);
    used.erase(std::unique(used.begin(), used.end(), [&](const Local& a, const Local& b) { return key(a) == key(b); }),
               used.end());
    // Of each that which stands for it.
    std::vector<std::uint32_t> stands(used.size());
    std::vector<Words> words;
    for (const VertexTable& table : meshes.tables) words.emplace_back(table);
    for (std::uint32_t i = 0; i < used.size(); ++i) {
        stands[i] = i;
        for (std::uint32_t j = i; j-- > 0 && used[j].mesh == used[i].mesh && used[j].position == used[i].position;) {
            if (stands[j] == j &&
                alike(meshes.tables[used[i].mesh], words[used[i].mesh], used[j].vertex, used[i].vertex, wedges)) {
                stands[i] = j;
            }
        }
    }
    std::vector<std::array<float, 3>> positions(used.size());
    std::vector<std::array<float, kAttributes>> attributes(used.size());
    std::vector<unsigned char> lock(used.size());
    std::array<float, 3> least{};
    std::array<float, 3> most{};
    for (std::size_t i = 0; i < used.size(); ++i) {
        const VertexTable& table = meshes.tables[used[i].mesh];
        const std::array<std::int16_t, 3> p = table.position(used[i].vertex);
        for (std::size_t k = 0; k < 3; ++k) {
            positions[i][k] = static_cast<float>(p[k]);
            least[k] = i == 0 ? positions[i][k] : std::min(least[k], positions[i][k]);
            most[k] = i == 0 ? positions[i][k] : std::max(most[k], positions[i][k]);
        }
        attributes[i] = attributes_of(table, words[used[i].mesh], used[i].vertex);
        lock[i] = locked(used[i].position) ? 1 : 0;
    }
    std::vector<unsigned> indices;
    indices.reserve(triangles.size() * 3);
    for (const GroupTriangle& t : triangles) {
        std::array<unsigned, 3> corners{};
        for (std::size_t i = 0; i < 3; ++i) {
            const Local local{t.mesh, t.vertices[i], meshes.positions[t.mesh][t.vertices[i]]};
            corners[i] = stands[static_cast<std::size_t>(std::lower_bound(used.begin(), used.end(), local, less) -
                                                         used.begin())];
        }
        if (corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0]) continue;
        indices.insert(indices.end(), corners.begin(), corners.end());
    }
    // The weight of attributes is in their values: of distances in the group's extent.
    const float extent = std::max({most[0] - least[0], most[1] - least[1], most[2] - least[2], 1.0F});
    for (auto& p : positions) {
        for (std::size_t k = 0; k < 3; ++k) p[k] = (p[k] - least[k]) / extent;
    }
    std::array<float, kAttributes> weights{};
    weights.fill(wedges == Wedges::kAll ? 0.0F : 1.0F);
    std::vector<unsigned> simple(indices.size());
    simple.resize(meshopt_simplifyWithAttributes(
        simple.data(), indices.data(), indices.size(), positions[0].data(), positions.size(), sizeof(positions[0]),
        attributes[0].data(), sizeof(attributes[0]), weights.data(), wedges == Wedges::kAll ? 0 : kAttributes,
        lock.data(), 3 * target, FLT_MAX, meshopt_SimplifyErrorAbsolute, nullptr));

    std::vector<GroupTriangle> out;
    out.reserve(simple.size() / 3);
    for (std::size_t i = 0; i + 2 < simple.size(); i += 3) {
        const Local& first = used[simple[i]];
        out.push_back({first.mesh, {first.vertex, used[simple[i + 1]].vertex, used[simple[i + 2]].vertex}});
    }
    return out;
}

}  // namespace sublet::mesh
