// The types and ranges that the glTF 2.0 schema sets, for every property that the import reads.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace sublet::scene::gltf {

// Checks that every property has its type, that numbers are finite in single precision and integers not negative, that
// what is required is there, and that every index is within the array it refers to. JSON does not tell 1.0 from 1: each
// number becomes an integer or a float, as the schema has it. After it the document can be read without a further check
// of these. Throws Error(file, "nodes[3].mesh", ...) naming the first fault.
void check_schema(nlohmann::json& root, const std::string& file);

// Throws Error when objects and arrays of the JSON `text` nest deeper than any glTF document has reason to: what walks
// the parsed document later recurses over its depth.
void check_depth(std::string_view text, const std::string& file);

}  // namespace sublet::scene::gltf
