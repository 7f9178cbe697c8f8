#include "mesh/compact.h"

#include <algorithm>
#include <bit>
#include <cassert>

#include "mesh/compact_write.h"
#include "mesh/parallel.h"
#include "mesh/plain_coding.h"
#include "shaders/shared/compact.h"

namespace sublet::mesh {
namespace {

using shared::kSubletSize;
using shared::kSubletsPerMeshlet;

// Which vertices a sublet stores.
struct Ownership {
    std::uint32_t own = 0;                          // bit v: it stores vertex v itself
    std::array<std::uint8_t, kSubletSize> owner{};  // of the others: a sublet of the meshlet,
    std::array<std::uint8_t, kSubletSize> index{};  // and the number among those that it stores
};

// What a sublet's draft has: streams, and then bits of triangles and of what precedes them.
struct SubletDraft {
    std::uint32_t streams = 0;
    std::uint16_t topology = 0;
    std::uint16_t shared = 0;
    std::uint8_t triangles = 0;
    std::uint8_t vertices = 0;
};

// Some meshlets that follow one another. They are drafted, and then written with the table of components of all.
class CompactPart {
  public:
    CompactPart(const MeshHeader& header, const ComponentTable& table, std::span<const std::uint32_t> alike)
        : header_(header), table_(table), alike_(alike) {}

    void draft(std::uint32_t first_sublet, std::uint32_t end_sublet,
               const std::function<DecodedSublet(std::uint32_t)>& sublet) {
        ranges_.resize(table_.count);
        CountingWriter writer(draft_);
        std::vector<DecodedSublet> meshlet;
        for (std::uint32_t s = first_sublet; s < end_sublet; ++s) {
            meshlet.push_back(sublet(s));
            if (meshlet.size() < kSubletsPerMeshlet && s + 1 < end_sublet) continue;
            draft_meshlet(meshlet, s + 1 - static_cast<std::uint32_t>(meshlet.size()), writer);
            meshlet.clear();
        }
        writer.flush();
        draft_.push_back(0);
    }

    [[nodiscard]] const std::vector<ComponentRange>& ranges() const { return ranges_; }

    // Blocks and their records, of which the first words count from the first block, and what precedes from the first
    // meshlet.
    void write(std::span<const ComponentRange> ranges) {
        CountingReader reader(draft_);
        std::uint32_t vertices = 0;
        std::uint32_t triangles = 0;
        const std::span drafts(sublet_drafts_);
        for (std::size_t s = 0; s < drafts.size(); s += kSubletsPerMeshlet) {
            records_.insert(records_.end(), {static_cast<std::uint32_t>(words_.size()), vertices, triangles});
            const auto meshlet = drafts.subspan(s, std::min<std::size_t>(kSubletsPerMeshlet, drafts.size() - s));
            write_meshlet(meshlet, ranges, reader);
            for (const SubletDraft& sublet : meshlet) {
                vertices += sublet.vertices;
                triangles += sublet.triangles;
            }
        }
        vertices_ = vertices;
        triangles_ = triangles;
        draft_ = {};
    }

    // Appends blocks and sets records, from word `record` on; `before`: vertices and triangles that precede them, which
    // theirs are added to. Nothing is left.
    void move_to(std::vector<std::uint32_t>& words, std::size_t record, std::array<std::uint32_t, 2>& before) {
        const auto begin = static_cast<std::uint32_t>(words.size());
        for (std::size_t i = 0; i < records_.size(); i += shared::kCompactMeshletWords) {
            words[record + i] = records_[i] + begin;
            words[record + i + 1] = records_[i + 1] + before[0];
            words[record + i + 2] = records_[i + 2] + before[1];
        }
        words.insert(words.end(), words_.begin(), words_.end());
        words_ = {};
        before[0] += vertices_;
        before[1] += triangles_;
    }

  private:
    // Vertices of sublets, which have these numbers in the mesh.
    [[nodiscard]] bool equal(const DecodedSublet& a, std::uint32_t a_number, std::uint32_t v, const DecodedSublet& b,
                             std::uint32_t b_number, std::uint32_t w) const {
        if (!alike_.empty() &&
            alike_[std::size_t{a_number} * kSubletSize + v] != alike_[std::size_t{b_number} * kSubletSize + w]) {
            return false;
        }
        return a.positions[v] == b.positions[w] &&
               std::equal(a.attributes[v].begin(), a.attributes[v].begin() + attribute_stride(header_.streams_present),
                          b.attributes[w].begin());
    }

    // Whether a vertex takes more bits than that, where nothing is predicted.
    [[nodiscard]] bool takes_more(const DecodedSublet& sublet, std::uint32_t than) const {
        std::uint32_t bits = 0;
        for (std::uint32_t type = shared::kStreamPosition; type < shared::kStreamTypes && bits <= than; ++type) {
            if (!has_stream(type, header_.streams_present)) continue;
            Components least = value_of(sublet, 0, type);
            Components greatest = least;
            for (std::uint32_t v = 1; v < sublet.vertex_count; ++v) {
                const Components value = value_of(sublet, v, type);
                for (std::size_t c = 0; c < 4; ++c) {
                    least[c] = std::min(least[c], value[c]);
                    greatest[c] = std::max(greatest[c], value[c]);
                }
            }
            for (std::size_t c = 0; c < 4; ++c) {
                bits += static_cast<std::uint32_t>(std::bit_width(static_cast<std::uint32_t>(greatest[c] - least[c])));
            }
        }
        return bits > than;
    }

    [[nodiscard]] Components value_of(const DecodedSublet& sublet, std::uint32_t v, std::uint32_t type) const {
        return vertex_value(sublet, v, type, table_.layout[type], header_.streams_present);
    }

    // `first`: the number of its first sublet in the mesh.
    void draft_meshlet(std::span<const DecodedSublet> sublets, std::uint32_t first, CountingWriter& writer) {
        // Vertices that the meshlet stores, by a hash of their positions.
        struct Stored {
            std::uint8_t sublet, vertex, index;
        };
        std::array<Stored, shared::kMeshletSize> stored;
        std::array<std::uint16_t, 512> slots{};  // 1 + the number in `stored`
        std::uint32_t stored_count = 0;
        for (std::size_t s = 0; s < sublets.size(); ++s) {
            const DecodedSublet& sublet = sublets[s];
            SubletDraft& draft = sublet_drafts_.emplace_back();
            if (sublet.vertex_count == 0) continue;
            draft.triangles = static_cast<std::uint8_t>(sublet.triangle_count);
            draft.vertices = static_cast<std::uint8_t>(sublet.vertex_count);
            Ownership plan;
            plan.own = low_bits(~0U, sublet.vertex_count);
            std::uint32_t elsewhere = 0;
            std::array<std::uint32_t, kSubletSize> slot_of{};
            for (std::uint32_t v = 0; v < sublet.vertex_count; ++v) {
                const GridPoint& p = sublet.positions[v];
                std::uint32_t slot =
                    (static_cast<std::uint32_t>(p[0]) * 0x9e3779b1U ^ static_cast<std::uint32_t>(p[1]) * 0x85ebca77U ^
                     static_cast<std::uint32_t>(p[2]) * 0xc2b2ae3dU) >>
                    23U;
                for (; slots[slot] != 0; slot = (slot + 1) % slots.size()) {
                    const Stored& other = stored[slots[slot] - 1U];
                    if (other.sublet == s || !equal(sublets[other.sublet], first + other.sublet, other.vertex, sublet,
                                                    first + static_cast<std::uint32_t>(s), v)) {
                        continue;
                    }
                    elsewhere |= 1U << v;
                    plan.owner[v] = other.sublet;
                    plan.index[v] = other.index;
                    break;
                }
                slot_of[v] = slot;
            }
            const auto count = static_cast<std::uint32_t>(std::popcount(elsewhere));
            if (count > 0 && takes_more(sublet, sublet.vertex_count / count + shared_bits(s))) plan.own &= ~elsewhere;
            std::uint8_t index = 0;
            for (std::uint32_t v = 0; v < sublet.vertex_count; ++v) {
                if ((plan.own >> v & 1U) == 0) continue;
                stored[stored_count++] = {static_cast<std::uint8_t>(s), static_cast<std::uint8_t>(v), index++};
                std::uint32_t slot = slot_of[v];
                while (slots[slot] != 0) slot = (slot + 1) % slots.size();
                slots[slot] = static_cast<std::uint16_t>(stored_count);
            }
            draft.streams = draft_streams(sublet, plan.own, writer);
            draft_triangles(sublet, s, plan, draft, writer);
        }
    }

    // Whether both sets of texture coordinates are one.
    [[nodiscard]] bool has_same_uvs(const DecodedSublet& sublet, std::uint32_t own) const {
        if (!has_stream(shared::kStreamUv, header_.streams_present)) return false;
        const std::uint32_t uv = attribute_offset(shared::kStreamUv, header_.streams_present);
        const std::uint32_t uv1 = attribute_offset(shared::kStreamUv1, header_.streams_present);
        for (std::uint32_t v = 0; v < sublet.vertex_count; ++v) {
            if ((own >> v & 1U) != 0 && sublet.attributes[v][uv] != sublet.attributes[v][uv1]) return false;
        }
        return true;
    }

    // Of a vertex that is stored elsewhere.
    static std::uint32_t shared_bits(std::size_t sublet) {
        return shared::kCompactIndexBits + (sublet > 1 ? static_cast<std::uint32_t>(std::bit_width(sublet - 1)) : 0);
    }

    // Returns how many.
    std::uint32_t draft_streams(const DecodedSublet& sublet, std::uint32_t own, CountingWriter& writer) {
        if (own == 0) return 0;
        Predictors predictors{};
        std::array<Components, kSubletSize> values{};
        std::uint32_t streams = 0;
        for (std::uint32_t type = shared::kStreamPosition; type < shared::kStreamTypes; ++type) {
            if (!has_stream(type, header_.streams_present)) continue;
            std::size_t count = 0;
            for (std::uint32_t v = 0; v < sublet.vertex_count; ++v) {
                if ((own >> v & 1U) != 0) values[count++] = value_of(sublet, v, type);
            }
            const bool is_position = type == shared::kStreamPosition;
            const StreamLayout& layout = table_.layout[type];
            const std::span own_values(values.data(), count);
            StreamPlan plan;
            if (type == shared::kStreamUv1 && has_same_uvs(sublet, own)) {
                plan.mode = shared::kCompactSame;
            } else {
                plan = is_position ? plan_positions(own_values, compact_limits(header_, type), predictors)
                                   : plan_stream(own_values, layout, type == shared::kStreamNormalTangent, predictors);
                for (std::uint32_t c = 0; c < layout.components; ++c) {
                    ranges_[table_.first[type] + c].add(plan.components[c], is_position && c == plan.axis);
                }
            }
            stream_drafts_.push_back(
                draft_stream(plan, layout.components, is_position, layout.has_tangent_sign, writer));
            ++streams;
        }
        return streams;
    }

    static void draft_triangles(const DecodedSublet& sublet, std::size_t s, const Ownership& plan, SubletDraft& draft,
                                CountingWriter& writer) {
        const Topology topology =
            plan_topology(std::span(sublet.triangles).first(sublet.triangle_count), sublet.vertex_count);
        const bool shares = plan.own != low_bits(~0U, sublet.vertex_count);
        BackwardFields fields;
        fields.add(topology.head | (shares ? shared::kCompactSharesBit : 0U), shared::kCompactHeadBits);
        if (shares) {
            fields.add(plan.own, sublet.vertex_count);
            for (std::uint32_t v = 0; v < sublet.vertex_count; ++v) {
                if ((plan.own >> v & 1U) != 0) continue;
                fields.add(plan.index[v] | static_cast<std::uint32_t>(plan.owner[v]) << shared::kCompactIndexBits,
                           shared_bits(s));
            }
        }
        topology.fields.write(writer);
        fields.write(writer);
        draft.topology = static_cast<std::uint16_t>(topology.fields.bits);
        draft.shared = static_cast<std::uint16_t>(fields.bits);
    }

    void write_meshlet(std::span<const SubletDraft> sublets, std::span<const ComponentRange> ranges,
                       CountingReader& reader) {
        const std::size_t block = words_.size();
        words_.resize(block + sublets.size());
        CountingWriter writer(words_);
        const std::size_t head = sublets.size() * 32;
        std::uint32_t vertices = 0;
        std::uint32_t triangles = 0;
        for (std::size_t s = 0; s < sublets.size(); ++s) {
            write_sublet(sublets[s], ranges, reader, writer);
            vertices += sublets[s].vertices;
            triangles += sublets[s].triangles;
            words_[block + s] = static_cast<std::uint32_t>(head + writer.bits()) / shared::kCompactOffsetUnit |
                                (vertices - 1) << 16U | (triangles - 1) << 24U;
        }
        writer.flush();
    }

    void write_sublet(const SubletDraft& draft, std::span<const ComponentRange> ranges, CountingReader& reader,
                      CountingWriter& writer) {
        std::uint32_t type = shared::kStreamPosition;
        for (std::uint32_t i = 0; i < draft.streams; ++i, ++type) {
            while (!has_stream(type, header_.streams_present)) ++type;
            write_stream(stream_drafts_[next_stream_++],
                         ranges.subspan(table_.first[type], table_.layout[type].components),
                         type == shared::kStreamPosition, reader, writer);
        }
        const std::size_t beyond = (writer.bits() + draft.topology + draft.shared) % shared::kCompactOffsetUnit;
        if (beyond != 0) writer.write(0, static_cast<std::uint32_t>(shared::kCompactOffsetUnit - beyond));
        reader.copy(draft.topology, writer);
        reader.copy(draft.shared, writer);
    }

    const MeshHeader& header_;
    const ComponentTable& table_;
    std::span<const std::uint32_t> alike_;
    std::vector<ComponentRange> ranges_;
    // All sublets, before the ranges are known.
    std::vector<std::uint32_t> draft_;
    std::vector<SubletDraft> sublet_drafts_;
    std::vector<StreamDraft> stream_drafts_;
    std::size_t next_stream_ = 0;
    std::vector<std::uint32_t> records_;
    std::vector<std::uint32_t> words_;
    std::uint32_t vertices_ = 0, triangles_ = 0;
};

// The bits of a component that count.
std::int32_t position_of(std::int32_t value, bool wide) {
    return wide ? shared::position_component(static_cast<std::uint32_t>(value), static_cast<std::uint32_t>(value >> 16))
                : static_cast<std::int16_t>(value);
}

}  // namespace

void decode_compact_vertex(const MeshHeader& header, const ComponentTable& table, shared::CompactWords from,
                           std::uint32_t block, std::uint32_t at, std::uint32_t index, GridPoint& position,
                           std::uint32_t* attributes) {
    std::uint32_t own = 0;
    shared::CompactPredictors by{};
    for (std::uint32_t type = shared::kStreamPosition; type < shared::kStreamTypes; ++type) {
        if (!has_stream(type, header.streams_present)) continue;
        const StreamLayout& layout = table.layout[type];
        const bool is_position = type == shared::kStreamPosition;
        const shared::CompactStream stream = shared::compact_stream(
            from, block, at, own, table.first[type], layout.components, is_position, layout.has_tangent_sign);
        at = stream.end;
        own = stream.own;
        if (stream.mode == shared::kCompactSame) {
            attributes[attribute_offset(type, header.streams_present)] =
                attributes[attribute_offset(shared::kStreamUv, header.streams_present)];
            continue;
        }
        const shared::CompactValue differences = shared::compact_differences(from, block, stream, index);
        if (is_position) by = shared::compact_predictors(stream, differences);
        shared::CompactValue value = shared::compact_components(stream, differences, by);
        if (is_position) {
            for (std::size_t c = 0; c < 3; ++c) position[c] = position_of(value.c[c], has_wide_positions(header));
            continue;
        }
        if (type == shared::kStreamNormalTangent) value = shared::compact_fold_normal(value);
        Components components{value.c[0], value.c[1], value.c[2], value.c[3]};
        if (layout.has_tangent_sign) restore_tangent_sign(components, stream.sign);
        components_to_words(components, layout, attributes + attribute_offset(type, header.streams_present));
    }
}

std::vector<std::uint32_t> encode_compact(const MeshHeader& header,
                                          const std::function<DecodedSublet(std::uint32_t)>& sublet, ThreadPool* pool,
                                          std::span<const std::uint32_t> alike) {
    if (header.sublet_count == 0) return {};
    constexpr std::size_t kGrain = kMeshletsPerTask * kSubletsPerMeshlet;
    const ComponentTable table(header.streams_present);
    std::vector<CompactPart> parts((header.sublet_count + kGrain - 1) / kGrain, CompactPart(header, table, alike));
    for_ranges(pool, header.sublet_count, kGrain, [&](std::size_t begin, std::size_t end) {
        parts[begin / kGrain].draft(static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end), sublet);
    });
    std::vector<ComponentRange> ranges(table.count);
    for (const CompactPart& part : parts) {
        for (std::size_t c = 0; c < ranges.size(); ++c) ranges[c].add(part.ranges()[c]);
    }
    for_ranges(pool, parts.size(), 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) parts[i].write(ranges);
    });
    std::vector<std::uint32_t> words;
    for (const ComponentRange& range : ranges) words.push_back(range.word());
    const std::uint32_t meshlets = (header.sublet_count + kSubletsPerMeshlet - 1) / kSubletsPerMeshlet;
    words.resize(words.size() + std::size_t{meshlets} * shared::kCompactMeshletWords);
    std::array<std::uint32_t, 2> before{};
    std::size_t record = ranges.size();
    for (CompactPart& part : parts) {
        part.move_to(words, record, before);
        record += kMeshletsPerTask * shared::kCompactMeshletWords;
    }
    words.push_back(0);
    return words;
}

CompactFound find_compact_sublet(const MeshHeader& header, std::span<const std::uint32_t> words, std::uint32_t sublet) {
    CompactFound out{
        {words.data(), static_cast<std::uint32_t>(words.size())}, ComponentTable(header.streams_present), {}};
    const std::uint32_t meshlet = sublet / kSubletsPerMeshlet;
    out.record = out.table.count + meshlet * shared::kCompactMeshletWords;
    out.sublets = std::min(kSubletsPerMeshlet, header.sublet_count - meshlet * kSubletsPerMeshlet);
    out.sublet = shared::compact_sublet(out.from, shared::compact_word(out.from, out.record),
                                        sublet % kSubletsPerMeshlet, out.sublets);
    return out;
}

DecodedSublet decode_compact(const MeshHeader& header, std::span<const std::uint32_t> words, std::uint32_t sublet) {
    const CompactFound found = find_compact_sublet(header, words, sublet);
    const shared::CompactWords from = found.from;
    const shared::CompactSublet& s = found.sublet;
    DecodedSublet result;
    result.triangle_count = s.triangles;
    result.vertex_count = s.vertices;
    if (s.triangles == 0) return result;
    const shared::CompactOwn own = shared::compact_own(from, s);
    const shared::CompactTopology topology = shared::compact_topology(from, s, own);
    // What follows is that of a lane.
    for (std::uint32_t lane = 0; lane < s.triangles; ++lane) {
        const shared::CompactTriangle t = shared::compact_triangle(from, s, topology, lane);
        result.triangles[lane] = {static_cast<std::uint8_t>(t.a), static_cast<std::uint8_t>(t.b),
                                  static_cast<std::uint8_t>(t.c)};
    }
    for (std::uint32_t lane = 0; lane < s.vertices; ++lane) {
        const shared::CompactPlace place = shared::compact_place(from, s, own, lane);
        const std::uint32_t begin = shared::compact_begin(from, s.block, place.number, found.sublets);
        decode_compact_vertex(header, found.table, from, s.block, begin, place.index, result.positions[lane],
                              result.attributes[lane].data());
    }
    return result;
}

}  // namespace sublet::mesh
