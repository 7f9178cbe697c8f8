#include "mesh/lod_simplify.h"

#include <meshoptimizer.h>

#include <algorithm>
#include <cfloat>

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

std::array<float, kAttributes> attributes_of(const VertexTable& table, const SimplifiedWords& words,
                                             std::uint32_t vertex) {
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

}  // namespace

SimplifiedWords::SimplifiedWords(const VertexTable& table)
    : normal(word_of(table, shared::kStreamNormalTangent)),
      uv(word_of(table, shared::kStreamUv)),
      uv1(word_of(table, shared::kStreamUv1)),
      color(word_of(table, shared::kStreamColor)) {}

std::size_t SimplifiedWords::attributes() const {
    return color ? kAttributes : uv ? 5 : normal ? 3 : 0;
}

SimplifiedMeshes::SimplifiedMeshes(std::span<const VertexTable> tables) {
    words.reserve(tables.size());
    for (const VertexTable& table : tables) {
        attribute_count = std::max(attribute_count, words.emplace_back(table).attributes());
    }
}

Simplifier::Simplifier(const GroupMeshes& meshes, const SimplifiedMeshes& simplified, const IndexedGroup& group,
                       std::span<const char> locked)
    : meshes_(meshes), simplified_(simplified), group_(group) {
    const std::size_t attribute_count = simplified.attribute_count;
    const std::size_t count = group.vertices.size();
    positions_.reserve(count);
    locked_.reserve(count);
    attributes_.resize(count * attribute_count);
    Point least = group.points[0];
    Point most = least;
    for (const Point& p : group.points) {
        for (std::size_t k = 0; k < 3; ++k) {
            least[k] = std::min(least[k], p[k]);
            most[k] = std::max(most[k], p[k]);
        }
    }
    // The weight of attributes is in their values: of distances in the group's extent.
    const float extent = std::max({most[0] - least[0], most[1] - least[1], most[2] - least[2], 1.0F});
    for (std::size_t i = 0; i < count; ++i) {
        const auto& [mesh, vertex] = group.vertices[i];
        const Point& p = group.points[group.position_of[i]];
        positions_.push_back({(p[0] - least[0]) / extent, (p[1] - least[1]) / extent, (p[2] - least[2]) / extent});
        locked_.push_back(locked[group.position_of[i]] != 0 ? 1 : 0);
        if (attribute_count == 0) continue;
        const auto values = attributes_of(meshes.tables[mesh], simplified.words[mesh], vertex);
        std::copy_n(values.begin(), attribute_count, attributes_.data() + i * attribute_count);
    }
}

// Whether simplifying may take one vertex for the other, at one place in one mesh.
bool Simplifier::alike(const GroupVertex& a, const GroupVertex& b, Wedges wedges) const {
    if (wedges == Wedges::kAll) return true;
    const SimplifiedWords& words = simplified_.words[a.mesh];
    const std::uint32_t* x = meshes_.tables[a.mesh].vertex(a.vertex);
    const std::uint32_t* y = meshes_.tables[b.mesh].vertex(b.vertex);
    for (const std::optional<std::uint32_t>& word : {words.uv, words.uv1, words.color}) {
        if (word && x[*word] != y[*word]) return false;
    }
    if (!words.normal) return true;
    const std::array<float, 3> n = decode_normal(x[*words.normal]);
    const std::array<float, 3> m = decode_normal(y[*words.normal]);
    return n[0] * m[0] + n[1] * m[1] + n[2] * m[2] >= (wedges == Wedges::kSmooth ? 0.5F : 0.985F);
}

// Of each vertex that which stands for it. Those of one place in one mesh lie side by side.
std::vector<std::uint32_t> Simplifier::stand_ins(Wedges wedges) const {
    const std::vector<GroupVertex>& vertices = group_.vertices;
    std::vector<std::uint32_t> out(vertices.size());
    for (std::uint32_t i = 0; i < vertices.size(); ++i) {
        out[i] = i;
        for (std::uint32_t j = i;
             j-- > 0 && vertices[j].mesh == vertices[i].mesh && group_.position_of[j] == group_.position_of[i];) {
            if (out[j] == j && alike(vertices[j], vertices[i], wedges)) out[i] = j;
        }
    }
    return out;
}

std::optional<std::vector<Triangle>> Simplifier::simplify(std::size_t target, Wedges wedges) {
    std::vector<std::uint32_t> stands = stand_ins(wedges);
    const std::size_t attribute_count = wedges == Wedges::kAll ? 0 : simplified_.attribute_count;
    if (stands == stands_ && attribute_count == attribute_count_) return std::nullopt;
    stands_ = std::move(stands);
    attribute_count_ = attribute_count;
    std::vector<unsigned> indices;
    indices.reserve(3 * group_.triangles.size());
    for (const Triangle& t : group_.triangles) {
        const unsigned a = stands_[t[0]];
        const unsigned b = stands_[t[1]];
        const unsigned c = stands_[t[2]];
        if (a != b && b != c && c != a) indices.insert(indices.end(), {a, b, c});
    }
    std::array<float, kAttributes> weights{};
    weights.fill(1.0F);
    std::vector<unsigned> simple(indices.size());
    simple.resize(meshopt_simplifyWithAttributes(
        simple.data(), indices.data(), indices.size(), positions_[0].data(), positions_.size(), sizeof(positions_[0]),
        attributes_.data(), attribute_count * sizeof(float), weights.data(), attribute_count, locked_.data(),
        3 * target, FLT_MAX, meshopt_SimplifyErrorAbsolute, nullptr));
    std::vector<Triangle> out;
    out.reserve(simple.size() / 3);
    for (std::size_t i = 0; i + 2 < simple.size(); i += 3) out.push_back({simple[i], simple[i + 1], simple[i + 2]});
    return out;
}

}  // namespace sublet::mesh
