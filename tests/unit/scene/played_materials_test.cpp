// KHR_animation_pointer to visibility, to materials and to lights: read, evaluated, kept in the file and given back.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "gltf_builder.h"
#include "scene/animation.h"
#include "scene/animation_pointer.h"
#include "scene/container.h"
#include "scene/material_fields.h"

namespace sublet::scene::testing {
namespace {

constexpr const char* kPointer = "KHR_animation_pointer";
constexpr const char* kStrength = "KHR_materials_emissive_strength";
constexpr const char* kTransform = "KHR_texture_transform";
constexpr const char* kVisibility = "KHR_node_visibility";
constexpr const char* kLights = "KHR_lights_punctual";

// Two triangles, a child below the first, and a material with two textures. Animations are added by name.
class Played {
  public:
    Played() {
        builder = GltfBuilder::triangle();
        builder.root["nodes"][0]["children"] = {1};
        builder.node({{"name", "child"}, {"mesh", 0}});
        builder.root["scenes"] = json::array({{{"nodes", {0}}}});
        builder.root["images"] = json::array({{{"uri", "data:image/png;base64,iVBORw0KGgo="}}});
        builder.root["textures"] = json::array({{{"source", 0}}});
        json& material = builder.root["materials"][0];
        material["emissiveFactor"] = {0.5, 0.25, 1.0};
        material["extensions"][kStrength]["emissiveStrength"] = 4.0;
        material["normalTexture"] = {{"index", 0}};
        material["pbrMetallicRoughness"]["baseColorTexture"] = {{"index", 0}};
        builder.root["meshes"][0]["primitives"][0]["material"] = 0;
    }

    void add(std::size_t animation, const std::string& pointer, const std::vector<float>& times,
             const std::vector<float>& values, int components, const char* interpolation = "LINEAR") {
        add_over(animation, pointer, builder.accessor<float>(times, 1, kF32),
                 builder.accessor<float>(values, components, kF32), interpolation);
    }

    void add_visible(std::size_t animation, int node, const std::vector<float>& times,
                     const std::vector<std::uint8_t>& values, const char* interpolation = "STEP") {
        add_over(animation, "/nodes/" + std::to_string(node) + "/extensions/KHR_node_visibility/visible",
                 builder.accessor<float>(times, 1, kF32), builder.accessor<std::uint8_t>(values, 1, kU8),
                 interpolation);
    }

    void add_over(std::size_t animation, const std::string& pointer, int input, int output, const char* interpolation) {
        json& to = builder.root["animations"][animation];
        to["samplers"].push_back({{"input", input}, {"output", output}, {"interpolation", interpolation}});
        json channel{{"sampler", to["samplers"].size() - 1}, {"target", {{"path", "pointer"}}}};
        channel["target"]["extensions"][kPointer]["pointer"] = pointer;
        to["channels"].push_back(channel);
    }

    [[nodiscard]] std::filesystem::path write(const std::string& name = "a.glb") {
        builder.root["extensionsUsed"] = {kPointer, kStrength, kTransform, kVisibility, kLights};
        return builder.write_glb(name);
    }

    GltfBuilder builder;
};

Material at(const Scene& scene, double time, std::string_view choice = "all") {
    std::vector<Material> materials = scene.materials;
    pose_materials(materials, scene, chosen_animations(scene, choice), time);
    return materials.at(0);
}

std::vector<char> shown(Scene scene, double time) {
    pose_nodes(scene.nodes, Scene(scene), chosen_animations(scene, "all"), time);
    return drawn_nodes(scene);
}

// Something of everything.
Played rich() {
    Played out;
    out.add_visible(0, 0, {0, 1, 2}, {1, 0, 1});
    out.add_visible(1, 1, {0, 1, 3}, {0, 1, 1});
    const std::string pbr = "/materials/0/pbrMetallicRoughness/";
    out.add(0, pbr + "baseColorFactor", {0, 2}, {1, 0, 0, 1, 0, 1, 0, 0.5F}, 4);
    out.add(0, pbr + "metallicFactor", {0, 2}, {0, 1}, 1);
    out.add(0, pbr + "roughnessFactor", {0, 1}, {0.25F, 0.75F}, 1, "STEP");
    out.add(0, "/materials/0/normalTexture/scale", {0, 2}, {0, 1, 0, 0, 3, 0}, 1, "CUBICSPLINE");
    out.add(0, "/materials/0/alphaCutoff", {0, 2}, {0, 1}, 1);
    out.add(0, "/materials/0/emissiveFactor", {0, 2}, {0, 0, 0, 1, 0.5F, 0.25F}, 3);
    out.add(1, "/materials/0/extensions/KHR_materials_emissive_strength/emissiveStrength", {0, 2}, {1, 3}, 1);
    out.add(0, pbr + "baseColorTexture/extensions/KHR_texture_transform/offset", {0, 2}, {0, 0, 1, 2}, 2);
    out.add(0, pbr + "baseColorTexture/extensions/KHR_texture_transform/rotation", {0, 2}, {0, 2}, 1);
    out.add(0, "/materials/0/normalTexture/extensions/KHR_texture_transform/scale", {0, 2}, {1, 1, 3, 5}, 2);
    return out;
}

TEST(PlayedMaterials, EachPropertyIsWhereItsKeysSay) {
    const ImportedScene imported = import_gltf(rich().write());
    EXPECT_TRUE(imported.notes.empty()) << imported.notes.front();
    const Material is = at(imported.scene, 1.0);
    EXPECT_EQ(is.base_color, glm::vec4(0.5F, 0.5F, 0.0F, 0.75F));
    EXPECT_EQ(is.metallic, 0.5F);
    EXPECT_EQ(is.roughness, 0.75F);
    EXPECT_EQ(is.normal_texture.strength, 2.0F);
    EXPECT_EQ(is.alpha_cutoff, 0.5F);
    EXPECT_EQ(is.emissive, glm::vec3(0.5F, 0.25F, 0.125F) * 2.0F) << "factor and strength, both played";
    EXPECT_EQ(is.base_color_texture.offset, glm::vec2(0.5F, 1.0F));
    EXPECT_EQ(is.base_color_texture.rotation, 1.0F);
    EXPECT_EQ(is.normal_texture.scale, glm::vec2(2.0F, 3.0F));
    EXPECT_EQ(at(imported.scene, 0.5).roughness, 0.25F);
    // What is not played counts as the file has it.
    EXPECT_EQ(at(imported.scene, 1.0, "0").emissive, glm::vec3(0.5F, 0.25F, 0.125F) * 4.0F);
    EXPECT_EQ(at(imported.scene, 1.0, "1").emissive, glm::vec3(0.5F, 0.25F, 1.0F) * 2.0F);
    EXPECT_EQ(at(imported.scene, 1.0, "none"), imported.scene.materials[0]);
}

TEST(PlayedMaterials, VisibilityHidesANodeAndAllBelowIt) {
    const Scene scene = encode_file(rich().write()).scene;
    EXPECT_EQ(shown(scene, 0.5), (std::vector<char>{1, 0}));
    EXPECT_EQ(shown(scene, 1.5), (std::vector<char>{0, 0})) << "the child hangs on what is hidden";
    EXPECT_EQ(shown(scene, 2.0), (std::vector<char>{1, 1})) << "one loop is over, the other is not";
    Scene hidden = scene;
    hidden.nodes[0].visible = false;
    EXPECT_EQ(drawn_nodes(hidden), (std::vector<char>{0, 0}));
    EXPECT_EQ(drawable_nodes(hidden), (std::vector<char>{1, 1})) << "animations may show both";
    EXPECT_EQ(instance_count(hidden), 2U);
    for (const Instance& instance : instances(hidden)) EXPECT_FALSE(instance.visible);
    hidden.animations.erase(hidden.animations.begin());
    EXPECT_EQ(drawable_nodes(hidden), (std::vector<char>{0, 0})) << "nothing shows what the child hangs on";
}

// Picks find an instance by its number in the posed scene.
TEST(PlayedMaterials, APosedSceneNumbersInstancesAsItsOwn) {
    const EncodedScene scene = encode_file(rich().write());
    const EncodedScene posed = posed_placement(scene, chosen_animations(scene.scene, "all"), 1.5);
    const std::vector<Instance> is = instances(posed, {});
    ASSERT_EQ(is.size(), instances(scene, {}).size());
    for (const Instance& instance : is) EXPECT_FALSE(instance.visible);
}

TEST(PlayedMaterials, SurviveTheFileAndTheWayBack) {
    Played played = rich();
    played.builder.root["nodes"][1]["extensions"][kVisibility]["visible"] = false;
    const EncodedScene first = encode_file(played.write());
    write_sublet(test_path("a.sublet"), first);
    const EncodedScene opened = open_sublet(test_path("a.sublet"));
    ASSERT_EQ(opened.scene.animations.size(), 2U);
    for (std::size_t a = 0; a < 2; ++a) {
        const std::vector<AnimationChannel>& is = opened.scene.animations[a].channels;
        const std::vector<AnimationChannel>& to = first.scene.animations[a].channels;
        ASSERT_EQ(is.size(), to.size());
        for (std::size_t c = 0; c < is.size(); ++c) {
            EXPECT_EQ(pointer_of(is[c]), pointer_of(to[c]));
            EXPECT_EQ(is[c].interpolation, to[c].interpolation);
            EXPECT_EQ(is[c].times, to[c].times);
            EXPECT_EQ(is[c].values, to[c].values);
            EXPECT_EQ(is[c].emission, to[c].emission);
        }
    }
    export_glb(test_path("b.glb"), opened);
    EncodedScene again = encode_file(test_path("b.glb"));
    EXPECT_TRUE(again.notes.empty());
    again.info = opened.info;
    write_sublet(test_path("b.sublet"), again);
    EXPECT_EQ(read_bytes(test_path("a.sublet")), read_bytes(test_path("b.sublet")));
}

// Pointers must not change what coordinates are baked into.
TEST(PlayedMaterials, TransformsThatPlayAreNotBakedIntoCoordinates) {
    for (const bool plays : {false, true}) {
        Played played;
        const int uv = played.builder.accessor<float>({0, 0, 0.2F, 0, 0, 0.2F}, 2, kF32);
        played.builder.root["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_0"] = uv;
        json& pbr = played.builder.root["materials"][0]["pbrMetallicRoughness"];
        pbr["baseColorTexture"]["extensions"][kTransform]["scale"] = {8, 8};
        played.builder.root["materials"][0].erase("normalTexture");
        if (plays) {
            played.add(0, "/materials/0/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/offset",
                       {0, 1}, {0, 0, 1, 1}, 2);
        }
        const ImportedScene imported = import_gltf(played.write());
        EXPECT_EQ(imported.scene.materials[0].base_color_texture.scale, glm::vec2(plays ? 8.0F : 1.0F));
    }
}

TEST(PlayedMaterials, EveryPropertyHasAPointerOfItsOwn) {
    std::set<std::string> pointers;
    std::size_t count = 0;
    for (auto path = static_cast<unsigned>(AnimationPath::kBaseColor);
         path <= static_cast<unsigned>(AnimationPath::kTextureScale); ++path) {
        AnimationChannel channel;
        channel.path = static_cast<AnimationPath>(path);
        channel.material = 3;
        const std::uint32_t textures = is_of_texture(channel.path) ? kMaterialTextures : 1;
        for (channel.texture = 0; channel.texture < textures; ++channel.texture) {
            const std::string pointer = pointer_of(channel);
            const auto back = material_pointer(pointer);
            ASSERT_TRUE(back) << pointer;
            EXPECT_EQ(back->material, 3U);
            EXPECT_EQ(back->property.path, channel.path) << pointer;
            EXPECT_EQ(back->property.texture, channel.texture) << pointer;
            pointers.insert(pointer);
            ++count;
        }
    }
    EXPECT_EQ(pointers.size(), count);
    EXPECT_EQ(count, 8U + 3 * kMaterialTextures);
    EXPECT_TRUE(
        pointers.contains("/materials/3/extensions/KHR_materials_sheen/sheenColorTexture/extensions/"
                          "KHR_texture_transform/offset"));
}

TEST(PlayedLights, EveryPropertyHasAPointerOfItsOwn) {
    const char* const names[] = {"color", "intensity", "range", "spot/innerConeAngle", "spot/outerConeAngle"};
    auto path = AnimationPath::kLightColor;
    for (const char* const name : names) {
        AnimationChannel channel;
        channel.path = path;
        channel.light = 12;
        const std::string pointer = pointer_of(channel);
        EXPECT_EQ(pointer, std::string("/extensions/KHR_lights_punctual/lights/12/") + name);
        const auto back = light_pointer(pointer);
        ASSERT_TRUE(back) << pointer;
        EXPECT_EQ(back->light, 12U);
        EXPECT_EQ(back->path, path);
        path = static_cast<AnimationPath>(static_cast<unsigned>(path) + 1);
    }
    EXPECT_EQ(static_cast<unsigned>(path), static_cast<unsigned>(kLastPath) + 1);
    EXPECT_FALSE(light_pointer("/extensions/KHR_lights_punctual/lights/1/name"));
    EXPECT_FALSE(light_pointer("/materials/1/alphaCutoff"));
}

// By the import, the file, and the export.
TEST(PlayedLights, KeepWhatPlays) {
    const auto lit = [] {
        Played played;
        played.builder.root["extensions"][kLights]["lights"] =
            json::array({{{"type", "point"}}, {{"type", "spot"}, {"spot", json::object()}}});
        return played;
    };
    Played played = lit();
    const std::string lights = "/extensions/KHR_lights_punctual/lights/";
    played.add(0, lights + "1/color", {0, 1}, {0, 0.25F, 0.5F, 1, 1, 1}, 3);
    played.add(0, lights + "0/intensity", {0, 2}, {5, 6}, 1);
    played.add(0, lights + "1/spot/outerConeAngle", {0, 2}, {0.5F, 1}, 1);
    const auto expect = [](const std::vector<AnimationChannel>& channels) {
        ASSERT_EQ(channels.size(), 3U);
        EXPECT_EQ(channels[0].light, 1);
        EXPECT_EQ(channels[0].path, AnimationPath::kLightColor);
        EXPECT_EQ(channels[0].values, (std::vector<float>{0, 0.25F, 0.5F, 1, 1, 1}));
        EXPECT_EQ(channels[1].light, 0);
        EXPECT_EQ(channels[1].path, AnimationPath::kLightIntensity);
        EXPECT_EQ(channels[2].path, AnimationPath::kLightOuterCone);
        EXPECT_EQ(channels[2].node, -1);
        EXPECT_EQ(channels[2].material, -1);
    };
    const auto file = played.write();
    expect(import_gltf(file).scene.animations.at(0).channels);
    EncodedScene scene = encode_file(file);
    write_sublet(test_path("lights.sublet"), scene);
    const EncodedScene back = open_sublet(test_path("lights.sublet"));
    expect(back.scene.animations.at(0).channels);
    export_glb(test_path("lights.glb"), back);
    expect(import_gltf(test_path("lights.glb")).scene.animations.at(0).channels);

    scene.scene.animations[0].channels[1].light = 2;
    write_sublet(test_path("broken.sublet"), scene);
    try {
        static_cast<void>(open_sublet(test_path("broken.sublet")));
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find(".target: is not one of the lights"), std::string::npos);
    }
    Played beyond = lit();
    beyond.add(0, lights + "2/range", {0}, {1}, 1);
    EXPECT_NE(import_error(beyond.write()).find("must name one of the 2 lights"), std::string::npos);
    Played without;
    without.add(0, lights + "0/range", {0}, {1}, 1);
    EXPECT_NE(import_error(without.write()).find("must name one of the 0 lights"), std::string::npos);
}

TEST(PlayedMaterials, MalformedKeysAreErrors) {
    const auto expect = [](const char* message, const std::function<void(Played&)>& add) {
        Played played;
        add(played);
        const std::string error = import_error(played.write());
        EXPECT_NE(error.find(message), std::string::npos) << error;
    };
    const std::string visible = "/nodes/0/extensions/KHR_node_visibility/visible";
    expect("samplers[0].interpolation: must be STEP", [](Played& p) { p.add_visible(0, 0, {0, 1}, {0, 1}, "LINEAR"); });
    expect("samplers[0].output: must be of unsigned bytes", [&](Played& p) {
        p.add(0, visible, {0, 1}, {0, 1}, 1, "STEP");
    });
    expect("samplers[0].output: must have 1 components", [&](Played& p) {
        p.add(0, visible, {0, 1}, {0, 1, 1, 0}, 2, "STEP");
    });
    expect("samplers[0].output: has 3 elements for 2 keys", [](Played& p) { p.add_visible(0, 0, {0, 1}, {0, 1, 1}); });
    expect("samplers[0].output: must have 4 components", [](Played& p) {
        p.add(0, "/materials/0/pbrMetallicRoughness/baseColorFactor", {0, 1}, {0, 0, 0, 1, 1, 1}, 3);
    });
    expect("samplers[0].output: must have 1 components", [](Played& p) {
        p.add(0, "/materials/0/alphaCutoff", {0}, {0, 0}, 2);
    });
}

TEST(PlayedMaterials, TheReaderRefusesWhatCannotBe) {
    const EncodedScene scene = encode_file(rich().write());
    const auto expect = [&](const char* message, const std::function<void(AnimationChannel&)>& change,
                            AnimationPath path) {
        EncodedScene broken = scene;
        for (Animation& animation : broken.scene.animations) {
            for (AnimationChannel& channel : animation.channels) {
                if (channel.path == path) change(channel);
            }
        }
        write_sublet(test_path("broken.sublet"), broken);
        try {
            static_cast<void>(open_sublet(test_path("broken.sublet")));
            ADD_FAILURE() << message;
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
        }
    };
    using enum AnimationPath;
    expect(
        "pointer_channels[0].target: is not one of the nodes", [](auto& c) { c.node = 2; }, kVisibility);
    expect(
        "pointer_channels[0].values: must be 0 or 1", [](auto& c) { c.values[1] = 2.0F; }, kVisibility);
    expect(
        "pointer_channels[0].interpolation: must be 1", [](auto& c) { c.interpolation = Interpolation::kLinear; },
        kVisibility);
    expect(
        ".target: is not one of the materials", [](auto& c) { c.material = 1; }, kBaseColor);
    expect(
        ".texture: is not one of", [](auto& c) { c.texture = kMaterialTextures; }, kTextureOffset);
    expect(
        ".texture: is not one of", [](auto& c) { c.texture = 1; }, kMetallic);
    expect(
        ".value_count: does not fit", [](auto& c) { c.values.pop_back(); }, kBaseColor);
    expect(
        ".times: do not ascend", [](auto& c) { c.times[1] = -1.0F; }, kMetallic);
    expect(
        ".values: are not finite", [](auto& c) { c.values[0] = std::numeric_limits<float>::infinity(); }, kMetallic);
    expect(
        ".emission: is not finite", [](auto& c) { c.emission.w = std::numeric_limits<float>::infinity(); },
        kEmissiveFactor);
    expect(
        ".path: is not known",
        [](auto& c) { c.path = static_cast<AnimationPath>(static_cast<unsigned>(kLastPath) + 1); }, kMetallic);
}

}  // namespace
}  // namespace sublet::scene::testing
