#include "mesh/pack.h"

#include <algorithm>
#include <cstdint>

#include "base/progress.h"
#include "base/stopwatch.h"
#include "mesh/bit_stream.h"
#include "mesh/bounds.h"
#include "mesh/parallel.h"
#include "mesh/stream.h"

namespace sublet::mesh {
namespace {

using shared::kSubletSize;
using shared::kSubletsPerMeshlet;

// Meshlets a task packs: enough to be worth handing out, few enough to share evenly.
constexpr std::size_t kMeshletsPerTask = 32;

StreamHeader pack_triangles(std::span<const LocalTriangle> triangles, std::vector<std::uint32_t>& payload) {
    StreamHeader header{};
    header.offset_in_words = static_cast<std::uint32_t>(payload.size());
    BitWriter writer(payload);
    for (const LocalTriangle& t : triangles) {
        writer.write(t[0] | static_cast<std::uint32_t>(t[1]) << kIndexBits |
                         static_cast<std::uint32_t>(t[2]) << (2 * kIndexBits),
                     kTriangleBits);
    }
    writer.flush();
    return header;
}

// Packs attribute words `word` .. of the vertices of one sublet.
StreamHeader pack_attribute(std::span<const std::uint32_t> sublet_vertices, const VertexTable& vertices,
                            std::uint32_t word, std::uint32_t type, std::vector<std::uint32_t>& payload) {
    const StreamLayout layout = stream_layout(type, vertices.streams_present);
    std::array<Components, kSubletSize> values{};
    const std::size_t count = sublet_vertices.size();
    for (std::size_t i = 0; i < count; ++i) {
        values[i] = words_to_components(vertices.vertex(sublet_vertices[i]) + word, layout);
    }
    std::uint32_t sign = 0;
    if (layout.has_tangent_sign) {
        bool all_equal = true;
        for (std::size_t i = 1; i < count; ++i) all_equal = all_equal && ((values[i][3] ^ values[0][3]) & 1) == 0;
        if (all_equal) {
            sign = (values[0][3] & 1) != 0 ? shared::kTangentSignPositive : shared::kTangentSignNegative;
            for (std::size_t i = 0; i < count; ++i) values[i][3] >>= 1;
        } else {
            sign = shared::kTangentSignInLowBit;
        }
    }
    StreamHeader header = pack_stream(std::span(values.data(), count), layout, payload);
    header.bits |= sign << 20U;
    return header;
}

// What a task makes: its own payload, to be put together in order.
struct Part {
    std::vector<std::uint32_t> payload;
    double pack_seconds = 0;
    double bound_seconds = 0;
    std::array<std::int16_t, 3> least{INT16_MAX, INT16_MAX, INT16_MAX};
    std::array<std::int16_t, 3> greatest{INT16_MIN, INT16_MIN, INT16_MIN};
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
        const MeshHeader& mesh = out_.meshes[0];
        const std::span ids(clusters_.vertices.data() + sublet.first_vertex, sublet.vertex_count);
        StreamHeader* headers = out_.streams.data() + index * mesh.stream_count;
        if (sublet.triangle_count == 0) {  // a filler: streams of nothing
            const auto offset = static_cast<std::uint32_t>(payload.size());
            for (std::uint32_t i = 0; i < mesh.stream_count; ++i) headers[i] = {{0, 0}, 0, offset};
            headers->base_value[0] = sublet.first_vertex;
            headers->base_value[1] = sublet.first_triangle;
            headers->bits = primitive_bits(
                {0, 0, sublet.first_vertex - meshlet.first_vertex, sublet.first_triangle - meshlet.first_triangle});
            return;
        }

        *headers = pack_triangles({clusters_.triangles.data() + sublet.first_triangle, sublet.triangle_count}, payload);
        headers->base_value[0] = sublet.first_vertex;
        headers->base_value[1] = sublet.first_triangle;
        headers->bits =
            primitive_bits({sublet.triangle_count, sublet.vertex_count, sublet.first_vertex - meshlet.first_vertex,
                            sublet.first_triangle - meshlet.first_triangle});
        ++headers;
        std::uint32_t word = 0;
        for (std::uint32_t type = shared::kStreamPosition; type < shared::kStreamTypes; ++type) {
            if (!has_stream(type, vertices_.streams_present)) continue;
            *headers++ = pack_attribute(ids, vertices_, word, type, payload);
            word += kStreams[type].layout.words();
        }
    }

    void bound_meshlet(std::size_t index, Part& part) {
        std::array<std::array<float, 3>, shared::kMeshletSize> points;
        std::array<std::array<float, 3>, shared::kMeshletSize> normals;
        std::size_t point_count = 0;
        std::size_t normal_count = 0;
        const std::size_t first = index * kSubletsPerMeshlet;
        const std::size_t last = std::min(first + kSubletsPerMeshlet, clusters_.sublets.size());
        for (std::size_t s = first; s < last; ++s) {
            const Sublet& sublet = clusters_.sublets[s];
            const std::size_t first_point = point_count;
            const std::size_t first_normal = normal_count;
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
                const std::array<float, 3>* p = points.data() + first_point;
                if (triangle_normal(p[t[0]], p[t[1]], p[t[2]], normals[normal_count])) ++normal_count;
            }
            if (point_count == first_point) {  // a filler has the place of the one before it, and no size
                out_.sublet_bounds[s] = out_.sublet_bounds[s - 1];
                out_.sublet_bounds[s].sphere.w = 0.0F;
                continue;
            }
            out_.sublet_bounds[s] =
                bound_cluster(grid_, std::span(points).subspan(first_point, point_count - first_point),
                              std::span(normals).subspan(first_normal, normal_count - first_normal));
        }
        out_.meshlet_bounds[index] =
            bound_cluster(grid_, std::span(points).first(point_count), std::span(normals).first(normal_count));
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
    header.attribute_stride = attribute_stride(vertices.streams_present);
    header.position_exponent = grid.exponent;
    header.uv_exponent = uv_grid.exponent;
    header.position_bits = static_cast<std::uint32_t>(position_bits);
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

    std::size_t words = 1;
    for (const Part& part : parts) words += part.payload.size();
    out.payload.reserve(words);
    const std::size_t headers_per_part = kMeshletsPerTask * kSubletsPerMeshlet * header.stream_count;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const auto offset = static_cast<std::uint32_t>(out.payload.size());
        const std::size_t end = std::min((i + 1) * headers_per_part, out.streams.size());
        for (std::size_t h = i * headers_per_part; h < end; ++h) out.streams[h].offset_in_words += offset;
        out.payload.insert(out.payload.end(), parts[i].payload.begin(), parts[i].payload.end());
        parts[i].payload = {};
    }
    // A reader fetches the word after the one it needs: the last stream has one too.
    out.payload.push_back(0);
    header.payload_size = static_cast<std::uint32_t>(out.payload.size());
    seconds.pack += watch.restart();

    Part all;
    for (const Part& part : parts) {
        for (std::size_t k = 0; k < 3; ++k) {
            all.least[k] = std::min(all.least[k], part.least[k]);
            all.greatest[k] = std::max(all.greatest[k], part.greatest[k]);
        }
    }
    const std::array<float, 3> box_min = grid.dequantize({all.least[0], all.least[1], all.least[2]});
    const std::array<float, 3> box_max = grid.dequantize({all.greatest[0], all.greatest[1], all.greatest[2]});
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
