#include "rich_scene.h"

#include "gltf_builder.h"

namespace sublet::scene::testing {

EncodedScene rich_scene() {
    EncodedScene encoded = encode_file(sphere_gltf(6, 9).write_glb("rich.glb"));
    encoded.info.generator = "tests";
    Scene& scene = encoded.scene;
    scene.name = "Sc\xC3\xA8ne";
    scene.mesh_groups[0].name = "sphere";
    scene.mesh_groups[0].dropped_degenerate = 5;
    scene.mesh_groups[0].dropped_by_grid = 3;
    scene.nodes[0].name = "root";
    scene.nodes[0].translation = {1, 2, 3};
    scene.nodes[0].rotation = {0.5F, 0.5F, -0.5F, 0.5F};
    scene.nodes[0].scale = {1, -2, 3};
    Node child;
    child.name = "child";
    child.parent = 0;
    child.has_matrix = true;
    child.matrix[3] = {4, 5, 6, 1};
    child.camera = 0;
    child.light = 0;
    child.visible = false;
    scene.nodes.push_back(child);
    scene.images.push_back({"one", "image/png", 0, 0, {1, 2, 3}});
    scene.images.push_back({"two", kRawImageType, 2, 1, {9, 8, 7, 6, 5, 4, 3, 2}});
    scene.samplers.push_back({9728, 9729, 33071, 33648});
    scene.textures.push_back({1, 0});
    scene.textures.push_back({0, -1});
    Material material;
    material.name = "paint";
    material.base_color = {0.1F, 0.2F, 0.3F, 0.4F};
    material.base_color_texture = {1, 1, {0.5F, 0.25F}, {2, 3}, 0.75F, 1.0F};
    material.normal_texture.texture = 0;
    material.normal_texture.strength = 0.5F;
    material.emissive = {5, 6, 7};
    material.alpha_mode = AlphaMode::kBlend;
    material.double_sided = true;
    material.unlit = true;
    material.ior = 1.25F;
    material.sheen.color = {0.5F, 0.25F, 0.125F};
    material.clearcoat.normal_texture = {0, 1, {0.5F, 0.25F}, {2, 3}, 0.75F, 0.5F};
    scene.materials.push_back(material);
    scene.variants.push_back({"own", {}});
    scene.variants.push_back({"other", {{0, 1}}});
    scene.skins.push_back({"skin", 0, {1, 0}, {glm::mat4(2.0F), glm::mat4(3.0F)}});
    Animation animation;
    animation.name = "spin";
    animation.channels.push_back(
        {1, AnimationPath::kRotation, Interpolation::kLinear, {0, 1}, {0, 0, 0, 1, 0, 0, 1, 0}});
    animation.channels.push_back(
        {0, AnimationPath::kScale, Interpolation::kCubicSpline, {2}, std::vector<float>(9, 1.5F)});
    scene.animations.push_back(animation);
    scene.animations.push_back({"empty", {}});
    scene.lights.push_back({"lamp", LightType::kSpot, {1, 0.5F, 0.25F}, 10, 20, 0.1F, 0.2F});
    scene.cameras.push_back({"eye", true, 0.5F, 3.0F, 0.25F});
    encoded.notes = {"something is ignored", "\xC3\xA4nother thing"};
    return encoded;
}

EncodedScene rich_scene_with_levels() {
    EncodedScene large = encode_file(sphere_gltf(40, 60).write_glb("large.glb"));
    EncodedScene scene = rich_scene();
    scene.geometry = large.geometry;
    scene.storage = large.storage;
    return with_levels(std::move(scene), mesh::Levels::kOn);
}

}  // namespace sublet::scene::testing
