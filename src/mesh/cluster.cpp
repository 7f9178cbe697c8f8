#include "mesh/cluster.h"

#include <meshoptimizer.h>

namespace sublet::mesh {
namespace {

// How much narrow normal cones weigh against compact shapes.
constexpr float kConeWeight = 0.5F;

}  // namespace

Clusters cluster_triangles(std::span<const Triangle> triangles, const VertexTable& vertices, ThreadPool* pool) {
    (void)pool;
    if (triangles.empty()) return {};
    const std::size_t index_count = triangles.size() * 3;
    std::vector<float> positions(std::size_t{vertices.count()} * 3);
    for (std::uint32_t i = 0; i < vertices.count(); ++i) {
        const auto p = vertices.position(i);
        for (std::size_t k = 0; k < 3; ++k) positions[std::size_t{i} * 3 + k] = p[k];
    }
    const std::size_t bound = meshopt_buildMeshletsBound(index_count, shared::kSubletSize, shared::kSubletSize);
    std::vector<meshopt_Meshlet> meshlets(bound);
    std::vector<unsigned> meshlet_vertices(bound * shared::kSubletSize);
    std::vector<unsigned char> meshlet_triangles(bound * shared::kSubletSize * 3);
    const std::size_t count = meshopt_buildMeshlets(
        meshlets.data(), meshlet_vertices.data(), meshlet_triangles.data(), &triangles[0][0], index_count,
        positions.data(), vertices.count(), sizeof(float) * 3, shared::kSubletSize, shared::kSubletSize, kConeWeight);
    Clusters result;
    for (std::size_t i = 0; i < count; ++i) {
        const meshopt_Meshlet& m = meshlets[i];
        unsigned* v = meshlet_vertices.data() + m.vertex_offset;
        unsigned char* t = meshlet_triangles.data() + m.triangle_offset;
        meshopt_optimizeMeshlet(v, t, m.triangle_count, m.vertex_count);
        Sublet s;
        s.first_vertex = static_cast<std::uint32_t>(result.vertices.size());
        s.first_triangle = static_cast<std::uint32_t>(result.triangles.size());
        s.vertex_count = m.vertex_count;
        s.triangle_count = m.triangle_count;
        result.sublets.push_back(s);
        result.vertices.insert(result.vertices.end(), v, v + m.vertex_count);
        for (unsigned k = 0; k < m.triangle_count; ++k) {
            result.triangles.push_back({t[3 * k], t[3 * k + 1], t[3 * k + 2]});
        }
    }
    return result;
}

}  // namespace sublet::mesh
