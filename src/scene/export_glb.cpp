// export_glb: the scene decoded by the CPU reference decoder, as a binary glTF 2.0 file.
#include <algorithm>
#include <bit>
#include <cmath>
#include <glm/gtc/matrix_inverse.hpp>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <utility>

#include "base/error.h"
#include "mesh/mesh.h"
#include "mesh/morphs.h"
#include "scene/animation_pointer.h"
#include "scene/container.h"
#include "scene/deform.h"
#include "scene/export_materials.h"
#include "scene/glb_writer.h"
#include "scene/material_fields.h"

namespace sublet::scene {
namespace {

using nlohmann::json;

constexpr const char* kVariants = "KHR_materials_variants";
constexpr const char* kVisibility = "KHR_node_visibility";
constexpr int kShort = GlbWriter::kShort, kInt = GlbWriter::kInt, kFloat = GlbWriter::kFloat;

class Exporter {
  public:
    Exporter(const EncodedScene& encoded, const ExportOptions& options)
        : encoded_(encoded),
          scene_(encoded.scene),
          options_(options),
          world_(world_transforms(scene_)),
          variants_of_mesh_(encoded.scene.mesh_materials.size()) {}

    void write(const std::filesystem::path& path) {
        textures_ = export_materials(scene_, options_.most_decoding, file_);
        add_variants();
        add_meshes();
        add_lights();
        add_cameras();
        add_nodes();
        if (!options_.bake_pose) add_skins();
        add_animations();
        file_.write(path);
    }

  private:
    std::size_t add(const char* array, json&& object) { return file_.add(array, std::move(object)); }
    void use_extension(const char* name) { file_.use_extension(name); }

    // What a mesh group is baked for. Without baking each is written once.
    struct Pose {
        int skin = -1;
        std::vector<float> weights;

        // NOLINTNEXTLINE(modernize-use-nullptr): of what the compiler makes of it
        auto operator<=>(const Pose&) const = default;
    };

    [[nodiscard]] Pose pose_of(const Node& node) const {
        return options_.bake_pose ? Pose{node.skin, morph_weights(scene_, node)} : Pose{};
    }

    void set_visible(json& node, bool visible) {
        use_extension(kVisibility);
        node["extensions"][kVisibility]["visible"] = visible;
    }

    void add_meshes() {
        std::vector<std::set<Pose>> poses(scene_.mesh_groups.size());
        for (const Node& node : scene_.nodes) {
            if (node.mesh_group >= 0) poses[static_cast<std::size_t>(node.mesh_group)].insert(pose_of(node));
        }
        for (std::size_t g = 0; g < poses.size(); ++g) {
            if (poses[g].empty()) poses[g].insert({-1, scene_.mesh_groups[g].weights});
            for (const Pose& pose : poses[g]) add_mesh(static_cast<int>(g), pose);
        }
    }

    void add_mesh(int index, const Pose& pose) {
        const MeshGroup& group = scene_.mesh_groups[static_cast<std::size_t>(index)];
        json primitives = json::array();
        for (std::uint32_t m = group.first_mesh; m < group.first_mesh + group.mesh_count; ++m) {
            if (encoded_.geometry.meshes[m].triangle_count == 0) continue;
            primitives.push_back(primitive(m, pose, group.weights.size()));
        }
        int& number = mesh_index_[{index, pose}];
        number = -1;
        if (primitives.empty()) return;  // glTF has no empty meshes
        json mesh{{"primitives", std::move(primitives)}};
        set_name(mesh, group.name);
        if (!group.weights.empty() && !options_.bake_pose) {
            mesh["weights"] = group.weights;
            if (!group.target_names.empty()) mesh["extras"]["targetNames"] = group.target_names;
        }
        number = static_cast<int>(add("meshes", std::move(mesh)));
    }

    template <typename T, std::size_t N>
    void attribute(json& attributes, const char* name, const std::vector<std::array<T, N>>& values, int type) {
        if (!values.empty()) {
            attributes[name] = file_.add_vectors<T, N>(values, type, std::string_view(name) == "POSITION");
        }
    }

    // Deforms a mesh, in the world where joints do so, and forgets what did it.
    void bake(mesh::MeshArrays& mesh, std::uint32_t index, const Pose& pose) const {
        std::vector<shared::SkinMatrix> matrices;
        if (pose.skin >= 0 && mesh::deforms(encoded_.geometry.meshes[index])) {
            matrices = skin_matrices(scene_.skins[static_cast<std::size_t>(pose.skin)], world_);
        }
        deform(mesh, matrices, pose.weights);
        for (const std::array<float, 3>& p : mesh.positions) {
            if (std::isfinite(p[0]) && std::isfinite(p[1]) && std::isfinite(p[2])) continue;
            throw Error("mesh " + std::to_string(index) + ": a vertex is moved beyond single precision");
        }
        mesh.morphs.clear();
        mesh.joints.clear();
        mesh.weights.clear();
        mesh.joints1.clear();
        mesh.weights1.clear();
    }

    // The morph targets of a mesh. All have the attributes that some have: readers expect it.
    json targets(const mesh::MeshArrays& mesh, std::size_t count) {
        constexpr const char* kNames[] = {"POSITION", "NORMAL", "TANGENT"};
        const json zeros{{"componentType", kFloat},
                         {"count", mesh.positions.size()},
                         {"type", "VEC3"},
                         {"min", {0, 0, 0}},
                         {"max", {0, 0, 0}}};
        const std::vector<std::array<float, 3>> none;
        std::optional<std::size_t> shared_zeros;
        json list = json::array();
        for (std::size_t t = 0; t < count; ++t) list.push_back(json::object());
        for (std::uint32_t a = 0; a < shared::kMorphAttributes; ++a) {
            const auto values = [&](std::size_t t) -> const auto& {
                return t < mesh.morphs.size() ? mesh::morph_values(mesh.morphs[t], a) : none;
            };
            bool present = a == 0;  // a target must have something
            for (std::size_t t = 0; t < count; ++t) present = present || !values(t).empty();
            for (std::size_t t = 0; t < count && present; ++t) {
                if (!values(t).empty()) {
                    list[t][kNames[a]] = file_.add_vectors<float, 3>(values(t), kFloat, a == 0);
                    continue;
                }
                if (!shared_zeros) shared_zeros = add("accessors", json(zeros));
                list[t][kNames[a]] = *shared_zeros;
            }
        }
        return list;
    }

    // In a file a target costs next to nothing where it moves nothing; decoded it has values for every vertex.
    void check_targets(const mesh::MeshView& mesh, std::uint32_t index) const {
        if (mesh.morph == nullptr) return;
        constexpr std::uint64_t kVertexBytes = 6 * sizeof(std::uint32_t);  // packed, to weld by, and as floats
        const std::uint64_t bytes = kVertexBytes * static_cast<unsigned>(std::popcount(mesh.morph->attributes)) *
                                    mesh.morph->target_count * mesh.header->vertex_count;
        if (bytes <= options_.most_decoding) return;
        throw Error("mesh " + std::to_string(index) + ": its " + std::to_string(mesh.morph->target_count) +
                    " morph targets may take " + std::to_string(bytes) + " bytes to decode; at most " +
                    std::to_string(options_.most_decoding) + " are taken");
    }

    // A mesh as a glTF primitive.
    json primitive(std::uint32_t index, const Pose& pose, std::size_t target_count) {
        const mesh::MeshView encoded = mesh::mesh_view(encoded_.geometry, index);
        check_targets(encoded, index);
        mesh::MeshArrays mesh = mesh::decode(encoded);
        if (options_.bake_pose) bake(mesh, index, pose);
        json attributes;
        attribute(attributes, "POSITION", mesh.positions, kFloat);
        attribute(attributes, "NORMAL", mesh.normals, kFloat);
        attribute(attributes, "TANGENT", mesh.tangents, kFloat);
        attribute(attributes, "TEXCOORD_0", mesh.uv0, kFloat);
        attribute(attributes, "TEXCOORD_1", mesh.uv1, kFloat);
        attribute(attributes, "COLOR_0", mesh.colors, kFloat);
        normalize_weights(mesh);
        attribute(attributes, "JOINTS_0", mesh.joints, kShort);
        attribute(attributes, "WEIGHTS_0", mesh.weights, kFloat);
        attribute(attributes, "JOINTS_1", mesh.joints1, kShort);
        attribute(attributes, "WEIGHTS_1", mesh.weights1, kFloat);
        json object{{"attributes", std::move(attributes)},
                    {"indices", indices(mesh)},
                    {"material", scene_.mesh_materials[index]},
                    {"mode", 4}};
        if (target_count > 0 && !options_.bake_pose) object["targets"] = targets(mesh, target_count);
        json mappings = json::array();
        for (const auto& [material, variants] : variants_of_mesh_[index]) {
            mappings.push_back({{"material", material}, {"variants", variants}});
        }
        if (!mappings.empty()) object["extensions"][kVariants]["mappings"] = std::move(mappings);
        return object;
    }

    void add_variants() {
        if (scene_.variants.empty()) return;
        use_extension(kVariants);
        json& names = file_.root["extensions"][kVariants]["variants"];
        for (std::size_t v = 0; v < scene_.variants.size(); ++v) {
            names.push_back({{"name", scene_.variants[v].name}});
            for (const Variant::Mesh& mesh : scene_.variants[v].meshes) {
                variants_of_mesh_[mesh.mesh][mesh.material].push_back(v);
            }
        }
    }

    // The narrowest type; its largest value is glTF's primitive restart and is not used.
    std::size_t indices(const mesh::MeshArrays& mesh) {
        const auto accessor = [this](const auto& list, int type) {
            const std::size_t view = file_.add_view(std::as_bytes(std::span(list)), GlbWriter::kIndexData);
            return add("accessors",
                       {{"bufferView", view}, {"componentType", type}, {"count", list.size()}, {"type", "SCALAR"}});
        };
        if (mesh.positions.size() >= 65535) return accessor(mesh.indices, kInt);
        return accessor(std::vector<std::uint16_t>(mesh.indices.begin(), mesh.indices.end()), kShort);
    }

    // Weights must sum to one in float, and joints of no weight be 0.
    static void normalize_weights(mesh::MeshArrays& mesh) {
        for (std::size_t v = 0; v < mesh.weights.size(); ++v) {
            std::array<float, 4>& weights = mesh.weights[v];
            float sum = weights[0] + weights[1] + weights[2] + weights[3];
            if (!mesh.weights1.empty()) {
                for (const float weight : mesh.weights1[v]) sum += weight;
            }
            if (!(sum > 0.0F)) {  // older files, which hold any bytes
                weights = {1.0F, 0.0F, 0.0F, 0.0F};
                sum = 1.0F;
            }
            for (std::size_t i = 0; i < 4; ++i) {
                weights[i] /= sum;
                if (weights[i] == 0.0F) mesh.joints[v][i] = 0;
                if (!mesh.weights1.empty()) mesh.weights1[v][i] /= sum;
            }
        }
    }

    void add_lights() {
        json lights = json::array();
        for (const Light& light : scene_.lights) {
            constexpr const char* kTypes[] = {"directional", "point", "spot"};
            json object{{"type", kTypes[static_cast<std::size_t>(light.type)]},
                        {"color", {light.color.r, light.color.g, light.color.b}},
                        {"intensity", light.intensity}};
            set_name(object, light.name);
            if (light.range > 0.0F) object["range"] = light.range;
            if (light.type == LightType::kSpot) {
                // The outer angle is at most pi / 2, which as a float is more; the inner one is less than the outer.
                constexpr float kWidest = 0x1.921fb4p+0F;  // the float below
                const float outer = std::clamp(light.outer_cone, std::numeric_limits<float>::min(), kWidest);
                const float inner = std::clamp(light.inner_cone, 0.0F, std::nextafter(outer, 0.0F));
                object["spot"] = {{"innerConeAngle", inner}, {"outerConeAngle", outer}};
            }
            lights.push_back(std::move(object));
        }
        if (lights.empty()) return;
        use_extension("KHR_lights_punctual");
        file_.root["extensions"]["KHR_lights_punctual"]["lights"] = std::move(lights);
    }

    void add_cameras() {
        for (const Camera& camera : scene_.cameras) {
            json object;
            set_name(object, camera.name);
            if (camera.orthographic) {
                // The far plane and the width are not part of the scene model: a box that shows as much.
                object["type"] = "orthographic";
                object["orthographic"] = {{"xmag", camera.half_height},
                                          {"ymag", camera.half_height},
                                          {"znear", camera.near_plane},
                                          {"zfar", camera.near_plane + 1e4F}};
            } else {
                object["type"] = "perspective";
                // Where the scene model leaves the near plane open, glTF needs one all the same.
                const float near_plane = camera.near_plane > 0.0F ? camera.near_plane : Camera{}.near_plane;
                object["perspective"] = {{"yfov", camera.vertical_fov}, {"znear", near_plane}};
            }
            add("cameras", std::move(object));
        }
    }

    // Those whose visibility is played by pointers: it has to be there, as it is where nothing plays it.
    [[nodiscard]] std::set<int> pointed_nodes() const {
        std::set<int> nodes;
        for (const Animation& animation : scene_.animations) {
            for (const AnimationChannel& channel : animation.channels) {
                if (channel.path == AnimationPath::kVisibility) nodes.insert(channel.node);
            }
        }
        return nodes;
    }

    // -1: it has none, or nothing is left of it.
    [[nodiscard]] int mesh_of(const Node& node) const {
        return node.mesh_group < 0 ? -1 : mesh_index_.at({node.mesh_group, pose_of(node)});
    }

    void add_nodes() {
        std::vector<json> nodes(scene_.nodes.size());
        json roots = json::array();
        std::vector<json> placed;
        const std::vector<char> drawn = drawn_nodes(scene_);
        const std::set<int> pointed = pointed_nodes();
        for (std::size_t i = 0; i < scene_.nodes.size(); ++i) {
            const Node& node = scene_.nodes[i];
            json& object = nodes[i];
            object = json::object();
            set_name(object, node.name);
            if (node.has_matrix) {
                object["matrix"] = std::span(&node.matrix[0][0], 16);
            } else {
                const glm::quat& r = node.rotation;
                if (node.translation != glm::vec3(0.0F)) {
                    object["translation"] = {node.translation.x, node.translation.y, node.translation.z};
                }
                if (r != glm::quat(1.0F, 0.0F, 0.0F, 0.0F)) object["rotation"] = {r.x, r.y, r.z, r.w};
                if (node.scale != glm::vec3(1.0F)) object["scale"] = {node.scale.x, node.scale.y, node.scale.z};
            }
            if (!node.visible || pointed.contains(static_cast<int>(i))) set_visible(object, node.visible);
            const int mesh = mesh_of(node);
            if (mesh >= 0 && options_.bake_pose && node.skin >= 0) {
                // Its vertices are in the world: no node may place them.
                json& posed = placed.emplace_back(json{{"mesh", mesh}});
                set_name(posed, node.name);
                if (drawn[i] == 0) set_visible(posed, false);
            } else if (mesh >= 0) {
                object["mesh"] = mesh;
                if (node.skin >= 0) object["skin"] = node.skin;
                if (!options_.bake_pose && !node.weights.empty()) object["weights"] = node.weights;
            }
            if (node.camera >= 0) object["camera"] = node.camera;
            if (node.light >= 0) object["extensions"]["KHR_lights_punctual"]["light"] = node.light;
            if (node.parent >= 0) {
                nodes[static_cast<std::size_t>(node.parent)]["children"].push_back(i);
            } else {
                roots.push_back(i);
            }
        }
        for (json& object : placed) {
            roots.push_back(nodes.size());
            nodes.push_back(std::move(object));
        }
        json scene{{"nodes", std::move(roots)}};
        set_name(scene, scene_.name);
        file_.root["scenes"] = json::array({std::move(scene)});
        file_.root["scene"] = 0;
        for (json& node : nodes) file_.root["nodes"].push_back(std::move(node));
    }

    // Of those that deform a mesh, and of those whose meshes, in older files, hold vertices as their joints posed them:
    // there the inverse of that pose is what undoes it.
    [[nodiscard]] std::vector<char> posed_skins() const {
        std::vector<char> posed(scene_.skins.size(), 1);
        for (const Instance& instance : instances(encoded_, {})) {
            if (instance.skin >= 0) posed[static_cast<std::size_t>(instance.skin)] = 0;
        }
        return posed;
    }

    void add_skins() {
        const std::vector<char> posed = posed_skins();
        for (std::size_t s = 0; s < scene_.skins.size(); ++s) {
            const Skin& skin = scene_.skins[s];
            std::vector<float> matrices;
            for (std::size_t j = 0; j < skin.joints.size(); ++j) {
                const glm::mat4& joint = world_[static_cast<std::size_t>(skin.joints[j])];
                const glm::mat4 inverse = posed[s] != 0 ? inverse_or_identity(joint) : skin.inverse_bind[j];
                matrices.insert(matrices.end(), &inverse[0][0], &inverse[0][0] + 16);
            }
            json object{{"joints", skin.joints}, {"inverseBindMatrices", file_.add_floats(matrices, 16)}};
            set_name(object, skin.name);
            if (skin.skeleton >= 0) object["skeleton"] = skin.skeleton;
            add("skins", std::move(object));
        }
    }

    static glm::mat4 inverse_or_identity(const glm::mat4& matrix) {
        glm::mat4 inverse(glm::affineInverse(glm::dmat4(matrix)));
        const float* const begin = &inverse[0][0];
        if (!std::all_of(begin, begin + 16, [](float e) { return std::isfinite(e); })) return glm::mat4{1.0F};
        for (int c = 0; c < 4; ++c) inverse[c][3] = c == 3 ? 1.0F : 0.0F;
        return inverse;
    }

    [[nodiscard]] bool has_mesh(int node) const { return mesh_of(scene_.nodes[static_cast<std::size_t>(node)]) >= 0; }

    // Whether there is a texture, and its image is not left out.
    [[nodiscard]] bool has(const TextureRef& reference) const {
        return reference.texture >= 0 && textures_[static_cast<std::size_t>(reference.texture)] >= 0;
    }

    // Whether what is played is there: the texture that it is a property of.
    [[nodiscard]] bool has_texture_of(const AnimationChannel& channel) const {
        const Material& material = scene_.materials[static_cast<std::size_t>(channel.material)];
        if (channel.path == AnimationPath::kNormalScale) return has(material.normal_texture);
        if (channel.path == AnimationPath::kOcclusionStrength) return has(material.occlusion_texture);
        return !is_of_texture(channel.path) || has(texture_of(material, channel.texture));
    }

    // What glTF has a path for names its node; else a pointer says what is played.
    json target_of(const AnimationChannel& channel) {
        constexpr const char* kPaths[] = {"translation", "rotation", "scale", "weights"};
        if (is_plain(channel.path)) {
            return {{"node", channel.node}, {"path", kPaths[static_cast<std::size_t>(channel.path)]}};
        }
        use_extension(kAnimationPointer);
        json target{{"path", "pointer"}};
        target["extensions"][kAnimationPointer]["pointer"] = pointer_of(channel);
        return target;
    }

    void add_animations() {
        constexpr const char* kInterpolations[] = {"LINEAR", "STEP", "CUBICSPLINE"};
        for (const Animation& animation : scene_.animations) {
            json channels = json::array();
            json samplers = json::array();
            for (const AnimationChannel& channel : animation.channels) {
                if (channel.path == AnimationPath::kWeights && !has_mesh(channel.node)) continue;
                if (channel.material >= 0 && !has_texture_of(channel)) continue;
                const std::size_t output = channel.path == AnimationPath::kVisibility
                                               ? file_.add_booleans(channel.values)
                                               : file_.add_floats(channel.values, path_components(channel.path));
                samplers.push_back(
                    {{"input", file_.add_floats(channel.times, 1, true)},
                     {"output", output},
                     {"interpolation", kInterpolations[static_cast<std::size_t>(channel.interpolation)]}});
                channels.push_back({{"sampler", samplers.size() - 1}, {"target", target_of(channel)}});
            }
            if (channels.empty()) continue;
            json object{{"channels", std::move(channels)}, {"samplers", std::move(samplers)}};
            set_name(object, animation.name);
            add("animations", std::move(object));
        }
    }

    const EncodedScene& encoded_;
    const Scene& scene_;
    ExportOptions options_;
    std::vector<glm::mat4> world_;  // transforms of the nodes
    std::vector<int> textures_;     // as they are written; -1: left out
    // For each mesh: the variants in which it has a material.
    std::vector<std::map<std::uint32_t, std::vector<std::size_t>>> variants_of_mesh_;
    GlbWriter file_;
    std::map<std::pair<int, Pose>, int> mesh_index_;  // of a mesh group in a pose; -1: nothing is left of it
};

}  // namespace

void export_glb(const std::filesystem::path& path, const EncodedScene& scene, const ExportOptions& options) {
    Exporter(scene, options).write(path);
}

}  // namespace sublet::scene
