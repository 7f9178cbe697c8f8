#include "gltf_builder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <utility>

#include "base/error.h"
#include "base/path_text.h"
#include "base/thread_pool.h"

namespace sublet::scene::testing {

GltfBuilder::GltfBuilder() {
    root = {{"asset", {{"version", "2.0"}}}, {"scene", 0}, {"scenes", json::array({{{"nodes", json::array()}}})}};
}

int GltfBuilder::view(std::span<const std::byte> bytes, std::size_t stride) {
    binary.resize((binary.size() + 3) / 4 * 4);
    json view{{"buffer", 0}, {"byteOffset", binary.size()}, {"byteLength", bytes.size()}};
    if (stride != 0) view["byteStride"] = stride;
    binary.insert(binary.end(), bytes.begin(), bytes.end());
    root["bufferViews"].push_back(view);
    root["buffers"] = json::array({{{"byteLength", binary.size()}}});
    return static_cast<int>(root["bufferViews"].size()) - 1;
}

int GltfBuilder::accessor_over(int view, std::size_t offset, std::size_t count, int components, int component_type,
                               bool normalized) {
    static constexpr const char* kTypes[] = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};
    json accessor{{"bufferView", view},
                  {"componentType", component_type},
                  {"count", count},
                  {"type", components == 16 ? "MAT4" : kTypes[components]}};
    if (offset != 0) accessor["byteOffset"] = offset;
    if (normalized) accessor["normalized"] = true;
    root["accessors"].push_back(accessor);
    return static_cast<int>(root["accessors"].size()) - 1;
}

int GltfBuilder::mesh(const json& attributes, int indices, int mode) {
    json primitive{{"attributes", attributes}};
    if (indices >= 0) primitive["indices"] = indices;
    if (mode != 4) primitive["mode"] = mode;
    root["meshes"].push_back({{"primitives", json::array({primitive})}});
    return static_cast<int>(root["meshes"].size()) - 1;
}

int GltfBuilder::node(const json& node) {
    root["nodes"].push_back(node);
    const int index = static_cast<int>(root["nodes"].size()) - 1;
    root["scenes"][0]["nodes"].push_back(index);
    return index;
}

GltfBuilder GltfBuilder::triangle() {
    GltfBuilder builder;
    const int position = builder.accessor<float>({0, 0, 0, 1, 0, 0, 0, 1, 0}, 3, kF32);
    const int normal = builder.accessor<float>({0, 0, 1, 0, 0, 1, 0, 0, 1}, 3, kF32);
    const int indices = builder.accessor<std::uint16_t>({0, 1, 2}, 1, kU16);
    builder.node({{"mesh", builder.mesh({{"POSITION", position}, {"NORMAL", normal}}, indices)}});
    return builder;
}

std::filesystem::path GltfBuilder::write_glb(const std::string& name) const {
    std::string text = root.dump();
    text.resize((text.size() + 3) / 4 * 4, ' ');
    std::vector<std::byte> chunk = binary;
    chunk.resize((chunk.size() + 3) / 4 * 4);
    std::vector<std::byte> file;
    const auto word = [&](std::size_t value) {
        const auto narrow = static_cast<std::uint32_t>(value);
        const auto* bytes = reinterpret_cast<const std::byte*>(&narrow);
        file.insert(file.end(), bytes, bytes + 4);
    };
    word(0x46546C67);
    word(2);
    word(12 + 8 + text.size() + (chunk.empty() ? 0 : 8 + chunk.size()));
    word(text.size());
    word(0x4E4F534A);
    const auto* characters = reinterpret_cast<const std::byte*>(text.data());
    file.insert(file.end(), characters, characters + text.size());
    if (!chunk.empty()) {
        word(chunk.size());
        word(0x004E4942);
        file.insert(file.end(), chunk.begin(), chunk.end());
    }
    std::filesystem::path path = test_path(name);
    write_bytes(path, file);
    return path;
}

std::filesystem::path GltfBuilder::write_gltf(const std::string& name, bool embed) const {
    json copy = root;
    std::filesystem::path path = test_path(name);
    if (embed) {
        copy["buffers"][0]["uri"] = "data:application/octet-stream;base64," + base64(binary);
    } else {
        copy["buffers"][0]["uri"] = name + ".bin";
        write_bytes(test_path(name + ".bin"), binary);
    }
    write_text(path, copy.dump());
    return path;
}

void write_bytes(const std::filesystem::path& path, std::span<const std::byte> bytes) {
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    ASSERT_TRUE(file.good()) << path;
}

void write_text(const std::filesystem::path& path, const std::string& text) {
    write_bytes(path, std::as_bytes(std::span(text)));
}

std::vector<std::byte> read_bytes(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
    return {bytes, bytes + text.size()};
}

std::string base64(std::span<const std::byte> bytes) {
    static constexpr char kAlphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t bits = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            bits = bits << 8 | (i + k < bytes.size() ? static_cast<std::uint32_t>(bytes[i + k]) : 0);
        }
        for (std::size_t k = 0; k < 4; ++k) {
            text += i + k <= bytes.size() ? kAlphabet[bits >> (18 - 6 * k) & 63] : '=';
        }
    }
    return text;
}

std::filesystem::path test_path(const std::string& name) {
    const ::testing::TestInfo* const info = ::testing::UnitTest::GetInstance()->current_test_info();
    std::string folder = std::string(info->test_suite_name()) + "." + info->name();
    for (char& c : folder) {
        if (c == '/') c = '_';
    }
    const std::filesystem::path own = std::filesystem::current_path() / text_path(folder);
    // Of an earlier run nothing is left.
    static const ::testing::TestInfo* emptied = nullptr;
    if (std::exchange(emptied, info) != info) std::filesystem::remove_all(own);
    std::filesystem::path path = own / text_path(name);
    std::filesystem::create_directories(path.parent_path());
    return path;
}

std::string import_error(const std::filesystem::path& path) {
    try {
        (void)import_gltf(path);
    } catch (const Error& error) {
        std::string message = error.what();
        EXPECT_EQ(message.find('\n'), std::string::npos) << message;
        EXPECT_NE(message.find(path_text(path)), std::string::npos) << message;
        return message;
    }
    ADD_FAILURE() << "importing " << path << " throws nothing";
    return {};
}

EncodedScene encode_file(const std::filesystem::path& path) {
    ThreadPool pool(1);
    return encode_scene(import_gltf(path), {}, pool);
}

GltfBuilder sphere_gltf(int rings, int segments) {
    std::vector<float> positions;
    std::vector<float> uvs;
    std::vector<std::uint32_t> indices;
    for (int r = 0; r <= rings; ++r) {
        for (int s = 0; s <= segments; ++s) {
            const double polar = 3.14159265358979 * (r + 0.5) / (rings + 1.0);  // without poles
            const double angle = 6.28318530717959 * s / segments;
            const std::array<double, 3> p{std::sin(polar) * std::cos(angle), std::cos(polar),
                                          -std::sin(polar) * std::sin(angle)};
            for (const double c : p) positions.push_back(static_cast<float>(c));
            uvs.push_back(static_cast<float>(s) / static_cast<float>(segments));
            uvs.push_back(static_cast<float>(r) / static_cast<float>(rings));
        }
    }
    const auto stride = static_cast<std::uint32_t>(segments + 1);
    for (std::uint32_t r = 0; r < static_cast<std::uint32_t>(rings); ++r) {
        for (std::uint32_t s = 0; s < static_cast<std::uint32_t>(segments); ++s) {
            const std::uint32_t a = r * stride + s;
            for (const std::uint32_t i : {a, a + stride, a + stride + 1, a, a + stride + 1, a + 1})
                indices.push_back(i);
        }
    }
    GltfBuilder builder;
    const int position = builder.accessor(positions, 3, kF32);
    const int normal = builder.accessor(positions, 3, kF32);
    const int uv = builder.accessor(uvs, 2, kF32);
    const int index = builder.accessor(indices, 1, kU32);
    builder.node({{"mesh", builder.mesh({{"POSITION", position}, {"NORMAL", normal}, {"TEXCOORD_0", uv}}, index)}});
    return builder;
}

const SourceMesh& only_mesh(const ImportedScene& scene) {
    EXPECT_EQ(scene.groups.size(), 1U);
    return scene.groups.at(0).meshes.at(0);
}

bool has_note(const ImportedScene& scene, const std::string& part) {
    for (const std::string& note : scene.notes) {
        if (note.find(part) != std::string::npos) return true;
    }
    return false;
}

GltfBuilder skinned_strip() {
    GltfBuilder builder;
    const int position = builder.accessor<float>({0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0}, 3, kF32);
    const int normal = builder.accessor<float>({0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1}, 3, kF32);
    const int joints = builder.accessor<std::uint8_t>({0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, 4, kU8);
    const int weights = builder.accessor<float>({1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0.5F, 0.5F, 0, 0}, 4, kF32);
    const int indices = builder.accessor<std::uint8_t>({0, 1, 2, 1, 3, 2}, 1, kU8);
    std::vector<float> matrices(32, 0.0F);
    for (std::size_t m = 0; m < 2; ++m) {
        for (std::size_t d = 0; d < 4; ++d) matrices[m * 16 + d * 5] = 1.0F;
    }
    matrices[16 + 13] = -1.0F;  // the second joint was bound at y = 1
    builder.root["skins"] =
        json::array({{{"joints", {1, 2}}, {"inverseBindMatrices", builder.accessor(matrices, 16, kF32)}}});
    const int mesh = builder.mesh(
        {{"POSITION", position}, {"NORMAL", normal}, {"JOINTS_0", joints}, {"WEIGHTS_0", weights}}, indices);
    builder.node({{"mesh", mesh}, {"skin", 0}, {"translation", {100, 0, 0}}});
    builder.node({{"children", {2}}, {"translation", {0, 0, 10}}});
    // A quarter turn about z, at the top of the first.
    builder.root["nodes"].push_back({{"translation", {0, 1, 0}}, {"rotation", {0, 0, std::sqrt(0.5), std::sqrt(0.5)}}});
    return builder;
}

}  // namespace sublet::scene::testing
