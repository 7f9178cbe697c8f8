// Sizes and quality of encoded scenes.
#include <gtest/gtest.h>

#include "base/thread_pool.h"
#include "gltf_builder.h"
#include "mesh/stream.h"
#include "scene/container.h"

namespace sublet::scene::testing {
namespace {

TEST(Stats, AddUp) {
    GltfBuilder builder = sphere_gltf(40, 60);
    json more = builder.root["meshes"][0];
    more["name"] = "two meshes";
    more["primitives"].push_back(more["primitives"][0]);
    more["primitives"][1]["material"] = 0;  // else it would repeat the other
    builder.root["materials"] = json::array({json::object()});
    builder.root["meshes"].push_back(more);
    builder.node({{"mesh", 1}});
    const EncodedScene scene = with_coding(encode_file(builder.write_glb("a.glb")), mesh::Coding::kPlain);
    const GeometryStats total = scene_stats(scene).total;
    const std::vector<GeometryStats> meshes = scene_stats(scene).meshes;
    ASSERT_EQ(meshes.size(), 2U);
    constexpr std::uint64_t kTriangles = 40U * 60U * 2U;
    constexpr std::uint64_t kVertices = 41U * 61U;
    EXPECT_EQ(meshes[0].triangles, kTriangles);
    EXPECT_EQ(meshes[1].triangles, 2 * kTriangles);
    EXPECT_EQ(meshes[0].vertices, kVertices);
    EXPECT_EQ(total.triangles, 3 * kTriangles);
    EXPECT_EQ(total.vertices, 3 * kVertices);
    // 32-bit indices; positions, normals and texture coordinates as floats.
    EXPECT_EQ(meshes[0].uncompressed_bytes, kTriangles * 12 + kVertices * 32);
    EXPECT_EQ(total.uncompressed_bytes, 3 * meshes[0].uncompressed_bytes);

    EXPECT_EQ(total.sublets, scene.geometry.sublet_bounds.size());
    EXPECT_EQ(total.meshlets, scene.geometry.meshlet_bounds.size());
    EXPECT_EQ(total.payload_bytes, scene.geometry.payload.size() * 4);
    EXPECT_EQ(total.stream_header_bytes, scene.geometry.streams.size() * 16);
    EXPECT_EQ(total.bounds_bytes, (total.sublets + total.meshlets) * 32);
    // The payload is its streams and one word of padding for each mesh.
    const auto& bytes = total.stream_bytes;
    EXPECT_EQ(std::accumulate(bytes.begin(), bytes.end(), scene.geometry.meshes.size() * std::uint64_t{4}),
              total.payload_bytes);
    for (std::uint32_t type = 0; type < shared::kStreamTypes; ++type) {
        EXPECT_EQ(bytes[type] > 0, type <= shared::kStreamUv) << type;
    }

    double radius = 0.0;
    double cutoff = 0.0;
    for (const mesh::Bound& bound : scene.geometry.sublet_bounds) {
        radius += bound.sphere.w;
        cutoff += std::min(bound.cone.w, 1.0F);
    }
    EXPECT_NEAR(total.sublet_radius_mean, radius / static_cast<double>(total.sublets), 1e-9);
    EXPECT_NEAR(total.sublet_cone_cutoff_mean, cutoff / static_cast<double>(total.sublets), 1e-9);
    EXPECT_GT(total.meshlet_radius_mean, total.sublet_radius_mean);
    EXPECT_GT(total.error_position_max, 0.0);
    EXPECT_LE(total.error_position_rms, total.error_position_max);

    write_sublet(test_path("a.sublet"), scene);
    EXPECT_EQ(total.bytes, std::filesystem::file_size(test_path("a.sublet"))) << "without images, all of the file";
}

TEST(Stats, LeaveImagesOut) {
    ThreadPool pool(2);
    const EncodedScene scene = encode_scene(make_builtin_scene(), {}, pool);
    write_sublet(test_path("a.sublet"), scene);
    const EncodedScene opened = open_sublet(test_path("a.sublet"));
    std::uint64_t images = 0;
    for (const Image& image : opened.scene.images) images += image.bytes.size();
    const std::uint64_t bytes = scene_stats(opened).total.bytes;
    EXPECT_EQ(bytes, scene_stats(scene).total.bytes) << "before it is a file as after";
    EXPECT_NEAR(static_cast<double>(bytes + images), static_cast<double>(opened.file_bytes), 64.0) << "but for padding";
}

TEST(Stats, CountWhatWasDropped) {
    GltfBuilder builder = GltfBuilder::triangle();
    const int indices = builder.accessor<std::uint16_t>({0, 1, 2, 0, 1, 2, 1, 1, 2}, 1, kU16);
    builder.root["meshes"][0]["primitives"][0]["indices"] = indices;
    const GeometryStats stats = scene_stats(encode_file(builder.write_glb("a.glb"))).total;
    EXPECT_EQ(stats.triangles, 1U);
    EXPECT_EQ(stats.dropped_duplicate, 1U);
    EXPECT_EQ(stats.dropped_degenerate, 1U);
    EXPECT_EQ(stats.dropped_by_grid, 0U);
}

TEST(Stats, CountTheStitchesOfStrips) {
    GltfBuilder builder;
    const int position = builder.accessor<float>({0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0}, 3, kF32);
    const int indices = builder.accessor<std::uint16_t>({0, 1, 2, 2, 2, 1, 3}, 1, kU16);
    builder.node({{"mesh", builder.mesh({{"POSITION", position}}, indices, 5)}});
    const EncodedScene scene = encode_file(builder.write_glb("a.glb"));
    EXPECT_EQ(scene.scene.mesh_groups[0].source_triangles, 5U);
    EXPECT_EQ(scene_stats(scene).total.triangles, 2U);
    EXPECT_EQ(scene_stats(scene).total.dropped_degenerate, 3U);
    EXPECT_EQ(scene_stats(scene).total.dropped_by_grid, 0U);
    EXPECT_TRUE(scene.notes.empty()) << "what the source has without area is not the grid's doing";
}

}  // namespace
}  // namespace sublet::scene::testing
