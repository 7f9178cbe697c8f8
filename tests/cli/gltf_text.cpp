#include "gltf_text.h"

#include <cmath>
#include <cstdint>
#include <numbers>
#include <string_view>

namespace sublet::test {
namespace {

constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

template <typename T>
void put(std::string& bytes, T value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

}  // namespace

std::string base64(const std::string& bytes) {
    std::string text;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t group = 0;
        for (std::size_t j = 0; j < 3; ++j) {
            group = group << 8U | (i + j < bytes.size() ? static_cast<unsigned char>(bytes[i + j]) : 0U);
        }
        for (std::size_t j = 0; j < 4; ++j) {
            text += i + j <= bytes.size() ? kDigits[group >> (18U - 6U * j) & 63U] : '=';
        }
    }
    return text;
}

std::string from_base64(const std::string& text) {
    std::string bytes;
    std::uint32_t bits = 0;
    int count = 0;
    for (const char digit : text.substr(0, text.find('='))) {
        bits = bits << 6U | static_cast<std::uint32_t>(std::string_view(kDigits).find(digit));
        count += 6;
        if (count < 8) continue;
        count -= 8;
        bytes += static_cast<char>(bits >> static_cast<unsigned>(count));
    }
    return bytes;
}

nlohmann::json sphere_gltf(int rings) {
    const int columns = rings + 1;
    std::string positions;
    std::string uvs;
    std::string indices;
    for (int row = 0; row <= rings; ++row) {
        for (int column = 0; column <= rings; ++column) {
            const double u = static_cast<double>(column) / rings;
            const double v = static_cast<double>(row) / rings;
            const double theta = v * std::numbers::pi;
            const double phi = u * 2.0 * std::numbers::pi;
            put(positions, static_cast<float>(std::sin(theta) * std::cos(phi)));
            put(positions, static_cast<float>(std::cos(theta)));
            put(positions, static_cast<float>(-std::sin(theta) * std::sin(phi)));
            put(uvs, static_cast<float>(u));
            put(uvs, static_cast<float>(v));
        }
    }
    int count = 0;
    const auto triangle = [&](int a, int b, int c) {
        for (const int index : {a, b, c}) put(indices, static_cast<std::uint16_t>(index));
        count += 3;
    };
    for (int row = 0; row < rings; ++row) {
        for (int column = 0; column < rings; ++column) {
            const int corner = row * columns + column;
            if (row > 0) triangle(corner, corner + columns, corner + 1);
            if (row + 1 < rings) triangle(corner + 1, corner + columns, corner + columns + 1);
        }
    }
    const std::size_t vertices = positions.size() / 12;
    const std::string buffer = positions + positions + uvs + indices;  // on this sphere, a position is its normal
    using Json = nlohmann::json;
    const auto view = [](std::size_t offset, std::size_t length) {
        return Json{{"buffer", 0}, {"byteOffset", offset}, {"byteLength", length}};
    };
    const auto accessor = [](int view_index, int component, std::size_t elements, const char* type) {
        return Json{{"bufferView", view_index}, {"componentType", component}, {"count", elements}, {"type", type}};
    };
    Json json;
    json["asset"]["version"] = "2.0";
    json["scene"] = 0;
    json["scenes"][0]["nodes"] = Json::array({0, 1});
    json["nodes"][0] = {{"name", "plain"}, {"mesh", 0}};
    json["nodes"][1] = {{"name", "mirrored"}, {"mesh", 0}};
    json["nodes"][1]["translation"] = Json::array({2.5, 0.0, 0.0});
    json["nodes"][1]["scale"] = Json::array({-1.0, 0.75, 1.25});
    json["meshes"][0]["name"] = "sphere";
    json["meshes"][0]["primitives"][0] = {{"indices", 3}, {"material", 0}};
    json["meshes"][0]["primitives"][0]["attributes"] = {{"POSITION", 0}, {"NORMAL", 1}, {"TEXCOORD_0", 2}};
    json["materials"][0]["name"] = "red";
    json["materials"][0]["pbrMetallicRoughness"]["baseColorFactor"] = Json::array({0.9, 0.02, 0.01, 1.0});
    json["accessors"][0] = accessor(0, 5126, vertices, "VEC3");
    json["accessors"][0]["min"] = Json::array({-1, -1, -1});
    json["accessors"][0]["max"] = Json::array({1, 1, 1});
    json["accessors"][1] = accessor(1, 5126, vertices, "VEC3");
    json["accessors"][2] = accessor(2, 5126, vertices, "VEC2");
    json["accessors"][3] = accessor(3, 5123, static_cast<std::size_t>(count), "SCALAR");
    json["bufferViews"][0] = view(0, positions.size());
    json["bufferViews"][1] = view(positions.size(), positions.size());
    json["bufferViews"][2] = view(2 * positions.size(), uvs.size());
    json["bufferViews"][3] = view(2 * positions.size() + uvs.size(), indices.size());
    json["buffers"][0]["byteLength"] = buffer.size();
    json["buffers"][0]["uri"] = "data:application/octet-stream;base64," + base64(buffer);
    return json;
}

nlohmann::json moving_gltf() {
    using Json = nlohmann::json;
    Json json = sphere_gltf(16);
    const std::vector<float> numbers{0, 2, 0, 0, 0, -3, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0.6F, 0, 0.8F};
    std::string bytes(numbers.size() * sizeof(float), '\0');
    std::memcpy(bytes.data(), numbers.data(), bytes.size());
    json["buffers"].push_back(
        {{"byteLength", bytes.size()}, {"uri", "data:application/octet-stream;base64," + base64(bytes)}});
    const auto add = [&](std::size_t first, std::size_t count, const char* type, std::size_t components) {
        json["bufferViews"].push_back(
            {{"buffer", 1}, {"byteOffset", first * 4}, {"byteLength", count * components * 4}});
        json["accessors"].push_back({{"bufferView", json["bufferViews"].size() - 1},
                                     {"componentType", 5126},
                                     {"count", count},
                                     {"type", type}});
        return json["accessors"].size() - 1;
    };
    const std::size_t slide_times = add(0, 2, "SCALAR", 1);
    const std::size_t slide = add(2, 2, "VEC3", 3);
    const std::size_t turn_times = add(8, 2, "SCALAR", 1);
    const std::size_t turn = add(10, 2, "VEC4", 4);
    const auto animation = [](std::size_t times, std::size_t values, int node, const char* path) {
        return Json{{"samplers", Json::array({{{"input", times}, {"output", values}}})},
                    {"channels", Json::array({{{"sampler", 0}, {"target", {{"node", node}, {"path", path}}}}})}};
    };
    json["animations"].push_back(animation(slide_times, slide, 0, "translation"));
    json["animations"][0]["name"] = "slide";
    json["animations"].push_back(animation(turn_times, turn, 2, "rotation"));
    json["cameras"].push_back({{"type", "perspective"}, {"perspective", {{"yfov", 1.0}, {"znear", 0.1}}}});
    json["nodes"].push_back({{"camera", 0}, {"translation", {0, 0, 9}}});
    json["scenes"][0]["nodes"].push_back(2);
    return json;
}

std::string glb_of(const nlohmann::json& json) {
    std::string text = json.dump();
    while (text.size() % 4 != 0) text += ' ';
    std::string bytes = "glTF";
    put(bytes, std::uint32_t{2});
    put(bytes, static_cast<std::uint32_t>(20 + text.size()));
    put(bytes, static_cast<std::uint32_t>(text.size()));
    bytes += "JSON";
    return bytes + text;
}

}  // namespace sublet::test
