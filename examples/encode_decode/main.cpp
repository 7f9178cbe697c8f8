// Encodes a mesh made here and decodes one of its sublets.
#include <cstdio>
#include <vector>

#include "base/error.h"
#include "mesh/sublet.h"

int main() try {
    // A wavy sheet of 10 x 10 quads.
    std::vector<std::array<float, 3>> positions;
    std::vector<std::uint32_t> indices;
    for (std::uint32_t i = 0; i < 121; ++i) {
        const std::uint32_t row = i / 11, column = i % 11;
        const auto x = static_cast<float>(column), y = static_cast<float>(row);
        positions.push_back({x, y, 0.1F * x * y});
        if (row < 10 && column < 10) indices.insert(indices.end(), {i, i + 1, i + 12, i, i + 12, i + 11});
    }
    sublet::MeshInput input;
    input.positions = positions;
    input.indices = indices;
    const sublet::EncodedMeshes encoded = sublet::encode({&input, 1}, {}, "sheet");

    // The arrays of encoded.geometry could be written to a file and mapped again; then they are checked, once.
    sublet::validate(encoded.geometry.view(), "sheet");
    const sublet::MeshView mesh = sublet::mesh_view(encoded.geometry.view(), 0);
    std::printf("%u triangles in %u sublets, %u words of payload\n", mesh.header->triangle_count,
                mesh.header->sublet_count, mesh.header->payload_size);

    // Any sublet decodes alone.
    const sublet::DecodedSublet last = sublet::decode_sublet(mesh, mesh.header->sublet_count - 1);
    const std::array<float, 3> p = sublet::dequantize_position(*mesh.header, last.positions[0]);
    std::printf("the last sublet: %u triangles, first vertex at %g %g %g\n", last.triangle_count, p[0], p[1], p[2]);
} catch (const sublet::Error& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
}
