#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "mesh/bit_stream.h"
#include "mesh/compact_morphs.h"
#include "mesh/grid.h"
#include "mesh/morphs.h"
#include "mesh/parallel.h"
#include "mesh/sizes.h"
#include "mesh/stream.h"
#include "mesh/view.h"
#include "shaders/shared/deform.h"

namespace sublet::mesh {
namespace {

constexpr std::size_t kSubletGrain = 1024;

// Where a fault is: put together only once there is one.
class Place {
  public:
    Place(const std::string& source, std::size_t mesh) : source_(source), mesh_(mesh) {}

    void require(bool condition, const char* field, std::uint64_t value, const char* rule) const {
        if (condition) return;
        throw Error(source_, "meshes[" + std::to_string(mesh_) + "]." + field, std::to_string(value) + ": " + rule);
    }

    void require_sublet(bool condition, std::size_t sublet, const char* stream, const char* field, std::uint64_t value,
                        const char* rule) const {
        if (condition) return;
        throw Error(
            source_,
            "meshes[" + std::to_string(mesh_) + "].sublets[" + std::to_string(sublet) + "]." + stream + "." + field,
            std::to_string(value) + ": " + rule);
    }
    void require_sublet(bool condition, std::size_t sublet, std::uint32_t type, const char* field, std::uint64_t value,
                        const char* rule) const {
        require_sublet(condition, sublet, kStreams[type].name, field, value, rule);
    }

    void require_float(bool condition, const char* array, std::size_t index, float value, const char* rule) const {
        if (condition) return;
        throw Error(source_, "meshes[" + std::to_string(mesh_) + "]." + array + "[" + std::to_string(index) + "]",
                    std::to_string(value) + ": " + rule);
    }

    [[noreturn]] void fail(const std::string& field, const std::string& text) const {
        throw Error(source_, "meshes[" + std::to_string(mesh_) + "]." + field, text);
    }

  private:
    const std::string& source_;
    std::size_t mesh_;
};

bool all_at_most(const shared::vec4& v, float limit) {
    return std::abs(v.x) <= limit && std::abs(v.y) <= limit && std::abs(v.z) <= limit && std::abs(v.w) <= limit;
}

// Whatever a valid exponent and origin can decode to, and a radius around that.
constexpr float kMaxFloat = 0x1p124F;

void check_header(const MeshHeader& header, const Place& place) {
    place.require(header.style <= shared::kStyleSkinned, "style", header.style, "unknown style");
    constexpr std::uint32_t kGeometry = 1U << shared::kStreamPrimitive | 1U << shared::kStreamPosition;
    const std::uint32_t streams = header.streams_present;
    std::uint32_t allowed = shared::kHasMorphsBit | shared::kCompactBit;
    for (const StreamType& stream : kStreams) {
        if (stream.style <= header.style) allowed |= 1U << stream.type;
    }
    if (has_stream(shared::kStreamNormalTangent, allowed)) allowed |= shared::kHasTangentBit;
    place.require((streams & ~allowed) == 0, "streams_present", streams, "has streams that the style does not");
    place.require((streams & kGeometry) == kGeometry, "streams_present", streams, "lacks primitives or positions");
    place.require((streams & shared::kHasTangentBit) == 0 || has_stream(shared::kStreamNormalTangent, streams),
                  "streams_present", streams, "has tangents without normals");
    const bool posed = has_stream(shared::kStreamBoneWeights, streams);
    const bool deforms = has_stream(shared::kStreamJointWeights, streams);
    place.require(!posed || !deforms, "streams_present", streams, "has weights of two kinds");
    place.require((posed || deforms) == has_stream(shared::kStreamBoneIndices, streams), "streams_present", streams,
                  "has bone indices or weights without the other");
    const bool more = has_stream(shared::kStreamJointWeights1, streams);
    place.require(more == has_stream(shared::kStreamJointIndices1, streams) && (deforms || !more), "streams_present",
                  streams, "has more joints without their weights, or without the first four");
    place.require(header.stream_count == stream_count(streams), "stream_count", header.stream_count,
                  "differs from the streams present");
    place.require(header.attribute_stride == attribute_stride(header), "attribute_stride", header.attribute_stride,
                  "differs from what the streams present decode to");
    const auto most_bits = static_cast<std::uint32_t>(is_compact(header) ? kMostPositionBits : kMostPlainPositionBits);
    place.require(header.position_bits >= 4 && header.position_bits <= most_bits, "position_bits", header.position_bits,
                  is_compact(header) ? "must be 4 to 21" : "must be 4 to 16 in the plain coding");
    place.require(header.coarse_meshlets == 0 || header.coarse_meshlets < header.meshlet_count, "coarse_meshlets",
                  header.coarse_meshlets, "leaves no finest level");

    place.require(header.position_exponent >= kMinExponent && header.position_exponent <= kMaxExponent,
                  "position_exponent", static_cast<std::uint32_t>(header.position_exponent), "out of range");
    place.require(header.uv_exponent >= kMinUvExponent && header.uv_exponent <= kMaxExponent, "uv_exponent",
                  static_cast<std::uint32_t>(header.uv_exponent), "out of range");
    place.require_float(header.aabb_min.w == std::ldexp(1.0F, header.position_exponent), "aabb_min", 3,
                        header.aabb_min.w, "must be 2^position_exponent");
    place.require_float(header.aabb_max.w == std::ldexp(1.0F, header.uv_exponent), "aabb_max", 3, header.aabb_max.w,
                        "must be 2^uv_exponent");
    place.require_float(all_at_most(header.origin, kMaxCoordinate * 2) && header.origin.w == 0.0F, "origin", 0,
                        header.origin.x, "origin out of range");
    place.require_float(all_at_most(header.aabb_min, kMaxFloat), "aabb_min", 0, header.aabb_min.x, "out of range");
    place.require_float(all_at_most(header.aabb_max, kMaxFloat), "aabb_max", 0, header.aabb_max.x, "out of range");
    place.require_float(all_at_most(header.sphere, kMaxFloat) && header.sphere.w >= 0.0F, "sphere", 0, header.sphere.x,
                        "sphere out of range");
}

void check_bounds(std::span<const Bound> bounds, const char* array, const Place& place) {
    for (std::size_t i = 0; i < bounds.size(); ++i) {
        const Bound& bound = bounds[i];
        place.require_float(all_at_most(bound.sphere, kMaxFloat) && bound.sphere.w >= 0.0F, array, i, bound.sphere.w,
                            "sphere out of range");
        place.require_float(all_at_most(bound.cone, 1.001F) && bound.cone.w >= 0.0F && bound.cone.w <= 1.0F, array, i,
                            bound.cone.w, "cone out of range");
    }
}

// A stream of attributes, or of what a morph target adds: its widths and bases are such that every component is one of
// its type, and its words are there.
void check_stream(const StreamHeader& stream, const StreamLayout& layout, std::size_t sublet, const char* type,
                  std::uint32_t vertices, std::size_t payload_size, const Place& place) {
    for (std::uint32_t i = 0; i < 4; ++i) {
        const std::uint32_t most = i < layout.components ? layout.component_bits : 0;
        place.require_sublet(component_width(stream, i) <= most, sublet, type, "bits", stream.bits,
                             "component too wide");
        const std::uint32_t base = stream.base_value[i / 2] >> (16 * (i % 2)) & 0xffffU;
        place.require_sublet(i < layout.components || base == 0, sublet, type, "base_value", stream.base_value[i / 2],
                             "unused component has a base");
        if (layout.component_bits == 8 && i < layout.components) {
            const std::int32_t value =
                layout.is_signed ? static_cast<std::int16_t>(base) : static_cast<std::int32_t>(base);
            place.require_sublet(layout.is_signed ? value >= -128 && value <= 127 : value <= 255, sublet, type,
                                 "base_value", base, "not a byte");
        }
    }
    place.require_sublet(stream.bits >> 22U == 0 && tangent_sign(stream) <= (layout.has_tangent_sign ? 2U : 0U), sublet,
                         type, "bits", stream.bits, "unknown bits set");
    const std::uint32_t total = value_width(stream);
    place.require_sublet(is_readable_width(total), sublet, type, "bits", stream.bits, "total width spans three words");
    const std::uint64_t end = std::uint64_t{stream.offset_in_words} + words_for(vertices, total);
    place.require_sublet(end < payload_size, sublet, type, "offset_in_words", stream.offset_in_words,
                         "past the end of the payload");
}

// What precedes a sublet: each must begin where the one before it ends.
struct Running {
    std::uint64_t vertices = 0;
    std::uint64_t triangles = 0;
    std::uint64_t meshlet_vertices = 0;  // at the beginning of the meshlet
    std::uint64_t meshlet_triangles = 0;
};

void check_primitive_header(const StreamHeader& stream, std::size_t sublet, const MeshView& mesh, Running& running,
                            const Place& place) {
    const PrimitiveCounts counts = primitive_counts(stream);
    const auto require = [&](bool condition, const char* field, std::uint64_t value, const char* rule) {
        place.require_sublet(condition, sublet, shared::kStreamPrimitive, field, value, rule);
    };
    // A meshlet of a coarser level is filled up with sublets of nothing.
    const bool filler = sublet / shared::kSubletsPerMeshlet < mesh.header->coarse_meshlets &&
                        sublet % shared::kSubletsPerMeshlet != 0 && counts.triangles == 0 && counts.vertices == 0;
    require(filler || (counts.triangles >= 1 && counts.triangles <= shared::kSubletSize), "triangle_count",
            counts.triangles, "must be 1 to 32");
    require(filler || (counts.vertices >= 1 && counts.vertices <= shared::kSubletSize), "vertex_count", counts.vertices,
            "must be 1 to 32");
    if (sublet % shared::kSubletsPerMeshlet == 0) {
        running.meshlet_vertices = running.vertices;
        running.meshlet_triangles = running.triangles;
    }
    require(stream.base_value[0] == running.vertices, "first_vertex", stream.base_value[0],
            "is not where the last sublet ends");
    require(stream.base_value[1] == running.triangles, "first_triangle", stream.base_value[1],
            "is not where the last sublet ends");
    require(counts.first_vertex_in_meshlet == running.vertices - running.meshlet_vertices, "first_vertex_in_meshlet",
            counts.first_vertex_in_meshlet, "is not where the last sublet ends");
    require(counts.first_triangle_in_meshlet == running.triangles - running.meshlet_triangles,
            "first_triangle_in_meshlet", counts.first_triangle_in_meshlet, "is not where the last sublet ends");
    const std::uint64_t end = std::uint64_t{stream.offset_in_words} + words_for(counts.triangles, kTriangleBits);
    require(end < mesh.payload.size(), "offset_in_words", stream.offset_in_words, "past the end of the payload");
    running.vertices += counts.vertices;
    running.triangles += counts.triangles;
}

// What the stored weights of a vertex leave is the first joint's: they are not more than all.
void check_weights(std::size_t sublet, std::uint32_t vertices, const MeshView& mesh, const Place& place) {
    const std::uint32_t streams = mesh.header->streams_present;
    for (std::uint32_t v = 0; v < vertices; ++v) {
        std::uint32_t sum = 0;
        for (const std::uint32_t type : {shared::kStreamJointWeights, shared::kStreamJointWeights1}) {
            const StreamHeader* const stream = mesh.stream(static_cast<std::uint32_t>(sublet), type);
            if (stream == nullptr) continue;
            for (const std::int32_t part : read_value(*stream, stream_layout(type, streams), mesh.payload, v)) {
                sum += static_cast<std::uint32_t>(part);
            }
        }
        place.require_sublet(sum <= shared::kWeightParts, sublet, shared::kStreamJointWeights, "values", sum,
                             "the weights of a vertex are more than 4095");
    }
}

// The streams of morph targets in a sublet. Each target that has some moves the sublet.
void check_sublet_morphs(std::size_t sublet, std::uint32_t vertices, const MeshView& mesh, const Place& place) {
    for (std::uint32_t t = 0; t < mesh.morph->target_count; ++t) {
        const StreamHeader* stream = mesh.morph_stream(static_cast<std::uint32_t>(sublet), t);
        if (stream == nullptr) continue;
        bool moves = false;
        for (std::uint32_t a = 0; a < shared::kMorphAttributes; ++a) {
            if ((mesh.morph->attributes >> a & 1U) == 0) continue;
            const auto& [field, name, layout] = kMorphs[a];
            check_stream(*stream, layout, sublet, name, vertices, mesh.morph_payload.size(), place);
            for (std::uint32_t v = 0; v < vertices && !moves; ++v) {
                moves = read_value(*stream, layout, mesh.morph_payload, v) != Components{};
            }
            ++stream;
        }
        place.require_sublet(moves, sublet, "morphs", "target", t, "has streams, but does not move the sublet");
    }
}

void check_sublet(std::size_t sublet, const MeshView& mesh, const Place& place) {
    const StreamHeader& primitives = mesh.streams[sublet * mesh.header->stream_count];
    const PrimitiveCounts counts = primitive_counts(primitives);
    // The largest alone is held to the rule: this loop takes most of the time of opening a file.
    std::uint32_t largest = 0;
    for (std::uint32_t i = 0; i < counts.triangles; ++i) {
        const std::uint64_t triangle =
            read_two_words(mesh.payload, std::size_t{primitives.offset_in_words} * 32 + std::size_t{i} * kTriangleBits);
        for (std::uint32_t k = 0; k < 3; ++k) {
            largest = std::max(largest, low_bits(triangle >> (k * kIndexBits), kIndexBits));
        }
    }
    place.require_sublet(largest < counts.vertices || counts.triangles == 0, sublet, shared::kStreamPrimitive, "index",
                         largest, "is no vertex of the sublet");
    const StreamHeader* stream = &primitives;
    for (std::uint32_t type = shared::kStreamPosition; type < shared::kStreamTypes; ++type) {
        if (!has_stream(type, mesh.header->streams_present)) continue;
        check_stream(*++stream, stream_layout(type, mesh.header->streams_present), sublet, kStreams[type].name,
                     counts.vertices, mesh.payload.size(), place);
    }
    if (has_stream(shared::kStreamJointWeights, mesh.header->streams_present)) {
        check_weights(sublet, counts.vertices, mesh, place);
    }
    if (mesh.morph != nullptr) check_sublet_morphs(sublet, counts.vertices, mesh, place);
}

// The compact coding.
void check_compact(const MeshView& mesh, const Place& place, bool blocks, ThreadPool* pool) {
    auto fault = find_record_fault(*mesh.header, mesh.payload);
    if (!fault && blocks) fault = find_block_fault(*mesh.header, mesh.payload, pool);
    if (fault) place.fail(fault->field, fault->text);
    if (mesh.morph == nullptr) return;
    if (is_compact(*mesh.morph)) {
        fault = find_compact_morph_fault(mesh, pool);
        if (fault) place.fail(fault->field, fault->text);
        return;
    }
    for_ranges(pool, mesh.header->sublet_count, kSubletGrain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t s = begin; s < end; ++s) {
            check_sublet_morphs(s, sublet_counts(mesh, static_cast<std::uint32_t>(s)).vertices, mesh, place);
        }
    });
}

// `blocks`: those of a compact mesh, and the bounds of sublets, too.
void check_mesh(const MeshView& mesh, const Place& place, bool blocks, ThreadPool* pool) {
    if (blocks) check_bounds(mesh.sublet_bounds, "sublet_bounds", place);
    check_bounds(mesh.meshlet_bounds, "meshlet_bounds", place);
    if (is_compact(*mesh.header)) {
        check_compact(mesh, place, blocks, pool);
        return;
    }
    Running running;
    for (std::size_t s = 0; s < mesh.header->sublet_count; ++s) {
        check_primitive_header(mesh.streams[s * mesh.header->stream_count], s, mesh, running, place);
    }
    place.require(mesh.header->triangle_count == running.triangles, "triangle_count", mesh.header->triangle_count,
                  "is not the sum over the sublets");
    place.require(mesh.header->vertex_count == running.vertices, "vertex_count", mesh.header->vertex_count,
                  "is not the sum over the sublets");
    for_ranges(pool, mesh.header->sublet_count, kSubletGrain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t s = begin; s < end; ++s) check_sublet(s, mesh, place);
    });
}

// The records and masks of morph targets: after it, mesh_view() of a mesh finds its own, and every mask its streams.
// Streams themselves are left for later.
void check_morph_records(const GeometryView& geometry, const std::string& source) {
    std::uint64_t masks = 0;
    std::uint64_t streams = 0;
    std::uint64_t payload = 0;
    std::size_t next = 0;  // record
    for (std::size_t i = 0; i < geometry.meshes.size(); ++i) {
        const MeshHeader& header = geometry.meshes[i];
        const Place place(source, i);
        const bool is_there = next < geometry.morphs.size() && geometry.morphs[next].mesh == i;
        place.require(is_there == morphs(header), "streams_present", header.streams_present,
                      is_there ? "says that there are no morph targets, but there is a record of some"
                               : "says that there are morph targets, but there is no record of them in its place");
        if (!is_there) continue;
        const MorphMesh& morph = geometry.morphs[next++];
        place.require(header.sublet_count > 0, "morphs.mesh", i, "has no sublets");
        place.require(morph.target_count > 0, "morphs.target_count", 0, "must be 1 or more");
        place.require(morph.attributes > 0 && morph.attributes >> shared::kMorphAttributes == 0, "morphs.attributes",
                      morph.attributes, "must have some of three bits");
        const auto carries = [&](std::uint32_t attribute, std::uint32_t stream) {
            return (morph.attributes & attribute) == 0 || (header.streams_present & stream) != 0;
        };
        place.require(carries(shared::kMorphNormal, 1U << shared::kStreamNormalTangent) &&
                          carries(shared::kMorphTangent, shared::kHasTangentBit),
                      "morphs.attributes", morph.attributes, "has what the mesh does not");
        for (std::uint32_t a = 0; a < shared::kMorphAttributes; ++a) {
            const int exponent = morph.exponents[a];
            const bool moved = (morph.attributes >> a & 1U) != 0;
            place.require(moved ? exponent >= kMinExponent && exponent <= kMaxExponent : exponent == 0,
                          "morphs.exponents", static_cast<std::uint32_t>(exponent), "out of range");
        }
        place.require(morph.place_bits <= (is_compact(header) ? shared::kMostMorphPlaceBits : 0), "morphs.place_bits",
                      morph.place_bits, "out of range, or of a mesh that is not compact");
        for (const std::uint32_t reserved : morph.reserved) {
            place.require(reserved == 0, "morphs.reserved", reserved, "must be 0");
        }
        place.require(morph.first_mask == masks, "morphs.first_mask", morph.first_mask,
                      "is not where the last mesh ends");
        place.require(morph_mask_count(header, morph) <= geometry.morph_masks.size() - masks, "morphs.first_mask",
                      morph.first_mask, "reaches past the end of its array");
        place.require(morph.payload_offset == payload, "morphs.payload_offset", morph.payload_offset,
                      "is not where the last mesh ends");
        payload += morph.payload_size;
        place.require(payload <= geometry.morph_payload.size(), "morphs.payload_offset", morph.payload_offset,
                      "reaches past the end of its array");
        const std::uint32_t words = (morph.target_count - 1) / 32 + 1;
        const std::uint32_t last = ~0U >> (31U - (morph.target_count - 1) % 32);  // of the targets of the last word
        for (const std::uint64_t end = masks + morph_mask_count(header, morph); masks < end; ++masks) {
            const MorphMask& mask = geometry.morph_masks[masks];
            const bool is_last = (masks - morph.first_mask) % words == words - 1;
            place.require(!is_last || (mask.targets & ~last) == 0, "morph_masks.targets", mask.targets,
                          "has targets that the mesh does not");
            if (is_compact(morph)) continue;  // find_compact_morph_fault() sees to the rest
            place.require(mask.first_stream == streams, "morph_masks.first_stream", mask.first_stream,
                          "is not where the streams before it end");
            streams += static_cast<std::uint64_t>(std::popcount(mask.targets)) * morph_stream_count(morph);
            place.require(streams <= geometry.morph_streams.size(), "morph_masks.first_stream", mask.first_stream,
                          "reaches past the end of its array");
        }
    }
    const auto require_end = [&](const char* array, std::uint64_t used, std::uint64_t size) {
        if (used == size) return;
        throw Error(source, array, std::to_string(size) + " elements, but meshes use " + std::to_string(used));
    };
    require_end("morphs", next, geometry.morphs.size());
    require_end("morph_masks", masks, geometry.morph_masks.size());
    require_end("morph_streams", streams, geometry.morph_streams.size());
    require_end("morph_payload", payload, geometry.morph_payload.size());
}

std::string text(float value) {
    return std::to_string(value);
}

// Whether a sphere holds another, but for what doubles lose.
bool holds(const shared::vec4& outer, const shared::vec4& inner) {
    const double x = static_cast<double>(outer.x) - static_cast<double>(inner.x);
    const double y = static_cast<double>(outer.y) - static_cast<double>(inner.y);
    const double z = static_cast<double>(outer.z) - static_cast<double>(inner.z);
    return std::sqrt(x * x + y * y + z * z) + static_cast<double>(inner.w) <= static_cast<double>(outer.w);
}

// Levels of detail. Errors and spheres grow from a group to those that contain what it was simplified to: so a choice
// by both is one surface. Coarser meshlets lie by their groups, of which errors fall along the array: so those that an
// error calls for are found by halving.
class LodCheck {
  public:
    LodCheck(const GeometryView& geometry, const std::string& source)
        : groups_(geometry.lod_groups),
          meshlets_(geometry.lod_meshlets),
          source_(source),
          contains_(groups_.size()),
          simplified_(groups_.size()) {
        if (!meshlets_.empty() && meshlets_.size() != geometry.meshlet_bounds.size()) {
            throw Error(source, "lod_meshlets",
                        std::to_string(meshlets_.size()) + " elements for " +
                            std::to_string(geometry.meshlet_bounds.size()) + " meshlets: must be as many");
        }
        if (meshlets_.empty() != groups_.empty()) {
            throw Error(source, "lod_groups", std::to_string(groups_.size()) + ": are there with lod_meshlets alone");
        }
        for (std::size_t g = 0; g < groups_.size(); ++g) check_group(g);
        std::size_t first = 0;
        for (const MeshHeader& mesh : geometry.meshes) {
            for (std::uint32_t m = 0; m < mesh.meshlet_count && first + m < meshlets_.size(); ++m) {
                check_meshlet(first + m, m, mesh.coarse_meshlets);
            }
            first += mesh.meshlet_count;
        }
        for (std::size_t g = 0; g < groups_.size(); ++g) {
            if (contains_[g] == 0) fail("lod_groups", g, "", "contains no meshlet");
            if ((simplified_[g] != 0) == std::isfinite(groups_[g].error)) continue;
            fail("lod_groups", g, ".error",
                 text(groups_[g].error) + ": must be infinite where nothing was simplified from it, and only there");
        }
    }

  private:
    [[noreturn]] void fail(const char* array, std::size_t index, const char* field, const std::string& what) const {
        throw Error(source_, std::string(array) + "[" + std::to_string(index) + "]" + field, what);
    }

    void check_group(std::size_t g) const {
        const LodGroup& group = groups_[g];
        if (!all_at_most(group.sphere, kMaxFloat) || !(group.sphere.w >= 0.0F)) {
            fail("lod_groups", g, ".sphere", text(group.sphere.w) + ": sphere out of range");
        }
        if (!(group.error >= 0.0F)) fail("lod_groups", g, ".error", text(group.error) + ": must not be less than 0");
        if (group.level > shared::kMostLodLevel) {
            fail("lod_groups", g, ".level", std::to_string(group.level) + ": there are fewer levels");
        }
        if (group.reserved[0] != 0 || group.reserved[1] != 0) fail("lod_groups", g, ".reserved", "must be 0");
    }

    // Meshlet m of a mesh.
    void check_meshlet(std::size_t index, std::uint32_t m, std::uint32_t coarse_meshlets) {
        const auto [group, from] = meshlets_[index];
        const bool coarse = m < coarse_meshlets;
        if (group != shared::kNoLodGroup) {
            if (group >= groups_.size()) {
                fail("lod_meshlets", index, ".group",
                     std::to_string(group) + ": there are " + std::to_string(groups_.size()));
            }
            contains_[group] = 1;
        } else if (coarse_meshlets != 0) {
            fail("lod_meshlets", index, ".group", "is missing in a mesh with levels of detail");
        }
        if ((from != shared::kNoLodGroup) != coarse) {
            fail("lod_meshlets", index, ".simplified_from", "must be given for all but the finest meshlets");
        }
        if (!coarse) return;
        if (m > 0 && meshlets_[index - 1].group > group) {
            fail("lod_meshlets", index, ".group",
                 std::to_string(group) + ": coarser meshlets must lie by ascending groups");
        }
        if (m > 0 && groups_[meshlets_[index - 1].group].error < groups_[group].error) {
            fail("lod_groups", group, ".error", text(groups_[group].error) + ": more than that of a group before it");
        }
        if (from <= group || from >= groups_.size()) {
            fail("lod_meshlets", index, ".simplified_from",
                 std::to_string(from) + ": must be a group after the one that contains the meshlet, " +
                     std::to_string(group));
        }
        simplified_[from] = 1;
        const std::string below = "that of group " + std::to_string(from) + ", which its meshlets are simplified from";
        if (groups_[group].error < groups_[from].error) {
            fail("lod_groups", group, ".error", text(groups_[group].error) + ": less than " + below);
        }
        if (groups_[group].level <= groups_[from].level) {
            fail("lod_groups", group, ".level", std::to_string(groups_[group].level) + ": not more than " + below);
        }
        if (!holds(groups_[group].sphere, groups_[from].sphere)) {
            fail("lod_groups", group, ".sphere", "does not hold " + below);
        }
    }

    std::span<const LodGroup> groups_;
    std::span<const LodMeshlet> meshlets_;
    const std::string& source_;
    std::vector<std::uint8_t> contains_, simplified_;
};

}  // namespace

bool comes_in_groups(const GeometryView& geometry, const MeshHeader& mesh) {
    return mesh.coarse_meshlets != 0 && !geometry.lod_meshlets.empty() && is_compact(mesh) && !deforms(mesh) &&
           !morphs(mesh);
}

void validate_groups(const GeometryView& geometry, std::uint32_t mesh, const std::string& source, ThreadPool* pool) {
    check_mesh(mesh_view(geometry, mesh), Place(source, mesh), true, pool);
}

void validate_block(const MeshHeader& mesh, std::size_t mesh_index, const std::string& source,
                    std::span<const std::uint32_t> words, const CompactBlock& block) {
    const auto fault = find_block_fault(mesh, words, block);
    if (fault) Place(source, mesh_index).fail(fault->field, fault->text);
}

void validate_bounds(std::span<const Bound> sublets, std::size_t mesh_index, const std::string& source) {
    check_bounds(sublets, "sublet_bounds", Place(source, mesh_index));
}

void validate(const GeometryView& geometry, const std::string& source, ThreadPool* pool, Validate what) {
    check_morph_records(geometry, source);
    const LodCheck lod(geometry, source);
    // Where the next mesh must begin in each array.
    std::uint64_t sublets = 0;
    std::uint64_t meshlets = 0;
    std::uint64_t streams = 0;
    std::uint64_t payload = 0;
    std::uint64_t vertices = 0;
    std::uint64_t triangles = 0;
    std::uint64_t attributes = 0;
    for (std::size_t i = 0; i < geometry.meshes.size(); ++i) {
        const MeshHeader& header = geometry.meshes[i];
        const Place place(source, i);
        check_header(header, place);
        place.require(header.coarse_meshlets == 0 || !geometry.lod_meshlets.empty(), "coarse_meshlets",
                      header.coarse_meshlets, "has no records of levels of detail");
        const std::uint64_t meshlet_count =
            (std::uint64_t{header.sublet_count} + shared::kSubletsPerMeshlet - 1) / shared::kSubletsPerMeshlet;
        place.require(header.meshlet_count == meshlet_count, "meshlet_count", header.meshlet_count,
                      "must be sublet_count / 8, rounded up");
        // A mesh without sublets has no payload; the checks of its streams see to the padding of the others.
        place.require(header.sublet_count != 0 || header.payload_size == 0, "payload_size", header.payload_size,
                      "must be 0 in a mesh without sublets");

        const auto take = [&](const char* field, std::uint32_t first, std::uint64_t count, std::uint64_t& next,
                              std::uint64_t size) {
            place.require(first == next, field, first, "is not where the last mesh ends");
            next += count;
            place.require(next <= size, field, first, "reaches past the end of its array");
        };
        take("first_sublet", header.first_sublet, header.sublet_count, sublets, geometry.sublet_bounds.size());
        take("first_meshlet", header.first_meshlet, header.meshlet_count, meshlets, geometry.meshlet_bounds.size());
        take("first_stream", header.first_stream,
             is_compact(header) ? 0 : std::uint64_t{header.sublet_count} * header.stream_count, streams,
             geometry.streams.size());
        take("payload_offset", header.payload_offset, header.payload_size, payload, geometry.payload.size());
        // Decoded arrays are sized from these sums, which must fit the 32 bits that address them.
        constexpr std::uint64_t kMax = std::numeric_limits<std::uint32_t>::max();
        take("first_vertex", header.first_vertex, header.vertex_count, vertices, kMax);
        take("first_triangle", header.first_triangle, header.triangle_count, triangles, kMax);
        take("first_attribute", header.first_attribute, std::uint64_t{header.vertex_count} * header.attribute_stride,
             attributes, kMax);
        check_mesh(mesh_view(geometry, static_cast<std::uint32_t>(i)), place,
                   what == Validate::kAll || !comes_in_groups(geometry, header), pool);
    }
    const auto require_end = [&](const char* array, std::uint64_t used, std::uint64_t size) {
        if (used != size) {
            throw Error(source, array, std::to_string(size) + " elements, but meshes use " + std::to_string(used));
        }
    };
    require_end("sublet_bounds", sublets, geometry.sublet_bounds.size());
    require_end("meshlet_bounds", meshlets, geometry.meshlet_bounds.size());
    require_end("streams", streams, geometry.streams.size());
    require_end("payload", payload, geometry.payload.size());
}

}  // namespace sublet::mesh
