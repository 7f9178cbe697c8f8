// The GPU's decode pass gives the CPU reference decoder's integers, to the bit, and the shared vertex function its
// floats.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <glm/ext/matrix_transform.hpp>
#include <glm/geometric.hpp>
#include <optional>
#include <random>

#include "base/thread_pool.h"
#include "gpu/upload.h"
#include "harness.h"
#include "mesh/mesh.h"
#include "mesh/sizes.h"
#include "render/passes/storage_buffer.h"
#include "render/scene/decode.h"
#include "render/scene/gpu_scene.h"
#include "shapes.h"

namespace sublet::test {
namespace {

constexpr std::uint32_t kUnpackShader[] =
#include "unpack_comp.inc"
    ;

// How many floats lie between two, 0 for equal ones.
std::int64_t ulps(float a, float b) {
    const auto order = [](float x) {
        const auto bits = std::bit_cast<std::int32_t>(x);
        return bits >= 0 ? std::int64_t{bits} : -std::int64_t{bits & 0x7fffffff};
    };
    return std::abs(order(a) - order(b));
}

// Every stream that is written: eight joints a vertex, tangents of both signs, two UV sets, colours.
scene::ImportedScene make_everything() {
    scene::ImportedScene out = make_shapes();
    scene::SourceMesh all = make_torus(1.0F, 0.4F, 60, 30);
    for (std::size_t i = 0; i < all.positions.size(); ++i) {
        const std::array<float, 3>& n = all.normals[i];
        // Any unit vector across the normal.
        const float length = std::sqrt(n[0] * n[0] + n[2] * n[2]) + 1e-6F;
        all.tangents.push_back({n[2] / length, 0.0F, -n[0] / length, i % 700 < 350 ? 1.0F : -1.0F});
        const auto joint = static_cast<std::uint16_t>(i * 7 % 300);
        all.joints.push_back({joint, static_cast<std::uint16_t>(joint + 1), 0, 65535});
        all.weights.push_back({0.6F, 0.3F, 0.1F, 0.0F});
        all.joints1.push_back({static_cast<std::uint16_t>(i % 50), 3, 400, 5});
        all.weights1.push_back({i % 3 == 0 ? 0.05F : 0.0F, 0.02F, static_cast<float>(i % 7) * 0.01F, 0.0F});
    }
    scene::SourceMeshGroup group;
    group.name = "everything";
    group.meshes.push_back(std::move(all));
    out.groups.push_back(std::move(group));
    scene::Node node;
    node.mesh_group = static_cast<int>(out.groups.size()) - 1;
    out.scene.nodes.push_back(node);
    return out;
}

constexpr std::uint32_t kAll = shared::kDecodeRecords | shared::kDecodeVertices;

// In the plain coding, in the compact one, and in that with positions of more than 16 bits in some meshes.
enum class Stored : std::uint8_t { kPlain, kCompact, kWide };

scene::EncodedScene encode_as(Stored stored) {
    if (stored == Stored::kWide) return with_wide_positions(encode(make_everything()));
    return scene::with_coding(encode(make_everything()),
                              stored == Stored::kPlain ? mesh::Coding::kPlain : mesh::Coding::kCompact);
}

class DecodeTest : public testing::TestWithParam<Stored> {
  protected:
    DecodeTest() : scene_(encode_as(GetParam())) {
        gpu_scene_ = render::upload_scene(bench_.device(), scene_, {});
        render::make_vertices(bench_.device(), *gpu_scene_);
    }

    std::vector<std::uint32_t> decode_indices(std::uint32_t bits) {
        gpu::Pipelines pipelines(bench_.device());
        const gpu::Buffer indices = render::make_index_buffer(bench_.device(), *gpu_scene_, bits);
        gpu::submit_and_wait(bench_.device(), "test", [&](VkCommandBuffer commands, gpu::DescriptorArena& arena) {
            render::record_decode_indices(commands, arena, pipelines, *gpu_scene_, indices, bits);
        });
        const auto words = gpu::read_buffer_as<std::uint32_t>(bench_.device(), indices, 0, indices.size() / 4);
        std::vector<std::uint32_t> out;
        for (std::uint64_t bit = 0; bit < words.size() * 32; bit += bits) {
            const std::uint32_t mask = bits == 32 ? ~0U : (1U << bits) - 1;
            out.push_back(words[bit / 32] >> (bit % 32) & mask);
        }
        return out;
    }

    Bench bench_;
    scene::EncodedScene scene_;
    std::unique_ptr<render::GpuScene> gpu_scene_;
};

INSTANTIATE_TEST_SUITE_P(Codings, DecodeTest, testing::Values(Stored::kPlain, Stored::kCompact, Stored::kWide),
                         [](const auto& named) {
                             return named.param == Stored::kPlain     ? "plain"
                                    : named.param == Stored::kCompact ? "compact"
                                                                      : "wide";
                         });

TEST_P(DecodeTest, VerticesEqualTheCpuDecoder) {
    gpu::Pipelines pipelines(bench_.device());
    gpu::submit_and_wait(bench_.device(), "test", [&](VkCommandBuffer commands, gpu::DescriptorArena& arena) {
        render::record_decode(commands, arena, pipelines, *gpu_scene_, kAll);
    });
    const auto positions = gpu::read_buffer_as<std::uint32_t>(bench_.device(), gpu_scene_->vertices->positions, 0,
                                                              gpu_scene_->residency.vertices * 2);
    const auto attributes = gpu::read_buffer_as<std::uint32_t>(bench_.device(), gpu_scene_->vertices->attributes, 0,
                                                               gpu_scene_->vertices->attributes.size() / 4);
    const auto ranges = gpu::read_buffer_as<shared::MeshletRange>(bench_.device(), gpu_scene_->meshlet_ranges, 0,
                                                                  gpu_scene_->meshlet_count);
    const auto records = gpu::read_buffer_as<shared::SubletRecord>(bench_.device(), gpu_scene_->sublet_records, 0,
                                                                   gpu_scene_->residency.sublets);
    std::uint64_t vertices = 0;
    std::uint64_t words = 0;
    for (std::uint32_t m = 0; m < scene_.geometry.meshes.size(); ++m) {
        const mesh::MeshView view = mesh::mesh_view(scene_.geometry, m);
        const shared::MeshHeader& header = *view.header;
        const bool wide = mesh::has_wide_positions(header);
        std::uint32_t first_vertex = header.first_vertex;
        std::uint32_t triangles = 0;  // of the meshlet so far
        for (std::uint32_t s = 0; s < header.sublet_count; ++s) {
            const mesh::DecodedSublet cpu = mesh::decode_sublet(view, s);
            if (s % shared::kSubletsPerMeshlet == 0) {
                const shared::MeshletRange& range = ranges[header.first_meshlet + s / shared::kSubletsPerMeshlet];
                ASSERT_EQ(range.first_vertex, first_vertex);
                triangles = 0;
            }
            const shared::SubletRecord& record = records[header.first_sublet + s];
            ASSERT_EQ(record.first_vertex, first_vertex - header.first_vertex);
            ASSERT_EQ(record.counts, mesh::primitive_bits(mesh::sublet_counts(view, s)));
            for (std::uint32_t t = 0; t < shared::kSubletSize; ++t) {
                const auto& [a, b, c] = cpu.triangles[t];
                ASSERT_EQ(record.triangles[t / 2] >> (16 * (t % 2)) & 0xffffU,
                          t < cpu.triangle_count ? a | b << 5U | c << 10U : 0U)
                    << "mesh " << m << " sublet " << s << " triangle " << t;
            }
            for (std::uint32_t v = 0; v < cpu.vertex_count; ++v, ++first_vertex, ++vertices) {
                const mesh::GridPoint& p = cpu.positions[v];
                const std::uint32_t xy = static_cast<std::uint16_t>(p[0]) |
                                         static_cast<std::uint32_t>(static_cast<std::uint16_t>(p[1])) << 16U;
                ASSERT_EQ(positions[std::size_t{first_vertex} * 2], xy)
                    << "mesh " << m << " sublet " << s << " vertex " << v;
                // Its upper half may hold what VerticesKnowTheTrianglesThatTheyLead checks.
                ASSERT_EQ(positions[std::size_t{first_vertex} * 2 + 1] & 0xffffU, static_cast<std::uint16_t>(p[2]));
                for (std::uint32_t w = 0; w < header.attribute_stride; ++w, ++words) {
                    const std::size_t at = header.first_attribute +
                                           std::size_t{first_vertex - header.first_vertex} * header.attribute_stride +
                                           w;
                    const bool is_high = wide && w + 1 == header.attribute_stride;
                    ASSERT_EQ(attributes[at],
                              is_high ? shared::high_position_bits(p[0], p[1], p[2]) : cpu.attributes[v][w])
                        << "mesh " << m << " sublet " << s << " vertex " << v << " word " << w;
                }
            }
            triangles += cpu.triangle_count;
            ASSERT_GE(ranges[header.first_meshlet + s / shared::kSubletsPerMeshlet].triangle_count, triangles);
            if (s + 1 == header.sublet_count || (s + 1) % shared::kSubletsPerMeshlet == 0) {
                ASSERT_EQ(ranges[header.first_meshlet + s / shared::kSubletsPerMeshlet].triangle_count, triangles);
            }
        }
    }
    EXPECT_EQ(vertices, gpu_scene_->residency.vertices);
    EXPECT_GT(words, vertices * 3);
    EXPECT_EQ(bench_.validation_messages(), 0U);
}

TEST_P(DecodeTest, VerticesKnowTheTrianglesThatTheyLead) {
    // Made where fragments find their triangle by its corners, which no device that runs the tests must do.
    gpu_scene_->vertices->leads =
        render::make_storage_buffer(bench_.device(), "leads", gpu_scene_->residency.vertices * 4);
    gpu::Pipelines pipelines(bench_.device());
    gpu::submit_and_wait(bench_.device(), "test", [&](VkCommandBuffer commands, gpu::DescriptorArena& arena) {
        render::record_decode(commands, arena, pipelines, *gpu_scene_, kAll);
    });
    const auto positions = gpu::read_buffer_as<std::uint32_t>(bench_.device(), gpu_scene_->vertices->positions, 0,
                                                              gpu_scene_->residency.vertices * 2);
    const auto leads = gpu::read_buffer_as<std::uint32_t>(bench_.device(), gpu_scene_->vertices->leads, 0,
                                                          gpu_scene_->residency.vertices);
    std::size_t pairs = 0;
    std::size_t searches = 0;
    for (std::uint32_t m = 0; m < scene_.geometry.meshes.size(); ++m) {
        const mesh::MeshView view = mesh::mesh_view(scene_.geometry, m);
        std::uint32_t first_vertex = view.header->first_vertex;
        for (std::uint32_t s = 0; s < view.header->sublet_count; ++s) {
            const mesh::DecodedSublet cpu = mesh::decode_sublet(view, s);
            for (std::uint32_t t = 0; t < cpu.triangle_count; ++t) {
                // What a fragment does (backends/id.frag).
                const auto& [a, b, c] = cpu.triangles[t];
                const std::uint32_t lead = positions[(std::size_t{first_vertex} + a) * 2 + 1] >> shared::kLeadShift;
                const std::uint32_t later = lead >> shared::kLeadLaterShift & shared::kLeadLaterMask;
                std::uint32_t found = leads[first_vertex + a];
                ASSERT_EQ(lead & shared::kLeadVertexMask, a);
                if (later == shared::kLeadSearch) {
                    ASSERT_LE(found, s * shared::kSubletSize + t);
                    ++searches;
                    continue;
                }
                if (later != 0 && b != (lead >> shared::kLeadSecondShift & shared::kLeadVertexMask)) found += later;
                pairs += later != 0 ? 1 : 0;
                ASSERT_EQ(found, s * shared::kSubletSize + t) << "mesh " << m;
            }
            first_vertex += cpu.vertex_count;
        }
    }
    EXPECT_GT(pairs, 0U);
    EXPECT_LT(searches, gpu_scene_->triangle_count / 20);
}

TEST_P(DecodeTest, IndicesEqualTheCpuDecoder) {
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
                // Room for triangles that the sublet does not have: of no area.
                for (std::uint32_t t = cpu.triangle_count; t < shared::kSubletSize; ++t) {
                    for (int corner = 0; corner < 3; ++corner) {
                        ASSERT_EQ(gpu[at++], vertex - (bits == 32 ? 0 : meshlet)) << bits << " bits, sublet " << s;
                    }
                }
                vertex += cpu.vertex_count;
            }
        }
        EXPECT_EQ(at, gpu.size());
    }
}

// Placed by similarities, mirrored or not, then by others: uneven scale, shear, rank 2, rank 1 (all normals are lost).
struct Placements {
    std::vector<shared::Instance> instances;
    std::size_t similarities = 0;
};

Placements make_placements() {
    Placements out;
    const auto add = [&](const glm::mat4& m) { out.instances.push_back(render::make_instance({.transform = m}, {})); };
    const glm::mat4 identity(1.0F);
    const glm::mat4 turned = glm::rotate(glm::rotate(identity, 0.7F, {1.0F, 2.0F, 3.0F}), 2.1F, {-1.0F, 0.2F, 0.4F});
    for (const float scale : {1.0F, 0.003F, 700.0F}) {
        for (const glm::mat4& m : {identity, turned}) {
            add(glm::scale(m, glm::vec3(scale)));
            add(glm::scale(m, glm::vec3(-scale)));
            add(glm::scale(m, glm::vec3(scale, -scale, scale)));
        }
    }
    out.similarities = out.instances.size();
    add(glm::scale(turned, {1.0F, 3.0F, 0.5F}));
    add(glm::scale(turned, {1.0F, 3.0F, -0.5F}));
    glm::mat4 shear = identity;
    shear[1][0] = 0.8F;
    add(turned * shear);
    add(glm::scale(identity, {1.0F, 2.0F, 0.0F}));
    add(glm::mat4(0.0F));
    glm::mat4 line(0.0F);
    for (int column = 0; column < 3; ++column) line[column] = {0.1F, 0.7F, -0.3F, 0.0F};
    add(line);
    return out;
}

// In double: by the cofactor matrix, turned by the sign of the determinant. Nothing where a singular matrix leaves too
// little of this normal to tell its direction.
std::optional<glm::dvec3> place_normal(const shared::Instance& instance, const std::array<float, 3>& normal) {
    std::array<glm::dvec3, 3> r{};
    for (std::size_t i = 0; i < 3; ++i) {
        r[i] = {instance.transform[i].x, instance.transform[i].y, instance.transform[i].z};
    }
    const glm::dvec3 n(normal[0], normal[1], normal[2]);
    const std::array<glm::dvec3, 3> c{glm::cross(r[1], r[2]), glm::cross(r[2], r[0]), glm::cross(r[0], r[1])};
    const glm::dvec3 q(glm::dot(c[0], n), glm::dot(c[1], n), glm::dot(c[2], n));
    const double size = std::sqrt(glm::dot(c[0], c[0]) + glm::dot(c[1], c[1]) + glm::dot(c[2], c[2]));
    if (size == 0.0) return glm::dvec3(0.0, 1.0, 0.0);
    if (glm::length(q) < 0.05 * size) return std::nullopt;
    return glm::normalize(glm::dot(r[0], glm::cross(r[1], r[2])) < 0.0 ? -q : q);
}

// The floats of the shared vertex function: positions and UVs equal the CPU decoder's to the bit. Unit normals may
// differ by what inversesqrt is allowed (2 ULP by Vulkan) and the multiplication after it, and by 1/127 rounded instead
// of a division: held to 8 ULP of a component of size 1, which an 8-bit normal is thousands of times coarser than; to
// 16 once they are placed, by the matrix itself where that is a similarity and by its cofactors.
TEST(SharedVertexFunction, GivesTheCpuDecodersFloats) {
    Bench bench;
    gpu::Device& device = bench.device();
    std::mt19937 random(7);
    shared::MeshHeader header{};
    header.origin = {0.37F, -112.25F, 3.0e4F, 0.0F};
    header.position_exponent = -9;
    header.aabb_min.w = 0x1p-9F;
    header.uv_exponent = -12;
    header.aabb_max.w = 0x1p-12F;
    std::vector<shared::uvec4> words(65536);
    for (std::size_t i = 0; i < words.size(); ++i) {
        const auto n =
            static_cast<std::uint32_t>(i);  // every 8-bit pair there is, but for -128, which no encoder writes
        const std::uint32_t x = (n & 0xffU) == 0x80U ? 0x81U : n & 0xffU;
        const std::uint32_t y = (n >> 8U) == 0x80U ? 0x81U : n >> 8U;
        words[i] = {static_cast<std::uint32_t>(random()), static_cast<std::uint32_t>(random()) & 0xffffU, x | y << 8U,
                    static_cast<std::uint32_t>(random())};
    }
    const gpu::Buffer input(device,
                            {.size = words.size() * 16, .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, .name = "in"});
    const gpu::Buffer output(device,
                             {.size = words.size() * 80, .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, .name = "out"});
    const Placements placements = make_placements();
    const gpu::Buffer instances(device, {.size = placements.instances.size() * sizeof(shared::Instance),
                                         .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                                         .name = "instances"});
    gpu::Uploader uploader(device);
    uploader.buffer(input, 0, words);
    uploader.buffer(instances, 0, placements.instances);
    uploader.finish();
    struct Constants {
        shared::vec4 origin;
        float uv_scale;
        std::uint32_t count;
        std::uint32_t instance_count;
    };
    gpu::ComputePipelineDesc desc;
    desc.name = "unpack";
    desc.shader.spirv = kUnpackShader;
    const gpu::Pipeline pipeline(device, desc);
    gpu::submit_and_wait(device, "test", [&](VkCommandBuffer commands, gpu::DescriptorArena& arena) {
        arena.bind(commands, pipeline,
                   {gpu::buffer_at(0, input), gpu::buffer_at(1, output), gpu::buffer_at(2, instances)});
        const Constants constants{{header.origin.x, header.origin.y, header.origin.z, header.aabb_min.w},
                                  header.aabb_max.w,
                                  static_cast<std::uint32_t>(words.size()),
                                  static_cast<std::uint32_t>(placements.instances.size())};
        pipeline.push(commands, std::as_bytes(std::span(&constants, 1)).first(28));
        vkCmdDispatch(commands, static_cast<std::uint32_t>(words.size() / 64), 1, 1);
    });
    const auto values = gpu::read_buffer_as<shared::vec4>(device, output, 0, words.size() * 5);
    std::int64_t worst = 0;
    std::size_t placed_normals = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const mesh::GridPoint grid{static_cast<std::int16_t>(words[i].x & 0xffffU),
                                   static_cast<std::int16_t>(words[i].x >> 16U), static_cast<std::int16_t>(words[i].y)};
        const std::array<float, 3> position = mesh::dequantize_position(header, grid);
        const shared::vec4& p = values[i * 5];
        ASSERT_TRUE(position[0] == p.x && position[1] == p.y && position[2] == p.z) << i;
        const std::array<float, 3> normal = mesh::decode_normal(words[i].z);
        const shared::vec4& n = values[i * 5 + 1];
        const std::array<float, 3> gpu{n.x, n.y, n.z};
        for (std::size_t c = 0; c < 3; ++c) {
            // Near zero a component's own ULP means nothing for a unit vector: those of 1 count.
            worst = std::max(worst, ulps(1.0F + std::abs(normal[c]), 1.0F + std::abs(gpu[c])));
            ASSERT_LE(std::abs(normal[c] - gpu[c]), 8 * 0x1p-23F) << i;
        }
        const std::array<float, 2> uv = mesh::decode_uv(header, words[i].w);
        const shared::vec4& t = values[i * 5 + 2];
        ASSERT_TRUE(uv[0] == t.x && uv[1] == t.y) << i;
        const std::size_t placement = i % placements.instances.size();
        const std::optional<glm::dvec3> expected = place_normal(placements.instances[placement], normal);
        if (!expected) continue;
        ++placed_normals;
        for (const std::size_t way : {3U, 4U}) {
            const shared::vec4& placed = values[i * 5 + way];
            ASSERT_LE(glm::length(glm::dvec3(placed.x, placed.y, placed.z) - *expected), 16 * 0x1p-23)
                << i << ", placement " << placement << ", value " << way;
        }
    }
    for (std::size_t i = 0; i < placements.instances.size(); ++i) {
        EXPECT_EQ((placements.instances[i].flags & shared::kInstanceSimilarity) != 0, i < placements.similarities) << i;
    }
    EXPECT_GE(placed_normals, words.size() / 10 * 9);
    RecordProperty("worst_normal_ulps_of_one", static_cast<int>(worst));
    EXPECT_EQ(bench.validation_messages(), 0U);
}

}  // namespace
}  // namespace sublet::test
