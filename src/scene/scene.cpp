#include "scene/scene.h"

#include <algorithm>

#include "base/error.h"
#include "base/suggest.h"

namespace sublet::scene {

glm::mat4 local_transform(const Node& node) {
    if (node.has_matrix) return node.matrix;
    // Written out rather than multiplied from three matrices: one rounding for each element.
    const glm::mat3 rotation = glm::mat3_cast(node.rotation);
    return glm::mat4{glm::vec4{rotation[0] * node.scale.x, 0.0F}, glm::vec4{rotation[1] * node.scale.y, 0.0F},
                     glm::vec4{rotation[2] * node.scale.z, 0.0F}, glm::vec4{node.translation, 1.0F}};
}

const std::vector<float>& morph_weights(const Scene& scene, const Node& node) {
    // A node has weights of its own beside a group alone.
    if (node.mesh_group < 0 || !node.weights.empty()) return node.weights;
    return scene.mesh_groups[static_cast<std::size_t>(node.mesh_group)].weights;
}

const std::vector<float>& morph_weights(const Scene& scene, const Instance& instance) {
    const auto after = std::ranges::upper_bound(scene.mesh_groups, instance.mesh, {}, &MeshGroup::first_mesh);
    static const std::vector<float> none;
    if (after == scene.mesh_groups.begin()) return none;
    const MeshGroup& group = *std::prev(after);
    // On a grid the node may be any.
    if (instance.node >= scene.nodes.size()) return group.weights;
    const Node& node = scene.nodes[instance.node];
    const bool places = node.mesh_group >= 0 && &scene.mesh_groups[static_cast<std::size_t>(node.mesh_group)] == &group;
    return places ? morph_weights(scene, node) : group.weights;
}

std::vector<glm::mat4> world_transforms(const Scene& scene) {
    std::vector<glm::mat4> world(scene.nodes.size());
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
        const Node& node = scene.nodes[i];
        const glm::mat4 local = local_transform(node);
        world[i] = node.parent < 0 ? local : world[static_cast<std::size_t>(node.parent)] * local;
    }
    return world;
}

std::vector<std::uint32_t> materials_of_variant(const Scene& scene, std::string_view variant) {
    std::vector<std::uint32_t> materials = scene.mesh_materials;
    if (variant.empty()) return materials;
    const auto found = std::ranges::find(scene.variants, variant, &Variant::name);
    if (found == scene.variants.end()) {
        std::vector<std::string_view> names;
        std::string all;
        for (const Variant& known : scene.variants) {
            names.emplace_back(known.name);
            all += (all.empty() ? "" : ", ") + known.name;
        }
        const std::string start = "the scene has no material variant '" + std::string(variant) + "'";
        if (names.empty()) throw Error(start + ": it has none");
        throw Error(start + ", but these: " + all + did_you_mean(variant, names));
    }
    for (const Variant::Mesh& mesh : found->meshes) materials[mesh.mesh] = mesh.material;
    return materials;
}

namespace {

template <typename Visible>
std::vector<char> nodes_below_visible(const Scene& scene, const Visible& visible) {
    std::vector<char> out(scene.nodes.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
        const int parent = scene.nodes[i].parent;
        out[i] = visible(i) && (parent < 0 || out[static_cast<std::size_t>(parent)] != 0) ? 1 : 0;
    }
    return out;
}

}  // namespace

std::vector<char> drawn_nodes(const Scene& scene) {
    return nodes_below_visible(scene, [&](std::size_t i) { return scene.nodes[i].visible; });
}

std::vector<char> drawable_nodes(const Scene& scene) {
    std::vector<char> played(scene.nodes.size(), 0);
    for (const Animation& animation : scene.animations) {
        for (const AnimationChannel& channel : animation.channels) {
            if (channel.path == AnimationPath::kVisibility) played[static_cast<std::size_t>(channel.node)] = 1;
        }
    }
    return nodes_below_visible(scene, [&](std::size_t i) { return scene.nodes[i].visible || played[i] != 0; });
}

std::size_t path_components(AnimationPath path) {
    switch (path) {
        case AnimationPath::kRotation:
        case AnimationPath::kBaseColor:
            return 4;
        case AnimationPath::kTranslation:
        case AnimationPath::kScale:
        case AnimationPath::kEmissiveFactor:
        case AnimationPath::kLightColor:
            return 3;
        case AnimationPath::kTextureOffset:
        case AnimationPath::kTextureScale:
            return 2;
        default:
            return 1;
    }
}

std::vector<Instance> instances(const Scene& scene) {
    const std::vector<glm::mat4> world = world_transforms(scene);
    const std::vector<char> drawn = drawn_nodes(scene);
    const std::vector<char> drawable = drawable_nodes(scene);
    std::vector<Instance> result;
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
        const Node& node = scene.nodes[i];
        if (node.mesh_group < 0 || drawable[i] == 0) continue;
        const MeshGroup& group = scene.mesh_groups[static_cast<std::size_t>(node.mesh_group)];
        for (std::uint32_t mesh = group.first_mesh; mesh < group.first_mesh + group.mesh_count; ++mesh) {
            Instance instance;
            instance.transform = node.skin >= 0 ? glm::mat4{1.0F} : world[i];
            instance.mesh = mesh;
            instance.material = scene.mesh_materials[mesh];
            instance.node = static_cast<std::uint32_t>(i);
            instance.visible = drawn[i] != 0;
            result.push_back(instance);
        }
    }
    return result;
}

std::uint64_t instance_count(const Scene& scene) {
    std::uint64_t count = 0;
    const std::vector<char> drawable = drawable_nodes(scene);
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
        const Node& node = scene.nodes[i];
        if (node.mesh_group >= 0 && drawable[i] != 0)
            count += scene.mesh_groups[static_cast<std::size_t>(node.mesh_group)].mesh_count;
    }
    return count;
}

}  // namespace sublet::scene
