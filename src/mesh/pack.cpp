#include "mesh/pack.h"

#include <algorithm>
#include <cstdint>

#include "base/progress.h"
#include "base/stopwatch.h"
#include "mesh/bit_stream.h"
#include "mesh/bounds.h"
#include "mesh/parallel.h"
#include "mesh/plain_coding.h"
#include "mesh/stream.h"

namespace sublet::mesh {
namespace {

using shared::kSubletSize;
using shared::kSubletsPerMeshlet;

constexpr std::uint32_t kPositionWords = 2;  // of a vertex of a table, before its attributes

// What a task makes: its own payload, to be put together in order.
struct Part {
    std::vector<std::uint32_t> payload;  // as join_payload() takes it
    double pack_seconds = 0;
    double bound_seconds = 0;
    GridPoint least{INT32_MAX, INT32_MAX, INT32_MAX};
    GridPoint greatest{INT32_MIN, INT32_MIN, INT32_MIN};
};

class Packer {
  public:
    Packer(const Clusters& clusters, const VertexTable& vertices, const PositionGrid& grid, Geometry& out)
        : clusters_(clusters), vertices_(vertices), grid_(grid), out_(out) {}

    // Stream headers (payload offsets from the part's beginning) and bounds of meshlets [begin, end).
    void pack_meshlets(std::size_t begin, std::size_t end, Part& part) {
        Stopwatch watch;
        const std::size_t first = begin * kSubletsPerMeshlet;
        const std::size_t last = std::min(end * kSubletsPerMeshlet, clusters_.sublets.size());
        for (std::size_t s = first; s < last; ++s) pack_sublet(s, part.payload);
        part.pack_seconds = watch.restart();
        for (std::size_t m = begin; m < end; ++m) bound_meshlet(m, part);
        part.bound_seconds = watch.seconds();
    }

  private:
    void pack_sublet(std::size_t index, std::vector<std::uint32_t>& payload) {
        const Sublet& sublet = clusters_.sublets[index];
        const Sublet& meshlet = clusters_.sublets[index / kSubletsPerMeshlet * kSubletsPerMeshlet];
        const std::uint32_t attribute_words = attribute_stride(vertices_.streams_present);
        DecodedSublet plain;
        plain.triangle_count = sublet.triangle_count;
        plain.vertex_count = sublet.vertex_count;
        std::copy_n(clusters_.triangles.begin() + sublet.first_triangle, sublet.triangle_count,
                    plain.triangles.begin());
        for (std::uint32_t v = 0; v < sublet.vertex_count; ++v) {
            const std::uint32_t vertex = clusters_.vertices[sublet.first_vertex + v];
            plain.positions[v] = vertices_.position(vertex);
            std::copy_n(vertices_.vertex(vertex) + kPositionWords, attribute_words, plain.attributes[v].begin());
        }
        pack_plain(plain, out_.meshes[0],
                   {sublet.first_vertex, sublet.first_triangle, meshlet.first_vertex, meshlet.first_triangle},
                   out_.streams.data() + index * out_.meshes[0].stream_count, payload);
    }

    void bound_meshlet(std::size_t index, Part& part) {
        std::array<std::array<float, 3>, shared::kMeshletSize> points;
        std::array<std::array<float, 3>, shared::kMeshletSize> normals;
        // Where those of each sublet end.
        std::array<std::size_t, kSubletsPerMeshlet> point_end{};
        std::array<std::size_t, kSubletsPerMeshlet> normal_end{};
        std::size_t point_count = 0;
        std::size_t normal_count = 0;
        const std::size_t first = index * kSubletsPerMeshlet;
        const std::size_t last = std::min(first + kSubletsPerMeshlet, clusters_.sublets.size());
        for (std::size_t s = first; s < last; ++s) {
            const Sublet& sublet = clusters_.sublets[s];
            const std::array<float, 3>* p = points.data() + point_count;
            for (std::uint32_t i = 0; i < sublet.vertex_count; ++i) {
                const GridPoint q = vertices_.position(clusters_.vertices[sublet.first_vertex + i]);
                for (std::size_t k = 0; k < 3; ++k) {
                    part.least[k] = std::min(part.least[k], q[k]);
                    part.greatest[k] = std::max(part.greatest[k], q[k]);
                }
                points[point_count++] = decoded_grid_point(grid_, q);
            }
            for (std::uint32_t i = 0; i < sublet.triangle_count; ++i) {
                const LocalTriangle& t = clusters_.triangles[sublet.first_triangle + i];
                if (triangle_normal(p[t[0]], p[t[1]], p[t[2]], normals[normal_count])) ++normal_count;
            }
            point_end[s - first] = point_count;
            normal_end[s - first] = normal_count;
        }
        const auto position_bits = static_cast<int>(out_.meshes[0].position_bits);
        const Bound& meshlet = out_.meshlet_bounds[index] = mesh::bound_meshlet(
            grid_, position_bits, std::span(points).first(point_count), std::span(normals).first(normal_count));
        std::size_t point = 0;
        std::size_t normal = 0;
        for (std::size_t s = first; s < last; ++s) {
            const std::size_t points_of = point_end[s - first] - point;
            const std::size_t normals_of = normal_end[s - first] - normal;
            if (points_of == 0) {  // a filler has the place of the one before it, and no size
                out_.sublet_bounds[s] = out_.sublet_bounds[s - 1];
                out_.sublet_bounds[s].sphere.w = 0.0F;
                continue;
            }
            out_.sublet_bounds[s] =
                bound_sublet(grid_, position_bits, meshlet, std::span(points).subspan(point, points_of),
                             std::span(normals).subspan(normal, normals_of));
            point += points_of;
            normal += normals_of;
        }
    }

    const Clusters& clusters_;
    const VertexTable& vertices_;
    const PositionGrid& grid_;
    Geometry& out_;
};

}  // namespace

Geometry pack_mesh(const Clusters& clusters, const VertexTable& vertices, std::uint32_t style, const PositionGrid& grid,
                   const UvGrid& uv_grid, int position_bits, EncodeSeconds& seconds, ThreadPool* pool,
                   Progress* progress) {
    Geometry out;
    MeshHeader& header = out.meshes.emplace_back();
    header = {};
    header.aabb_min.w = grid.scale;
    header.aabb_max.w = uv_grid.scale;
    header.origin = {grid.origin[0], grid.origin[1], grid.origin[2], 0.0F};
    header.style = style;
    header.streams_present = vertices.streams_present;
    header.stream_count = stream_count(vertices.streams_present);
    header.position_exponent = grid.exponent;
    header.uv_exponent = uv_grid.exponent;
    header.position_bits = static_cast<std::uint32_t>(position_bits);
    header.attribute_stride = attribute_stride(header);
    if (clusters.sublets.empty()) {
        header.sphere = {grid.origin[0], grid.origin[1], grid.origin[2], 0.0F};
        header.aabb_min = {grid.origin[0], grid.origin[1], grid.origin[2], grid.scale};
        header.aabb_max = {grid.origin[0], grid.origin[1], grid.origin[2], uv_grid.scale};
        return out;
    }

    header.sublet_count = static_cast<std::uint32_t>(clusters.sublets.size());
    header.meshlet_count = (header.sublet_count + kSubletsPerMeshlet - 1) / kSubletsPerMeshlet;
    header.triangle_count = static_cast<std::uint32_t>(clusters.triangles.size());
    header.vertex_count = static_cast<std::uint32_t>(clusters.vertices.size());
    out.sublet_bounds.resize(header.sublet_count);
    out.meshlet_bounds.resize(header.meshlet_count);
    out.streams.resize(std::size_t{header.sublet_count} * header.stream_count);

    std::vector<Part> parts((header.meshlet_count + kMeshletsPerTask - 1) / kMeshletsPerTask);
    Packer packer(clusters, vertices, grid, out);
    Stopwatch watch;
    for_ranges(pool, header.meshlet_count, kMeshletsPerTask, [&](std::size_t begin, std::size_t end) {
        packer.pack_meshlets(begin, end, parts[begin / kMeshletsPerTask]);
        if (progress == nullptr) return;
        const std::size_t last = std::min(end * kSubletsPerMeshlet, clusters.sublets.size()) - 1;
        const Sublet& first = clusters.sublets[begin * kSubletsPerMeshlet];
        progress->advance(clusters.sublets[last].first_triangle + clusters.sublets[last].triangle_count -
                          first.first_triangle);
    });
    // Tasks do both: the time that passed is shared out by what each took of theirs.
    const double passed = watch.restart();
    double pack_seconds = 0;
    double bound_seconds = 0;
    for (const Part& part : parts) {
        pack_seconds += part.pack_seconds;
        bound_seconds += part.bound_seconds;
    }
    const double share = pack_seconds / std::max(pack_seconds + bound_seconds, 1e-12);
    seconds.pack += passed * share;
    seconds.bounds += passed * (1.0 - share);

    join_payload(parts, std::size_t{kMeshletsPerTask} * kSubletsPerMeshlet * header.stream_count, out.streams,
                 out.payload);
    header.payload_size = static_cast<std::uint32_t>(out.payload.size());
    seconds.pack += watch.restart();

    Part all;
    for (const Part& part : parts) {
        for (std::size_t k = 0; k < 3; ++k) {
            all.least[k] = std::min(all.least[k], part.least[k]);
            all.greatest[k] = std::max(all.greatest[k], part.greatest[k]);
        }
    }
    const std::array<float, 3> box_min = grid.dequantize(all.least);
    const std::array<float, 3> box_max = grid.dequantize(all.greatest);
    header.aabb_min = {box_min[0], box_min[1], box_min[2], grid.scale};
    header.aabb_max = {box_max[0], box_max[1], box_max[2], uv_grid.scale};
    std::array<std::array<float, 3>, kSubletSize> points;
    header.sphere = bound_mesh(grid, out.sublet_bounds, [&](std::size_t s) {
        const Sublet& sublet = clusters.sublets[s];
        for (std::uint32_t i = 0; i < sublet.vertex_count; ++i) {
            points[i] = decoded_grid_point(grid, vertices.position(clusters.vertices[sublet.first_vertex + i]));
        }
        return std::span<const std::array<float, 3>>(points.data(), sublet.vertex_count);
    });
    seconds.bounds += watch.seconds();
    return out;
}

}  // namespace sublet::mesh
