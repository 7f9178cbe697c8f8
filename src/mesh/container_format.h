// The .sublet container as it lies in the file: docs/FORMAT.md, "Container", describes it to the byte. Little-endian;
// records hold no padding that is not named.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "mesh/mesh.h"

namespace sublet::format {

static_assert(std::endian::native == std::endian::little, "sections are written as they lie in memory");

inline constexpr std::array<char, 8> kMagic{'S', 'U', 'B', 'L', 'E', 'T', '\x1A', '\n'};
inline constexpr std::uint32_t kVersion = mesh::kFileVersion;
inline constexpr std::uint64_t kAlignment = 64;           // of every section
inline constexpr std::uint32_t kMaxSections = 256;        // a table beyond this is no table
inline constexpr std::uint32_t kOptionalBit = 1U << 31U;  // of a section type: readers that do not know it skip it

enum class SectionType : std::uint32_t {
    kInfo = 1,
    // Geometry, as the GPU reads it (shaders/shared/mesh_format.h).
    kMeshes = 2,
    kSubletBounds = 3,
    kMeshletBounds = 4,
    kStreams = 5,
    kPayload = 6,
    // Levels of detail, left out together where no mesh has some. A reader that does not know them must not draw the
    // meshlets of all levels: they are not optional.
    kLodGroups = 7,
    kLodMeshlets = 8,
    // Bounds of sublets and of meshlets in few bits, in place of the others, which are empty then: both or none.
    kShortSubletBounds = 9,
    kShortMeshletBounds = 10,
    // The scene.
    kNodes = 16,
    kMeshGroups = 17,
    kMeshMaterials = 18,  // uint32 each
    kMaterials = 19,
    kTextures = 20,
    kSamplers = 21,
    kImages = 22,
    kImageBytes = 23,  // bytes
    kSkins = 24,
    kJoints = 25,
    kAnimations = 26,
    kChannels = 27,
    kAnimationFloats = 28,  // float each
    kLights = 29,
    kCameras = 30,
    kStrings = 31,  // bytes, UTF-8
    // Optional, so that readers of before them read the file as well.
    kNotes = kOptionalBit | 1U,                // bytes, UTF-8: scene/notes.h; left out when empty
    kHiddenNodes = kOptionalBit | 16U,         // uint32, ascending; left out where all are visible
    kGridLosses = kOptionalBit | 17U,          // uint64 for each mesh group
    kMaterialExtensions = kOptionalBit | 19U,  // of the materials that have some; left out where none has
    // The three are left out together where there are no variants.
    kVariants = kOptionalBit | 32U,
    kVariantNames = kOptionalBit | 33U,  // bytes, UTF-8
    kVariantMeshes = kOptionalBit | 34U,
    // What morph targets add to geometry, as the GPU reads it: the four are left out together where there is none.
    kMorphs = kOptionalBit | 40U,
    kMorphMasks = kOptionalBit | 41U,
    kMorphStreams = kOptionalBit | 42U,
    kMorphPayload = kOptionalBit | 43U,
    // The targets of mesh groups, left out together where none has some; and weights of nodes, where none has its own.
    kMorphTargets = kOptionalBit | 44U,
    kMorphTargetNames = kOptionalBit | 45U,  // bytes, UTF-8
    kNodeWeights = kOptionalBit | 46U,
    // What animations play beside nodes' transforms and weights, left out together where there is nothing of it.
    kPointerChannels = kOptionalBit | 47U,
    kPointerFloats = kOptionalBit | 48U,  // float each
};

struct FileHeader {
    std::array<char, 8> magic;
    std::uint32_t version;
    std::uint32_t section_count;
    std::uint64_t file_size;
    std::uint64_t table_offset;  // 64
    std::array<std::uint64_t, 4> reserved;
};

struct SectionEntry {
    std::uint32_t type;
    std::uint32_t element_size;
    std::uint64_t offset;  // from the start of the file
    std::uint64_t count;
    std::uint64_t size;  // = count * element_size
};

// Names, and every other reference into a heap, follow one another without gaps in the order of the records: what a
// reader takes out of a heap is never more than the heap.
struct StringRef {
    std::uint32_t offset, size;  // bytes of kStrings
};

struct Info {
    StringRef generator, source, style;
    std::int32_t position_bits, uv_bits;
    std::uint64_t source_bytes;
};

// Spheres and cones in few bits: mesh/short_bounds.h. A meshlet's centre counts from the origin of positions, in steps
// of 2^(position_bits - 16) of the grid's.
struct ShortMeshletBound {
    std::array<std::int16_t, 3> center;
    std::uint16_t radius;  // 11 bits m, 5 bits e: m * 2^(e - 12) steps of the grid
    std::uint32_t axis;    // octahedral, 2 * 12 bits
    std::uint16_t cutoff;  // by 65535
    std::uint16_t reserved;
};

struct ShortSubletBound {
    std::array<std::int8_t, 3> center;  // from the meshlet's, by 1/128 of its radius
    std::uint8_t radius;                // plus 4, by 1/256 of the meshlet's
    std::uint32_t cone;                 // octahedral axis, 2 * 10 bits; cutoff, 12 bits, by 4095
};

struct Node {
    StringRef name;
    std::int32_t parent, mesh_group, skin, camera, light;  // -1: none
    std::uint32_t has_matrix;                              // 0 or 1
    // has_matrix: column-major; else translation xyz, rotation xyzw, scale xyz, and zeros.
    std::array<float, 16> transform;
};

struct MeshGroup {
    StringRef name;
    std::uint32_t first_mesh, mesh_count;
    std::uint64_t source_triangles, source_vertices, uncompressed_bytes, dropped_degenerate, dropped_duplicate;
    double error_position_max, error_position_rms, error_position_max_relative;
};

struct TextureRef {
    std::int32_t texture;  // -1: none
    std::int32_t uv_set;   // 0 or 1
    std::array<float, 2> offset, scale;
    float rotation, strength;
};

struct Material {
    StringRef name;
    std::array<float, 4> base_color;
    float metallic, roughness, alpha_cutoff;
    std::uint32_t flags;  // bits 0-1: alpha mode (opaque, mask, blend); 2: double-sided; 3: unlit
    std::array<float, 3> emissive;
    std::uint32_t reserved;
    TextureRef base_color_texture, metallic_roughness_texture, normal_texture, occlusion_texture, emissive_texture;
};

// Fields that glTF's extensions add to a material: scene/material_fields.h has their order. Numbers and the components
// of colours are one list, textures another.
inline constexpr std::size_t kExtensionNumbers = 24;
inline constexpr std::size_t kExtensionTextures = 12;

struct MaterialExtensions {
    std::uint32_t material;  // ascending
    std::uint32_t reserved;
    std::array<float, kExtensionNumbers> numbers;
    std::array<TextureRef, kExtensionTextures> textures;
};

struct Variant {
    StringRef name;  // in kVariantNames
    std::uint32_t first_mesh, mesh_count;
};

struct VariantMesh {
    std::uint32_t mesh;  // ascending within a variant
    std::uint32_t material;
};

struct MorphTarget {
    StringRef name;            // in kMorphTargetNames
    std::uint32_t mesh_group;  // ascending; the targets of one in their order
    float weight;              // where a node does not say another
};

struct NodeWeight {
    std::uint32_t node;  // ascending; one for each target of its mesh group, in their order
    float weight;
};

struct Texture {
    std::int32_t image, sampler;  // sampler -1: glTF's default
};

struct Sampler {  // glTF's enumerants
    std::int32_t min_filter, mag_filter, wrap_s, wrap_t;
};

struct Image {
    StringRef name, mime_type;
    std::uint32_t width, height;  // 0: only in the image's own bytes
    std::uint64_t offset, size;   // bytes of kImageBytes
};

struct Skin {
    StringRef name;
    std::int32_t skeleton;  // node, or -1
    std::uint32_t first_joint, joint_count;
    std::uint32_t reserved;
};

struct Joint {
    std::array<float, 16> inverse_bind;  // column-major
    std::uint32_t node;
    std::array<std::uint32_t, 3> reserved;
};

struct Animation {
    StringRef name;
    std::uint32_t first_channel, channel_count;
};

struct Channel {
    std::uint32_t node;
    std::uint32_t path;           // 0 translation, 1 rotation, 2 scale, 3 weights
    std::uint32_t interpolation;  // 0 linear, 1 step, 2 cubic spline
    std::uint32_t key_count;
    std::uint64_t first_float;  // in kAnimationFloats: key_count times, then value_count values
    std::uint64_t value_count;
};

struct PointerChannel {
    std::uint32_t animation;  // ascending
    std::uint32_t path;       // scene::AnimationPath, from 4 on
    std::uint32_t target;     // a node or a material
    std::uint32_t texture;    // of the material; 0 where it is not of one
    std::uint32_t interpolation;
    std::uint32_t key_count;
    std::uint64_t first_float;  // in kPointerFloats: key_count times, then value_count values
    std::uint64_t value_count;
    std::array<float, 4> emission;  // of emission: factor, and strength
};

struct Light {
    StringRef name;
    std::uint32_t type;  // 0 directional, 1 point, 2 spot
    std::array<float, 3> color;
    float intensity, range, inner_cone, outer_cone;
};

struct Camera {
    StringRef name;
    std::uint32_t orthographic;  // 0 or 1
    float vertical_fov, half_height, near_plane;
};

static_assert(sizeof(FileHeader) == 64);
static_assert(sizeof(SectionEntry) == 32);
static_assert(sizeof(Info) == 40);
static_assert(sizeof(ShortMeshletBound) == 16);
static_assert(sizeof(ShortSubletBound) == 8);
static_assert(sizeof(Node) == 96);
static_assert(sizeof(MeshGroup) == 80);
static_assert(sizeof(TextureRef) == 32);
static_assert(sizeof(Material) == 216);
static_assert(sizeof(MaterialExtensions) == 488);
static_assert(sizeof(Variant) == 16);
static_assert(sizeof(VariantMesh) == 8);
static_assert(sizeof(MorphTarget) == 16);
static_assert(sizeof(NodeWeight) == 8);
static_assert(sizeof(Texture) == 8);
static_assert(sizeof(Sampler) == 16);
static_assert(sizeof(Image) == 40);
static_assert(sizeof(Skin) == 24);
static_assert(sizeof(Joint) == 80);
static_assert(sizeof(Animation) == 16);
static_assert(sizeof(Channel) == 32);
static_assert(sizeof(PointerChannel) == 56);
static_assert(sizeof(Light) == 40);
static_assert(sizeof(Camera) == 24);

}  // namespace sublet::format
