// Counts for people to read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sublet {

// 1234567 -> "1,234,567".
[[nodiscard]] std::string grouped(std::uint64_t number);

// "1 triangle", "0 triangles", "1,234 triangles". `many` is for words that take more than an s: "mesh", "meshes".
[[nodiscard]] std::string counted(std::uint64_t number, std::string_view one, std::string_view many = {});

}  // namespace sublet
