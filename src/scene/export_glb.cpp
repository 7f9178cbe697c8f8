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
#include <type_traits>
#include <utility>

#include "base/error.h"
#include "base/log.h"
#include "mesh/mesh.h"
#include "mesh/morphs.h"
#include "scene/animation_pointer.h"
#include "scene/container.h"
#include "scene/deform.h"
#include "scene/glb_writer.h"
#include "scene/image_formats.h"
#include "scene/images.h"
#include "scene/ktx2_file.h"
#include "scene/material_fields.h"
#include "scene/notes.h"
#include "scene/png.h"
#include "scene/texture_uses.h"

namespace sublet::scene {
namespace {

using nlohmann::json;

constexpr const char* kVariants = "KHR_materials_variants";
constexpr const char* kVisibility = "KHR_node_visibility";
constexpr const char* kEmissiveStrength = "KHR_materials_emissive_strength";
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
        note_pointed();
        add_samplers();
        add_images();
        add_textures();
        add_materials();
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

    // What pointers name has to be there, as it is where nothing plays it.
    void note_pointed() {
        for (const Animation& animation : scene_.animations) {
            for (const AnimationChannel& channel : animation.channels) {
                if (channel.path == AnimationPath::kVisibility) pointed_nodes_.insert(channel.node);
                if (is_of_emission(channel.path)) emissions_.emplace(channel.material, channel.emission);
                if (is_of_texture(channel.path)) {
                    const Material& material = scene_.materials[static_cast<std::size_t>(channel.material)];
                    pointed_textures_.insert(&texture_of(material, channel.texture));
                }
            }
        }
    }

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
        json accessor{{"count", mesh.indices.size()}, {"type", "SCALAR"}};
        if (mesh.positions.size() < 65535) {
            const std::vector<std::uint16_t> narrow(mesh.indices.begin(), mesh.indices.end());
            accessor["componentType"] = kShort;
            accessor["bufferView"] = file_.add_view(std::as_bytes(std::span(narrow)), GlbWriter::kIndexData);
        } else {
            accessor["componentType"] = kInt;
            accessor["bufferView"] = file_.add_view(std::as_bytes(std::span(mesh.indices)), GlbWriter::kIndexData);
        }
        return add("accessors", std::move(accessor));
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

    void add_samplers() {
        for (const Sampler& sampler : scene_.samplers) {
            add("samplers", {{"minFilter", sampler.min_filter},
                             {"magFilter", sampler.mag_filter},
                             {"wrapS", sampler.wrap_s},
                             {"wrapT", sampler.wrap_t}});
        }
    }

    // Of a KTX2 file that glTF does not know. Normal maps of two channels get their third. Throws Error where it can't
    // be decoded.
    std::vector<std::uint8_t> png_of_blocks(const Image& image, bool is_normal_map) const {
        const ImageHeader header = read_image_header(image);
        if (header.decode_bytes > options_.most_decoding) {
            throw Error("decoding it takes up to " + std::to_string(header.decode_bytes >> 20U) + " MiB");
        }
        const std::vector<TexelLevel> levels = decode_image(image, header, {});
        const std::span<std::uint8_t> rgba = levels[0].span();
        if (is_normal_map) complete_normals(rgba);
        return encode_png(levels[0].width, levels[0].height, rgba);
    }

    void add_images() {
        const std::vector<TextureUses> uses = image_uses(scene_);
        for (std::size_t i = 0; i < scene_.images.size(); ++i) {
            const Image& image = scene_.images[i];
            std::span<const std::byte> bytes = std::as_bytes(std::span(image.bytes));
            std::vector<std::uint8_t> png;
            std::string type = image.mime_type;
            if (type == kRawImageType) png = encode_png(image.width, image.height, image.bytes);
            if (type == kKtx2Type && !holds_basis_universal(image.bytes)) {
                try {
                    png = png_of_blocks(image, uses[i].count(TextureUse::kNormal) > 0);
                } catch (const Error& error) {
                    note_once(numbered_name("image", i, image.name) + " is left out: " + error.what());
                    images_.push_back(-1);
                    image_types_.emplace_back();
                    continue;
                }
            }
            if (!png.empty()) {
                bytes = std::as_bytes(std::span(png));
                type = "image/png";
            }
            image_types_.push_back(type);
            json object{{"mimeType", type}, {"bufferView", file_.add_view(bytes, GlbWriter::kNoTarget)}};
            set_name(object, image.name);
            images_.push_back(static_cast<int>(add("images", std::move(object))));
        }
    }

    void add_textures() {
        for (const Texture& texture : scene_.textures) {
            const auto from = static_cast<std::size_t>(texture.image);
            const int image = images_[from];
            if (image < 0) {
                textures_.push_back(-1);
                continue;
            }
            json object = json::object();
            const ImageFormat* const format = find_image_format(image_types_[from]);
            if (format != nullptr && format->extension != nullptr) {
                file_.require_extension(format->extension);
                object["extensions"][format->extension]["source"] = image;
            } else {
                object["source"] = image;
            }
            if (texture.sampler >= 0) object["sampler"] = texture.sampler;
            textures_.push_back(static_cast<int>(add("textures", std::move(object))));
        }
    }

    // Whether there is a texture, and its image is not left out.
    [[nodiscard]] bool has(const TextureRef& reference) const {
        return reference.texture >= 0 && textures_[static_cast<std::size_t>(reference.texture)] >= 0;
    }

    json texture_info(const TextureRef& reference, const char* strength = nullptr) {
        json info{{"index", textures_[static_cast<std::size_t>(reference.texture)]}};
        if (reference.uv_set != 0) info["texCoord"] = reference.uv_set;
        if (strength != nullptr && reference.strength != 1.0F) info[strength] = reference.strength;
        json transform;
        if (reference.offset != glm::vec2(0.0F)) transform["offset"] = {reference.offset.x, reference.offset.y};
        if (reference.scale != glm::vec2(1.0F)) transform["scale"] = {reference.scale.x, reference.scale.y};
        if (reference.rotation != 0.0F) transform["rotation"] = reference.rotation;
        if (pointed_textures_.contains(&reference) && transform.is_null()) transform = json::object();
        if (!transform.is_null()) {
            use_extension("KHR_texture_transform");
            info["extensions"]["KHR_texture_transform"] = std::move(transform);
        }
        return info;
    }

    void add_texture(json& object, const char* name, const TextureRef& reference, const char* strength = nullptr) {
        if (has(reference)) object[name] = texture_info(reference, strength);
    }

    void add_materials() {
        for (std::size_t m = 0; m < scene_.materials.size(); ++m) {
            const Material& material = scene_.materials[m];
            json pbr;
            // What is glTF's default may be one that the source did not state.
            if (material.metallic != 1.0F) pbr["metallicFactor"] = material.metallic;
            if (material.roughness != 1.0F) pbr["roughnessFactor"] = material.roughness;
            const glm::vec4& color = material.base_color;
            pbr["baseColorFactor"] = {color.r, color.g, color.b, color.a};
            add_texture(pbr, "baseColorTexture", material.base_color_texture);
            add_texture(pbr, "metallicRoughnessTexture", material.metallic_roughness_texture);
            json object{{"pbrMetallicRoughness", std::move(pbr)}, {"doubleSided", material.double_sided}};
            set_name(object, material.name);
            add_texture(object, "normalTexture", material.normal_texture, "scale");
            add_texture(object, "occlusionTexture", material.occlusion_texture, "strength");
            add_texture(object, "emissiveTexture", material.emissive_texture);
            add_emission(object, material, m);
            if (material.alpha_mode == AlphaMode::kMask) {
                object["alphaMode"] = "MASK";
                object["alphaCutoff"] = material.alpha_cutoff;
            } else if (material.alpha_mode == AlphaMode::kBlend) {
                object["alphaMode"] = "BLEND";
            }
            add_extension_fields(object, material);
            if (material.unlit) {
                use_extension("KHR_materials_unlit");
                object["extensions"]["KHR_materials_unlit"] = json::object();
            }
            add("materials", std::move(object));
        }
    }

    // What differs from a material without the extensions.
    void add_extension_fields(json& object, const Material& material) {
        const Material plain;
        for_each_extension_field(
            [&](const MaterialField& field, const auto& value, const auto& otherwise) {
                if (value == otherwise) return;
                json written;
                if constexpr (kIsTexture<decltype(value)>) {
                    if (!has(value)) return;
                    written = texture_info(value, field.use == TextureUse::kNormal ? "scale" : nullptr);
                } else if constexpr (std::is_same_v<decltype(value), const float&>) {
                    written = value;
                } else {
                    written = {value.r, value.g, value.b};
                }
                use_extension(field.extension);
                object["extensions"][field.extension][field.name] = std::move(written);
            },
            material, plain);
    }

    // Factors are at most 1; what is brighter takes the extension.
    void add_emission(json& object, const Material& material, std::size_t number) {
        if (const auto played = emissions_.find(static_cast<int>(number)); played != emissions_.end()) {
            const glm::vec4& emission = played->second;
            object["emissiveFactor"] = {emission.r, emission.g, emission.b};
            use_extension(kEmissiveStrength);
            object["extensions"][kEmissiveStrength]["emissiveStrength"] = emission.w;
            return;
        }
        const float brightest = std::max({material.emissive.r, material.emissive.g, material.emissive.b});
        if (!(brightest > 0.0F)) return;
        const float strength = std::max(brightest, 1.0F);
        object["emissiveFactor"] = {material.emissive.r / strength, material.emissive.g / strength,
                                    material.emissive.b / strength};
        if (strength > 1.0F) {
            use_extension(kEmissiveStrength);
            object["extensions"][kEmissiveStrength]["emissiveStrength"] = strength;
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

    void add_nodes() {
        std::vector<json> nodes(scene_.nodes.size());
        json roots = json::array();
        std::vector<json> placed;
        const std::vector<char> drawn = drawn_nodes(scene_);
        for (std::size_t i = 0; i < scene_.nodes.size(); ++i) {
            const Node& node = scene_.nodes[i];
            json& object = nodes[i];
            object = json::object();
            set_name(object, node.name);
            if (node.has_matrix) {
                json matrix = json::array();
                for (int e = 0; e < 16; ++e) matrix.push_back(node.matrix[e / 4][e % 4]);
                object["matrix"] = std::move(matrix);
            } else {
                const glm::quat& r = node.rotation;
                if (node.translation != glm::vec3(0.0F)) {
                    object["translation"] = {node.translation.x, node.translation.y, node.translation.z};
                }
                if (r != glm::quat(1.0F, 0.0F, 0.0F, 0.0F)) object["rotation"] = {r.x, r.y, r.z, r.w};
                if (node.scale != glm::vec3(1.0F)) object["scale"] = {node.scale.x, node.scale.y, node.scale.z};
            }
            const std::size_t placed_before = placed.size();
            if (node.mesh_group >= 0) {
                const bool baked = options_.bake_pose && node.skin >= 0;
                const int mesh = mesh_index_.at({node.mesh_group, pose_of(node)});
                if (mesh >= 0 && !baked) object["mesh"] = mesh;
                if (mesh >= 0 && !baked && node.skin >= 0) object["skin"] = node.skin;
                if (mesh >= 0 && !options_.bake_pose && !node.weights.empty()) object["weights"] = node.weights;
                // Its vertices are in the world: no node may place them.
                if (mesh >= 0 && baked) placed.push_back({{"mesh", mesh}});
                if (mesh >= 0 && baked) set_name(placed.back(), node.name);
            }
            if (!node.visible || pointed_nodes_.contains(static_cast<int>(i))) set_visible(object, node.visible);
            if (drawn[i] == 0 && placed.size() > placed_before) set_visible(placed.back(), false);
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

    [[nodiscard]] bool has_mesh(int node) const {
        const Node& at = scene_.nodes[static_cast<std::size_t>(node)];
        return at.mesh_group >= 0 && mesh_index_.at({at.mesh_group, pose_of(at)}) >= 0;
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
    std::vector<glm::mat4> world_;          // transforms of the nodes
    std::vector<std::string> image_types_;  // as they are written
    std::vector<int> images_, textures_;    // as they are written; -1: left out
    // For each mesh: the variants in which it has a material.
    std::vector<std::map<std::uint32_t, std::vector<std::size_t>>> variants_of_mesh_;
    // What animations play by pointers.
    std::set<int> pointed_nodes_;
    std::map<int, glm::vec4> emissions_;  // of materials: factor, and strength
    std::set<const TextureRef*> pointed_textures_;
    GlbWriter file_;
    std::map<std::pair<int, Pose>, int> mesh_index_;  // of a mesh group in a pose; -1: nothing is left of it
};

}  // namespace

void export_glb(const std::filesystem::path& path, const EncodedScene& scene, const ExportOptions& options) {
    Exporter(scene, options).write(path);
}

}  // namespace sublet::scene
