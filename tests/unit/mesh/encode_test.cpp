#include "mesh/encode.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/thread_pool.h"
#include "mesh/bit_stream.h"
#include "mesh/grid.h"
#include "mesh/sizes.h"
#include "mesh/stream.h"
#include "mesh/vertices.h"
#include "mesh/view.h"
#include "same_geometry.h"
#include "test_meshes.h"

namespace sublet::mesh {
namespace {

// Of one mesh: it has one kind of weights.
constexpr std::uint32_t kMostStreams = shared::kStreamTypes - 1;

// With a weight: those without are stored as the vertex's first.
std::uint32_t largest_joint_of(const test::TestMesh& mesh) {
    std::uint32_t largest = 0;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        const Influences influences = quantize_influences(mesh.view(), v);
        for (const std::uint16_t joint : influences.joints) largest = std::max<std::uint32_t>(largest, joint);
    }
    return largest;
}

using test::Random;
using test::TestMesh;

std::string error_of(const std::vector<MeshInput>& meshes, const EncodeOptions& options = {}) {
    try {
        (void)encode(meshes, options, "model.glb", nullptr);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(Encode, OneTriangle) {
    TestMesh mesh;
    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}};
    mesh.indices = {0, 1, 2};
    const EncodedMeshes encoded = test::encode_one(mesh);
    const MeshView view = mesh_view(encoded.geometry.view(), 0);
    EXPECT_EQ(view.header->style, shared::kStyleWireframe);
    EXPECT_EQ(view.header->sublet_count, 1U);
    EXPECT_EQ(view.header->meshlet_count, 1U);
    EXPECT_EQ(view.header->triangle_count, 1U);
    EXPECT_EQ(view.header->vertex_count, 3U);
    const MeshArrays decoded = decode(view);
    ASSERT_EQ(decoded.indices.size(), 3U);
    const auto at = [&](std::size_t i) { return decoded.positions[decoded.indices[i]]; };
    // The corners, from whichever the encoder begins with, in the same winding.
    const auto first = static_cast<std::size_t>(std::find(mesh.positions.begin(), mesh.positions.end(), at(0)) -
                                                mesh.positions.begin());
    ASSERT_LT(first, 3U);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(at(i), mesh.positions[(first + i) % 3]);
    EXPECT_EQ(encoded.stats.error.position_max, 0);
}

TEST(Encode, NothingGivesAnEmptyHeader) {
    const EncodedMeshes none = encode({}, {}, "test");
    EXPECT_TRUE(none.geometry.meshes.empty());

    TestMesh mesh;
    const EncodedMeshes empty = test::encode_one(mesh);
    ASSERT_EQ(empty.geometry.meshes.size(), 1U);
    EXPECT_EQ(empty.geometry.meshes[0].sublet_count, 0U);
    EXPECT_TRUE(empty.geometry.payload.empty());
    EXPECT_TRUE(decode(mesh_view(empty.geometry.view(), 0)).indices.empty());

    mesh.positions = {{5, 6, 7}, {5, 6, 7}, {5, 6, 7}};
    mesh.indices = {0, 1, 2, 0, 0, 1};
    const EncodedMeshes point = test::encode_one(mesh);
    EXPECT_EQ(point.geometry.meshes[0].triangle_count, 0U);
    EXPECT_EQ(point.stats.dropped_degenerate, 2U);
}

TEST(Encode, KeepsToTheLimitsAndCountsWhatItDrops) {
    Random random(30);
    for (int round = 0; round < 30; ++round) {
        const TestMesh mesh = test::make_soup(random, 1 + random.below(2000));
        const EncodedMeshes encoded = test::encode_one(mesh);
        const MeshView view = mesh_view(encoded.geometry.view(), 0);
        const MeshHeader& header = *view.header;
        EXPECT_EQ(encoded.stats.source_triangles, mesh.indices.size() / 3);
        EXPECT_EQ(encoded.stats.source_triangles,
                  header.triangle_count + encoded.stats.dropped_degenerate + encoded.stats.dropped_duplicate);
        EXPECT_EQ(header.meshlet_count, (header.sublet_count + 7) / 8);
        std::vector<std::uint32_t> meshlet_triangles(header.meshlet_count);
        std::vector<std::uint32_t> meshlet_vertices(header.meshlet_count);
        for (std::uint32_t s = 0; s < header.sublet_count; ++s) {
            const PrimitiveCounts counts = sublet_counts(view, s);
            EXPECT_LE(counts.triangles, 32U);
            EXPECT_LE(counts.vertices, 32U);
            meshlet_triangles[s / 8] += counts.triangles;
            meshlet_vertices[s / 8] += counts.vertices;
        }
        for (std::uint32_t m = 0; m < header.meshlet_count; ++m) {
            EXPECT_LE(meshlet_triangles[m], 256U);
            EXPECT_LE(meshlet_vertices[m], 256U);
        }
    }
}

TEST(Encode, DropsDegenerateAndDuplicateTriangles) {
    TestMesh mesh;
    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.5F, 0, 0}, {0, 0, 0}, {1e-9F, 0, 0}};
    mesh.indices = {0, 1, 2,   // stays
                    1, 2, 0,   // the same, rotated
                    5, 1, 2,   // the same, by a vertex of the same position
                    6, 1, 2,   // the same, once quantised
                    0, 2, 1,   // turned over: stays
                    0, 0, 1,   // repeats a vertex
                    0, 5, 1,   // repeats a position
                    0, 1, 4,   // no area
                    0, 1, 3};  // stays
    const EncodedMeshes encoded = test::encode_one(mesh);
    EXPECT_EQ(encoded.stats.dropped_duplicate, 3U);
    EXPECT_EQ(encoded.stats.dropped_degenerate, 3U);
    EXPECT_EQ(encoded.stats.dropped_by_grid, 0U);
    EXPECT_EQ(encoded.geometry.meshes[0].triangle_count, 3U);
}

TEST(Encode, CountsTrianglesThatTheGridMakesDegenerate) {
    TestMesh mesh;
    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {3e-7F, 0, 0}, {0, 3e-7F, 0}, {0.5F, 3e-7F, 0}};
    mesh.indices = {0, 1, 2,   // stays
                    0, 3, 4,   // becomes a point
                    0, 1, 5,   // becomes a line
                    0, 0, 1};  // had no area before
    EncodedMeshes encoded = test::encode_one(mesh);
    EXPECT_EQ(encoded.stats.dropped_degenerate, 3U);
    EXPECT_EQ(encoded.stats.dropped_by_grid, 2U);
    // Of few vertices among many the input is gathered first.
    mesh.positions.resize(100, {0, 0, 0});
    encoded = test::encode_one(mesh);
    EXPECT_EQ(encoded.stats.dropped_degenerate, 3U);
    EXPECT_EQ(encoded.stats.dropped_by_grid, 2U);
}

TEST(Encode, TrianglesThatDifferInAnAttributeAreNotDuplicates) {
    TestMesh mesh;
    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    mesh.uv0 = {{0, 0}, {1, 0}, {0, 1}, {0.5F, 0.5F}, {1, 0}, {0, 1}};
    mesh.indices = {0, 1, 2, 3, 4, 5};
    const EncodedMeshes encoded = test::encode_one(mesh);
    EXPECT_EQ(encoded.geometry.meshes[0].triangle_count, 2U);
    EXPECT_EQ(encoded.geometry.meshes[0].vertex_count, 4U) << "equal vertices are welded";
}

TEST(Encode, MeshesOfAGroupShareTheirGridSoThatBordersMeet) {
    // A sphere cut in two materials of very different size: the border must decode alike on both sides.
    const TestMesh whole = test::make_sphere(24, 48);
    TestMesh cap = whole;
    TestMesh rest = whole;
    const std::size_t cut = std::size_t{48} * 3 * 3;
    cap.indices.resize(cut);
    rest.indices.erase(rest.indices.begin(), rest.indices.begin() + static_cast<std::ptrdiff_t>(cut));
    cap.uv0.assign(cap.positions.size(), {0.25F, 0.75F});
    rest.uv0.assign(rest.positions.size(), {7.5F, -3});
    const std::vector<MeshInput> inputs{cap.view(), rest.view()};
    EncodeOptions options;
    options.position_bits = 9;
    const EncodedMeshes encoded = encode(inputs, options, "test");
    validate(encoded.geometry.view(), "test");
    ASSERT_EQ(encoded.geometry.meshes.size(), 2U);
    const MeshHeader& a = encoded.geometry.meshes[0];
    const MeshHeader& b = encoded.geometry.meshes[1];
    EXPECT_EQ(a.position_exponent, b.position_exponent);
    EXPECT_EQ(a.uv_exponent, b.uv_exponent);
    EXPECT_EQ(a.origin.x, b.origin.x);
    EXPECT_EQ(a.origin.y, b.origin.y);
    EXPECT_EQ(a.origin.z, b.origin.z);

    const MeshArrays cap_decoded = decode(mesh_view(encoded.geometry.view(), 0));
    const MeshArrays rest_decoded = decode(mesh_view(encoded.geometry.view(), 1));
    // Every edge of a closed surface has its opposite: over both parts, by decoded positions.
    std::map<std::pair<std::array<float, 3>, std::array<float, 3>>, int> edges;
    for (const MeshArrays* part : {&cap_decoded, &rest_decoded}) {
        for (std::size_t i = 0; i < part->indices.size(); i += 3) {
            for (std::size_t k = 0; k < 3; ++k) {
                ++edges[{part->positions[part->indices[i + k]], part->positions[part->indices[i + (k + 1) % 3]]}];
            }
        }
    }
    for (const auto& [edge, count] : edges) {
        const auto opposite = edges.find({edge.second, edge.first});
        ASSERT_TRUE(opposite != edges.end()) << "a crack";
    }
    EXPECT_EQ(encoded.stats.source_triangles, whole.indices.size() / 3);
}

TEST(Encode, ASubletDecodesInIsolation) {
    Random random(31);
    TestMesh mesh = test::make_sphere(20, 40);
    mesh.normals.clear();
    test::add_attributes(mesh, Style::kSkinned, random, true);
    EncodedMeshes encoded = test::encode_plain(mesh);
    const Geometry& geometry = encoded.geometry;
    const MeshView view = mesh_view(geometry.view(), 0);
    for (std::uint32_t s = 0; s < view.header->sublet_count; s += 7) {
        const DecodedSublet expected = decode_sublet(view, s);
        // Everything but its own words and headers is noise.
        Geometry noise = geometry;
        for (std::uint32_t& word : noise.payload) word = random.below(~0U);
        for (std::size_t i = 0; i < noise.streams.size(); ++i) {
            if (i / view.header->stream_count == s) continue;
            noise.streams[i] = {{random.below(~0U), random.below(~0U)}, random.below(~0U), random.below(~0U)};
        }
        const PrimitiveCounts counts = primitive_counts(*view.stream(s, shared::kStreamPrimitive));
        for (std::uint32_t type = 0; type < shared::kStreamTypes; ++type) {
            const StreamHeader* stream = view.stream(s, type);
            if (stream == nullptr) continue;
            const std::uint32_t words = type == shared::kStreamPrimitive
                                            ? words_for(counts.triangles, kTriangleBits)
                                            : words_for(counts.vertices, value_width(*stream));
            std::copy_n(geometry.payload.begin() + stream->offset_in_words, words,
                        noise.payload.begin() + stream->offset_in_words);
        }
        const DecodedSublet alone = decode_sublet(mesh_view(noise.view(), 0), s);
        EXPECT_EQ(alone.triangles, expected.triangles);
        EXPECT_EQ(alone.positions, expected.positions);
        EXPECT_EQ(alone.attributes, expected.attributes);
    }
}

TEST(Encode, TheTangentSignIsStored) {
    TestMesh mesh = test::make_plane(3);
    const std::size_t count = mesh.positions.size();
    mesh.normals.assign(count, {0, 0, 1});
    const auto signs_of = [&](std::uint32_t& mode) {
        const EncodedMeshes encoded = test::encode_plain(mesh);
        const MeshView view = mesh_view(encoded.geometry.view(), 0);
        mode = tangent_sign(*view.stream(0, shared::kStreamNormalTangent));
        const MeshArrays decoded = decode(view);
        std::map<std::array<float, 3>, float> signs;
        for (std::size_t i = 0; i < decoded.positions.size(); ++i) signs[decoded.positions[i]] = decoded.tangents[i][3];
        EXPECT_EQ(signs.size(), count);
        return signs;
    };
    std::uint32_t mode = 0;
    mesh.tangents.assign(count, {1, 0, 0, -1});
    for (const auto& [position, sign] : signs_of(mode)) EXPECT_EQ(sign, -1);
    EXPECT_EQ(mode, shared::kTangentSignNegative);
    mesh.tangents.assign(count, {1, 0, 0, 1});
    for (const auto& [position, sign] : signs_of(mode)) EXPECT_EQ(sign, 1);
    EXPECT_EQ(mode, shared::kTangentSignPositive);
    for (std::size_t i = 0; i < count; ++i) mesh.tangents[i][3] = i % 3 == 0 ? 1.0F : -1.0F;
    const auto mixed = signs_of(mode);
    EXPECT_EQ(mode, shared::kTangentSignInLowBit);
    const EncodedMeshes encoded = test::encode_one(mesh);
    const MeshHeader& header = encoded.geometry.meshes[0];
    EXPECT_EQ(test::decoded_triangles(mesh_view(encoded.geometry.view(), 0)), test::expected_triangles(mesh, header));
    EXPECT_EQ(std::count_if(mixed.begin(), mixed.end(), [](const auto& entry) { return entry.second > 0; }),
              static_cast<std::ptrdiff_t>((count + 2) / 3));
}

TEST(Encode, AbsentAndConstantAttributesCostNothing) {
    Random random(32);
    TestMesh bare = test::make_sphere(12, 24);
    bare.normals.clear();
    TestMesh constant = bare;
    test::add_attributes(constant, Style::kSkinned, random, false);
    const EncodedMeshes a = test::encode_plain(bare);
    const EncodedMeshes b = test::encode_plain(constant);
    EXPECT_EQ(a.geometry.meshes[0].stream_count, 2U);
    EXPECT_EQ(b.geometry.meshes[0].stream_count, kMostStreams);
    EXPECT_EQ(b.geometry.meshes[0].attribute_stride, kMaxAttributeWords);
    EXPECT_EQ(a.geometry.payload, b.geometry.payload) << "streams of equal values store no payload";
}

TEST(Encode, TheResultDoesNotDependOnThreads) {
    Random random(33);
    TestMesh mesh = test::make_sphere(150, 300);
    add_attributes(mesh, Style::kSkinned, random, true);
    mesh.normals.resize(mesh.positions.size());
    const EncodedMeshes alone = test::encode_one(mesh);
    EXPECT_GT(alone.geometry.meshes[0].meshlet_count, 300U);
    for (const unsigned threads : {1U, 2U, 4U}) {
        ThreadPool pool(threads);
        EXPECT_TRUE(test::same_geometry(alone.geometry, test::encode_one(mesh, {}, &pool).geometry))
            << threads << " threads";
    }

    // Nor with many meshes, which are encoded at the same time.
    std::vector<MeshInput> inputs(50, mesh.view());
    for (std::size_t i = 0; i < inputs.size(); ++i) inputs[i].indices = inputs[i].indices.subspan(i * 900, 900);
    const EncodedMeshes one_by_one = encode(inputs, {}, "test");
    ThreadPool pool(4);
    const EncodedMeshes together = encode(inputs, {}, "test", &pool);
    EXPECT_TRUE(test::same_geometry(one_by_one.geometry, together.geometry));
    EXPECT_EQ(one_by_one.stats.error.position_rms, together.stats.error.position_rms);
}

TEST(Encode, MeshesThatUseLittleOfASharedBufferCostLittle) {
    // 2,000 meshes over one buffer of 200,000 vertices: looking at all of it for each would be 4e8 steps.
    Random random(34);
    TestMesh shared_buffer = test::make_soup(random, 200000);
    std::vector<MeshInput> inputs(2000, shared_buffer.view());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        inputs[i].indices = inputs[i].indices.subspan(i * 300, 300);
    }
    const EncodedMeshes encoded = encode(inputs, {}, "test");
    validate(encoded.geometry.view(), "test");
    EXPECT_EQ(encoded.geometry.meshes.size(), inputs.size());
    for (std::uint32_t i = 0; i < inputs.size(); i += 97) {
        TestMesh part = shared_buffer;
        part.indices.assign(inputs[i].indices.begin(), inputs[i].indices.end());
        EXPECT_EQ(test::decoded_triangles(mesh_view(encoded.geometry.view(), i)),
                  test::expected_triangles(part, encoded.geometry.meshes[i]));
    }
}

TEST(Encode, ManyTrianglesAroundOneVertexAreNoTrap) {
    // Clustering by neighbourhoods is quadratic in the triangles of a vertex unless something is done about it.
    TestMesh fan;
    constexpr std::uint32_t kSpokes = 100000;
    fan.positions.push_back({0, 0, 1});
    for (std::uint32_t i = 0; i < kSpokes; ++i) {
        const double angle = 6.283185307179586 * i / kSpokes;
        fan.positions.push_back({static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle)), 0});
        fan.indices.insert(fan.indices.end(), {0, i + 1, (i + 1) % kSpokes + 1});
    }
    EncodeOptions options;
    options.position_bits = 16;
    const EncodedMeshes encoded = test::encode_one(fan, options);
    const MeshHeader& header = encoded.geometry.meshes[0];
    EXPECT_GT(header.triangle_count, kSpokes / 2);
    EXPECT_LT(header.sublet_count, header.triangle_count / 25);
    EXPECT_EQ(test::decoded_triangles(mesh_view(encoded.geometry.view(), 0)), test::expected_triangles(fan, header));
}

TEST(Encode, ReportsTheErrorOfQuantisation) {
    TestMesh mesh = test::make_sphere(30, 60);
    for (auto& p : mesh.positions) p = {p[0] * 3 + 10, p[1] * 2, p[2]};
    EncodeOptions options;
    options.position_bits = 8;
    const EncodedMeshes encoded = test::encode_one(mesh, options);
    const MeshHeader& header = encoded.geometry.meshes[0];
    PositionGrid grid;
    grid.exponent = header.position_exponent;
    grid.scale = header.aabb_min.w;
    grid.origin = {header.origin.x, header.origin.y, header.origin.z};
    double worst = 0;
    double sum = 0;
    for (const auto& p : mesh.positions) {
        const auto q = grid.dequantize(grid.quantize(p));
        const double squared =
            std::pow(double{q[0]} - p[0], 2) + std::pow(double{q[1]} - p[1], 2) + std::pow(double{q[2]} - p[2], 2);
        worst = std::max(worst, squared);
        sum += squared;
    }
    const QuantizationError& error = encoded.stats.error;
    EXPECT_NEAR(error.position_max, std::sqrt(worst), 1e-9);
    EXPECT_NEAR(error.position_rms, std::sqrt(sum / static_cast<double>(mesh.positions.size())), 1e-9);
    EXPECT_GT(error.position_max, 0);
    EXPECT_LE(error.position_max, 0.5 * std::sqrt(3.0) * header.aabb_min.w * 1.001);
    EXPECT_NEAR(error.position_max_relative, error.position_max / std::sqrt(36.0 + 16.0 + 4.0), 1e-4);
}

TEST(Encode, HugeAndTinyCoordinates) {
    for (const float size : {1e30F, 1e20F, 1e-20F, 1e-30F}) {
        TestMesh mesh = test::make_sphere(16, 32);
        mesh.normals.clear();
        for (auto& p : mesh.positions) {
            for (float& x : p) x *= size;
        }
        const EncodedMeshes encoded = test::encode_one(mesh);
        const MeshHeader& header = encoded.geometry.meshes[0];
        EXPECT_EQ(header.triangle_count, mesh.indices.size() / 3) << size;
        EXPECT_LT(encoded.stats.error.position_max_relative, 1e-4);
        EXPECT_TRUE(std::isnormal(header.sphere.w));
        EXPECT_NEAR(header.sphere.w / size, 1, 1e-3);
    }
}

TEST(Encode, NamesWhatIsWrong) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float infinity = std::numeric_limits<float>::infinity();
    Random random(35);
    TestMesh good = test::make_plane(2);
    add_attributes(good, Style::kSkinned, random, true);
    ASSERT_EQ(error_of({good.view()}), "");
    const auto error_with = [&](const auto& change) {
        TestMesh bad = good;
        change(bad);
        return error_of({good.view(), bad.view()});
    };
    EXPECT_EQ(error_with([](TestMesh& m) { m.indices[5] = 9; }),
              "model.glb: meshes[1].indices[5]: 9 is out of range: there are 9 vertices");
    EXPECT_EQ(error_with([](TestMesh& m) { m.indices.pop_back(); }),
              "model.glb: meshes[1].indices: 23 indices: must be three per triangle");
    EXPECT_EQ(error_with([&](TestMesh& m) { m.positions[3][1] = nan; }),
              "model.glb: meshes[1].positions[3]: NaN: must be finite");
    EXPECT_EQ(error_with([&](TestMesh& m) { m.positions[8][2] = -infinity; }),
              "model.glb: meshes[1].positions[8]: an infinite value: must be finite");
    EXPECT_NE(error_with([](TestMesh& m) { m.positions[8][2] = 1e32F; }).find("meshes[1].positions[8]: "),
              std::string::npos);
    EXPECT_EQ(error_with([&](TestMesh& m) { m.normals[2][0] = nan; }),
              "model.glb: meshes[1].normals[2]: NaN: must be finite");
    EXPECT_EQ(error_with([&](TestMesh& m) { m.tangents[0][3] = infinity; }),
              "model.glb: meshes[1].tangents[0]: an infinite value: must be finite");
    EXPECT_EQ(error_with([&](TestMesh& m) { m.uv0[7][1] = nan; }), "model.glb: meshes[1].uv0[7]: NaN: must be finite");
    EXPECT_EQ(error_with([&](TestMesh& m) { m.uv1[7][0] = infinity; }),
              "model.glb: meshes[1].uv1[7]: an infinite value: must be finite");
    EXPECT_EQ(error_with([&](TestMesh& m) { m.colors[1][3] = nan; }),
              "model.glb: meshes[1].colors[1]: NaN: must be finite");
    EXPECT_EQ(error_with([&](TestMesh& m) { m.weights[1][2] = nan; }),
              "model.glb: meshes[1].weights[1]: NaN: must be finite");
    EXPECT_EQ(error_with([&](TestMesh& m) { m.weights1[1][2] = infinity; }),
              "model.glb: meshes[1].weights1[1]: an infinite value: must be finite");
    EXPECT_EQ(error_with([](TestMesh& m) { m.normals.pop_back(); }),
              "model.glb: meshes[1].normals: 8 elements for 9 positions: must be as many or none");
    EXPECT_EQ(error_with([](TestMesh& m) { m.joints.clear(); }),
              "model.glb: meshes[1].joints: missing: joints and weights come together");
    EXPECT_EQ(error_with([](TestMesh& m) { m.weights1.clear(); }),
              "model.glb: meshes[1].weights1: missing: joints1 and weights1 come together");
    EXPECT_EQ(error_with([](TestMesh& m) {
                  m.joints.clear();
                  m.weights.clear();
              }),
              "model.glb: meshes[1].joints: missing: joints1 are those beyond the first four");
    EXPECT_EQ(error_of({good.view()}, {Style::kAuto, 3, 15}), "model.glb: position_bits: 3: must be 4 to 21");
    EXPECT_EQ(error_of({good.view()}, {.position_bits = 22}), "model.glb: position_bits: 22: must be 4 to 21");
    EXPECT_EQ(error_of({good.view()}, {.position_bits = 17, .coding = Coding::kPlain}),
              "model.glb: position_bits: 17: must be 4 to 16 in the plain coding");
    EXPECT_EQ(error_of({good.view()}, {Style::kAuto, 14, 17}), "model.glb: uv_bits: 17: must be 4 to 16");
}

TEST(Encode, NamesAVertexByItsNumberInALargeSharedBuffer) {
    TestMesh mesh = test::make_plane(100);
    mesh.uv0.assign(mesh.positions.size(), {0, 0});
    mesh.indices.erase(mesh.indices.begin(), mesh.indices.end() - 30);
    const std::uint32_t last = mesh.indices.back();
    mesh.uv0[last][1] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(error_of({mesh.view()}), "model.glb: meshes[0].uv0[" + std::to_string(last) + "]: NaN: must be finite");
    EncodeOptions wireframe;
    wireframe.style = Style::kWireframe;
    EXPECT_EQ(error_of({mesh.view()}, wireframe), "") << "what the style leaves out is not looked at";
}

TEST(Encode, WhatNoTriangleUsesDoesNotMatter) {
    TestMesh mesh = test::make_plane(2);
    const EncodedMeshes before = test::encode_one(mesh);
    mesh.positions.push_back({std::numeric_limits<float>::quiet_NaN(), 0, 0});
    mesh.positions.push_back({1e30F, 0, 0});
    EXPECT_TRUE(test::same_geometry(before.geometry, test::encode_one(mesh).geometry));
}

TEST(Encode, TheStyleDecidesTheStreams) {
    Random random(36);
    TestMesh mesh = test::make_plane(2);
    add_attributes(mesh, Style::kSkinned, random, true);
    EncodeOptions options;
    const auto streams = [&](Style style) {
        options.style = style;
        return test::encode_one(mesh, options).geometry.meshes[0].stream_count;
    };
    EXPECT_EQ(streams(Style::kAuto), kMostStreams);
    EXPECT_EQ(streams(Style::kSkinned), kMostStreams);
    EXPECT_EQ(streams(Style::kTextured), kMostStreams - 4) << "joints and weights";
    EXPECT_EQ(streams(Style::kWireframe), 2U);
}

TEST(Encode, FourJointsAVertexTakeNoMoreStreams) {
    Random random(37);
    TestMesh mesh = test::make_plane(4);
    add_attributes(mesh, Style::kSkinned, random, true);
    TestMesh four = mesh;
    four.joints1.clear();
    four.weights1.clear();
    const EncodedMeshes expected = test::encode_one(four);
    EXPECT_EQ(expected.geometry.meshes[0].stream_count, kMostStreams - 2);
    mesh.weights1.assign(mesh.positions.size(), {});
    EXPECT_TRUE(test::same_geometry(test::encode_one(mesh).geometry, expected.geometry));
    // One that rounds to nothing beside the others is none either.
    mesh.weights.assign(mesh.positions.size(), {1, 1, 1, 1});
    mesh.weights1.assign(mesh.positions.size(), {1e-4F, 0, 0, 0});
    EXPECT_EQ(test::encode_one(mesh).geometry.meshes[0].stream_count, kMostStreams - 2);
    mesh.weights1[7][3] = 0.01F;
    const EncodedMeshes more = test::encode_one(mesh);
    EXPECT_EQ(more.geometry.meshes[0].stream_count, kMostStreams);
    EXPECT_EQ(largest_joint(mesh_view(more.geometry.view(), 0)), largest_joint_of(mesh));
}

TEST(View, AppendRelocates) {
    const TestMesh a = test::make_sphere(10, 20);
    const TestMesh b = test::make_plane(9);
    Geometry joined;
    for (const TestMesh* mesh : {&a, &b, &a}) append(joined, test::encode_one(*mesh).geometry.view());
    validate(joined.view(), "joined");
    ASSERT_EQ(joined.meshes.size(), 3U);
    EXPECT_EQ(joined.meshes[2].first_vertex, joined.meshes[0].vertex_count + joined.meshes[1].vertex_count);
    EXPECT_EQ(test::decoded_triangles(mesh_view(joined.view(), 1)), test::expected_triangles(b, joined.meshes[1]));
    EXPECT_EQ(test::decoded_triangles(mesh_view(joined.view(), 2)), test::expected_triangles(a, joined.meshes[2]));

    Geometry large;
    large.meshes.push_back(joined.meshes[0]);
    large.meshes[0].first_triangle = ~0U - 10;
    EXPECT_THROW(append(large, joined.view()), Error);
    EXPECT_EQ(large.meshes.size(), 1U);
}

}  // namespace
}  // namespace sublet::mesh
