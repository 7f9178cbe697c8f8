// Maps a .sublet file and lists its meshes, and the sublets of the first.
#include <sublet/mesh.h>

#include <cstdint>
#include <cstdio>

namespace mesh = sublet::mesh;
namespace shared = sublet::shared;

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: list FILE.sublet\n");
        return 2;
    }
    const mesh::Result<mesh::File> file = mesh::try_open(argv[1]);
    if (!file) {
        std::fprintf(stderr, "error: %s\n", file.failure().line().c_str());
        return 1;
    }
    const mesh::GeometryView& arrays = file->geometry;
    std::printf("%zu sections, %zu meshes\n", file->sections.size(), arrays.meshes.size());
    for (std::uint32_t m = 0; m < arrays.meshes.size(); ++m) {
        const mesh::MeshHeader& header = arrays.meshes[m];
        std::printf("mesh %u: %u triangles, %u sublets, %u meshlets, radius %g\n", m, header.triangle_count,
                    header.sublet_count, header.meshlet_count, header.sphere.w);
    }
    if (arrays.meshes.empty()) return 0;
    const mesh::MeshView first = mesh::mesh_view(arrays, 0);
    for (std::uint32_t s = 0; s < first.header->sublet_count; ++s) {
        const mesh::DecodedSublet sublet = mesh::decode_sublet(first, s);  // in either coding
        const shared::vec4& sphere = first.sublet_bounds[s].sphere;
        std::printf("sublet %u: %u triangles, %u vertices, centre %g %g %g\n", s, sublet.triangle_count,
                    sublet.vertex_count, sphere.x, sphere.y, sphere.z);
    }
}
