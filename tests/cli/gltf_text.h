// Small glTF files, made by the tests.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace sublet::test {

// A sphere of 2 * rings * rings triangles or a few less, radius 1, with normals and UVs, at the origin and once more,
// mirrored and scaled, beside it; the buffer is a data URI.
nlohmann::json sphere_gltf(int rings = 12);

// The two spheres; "slide" moves the first to the left, 3 units in 2 s, and an animation without a name turns a camera.
nlohmann::json moving_gltf();

// The bytes of a .glb that holds `json` and no binary chunk.
std::string glb_of(const nlohmann::json& json);

std::string base64(const std::string& bytes);
std::string from_base64(const std::string& text);

}  // namespace sublet::test
