#include "mesh/sections.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/error.h"

namespace sublet::mesh {
namespace {

using format::SectionType;

struct SectionRule {
    SectionType type;
    const char* name;
    std::uint32_t element_size;
};

constexpr SectionRule kSections[] = {
    {SectionType::kInfo, "info", sizeof(format::Info)},
    {SectionType::kMeshes, "meshes", sizeof(MeshHeader)},
    {SectionType::kSubletBounds, "sublet bounds", sizeof(Bound)},
    {SectionType::kMeshletBounds, "meshlet bounds", sizeof(Bound)},
    {SectionType::kStreams, "streams", sizeof(StreamHeader)},
    {SectionType::kPayload, "payload", sizeof(std::uint32_t)},
    {SectionType::kLodGroups, "lod groups", sizeof(LodGroup)},
    {SectionType::kLodMeshlets, "lod meshlets", sizeof(LodMeshlet)},
    {SectionType::kShortSubletBounds, "short sublet bounds", sizeof(format::ShortSubletBound)},
    {SectionType::kShortMeshletBounds, "short meshlet bounds", sizeof(format::ShortMeshletBound)},
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
    {SectionType::kHiddenNodes, "hidden nodes", sizeof(std::uint32_t)},
    {SectionType::kGridLosses, "grid losses", sizeof(std::uint64_t)},
    {SectionType::kNotes, "notes", 1},
    {SectionType::kMaterialExtensions, "material extensions", sizeof(format::MaterialExtensions)},
    {SectionType::kVariants, "variants", sizeof(format::Variant)},
    {SectionType::kVariantNames, "variant names", 1},
    {SectionType::kVariantMeshes, "variant meshes", sizeof(format::VariantMesh)},
    {SectionType::kMorphs, "morphs", sizeof(MorphMesh)},
    {SectionType::kMorphMasks, "morph masks", sizeof(MorphMask)},
    {SectionType::kMorphStreams, "morph streams", sizeof(StreamHeader)},
    {SectionType::kMorphPayload, "morph payload", sizeof(std::uint32_t)},
    {SectionType::kMorphTargets, "morph targets", sizeof(format::MorphTarget)},
    {SectionType::kMorphTargetNames, "morph target names", 1},
    {SectionType::kNodeWeights, "node weights", sizeof(format::NodeWeight)},
    {SectionType::kPointerChannels, "pointer channels", sizeof(format::PointerChannel)},
    {SectionType::kPointerFloats, "pointer floats", sizeof(float)},
};

// Whether a file may lack it.
constexpr bool is_optional(SectionType type) {
    return (static_cast<std::uint32_t>(type) & format::kOptionalBit) != 0 ||
           (type >= SectionType::kLodGroups && type <= SectionType::kShortMeshletBounds);
}

}  // namespace

Sections::Sections(std::span<const std::byte> file, const std::string& name) : bytes_(file), name_(name) {
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
        fail("header.section_count", "is " + std::to_string(header.section_count) + ", more than the file can hold");
    }
    std::vector<format::SectionEntry> table(header.section_count);
    if (!table.empty()) {
        std::memcpy(table.data(), bytes_.data() + sizeof header, table.size() * sizeof table[0]);
    }
    for (std::size_t i = 0; i < table.size(); ++i) check_entry(table[i], i);
    check_overlaps(std::move(table));
    for (const SectionRule& rule : kSections) {
        if (!by_type_.contains(rule.type) && !is_optional(rule.type))
            fail("table", std::string("has no section \"") + rule.name + "\"");
    }
}

void Sections::check_entry(const format::SectionEntry& entry, std::size_t index) {
    const auto rule = std::ranges::find_if(
        kSections, [&](const SectionRule& known) { return static_cast<std::uint32_t>(known.type) == entry.type; });
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
    const std::span<const std::byte> bytes = bytes_.subspan(entry.offset, entry.size);
    if (known && !by_type_.emplace(rule->type, bytes).second) {
        fail(field, "is in the table twice");
    }
    all_.push_back({entry.type, entry.element_size, bytes});
}

void Sections::check_overlaps(std::vector<format::SectionEntry> table) const {
    std::ranges::sort(table, [](const auto& a, const auto& b) {
        return a.offset != b.offset ? a.offset < b.offset : a.size < b.size;
    });
    std::uint64_t end = sizeof(format::FileHeader) + table.size() * sizeof(format::SectionEntry);
    for (const format::SectionEntry& entry : table) {
        if (entry.offset < end) {
            fail("table",
                 "the section at " + std::to_string(entry.offset) + " overlaps what ends at " + std::to_string(end));
        }
        end = entry.offset + entry.size;
    }
}

GeometryView Sections::geometry(LongBounds& bounds, Validate what) const {
    GeometryView out{get<MeshHeader>(SectionType::kMeshes),
                     get<Bound>(SectionType::kSubletBounds),
                     get<Bound>(SectionType::kMeshletBounds),
                     get<StreamHeader>(SectionType::kStreams),
                     get<std::uint32_t>(SectionType::kPayload),
                     get_or_none<MorphMesh>(SectionType::kMorphs),
                     get_or_none<MorphMask>(SectionType::kMorphMasks),
                     get_or_none<StreamHeader>(SectionType::kMorphStreams),
                     get_or_none<std::uint32_t>(SectionType::kMorphPayload),
                     get_or_none<LodGroup>(SectionType::kLodGroups),
                     get_or_none<LodMeshlet>(SectionType::kLodMeshlets)};
    if (!has(SectionType::kShortSubletBounds) && !has(SectionType::kShortMeshletBounds)) return out;
    if (!out.sublet_bounds.empty() || !out.meshlet_bounds.empty()) fail("table", "has both short and long bounds");
    std::optional<LongBounds> made =
        lengthen(out.meshes, get_or_none<format::ShortSubletBound>(SectionType::kShortSubletBounds),
                 get_or_none<format::ShortMeshletBound>(SectionType::kShortMeshletBounds),
                 [&](const MeshHeader& mesh) { return what == Validate::kTables && comes_in_groups(out, mesh); });
    if (!made) fail("table", "has not as many short bounds as the meshes have sublets and meshlets");
    bounds = std::move(*made);
    out.sublet_bounds = bounds.sublets();
    out.meshlet_bounds = bounds.meshlets();
    return out;
}

void Sections::fail(const std::string& field, const std::string& message) const {
    throw Error(name_, field, message);
}

}  // namespace sublet::mesh
