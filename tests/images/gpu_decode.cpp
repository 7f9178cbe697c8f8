// The GPU's decode pass gives the CPU reference decoder's integers, to the bit, and the shared vertex function its
// floats.
#include <gtest/gtest.h>

#include "base/thread_pool.h"
#include "gpu/upload.h"
#include "harness.h"
#include "mesh/decode.h"
#include "render/decode.h"
#include "render/gpu_scene.h"
#include "shapes.h"

namespace sublet::test {
namespace {

// Every stream there is: skinned, tangents of both signs, two UV sets, colours.
scene::ImportedScene make_everything() {
    scene::ImportedScene out = make_shapes();
    scene::SourcePrimitive all = make_torus(1.0F, 0.4F, 60, 30);
    for (std::size_t i = 0; i < all.positions.size(); ++i) {
        const std::array<float, 3>& n = all.normals[i];
        // Any unit vector across the normal.
        const float length = std::sqrt(n[0] * n[0] + n[2] * n[2]) + 1e-6F;
        all.tangents.push_back({n[2] / length, 0.0F, -n[0] / length, i % 700 < 350 ? 1.0F : -1.0F});
        const auto joint = static_cast<std::uint16_t>(i * 7 % 300);
        all.joints.push_back({joint, static_cast<std::uint16_t>(joint + 1), 0, 65535});
        all.weights.push_back({0.6F, 0.3F, 0.1F, 0.0F});
    }
    scene::SourceMesh mesh;
    mesh.name = "everything";
    mesh.primitives.push_back(std::move(all));
    out.meshes.push_back(std::move(mesh));
    scene::Node node;
    node.mesh_group = static_cast<int>(out.meshes.size()) - 1;
    out.scene.nodes.push_back(node);
    return out;
}

class DecodeTest : public testing::Test {
  protected:
    DecodeTest() : scene_(encode(make_everything())) { gpu_scene_ = render::upload_scene(bench_.device(), scene_, {}); }

    std::vector<std::uint32_t> decode_indices(std::uint32_t bits) {
        const render::DecodePass decode(bench_.device());
        const gpu::Buffer indices = render::make_index_buffer(bench_.device(), *gpu_scene_, bits);
        gpu::submit_and_wait(bench_.device(), "test", [&](VkCommandBuffer commands, gpu::DescriptorArena& arena) {
            decode.record_indices(commands, arena, *gpu_scene_, indices, bits);
        });
        const auto words = gpu::read_buffer_as<std::uint32_t>(bench_.device(), indices, 0, indices.size() / 4);
        std::vector<std::uint32_t> out;
        for (std::uint64_t i = 0; i < gpu_scene_->triangle_count * 3; ++i) {
            const std::uint64_t bit = i * bits;
            const std::uint32_t mask = bits == 32 ? ~0U : (1U << bits) - 1;
            out.push_back(words[bit / 32] >> (bit % 32) & mask);
        }
        return out;
    }

    Bench bench_;
    scene::EncodedScene scene_;
    std::unique_ptr<render::GpuScene> gpu_scene_;
};

TEST_F(DecodeTest, VerticesEqualTheCpuDecoder) {
    const render::DecodePass decode(bench_.device());
    gpu::submit_and_wait(bench_.device(), "test", [&](VkCommandBuffer commands, gpu::DescriptorArena& arena) {
        decode.record_vertices(commands, arena, *gpu_scene_);
    });
    const auto positions =
        gpu::read_buffer_as<std::uint32_t>(bench_.device(), gpu_scene_->positions, 0, gpu_scene_->vertex_count * 2);
    const auto attributes = gpu::read_buffer_as<std::uint32_t>(bench_.device(), gpu_scene_->attributes, 0,
                                                               gpu_scene_->attributes.size() / 4);
    const auto ranges = gpu::read_buffer_as<shared::MeshletRange>(bench_.device(), gpu_scene_->meshlet_ranges, 0,
                                                                  gpu_scene_->meshlet_count);
    std::uint64_t vertices = 0;
    std::uint64_t words = 0;
    for (std::uint32_t m = 0; m < scene_.geometry.meshes.size(); ++m) {
        const mesh::MeshView view = mesh::mesh_view(scene_.geometry, m);
        const shared::MeshHeader& header = *view.header;
        std::uint32_t first_vertex = header.first_vertex;
        std::uint32_t first_triangle = header.first_triangle;
        for (std::uint32_t s = 0; s < header.sublet_count; ++s) {
            const mesh::DecodedSublet cpu = mesh::decode_sublet(view, s);
            if (s % shared::kSubletsPerMeshlet == 0) {
                const shared::MeshletRange& range = ranges[header.first_meshlet + s / shared::kSubletsPerMeshlet];
                ASSERT_EQ(range.first_vertex, first_vertex);
                ASSERT_EQ(range.first_triangle, first_triangle);
            }
            for (std::uint32_t v = 0; v < cpu.vertex_count; ++v, ++first_vertex, ++vertices) {
                const std::array<std::int16_t, 3>& p = cpu.positions[v];
                const std::uint32_t xy = static_cast<std::uint16_t>(p[0]) |
                                         static_cast<std::uint32_t>(static_cast<std::uint16_t>(p[1])) << 16U;
                ASSERT_EQ(positions[std::size_t{first_vertex} * 2], xy)
                    << "mesh " << m << " sublet " << s << " vertex " << v;
                ASSERT_EQ(positions[std::size_t{first_vertex} * 2 + 1], static_cast<std::uint16_t>(p[2]));
                for (std::uint32_t w = 0; w < header.attribute_stride; ++w, ++words) {
                    const std::size_t at = header.first_attribute +
                                           std::size_t{first_vertex - header.first_vertex} * header.attribute_stride +
                                           w;
                    ASSERT_EQ(attributes[at], cpu.attributes[v][w])
                        << "mesh " << m << " sublet " << s << " vertex " << v << " word " << w;
                }
            }
            first_triangle += cpu.triangle_count;
        }
    }
    EXPECT_EQ(vertices, gpu_scene_->vertex_count);
    EXPECT_GT(words, vertices * 3);
    EXPECT_EQ(bench_.validation_messages(), 0U);
}

TEST_F(DecodeTest, IndicesEqualTheCpuDecoder) {
    for (const std::uint32_t bits : {8U, 16U, 32U}) {
        const std::vector<std::uint32_t> gpu = decode_indices(bits);
        std::size_t at = 0;
        for (std::uint32_t m = 0; m < scene_.geometry.meshes.size(); ++m) {
            const mesh::MeshView view = mesh::mesh_view(scene_.geometry, m);
            std::uint32_t vertex = 0;   // of the mesh
            std::uint32_t meshlet = 0;  // the first of the meshlet
            for (std::uint32_t s = 0; s < view.header->sublet_count; ++s) {
                const mesh::DecodedSublet cpu = mesh::decode_sublet(view, s);
                meshlet = s % shared::kSubletsPerMeshlet == 0 ? vertex : meshlet;
                for (std::uint32_t t = 0; t < cpu.triangle_count; ++t) {
                    for (const std::uint8_t index : cpu.triangles[t]) {
                        const std::uint32_t expected = index + vertex - (bits == 32 ? 0 : meshlet);
                        ASSERT_EQ(gpu[at++], expected) << bits << " bits, mesh " << m << " sublet " << s;
                    }
                }
                vertex += cpu.vertex_count;
            }
        }
        EXPECT_EQ(at, gpu.size());
    }
}

}  // namespace
}  // namespace sublet::test
