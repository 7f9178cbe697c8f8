#include <algorithm>
#include <bit>

#include "mesh/compact.h"
#include "mesh/compact_write.h"
#include "mesh/parallel.h"
#include "mesh/plain_coding.h"
#include "shaders/shared/compact.h"
#include "shaders/shared/deform.h"

namespace sublet::mesh {
namespace {

using shared::kMeshletSize;
using shared::kSubletSize;
using shared::kSubletsPerMeshlet;

constexpr std::uint32_t kMostOccurrences = 64;

// What is wrong; null where nothing is.
using Fault = const char*;

class Checker {
  public:
    // `values`: what vertices decode to, too.
    Checker(const MeshHeader& header, std::span<const std::uint32_t> words, bool values = true)
        : header_(header),
          words_(words),
          from_{words.data(), static_cast<std::uint32_t>(words.size())},
          table_(header.streams_present),
          values_(values) {}

    // In what lies outside of blocks: after it, each begins where the one before ends.
    [[nodiscard]] std::optional<CompactFault> find_in_records() const {
        const std::uint32_t meshlets = meshlet_count();
        const std::uint64_t records = table_.count + std::uint64_t{meshlets} * shared::kCompactMeshletWords;
        if (words_.size() > UINT32_MAX || records + 1 > words_.size()) return CompactFault{"payload", "is too short"};
        for (std::uint32_t c = 0; c < table_.count; ++c) {
            const std::uint32_t word = words_[c];
            const bool wide = has_wide_positions(header_) && c < 3;
            if (!is_component_word(word, wide ? kWideLimits : kNarrowLimits)) {
                return CompactFault{"components[" + std::to_string(c) + "]",
                                    std::to_string(word) + ": is out of range"};
            }
        }
        if (record(0, 0) != records) return CompactFault{"meshlets[0]", "its block is elsewhere"};
        if (record(0, 1) != 0 || record(0, 2) != 0) return CompactFault{"meshlets[0]", "something precedes it"};
        for (std::uint32_t m = 0; m < meshlets; ++m) {
            const CompactBlock of = block_of(m);
            const auto fault = [&](const char* what) {
                return CompactFault{"meshlets[" + std::to_string(m) + "]", what};
            };
            // Differences of what does not ascend are beyond these.
            if (of.block >= words_.size() || of.words >= words_.size() - of.block || of.words < of.sublets) {
                return fault("its block is elsewhere");
            }
            if (of.vertices - 1 >= kMeshletSize || of.triangles - 1 >= kMeshletSize) {
                return fault("has too many vertices or triangles, or none");
            }
        }
        return std::nullopt;
    }

    [[nodiscard]] std::optional<CompactFault> find_in_blocks(ThreadPool* pool) const {
        const std::uint32_t meshlets = meshlet_count();
        std::vector<std::optional<CompactFault>> faults((meshlets + kMeshletsPerTask - 1) / kMeshletsPerTask);
        for_ranges(pool, meshlets, kMeshletsPerTask, [&](std::size_t begin, std::size_t end) {
            std::optional<CompactFault>& found = faults[begin / kMeshletsPerTask];
            for (std::size_t m = begin; m < end && !found; ++m) {
                found = find_in_block(block_of(static_cast<std::uint32_t>(m)));
            }
        });
        const auto first = std::ranges::find_if(faults, [](const auto& fault) { return fault.has_value(); });
        return first == faults.end() ? std::nullopt : *first;
    }

    // As the records say.
    [[nodiscard]] CompactBlock block_of(std::uint32_t m) const {
        const std::uint32_t block = record(m, 0);
        return {.meshlet = m,
                .sublets = std::min(kSubletsPerMeshlet, header_.sublet_count - m * kSubletsPerMeshlet),
                .vertices = (is_last(m) ? header_.vertex_count : record(m + 1, 1)) - record(m, 1),
                .triangles = (is_last(m) ? header_.triangle_count : record(m + 1, 2)) - record(m, 2),
                .block = block,
                .words = static_cast<std::uint32_t>(end_of(m)) - block};
    }

    [[nodiscard]] std::optional<CompactFault> find_in_block(const CompactBlock& of) const {
        const std::uint32_t last = words_[of.block + of.sublets - 1];
        const std::uint32_t vertices = (last >> 16U & 0xffU) + 1, triangles = (last >> 24U) + 1;
        if (vertices != of.vertices || triangles != of.triangles ||
            (std::uint64_t{last & 0xffffU} * shared::kCompactOffsetUnit + 31) / 32 != of.words) {
            return CompactFault{"meshlets[" + std::to_string(of.meshlet) + "]", "its block is of another size"};
        }
        Owned own{};
        for (std::uint32_t s = 0; s < of.sublets; ++s) {
            const Fault fault = find_in_sublet(of.block, s, of.sublets, of.meshlet < header_.coarse_meshlets, own);
            if (fault == nullptr) continue;
            return CompactFault{"sublets[" + std::to_string(of.meshlet * kSubletsPerMeshlet + s) + "]", fault};
        }
        return std::nullopt;
    }

  private:
    // How many vertices the sublets of a meshlet store.
    using Owned = std::array<std::uint32_t, kSubletsPerMeshlet>;

    [[nodiscard]] std::uint32_t meshlet_count() const {
        return header_.sublet_count / kSubletsPerMeshlet + (header_.sublet_count % kSubletsPerMeshlet != 0 ? 1U : 0U);
    }
    [[nodiscard]] std::uint32_t record(std::uint32_t meshlet, std::uint32_t word) const {
        return words_[table_.count + std::size_t{meshlet} * shared::kCompactMeshletWords + word];
    }
    [[nodiscard]] bool is_last(std::uint32_t meshlet) const { return meshlet + 1 == meshlet_count(); }
    [[nodiscard]] std::uint64_t end_of(std::uint32_t meshlet) const {
        return is_last(meshlet) ? words_.size() - 1 : record(meshlet + 1, 0);
    }
    // `owned`: of the sublets before it, and then its own.
    Fault find_in_sublet(std::uint32_t block, std::uint32_t number, std::uint32_t count, bool may_be_filler,
                         Owned& owned) const {
        const shared::CompactSublet s = shared::compact_sublet(from_, block, number, count);
        if (s.at > s.end || block + (std::uint64_t{s.end} + 31) / 32 >= words_.size()) return "ends wrong";
        if (s.triangles == 0 && s.vertices == 0) {
            return may_be_filler && number > 0 && s.at == s.end ? nullptr : "has no triangles";
        }
        if (s.triangles - 1 >= kSubletSize || s.vertices - 1 >= kSubletSize) return "has too many, or none";
        if (s.end - s.at < shared::kCompactHeadBits) return "is too short";

        const shared::CompactOwn own = shared::compact_own(from_, s);
        if (own.end < s.at || own.end > s.end) return "is too short";
        if (number == 0 && (own.head & shared::kCompactSharesBit) != 0) return "has vertices of sublets that are not";
        for (std::uint32_t v = 0; v < s.vertices; ++v) {
            const shared::CompactPlace place = shared::compact_place(from_, s, own, v);
            if (place.number != number && (place.number > number || place.index >= owned[place.number])) {
                return "has vertices of sublets that are not";
            }
        }
        owned[number] = shared::bitCount(own.mask);
        std::uint32_t triangles_at = 0;
        if (const Fault fault = find_in_triangles(s, own, triangles_at)) return fault;
        std::uint32_t end = s.at;
        if (owned[number] != 0) {
            if (const Fault fault = find_in_streams(s, owned[number], triangles_at, end)) return fault;
        }
        if (end > triangles_at || triangles_at - end >= shared::kCompactOffsetUnit) return "is of another size";
        return values_ ? find_in_values(s, own, block, count) : nullptr;
    }

    // `begin`: of their bits.
    Fault find_in_triangles(const shared::CompactSublet& s, const shared::CompactOwn& own, std::uint32_t& begin) const {
        std::uint32_t bits = s.triangles * kTriangleBits;
        std::uint32_t reused = 0;
        if ((own.head & shared::kCompactRawBit) == 0) {
            std::uint32_t at = own.end;
            const std::uint32_t starts = shared::compact_starts(from_, s, own.head, at);
            const std::uint32_t occurrences = s.triangles + 2 * shared::bitCount(starts);
            if (static_cast<std::uint32_t>(std::bit_width(starts)) > s.triangles || occurrences > kMostOccurrences ||
                occurrences < s.vertices) {
                return "has too many strips";
            }
            reused = occurrences - s.vertices;
            bits = own.end - at + s.triangles - 1 + occurrences - 3 + reused * shared::kCompactIndexBits +
                   ((own.head & shared::kCompactTurnedBit) != 0 ? 2 * reused : 0);
        }
        if (bits > own.end - s.at) return "is too short";
        begin = own.end - bits;
        const shared::CompactTopology t = shared::compact_topology(from_, s, own);
        if (!t.raw) {
            if (shared::bitCount(t.fresh[0]) + shared::bitCount(t.fresh[1]) != s.vertices) {
                return "has strips of other vertices";
            }
            for (std::uint32_t i = 0; i < reused && t.turned_at != 0; ++i) {
                if (shared::compact_bits(from_, s.block, t.turned_at - 2 * (i + 1), 2) == 3) return "has a bad turn";
            }
            // What is not fresh: the corners of triangles are these.
            for (std::uint32_t i = 1; i <= reused; ++i) {
                const std::uint32_t at = t.reused_at - i * shared::kCompactIndexBits;
                if (shared::compact_bits(from_, s.block, at, shared::kCompactIndexBits) >= s.vertices) {
                    return "has triangles of no vertices";
                }
            }
            return nullptr;
        }
        for (std::uint32_t i = 0; i < s.triangles; ++i) {
            const shared::CompactTriangle triangle = shared::compact_triangle(from_, s, t, i);
            if (std::max({triangle.a, triangle.b, triangle.c}) >= s.vertices) return "has triangles of no vertices";
        }
        return nullptr;
    }

    Fault find_in_streams(const shared::CompactSublet& s, std::uint32_t own, std::uint32_t limit,
                          std::uint32_t& at) const {
        for (std::uint32_t type = shared::kStreamPosition; type < shared::kStreamTypes; ++type) {
            if (!has_stream(type, header_.streams_present)) continue;
            const StreamLayout& layout = table_.layout[type];
            const CompactLimits& limits = compact_limits(header_, type);
            const shared::CompactStream stream =
                shared::compact_stream(from_, s.block, at, own, table_.first[type], layout.components,
                                       type == shared::kStreamPosition, layout.has_tangent_sign);
            if (stream.own != own) return "counts its vertices wrong";
            if (stream.end > limit) return "is too short";
            if (stream.mode == shared::kCompactSame &&
                (type != shared::kStreamUv1 || !has_stream(shared::kStreamUv, header_.streams_present))) {
                return "has values of no stream";
            }
            if (stream.sign > shared::kTangentSignInLowBit) return "has a bad sign";
            if (const Fault fault = find_stream_fault(from_, s.block, stream, layout.components, limits)) return fault;
            at = stream.end;
        }
        return nullptr;
    }

    // What the sublet's own vertices decode to; others were checked where they are stored.
    Fault find_in_values(const shared::CompactSublet& s, const shared::CompactOwn& own, std::uint32_t block,
                         std::uint32_t count) const {
        const std::int32_t most = 1 << (header_.position_bits - 1);
        for (std::uint32_t v = 0; v < s.vertices; ++v) {
            if ((own.mask >> v & 1U) == 0) continue;
            GridPoint position{};
            std::array<std::uint32_t, kMaxAttributeWords> attributes{};
            const shared::CompactPlace place = shared::compact_place(from_, s, own, v);
            decode_compact_vertex(header_, table_, from_, block,
                                  shared::compact_begin(from_, block, place.number, count), place.index, position,
                                  attributes.data());
            for (const std::int32_t x : position) {
                if (x < -most || x >= most) return "has positions of more bits than position_bits";
            }
            if (weight_parts(attributes) > shared::kWeightParts) return "has weights of more than all";
        }
        return nullptr;
    }

    [[nodiscard]] std::uint32_t weight_parts(const std::array<std::uint32_t, kMaxAttributeWords>& attributes) const {
        std::uint32_t sum = 0;
        for (const std::uint32_t type : {shared::kStreamJointWeights, shared::kStreamJointWeights1}) {
            if (!has_stream(type, header_.streams_present)) continue;
            const std::uint32_t* words = attributes.data() + attribute_offset(type, header_.streams_present);
            sum += (words[0] & 0xffffU) + (words[0] >> 16U) + (words[1] & 0xffffU) + (words[1] >> 16U);
        }
        return sum;
    }

    const MeshHeader& header_;
    std::span<const std::uint32_t> words_;
    shared::CompactWords from_;
    ComponentTable table_;
    bool values_;
};

}  // namespace

const char* find_stream_fault(shared::CompactWords from, std::uint32_t block, const shared::CompactStream& stream,
                              std::uint32_t components, const CompactLimits& limits) {
    const std::uint32_t stored = shared::bitCount(stream.stored);
    if (stream.stored >> (stream.own - 1) > 1) return "stores values of no vertices";
    for (std::uint32_t c = 0; c < components; ++c) {
        if (std::max(stream.width[c], stream.palette_width[c]) > limits.width) return "has a bad width";
    }
    for (std::uint32_t i = 0; i < stream.own && stream.mode != shared::kCompactEach; ++i) {
        if (shared::compact_value_index(from, block, stream, i) >= stored) return "copies no value";
    }
    // Numbers in palettes are below their sizes.
    if (std::ranges::count(stream.palette_at, 0U) == 4) return nullptr;
    std::uint32_t value_at = stream.values_at;
    for (std::uint32_t i = 0; i < stored && stream.mode != shared::kCompactSame; ++i) {
        for (std::uint32_t c = 0; c < components; value_at += stream.width[c++]) {
            if (stream.palette_at[c] == 0) continue;
            const std::uint32_t last = shared::compact_bits(
                from, block, stream.palette_at[c] - shared::kCompactIndexBits, shared::kCompactIndexBits);
            if (shared::compact_bits(from, block, value_at, stream.width[c]) > last) return "has a palette of too few";
        }
    }
    return nullptr;
}

bool is_component_word(std::uint32_t word, const CompactLimits& limits) {
    const bool may_be_coarse = limits.width > kNarrowLimits.width;
    return (may_be_coarse || (word & shared::kCompactCoarseBit) == 0) && (word >> 17U & 31U) <= limits.base_bits &&
           (word >> 22U & 31U) <= limits.width &&
           (word >> 27U & 7U) <= static_cast<std::uint32_t>(std::bit_width(limits.width));
}

std::optional<CompactFault> find_compact_fault(const MeshHeader& header, std::span<const std::uint32_t> words,
                                               ThreadPool* pool) {
    if (auto fault = find_record_fault(header, words)) return fault;
    return find_block_fault(header, words, pool);
}

std::optional<CompactFault> find_record_fault(const MeshHeader& header, std::span<const std::uint32_t> words) {
    if (header.sublet_count == 0) return std::nullopt;
    return Checker(header, words).find_in_records();
}

std::optional<CompactFault> find_block_fault(const MeshHeader& header, std::span<const std::uint32_t> words,
                                             ThreadPool* pool) {
    if (header.sublet_count == 0) return std::nullopt;
    return Checker(header, words).find_in_blocks(pool);
}

CompactBlock compact_block(const MeshHeader& header, std::span<const std::uint32_t> words, std::uint32_t meshlet) {
    return Checker(header, words).block_of(meshlet);
}

std::optional<CompactFault> find_block_fault(const MeshHeader& header, std::span<const std::uint32_t> words,
                                             const CompactBlock& block) {
    return Checker(header, words, false).find_in_block(block);
}

}  // namespace sublet::mesh
