// Decoding back to GLB.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>
#include <string>

#include "base/error.h"
#include "base/log.h"
#include "base/thread_pool.h"
#include "gltf_builder.h"
#include "scene/container.h"
#include "scene/gltf/extensions.h"

namespace sublet::scene::testing {
namespace {

// The JSON and the binary chunk of a GLB.
struct Glb {
    json root;
    std::vector<std::byte> binary;
};

Glb parse_glb(const std::filesystem::path& path) {
    const std::vector<std::byte> bytes = read_bytes(path);
    const auto word = [&](std::size_t at) {
        std::uint32_t value = 0;
        std::memcpy(&value, &bytes.at(at), 4);
        return value;
    };
    EXPECT_EQ(word(0), 0x46546C67U);
    EXPECT_EQ(word(4), 2U);
    EXPECT_EQ(word(8), bytes.size());
    const std::uint32_t size = word(12);
    EXPECT_EQ(size % 4, 0U);
    Glb glb;
    glb.root = json::parse(std::string(reinterpret_cast<const char*>(&bytes[20]), size));
    if (20 + size < bytes.size()) {
        EXPECT_EQ(word(20 + size + 4), 0x004E4942U);
        glb.binary.assign(bytes.begin() + 28 + static_cast<std::ptrdiff_t>(size), bytes.end());
        EXPECT_EQ(word(20 + size), glb.binary.size());
        EXPECT_EQ(glb.binary.size() % 4, 0U);
    }
    return glb;
}

// What the specification asks of buffer views and accessors, beyond what the import checks.
void expect_valid(const Glb& glb) {
    ASSERT_EQ(glb.root["buffers"].size(), 1U);
    EXPECT_EQ(glb.root["buffers"][0]["byteLength"], glb.binary.size());
    EXPECT_FALSE(glb.root["buffers"][0].contains("uri"));
    for (const json& view : glb.root["bufferViews"]) {
        const std::size_t offset = view["byteOffset"];
        const std::size_t length = view["byteLength"];
        EXPECT_EQ(offset % 4, 0U);
        EXPECT_GT(length, 0U);
        EXPECT_LE(offset + length, glb.binary.size());
    }
    std::set<int> positions;
    for (const json& mesh : glb.root["meshes"]) {
        for (const json& primitive : mesh["primitives"])
            positions.insert(primitive["attributes"]["POSITION"].get<int>());
    }
    for (const int position : positions) {
        const json& accessor = glb.root["accessors"][static_cast<std::size_t>(position)];
        ASSERT_EQ(accessor["min"].size(), 3U) << "positions must have bounds";
        const std::size_t offset = glb.root["bufferViews"][accessor["bufferView"].get<std::size_t>()]["byteOffset"];
        float least = 1e30F;
        float most = -1e30F;
        for (std::size_t i = 0; i < accessor["count"].get<std::size_t>(); ++i) {
            float x = 0;
            std::memcpy(&x, &glb.binary[offset + i * 12], 4);
            least = std::min(least, x);
            most = std::max(most, x);
        }
        EXPECT_EQ(accessor["min"][0].get<float>(), least);
        EXPECT_EQ(accessor["max"][0].get<float>(), most);
    }
    for (const json& animation : glb.root.value("animations", json::array())) {
        for (const json& sampler : animation["samplers"]) {
            EXPECT_TRUE(glb.root["accessors"][sampler["input"].get<std::size_t>()].contains("min"))
                << "times must have bounds";
        }
    }
    std::set<std::string> used;
    for (const json& name : glb.root.value("extensionsUsed", json::array())) used.insert(name);
    const std::string text = glb.root.dump();
    for (const gltf::Extension& extension : gltf::known_extensions()) {
        const bool appears = text.find("\"" + std::string(extension.name) + "\":") != std::string::npos;
        EXPECT_EQ(appears, used.count(extension.name) == 1) << extension.name;
    }
}

TEST(Export, GivesTheGeometryBackWithinTheGrid) {
    const auto path = sphere_gltf(30, 40).write_glb("a.glb");
    const ImportedScene source = import_gltf(path);
    const EncodedScene encoded = encode_file(path);
    export_glb(test_path("b.glb"), encoded);
    expect_valid(parse_glb(test_path("b.glb")));
    const ImportedScene back = import_gltf(test_path("b.glb"));
    const SourceMesh& a = source.groups[0].meshes[0];
    const SourceMesh& b = back.groups[0].meshes[0];
    ASSERT_EQ(a.indices.size(), b.indices.size());

    // Each triangle has its like: the same corners in the same order, within half a step of the grid.
    struct Corner {
        std::array<float, 3> position, normal;
        std::array<float, 2> uv;
    };
    const auto triangles = [](const SourceMesh& p) {
        std::vector<std::array<Corner, 3>> list;
        for (std::size_t i = 0; i < p.indices.size(); i += 3) {
            std::array<Corner, 3> t{};
            for (std::size_t k = 0; k < 3; ++k) {
                const std::uint32_t v = p.indices[i + k];
                t[k] = {p.positions[v], p.normals[v], p.uv0[v]};
            }
            list.push_back(t);
        }
        return list;
    };
    const auto before = triangles(a);
    auto after = triangles(b);
    const double step = encoded.geometry.meshes[0].aabb_min.w;
    const double uv_step = encoded.geometry.meshes[0].aabb_max.w;
    std::size_t found = 0;
    for (const auto& t : before) {
        for (std::size_t i = 0; i < after.size(); ++i) {
            bool same = false;
            for (std::size_t turn = 0; turn < 3 && !same; ++turn) {
                same = true;
                for (std::size_t k = 0; k < 3 && same; ++k) {
                    const Corner& x = t[k];
                    const Corner& y = after[i][(k + turn) % 3];
                    for (std::size_t c = 0; c < 3; ++c) {
                        same = same && std::abs(x.position[c] - y.position[c]) <= step * 0.5001 &&
                               std::abs(x.normal[c] - y.normal[c]) <= 0.02;
                    }
                    for (std::size_t c = 0; c < 2; ++c) same = same && std::abs(x.uv[c] - y.uv[c]) <= uv_step * 0.5001;
                }
            }
            if (!same) continue;
            after[i] = after.back();
            after.pop_back();
            ++found;
            break;
        }
    }
    EXPECT_EQ(found, before.size());
    EXPECT_TRUE(after.empty());
}

TEST(Export, GivesTheSceneBack) {
    GltfBuilder builder = sphere_gltf(5, 8);
    const std::string png = "data:image/png;base64," + base64(std::as_bytes(std::span("\x89PNG\r\n\x1A\n", 8)));
    builder.root["images"] = json::array({{{"uri", png}, {"name", "dots"}}});
    builder.root["samplers"] = json::array({{{"wrapS", 33071}, {"minFilter", 9728}}});
    builder.root["textures"] = json::array({{{"source", 0}, {"sampler", 0}}});
    builder.root["materials"] = json::array(
        {{{"name", "paint"},
          {"pbrMetallicRoughness",
           {{"baseColorFactor", {0.1, 0.2, 0.3, 0.4}},
            {"roughnessFactor", 0.25},
            {"baseColorTexture",
             {{"index", 0}, {"extensions", {{"KHR_texture_transform", {{"offset", {0.5, 0}}, {"scale", {2, 2}}}}}}}}}},
          {"emissiveFactor", {1, 0.5, 0}},
          {"normalTexture", {{"index", 0}, {"scale", 0.5}}},
          {"doubleSided", true},
          {"alphaMode", "MASK"},
          {"alphaCutoff", 0.25},
          {"extensions",
           {{"KHR_materials_emissive_strength", {{"emissiveStrength", 4}}},
            {"KHR_materials_unlit", json::object()}}}}});
    builder.root["meshes"][0]["primitives"][0]["material"] = 0;
    builder.root["meshes"][0]["name"] = "ball";
    builder.root["cameras"] =
        json::array({{{"type", "perspective"}, {"name", "eye"}, {"perspective", {{"yfov", 0.5}, {"znear", 0.125}}}}});
    builder.root["extensions"]["KHR_lights_punctual"]["lights"] =
        json::array({{{"type", "spot"}, {"range", 5}, {"spot", {{"innerConeAngle", 0.25}, {"outerConeAngle", 0.5}}}}});
    builder.root["nodes"][0]["children"] = {1, 2};
    builder.root["nodes"][0]["scale"] = {1, -2, 1};
    builder.root["nodes"].push_back({{"name", "c"}, {"camera", 0}, {"mesh", 0}, {"translation", {1, 2, 3}}});
    builder.root["nodes"].push_back({{"extensions", {{"KHR_lights_punctual", {{"light", 0}}}}},
                                     {"matrix", {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 7, 8, 9, 1}}});
    const int times = builder.accessor<float>({0, 1}, 1, kF32);
    const int values = builder.accessor<float>({0, 0, 0, 1, 2, 3}, 3, kF32);
    builder.root["animations"] = json::array(
        {{{"name", "move"},
          {"samplers", json::array({{{"input", times}, {"output", values}}})},
          {"channels", json::array({{{"sampler", 0}, {"target", {{"node", 1}, {"path", "translation"}}}}})}}});
    const EncodedScene encoded = encode_file(builder.write_glb("a.glb"));
    export_glb(test_path("b.glb"), encoded);
    expect_valid(parse_glb(test_path("b.glb")));
    const ImportedScene imported = import_gltf(test_path("b.glb"));
    const Scene& a = encoded.scene;
    const Scene& b = imported.scene;
    EXPECT_EQ(world_transforms(a), world_transforms(b));
    ASSERT_EQ(b.nodes.size(), 3U);
    EXPECT_EQ(b.nodes[1].name, "c");
    EXPECT_EQ(b.nodes[1].camera, 0);
    EXPECT_EQ(b.nodes[2].light, 0);
    EXPECT_EQ(imported.groups.size(), 1U) << "still shared by two nodes";
    EXPECT_EQ(imported.groups[0].name, "ball");
    const Material& m = b.materials[0];
    EXPECT_EQ(m.name, "paint");
    EXPECT_EQ(m.base_color, a.materials[0].base_color);
    EXPECT_EQ(m.roughness, 0.25F);
    EXPECT_EQ(m.base_color_texture.offset, glm::vec2(0.5F, 0.0F));
    EXPECT_EQ(m.base_color_texture.scale, glm::vec2(2.0F));
    EXPECT_EQ(m.emissive, glm::vec3(4, 2, 0));
    EXPECT_EQ(m.normal_texture.strength, 0.5F);
    EXPECT_TRUE(m.double_sided && m.unlit);
    EXPECT_EQ(m.alpha_mode, AlphaMode::kMask);
    EXPECT_EQ(m.alpha_cutoff, 0.25F);
    EXPECT_EQ(b.images[0].bytes, a.images[0].bytes);
    EXPECT_EQ(b.samplers[0].wrap_s, 33071);
    EXPECT_EQ(b.cameras[0].vertical_fov, 0.5F);
    EXPECT_EQ(b.cameras[0].near_plane, 0.125F);
    EXPECT_EQ(b.lights[0].range, 5.0F);
    EXPECT_EQ(b.lights[0].outer_cone, 0.5F);
    EXPECT_EQ(b.animations[0].name, "move");
    EXPECT_EQ(b.animations[0].channels[0].values, a.animations[0].channels[0].values);
}

TEST(Export, GivesWhatEncodesToTheSameFile) {
    // Every stream, and what else a file holds.
    GltfBuilder builder = sphere_gltf(20, 30);
    const std::size_t vertices = 21U * 31U;
    std::vector<float> tangents;
    std::vector<float> uvs;
    std::vector<float> colors;
    std::vector<std::uint8_t> joints;
    std::vector<float> weights;
    for (std::size_t v = 0; v < vertices; ++v) {
        const float t = static_cast<float>(v) / static_cast<float>(vertices);
        tangents.insert(tangents.end(), {std::sin(9 * t), std::cos(9 * t), 0.0F, v % 3 == 0 ? -1.0F : 1.0F});
        uvs.insert(uvs.end(), {7 * t * t, -3 * t});
        colors.insert(colors.end(), {t, 1 - t, t * t, 1.0F});
        joints.insert(joints.end(), {static_cast<std::uint8_t>(v % 2), 1, 0, 1});
        weights.insert(weights.end(), {t, 1 - t, 0.001F, 0.1F});
    }
    json& attributes = builder.root["meshes"][0]["primitives"][0]["attributes"];
    attributes["TANGENT"] = builder.accessor(tangents, 4, kF32);
    attributes["TEXCOORD_1"] = builder.accessor(uvs, 2, kF32);
    attributes["COLOR_0"] = builder.accessor(colors, 4, kF32);
    attributes["JOINTS_0"] = builder.accessor(joints, 4, kU8);
    attributes["WEIGHTS_0"] = builder.accessor(weights, 4, kF32);
    builder.root["skins"] = json::array({{{"joints", {1, 2}}}});
    builder.root["nodes"][0]["skin"] = 0;
    builder.node({{"translation", {1, 2, 3}}, {"rotation", {0.1, 0.2, 0.3, 0.9}}});
    builder.node({{"translation", {1.5, 2, 3}}, {"scale", {1, 1.25, 1}}});
    builder.node({{"mesh", builder.mesh(attributes, builder.root["meshes"][0]["primitives"][0]["indices"])}});
    builder.root["materials"] = json::array({{{"emissiveFactor", {0.1, 0.2, 0.3}}}});
    builder.root["meshes"][1]["primitives"][0]["material"] = 0;
    builder.root["extensions"]["KHR_lights_punctual"]["lights"] =
        json::array({{{"type", "spot"}, {"spot", {{"outerConeAngle", 1.5707963267948966}}}}});
    const int times = builder.accessor<float>({0, 1}, 1, kF32);
    const int values = builder.accessor<float>({0, 0, 0, 1, 2, 3}, 3, kF32);
    builder.root["animations"] = json::array(
        {{{"samplers", json::array({{{"input", times}, {"output", values}}})},
          {"channels", json::array({{{"sampler", 0}, {"target", {{"node", 1}, {"path", "translation"}}}}})}}});

    std::vector<std::vector<std::byte>> files;
    std::vector<std::vector<std::byte>> geometries;
    std::filesystem::path source = builder.write_glb("a.glb");
    for (int i = 0; i < 3; ++i) {
        const EncodedScene encoded = encode_file(source);
        source = test_path("a.glb");  // the name is part of the file
        write_sublet(test_path("a.sublet"), encoded);
        files.push_back(read_bytes(test_path("a.sublet")));
        std::vector<std::byte> geometry;
        const auto add = [&](const auto& span) {
            const auto bytes = std::as_bytes(span);
            geometry.insert(geometry.end(), bytes.begin(), bytes.end());
        };
        add(encoded.geometry.sublet_bounds);
        add(encoded.geometry.meshlet_bounds);
        add(encoded.geometry.streams);
        add(encoded.geometry.payload);
        geometries.push_back(std::move(geometry));
        export_glb(source, encoded);
    }
    EXPECT_TRUE(geometries[0] == geometries[1]) << "what the GPU reads is the same at once";
    EXPECT_TRUE(files[1] == files[2]) << "and everything from the second time on";
}

TEST(Export, KeepsConeAnglesInTheirRange) {
    // Half of pi is more as a float than as a double; files may hold anything.
    const double half_pi = 1.57079632679489661923;
    for (const auto& [inner, outer] : {std::pair{0.5F, static_cast<float>(half_pi)}, std::pair{2.0F, 2.0F},
                                       std::pair{0.75F, 0.75F}, std::pair{-1.0F, 0.0F}, std::pair{0.25F, 0.5F}}) {
        GltfBuilder builder = GltfBuilder::triangle();
        EncodedScene encoded = encode_file(builder.write_glb("a.glb"));
        Light spot;
        spot.type = LightType::kSpot;
        spot.inner_cone = inner;
        spot.outer_cone = outer;
        encoded.scene.lights = {spot};
        export_glb(test_path("b.glb"), encoded);
        const json written =
            parse_glb(test_path("b.glb")).root["extensions"]["KHR_lights_punctual"]["lights"][0]["spot"];
        EXPECT_LE(written["outerConeAngle"].get<double>(), half_pi);
        EXPECT_GE(written["innerConeAngle"].get<double>(), 0.0);
        EXPECT_LT(written["innerConeAngle"].get<double>(), written["outerConeAngle"].get<double>()) << inner;
        const Light back = import_gltf(test_path("b.glb")).scene.lights[0];
        EXPECT_NEAR(back.outer_cone, std::clamp(static_cast<double>(outer), 0.0, half_pi), 2e-7);
        EXPECT_NEAR(back.inner_cone, std::clamp(static_cast<double>(inner), 0.0, half_pi), 4e-7);
    }
}

TEST(Export, LeavesOutFactorsThatAreTheDefault) {
    GltfBuilder builder = GltfBuilder::triangle();
    builder.root["materials"] = json::array({{{"name", "plain"}}});
    export_glb(test_path("b.glb"), encode_file(builder.write_glb("a.glb")));
    EXPECT_TRUE(import_gltf(test_path("b.glb")).notes.empty()) << "of a metal that the source did not state";
}

TEST(Export, WritesRawImagesAsPng) {
    ThreadPool pool(2);
    const EncodedScene encoded = encode_scene(make_builtin_scene(), {}, pool);
    export_glb(test_path("a.glb"), encoded);
    expect_valid(parse_glb(test_path("a.glb")));
    const ImportedScene back = import_gltf(test_path("a.glb"));
    ASSERT_EQ(back.scene.images.size(), encoded.scene.images.size());
    for (const Image& image : back.scene.images) EXPECT_EQ(image.mime_type, "image/png");
    // The import orders nodes anew: what they place must be the same.
    const auto placed = [](const Scene& scene) {
        const std::vector<glm::mat4> world = world_transforms(scene);
        std::multiset<std::string> result;
        for (std::size_t i = 0; i < world.size(); ++i) {
            result.insert(scene.nodes[i].name + std::string(reinterpret_cast<const char*>(&world[i]), sizeof world[i]));
        }
        return result;
    };
    EXPECT_TRUE(placed(back.scene) == placed(encoded.scene));
}

// KTX2 files of Vulkan's formats are decoded for glTF: those that are damaged are left out, with all that names them.
TEST(Export, LeavesDamagedImagesOut) {
    GltfBuilder builder = sphere_gltf(3, 4);
    const std::string damaged = "\xABKTX 20\xBB\r\n\x1A\n" + std::string(68, '\1');
    const int bad = builder.view(std::as_bytes(std::span(damaged)));
    const int good = builder.view(std::as_bytes(std::span("\x89PNG\r\n\x1A\n", 8)));
    builder.root["images"] = {{{"bufferView", bad}, {"name", "wood"}}, {{"bufferView", good}}};
    builder.root["textures"] = {{{"source", 0}, {"extensions", {{"KHR_texture_basisu", {{"source", 0}}}}}},
                                {{"source", 1}}};
    builder.root["materials"] = json::array({{{"pbrMetallicRoughness", {{"baseColorTexture", {{"index", 0}}}}},
                                              {"normalTexture", {{"index", 0}}},
                                              {"emissiveTexture", {{"index", 1}}}}});
    builder.root["meshes"][0]["primitives"][0]["material"] = 0;
    const EncodedScene encoded = encode_file(builder.write_glb("a.glb"));
    ASSERT_EQ(encoded.scene.images.size(), 2U);
    NoteCollector collector;
    export_glb(test_path("b.glb"), encoded);
    const std::vector<std::string> notes = collector.take();
    ASSERT_EQ(notes.size(), 1U);
    EXPECT_TRUE(notes[0].starts_with("image 0 (wood) is left out: ")) << notes[0];
    expect_valid(parse_glb(test_path("b.glb")));
    const ImportedScene back = import_gltf(test_path("b.glb"));
    ASSERT_EQ(back.scene.images.size(), 1U);
    EXPECT_EQ(back.scene.images[0].bytes, encoded.scene.images[1].bytes);
    EXPECT_EQ(back.scene.materials[0].base_color_texture.texture, -1);
    EXPECT_EQ(back.scene.materials[0].normal_texture.texture, -1);
    EXPECT_EQ(back.scene.materials[0].emissive_texture.texture, 0);
}

TEST(Export, LeavesTheOldFileWhenWritingFails) {
    const EncodedScene encoded = encode_file(sphere_gltf(3, 4).write_glb("a.glb"));
    EXPECT_THROW(export_glb(test_path("a.glb").parent_path() / "none" / "b.glb", encoded), Error);
}

}  // namespace
}  // namespace sublet::scene::testing
