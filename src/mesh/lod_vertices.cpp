#include "mesh/lod_vertices.h"

#include <algorithm>

#include "mesh/parallel.h"

namespace sublet::mesh {

std::vector<Point> moved_points(const IndexedGroup& group, std::span<const MovedPosition> moved) {
    std::vector<Point> out = group.points;
    auto position = group.positions.begin();
    for (const MovedPosition& m : moved) {
        position = std::lower_bound(position, group.positions.end(), m.position);
        Point& p = out[static_cast<std::size_t>(position - group.positions.begin())];
        for (std::size_t k = 0; k < 3; ++k) p[k] = static_cast<float>(m.to[k]);
    }
    return out;
}

LodVertices::LodVertices(std::vector<VertexTable> tables, std::span<const Clusters> finest, ThreadPool* pool)
    : tables_(std::move(tables)) {
    constexpr std::int32_t kHalfRange = 1 << (kMostPositionBits - 1);
    const auto key = [](const GridPoint& p) {
        std::uint64_t out = 0;
        for (const std::int32_t x : p) out = out << kMostPositionBits | static_cast<std::uint32_t>(x + kHalfRange);
        return out;
    };
    std::vector<std::uint64_t> places;
    for (const VertexTable& table : tables_) {
        for (std::uint32_t v = 0; v < table.count(); ++v) places.push_back(key(table.position(v)));
    }
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    position_count_ = static_cast<std::uint32_t>(places.size());
    for (const VertexTable& table : tables_) {
        std::vector<std::uint32_t>& out = positions_.emplace_back(table.count());
        for_ranges(pool, table.count(), kGrain, [&](std::size_t begin, std::size_t end) {
            for (std::size_t v = begin; v < end; ++v) {
                const auto at =
                    std::lower_bound(places.begin(), places.end(), key(table.position(static_cast<std::uint32_t>(v))));
                out[v] = static_cast<std::uint32_t>(at - places.begin());
            }
        });
    }
    for (std::size_t m = 0; m < tables_.size(); ++m) {
        Box& box = boxes_.emplace_back();
        bool first = true;
        for (const std::uint32_t v : finest[m].vertices) {
            const GridPoint p = tables_[m].position(v);
            for (std::size_t k = 0; k < 3; ++k) {
                box.min[k] = first ? p[k] : std::min(box.min[k], p[k]);
                box.max[k] = first ? p[k] : std::max(box.max[k], p[k]);
            }
            first = false;
        }
    }
}

Point LodVertices::point(std::uint32_t mesh, std::uint32_t vertex) const {
    const GridPoint p = tables_[mesh].position(vertex);
    return {static_cast<float>(p[0]), static_cast<float>(p[1]), static_cast<float>(p[2])};
}

std::vector<Corners> LodVertices::corners(std::span<const GroupTriangle> triangles,
                                          std::span<const MovedPosition> moved) const {
    std::vector<Corners> out;
    out.reserve(triangles.size());
    for (const GroupTriangle& t : triangles) {
        Corners& c = out.emplace_back();
        for (std::size_t i = 0; i < 3; ++i) {
            c[i] = point(t.mesh, t.vertices[i]);
            if (moved.empty()) continue;
            const std::uint32_t p = position(t.mesh, t.vertices[i]);
            const auto found = std::lower_bound(moved.begin(), moved.end(), p,
                                                [](const MovedPosition& m, std::uint32_t q) { return m.position < q; });
            if (found == moved.end() || found->position != p) continue;
            for (std::size_t k = 0; k < 3; ++k) c[i][k] = static_cast<float>(found->to[k]);
        }
    }
    return out;
}

std::uint32_t LodVertices::add_moved(std::uint32_t mesh, std::uint32_t vertex, const GridPoint& to,
                                     std::uint32_t position) {
    VertexTable& table = tables_[mesh];
    const std::uint32_t number = table.count();
    const std::size_t from = std::size_t{vertex} * table.stride;
    for (const std::uint32_t word : position_to_words(to)) table.words.push_back(word);
    for (std::size_t i = 2; i < table.stride; ++i) {
        const std::uint32_t word = table.words[from + i];
        table.words.push_back(word);
    }
    positions_[mesh].push_back(position);
    return number;
}

}  // namespace sublet::mesh
