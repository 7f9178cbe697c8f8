#include "mesh/cluster.h"

#include <meshoptimizer.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "base/progress.h"
#include "mesh/group.h"
#include "mesh/parallel.h"
#include "mesh/strips.h"
#include "mesh/triangles.h"
#include "mesh/vertices.h"

namespace sublet::mesh {
namespace {

using shared::kSubletSize;

// How much narrow normal cones weigh against compact shapes while a sublet grows.
constexpr float kConeWeight = 0.6F;

// Triangles that are clustered together. Enough that few sublets end at a chunk's border; few enough that they stay in
// a core's cache, and that the searches of clustering, linear in a chunk at worst, stay so in the whole.
constexpr std::uint32_t kChunkTriangles = 32768;

// A vertex of more triangles than this counts as several while clustering, which looks at all triangles of a vertex
// each time one of them joins a sublet.
constexpr std::uint32_t kMaxValence = 64;

// Sublets that a task copies.
constexpr std::size_t kCopyGrain = 1024;

// Numbers the vertices of a chunk from 0.
class LocalVertices {
  public:
    // `expected` distinct vertices, about.
    explicit LocalVertices(std::size_t expected) : slots_(std::bit_ceil(2 * expected + 2), kNone) {}

    // The local vertex for one more use of `vertex`.
    std::uint32_t use(std::uint32_t vertex) {
        std::uint32_t* slot = &find(vertex);
        if (*slot == kNone || uses_[*slot] == kMaxValence) {
            if (*slot != kNone) {
                has_copies_ = true;
            } else if (++distinct_ * 3 > slots_.size() * 2) {
                grow();
                slot = &find(vertex);
            }
            *slot = static_cast<std::uint32_t>(vertices_.size());
            vertices_.push_back(vertex);
            uses_.push_back(0);
        }
        ++uses_[*slot];
        return *slot;
    }

    // The vertex of each local one.
    [[nodiscard]] const std::vector<std::uint32_t>& vertices() const { return vertices_; }
    // Whether two local vertices may be one.
    [[nodiscard]] bool has_copies() const { return has_copies_; }

  private:
    static constexpr std::uint32_t kNone = ~0U;

    // The slot that holds the latest local number of `vertex`, or an empty one for it.
    std::uint32_t& find(std::uint32_t vertex) {
        const std::size_t mask = slots_.size() - 1;
        for (std::size_t i = vertex * 0x9e3779b1U & mask;; i = (i + 1) & mask) {
            if (slots_[i] == kNone || vertices_[slots_[i]] == vertex) return slots_[i];
        }
    }

    void grow() {
        std::vector<std::uint32_t> old(slots_.size() * 2, kNone);
        old.swap(slots_);
        for (const std::uint32_t local : old) {
            if (local != kNone) find(vertices_[local]) = local;
        }
    }

    std::vector<std::uint32_t> slots_;
    std::vector<std::uint32_t> vertices_;
    std::vector<std::uint32_t> uses_;
    std::size_t distinct_ = 0;
    bool has_copies_ = false;
};

// Makes one of the vertices of a sublet that are copies of one another. Those that stay keep their order.
std::uint32_t merge_copies(std::uint32_t* vertices, std::uint32_t count, std::span<LocalTriangle> triangles) {
    std::array<std::uint8_t, kSubletSize> renumbered{};
    std::uint32_t kept = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t* found = std::find(vertices, vertices + kept, vertices[i]);
        renumbered[i] = static_cast<std::uint8_t>(found - vertices);
        if (renumbered[i] == kept) vertices[kept++] = vertices[i];
    }
    for (LocalTriangle& t : triangles) t = {renumbered[t[0]], renumbered[t[1]], renumbered[t[2]]};
    return kept;
}

// Clusters the triangles of one chunk; sublets come in the order in which they grew.
Clusters cluster_chunk(std::span<const Triangle> triangles, std::span<const std::uint32_t> chunk,
                       const VertexTable& vertices) {
    std::vector<std::uint32_t> indices;
    indices.reserve(chunk.size() * 3);
    LocalVertices local(chunk.size() / 2);  // as many as closed surfaces have
    for (const std::uint32_t triangle : chunk) {
        for (const std::uint32_t vertex : triangles[triangle]) indices.push_back(local.use(vertex));
    }
    const std::vector<std::uint32_t>& globals = local.vertices();
    std::vector<std::array<float, 3>> positions;
    positions.reserve(globals.size());
    for (const std::uint32_t vertex : globals) {
        const GridPoint p = vertices.position(vertex);
        positions.push_back({static_cast<float>(p[0]), static_cast<float>(p[1]), static_cast<float>(p[2])});
    }

    const std::size_t bound = meshopt_buildMeshletsBound(indices.size(), kSubletSize, kSubletSize);
    std::vector<meshopt_Meshlet> meshlets(bound);
    std::vector<unsigned> meshlet_vertices(bound * kSubletSize);
    std::vector<unsigned char> meshlet_triangles(bound * kSubletSize * 3);
    meshlets.resize(meshopt_buildMeshlets(meshlets.data(), meshlet_vertices.data(), meshlet_triangles.data(),
                                          indices.data(), indices.size(), positions[0].data(), positions.size(),
                                          sizeof(positions[0]), kSubletSize, kSubletSize, kConeWeight));

    Clusters result;
    result.sublets.reserve(meshlets.size());
    result.triangles.reserve(chunk.size());
    for (const meshopt_Meshlet& meshlet : meshlets) {
        Sublet sublet;
        sublet.first_vertex = static_cast<std::uint32_t>(result.vertices.size());
        sublet.first_triangle = static_cast<std::uint32_t>(result.triangles.size());
        sublet.vertex_count = meshlet.vertex_count;
        sublet.triangle_count = meshlet.triangle_count;
        for (std::uint32_t i = 0; i < meshlet.vertex_count; ++i) {
            result.vertices.push_back(globals[meshlet_vertices[meshlet.vertex_offset + i]]);
        }
        for (std::uint32_t i = 0; i < meshlet.triangle_count; ++i) {
            const unsigned char* t = meshlet_triangles.data() + meshlet.triangle_offset + std::size_t{3} * i;
            result.triangles.push_back({t[0], t[1], t[2]});
        }
        if (local.has_copies()) {
            sublet.vertex_count =
                merge_copies(result.vertices.data() + sublet.first_vertex, sublet.vertex_count,
                             std::span(result.triangles).subspan(sublet.first_triangle, sublet.triangle_count));
            result.vertices.resize(sublet.first_vertex + sublet.vertex_count);
        }
        order_as_strips(std::span(result.triangles).subspan(sublet.first_triangle, sublet.triangle_count),
                        std::span(result.vertices).subspan(sublet.first_vertex, sublet.vertex_count));
        result.sublets.push_back(sublet);
    }
    return result;
}

SubletShape measure_shape(const Sublet& sublet, const Clusters& clusters, const VertexTable& vertices) {
    std::array<std::array<float, 3>, kSubletSize> points;
    for (std::uint32_t i = 0; i < sublet.vertex_count; ++i) {
        const GridPoint p = vertices.position(clusters.vertices[sublet.first_vertex + i]);
        points[i] = {static_cast<float>(p[0]), static_cast<float>(p[1]), static_cast<float>(p[2])};
    }
    SubletShape shape;
    for (std::uint32_t i = 0; i < sublet.triangle_count; ++i) {
        const LocalTriangle& t = clusters.triangles[sublet.first_triangle + i];
        const std::array<float, 3>& a = points[t[0]];
        const std::array<float, 3>& b = points[t[1]];
        const std::array<float, 3>& c = points[t[2]];
        const std::array<float, 3> u{b[0] - a[0], b[1] - a[1], b[2] - a[2]};
        const std::array<float, 3> v{c[0] - a[0], c[1] - a[1], c[2] - a[2]};
        const std::array<float, 3> cross{u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2],
                                         u[0] * v[1] - u[1] * v[0]};
        const float doubled = std::sqrt(cross[0] * cross[0] + cross[1] * cross[1] + cross[2] * cross[2]);
        if (!(doubled > 0.0F)) continue;
        shape.area += 0.5F * doubled;
        for (std::size_t k = 0; k < 3; ++k) {
            // Normals count alike, whatever the area: a cone has to hold them all.
            shape.normal[k] += cross[k] / doubled;
            shape.center[k] += doubled / 6.0F * (a[k] + b[k] + c[k]);
        }
    }
    const std::array<float, 3>& n = shape.normal;
    const float length = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (std::size_t k = 0; k < 3; ++k) {
        shape.normal[k] = length > 0.0F ? n[k] / length : 0.0F;
        shape.center[k] = shape.area > 0.0F ? shape.center[k] / shape.area : points[0][k];
    }
    return shape;
}

// Triangles in an order in which each chunk is a run of them: `ends[i]` is where chunk i ends.
struct Chunks {
    std::vector<std::uint32_t> order;
    std::vector<std::uint32_t> ends;
};

// A triangle while it is sorted: its centroid in steps of the grid from the least corner that one can have.
using Key = std::array<std::uint32_t, 3>;
struct Item {
    Key centroid;
    std::uint32_t triangle;
};
constexpr Key kBeyondAll{~0U, ~0U, ~0U};

struct Range {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    Key least = kBeyondAll;  // of the centroids
    Key greatest{};

    void add(const Item& item) {
        for (std::size_t k = 0; k < 3; ++k) {
            least[k] = std::min(least[k], item.centroid[k]);
            greatest[k] = std::max(greatest[k], item.centroid[k]);
        }
    }
};

// Moves the items of a range to `out`, the nearer half along the longest axis first.
std::pair<Range, Range> halve(std::span<const Item> items, std::span<Item> out, const Range& range) {
    const Key& least = range.least;
    const Key& greatest = range.greatest;
    std::size_t axis = 0;
    for (std::size_t k = 1; k < 3; ++k) {
        if (greatest[k] - least[k] > greatest[axis] - least[axis]) axis = k;
    }

    // The median by a histogram: exact to 1/512 of the extent or better, and triangles of one place stay together,
    // unless they are too many.
    constexpr std::uint32_t kBins = 1024;
    const std::uint32_t extent = greatest[axis] - least[axis];
    const int shift = std::max(0, static_cast<int>(std::bit_width(extent)) - 10);
    const auto bin_of = [&](const Item& item) { return (item.centroid[axis] - least[axis]) >> shift; };
    std::array<std::uint32_t, kBins> bins{};
    for (std::uint32_t i = range.begin; i < range.end; ++i) ++bins[bin_of(items[i])];
    const std::uint32_t count = range.end - range.begin;
    std::uint32_t split = 0;
    std::uint32_t before = 0;  // items in bins below `split`
    while (before + bins[split] / 2 < count / 2) before += bins[split++];

    // One bin may hold too much: then by order of arrival.
    const bool by_order = before < count / 4 || before > count - count / 4;
    if (by_order) before = count / 2;
    Range low{range.begin, range.begin, kBeyondAll, {}};
    Range high{range.begin + before, range.begin + before, kBeyondAll, {}};
    for (std::uint32_t i = range.begin; i < range.end; ++i) {
        Range& half = (by_order ? i < range.begin + before : bin_of(items[i]) < split) ? low : high;
        out[half.end++] = items[i];
        half.add(items[i]);
    }
    return {low, high};
}

// Halves the triangles at the median of the longest axis of their centroids until no part has more than `limit`.
// Depends on the triangles alone, not on the pool. Equal triangles stay in the order they come in.
Chunks split_into_chunks(std::span<const Triangle> triangles, const VertexTable& vertices, std::uint32_t limit,
                         ThreadPool* pool) {
    constexpr std::int32_t kHalfRange = 1 << (kMostPositionBits - 1);
    const auto count = static_cast<std::uint32_t>(triangles.size());
    std::vector<Item> items(count);
    for_ranges(pool, count, kGrain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            GridPoint sum{};
            for (const std::uint32_t vertex : triangles[i]) {
                const GridPoint p = vertices.position(vertex);
                for (std::size_t k = 0; k < 3; ++k) sum[k] += p[k];
            }
            for (std::size_t k = 0; k < 3; ++k) {
                items[i].centroid[k] = static_cast<std::uint32_t>((sum[k] + 3 * kHalfRange) / 3);
            }
            items[i].triangle = static_cast<std::uint32_t>(i);
        }
    });

    std::vector<Range> ranges(1);
    ranges[0].end = count;
    for (const Item& item : items) ranges[0].add(item);
    std::vector<Item> other(count > limit ? count : 0);
    while (std::ranges::any_of(ranges, [&](const Range& r) { return r.end - r.begin > limit; })) {
        std::vector<std::pair<Range, Range>> halves(ranges.size());
        for_ranges(pool, ranges.size(), 1, [&](std::size_t begin, std::size_t end) {
            for (std::size_t r = begin; r < end; ++r) {
                const Range& range = ranges[r];
                if (range.end - range.begin > limit) {
                    halves[r] = halve(items, other, range);
                } else {
                    std::copy(items.begin() + range.begin, items.begin() + range.end, other.begin() + range.begin);
                    halves[r].first = range;
                }
            }
        });
        items.swap(other);
        ranges.clear();
        for (const auto& [low, high] : halves) {
            ranges.push_back(low);
            if (high.begin < high.end) ranges.push_back(high);
        }
    }

    Chunks chunks;
    chunks.order.resize(count);
    for_ranges(pool, count, kGrain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) chunks.order[i] = items[i].triangle;
    });
    for (const Range& range : ranges) chunks.ends.push_back(range.end);
    return chunks;
}

}  // namespace

Clusters cluster_triangles(std::span<const Triangle> triangles, const VertexTable& vertices, ThreadPool* pool,
                           Progress* progress) {
    Clusters result;
    if (triangles.empty()) return result;
    std::vector<Clusters> parts;
    std::vector<std::size_t> first_sublet;  // of each part
    std::vector<SubletShape> shapes;
    {
        const Chunks chunks = split_into_chunks(triangles, vertices, kChunkTriangles, pool);
        parts.resize(chunks.ends.size());
        for_ranges(pool, parts.size(), 1, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                const std::uint32_t first = i == 0 ? 0 : chunks.ends[i - 1];
                parts[i] =
                    cluster_chunk(triangles, std::span(chunks.order).subspan(first, chunks.ends[i] - first), vertices);
                if (progress != nullptr) progress->advance(chunks.ends[i] - first);
            }
        });
    }
    std::size_t sublet_count = 0;
    for (const Clusters& part : parts) {
        first_sublet.push_back(sublet_count);
        sublet_count += part.sublets.size();
    }
    shapes.resize(sublet_count);
    std::vector<std::uint32_t> part_of(sublet_count);
    for_ranges(pool, parts.size(), 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            for (std::size_t s = 0; s < parts[i].sublets.size(); ++s) {
                part_of[first_sublet[i] + s] = static_cast<std::uint32_t>(i);
                shapes[first_sublet[i] + s] = measure_shape(parts[i].sublets[s], parts[i], vertices);
            }
        }
    });

    const std::vector<std::uint32_t> order = group_sublets(shapes, pool);
    result.sublets.reserve(sublet_count);
    Sublet next;
    for (const std::uint32_t s : order) {
        const Sublet& sublet = parts[part_of[s]].sublets[s - first_sublet[part_of[s]]];
        next.vertex_count = sublet.vertex_count;
        next.triangle_count = sublet.triangle_count;
        result.sublets.push_back(next);
        next.first_vertex += sublet.vertex_count;
        next.first_triangle += sublet.triangle_count;
    }
    result.vertices.resize(next.first_vertex);
    result.triangles.resize(next.first_triangle);
    for_ranges(pool, sublet_count, kCopyGrain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const Clusters& part = parts[part_of[order[i]]];
            const Sublet& from = part.sublets[order[i] - first_sublet[part_of[order[i]]]];
            const Sublet& to = result.sublets[i];
            std::copy_n(part.vertices.begin() + from.first_vertex, from.vertex_count,
                        result.vertices.begin() + to.first_vertex);
            std::copy_n(part.triangles.begin() + from.first_triangle, from.triangle_count,
                        result.triangles.begin() + to.first_triangle);
        }
    });
    return result;
}

}  // namespace sublet::mesh
