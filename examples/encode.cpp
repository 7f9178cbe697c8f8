// Encodes a mesh made here, and decodes one of its sublets on the CPU.
#include <sublet/mesh.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace mesh = sublet::mesh;

int main() {
    // A wavy sheet of 10 x 10 quads.
    std::vector<std::array<float, 3>> positions;
    std::vector<std::uint32_t> indices;
    for (std::uint32_t i = 0; i < 121; ++i) {
        const std::uint32_t row = i / 11, column = i % 11;
        const auto x = static_cast<float>(column), y = static_cast<float>(row);
        positions.push_back({x, y, 0.1F * x * y});
        if (row < 10 && column < 10) indices.insert(indices.end(), {i, i + 1, i + 12, i, i + 12, i + 11});
    }
    mesh::MeshInput input;
    input.positions = positions;
    input.indices = indices;

    const mesh::Result<mesh::EncodedMeshes> encoded = mesh::try_encode({&input, 1}, {}, "sheet");
    if (!encoded) {
        std::fprintf(stderr, "error: %s\n", encoded.failure().line().c_str());
        return 1;
    }
    // These five arrays are what a GPU reads.
    const mesh::GeometryView arrays = encoded->geometry.view();
    const mesh::MeshView sheet = mesh::mesh_view(arrays, 0);
    std::printf("%u triangles in %u sublets, %zu words of payload\n", sheet.header->triangle_count,
                sheet.header->sublet_count, sheet.payload.size());

    // Any sublet decodes alone.
    const mesh::DecodedSublet last = mesh::decode_sublet(sheet, sheet.header->sublet_count - 1);
    const std::array<float, 3> p = mesh::dequantize_position(*sheet.header, last.positions[0]);
    std::printf("the last sublet: %u triangles, first vertex at %g %g %g\n", last.triangle_count, p[0], p[1], p[2]);
}
