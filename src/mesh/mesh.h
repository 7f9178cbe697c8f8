// Sublet's mesh library, for engines: encode triangles, map .sublet files, find what the GPU reads, decode on the CPU.
// This header is its manual. docs/FORMAT.md describes the bytes.
//
// A mesh is made of sublets of up to 32 triangles; eight sublets that follow one another are a meshlet. Each attribute
// of a sublet is a bit-packed stream: a header of 16 bytes, and words of the payload; or, in the compact coding, words
// of the payload alone. Any sublet decodes alone.
//
// An engine's road:
//
//     auto encoded = sublet::mesh::try_encode({&input, 1}, {}, "teapot");
//     if (!encoded) return complain(encoded.failure().line());
//     const sublet::mesh::GeometryView arrays = encoded->geometry.view();
//     // Upload the arrays as they lie; shaders read a sublet by shaders/scene/decode.glsl.
//     const sublet::mesh::MeshView mesh = sublet::mesh::mesh_view(arrays, 0);
//     // mesh.sublet_bounds, mesh.meshlet_bounds: what culling tests. mesh.stream(s, type): the words of sublet s.
//
// or, with a file:
//
//     auto file = sublet::mesh::try_open("teapot.sublet");
//     // file->geometry holds the same arrays, mapped and checked.
//
// Functions named try_... tell of bad input by a Failure. No function throws, but for std::bad_alloc where memory ends.
// Functions may be called from several threads at a time. Before version 1.0 a new minor version may change this
// header.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

// MeshHeader, Bound, StreamHeader and the constants of the format, as C++ and GLSL both read them.
#include "shaders/shared/mesh_format.h"

// The version of this header.
#define SUBLET_VERSION_MAJOR 0
#define SUBLET_VERSION_MINOR 1
#define SUBLET_VERSION_PATCH 0

namespace sublet::mesh {

// --- Versions

struct Version {
    int major = 0, minor = 0, patch = 0;
};
// Of the library that is linked; SUBLET_VERSION_... are of the header that was compiled.
[[nodiscard]] Version version();

// Of .sublet files: the one that is written, and the only one that is read.
inline constexpr std::uint32_t kFileVersion = 1;

// --- Failures

// What was wrong with an input, and where.
struct Failure {
    std::string file;   // the file, or the name that the caller gave; may be empty
    std::string field;  // the part of it ("meshes[0].positions[3]"); may be empty
    std::string text;   // what is wrong with it, and its value

    [[nodiscard]] std::string line() const;  // "file: field: text"
};

// A value, or why there is none. The value may only be asked for where there is one.
template <typename T>
class Result {
  public:
    Result(T value) : content_(std::move(value)) {}
    Result(Failure failure) : content_(std::move(failure)) {}

    [[nodiscard]] explicit operator bool() const { return std::holds_alternative<T>(content_); }
    [[nodiscard]] T& operator*() { return *std::get_if<T>(&content_); }
    [[nodiscard]] const T& operator*() const { return *std::get_if<T>(&content_); }
    [[nodiscard]] T* operator->() { return std::get_if<T>(&content_); }
    [[nodiscard]] const T* operator->() const { return std::get_if<T>(&content_); }
    [[nodiscard]] const Failure& failure() const { return *std::get_if<Failure>(&content_); }

  private:
    std::variant<T, Failure> content_;
};

// --- Meshes as floats

// What a morph target adds to the vertices of a mesh, times the target's weight. A span is empty (the target does not
// move that attribute) or as long as the mesh's positions; values are finite, at most 2^104.
struct MorphInput {
    std::span<const std::array<float, 3>> positions;  // object space
    std::span<const std::array<float, 3>> normals;    // left out where the mesh has no normals
    std::span<const std::array<float, 3>> tangents;   // left out where the mesh has no tangents
};

// The same, owned.
struct MorphArrays {
    std::vector<std::array<float, 3>> positions, normals, tangents;

    [[nodiscard]] MorphInput view() const { return {positions, normals, tangents}; }
};

// What is encoded. Every attribute span is empty or as long as `positions`; elements are tightly packed floats (or
// 16-bit joints). Vertices that no triangle uses don't matter, whatever they hold.
struct MeshInput {
    std::span<const std::array<float, 3>> positions;  // object space; finite, at most 2^104
    std::span<const std::array<float, 3>> normals;    // unit length, or empty
    std::span<const std::array<float, 4>> tangents;   // xyz unit length, w = +1 or -1, or empty;
                                                      // left out where there are no normals
    std::span<const std::array<float, 2>> uv0;        // or empty
    std::span<const std::array<float, 2>> uv1;        // or empty
    std::span<const std::array<float, 4>> colors;     // linear RGBA in [0, 1], or empty
    // A mesh that joints deform is given in its bind pose. Up to four joints move a vertex, or up to eight: `joints1`
    // and `weights1` come together, beside the first four. A joint of weight 0 is none, whatever its number.
    std::span<const std::array<std::uint16_t, 4>> joints;   // numbers in a skin, or empty
    std::span<const std::array<float, 4>> weights;          // all of a vertex sum to 1, or empty
    std::span<const std::array<std::uint16_t, 4>> joints1;  // or empty
    std::span<const std::array<float, 4>> weights1;         // or empty
    std::span<const std::uint32_t> indices;                 // three per triangle, each < positions.size()
    std::vector<MorphInput> morphs;                         // morph targets: what each adds to the mesh
};

// The same, owned: what decoding a whole mesh gives. Joints of a vertex are the strongest first, 0 where the weight is
// 0. Attributes that a morph target does not move are empty; a mesh that no target moves has no targets.
struct MeshArrays {
    std::vector<std::array<float, 3>> positions, normals;
    std::vector<std::array<float, 4>> tangents;
    std::vector<std::array<float, 2>> uv0, uv1;
    std::vector<std::array<float, 4>> colors;
    std::vector<std::array<std::uint16_t, 4>> joints;
    std::vector<std::array<float, 4>> weights;
    std::vector<std::array<std::uint16_t, 4>> joints1;
    std::vector<std::array<float, 4>> weights1;
    std::vector<std::uint32_t> indices;
    std::vector<MorphArrays> morphs;

    [[nodiscard]] MeshInput view() const {
        MeshInput view{positions, normals, tangents, uv0, uv1, colors, joints, weights, joints1, weights1, indices, {}};
        view.morphs.reserve(morphs.size());
        for (const MorphArrays& morph : morphs) view.morphs.push_back(morph.view());
        return view;
    }
};

// --- Encoded geometry

using shared::Bound;
using shared::LodGroup;
using shared::LodMeshlet;
using shared::MeshHeader;
using shared::MorphMask;
using shared::MorphMesh;
using shared::StreamHeader;

// The arrays of all meshes of a file, or of one encode: what the GPU reads, to be uploaded as they lie. A MeshHeader
// says where in the others its mesh lies. Non-owning.
struct GeometryView {
    std::span<const MeshHeader> meshes;
    std::span<const Bound> sublet_bounds;  // a sphere and a cone of normals each, in object space
    std::span<const Bound> meshlet_bounds;
    std::span<const StreamHeader> streams;
    std::span<const std::uint32_t> payload;
    // What morph targets add, of the meshes that some target moves; empty without such.
    std::span<const MorphMesh> morphs;  // one for each of these meshes, ascending
    std::span<const MorphMask> morph_masks;
    std::span<const StreamHeader> morph_streams;
    std::span<const std::uint32_t> morph_payload;
    // Levels of detail; both are empty where no mesh has some.
    std::span<const LodGroup> lod_groups;
    std::span<const LodMeshlet> lod_meshlets;  // one for each meshlet
};

// The same arrays, owned. To keep them in a file of your own, write the arrays; check() them when they come back.
struct Geometry {
    std::vector<MeshHeader> meshes;
    std::vector<Bound> sublet_bounds;
    std::vector<Bound> meshlet_bounds;
    std::vector<StreamHeader> streams;
    std::vector<std::uint32_t> payload;
    std::vector<MorphMesh> morphs;
    std::vector<MorphMask> morph_masks;
    std::vector<StreamHeader> morph_streams;
    std::vector<std::uint32_t> morph_payload;
    std::vector<LodGroup> lod_groups;
    std::vector<LodMeshlet> lod_meshlets;

    [[nodiscard]] GeometryView view() const {
        return {meshes,      sublet_bounds, meshlet_bounds, streams,    payload,     morphs,
                morph_masks, morph_streams, morph_payload,  lod_groups, lod_meshlets};
    }
};

// One mesh of a GeometryView: its own slices of the shared arrays.
struct MeshView {
    const MeshHeader* header = nullptr;
    std::span<const Bound> sublet_bounds;    // header->sublet_count
    std::span<const Bound> meshlet_bounds;   // header->meshlet_count
    std::span<const StreamHeader> streams;   // header->sublet_count * header->stream_count; none where it is compact
    std::span<const std::uint32_t> payload;  // header->payload_size words
    // Of its morph targets; null and empty where none moves it.
    const MorphMesh* morph = nullptr;
    std::span<const MorphMask> morph_masks;        // ceil(morph->target_count / 32) for each sublet
    std::span<const StreamHeader> morph_streams;   // first: that of the first mask; see morph_stream(); of compact
                                                   // targets there are none
    std::span<const std::uint32_t> morph_payload;  // morph->payload_size words

    // The header of stream `type` (shared::kStream...) of `sublet`; null when the mesh does not carry that stream, or
    // is compact. Its words begin at payload[header->offset_in_words].
    [[nodiscard]] const StreamHeader* stream(std::uint32_t sublet, std::uint32_t type) const;

    // The headers of what morph target `target` (< morph->target_count) adds to `sublet`: one for each of
    // morph->attributes, in their order. Null where the target does not move the sublet, or the targets are in the
    // compact coding (morph->place_bits is not 0). Words of a stream begin at morph_payload[header->offset_in_words].
    [[nodiscard]] const StreamHeader* morph_stream(std::uint32_t sublet, std::uint32_t target) const;
};

// The slices of mesh `index` (< geometry.meshes.size()). The geometry comes from try_encode, try_open or try_read, or
// has passed check().
[[nodiscard]] MeshView mesh_view(const GeometryView& geometry, std::uint32_t index);

// Checks geometry that comes from elsewhere, once: every count, offset, width and index. After it, decoding reads
// nothing outside the arrays and gives finite numbers, on the CPU and on the GPU. The first fault, or nothing; `name`
// is what to blame. Linear in the arrays.
[[nodiscard]] std::optional<Failure> check(const GeometryView& geometry, const std::string& name);

// How the streams of a mesh are coded. Both hold the same sublets, and any of them decodes alone.
enum class Coding : std::uint8_t {
    kPlain,    // a header and bits of fixed width for each stream: what shaders/scene/decode.glsl reads
    kCompact,  // strips and predictions: half of the bytes, several times the work (shaders/shared/compact.h)
};

// Whether the mesh is in the compact coding.
[[nodiscard]] constexpr bool is_compact(const MeshHeader& header) {
    return (header.streams_present & shared::kCompactBit) != 0;
}

// Whether positions have more than 16 bits, which meshes in the compact coding may have.
[[nodiscard]] constexpr bool has_wide_positions(const MeshHeader& header) {
    return header.position_bits > shared::kNarrowPositionBits;
}

// --- Encoding

enum class Style : std::uint8_t { kAuto, kWireframe, kTextured, kSkinned };

// Signed bits of a position component. Automatic: 14; where those take the area of more than 0.5 % of the triangles, or
// positions lie on a finer grid already, as those that were decoded may, up to what the coding holds
// (src/mesh/position_bits.h).
inline constexpr int kAutoPositionBits = 0;
inline constexpr int kDefaultPositionBits = 14, kMostPositionBits = 21;
inline constexpr int kMostPlainPositionBits = 16;
[[nodiscard]] constexpr int most_position_bits(Coding coding) {
    return coding == Coding::kCompact ? kMostPositionBits : kMostPlainPositionBits;
}

// Whether meshes get coarser levels of detail beside the finest (LodGroup). Automatic: where there are enough triangles
// for that to gain something. Meshes that joints or morph targets deform get none: errors are those of the bind pose.
enum class Levels : std::uint8_t { kOff, kOn, kAuto };
inline constexpr std::uint64_t kAutoLevelsTriangles = 512;  // of the meshes of a group

struct EncodeOptions {
    Style style = Style::kAuto;             // kAuto: the richest style for which the input has attributes
    int position_bits = kAutoPositionBits;  // or 4 to most_position_bits()
    int uv_bits = 15;                       // 4 to 16
    Levels levels = Levels::kOff;
    Coding coding = Coding::kCompact;
};

// What quantisation did to positions: distances between a source vertex and its decoded position.
struct QuantizationError {
    double position_max = 0;           // object-space units
    double position_rms = 0;           // object-space units
    double position_max_relative = 0;  // position_max / diagonal of the bounding box
};

// Where the time of the call went, by the clock on the wall, summed over its meshes, which may be encoded at the same
// time. What precedes clustering (quantising, welding) counts as packing, all that levels of detail take as levels.
struct EncodeSeconds {
    double cluster = 0, pack = 0, bounds = 0, levels = 0;
};

struct EncodeStats {
    std::uint64_t source_triangles = 0;
    std::uint64_t source_vertices = 0;
    // Triangles without area once quantised, or with a repeated vertex. Not those that a morph target may give area.
    std::uint64_t dropped_degenerate = 0;
    // Of these, the triangles with area before they were quantised: more than the rounding of floats can make of
    // corners on a line.
    std::uint64_t dropped_by_grid = 0;
    std::uint64_t dropped_duplicate = 0;  // triangles repeated with the same vertices in the same winding
    int position_bits = 0;                // that all of the meshes have
    // What dropped_by_grid would be with 14 bits, where automatic ones are more because of it; else 0.
    std::uint64_t lost_by_default_bits = 0;
    // And with most_position_bits(), where dropped_by_grid is more than 0.5 % of the triangles with fewer.
    std::optional<std::uint64_t> lost_by_most_bits;
    QuantizationError error;
    EncodeSeconds seconds;
};

struct EncodedMeshes {
    // One MeshHeader per mesh, in order; a mesh left with no triangle has counts of 0. A mesh that its morph targets do
    // not move, once their deltas are rounded, has no MorphMesh.
    Geometry geometry;
    EncodeStats stats;
};

// Encodes meshes of ONE object space, on `threads` threads (0: one for each of the CPU's). They share one grid of
// positions, one of texture coordinates, and one of what morph targets add to positions, to normals and to tangents, so
// that shared borders never crack; meshes that touch no other are better encoded one by one. The same input gives the
// same bytes, whatever the threads. Fails on an index out of range, a number that is not finite, spans of unequal
// length, and options out of range. `name` is what to blame.
[[nodiscard]] Result<EncodedMeshes> try_encode(std::span<const MeshInput> meshes, const EncodeOptions& options,
                                               const std::string& name, unsigned threads = 1);

// The same meshes, with their morph targets, in another coding: all else stays as it is, and so does what they decode
// to. Compact meshes of older files, whose targets are plain, become compact as a whole. From the plain coding and back
// gives the same bytes. The geometry comes from try_encode, try_open or try_read, or has passed check(). Fails where an
// offset would need more than 32 bits.
[[nodiscard]] Result<Geometry> try_recode(const GeometryView& geometry, Coding coding, unsigned threads = 1);

// --- Files

// A section of a .sublet file as docs/FORMAT.md describes it. What is not geometry was not checked.
struct FileSection {
    std::uint32_t type = 0;
    std::uint32_t element_size = 0;
    std::span<const std::byte> bytes;
};

// A .sublet file. Copies share one mapping.
struct File {
    GeometryView geometry;
    std::vector<FileSection> sections;    // all of them, those of `geometry` too
    std::shared_ptr<const void> mapping;  // the file, and bounds that it has short: what both point into
};

// Maps a file, and checks its table and its geometry. Fails on a file that is missing, foreign, truncated, corrupt or
// of another version. While it is mapped, nobody may make it shorter.
[[nodiscard]] Result<File> try_open(const std::filesystem::path& path);

// The same of a file that is in memory already, at a multiple of 16 bytes. The bytes must outlive what is returned.
[[nodiscard]] Result<File> try_read(std::span<const std::byte> bytes, const std::string& name);

// --- Decoding on the CPU: the same integers that shaders/scene/decode.glsl gives on the GPU

// Whether joints deform the mesh: its vertices are those of the bind pose then.
[[nodiscard]] constexpr bool deforms(const MeshHeader& header) {
    return (header.streams_present >> shared::kStreamJointWeights & 1U) != 0;
}

// Whether morph targets move the mesh: it has a MorphMesh then.
[[nodiscard]] constexpr bool morphs(const MeshHeader& header) {
    return (header.streams_present & shared::kHasMorphsBit) != 0;
}

// A position on its mesh's grid: integers of position_bits bits.
using GridPoint = std::array<std::int32_t, 3>;

// The most attribute words that a vertex can have.
inline constexpr std::uint32_t kMaxAttributeWords = 12;

// One sublet, unpacked to integers.
struct DecodedSublet {
    std::uint32_t triangle_count = 0;
    std::uint32_t vertex_count = 0;
    std::array<std::array<std::uint8_t, 3>, shared::kSubletSize> triangles{};  // sublet-local vertex indices
    std::array<GridPoint, shared::kSubletSize> positions{};
    // Attribute words per vertex in the order of the stream types present, exactly as decode.glsl gives them:
    // MeshHeader::attribute_stride words each, without the last one where has_wide_positions().
    std::array<std::array<std::uint32_t, kMaxAttributeWords>, shared::kSubletSize> attributes{};
};

// Decodes sublet `sublet` (< header->sublet_count).
[[nodiscard]] DecodedSublet decode_sublet(const MeshView& mesh, std::uint32_t sublet);

// What one morph target adds to the vertices of one sublet, in integers: 2^morph.exponents[i] times them is added, of
// position, normal and tangent. Those of attributes that no target moves are 0.
struct DecodedMorph {
    std::array<std::array<std::int16_t, 3>, shared::kSubletSize> positions{};
    std::array<std::array<std::int8_t, 3>, shared::kSubletSize> normals{};
    std::array<std::array<std::int8_t, 3>, shared::kSubletSize> tangents{};
};

// Of target `target` (< mesh.morph->target_count) in sublet `sublet`; nothing where the target does not move it.
[[nodiscard]] std::optional<DecodedMorph> decode_morph(const MeshView& mesh, std::uint32_t sublet,
                                                       std::uint32_t target);

// What one of the integers of attribute `attribute` (0 position, 1 normal, 2 tangent) stands for: 2^exponent.
[[nodiscard]] float morph_scale(const MorphMesh& morph, std::uint32_t attribute);

// Words before those of stream `type` (kStreamNormalTangent or later) in a vertex's attributes.
[[nodiscard]] std::uint32_t attribute_words_before(const MeshHeader& header, std::uint32_t type);

// Object-space position of grid integers: origin + 2^exponent * integers, in float, as the shared vertex function has
// it.
[[nodiscard]] std::array<float, 3> dequantize_position(const MeshHeader& header, const GridPoint& grid);

// The floats of attribute words. Of a normal or tangent: a unit vector, octahedral with 8-bit SNORM coordinates
// (max(c / 127, -1)), but for the tangent's second one, 7 bits beside its sign (max((c >> 1) / 63, -1)); the tangent's
// w is its sign, +1 or -1. Of texture coordinates: 0.5 * (integer * uv_scale) + 0.5. Of colours and of older files'
// weights: byte / 255.
[[nodiscard]] std::array<float, 3> decode_normal(std::uint32_t word);
[[nodiscard]] std::array<float, 4> decode_tangent(std::uint32_t word);
[[nodiscard]] std::array<float, 2> decode_uv(const MeshHeader& header, std::uint32_t word);
[[nodiscard]] std::array<float, 4> decode_unorm8(std::uint32_t word);

// A whole mesh as floats, its finest level where it has several: vertices of different sublets kept apart (or welded
// where every word is equal).
[[nodiscard]] MeshArrays decode(const MeshView& mesh, bool weld = true);

}  // namespace sublet::mesh
