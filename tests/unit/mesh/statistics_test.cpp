// The figures of `info` agree with the geometry they are of.
#include "mesh/statistics.h"

#include <gtest/gtest.h>

#include <numeric>

#include "mesh/encode.h"
#include "test_meshes.h"

namespace sublet::mesh {
namespace {

TEST(Statistics, AddUpToTheGeometry) {
    const EncodedMeshes encoded = test::encode_plain(test::make_sphere(30, 40));
    const Geometry& geometry = encoded.geometry;
    const GeometryStatistics out = statistics(geometry.view());

    std::uint64_t bytes = 0;
    for (const StreamStatistics& stream : out.streams) {
        bytes += stream.payload_bytes;
        EXPECT_LE(stream.element_bits, stream.payload_bytes * 8);
        EXPECT_EQ(std::accumulate(stream.sublets_by_width.begin(), stream.sublets_by_width.end(), std::uint64_t{0}),
                  stream.sublets);
    }
    EXPECT_EQ(bytes + 4, geometry.payload.size() * 4);  // one word of padding
    const MeshHeader& header = geometry.meshes[0];
    EXPECT_EQ(out.streams[shared::kStreamPrimitive].elements, header.triangle_count);
    EXPECT_EQ(out.streams[shared::kStreamPrimitive].element_bits, std::uint64_t{header.triangle_count} * 15);
    EXPECT_EQ(out.streams[shared::kStreamPosition].elements, header.vertex_count);
    EXPECT_EQ(out.streams[shared::kStreamBoneIndices].sublets, 0U);

    std::uint64_t vertices = 0;
    std::uint64_t sublets = 0;
    for (std::size_t i = 0; i < out.sublets_by_vertices.size(); ++i) {
        vertices += out.sublets_by_vertices[i] * i;
        sublets += out.sublets_by_vertices[i];
    }
    EXPECT_EQ(vertices, header.vertex_count);
    EXPECT_EQ(sublets, header.sublet_count);

    EXPECT_GT(out.sublet_radius.min, 0.0);
    EXPECT_LE(out.sublet_radius.min, out.sublet_radius.median);
    EXPECT_LE(out.sublet_radius.median, out.sublet_radius.p95);
    EXPECT_LE(out.sublet_radius.p95, out.sublet_radius.max);
    EXPECT_LE(out.meshlet_cutoff.max, 1.0);
}

TEST(Statistics, OfNothingAreZero) {
    const GeometryStatistics out = statistics({});
    EXPECT_EQ(out.sublet_radius.max, 0.0);
    EXPECT_EQ(out.streams[shared::kStreamPosition].elements, 0U);
}

}  // namespace
}  // namespace sublet::mesh
