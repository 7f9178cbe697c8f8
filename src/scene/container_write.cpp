// write_sublet: the scene as records, then header, table and sections in order.
#include <functional>
#include <limits>
#include <span>
#include <string_view>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/progress.h"
#include "mesh/container_format.h"
#include "mesh/short_bounds.h"
#include "scene/container.h"
#include "scene/material_fields.h"
#include "scene/notes.h"

namespace sublet::scene {
namespace {

using format::SectionType;

constexpr std::uint64_t align(std::uint64_t offset) {
    return (offset + format::kAlignment - 1) / format::kAlignment * format::kAlignment;
}

template <typename To, typename From>
To narrow(From value, const char* what) {
    if (value > std::numeric_limits<To>::max()) throw Error(std::string("the scene has too many ") + what);
    return static_cast<To>(value);
}

std::array<float, 16> elements(const glm::mat4& matrix) {
    std::array<float, 16> result{};
    for (int i = 0; i < 16; ++i) result[static_cast<std::size_t>(i)] = matrix[i / 4][i % 4];
    return result;
}

// The scene's records and heaps, ready to be written. Image bytes stay in the scene.
struct Records {
    explicit Records(const EncodedScene& encoded) {
        const Scene& scene = encoded.scene;
        const EncodeInfo& from = encoded.info;
        info = {string(from.generator), string(from.source), string(from.style),
                from.position_bits,     from.uv_bits,        from.source_bytes};
        for (const Node& node : scene.nodes) {
            for (const float weight : node.weights) {
                node_weights.push_back({narrow<std::uint32_t>(nodes.size(), "nodes"), weight});
            }
            if (!node.visible) hidden_nodes.push_back(narrow<std::uint32_t>(nodes.size(), "nodes"));
            nodes.push_back(record(node));
        }
        for (const MeshGroup& group : scene.mesh_groups) {
            add_targets(group);
            if (group.dropped_by_grid) grid_losses.push_back(*group.dropped_by_grid);
            mesh_groups.push_back({string(group.name), group.first_mesh, group.mesh_count, group.source_triangles,
                                   group.source_vertices, group.uncompressed_bytes, group.dropped_degenerate,
                                   group.dropped_duplicate, group.error_position_max, group.error_position_rms,
                                   group.error_position_max_relative});
        }
        for (const Material& material : scene.materials) {
            if (has_extension_fields(material)) material_extensions.push_back(extensions_record(material));
            materials.push_back(record(material));
        }
        for (const Variant& variant : scene.variants) add(variant);
        for (const Texture& texture : scene.textures) textures.push_back({texture.image, texture.sampler});
        for (const Sampler& sampler : scene.samplers) {
            samplers.push_back({sampler.min_filter, sampler.mag_filter, sampler.wrap_s, sampler.wrap_t});
        }
        for (const Image& image : scene.images) {
            images.push_back({string(image.name), string(image.mime_type), image.width, image.height, image_size,
                              image.bytes.size()});
            image_size += image.bytes.size();
        }
        for (const Skin& skin : scene.skins) add(skin);
        for (const Animation& animation : scene.animations) add(animation);
        for (const Light& light : scene.lights) {
            lights.push_back({string(light.name),
                              static_cast<std::uint32_t>(light.type),
                              {light.color.x, light.color.y, light.color.z},
                              light.intensity,
                              light.range,
                              light.inner_cone,
                              light.outer_cone});
        }
        for (const Camera& camera : scene.cameras) {
            cameras.push_back({string(camera.name), camera.orthographic ? 1U : 0U, camera.vertical_fov,
                               camera.half_height, camera.near_plane});
        }
        // The scene's own name goes last: readers take it from what is left of the heap.
        strings += scene.name;
        notes = join_notes(encoded.notes);
    }

    static format::StringRef add_text(std::string& heap, std::string_view text) {
        const format::StringRef reference{narrow<std::uint32_t>(heap.size(), "names"),
                                          narrow<std::uint32_t>(text.size(), "names")};
        heap += text;
        return reference;
    }
    format::StringRef string(std::string_view text) { return add_text(strings, text); }

    format::Node record(const Node& node) {
        format::Node result{string(node.name), node.parent, node.mesh_group,           node.skin,
                            node.camera,       node.light,  node.has_matrix ? 1U : 0U, {}};
        if (node.has_matrix) {
            result.transform = elements(node.matrix);
        } else {
            result.transform = {node.translation.x, node.translation.y, node.translation.z, node.rotation.x,
                                node.rotation.y,    node.rotation.z,    node.rotation.w,    node.scale.x,
                                node.scale.y,       node.scale.z};
        }
        return result;
    }

    static format::TextureRef record(const TextureRef& reference) {
        return {reference.texture,
                reference.uv_set,
                {reference.offset.x, reference.offset.y},
                {reference.scale.x, reference.scale.y},
                reference.rotation,
                reference.strength};
    }

    format::Material record(const Material& material) {
        format::Material result{};
        result.name = string(material.name);
        for (int i = 0; i < 4; ++i) result.base_color[static_cast<std::size_t>(i)] = material.base_color[i];
        result.metallic = material.metallic;
        result.roughness = material.roughness;
        result.alpha_cutoff = material.alpha_cutoff;
        result.flags = static_cast<std::uint32_t>(material.alpha_mode) | (material.double_sided ? 4U : 0U) |
                       (material.unlit ? 8U : 0U);
        result.emissive = {material.emissive.x, material.emissive.y, material.emissive.z};
        result.base_color_texture = record(material.base_color_texture);
        result.metallic_roughness_texture = record(material.metallic_roughness_texture);
        result.normal_texture = record(material.normal_texture);
        result.occlusion_texture = record(material.occlusion_texture);
        result.emissive_texture = record(material.emissive_texture);
        return result;
    }

    // Of the material that comes next.
    [[nodiscard]] format::MaterialExtensions extensions_record(const Material& material) const {
        format::MaterialExtensions result{};
        result.material = narrow<std::uint32_t>(materials.size(), "materials");
        std::size_t numbers = 0;
        std::size_t textures = 0;
        for_each_extension_field(
            [&](const MaterialField&, const auto& value) {
                if constexpr (kIsTexture<decltype(value)>) {
                    result.textures.at(textures++) = record(value);
                } else {
                    for (const float component : components(value)) result.numbers.at(numbers++) = component;
                }
            },
            material);
        return result;
    }

    void add(const Variant& variant) {
        variants.push_back({add_text(variant_names, variant.name),
                            narrow<std::uint32_t>(variant_meshes.size(), "variants"),
                            narrow<std::uint32_t>(variant.meshes.size(), "variants")});
        for (const Variant::Mesh& mesh : variant.meshes) variant_meshes.push_back({mesh.mesh, mesh.material});
    }

    // Of the group that comes next.
    void add_targets(const MeshGroup& group) {
        for (std::size_t i = 0; i < group.weights.size(); ++i) {
            const std::string_view name = group.target_names.empty() ? std::string_view() : group.target_names[i];
            morph_targets.push_back({add_text(morph_target_names, name),
                                     narrow<std::uint32_t>(mesh_groups.size(), "mesh groups"), group.weights[i]});
        }
    }

    void add(const Skin& skin) {
        skins.push_back({string(skin.name), skin.skeleton, narrow<std::uint32_t>(joints.size(), "joints"),
                         narrow<std::uint32_t>(skin.joints.size(), "joints"), 0});
        for (std::size_t j = 0; j < skin.joints.size(); ++j) {
            joints.push_back({elements(skin.inverse_bind[j]), static_cast<std::uint32_t>(skin.joints[j]), {}});
        }
    }

    void add(const Animation& animation) {
        const std::size_t first = channels.size();
        for (const AnimationChannel& channel : animation.channels) {
            if (!is_plain(channel.path)) {
                add_pointed(channel);
                continue;
            }
            channels.push_back({static_cast<std::uint32_t>(channel.node), static_cast<std::uint32_t>(channel.path),
                                static_cast<std::uint32_t>(channel.interpolation),
                                narrow<std::uint32_t>(channel.times.size(), "keys"), animation_floats.size(),
                                channel.values.size()});
            add_keys(animation_floats, channel);
        }
        animations.push_back({string(animation.name), narrow<std::uint32_t>(first, "channels"),
                              narrow<std::uint32_t>(channels.size() - first, "channels")});
    }

    // Of the animation that comes next.
    void add_pointed(const AnimationChannel& channel) {
        const int target = is_of_node(channel.path)    ? channel.node
                           : is_of_light(channel.path) ? channel.light
                                                       : channel.material;
        const glm::vec4& emission = channel.emission;
        pointer_channels.push_back({narrow<std::uint32_t>(animations.size(), "animations"),
                                    static_cast<std::uint32_t>(channel.path),
                                    static_cast<std::uint32_t>(target),
                                    channel.texture,
                                    static_cast<std::uint32_t>(channel.interpolation),
                                    narrow<std::uint32_t>(channel.times.size(), "keys"),
                                    pointer_floats.size(),
                                    channel.values.size(),
                                    {emission.x, emission.y, emission.z, emission.w}});
        add_keys(pointer_floats, channel);
    }

    static void add_keys(std::vector<float>& floats, const AnimationChannel& channel) {
        floats.insert(floats.end(), channel.times.begin(), channel.times.end());
        floats.insert(floats.end(), channel.values.begin(), channel.values.end());
    }

    format::Info info{};
    std::vector<format::Node> nodes;
    std::vector<format::MeshGroup> mesh_groups;
    std::vector<std::uint32_t> hidden_nodes;
    std::vector<std::uint64_t> grid_losses;  // as many, or none
    std::vector<format::Material> materials;
    std::vector<format::MaterialExtensions> material_extensions;
    std::vector<format::Variant> variants;
    std::vector<format::VariantMesh> variant_meshes;
    std::string variant_names;
    std::vector<format::MorphTarget> morph_targets;
    std::string morph_target_names;
    std::vector<format::NodeWeight> node_weights;
    std::vector<format::Texture> textures;
    std::vector<format::Sampler> samplers;
    std::vector<format::Image> images;
    std::vector<format::Skin> skins;
    std::vector<format::Joint> joints;
    std::vector<format::Animation> animations;
    std::vector<format::Channel> channels;
    std::vector<float> animation_floats;
    std::vector<format::PointerChannel> pointer_channels;
    std::vector<float> pointer_floats;
    std::vector<format::Light> lights;
    std::vector<format::Camera> cameras;
    std::string strings;
    std::string notes;
    std::uint64_t image_size = 0;
};

struct Section {
    SectionType type{};
    std::uint32_t element_size = 0;
    std::uint64_t count = 0;
    std::function<void(AtomicFile&)> write;
    std::uint64_t offset = 0;

    [[nodiscard]] std::uint64_t size() const { return count * element_size; }
};

// Of an array that will have `count` elements.
template <typename Range>
Section section(SectionType type, const Range& range, std::uint64_t count) {
    const std::span elements(range);
    return {type, sizeof(elements[0]), count, [=](AtomicFile& file) { file.write_objects(elements); }, 0};
}

template <typename Range>
Section section(SectionType type, const Range& range) {
    return section(type, range, std::size(range));
}

// Bounds as a file has them short, mesh by mesh.
template <typename T>
Section short_bounds(SectionType type, const mesh::GeometryView& geometry, std::vector<T> mesh::ShortBounds::*part,
                     std::uint64_t count) {
    const auto write = [&geometry, part](AtomicFile& file) {
        for (std::uint32_t m = 0; m < geometry.meshes.size(); ++m) {
            const mesh::ShortBounds bounds = mesh::shorten(mesh::mesh_view(geometry, m)).value();
            file.write_objects(std::span<const T>(bounds.*part));
        }
    };
    return {type, sizeof(T), count, write, 0};
}

struct Layout {
    std::vector<Section> sections;
    std::uint64_t file_size = 0;
};

// `counts`: of the geometry's arrays, as many as it has, or others where nothing is to be written.
Layout lay_out(const EncodedScene& encoded, const mesh::GeometryEnd& counts, const mesh::BoundSizes& bounds,
               const Records& records, bool with_images) {
    const mesh::GeometryView& geometry = encoded.geometry;
    const bool is_short = bounds.are_short();
    Layout layout;
    layout.sections = {
        section(SectionType::kInfo, std::span(&records.info, 1)),
        section(SectionType::kMeshes, geometry.meshes, counts.meshes),
        section(SectionType::kSubletBounds, geometry.sublet_bounds, is_short ? 0 : counts.sublet_bounds),
        section(SectionType::kMeshletBounds, geometry.meshlet_bounds, is_short ? 0 : counts.meshlet_bounds),
        section(SectionType::kStreams, geometry.streams, counts.streams),
        section(SectionType::kPayload, geometry.payload, counts.payload),
        section(SectionType::kNodes, records.nodes),
        section(SectionType::kMeshGroups, records.mesh_groups),
        section(SectionType::kMeshMaterials, encoded.scene.mesh_materials),
        section(SectionType::kMaterials, records.materials),
        section(SectionType::kTextures, records.textures),
        section(SectionType::kSamplers, records.samplers),
        section(SectionType::kImages, records.images),
        {SectionType::kImageBytes, 1, with_images ? records.image_size : 0,
         [&](AtomicFile& file) {
             for (const Image& image : encoded.scene.images) file.write(std::as_bytes(std::span(image.bytes)));
         },
         0},
        section(SectionType::kSkins, records.skins),
        section(SectionType::kJoints, records.joints),
        section(SectionType::kAnimations, records.animations),
        section(SectionType::kChannels, records.channels),
        section(SectionType::kAnimationFloats, records.animation_floats),
        section(SectionType::kLights, records.lights),
        section(SectionType::kCameras, records.cameras),
        section(SectionType::kStrings, records.strings),
    };
    // What many scenes lack is left out there.
    const auto add_if = [&layout](bool there, std::initializer_list<Section> sections) {
        if (there) layout.sections.insert(layout.sections.end(), sections);
    };
    add_if(!records.hidden_nodes.empty(), {section(SectionType::kHiddenNodes, records.hidden_nodes)});
    add_if(records.grid_losses.size() == records.mesh_groups.size(),
           {section(SectionType::kGridLosses, records.grid_losses)});
    add_if(!records.material_extensions.empty(),
           {section(SectionType::kMaterialExtensions, records.material_extensions)});
    add_if(!records.variants.empty(), {section(SectionType::kVariants, records.variants),
                                       section(SectionType::kVariantNames, records.variant_names),
                                       section(SectionType::kVariantMeshes, records.variant_meshes)});
    add_if(counts.lod_meshlets != 0, {section(SectionType::kLodGroups, geometry.lod_groups, counts.lod_groups),
                                      section(SectionType::kLodMeshlets, geometry.lod_meshlets, counts.lod_meshlets)});
    add_if(is_short,
           {short_bounds(SectionType::kShortSubletBounds, geometry, &mesh::ShortBounds::sublets, counts.sublet_bounds),
            short_bounds(SectionType::kShortMeshletBounds, geometry, &mesh::ShortBounds::meshlets,
                         counts.meshlet_bounds)});
    add_if(counts.morphs != 0, {section(SectionType::kMorphs, geometry.morphs, counts.morphs),
                                section(SectionType::kMorphMasks, geometry.morph_masks, counts.morph_masks),
                                section(SectionType::kMorphStreams, geometry.morph_streams, counts.morph_streams),
                                section(SectionType::kMorphPayload, geometry.morph_payload, counts.morph_payload)});
    add_if(!records.morph_targets.empty(), {section(SectionType::kMorphTargets, records.morph_targets),
                                            section(SectionType::kMorphTargetNames, records.morph_target_names)});
    add_if(!records.node_weights.empty(), {section(SectionType::kNodeWeights, records.node_weights)});
    add_if(!records.pointer_channels.empty(), {section(SectionType::kPointerChannels, records.pointer_channels),
                                               section(SectionType::kPointerFloats, records.pointer_floats)});
    add_if(!records.notes.empty(), {section(SectionType::kNotes, records.notes)});
    std::uint64_t offset = sizeof(format::FileHeader) + layout.sections.size() * sizeof(format::SectionEntry);
    for (Section& section : layout.sections) {
        section.offset = align(offset);
        offset = section.offset + section.size();
    }
    layout.file_size = offset;
    return layout;
}

void pad(AtomicFile& file, std::uint64_t offset) {
    constexpr std::array<std::byte, format::kAlignment> kZeros{};
    file.write(std::span(kZeros).first(static_cast<std::size_t>(offset - file.position())));
}

}  // namespace

std::uint64_t size_without_images(const EncodedScene& scene, const mesh::GeometryEnd& counts,
                                  const mesh::BoundSizes& bounds) {
    return lay_out(scene, counts, bounds, Records(scene), false).file_size;
}

void write_sublet(const std::filesystem::path& path, const EncodedScene& scene) {
    const Records records(scene);
    const Layout layout =
        lay_out(scene, mesh::end_of(scene.geometry), mesh::bound_sizes(scene.geometry), records, true);
    AtomicFile file(path);
    format::FileHeader header{};
    header.magic = format::kMagic;
    header.version = format::kVersion;
    header.section_count = static_cast<std::uint32_t>(layout.sections.size());
    header.file_size = layout.file_size;
    header.table_offset = sizeof header;
    file.write_objects(std::span<const format::FileHeader>(&header, 1));
    for (const Section& section : layout.sections) {
        const format::SectionEntry entry{static_cast<std::uint32_t>(section.type), section.element_size, section.offset,
                                         section.count, section.size()};
        file.write_objects(std::span<const format::SectionEntry>(&entry, 1));
    }
    Progress progress("write", layout.file_size, "bytes");
    for (const Section& section : layout.sections) {
        pad(file, section.offset);
        if (section.count > 0) section.write(file);
        progress.advance(section.size());
    }
    file.commit();
}

}  // namespace sublet::scene
