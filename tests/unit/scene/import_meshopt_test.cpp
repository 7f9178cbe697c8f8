// Buffer views of EXT_meshopt_compression and KHR_meshopt_compression: what is decoded, and what is refused.
#include <gtest/gtest.h>
#include <meshoptimizer.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "gltf_builder.h"
#include "meshopt_files.h"
#include "scene/import.h"

namespace sublet::scene::testing {
namespace {

using Vec3 = std::array<float, 3>;

struct Sphere {
    GltfBuilder builder = sphere_gltf(20, 30);
    SourceMesh plain = only_mesh(import_gltf(builder.write_glb("plain.glb")));
    std::size_t vertices = plain.positions.size();

    // Of one of the buffer views, which the builder makes one for each accessor: positions, normals, UVs, indices.
    [[nodiscard]] const std::byte* bytes(std::size_t view) const {
        return builder.binary.data() + builder.root["bufferViews"][view]["byteOffset"].get<std::size_t>();
    }

    void compress_positions(const char* extension = "EXT_meshopt_compression") {
        compress_view(builder, 0, meshopt_vertices(bytes(0), vertices, 12), vertices, 12, "ATTRIBUTES", nullptr,
                      extension);
    }
};

TEST(ImportMeshopt, DecodesAttributesAndTriangles) {
    Sphere sphere;
    sphere.compress_positions();
    std::vector<unsigned char> indices(meshopt_encodeIndexBufferBound(sphere.plain.indices.size(), sphere.vertices));
    indices.resize(meshopt_encodeIndexBuffer(indices.data(), indices.size(), sphere.plain.indices.data(),
                                             sphere.plain.indices.size()));
    compress_view(sphere.builder, 3, indices, sphere.plain.indices.size(), 4, "TRIANGLES");
    add_fallback_buffer(sphere.builder);
    const ImportedScene scene = import_gltf(sphere.builder.write_glb("a.glb"));
    const SourceMesh& mesh = only_mesh(scene);
    EXPECT_EQ(mesh.positions, sphere.plain.positions);
    EXPECT_EQ(mesh.normals, sphere.plain.normals);
    ASSERT_EQ(mesh.indices.size(), sphere.plain.indices.size());
    // The codec may turn triangles.
    for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
        std::array<std::uint32_t, 3> a{mesh.indices[i], mesh.indices[i + 1], mesh.indices[i + 2]};
        std::array<std::uint32_t, 3> b{sphere.plain.indices[i], sphere.plain.indices[i + 1],
                                       sphere.plain.indices[i + 2]};
        std::rotate(a.begin(), std::min_element(a.begin(), a.end()), a.end());
        std::rotate(b.begin(), std::min_element(b.begin(), b.end()), b.end());
        EXPECT_EQ(a, b);
    }
    EXPECT_TRUE(scene.notes.empty());
}

TEST(ImportMeshopt, DecodesIndexSequences) {
    Sphere sphere;
    std::vector<unsigned char> indices(meshopt_encodeIndexSequenceBound(sphere.plain.indices.size(), sphere.vertices));
    indices.resize(meshopt_encodeIndexSequence(indices.data(), indices.size(), sphere.plain.indices.data(),
                                               sphere.plain.indices.size()));
    compress_view(sphere.builder, 3, indices, sphere.plain.indices.size(), 4, "INDICES");
    add_fallback_buffer(sphere.builder);
    EXPECT_EQ(only_mesh(import_gltf(sphere.builder.write_glb("a.glb"))).indices, sphere.plain.indices);
}

TEST(ImportMeshopt, AppliesFilters) {
    Sphere sphere;
    // Exponential positions.
    std::vector<std::uint32_t> exponential(sphere.vertices * 3);
    meshopt_encodeFilterExp(exponential.data(), sphere.vertices, 12, 15, &sphere.plain.positions[0][0],
                            meshopt_EncodeExpSeparate);
    compress_view(sphere.builder, 0, meshopt_vertices(exponential.data(), sphere.vertices, 12), sphere.vertices, 12,
                  "ATTRIBUTES", "EXPONENTIAL");
    // Octahedral normals, as four normalised shorts.
    std::vector<float> normals;
    for (const Vec3& n : sphere.plain.normals) normals.insert(normals.end(), {n[0], n[1], n[2], 0});
    std::vector<std::int16_t> octahedral(sphere.vertices * 4);
    meshopt_encodeFilterOct(octahedral.data(), sphere.vertices, 8, 12, normals.data());
    compress_view(sphere.builder, 1, meshopt_vertices(octahedral.data(), sphere.vertices, 8), sphere.vertices, 8,
                  "ATTRIBUTES", "OCTAHEDRAL");
    json& accessor = sphere.builder.root["accessors"][1];
    accessor["componentType"] = kI16;
    accessor["normalized"] = true;
    add_fallback_buffer(sphere.builder);
    const ImportedScene scene = import_gltf(sphere.builder.write_glb("a.glb"));
    const SourceMesh& mesh = only_mesh(scene);
    ASSERT_EQ(mesh.positions.size(), sphere.vertices);
    for (std::size_t v = 0; v < sphere.vertices; ++v) {
        for (std::size_t c = 0; c < 3; ++c) {
            EXPECT_NEAR(mesh.positions[v][c], sphere.plain.positions[v][c], 1e-3);
            EXPECT_NEAR(mesh.normals[v][c], sphere.plain.normals[v][c], 2e-3);
        }
    }
}

TEST(ImportMeshopt, ChecksItself) {
    const auto expect = [](const char* message, auto&& spoil) {
        Sphere sphere;
        sphere.compress_positions();
        add_fallback_buffer(sphere.builder);
        spoil(sphere.builder.root["bufferViews"][0]["extensions"]["EXT_meshopt_compression"], sphere.builder);
        const std::string got = import_error(sphere.builder.write_glb("a.glb"));
        EXPECT_NE(got.find("bufferViews[0].extensions.EXT_meshopt_compression"), std::string::npos) << got;
        EXPECT_NE(got.find(message), std::string::npos) << got;
    };
    expect("corrupt", [](json& m, auto&) { m["byteLength"] = 40; });
    expect("corrupt", [](json& m, auto& b) { b.binary[m["byteOffset"].template get<std::size_t>()] = std::byte{0}; });
    expect("more than", [](json& m, auto&) { m["count"] = 4000000000; });
    expect("more than", [](json& m, auto&) { m["count"] = 9007199254740992; });
    expect("takes bytes", [](json& m, auto&) { m["byteLength"] = 9007199254740992; });
    expect("\"HUFFMAN\" is not known", [](json& m, auto&) { m["mode"] = "HUFFMAN"; });
    expect("\"BLUR\" is not known", [](json& m, auto&) { m["filter"] = "BLUR"; });
    expect("not for a stride of 12", [](json& m, auto&) { m["filter"] = "OCTAHEDRAL"; });
    expect("is 10, which", [](json& m, auto&) { m["byteStride"] = 10; });
    expect("is 0, which", [](json& m, auto&) { m["byteStride"] = 0; });
    expect("is 12, which", [](json& m, auto&) { m["mode"] = "TRIANGLES"; });
    expect("not a multiple of 3",
           [](json& m, auto&) { m["mode"] = "TRIANGLES", m["byteStride"] = 2, m["count"] = 31; });
    expect("is missing", [](json& m, auto&) { m.erase("count"); });
    expect("is 9, but", [](json& m, auto&) { m["buffer"] = 9; });
}

// A sphere whose positions are compressed under the newer name: by version 1 of the codec, or with the filter COLOR.
GltfBuilder newer_meshopt(bool version_1, const char* extension = "KHR_meshopt_compression") {
    Sphere sphere;
    std::vector<unsigned char> data = meshopt_vertices(sphere.bytes(0), sphere.vertices, 12);
    if (version_1) data[0] |= 1;
    compress_view(sphere.builder, 0, data, sphere.vertices, 12, "ATTRIBUTES", version_1 ? nullptr : "COLOR", extension);
    sphere.builder.root["buffers"].push_back({{"byteLength", 1 << 20}});
    sphere.builder.root["extensionsUsed"] = {extension};
    return sphere.builder;
}

TEST(ImportMeshopt, ReadsTheNewerName) {
    Sphere sphere;
    sphere.compress_positions("KHR_meshopt_compression");
    sphere.builder.root["buffers"].push_back({{"byteLength", 1 << 20}});
    sphere.builder.root["extensionsRequired"] = {"KHR_meshopt_compression"};
    EXPECT_EQ(only_mesh(import_gltf(sphere.builder.write_glb("a.glb"))).positions, sphere.plain.positions);
}

TEST(ImportMeshopt, SaysWhatOfTheNewerExtensionIsNotRead) {
    const auto expect = [](bool version_1, const char* extension, const char* message) {
        const std::string got = import_error(newer_meshopt(version_1, extension).write_glb("a.glb"));
        EXPECT_NE(got.find(std::string("bufferViews[0].extensions.") + extension), std::string::npos) << got;
        EXPECT_NE(got.find(message), std::string::npos) << got;
    };
    expect(true, "KHR_meshopt_compression", "version 1 of the vertex codec is not supported");
    expect(false, "KHR_meshopt_compression", "the filter COLOR is not supported");
    expect(true, "EXT_meshopt_compression", "version 1 of the vertex codec is not part of this extension");
    expect(false, "EXT_meshopt_compression", "the filter COLOR is not part of this extension");
}

TEST(ImportMeshopt, ReadsTheUncompressedCopyOfWhatItCannotDecode) {
    Sphere sphere;
    const std::span positions(sphere.bytes(0), sphere.vertices * 12);
    for (const bool version_1 : {true, false}) {
        GltfBuilder builder = newer_meshopt(version_1);
        builder.root["bufferViews"][0]["byteOffset"] = 0;
        builder.root["bufferViews"][0]["byteLength"] = positions.size();
        builder.root["buffers"][1] = {{"byteLength", positions.size()}, {"uri", "copy.bin"}};
        write_bytes(test_path("copy.bin"), positions);
        const ImportedScene scene = import_gltf(builder.write_glb("a.glb"));
        EXPECT_EQ(only_mesh(scene).positions, sphere.plain.positions);
        EXPECT_TRUE(has_note(scene, "its uncompressed copy is read"));
    }
}

// Views of the same few bytes: what they decode to adds up.
TEST(ImportMeshopt, BoundsWhatAllViewsDecodeTo) {
    constexpr std::size_t kCount = 65'536;
    constexpr std::size_t kStride = 256;  // 16 MiB
    GltfBuilder builder = GltfBuilder::triangle();
    const int view = builder.view(std::as_bytes(std::span("")));
    compress_view(builder, view, meshopt_vertices(std::vector<std::byte>(kCount * kStride).data(), kCount, kStride),
                  kCount, kStride, "ATTRIBUTES");
    json& meshes = builder.root["meshes"];
    for (int i = 0; i < 20; ++i) {
        builder.root["bufferViews"].push_back(builder.root["bufferViews"][static_cast<std::size_t>(view)]);
        json primitive = meshes[0]["primitives"][0];
        primitive["attributes"]["POSITION"] = builder.accessor_over(view + 1 + i, 0, 3, 3, kF32);
        primitive["attributes"].erase("NORMAL");
        meshes[0]["primitives"].push_back(primitive);
    }
    add_fallback_buffer(builder);
    const ImportedScene scene = import_gltf(builder.write_glb("a.glb"));
    EXPECT_EQ(scene.groups[0].meshes.size(), 1U + 19U) << "of the last view nothing is decoded";
    EXPECT_TRUE(has_note(scene, "EXT_meshopt_compression.count: the buffer views up to here decode to "));
    EXPECT_TRUE(has_note(scene, "out of all proportion"));
    meshes[0]["primitives"].erase(meshes[0]["primitives"].begin() + 3, meshes[0]["primitives"].end());
    EXPECT_EQ(import_gltf(builder.write_glb("b.glb")).groups.size(), 1U);
}

TEST(ImportMeshopt, SurvivesEveryByteChanged) {
    Sphere sphere;
    const std::vector<unsigned char> packed = meshopt_vertices(sphere.bytes(0), sphere.vertices, 12);
    compress_view(sphere.builder, 0, packed, sphere.vertices, 12, "ATTRIBUTES");
    add_fallback_buffer(sphere.builder);
    const std::size_t offset =
        sphere.builder.root["bufferViews"][0]["extensions"]["EXT_meshopt_compression"]["byteOffset"];
    for (std::size_t i = 0; i < packed.size(); i += 41) {
        GltfBuilder bad = sphere.builder;
        bad.binary[offset + i] ^= std::byte{0xA5};
        try {
            (void)import_gltf(bad.write_glb("a.glb"));
        } catch (const Error&) {
        }
    }
}

}  // namespace
}  // namespace sublet::scene::testing
