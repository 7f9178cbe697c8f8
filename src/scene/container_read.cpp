// open_sublet: every count, index and number of a container's records is checked here, once.
#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/mapped_file.h"
#include "base/path_text.h"
#include "mesh/container_format.h"
#include "mesh/sections.h"
#include "mesh/view.h"
#include "scene/container.h"
#include "scene/container_channels.h"
#include "scene/image_formats.h"
#include "scene/material_fields.h"
#include "scene/notes.h"

namespace sublet::scene {
namespace {

using format::SectionType;

// The container while it is read.
class SceneReader {
  public:
    SceneReader(std::span<const std::byte> bytes, const std::string& name)
        : bytes_(bytes), name_(name), sections_(bytes, name) {
        strings_ = section<char>(SectionType::kStrings);
        image_bytes_ = section<std::uint8_t>(SectionType::kImageBytes);
        joints_ = section<format::Joint>(SectionType::kJoints);
    }

    // `bounds`: what geometry points into as well.
    void read(EncodedScene& encoded, mesh::LongBounds& bounds, mesh::Validate what, ThreadPool* pool) {
        if (!sections_.has(SectionType::kShortSubletBounds)) what = mesh::Validate::kAll;
        read_info(encoded.info);
        read_notes(encoded.notes);
        encoded.geometry = sections_.geometry(bounds, what);
        mesh::validate(encoded.geometry, name_, pool, what);
        mesh_count_ = encoded.geometry.meshes.size();
        read_scene(encoded.scene);
        check_targets(encoded);
        check_levels(encoded);
        check_instances(encoded.scene);
        check_skins(encoded, pool);
        if (what == mesh::Validate::kAll) return;
        const auto short_bounds = section<format::ShortSubletBound>(SectionType::kShortSubletBounds);
        encoded.unchecked = std::make_shared<UncheckedGroups>(encoded.geometry, name_, short_bounds,
                                                              offset_of(short_bounds), bounds.sublets());
    }

    [[nodiscard]] std::uint64_t offset_of(auto section) const {
        return static_cast<std::uint64_t>(std::as_bytes(section).data() - bytes_.data());
    }

  private:
    [[noreturn]] void fail(const std::string& field, const std::string& message) const {
        throw Error(name_, field, message);
    }

    void expect(bool holds, const char* array, std::size_t index, const char* member, const char* message) const {
        if (!holds) fail(item(array, index) + "." + member, message);
    }

    static std::string item(const char* array, std::size_t index) {
        return std::string(array) + "[" + std::to_string(index) + "]";
    }

    template <typename T>
    std::span<const T> section(SectionType type) const {
        return sections_.get<T>(type);
    }

    // Of a section that may be left out: then it is empty.
    template <typename T>
    std::span<const T> optional_section(SectionType type) const {
        return sections_.get_or_none<T>(type);
    }

    // --- Records

    // The next text of a heap, which is `what`.
    std::string text(const format::StringRef& reference, std::span<const char> heap, std::size_t& next,
                     const char* what, const char* array, std::size_t index) const {
        const bool fits = reference.offset == next && reference.size <= heap.size() - next;
        if (!fits) fail(item(array, index) + ".name", std::string("does not lie where it must in the ") + what);
        next += reference.size;
        return {heap.data() + reference.offset, reference.size};
    }

    std::string string(const format::StringRef& reference, const char* array, std::size_t index) {
        return text(reference, strings_, next_string_, "strings", array, index);
    }

    static bool finite(std::span<const float> values) {
        return std::ranges::all_of(values, [](float v) { return std::isfinite(v); });
    }

    static bool within(std::int64_t index, std::size_t size) {
        return index >= -1 && index < static_cast<std::int64_t>(size);
    }

    void read_info(EncodeInfo& info) {
        const auto records = section<format::Info>(SectionType::kInfo);
        if (records.size() != 1) fail("info", "must be one record, but are " + std::to_string(records.size()));
        const format::Info& from = records[0];
        info.generator = string(from.generator, "info", 0);
        info.source = string(from.source, "info", 0);
        info.style = string(from.style, "info", 0);
        info.position_bits = from.position_bits;
        info.uv_bits = from.uv_bits;
        info.source_bytes = from.source_bytes;
    }

    void read_notes(std::vector<std::string>& notes) const {
        if (!sections_.has(SectionType::kNotes)) return;
        const auto bytes = section<char>(SectionType::kNotes);
        const std::string_view text(bytes.data(), bytes.size());
        if (const char* fault = note_fault(text)) fail("notes", fault);
        notes = split_notes(text);
    }

    void read_scene(Scene& scene) {
        read_nodes(scene);
        read_mesh_groups(scene);
        read_morph_targets(scene);
        read_node_weights(scene);
        read_materials(scene);
        read_material_extensions(scene);
        read_variants(scene);
        read_textures(scene);
        read_images(scene);
        read_skins(scene);
        read_animations(scene);
        read_lights(scene);
        read_cameras(scene);
        read_channels(sections_, name_, scene);
        scene.name.assign(strings_.begin() + static_cast<std::ptrdiff_t>(next_string_), strings_.end());
        if (next_image_byte_ != image_bytes_.size()) fail("image bytes", "hold more than the images");
        if (next_joint_ != joints_.size()) fail("joints", "are more than the skins have");
    }

    void read_nodes(Scene& scene) {
        const std::size_t groups = section<format::MeshGroup>(SectionType::kMeshGroups).size();
        const std::size_t skins = section<format::Skin>(SectionType::kSkins).size();
        const std::size_t cameras = section<format::Camera>(SectionType::kCameras).size();
        const std::size_t lights = section<format::Light>(SectionType::kLights).size();
        const auto records = section<format::Node>(SectionType::kNodes);
        scene.nodes.reserve(records.size());
        for (std::size_t i = 0; i < records.size(); ++i) {
            const format::Node& from = records[i];
            expect(within(from.parent, i), "nodes", i, "parent", "must be a node before it, or -1");
            expect(within(from.mesh_group, groups), "nodes", i, "mesh_group", "is not one of the mesh groups, or -1");
            expect(within(from.skin, skins), "nodes", i, "skin", "is not one of the skins, or -1");
            expect(within(from.camera, cameras), "nodes", i, "camera", "is not one of the cameras, or -1");
            expect(within(from.light, lights), "nodes", i, "light", "is not one of the lights, or -1");
            expect(from.has_matrix <= 1, "nodes", i, "has_matrix", "must be 0 or 1");
            expect(finite(from.transform), "nodes", i, "transform", "is not finite");
            Node node;
            node.name = string(from.name, "nodes", i);
            node.parent = from.parent;
            node.mesh_group = from.mesh_group;
            node.skin = from.skin;
            node.camera = from.camera;
            node.light = from.light;
            const std::array<float, 16>& t = from.transform;
            if (from.has_matrix == 1) {
                node.has_matrix = true;
                node.matrix = matrix(t);
                expect(t[3] == 0 && t[7] == 0 && t[11] == 0 && t[15] == 1, "nodes", i, "transform", "is not affine");
            } else {
                node.translation = {t[0], t[1], t[2]};
                node.rotation = {t[6], t[3], t[4], t[5]};
                node.scale = {t[7], t[8], t[9]};
            }
            scene.nodes.push_back(std::move(node));
        }
        const auto hidden = optional_section<std::uint32_t>(SectionType::kHiddenNodes);
        for (std::size_t i = 0; i < hidden.size(); ++i) {
            expect(hidden[i] < scene.nodes.size() && (i == 0 || hidden[i] > hidden[i - 1]), "hidden_nodes", i, "node",
                   "must be one of the nodes, after the one before it");
            scene.nodes[hidden[i]].visible = false;
        }
        const std::vector<glm::mat4> world = world_transforms(scene);
        for (std::size_t i = 0; i < world.size(); ++i) {
            expect(finite({&world[i][0][0], 16}), "nodes", i, "transform", "is beyond single precision in the world");
        }
    }

    static glm::mat4 matrix(const std::array<float, 16>& elements) {
        glm::mat4 result;
        for (int i = 0; i < 16; ++i) result[i / 4][i % 4] = elements[static_cast<std::size_t>(i)];
        return result;
    }

    void read_mesh_groups(Scene& scene) {
        std::uint64_t next = 0;
        const auto records = section<format::MeshGroup>(SectionType::kMeshGroups);
        const auto losses = optional_section<std::uint64_t>(SectionType::kGridLosses);
        if (sections_.has(SectionType::kGridLosses) && losses.size() != records.size()) {
            fail("grid losses",
                 "are " + std::to_string(losses.size()) + " for " + std::to_string(records.size()) + " mesh groups");
        }
        for (std::size_t i = 0; i < records.size(); ++i) {
            const format::MeshGroup& from = records[i];
            expect(from.first_mesh == next && from.mesh_count <= mesh_count_ - next, "mesh_groups", i, "first_mesh",
                   "must follow the group before it, within the meshes");
            next += from.mesh_count;
            expect(std::isfinite(from.error_position_max) && std::isfinite(from.error_position_rms) &&
                       std::isfinite(from.error_position_max_relative),
                   "mesh_groups", i, "error", "is not finite");
            MeshGroup group;
            group.name = string(from.name, "mesh_groups", i);
            group.first_mesh = from.first_mesh;
            group.mesh_count = from.mesh_count;
            group.source_triangles = from.source_triangles;
            group.source_vertices = from.source_vertices;
            group.uncompressed_bytes = from.uncompressed_bytes;
            group.dropped_degenerate = from.dropped_degenerate;
            group.dropped_duplicate = from.dropped_duplicate;
            if (!losses.empty()) {
                expect(losses[i] <= from.dropped_degenerate, "grid_losses", i, "triangles",
                       "are more than the degenerate ones");
                group.dropped_by_grid = losses[i];
            }
            group.error_position_max = from.error_position_max;
            group.error_position_rms = from.error_position_rms;
            group.error_position_max_relative = from.error_position_max_relative;
            scene.mesh_groups.push_back(std::move(group));
        }
        if (next != mesh_count_) fail("mesh_groups", "leave meshes out");
        const auto materials = section<std::uint32_t>(SectionType::kMeshMaterials);
        if (materials.size() != mesh_count_) {
            fail("mesh materials",
                 "are " + std::to_string(materials.size()) + " for " + std::to_string(mesh_count_) + " meshes");
        }
        const std::size_t material_count = section<format::Material>(SectionType::kMaterials).size();
        for (std::size_t i = 0; i < materials.size(); ++i) {
            expect(materials[i] < material_count, "mesh_materials", i, "material", "is not one of the materials");
        }
        scene.mesh_materials.assign(materials.begin(), materials.end());
    }

    void read_morph_targets(Scene& scene) const {
        const auto names = optional_section<char>(SectionType::kMorphTargetNames);
        const auto records = optional_section<format::MorphTarget>(SectionType::kMorphTargets);
        std::size_t next_name = 0;
        std::size_t least = 0;  // group
        for (std::size_t i = 0; i < records.size(); ++i) {
            const format::MorphTarget& from = records[i];
            expect(from.mesh_group >= least && from.mesh_group < scene.mesh_groups.size(), "morph_targets", i,
                   "mesh_group", "must be one of the mesh groups, not before that of the record before it");
            least = from.mesh_group;
            MeshGroup& group = scene.mesh_groups[from.mesh_group];
            group.target_names.push_back(text(from.name, names, next_name, "morph target names", "morph_targets", i));
            expect(std::isfinite(from.weight), "morph_targets", i, "weight", "is not finite");
            group.weights.push_back(from.weight);
        }
        if (next_name != names.size()) fail("morph target names", "are more than the morph targets have");
        for (MeshGroup& group : scene.mesh_groups) {
            std::vector<std::string>& all = group.target_names;
            if (std::ranges::all_of(all, [](const auto& name) { return name.empty(); })) all.clear();
        }
    }

    // How many morph targets the meshes of a node have.
    static std::size_t targets_of(const Scene& scene, const Node& node) {
        return node.mesh_group < 0 ? 0 : scene.mesh_groups[static_cast<std::size_t>(node.mesh_group)].weights.size();
    }

    void read_node_weights(Scene& scene) const {
        const auto records = optional_section<format::NodeWeight>(SectionType::kNodeWeights);
        std::size_t next = 0;
        while (next < records.size()) {
            const std::uint32_t index = records[next].node;
            const bool ascends = next == 0 || index > records[next - 1].node;
            expect(ascends && index < scene.nodes.size(), "node_weights", next, "node",
                   "must be one of the nodes, after that of the record before it");
            Node& node = scene.nodes[index];
            const std::size_t first = next;
            for (; next < records.size() && records[next].node == index; ++next) {
                expect(std::isfinite(records[next].weight), "node_weights", next, "weight", "is not finite");
                node.weights.push_back(records[next].weight);
            }
            expect(node.weights.size() == targets_of(scene, node), "node_weights", first, "node",
                   "must have a weight for each morph target of its mesh group");
        }
    }

    // Meshes have the morph targets that their groups say.
    void check_targets(const EncodedScene& encoded) const {
        for (std::size_t g = 0; g < encoded.scene.mesh_groups.size(); ++g) {
            const MeshGroup& group = encoded.scene.mesh_groups[g];
            for (std::uint32_t m = group.first_mesh; m < group.first_mesh + group.mesh_count; ++m) {
                const mesh::MorphMesh* const morph = mesh::mesh_view(encoded.geometry, m).morph;
                if (morph == nullptr || morph->target_count == group.weights.size()) continue;
                fail("meshes[" + std::to_string(m) + "].morphs.target_count",
                     std::to_string(morph->target_count) + ": its mesh group has " +
                         std::to_string(group.weights.size()) + " morph targets");
            }
        }
    }

    // A group of levels of detail has meshlets of one mesh group.
    void check_levels(const EncodedScene& encoded) const {
        constexpr std::size_t kNone = ~std::size_t{0};
        std::vector<std::size_t> owner(encoded.geometry.lod_groups.size(), kNone);
        if (owner.empty()) return;
        for (std::size_t g = 0; g < encoded.scene.mesh_groups.size(); ++g) {
            const MeshGroup& group = encoded.scene.mesh_groups[g];
            for (const mesh::MeshHeader& mesh : encoded.geometry.meshes.subspan(group.first_mesh, group.mesh_count)) {
                for (std::size_t m = mesh.first_meshlet; m < mesh.first_meshlet + mesh.meshlet_count; ++m) {
                    const std::uint32_t lod_group = encoded.geometry.lod_meshlets[m].group;
                    if (lod_group == shared::kNoLodGroup) continue;
                    if (owner[lod_group] == kNone) owner[lod_group] = g;
                    expect(owner[lod_group] == g, "lod_groups", lod_group, "meshlets",
                           "are of more than one mesh group");
                }
            }
        }
    }

    TextureRef texture_ref(const format::TextureRef& from, const char* array, std::size_t index) const {
        const std::size_t textures = section<format::Texture>(SectionType::kTextures).size();
        expect(within(from.texture, textures), array, index, "texture", "is not one of the textures, or -1");
        expect(from.uv_set == 0 || from.uv_set == 1, array, index, "uv_set", "must be 0 or 1");
        const float values[] = {from.offset[0], from.offset[1], from.scale[0],
                                from.scale[1],  from.rotation,  from.strength};
        expect(finite(values), array, index, "texture", "has a transform that is not finite");
        TextureRef reference;
        reference.texture = from.texture;
        reference.uv_set = from.uv_set;
        reference.offset = {from.offset[0], from.offset[1]};
        reference.scale = {from.scale[0], from.scale[1]};
        reference.rotation = from.rotation;
        reference.strength = from.strength;
        return reference;
    }

    void read_materials(Scene& scene) {
        const auto records = section<format::Material>(SectionType::kMaterials);
        for (std::size_t i = 0; i < records.size(); ++i) {
            const format::Material& from = records[i];
            const float values[] = {from.metallic, from.roughness, from.alpha_cutoff};
            expect(finite(from.base_color) && finite(from.emissive) && finite(values), "materials", i, "factors",
                   "are not finite");
            expect(from.flags < 16 && (from.flags & 3U) < 3, "materials", i, "flags", "have bits that are not known");
            Material material;
            material.name = string(from.name, "materials", i);
            for (int c = 0; c < 4; ++c) material.base_color[c] = from.base_color[static_cast<std::size_t>(c)];
            for (int c = 0; c < 3; ++c) material.emissive[c] = from.emissive[static_cast<std::size_t>(c)];
            material.metallic = from.metallic;
            material.roughness = from.roughness;
            material.alpha_cutoff = from.alpha_cutoff;
            material.alpha_mode = static_cast<AlphaMode>(from.flags & 3U);
            material.double_sided = (from.flags & 4U) != 0;
            material.unlit = (from.flags & 8U) != 0;
            material.base_color_texture = texture_ref(from.base_color_texture, "materials", i);
            material.metallic_roughness_texture = texture_ref(from.metallic_roughness_texture, "materials", i);
            material.normal_texture = texture_ref(from.normal_texture, "materials", i);
            material.occlusion_texture = texture_ref(from.occlusion_texture, "materials", i);
            material.emissive_texture = texture_ref(from.emissive_texture, "materials", i);
            scene.materials.push_back(std::move(material));
        }
    }

    void read_material_extensions(Scene& scene) const {
        constexpr const char* kArray = "material_extensions";
        std::size_t next = 0;  // material
        const auto records = optional_section<format::MaterialExtensions>(SectionType::kMaterialExtensions);
        for (std::size_t i = 0; i < records.size(); ++i) {
            const format::MaterialExtensions& from = records[i];
            expect(from.material >= next && from.material < scene.materials.size(), kArray, i, "material",
                   "must be one of the materials, after the record before it");
            next = std::size_t{from.material} + 1;
            std::size_t numbers = 0;
            std::size_t textures = 0;
            for_each_extension_field(
                [&](const MaterialField& field, auto& value) {
                    if constexpr (kIsTexture<decltype(value)>) {
                        value = texture_ref(from.textures.at(textures++), kArray, i);
                    } else {
                        for (float& component : components(value)) {
                            component = from.numbers.at(numbers++);
                            expect(field.range.contains(component), kArray, i, field.name, "is out of its range");
                        }
                    }
                },
                scene.materials[from.material]);
        }
    }

    void read_variants(Scene& scene) const {
        const auto names = optional_section<char>(SectionType::kVariantNames);
        const auto meshes = optional_section<format::VariantMesh>(SectionType::kVariantMeshes);
        const auto records = optional_section<format::Variant>(SectionType::kVariants);
        std::size_t next_name = 0;
        std::size_t next_mesh = 0;
        for (std::size_t i = 0; i < records.size(); ++i) {
            const format::Variant& from = records[i];
            Variant variant;
            variant.name = text(from.name, names, next_name, "variant names", "variants", i);
            expect(from.first_mesh == next_mesh && from.mesh_count <= meshes.size() - next_mesh, "variants", i,
                   "first_mesh", "must follow the variant before it, within the variant meshes");
            const std::size_t end = next_mesh + from.mesh_count;
            for (std::size_t least = 0; next_mesh < end; ++next_mesh) {
                const format::VariantMesh& mesh = meshes[next_mesh];
                expect(mesh.mesh >= least && mesh.mesh < mesh_count_, "variant_meshes", next_mesh, "mesh",
                       "must be one of the meshes, after that of the record before it");
                expect(mesh.material < scene.materials.size(), "variant_meshes", next_mesh, "material",
                       "is not one of the materials");
                least = std::size_t{mesh.mesh} + 1;
                variant.meshes.push_back({mesh.mesh, mesh.material});
            }
            scene.variants.push_back(std::move(variant));
        }
        if (next_name != names.size()) fail("variant names", "are more than the variants have");
        if (next_mesh != meshes.size()) fail("variant meshes", "are more than the variants have");
    }

    void read_textures(Scene& scene) {
        const std::size_t images = section<format::Image>(SectionType::kImages).size();
        const auto samplers = section<format::Sampler>(SectionType::kSamplers);
        const auto textures = section<format::Texture>(SectionType::kTextures);
        for (std::size_t i = 0; i < textures.size(); ++i) {
            expect(textures[i].image >= 0 && within(textures[i].image, images), "textures", i, "image",
                   "is not one of the images");
            expect(within(textures[i].sampler, samplers.size()), "textures", i, "sampler",
                   "is not one of the samplers, or -1");
            scene.textures.push_back({textures[i].image, textures[i].sampler});
        }
        const auto is_wrap = [](std::int32_t mode) { return mode == 33071 || mode == 33648 || mode == 10497; };
        for (std::size_t i = 0; i < samplers.size(); ++i) {
            const format::Sampler& from = samplers[i];
            const bool mag = from.mag_filter == 9728 || from.mag_filter == 9729;
            const bool min = from.min_filter == 9728 || from.min_filter == 9729 ||
                             (from.min_filter >= 9984 && from.min_filter <= 9987);
            expect(mag && min && is_wrap(from.wrap_s) && is_wrap(from.wrap_t), "samplers", i, "filters",
                   "have a value that glTF does not");
            scene.samplers.push_back({from.min_filter, from.mag_filter, from.wrap_s, from.wrap_t});
        }
    }

    void read_images(Scene& scene) {
        const auto records = section<format::Image>(SectionType::kImages);
        for (std::size_t i = 0; i < records.size(); ++i) {
            const format::Image& from = records[i];
            Image image;
            image.name = string(from.name, "images", i);
            image.mime_type = string(from.mime_type, "images", i);
            image.width = from.width;
            image.height = from.height;
            expect(from.offset == next_image_byte_ && from.size <= image_bytes_.size() - next_image_byte_, "images", i,
                   "offset", "must follow the image before it, within the image bytes");
            next_image_byte_ += from.size;
            const bool raw = image.mime_type == kRawImageType;
            expect(raw || find_image_format(image.mime_type) != nullptr, "images", i, "mime_type", "is not known");
            expect(!raw ||
                       (from.width > 0 && from.height > 0 && std::uint64_t{from.width} * from.height <= from.size / 4 &&
                        std::uint64_t{from.width} * from.height * 4 == from.size),
                   "images", i, "size", "is not width * height * 4");
            const auto bytes = image_bytes_.subspan(from.offset, from.size);
            image.bytes.assign(bytes.begin(), bytes.end());
            scene.images.push_back(std::move(image));
        }
    }

    void read_skins(Scene& scene) {
        const auto records = section<format::Skin>(SectionType::kSkins);
        for (std::size_t i = 0; i < records.size(); ++i) {
            const format::Skin& from = records[i];
            expect(within(from.skeleton, scene.nodes.size()), "skins", i, "skeleton", "is not one of the nodes, or -1");
            expect(from.first_joint == next_joint_ && from.joint_count <= joints_.size() - next_joint_, "skins", i,
                   "first_joint", "must follow the skin before it, within the joints");
            next_joint_ += from.joint_count;
            Skin skin;
            skin.name = string(from.name, "skins", i);
            skin.skeleton = from.skeleton;
            for (const format::Joint& joint : joints_.subspan(from.first_joint, from.joint_count)) {
                expect(joint.node < scene.nodes.size(), "skins", i, "joints", "name a node that is not there");
                expect(finite(joint.inverse_bind), "skins", i, "joints", "have a matrix that is not finite");
                skin.joints.push_back(static_cast<int>(joint.node));
                skin.inverse_bind.push_back(matrix(joint.inverse_bind));
            }
            scene.skins.push_back(std::move(skin));
        }
    }

    void read_animations(Scene& scene) {
        const auto records = section<format::Animation>(SectionType::kAnimations);
        for (std::size_t i = 0; i < records.size(); ++i) {
            scene.animations.emplace_back().name = string(records[i].name, "animations", i);
        }
    }

    void read_lights(Scene& scene) {
        const auto records = section<format::Light>(SectionType::kLights);
        for (std::size_t i = 0; i < records.size(); ++i) {
            const format::Light& from = records[i];
            const float values[] = {from.intensity, from.range, from.inner_cone, from.outer_cone};
            expect(finite(from.color) && finite(values), "lights", i, "values", "are not finite");
            expect(from.type <= 2, "lights", i, "type", "is not known");
            Light light;
            light.name = string(from.name, "lights", i);
            light.type = static_cast<LightType>(from.type);
            light.color = {from.color[0], from.color[1], from.color[2]};
            light.intensity = from.intensity;
            light.range = from.range;
            light.inner_cone = from.inner_cone;
            light.outer_cone = from.outer_cone;
            scene.lights.push_back(std::move(light));
        }
    }

    void read_cameras(Scene& scene) {
        const auto records = section<format::Camera>(SectionType::kCameras);
        for (std::size_t i = 0; i < records.size(); ++i) {
            const format::Camera& from = records[i];
            const float values[] = {from.vertical_fov, from.half_height, from.near_plane};
            expect(finite(values), "cameras", i, "values", "are not finite");
            expect(from.orthographic <= 1, "cameras", i, "orthographic", "must be 0 or 1");
            Camera camera;
            camera.name = string(from.name, "cameras", i);
            camera.orthographic = from.orthographic == 1;
            camera.vertical_fov = from.vertical_fov;
            camera.half_height = from.half_height;
            camera.near_plane = from.near_plane;
            scene.cameras.push_back(std::move(camera));
        }
    }

    // Nodes may share a mesh group, so that the file's size alone bounds nothing.
    void check_instances(const Scene& scene) const {
        constexpr std::uint64_t kMaxInstances = 1U << 24U;
        const std::uint64_t count = instance_count(scene);
        if (count > kMaxInstances + bytes_.size()) {
            fail("nodes", "place " + std::to_string(count) + " meshes, out of all proportion to the file");
        }
    }

    // A skin has the joints that the meshes name which it deforms, and places them within single precision.
    void check_skins(const EncodedScene& encoded, ThreadPool* pool) const {
        const Scene& scene = encoded.scene;
        std::vector<std::optional<std::int64_t>> largest(scene.mesh_groups.size());  // joint; -1: nothing deforms
        std::vector<char> known(scene.skins.size(), 0);
        std::vector<glm::mat4> world;
        for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
            const Node& node = scene.nodes[i];
            if (node.mesh_group < 0 || node.skin < 0) continue;
            std::optional<std::int64_t>& joint = largest[static_cast<std::size_t>(node.mesh_group)];
            if (!joint)
                joint = largest_joint(encoded, scene.mesh_groups[static_cast<std::size_t>(node.mesh_group)], pool);
            if (*joint < 0) continue;
            const Skin& skin = scene.skins[static_cast<std::size_t>(node.skin)];
            if (*joint >= static_cast<std::int64_t>(skin.joints.size())) {
                fail("nodes[" + std::to_string(i) + "].skin", "has " + std::to_string(skin.joints.size()) +
                                                                  " joints, but a vertex of its meshes names joint " +
                                                                  std::to_string(*joint));
            }
            if (std::exchange(known[static_cast<std::size_t>(node.skin)], 1) != 0) continue;
            if (world.empty()) world = world_transforms(scene);
            for (std::size_t j = 0; j < skin.joints.size(); ++j) {
                const glm::mat4 joint_matrix = world[static_cast<std::size_t>(skin.joints[j])] * skin.inverse_bind[j];
                expect(finite({&joint_matrix[0][0], 16}), "skins", static_cast<std::size_t>(node.skin), "joints",
                       "have a matrix that is beyond single precision in the world");
            }
        }
    }

    static std::int64_t largest_joint(const EncodedScene& encoded, const MeshGroup& group, ThreadPool* pool) {
        std::int64_t largest = -1;
        for (std::uint32_t m = group.first_mesh; m < group.first_mesh + group.mesh_count; ++m) {
            const mesh::MeshView mesh = mesh::mesh_view(encoded.geometry, m);
            if (!mesh::deforms(*mesh.header)) continue;
            largest = std::max<std::int64_t>(largest, mesh::largest_joint(mesh, pool));
        }
        return largest;
    }

    std::span<const std::byte> bytes_;
    std::string name_;
    mesh::Sections sections_;
    std::span<const char> strings_;
    std::span<const std::uint8_t> image_bytes_;
    std::span<const format::Joint> joints_;
    std::size_t mesh_count_ = 0;
    std::size_t next_string_ = 0, next_image_byte_ = 0, next_joint_ = 0;
};

}  // namespace

EncodedScene open_sublet(const std::filesystem::path& path, ThreadPool* pool, mesh::Validate what) {
    struct Storage {
        MappedFile file;
        mesh::LongBounds bounds;
    };
    auto storage = std::make_shared<Storage>();
    EncodedScene encoded;
    encoded.payload_file = std::make_shared<OpenFile>(path);
    storage->file = MappedFile(path, *encoded.payload_file);
    const std::span<const std::byte> bytes = storage->file.bytes();
    SceneReader reader(bytes, path_text(path));
    reader.read(encoded, storage->bounds, what, pool);
    encoded.file_bytes = bytes.size();
    encoded.payload_offset = reader.offset_of(encoded.geometry.payload);
    encoded.storage = std::move(storage);
    return encoded;
}

}  // namespace sublet::scene
