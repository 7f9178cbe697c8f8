#include "scene/gltf/uri.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace sublet::scene::gltf {
namespace {

constexpr std::array<std::int8_t, 256> make_base64_values() {
    std::array<std::int8_t, 256> values{};
    for (auto& value : values) value = -1;
    constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (std::size_t i = 0; i < kAlphabet.size(); ++i) {
        values[static_cast<unsigned char>(kAlphabet[i])] = static_cast<std::int8_t>(i);
    }
    return values;
}

constexpr std::array<std::int8_t, 256> kBase64Values = make_base64_values();

int hex_value(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

std::optional<std::vector<std::byte>> decode_base64(std::string_view text) {
    while (!text.empty() && text.back() == '=') text.remove_suffix(1);
    if (text.size() % 4 == 1) return std::nullopt;
    std::vector<std::byte> bytes;
    bytes.reserve(text.size() / 4 * 3 + 2);
    std::uint32_t bits = 0;
    int count = 0;
    for (const char c : text) {
        const int value = kBase64Values[static_cast<unsigned char>(c)];
        if (value < 0) return std::nullopt;
        bits = bits << 6 | static_cast<std::uint32_t>(value);
        count += 6;
        if (count >= 8) {
            count -= 8;
            bytes.push_back(static_cast<std::byte>(bits >> count & 0xffU));
        }
    }
    return bytes;
}

// `lower` is in small letters.
bool equal_but_for_case(std::string_view text, std::string_view lower) {
    return std::ranges::equal(
        text, lower, [](char a, char b) { return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b; });
}

}  // namespace

bool is_data_uri(std::string_view uri) {
    return equal_but_for_case(uri.substr(0, 5), "data:");
}

std::optional<DataUri> decode_data_uri(std::string_view uri) {
    const std::size_t comma = uri.find(',');
    if (!is_data_uri(uri) || comma == std::string_view::npos) return std::nullopt;
    std::string_view header = uri.substr(5, comma - 5);
    std::string_view data = uri.substr(comma + 1);
    std::string decoded;
    if (data.find('%') != std::string_view::npos) {
        decoded = percent_decode(data);
        data = decoded;
    }
    constexpr std::string_view kBase64 = ";base64";
    const bool is_base64 =
        header.size() >= kBase64.size() && equal_but_for_case(header.substr(header.size() - kBase64.size()), kBase64);
    header = header.substr(0, header.find(';'));
    if (is_base64) {
        std::optional<std::vector<std::byte>> bytes = decode_base64(data);
        if (!bytes) return std::nullopt;
        return DataUri{std::string(header), std::move(*bytes)};
    }
    const auto* const begin = reinterpret_cast<const std::byte*>(data.data());
    return DataUri{std::string(header), {begin, begin + data.size()}};
}

std::string percent_decode(std::string_view text) {
    std::string decoded;
    decoded.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '%' && i + 2 < text.size() && hex_value(text[i + 1]) >= 0 && hex_value(text[i + 2]) >= 0) {
            decoded += static_cast<char>(hex_value(text[i + 1]) * 16 + hex_value(text[i + 2]));
            i += 2;
        } else {
            decoded += text[i];
        }
    }
    return decoded;
}

bool has_scheme(std::string_view uri) {
    const std::size_t colon = uri.find(':');
    if (colon == std::string_view::npos || colon == 0) return false;
    for (std::size_t i = 0; i < colon; ++i) {
        const char c = uri[i];
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        const bool other = (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
        if (!letter && (i == 0 || !other)) return false;
    }
    return true;
}

}  // namespace sublet::scene::gltf
