// open_sublet: every offset, count, index and number of a container is checked here, once.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <span>
#include <string_view>

#include "base/error.h"
#include "base/mapped_file.h"
#include "scene/container.h"
#include "scene/container_format.h"
#include "scene/notes.h"

namespace sublet::scene {
namespace {

using format::SectionType;

struct SectionRule {
    SectionType type;
    const char* name;
    std::uint32_t element_size;
};

constexpr SectionRule kSections[] = {
    {SectionType::kInfo, "info", sizeof(format::Info)},
    {SectionType::kMeshes, "meshes", sizeof(shared::MeshHeader)},
    {SectionType::kSubletBounds, "sublet bounds", sizeof(shared::Bound)},
    {SectionType::kMeshletBounds, "meshlet bounds", sizeof(shared::Bound)},
    {SectionType::kStreams, "streams", sizeof(shared::StreamHeader)},
    {SectionType::kPayload, "payload", sizeof(std::uint32_t)},
    {SectionType::kNodes, "nodes", sizeof(format::Node)},
    {SectionType::kMeshGroups, "mesh groups", sizeof(format::MeshGroup)},
    {SectionType::kMeshMaterials, "mesh materials", sizeof(std::uint32_t)},
    {SectionType::kMaterials, "materials", sizeof(format::Material)},
    {SectionType::kTextures, "textures", sizeof(format::Texture)},
    {SectionType::kSamplers, "samplers", sizeof(format::Sampler)},
    {SectionType::kImages, "images", sizeof(format::Image)},
    {SectionType::kImageBytes, "image bytes", 1},
    {SectionType::kSkins, "skins", sizeof(format::Skin)},
    {SectionType::kJoints, "joints", sizeof(format::Joint)},
    {SectionType::kAnimations, "animations", sizeof(format::Animation)},
    {SectionType::kChannels, "channels", sizeof(format::Channel)},
    {SectionType::kAnimationFloats, "animation floats", sizeof(float)},
    {SectionType::kLights, "lights", sizeof(format::Light)},
    {SectionType::kCameras, "cameras", sizeof(format::Camera)},
    {SectionType::kStrings, "strings", 1},
    {SectionType::kGridLosses, "grid losses", sizeof(std::uint64_t)},
    {SectionType::kNotes, "notes", 1},
};

constexpr bool is_optional(SectionType type) {
    return (static_cast<std::uint32_t>(type) & format::kOptionalBit) != 0;
}

// The container while it is read.
class Reader {
  public:
    Reader(std::span<const std::byte> bytes, std::string name) : bytes_(bytes), name_(std::move(name)) {
        read_table();
        strings_ = section<char>(SectionType::kStrings);
        image_bytes_ = section<std::uint8_t>(SectionType::kImageBytes);
        joints_ = section<format::Joint>(SectionType::kJoints);
        channels_ = section<format::Channel>(SectionType::kChannels);
        floats_ = section<float>(SectionType::kAnimationFloats);
    }

    void read(EncodedScene& encoded) {
        read_info(encoded.info);
        read_notes(encoded.notes);
        encoded.geometry = {
            section<shared::MeshHeader>(SectionType::kMeshes), section<shared::Bound>(SectionType::kSubletBounds),
            section<shared::Bound>(SectionType::kMeshletBounds), section<shared::StreamHeader>(SectionType::kStreams),
            section<std::uint32_t>(SectionType::kPayload)};
        mesh::validate(encoded.geometry, name_);
        mesh_count_ = encoded.geometry.meshes.size();
        read_scene(encoded.scene);
        check_instances(encoded.scene);
    }

  private:
    [[noreturn]] void fail(const std::string& field, const std::string& message) const {
        throw Error(name_, field, message);
    }

    void expect(bool holds, const char* array, std::size_t index, const char* member, const char* message) const {
        if (!holds) fail(std::string(array) + "[" + std::to_string(index) + "]." + member, message);
    }

    // --- Header and table

    void read_table() {
        format::FileHeader header{};
        if (bytes_.size() < sizeof header) fail("header", "the file is truncated, or no .sublet file");
        std::memcpy(&header, bytes_.data(), sizeof header);
        if (header.magic != format::kMagic) fail("header", "this is not a .sublet file");
        if (header.version != format::kVersion) {
            fail("header.version", "is " + std::to_string(header.version) + ", but only version " +
                                       std::to_string(format::kVersion) +
                                       " is known: encode the scene again with this program, or use a newer one");
        }
        if (header.file_size != bytes_.size()) {
            fail("header.file_size", "is " + std::to_string(header.file_size) + ", but the file has " +
                                         std::to_string(bytes_.size()) + " bytes: it is truncated or was added to");
        }
        if (header.table_offset != sizeof header) fail("header.table_offset", "must be 64");
        if (header.section_count > format::kMaxSections ||
            header.section_count * sizeof(format::SectionEntry) > bytes_.size() - sizeof header) {
            fail("header.section_count",
                 "is " + std::to_string(header.section_count) + ", more than the file can hold");
        }
        std::vector<format::SectionEntry> table(header.section_count);
        if (!table.empty()) {
            std::memcpy(table.data(), bytes_.data() + sizeof header, table.size() * sizeof table[0]);
        }
        for (std::size_t i = 0; i < table.size(); ++i) check_entry(table[i], i);
        check_overlaps(table);
        for (const SectionRule& rule : kSections) {
            if (sections_.count(rule.type) == 0 && !is_optional(rule.type))
                fail("table", std::string("has no section \"") + rule.name + "\"");
        }
    }

    void check_entry(const format::SectionEntry& entry, std::size_t index) {
        const auto rule = std::find_if(std::begin(kSections), std::end(kSections), [&](const SectionRule& known) {
            return static_cast<std::uint32_t>(known.type) == entry.type;
        });
        const bool known = rule != std::end(kSections);
        const std::string field =
            "table[" + std::to_string(index) + "]" + (known ? std::string(" (") + rule->name + ")" : "");
        if (!known && (entry.type & format::kOptionalBit) == 0) {
            fail(field + ".type",
                 "is " + std::to_string(entry.type) + ", a section that this version does not know and may not skip");
        }
        if (known && entry.element_size != rule->element_size) {
            fail(field + ".element_size",
                 "is " + std::to_string(entry.element_size) + ", but must be " + std::to_string(rule->element_size));
        }
        if (entry.offset % format::kAlignment != 0) {
            fail(field + ".offset", "is " + std::to_string(entry.offset) + ", not a multiple of 64");
        }
        if (entry.offset > bytes_.size() || entry.size > bytes_.size() - entry.offset) {
            fail(field, "takes " + std::to_string(entry.size) + " bytes from " + std::to_string(entry.offset) +
                            ", which leave the file of " + std::to_string(bytes_.size()));
        }
        // The size is within the file: the product cannot overflow where it is equal.
        if (entry.element_size == 0 || entry.size % entry.element_size != 0 ||
            entry.size / entry.element_size != entry.count) {
            fail(field + ".size", "is " + std::to_string(entry.size) + ", not " + std::to_string(entry.count) +
                                      " elements of " + std::to_string(entry.element_size) + " bytes");
        }
        if (known && !sections_.emplace(rule->type, bytes_.subspan(entry.offset, entry.size)).second) {
            fail(field, "is in the table twice");
        }
    }

    void check_overlaps(std::vector<format::SectionEntry>& table) const {
        std::sort(table.begin(), table.end(), [](const auto& a, const auto& b) {
            return a.offset != b.offset ? a.offset < b.offset : a.size < b.size;
        });
        std::uint64_t end = sizeof(format::FileHeader) + table.size() * sizeof(format::SectionEntry);
        for (const format::SectionEntry& entry : table) {
            if (entry.offset < end) {
                fail("table", "the section at " + std::to_string(entry.offset) + " overlaps what ends at " +
                                  std::to_string(end));
            }
            end = entry.offset + entry.size;
        }
    }

    template <typename T>
    std::span<const T> section(SectionType type) const {
        const std::span<const std::byte> bytes = sections_.at(type);
        return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
    }

    // --- Records

    std::string string(const format::StringRef& reference, const char* array, std::size_t index) {
        expect(reference.offset == next_string_ && reference.size <= strings_.size() - next_string_, array, index,
               "name", "does not lie where it must in the strings");
        next_string_ += reference.size;
        return std::string(strings_.data() + reference.offset, reference.size);
    }

    static bool finite(std::span<const float> values) {
        return std::all_of(values.begin(), values.end(), [](float v) { return std::isfinite(v); });
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
        if (sections_.count(SectionType::kNotes) == 0) return;
        const auto bytes = section<char>(SectionType::kNotes);
        const std::string_view text(bytes.data(), bytes.size());
        if (const char* fault = note_fault(text)) fail("notes", fault);
        notes = split_notes(text);
    }

    void read_scene(Scene& scene) {
        read_nodes(scene);
        read_mesh_groups(scene);
        read_materials(scene);
        read_textures(scene);
        read_images(scene);
        read_skins(scene);
        read_animations(scene);
        read_lights(scene);
        read_cameras(scene);
        scene.name.assign(strings_.begin() + static_cast<std::ptrdiff_t>(next_string_), strings_.end());
        if (next_image_byte_ != image_bytes_.size()) fail("image bytes", "hold more than the images");
        if (next_joint_ != joints_.size()) fail("joints", "are more than the skins have");
        if (next_channel_ != channels_.size()) fail("channels", "are more than the animations have");
        if (next_float_ != floats_.size()) fail("animation floats", "are more than the channels have");
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
        std::span<const std::uint64_t> losses;
        if (sections_.count(SectionType::kGridLosses) != 0) {
            losses = section<std::uint64_t>(SectionType::kGridLosses);
            if (losses.size() != records.size()) {
                fail("grid losses", "are " + std::to_string(losses.size()) + " for " + std::to_string(records.size()) +
                                        " mesh groups");
            }
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

    TextureRef texture_ref(const format::TextureRef& from, std::size_t material) const {
        const std::size_t textures = section<format::Texture>(SectionType::kTextures).size();
        expect(within(from.texture, textures), "materials", material, "texture", "is not one of the textures, or -1");
        expect(from.uv_set == 0 || from.uv_set == 1, "materials", material, "uv_set", "must be 0 or 1");
        const float values[] = {from.offset[0], from.offset[1], from.scale[0],
                                from.scale[1],  from.rotation,  from.strength};
        expect(finite(values), "materials", material, "texture", "has a transform that is not finite");
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
            material.base_color_texture = texture_ref(from.base_color_texture, i);
            material.metallic_roughness_texture = texture_ref(from.metallic_roughness_texture, i);
            material.normal_texture = texture_ref(from.normal_texture, i);
            material.occlusion_texture = texture_ref(from.occlusion_texture, i);
            material.emissive_texture = texture_ref(from.emissive_texture, i);
            scene.materials.push_back(std::move(material));
        }
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
            expect(raw || image.mime_type == "image/png" || image.mime_type == "image/jpeg", "images", i, "mime_type",
                   "is not known");
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
            const format::Animation& from = records[i];
            expect(from.first_channel == next_channel_ && from.channel_count <= channels_.size() - next_channel_,
                   "animations", i, "first_channel", "must follow the animation before it, within the channels");
            Animation animation;
            animation.name = string(from.name, "animations", i);
            for (std::uint32_t c = 0; c < from.channel_count; ++c) {
                animation.channels.push_back(read_channel(next_channel_++, scene.nodes.size()));
            }
            scene.animations.push_back(std::move(animation));
        }
    }

    AnimationChannel read_channel(std::size_t index, std::size_t nodes) {
        const format::Channel& from = channels_[index];
        expect(from.node < nodes, "channels", index, "node", "is not one of the nodes");
        expect(from.path <= 3 && from.interpolation <= 2, "channels", index, "path", "is not known");
        const std::size_t left = floats_.size() - next_float_;
        expect(from.first_float == next_float_ && from.key_count > 0 && from.key_count <= left &&
                   from.value_count <= left - from.key_count,
               "channels", index, "first_float", "must follow the channel before it, within the animation floats");
        AnimationChannel channel;
        channel.node = static_cast<int>(from.node);
        channel.path = static_cast<AnimationPath>(from.path);
        channel.interpolation = static_cast<Interpolation>(from.interpolation);
        const std::uint64_t per_key = (channel.interpolation == Interpolation::kCubicSpline ? 3U : 1U) *
                                      (channel.path == AnimationPath::kRotation  ? 4U
                                       : channel.path == AnimationPath::kWeights ? 1U
                                                                                 : 3U);
        expect(channel.path == AnimationPath::kWeights ? from.value_count % (from.key_count * per_key) == 0
                                                       : from.value_count == from.key_count * per_key,
               "channels", index, "value_count", "does not fit its keys");
        const auto times = floats_.subspan(next_float_, from.key_count);
        const auto values = floats_.subspan(next_float_ + from.key_count, from.value_count);
        expect(finite(times) && std::is_sorted(times.begin(), times.end()), "channels", index, "times",
               "do not ascend");
        expect(finite(values), "channels", index, "values", "are not finite");
        channel.times.assign(times.begin(), times.end());
        channel.values.assign(values.begin(), values.end());
        next_float_ += from.key_count + from.value_count;
        return channel;
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

    std::span<const std::byte> bytes_;
    std::string name_;
    std::map<SectionType, std::span<const std::byte>> sections_;
    std::span<const char> strings_;
    std::span<const std::uint8_t> image_bytes_;
    std::span<const format::Joint> joints_;
    std::span<const format::Channel> channels_;
    std::span<const float> floats_;
    std::size_t mesh_count_ = 0;
    std::size_t next_string_ = 0, next_image_byte_ = 0, next_joint_ = 0, next_channel_ = 0, next_float_ = 0;
};

}  // namespace

EncodedScene open_sublet(const std::filesystem::path& path) {
    auto file = std::make_shared<MappedFile>(path);
    EncodedScene encoded;
    Reader(file->bytes(), path.string()).read(encoded);
    encoded.file_bytes = file->bytes().size();
    encoded.storage = std::move(file);
    return encoded;
}

}  // namespace sublet::scene
