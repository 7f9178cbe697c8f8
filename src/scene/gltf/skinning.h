// Skinned meshes in the pose that their joints have in the file.
#pragma once

#include <glm/mat4x4.hpp>
#include <span>
#include <string>

#include "scene/gltf/document.h"
#include "scene/import.h"

namespace sublet::scene::gltf {

// Places every vertex of `group` in the world by the weighted sum of joint transform * inverse bind matrix (glTF 2.0,
// 3.7.3.3), positions, normals and tangents. Joints and weights stay. A mesh without joints is left as it is.
// `world` holds the world transforms of the scene's nodes. Throws Error(…, field, …) when a vertex names a joint
// that the skin lacks.
void pose_meshes(const Document& document, SourceMeshGroup& group, const Skin& skin, std::span<const glm::mat4> world,
                 const std::string& field);

}  // namespace sublet::scene::gltf
