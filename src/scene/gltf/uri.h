// URIs as glTF uses them: relative paths, percent-encoded, and data URIs.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sublet::scene::gltf {

struct DataUri {
    std::string mime_type;  // may be empty
    std::vector<std::byte> bytes;
};

[[nodiscard]] bool is_data_uri(std::string_view uri);

// Decodes "data:[type][;parameter...][;base64],...", percent-encoded or not; base64 with or without padding. Nothing
// without a comma, or when what should be base64 is not throughout.
[[nodiscard]] std::optional<DataUri> decode_data_uri(std::string_view uri);

// Replaces %XX by the byte it stands for; a % without two hexadecimal digits stays as it is.
[[nodiscard]] std::string percent_decode(std::string_view text);

// "scheme:..." as in RFC 3986, 3.1.
[[nodiscard]] bool has_scheme(std::string_view uri);

}  // namespace sublet::scene::gltf
