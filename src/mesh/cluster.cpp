#include "mesh/cluster.h"

#include <meshoptimizer.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/progress.h"
#include "mesh/chunks.h"
#include "mesh/group.h"
#include "mesh/parallel.h"

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

// Turns triangles so that few vertices are the first corner of several: what a renderer learns of a triangle from its
// first corner is then about one triangle, or two.
void spread_first_corners(std::span<LocalTriangle> triangles) {
    std::array<std::uint8_t, kSubletSize> led{};
    for (LocalTriangle& t : triangles) {
        const auto least = std::ranges::min_element(t, [&](auto a, auto b) { return led[a] < led[b]; });
        std::rotate(t.begin(), least, t.end());
        ++led[t[0]];
    }
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
        const std::array<std::int16_t, 3> p = vertices.position(vertex);
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
        spread_first_corners(std::span(result.triangles).subspan(sublet.first_triangle, sublet.triangle_count));
        result.sublets.push_back(sublet);
    }
    return result;
}

SubletShape measure_shape(const Sublet& sublet, const Clusters& clusters, const VertexTable& vertices) {
    std::array<std::array<float, 3>, kSubletSize> points;
    for (std::uint32_t i = 0; i < sublet.vertex_count; ++i) {
        const std::array<std::int16_t, 3> p = vertices.position(clusters.vertices[sublet.first_vertex + i]);
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
