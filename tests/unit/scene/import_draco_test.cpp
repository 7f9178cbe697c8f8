// KHR_draco_mesh_compression: read where the program was built with Draco, told of where not.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/error.h"
#include "gltf_builder.h"
#ifdef SUBLET_DRACO
#include "draco_files.h"
#include "scene/gltf/draco.h"
#endif

namespace sublet::scene::testing {
namespace {

constexpr const char* kField = "meshes[0].primitives[0].extensions.KHR_draco_mesh_compression";

// The triangle, by Draco as well; the data are none.
GltfBuilder triangle_beside_draco() {
    GltfBuilder builder = GltfBuilder::triangle();
    builder.root["extensionsUsed"] = {"KHR_draco_mesh_compression"};
    builder.root["meshes"][0]["primitives"][0]["extensions"]["KHR_draco_mesh_compression"] = {
        {"bufferView", 0}, {"attributes", {{"POSITION", 0}}}};
    return builder;
}

TEST(ImportDraco, ChecksWhatTheFileSays) {
    const auto error_with = [](const char* member, const json& value) {
        GltfBuilder builder = triangle_beside_draco();
        builder.root["meshes"][0]["primitives"][0]["extensions"]["KHR_draco_mesh_compression"][member] = value;
        return import_error(builder.write_glb("a.glb"));
    };
    const auto expect = [](const std::string& got, const std::string& part) {
        EXPECT_NE(got.find(std::string(kField) + part), std::string::npos) << got;
    };
    expect(error_with("bufferView", 99), ".bufferView: is 99, but the file has");
    expect(error_with("attributes", json::array()), ".attributes: must be an object");
    expect(error_with("attributes", {{"POSITION", -1}}), ".attributes.POSITION: must be an integer from 0");
    expect(error_with("attributes", {{"POSITION", "x"}}), ".attributes.POSITION: must be an integer from 0");
}

#ifdef SUBLET_DRACO

// The mesh as a file that has it by Draco alone.
GltfBuilder draco_gltf(const SourceMesh& mesh, const std::string& data) {
    GltfBuilder builder;
    const std::size_t vertices = mesh.positions.size();
    const auto accessor = [&](const char* type, int component_type, std::size_t count) {
        builder.root["accessors"].push_back({{"type", type}, {"componentType", component_type}, {"count", count}});
        return static_cast<int>(builder.root["accessors"].size()) - 1;
    };
    const json attributes{{"POSITION", accessor("VEC3", kF32, vertices)},
                          {"NORMAL", accessor("VEC3", kF32, vertices)},
                          {"TEXCOORD_0", accessor("VEC2", kF32, vertices)},
                          {"COLOR_0", accessor("VEC4", kU8, vertices)}};
    builder.root["accessors"][3]["normalized"] = true;
    builder.mesh(attributes, accessor("SCALAR", kU32, mesh.indices.size()));
    builder.node({{"mesh", 0}});
    builder.root["meshes"][0]["primitives"][0]["extensions"]["KHR_draco_mesh_compression"] = {
        {"bufferView", builder.view(std::as_bytes(std::span(data)))},
        {"attributes",
         {{"POSITION", kPositionId}, {"NORMAL", kNormalId}, {"TEXCOORD_0", kUvId}, {"COLOR_0", kColorId}}}};
    builder.root["extensionsUsed"] = {"KHR_draco_mesh_compression"};
    builder.root["extensionsRequired"] = {"KHR_draco_mesh_compression"};
    return builder;
}

std::string error_of(const GltfBuilder& builder) {
    const std::string error = import_error(builder.write_glb("a.glb"));
    EXPECT_NE(error.find(kField), std::string::npos) << error;
    return error;
}

json& extension_of(GltfBuilder& builder) {
    return builder.root["meshes"][0]["primitives"][0]["extensions"]["KHR_draco_mesh_compression"];
}

// All that is there of each triangle: Draco may reorder triangles, vertices, and a triangle's corners.
std::vector<std::array<std::array<float, 12>, 3>> triangles_of(const SourceMesh& mesh) {
    std::vector<std::array<std::array<float, 12>, 3>> triangles(mesh.indices.size() / 3);
    for (std::size_t i = 0; i < mesh.indices.size(); ++i) {
        const std::uint32_t v = mesh.indices[i];
        std::array<float, 12>& corner = triangles[i / 3][i % 3];
        std::copy_n(mesh.positions[v].begin(), 3, corner.begin());
        std::copy_n(mesh.normals[v].begin(), 3, corner.begin() + 3);
        std::copy_n(mesh.uv0[v].begin(), 2, corner.begin() + 6);
        std::copy_n(mesh.colors[v].begin(), 4, corner.begin() + 8);
    }
    for (auto& triangle : triangles) {
        std::rotate(triangle.begin(), std::min_element(triangle.begin(), triangle.end()), triangle.end());
    }
    std::sort(triangles.begin(), triangles.end());
    return triangles;
}

TEST(ImportDraco, DecodesTheSameMesh) {
    const SourceMesh mesh = wavy_patch(9);
    for (const bool edgebreaker : {false, true}) {
        for (const bool required : {false, true}) {
            GltfBuilder builder = draco_gltf(mesh, draco_data(mesh, {edgebreaker}));
            if (!required) builder.root.erase("extensionsRequired");
            const ImportedScene scene = import_gltf(builder.write_glb("a.glb"));
            EXPECT_EQ(triangles_of(only_mesh(scene)), triangles_of(mesh)) << edgebreaker;
            EXPECT_TRUE(scene.notes.empty());
        }
    }
}

TEST(ImportDraco, DecodesQuantizedMeshes) {
    const SourceMesh mesh = wavy_patch(9);
    for (const bool edgebreaker : {false, true}) {
        const std::string data = draco_data(mesh, {edgebreaker, true});
        const ImportedScene scene = import_gltf(draco_gltf(mesh, data).write_glb("a.glb"));
        const SourceMesh& got = only_mesh(scene);
        ASSERT_EQ(got.positions.size(), mesh.positions.size());
        ASSERT_EQ(got.indices.size(), mesh.indices.size());
        for (std::size_t v = 0; v < got.positions.size(); ++v) {
            const auto& at = got.positions[v];
            const auto near = [&](const auto& other) {
                return std::abs(at[0] - other[0]) + std::abs(at[1] - other[1]) + std::abs(at[2] - other[2]) < 1e-3F;
            };
            const auto found = std::find_if(mesh.positions.begin(), mesh.positions.end(), near);
            ASSERT_NE(found, mesh.positions.end()) << v;
            const auto source = static_cast<std::size_t>(found - mesh.positions.begin());
            EXPECT_NEAR(got.uv0[v][1], mesh.uv0[source][1], 1e-3);
            EXPECT_NEAR(got.normals[v][2], 1.0F, 1e-3);
            EXPECT_EQ(got.colors[v], mesh.colors[source]);
        }
    }
}

TEST(ImportDraco, IsReadBeforeAnUncompressedCopy) {
    const SourceMesh mesh = wavy_patch(2);
    GltfBuilder builder = draco_gltf(mesh, draco_data(mesh));
    builder.root["accessors"][0]["bufferView"] = builder.view(std::vector<std::byte>(mesh.positions.size() * 12));
    EXPECT_EQ(triangles_of(only_mesh(import_gltf(builder.write_glb("a.glb")))), triangles_of(mesh));
}

TEST(ImportDraco, LeavesOtherAttributesWhereTheyAre) {
    const SourceMesh mesh = wavy_patch(2);
    GltfBuilder builder = draco_gltf(mesh, draco_data(mesh, {false}));
    extension_of(builder)["attributes"].erase("TEXCOORD_0");
    builder.root["accessors"][2]["bufferView"] = builder.view(std::as_bytes(std::span(mesh.uv0)));
    EXPECT_EQ(triangles_of(only_mesh(import_gltf(builder.write_glb("a.glb")))), triangles_of(mesh));
}

TEST(ImportDraco, GivesValuesTheTypeOfTheirAccessor) {
    const SourceMesh mesh = wavy_patch(2);
    GltfBuilder builder = draco_gltf(mesh, draco_data(mesh));
    builder.root["accessors"][3]["componentType"] = kF32;
    builder.root["accessors"][3].erase("normalized");
    EXPECT_EQ(triangles_of(only_mesh(import_gltf(builder.write_glb("a.glb")))), triangles_of(mesh));
}

TEST(ImportDraco, ReadsTrianglesOfStripsToo) {
    const SourceMesh mesh = wavy_patch(2);
    GltfBuilder builder = draco_gltf(mesh, draco_data(mesh));
    builder.root["meshes"][0]["primitives"][0]["mode"] = 5;
    EXPECT_EQ(triangles_of(only_mesh(import_gltf(builder.write_glb("a.glb")))), triangles_of(mesh));
}

// Writers compress, and leave the accessors as they were.
TEST(ImportDraco, DataCountWhereAccessorsSayOtherwise) {
    const SourceMesh mesh = wavy_patch(2);  // 9 vertices, 8 triangles
    for (const bool edgebreaker : {false, true}) {
        for (const std::size_t told : {0U, 4U, 8U, 10U, 4'000'000'000U}) {
            GltfBuilder builder = draco_gltf(mesh, draco_data(mesh, {edgebreaker}));
            for (std::size_t i = 0; i < 4; ++i) builder.root["accessors"][i]["count"] = told;
            builder.root["accessors"][4]["count"] = 3 * told;
            const ImportedScene scene = import_gltf(builder.write_glb("a.glb"));
            EXPECT_EQ(triangles_of(only_mesh(scene)), triangles_of(mesh)) << told;
            const std::string says = " where the accessors say " + std::to_string(told) + ": it is read as it is";
            EXPECT_TRUE(has_note(scene, std::string(kField) + ": has 9 vertices" + says));
            EXPECT_EQ(has_note(scene, std::string(kField) + ": has 8 triangles" + says), told != 8);
        }
    }
}

TEST(ImportDraco, DataThatCantBeReadLeaveTheirMeshOut) {
    const SourceMesh mesh = wavy_patch(2);
    GltfBuilder builder = draco_gltf(mesh, draco_data(mesh));
    json bad = builder.root["meshes"][0];
    bad["name"] = "Wheel";
    bad["primitives"][0]["extensions"]["KHR_draco_mesh_compression"]["attributes"]["POSITION"] = 8;
    for (int i = 0; i < 20; ++i) {
        builder.root["meshes"].push_back(bad);
        builder.node({{"mesh", 1 + i}});
    }
    const ImportedScene scene = import_gltf(builder.write_glb("a.glb"));
    EXPECT_EQ(triangles_of(only_mesh(scene)), triangles_of(mesh));
    EXPECT_TRUE(has_note(scene,
                         "mesh 1 (Wheel) is left out: meshes[1].primitives[0].extensions.KHR_draco_mesh_compression: "
                         "the data have no attribute 8"));
    EXPECT_TRUE(has_note(scene, "12 more glTF primitives can't be read and are left out"));
    EXPECT_EQ(scene.notes.size(), 9U);
}

// Few bytes that name many triangles, named by many glTF primitives whose accessors say next to nothing.
TEST(ImportDraco, AllDataTogetherAreHeldToTheFile) {
    const SourceMesh mesh = wavy_patch(2);
    std::string data = draco_data(mesh).substr(0, 12);                            // up to the number of vertices
    data += std::string("\x80\x80\x40\x80\x80\x40", 6) + std::string(200, '\1');  // 2^20 of both
    GltfBuilder builder = draco_gltf(mesh, data);
    json& primitives = builder.root["meshes"][0]["primitives"];
    const json first = primitives[0];
    for (int i = 0; i < 40; ++i) {
        builder.root["materials"].push_back(json::object());
        primitives.push_back(first);
        primitives.back()["material"] = i;
    }
    // Another mesh, which stands by itself.
    const int positions = builder.accessor<float>({0, 0, 0, 1, 0, 0, 0, 1, 0}, 3, kF32);
    builder.mesh({{"POSITION", positions}});
    builder.node({{"mesh", 1}});
    const ImportedScene scene = import_gltf(builder.write_glb("a.glb"));
    EXPECT_EQ(only_mesh(scene).indices.size(), 3U);
    // The first five are tried, then nothing is left of what the file may name.
    const auto refused = std::count_if(scene.notes.begin(), scene.notes.end(), [](const std::string& note) {
        return note.find("has 1048576 triangles, out of all proportion") != std::string::npos;
    });
    EXPECT_EQ(refused, 3);
    EXPECT_TRUE(has_note(scene, "33 more glTF primitives can't be read and are left out"));
}

TEST(ImportDraco, ChecksAttributesOfItsData) {
    const SourceMesh mesh = wavy_patch(2);  // 9 vertices, 8 triangles
    for (const bool edgebreaker : {false, true}) {
        const std::string data = draco_data(mesh, {edgebreaker});
        const auto expect = [&](const std::string& part, auto change) {
            GltfBuilder builder = draco_gltf(mesh, data);
            change(builder);
            EXPECT_NE(error_of(builder).find(part), std::string::npos) << import_error(builder.write_glb("a.glb"));
        };
        expect("the data have no attribute 8", [](auto& b) { extension_of(b)["attributes"]["POSITION"] = 8; });
        expect("attribute 7 has 3 components, but its accessor 2",
               [](auto& b) { b.root["accessors"][0]["type"] = "VEC2"; });
        expect("has 260 bytes for each vertex; up to 256", [](auto& b) {
            b.root["accessors"].push_back({{"type", "VEC4"}, {"componentType", kF32}, {"count", 9}});
            const std::size_t accessor = b.root["accessors"].size() - 1;
            for (int i = 0; i < 14; ++i) {
                const std::string name = "_EXTRA_" + std::to_string(i);
                b.root["meshes"][0]["primitives"][0]["attributes"][name] = accessor;
                extension_of(b)["attributes"][name] = kColorId;
            }
        });
        // Those that are not Draco's are held to its count.
        GltfBuilder builder = draco_gltf(mesh, data);
        extension_of(builder)["attributes"].erase("NORMAL");
        builder.root["accessors"][1]["bufferView"] = builder.view(std::as_bytes(std::span(mesh.normals)).first(96));
        builder.root["accessors"][1]["count"] = 8;
        EXPECT_NE(
            import_error(builder.write_glb("a.glb")).find("attributes.NORMAL: has 8 elements, but POSITION has 9"),
            std::string::npos);
    }
}

TEST(ImportDraco, RefusesDataOfAnotherKind) {
    const SourceMesh mesh = wavy_patch(2);
    const std::string data = draco_data(mesh);
    EXPECT_NE(error_of(draco_gltf(mesh, "none")).find("the data are not Draco's"), std::string::npos);
    std::string other = data;
    other[6] = 1;
    EXPECT_NE(error_of(draco_gltf(mesh, other)).find("version 2.1; glTF has 2.2"), std::string::npos);
    other = data;
    other[7] = 0;
    EXPECT_NE(error_of(draco_gltf(mesh, other)).find("no mesh of triangles"), std::string::npos);
}

// Before anything is allocated for them.
TEST(ImportDraco, RefusesHugeSizesInFewBytes) {
    const SourceMesh mesh = wavy_patch(2);
    std::string data = draco_data(mesh).substr(0, 12);  // up to the number of vertices
    data += std::string("\x80\xC9\x83\x02\x80\xC9\x83\x02", 8) + std::string(200, '\1');
    GltfBuilder builder = draco_gltf(mesh, data);
    for (int i = 0; i < 4; ++i) builder.root["accessors"][static_cast<std::size_t>(i)]["count"] = 4'252'800;
    builder.root["accessors"][4]["count"] = 3 * 4'252'800;
    const std::string error = error_of(builder);
    EXPECT_NE(error.find("has 4252800 triangles, out of all proportion to its bytes"), std::string::npos) << error;
    const std::string many = error_of(draco_gltf(mesh, draco_data(mesh, {false, false, 20})));
    EXPECT_NE(many.find("bytes for each vertex; up to 256"), std::string::npos) << many;
    const std::string seams = error_of(draco_gltf(mesh, draco_data(mesh, {true, false, 20})));
    EXPECT_NE(seams.find("kinds of attributes; up to 16"), std::string::npos) << seams;
}

// "" where the data are a mesh of no more triangles.
std::string decode_error(const std::string& data, std::uint64_t most) {
    std::array<gltf::DracoAttribute, 2> attributes{gltf::DracoAttribute{kPositionId, 3, kF32, {}},
                                                   gltf::DracoAttribute{kColorId, 4, kU8, {}}};
    try {
        gltf::DracoTriangles triangles;
        triangles.most = most;
        gltf::decode_draco(std::as_bytes(std::span(data)), triangles, attributes);
        EXPECT_LE(triangles.indices.size(), 3 * most);
        EXPECT_LE(triangles.vertices, 3 * most);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

TEST(ImportDraco, SaysWhereDataAreCutOffOrCorrupt) {
    const SourceMesh mesh = wavy_patch(4);
    const std::uint64_t size = mesh.indices.size() / 3;
    for (const bool edgebreaker : {false, true}) {
        for (const bool quantized : {false, true}) {
            const std::string data = draco_data(mesh, {edgebreaker, quantized});
            EXPECT_EQ(decode_error(data, size), "");
            EXPECT_NE(decode_error(data, size - 1).find("has 32 triangles, out of all proportion"), std::string::npos);
            for (std::size_t end = 0; end < data.size(); ++end) {
                EXPECT_NE(decode_error(data.substr(0, end), size), "") << end << " of " << data.size();
            }
            std::size_t refused = 0;
            for (std::size_t at = 0; at < data.size(); ++at) {
                for (const char value : {'\0', '\1', '\x7F', '\x80', '\xFF'}) {
                    std::string damaged = data;
                    damaged[at] = value;
                    const std::string error = decode_error(damaged, size);
                    EXPECT_EQ(error.find('\n'), std::string::npos) << error;
                    refused += error.empty() ? 0U : 1U;
                }
            }
            EXPECT_GT(refused, 0U);
        }
    }
}

#else

TEST(ImportDraco, ReadsTheUncompressedCopy) {
    for (const bool required : {false, true}) {
        GltfBuilder builder = triangle_beside_draco();
        if (required) builder.root["extensionsRequired"] = {"KHR_draco_mesh_compression"};
        const ImportedScene scene = import_gltf(builder.write_glb("a.glb"));
        EXPECT_EQ(only_mesh(scene).positions, (std::vector<std::array<float, 3>>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}));
        EXPECT_TRUE(has_note(scene, "KHR_draco_mesh_compression is not read: the uncompressed copies"));
    }
}

TEST(ImportDraco, SaysSoWhereThereIsNoUncompressedCopy) {
    for (const int without : {0, 1, 2}) {  // positions, normals, indices
        GltfBuilder builder = triangle_beside_draco();
        builder.root["accessors"][static_cast<std::size_t>(without)].erase("bufferView");
        const std::string got = import_error(builder.write_glb("a.glb"));
        EXPECT_NE(got.find(std::string(kField) + ": has no uncompressed copy"), std::string::npos) << got;
        EXPECT_NE(got.find("accessors[" + std::to_string(without) + "] has no bufferView"), std::string::npos) << got;
        EXPECT_NE(got.find("libdraco-dev"), std::string::npos) << got;
    }
}

#endif

}  // namespace
}  // namespace sublet::scene::testing
