// The scene model: everything a glTF file says but its triangles, in plain data. Indices are -1 where there is none.
// Right-handed, +Y up, metres, radians, as in glTF.
#pragma once

#include <cstdint>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scene/material.h"

namespace sublet::scene {

// Nodes are stored parents first (parent < own index), so that world transforms need one loop and no recursion.
struct Node {
    std::string name;
    int parent = -1;
    // The local transform: `matrix` where has_matrix, else translation * rotation * scale.
    bool has_matrix = false;
    glm::mat4 matrix{1.0F};
    glm::vec3 translation{0.0F};
    glm::quat rotation{1.0F, 0.0F, 0.0F, 0.0F};
    glm::vec3 scale{1.0F};
    int mesh_group = -1;
    int skin = -1;               // only beside a mesh group: see Instance
    std::vector<float> weights;  // of the mesh group's morph targets; empty: the group's own
    int camera = -1;
    int light = -1;
    bool visible = true;  // false: no mesh of it or below it is drawn (KHR_node_visibility)
};

// One glTF mesh: consecutive encoded meshes (one for each of its glTF primitives) that share a quantisation grid.
struct MeshGroup {
    std::string name;
    std::uint32_t first_mesh = 0;
    std::uint32_t mesh_count = 0;
    // What the encoder measured.
    std::uint64_t source_triangles = 0, source_vertices = 0;
    std::uint64_t uncompressed_bytes = 0;  // 32-bit indices and the source's attributes as floats (joints 16-bit)
    std::uint64_t dropped_degenerate = 0, dropped_duplicate = 0;
    // Of the degenerate ones, those with area in the source. Older files don't say.
    std::optional<std::uint64_t> dropped_by_grid;
    double error_position_max = 0, error_position_rms = 0, error_position_max_relative = 0;
    std::vector<float> weights;             // of morph targets, one for each; empty: there are none
    std::vector<std::string> target_names;  // one for each, or empty
};

struct Sampler {  // glTF enumerants
    int min_filter = 9987;
    int mag_filter = 9729;
    int wrap_s = 10497;
    int wrap_t = 10497;
};

struct Texture {
    int image = -1;
    int sampler = -1;
};

inline constexpr const char* kRawImageType = "image/x-rgba8";
inline constexpr const char* kKtx2Type = "image/ktx2";

// An image as it came: the bytes of a file of a known format (scene/image_formats.h), or raw RGBA8 for generated ones
// (mime_type kRawImageType, width and height set, rows from the top, 4 * width bytes each).
struct Image {
    std::string name;
    std::string mime_type;
    std::uint32_t width = 0, height = 0;  // 0: unknown until decoded
    std::vector<std::uint8_t> bytes;
};

struct Skin {
    std::string name;
    int skeleton = -1;
    std::vector<int> joints;  // nodes
    std::vector<glm::mat4> inverse_bind;
};

enum class AnimationPath : std::uint8_t {
    kTranslation,
    kRotation,
    kScale,
    kWeights,
    // By KHR_animation_pointer alone. Of a node, 0 or 1, step by step:
    kVisibility,
    // Of a material:
    kBaseColor,
    kMetallic,
    kRoughness,
    kEmissiveFactor,
    kEmissiveStrength,
    kNormalScale,
    kOcclusionStrength,
    kAlphaCutoff,
    // Of one of its textures (KHR_texture_transform):
    kTextureOffset,
    kTextureRotation,
    kTextureScale,
    // Of a light (KHR_lights_punctual):
    kLightColor,
    kLightIntensity,
    kLightRange,
    kLightInnerCone,
    kLightOuterCone,
};
inline constexpr AnimationPath kLastPath = AnimationPath::kLightOuterCone;

[[nodiscard]] constexpr bool is_of_node(AnimationPath path) {
    return path <= AnimationPath::kVisibility;
}
// Whether glTF has a path for it; for others it takes KHR_animation_pointer.
[[nodiscard]] constexpr bool is_plain(AnimationPath path) {
    return path <= AnimationPath::kWeights;
}
[[nodiscard]] constexpr bool is_of_emission(AnimationPath path) {
    return path == AnimationPath::kEmissiveFactor || path == AnimationPath::kEmissiveStrength;
}
[[nodiscard]] constexpr bool is_of_texture(AnimationPath path) {
    return path >= AnimationPath::kTextureOffset && path <= AnimationPath::kTextureScale;
}
[[nodiscard]] constexpr bool is_of_light(AnimationPath path) {
    return path >= AnimationPath::kLightColor;
}
[[nodiscard]] constexpr bool is_of_material(AnimationPath path) {
    return !is_of_node(path) && !is_of_light(path);
}
enum class Interpolation : std::uint8_t { kLinear, kStep, kCubicSpline };

struct AnimationChannel {
    int node = -1;  // -1: of a material or a light
    AnimationPath path = AnimationPath::kTranslation;
    Interpolation interpolation = Interpolation::kLinear;
    std::vector<float> times;   // seconds, ascending
    std::vector<float> values;  // per key as path_components() says, or as there are morph targets (x3: cubic splines)
    int material = -1;          // -1: of a node or a light
    std::uint32_t texture = 0;  // of a material, numbered as for_each_texture() visits them
    // Of emission: the material's factor and, as w, its strength, which count where no channel plays them.
    glm::vec4 emission{0.0F, 0.0F, 0.0F, 1.0F};
    int light = -1;  // -1: of a node or a material
};

// Floats of a value of a path, 1 to 4. Of weights 1: there are as many values as morph targets.
[[nodiscard]] std::size_t path_components(AnimationPath path);

struct Animation {
    std::string name;
    std::vector<AnimationChannel> channels;
};

enum class LightType : std::uint8_t { kDirectional, kPoint, kSpot };

struct Light {  // KHR_lights_punctual
    std::string name;
    LightType type = LightType::kPoint;
    glm::vec3 color{1.0F};
    float intensity = 1.0F;
    float range = 0.0F;  // 0: infinite
    float inner_cone = 0.0F, outer_cone = 0.785398F;
};

struct Camera {
    std::string name;
    bool orthographic = false;
    float vertical_fov = 0.785398F;  // radians; perspective
    float half_height = 1.0F;        // orthographic (glTF's ymag)
    float near_plane = 0.1F;         // 0: one that fits the scene
};

// One look of the scene of several (KHR_materials_variants): the materials of some meshes.
struct Variant {
    struct Mesh {
        std::uint32_t mesh = 0;  // encoded mesh
        std::uint32_t material = 0;

        bool operator==(const Mesh&) const = default;
    };
    std::string name;
    std::vector<Mesh> meshes;  // ascending, each once; meshes that are not listed keep their own material

    bool operator==(const Variant&) const = default;
};

struct Scene {
    std::string name;
    std::vector<Node> nodes;
    std::vector<MeshGroup> mesh_groups;
    std::vector<std::uint32_t>
        mesh_materials;  // for each encoded mesh, its material (always valid: a default is added)
    std::vector<Material> materials;
    std::vector<Variant> variants;
    std::vector<Texture> textures;
    std::vector<Sampler> samplers;
    std::vector<Image> images;
    std::vector<Skin> skins;
    std::vector<Animation> animations;
    std::vector<Light> lights;
    std::vector<Camera> cameras;
};

// The node's transform relative to its parent.
[[nodiscard]] glm::mat4 local_transform(const Node& node);

// The weights of the morph targets of the node's mesh group: the node's own, else the group's. None without targets.
[[nodiscard]] const std::vector<float>& morph_weights(const Scene& scene, const Node& node);

// World transforms of all nodes; linear in the nodes.
[[nodiscard]] std::vector<glm::mat4> world_transforms(const Scene& scene);

// Whether a node's meshes are drawn: it is visible, and so are all that it hangs on. One for each.
[[nodiscard]] std::vector<char> drawn_nodes(const Scene& scene);

// For each encoded mesh, its material in the variant of that name; its own where the name is empty. Of several variants
// of one name the first counts. Throws Error, with the names that there are, for any other.
[[nodiscard]] std::vector<std::uint32_t> materials_of_variant(const Scene& scene, std::string_view variant);

// The same of all that an animation of the scene may show: those whose visibility one plays count as visible.
[[nodiscard]] std::vector<char> drawable_nodes(const Scene& scene);

// A mesh placed in the world: what the renderer draws. One for each mesh of each drawable node that has a mesh group. A
// node with a skin does not place its meshes (glTF 2.0, 3.7.3.3): the transform is the identity. Joints deform them,
// from the bind pose that the mesh has into the world; in older files the vertices are in the world already.
struct Instance {
    glm::mat4 transform{1.0F};  // after the skin's
    std::uint32_t mesh = 0;     // encoded mesh
    std::uint32_t material = 0;
    std::uint32_t node = 0;
    int skin = -1;        // what deforms the mesh
    bool visible = true;  // false: its node is not drawn now, but some animation may show it
};

// The first mesh group again and again, centred on the origin, in place of the scene; as it is where a count is 0.
struct Grid {
    glm::uvec3 count{0};
    float spacing = 3.0F;   // from a neighbour to the next, in units of the scene
    bool in_sizes = false;  // the spacing is in sizes of the mesh group instead (mesh_size())

    [[nodiscard]] bool empty() const { return count.x == 0 || count.y == 0 || count.z == 0; }
};

// Without their skins: which meshes a skin deforms, the geometry alone tells (instances() of scene/container.h).
[[nodiscard]] std::vector<Instance> instances(const Scene& scene);

// The weights of an instance's morph targets: of its node, else of the mesh group.
[[nodiscard]] const std::vector<float>& morph_weights(const Scene& scene, const Instance& instance);

// How many `instances` gives, without making them.
[[nodiscard]] std::uint64_t instance_count(const Scene& scene);

}  // namespace sublet::scene
