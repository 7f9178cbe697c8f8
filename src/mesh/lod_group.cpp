#include "mesh/lod_group.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace sublet::mesh {
namespace {

constexpr std::uint32_t kEndOfList = ~0U;

std::uint64_t hash(std::uint64_t key) {
    key *= 0x9e3779b97f4a7c15U;
    return key ^ key >> 29U;
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

std::vector<Triangle> IndexedGroup::faces(std::span<const Triangle> of) const {
    std::vector<Triangle> out;
    out.reserve(of.size());
    for (const Triangle& t : of) out.push_back({position_of[t[0]], position_of[t[1]], position_of[t[2]]});
    return out;
}

void GroupIndexer::add_sublet(std::uint32_t mesh, std::span<const std::uint32_t> vertices,
                              std::span<const std::array<std::uint8_t, 3>> triangles) {
    const auto first = static_cast<std::uint32_t>(uses_.size());
    for (const std::uint32_t v : vertices) {
        uses_.push_back({std::uint64_t{mesh} << 32U | v, static_cast<std::uint32_t>(uses_.size())});
    }
    for (const auto& t : triangles) triangles_.push_back({first + t[0], first + t[1], first + t[2]});
}

IndexedGroup GroupIndexer::index(const GroupMeshes& meshes) && {
    IndexedGroup out;
    std::sort(uses_.begin(), uses_.end(), [](const Use& a, const Use& b) { return a.vertex < b.vertex; });
    std::vector<std::uint32_t> vertex_of(uses_.size());
    std::vector<std::pair<std::uint32_t, std::uint32_t>> by_position;  // position, vertex
    for (std::size_t i = 0; i < uses_.size(); ++i) {
        if (i == 0 || uses_[i].vertex != uses_[i - 1].vertex) {
            const auto mesh = static_cast<std::uint32_t>(uses_[i].vertex >> 32U);
            const auto vertex = static_cast<std::uint32_t>(uses_[i].vertex);
            by_position.emplace_back(meshes.positions[mesh][vertex], static_cast<std::uint32_t>(out.vertices.size()));
            out.vertices.push_back({mesh, vertex});
        }
        vertex_of[uses_[i].number] = static_cast<std::uint32_t>(out.vertices.size() - 1);
    }
    std::sort(by_position.begin(), by_position.end());
    out.position_of.resize(out.vertices.size());
    for (const auto& [position, v] : by_position) {
        if (out.positions.empty() || out.positions.back() != position) {
            out.positions.push_back(position);
            const GridPoint p = meshes.tables[out.vertices[v].mesh].position(out.vertices[v].vertex);
            out.points.push_back({static_cast<float>(p[0]), static_cast<float>(p[1]), static_cast<float>(p[2])});
        }
        out.position_of[v] = static_cast<std::uint32_t>(out.positions.size() - 1);
    }
    std::vector<char> is_placed(out.positions.size());
    out.places.reserve(out.positions.size());
    for (const std::uint32_t v : vertex_of) {
        const std::uint32_t p = out.position_of[v];
        if (is_placed[p] == 0) out.places.push_back(p);
        is_placed[p] = 1;
    }
    for (Triangle& t : triangles_) t = {vertex_of[t[0]], vertex_of[t[1]], vertex_of[t[2]]};
    out.triangles = std::move(triangles_);
    return out;
}

std::vector<Corners> corners_of(std::span<const Point> points, std::span<const Triangle> faces) {
    std::vector<Corners> out;
    out.reserve(faces.size());
    for (const Triangle& f : faces) out.push_back({points[f[0]], points[f[1]], points[f[2]]});
    return out;
}

void drop_opposite_pairs(const IndexedGroup& group, std::vector<Triangle>& triangles) {
    struct Face {
        Triangle corners{};     // ascending
        std::uint32_t next{};   // with the same first corner
        bool reversed = false;  // their order is odd
        bool dropped = false;
    };
    std::vector<Face> faces;
    faces.reserve(triangles.size());
    std::vector<std::uint32_t> first(group.positions.size(), kEndOfList);
    bool any = false;
    // Of those that face one way and those that face the other, the first goes with the first, and so on.
    for (const Triangle& t : triangles) {
        Face face{{group.position_of[t[0]], group.position_of[t[1]], group.position_of[t[2]]}};
        auto& [a, b, c] = face.corners;
        const auto order = [&](std::uint32_t& x, std::uint32_t& y) {
            if (x <= y) return;
            std::swap(x, y);
            face.reversed = !face.reversed;
        };
        order(a, b);
        order(b, c);
        order(a, b);
        Face* opposite = nullptr;
        for (std::uint32_t f = first[a]; f != kEndOfList; f = faces[f].next) {
            Face& other = faces[f];
            // Lists have what came last in front.
            if (other.corners == face.corners && other.reversed != face.reversed && !other.dropped) opposite = &other;
        }
        if (opposite != nullptr) any = opposite->dropped = face.dropped = true;
        face.next = first[a];
        first[a] = static_cast<std::uint32_t>(faces.size());
        faces.push_back(face);
    }
    if (!any) return;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < triangles.size(); ++i) {
        if (!faces[i].dropped) triangles[kept++] = triangles[i];
    }
    triangles.resize(kept);
}

template <class Visit>
void EdgeBalance::for_each_uneven(const Visit& visit) const {
    for (std::uint32_t low = 0; low < first_.size(); ++low) {
        for (std::uint32_t e = first_[low]; e != kEndOfList; e = edges_[e].next) {
            if (edges_[e].more != 0) visit(low, edges_[e]);
        }
    }
}

EdgeBalance::EdgeBalance(std::size_t positions, std::span<const Triangle> faces) : first_(positions, kEndOfList) {
    add(faces, 1);
    // Most edges are within, and even: lists without them are short.
    EdgeBalance uneven;
    uneven.first_.resize(positions, kEndOfList);
    for_each_uneven([&](std::uint32_t low, const Edge& edge) {
        uneven.edges_.push_back({edge.high, uneven.first_[low], edge.more});
        uneven.first_[low] = static_cast<std::uint32_t>(uneven.edges_.size() - 1);
    });
    *this = std::move(uneven);
}

void EdgeBalance::add(std::span<const Triangle> faces, int times) {
    edges_.reserve(edges_.size() + 2 * faces.size());
    for (const Triangle& f : faces) {
        for (std::size_t i = 0; i < 3; ++i) {
            const std::uint32_t from = f[i];
            const std::uint32_t to = f[i == 2 ? 0 : i + 1];
            if (from == to) continue;
            const std::uint32_t low = std::min(from, to);
            const std::uint32_t high = std::max(from, to);
            std::uint32_t e = first_[low];
            while (e != kEndOfList && edges_[e].high != high) e = edges_[e].next;
            if (e == kEndOfList) {
                e = static_cast<std::uint32_t>(edges_.size());
                edges_.push_back({high, first_[low], 0});
                first_[low] = e;
            }
            edges_[e].more += from < to ? times : -times;
        }
    }
}

std::vector<DirectedEdge> EdgeBalance::different(std::span<const Triangle> faces) const {
    EdgeBalance left = *this;
    left.add(faces, -1);
    std::vector<DirectedEdge> out;
    left.for_each_uneven([&](std::uint32_t low, const Edge& edge) { out.push_back({low, edge.high}); });
    return out;
}

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

}  // namespace sublet::mesh
